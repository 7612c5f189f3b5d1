//! The sums of one tile: stages of A and B come by `cp.async` while a warp multiplies what is there.
//!
//! ```text
//! stages in front:  0 … S−2 under way
//! each stage s:     k 0 … 2   load the fragments of k + 1, start a part of stage s + S−1, multiply those of k
//!                   k 3       wait for stage s + 1, barrier, load its first fragments, multiply
//! ```
//!
//! Stage s + S−1 lies where s − 1 lay: its last fragments were loaded before the barrier that all warps have passed. Behind the end
//! of k zeros are copied, so the loop knows no edges.

use gpu_std::async_copy::{cp_async_commit_group, cp_async_wait_all, cp_async_wait_group};
use gpu_std::mma::{FragA, FragB, ldmatrix_x4};
use gpu_std::unroll::filled;
use gpu_std::{block, thread, unroll};

use super::copies::{Matrix, Source};
use super::products::Product;
use super::tiling::{CHUNK, LINE, LINES_AT_ONCE, STEP, THREADS, Tile, WARPS_N, column_of_line, swizzled};

/// The sums of a warp: `MT` × `NT` products of 16 × 8, a lane's part.
pub type Sums<S, const MT: usize, const NT: usize> = [[[S; 4]; NT]; MT];

/// Operands of a step of a warp.
#[derive(Clone, Copy)]
struct Fragments<const MT: usize, const NT: usize> {
    a: [[u32; 4]; MT],
    b: [[u32; 2]; NT],
}

/// Where the thread copies to and where it loads from in a stage, in bytes.
#[derive(Clone, Copy)]
struct Places {
    copy: usize,
    a: usize,
    b: usize,
}

impl Places {
    /// Those of this thread.
    #[inline(always)]
    fn new<const MT: usize, const NT: usize>() -> Self {
        let (thread, lane, warp) =
            (thread::thread_idx_x() as usize, thread::lane_idx(), thread::warp_idx() as usize);
        let (warp_m, warp_n) = (warp / WARPS_N, warp % WARPS_N);
        let (line, chunk) = (thread / (LINE / CHUNK), thread % (LINE / CHUNK));
        let load = |first: usize, line: u32, byte: u32| {
            let line = first + line as usize;
            line * LINE + swizzled(line, byte as usize / CHUNK) * CHUNK
        };
        let (row, k_a) = FragA::<i8, 16, 32>::ldmatrix_row(lane);
        let (k_b, column) = FragB::<i8, 8, 32>::ldmatrix_row(lane);
        Self {
            copy: line * LINE + swizzled(line, chunk) * CHUNK,
            a: load(16 * MT * warp_m, row, k_a),
            b: load(LINES_AT_ONCE * MT + 8 * NT * warp_n, column, k_b),
        }
    }
}

/// The operands of a block as one thread copies them, and the part of k that is left.
#[derive(Clone, Copy, Debug)]
pub struct Operands {
    a: Source,
    b: Source,
    /// Bytes of the part from the thread's chunk on; 0 behind the end.
    left: u32,
    /// Whether the row has bytes in front of the chunk.
    inner: bool,
}

impl Operands {
    /// Stages `first` to `end` (excluded) of k of the tile at (`row`, `column`) of C.
    #[inline(always)]
    pub fn new<P: Product, const MT: usize, const NT: usize>(
        a: Matrix,
        b: [Matrix; 2],
        (row, column): (u64, u64),
        k_bytes: u32,
        (first, end): (u32, u32),
    ) -> Self {
        let thread = thread::thread_idx_x() as usize;
        let (line, chunk) = (thread / (LINE / CHUNK), thread % (LINE / CHUNK));
        let at = u64::from(first) * LINE as u64 + (chunk * CHUNK) as u64;
        let end = u64::from(k_bytes).min(u64::from(end) * LINE as u64);
        let (plane, in_plane) = column_of_line(line, P::PLANES);
        let b = if plane == 0 { b[0] } else { b[1] };
        Self {
            a: Source::new(a, row + line as u64, LINES_AT_ONCE, MT, at),
            b: Source::new(b, column + in_plane as u64, const { LINES_AT_ONCE / P::PLANES }, NT, at),
            left: end.saturating_sub(at) as u32,
            inner: at > 0,
        }
    }

    /// Starts part `part` of `parts` of a stage's copies.
    ///
    /// # Safety
    /// Nobody uses the stage; without `ANY`, rows are multiples of 16 bytes.
    #[inline(always)]
    unsafe fn copy<const MT: usize, const NT: usize, const ANY: bool>(
        &mut self,
        stage: *mut u8,
        part: usize,
        parts: usize,
    ) {
        let bytes = self.left.min(CHUNK as u32);
        let inside = self.inner && self.left >= (CHUNK + 4) as u32;
        let one = |source: &mut Source, copy: usize, line: usize| {
            // SAFETY: promised by the caller; the lines of a stage are those of A, then those of B.
            unsafe {
                let to = stage.add(line * LINES_AT_ONCE * LINE);
                if ANY {
                    source.copy_any(copy, to, bytes, inside);
                } else {
                    source.copy(copy, to, bytes);
                }
            }
        };
        if ANY {
            if part == 0 {
                (0..MT).for_each(|copy| one(&mut self.a, copy, copy));
                (0..NT).for_each(|copy| one(&mut self.b, copy, MT + copy));
            }
            return;
        }
        unroll!(for copy in 0..MT {
            if copy * parts / (MT + NT) == part {
                one(&mut self.a, copy, copy);
            }
        });
        unroll!(for copy in 0..NT {
            if (MT + copy) * parts / (MT + NT) == part {
                one(&mut self.b, copy, MT + copy);
            }
        });
    }

    /// Closes the stage, moves on to the next.
    #[inline(always)]
    fn commit(&mut self) {
        cp_async_commit_group();
        self.a.advance();
        self.b.advance();
        self.left = self.left.saturating_sub(LINE as u32);
        self.inner = true;
    }
}

/// The fragments of step `step` of the stage at `stage`.
///
/// # Safety
/// The stage is filled, for all threads; all lanes of the warp are here.
#[inline(always)]
unsafe fn load<const MT: usize, const NT: usize>(
    smem: *const u8,
    stage: usize,
    places: Places,
    step: usize,
) -> Fragments<MT, NT> {
    let mut fragments = Fragments { a: filled([0; 4]), b: filled([0; 2]) };
    // A line starts at a multiple of 128, so the chunk's number, as swizzled, is in bits 4 to 6. The stage comes first: what changes
    // with it cannot be kept in registers for all steps.
    // SAFETY: promised by the caller.
    unsafe {
        let a = smem.add((stage + places.a) ^ (step * STEP));
        unroll!(for i in 0..MT {
            fragments.a[i] = ldmatrix_x4(a.add(16 * LINE * i));
        });
        let b = smem.add((stage + places.b) ^ (step * STEP));
        unroll!(for j in 0..NT {
            if j.is_multiple_of(2) {
                let [p, q, r, s] = ldmatrix_x4(b.add(8 * LINE * j));
                fragments.b[j] = [p, q];
                fragments.b[j + 1] = [r, s];
            }
        });
    }
    fragments
}

/// Adds a step's products.
///
/// # Safety
/// All lanes of the warp are here.
#[inline(always)]
unsafe fn multiply<P: Product, const MT: usize, const NT: usize>(
    sums: &mut Sums<P::Sum, MT, NT>,
    fragments: &Fragments<MT, NT>,
) {
    unroll!(for i in 0..MT {
        unroll!(for j in 0..NT {
            // SAFETY: promised by the caller.
            sums[i][j] = unsafe { P::multiply(j % P::PLANES, fragments.a[i], fragments.b[j], sums[i][j]) };
        });
    });
}

/// The stage behind the one at `stage`, `bytes` each.
#[inline(always)]
fn next(stage: usize, bytes: usize, stages: usize) -> usize {
    if stage == bytes * (stages - 1) { 0 } else { stage + bytes }
}

/// Sums over `stages` stages of k. Behind it nobody uses shared memory.
///
/// # Safety
/// - All threads of the block are here, [`THREADS`] of them.
/// - Shared memory is that of the tile, and nobody uses it.
/// - The operands have these stages; without `ANY`, their rows start at multiples of 16 bytes.
#[inline(always)]
pub unsafe fn sums<P: Product, const MT: usize, const NT: usize, const STAGES: usize, const ANY: bool>(
    smem: *mut u8,
    mut operands: Operands,
    stages: u32,
) -> Sums<P::Sum, MT, NT> {
    let bytes = const { Tile::new(MT, NT, P::PLANES, STAGES).stage_bytes() as usize };
    const { assert!(THREADS as usize == LINES_AT_ONCE * LINE / CHUNK, "a thread copies one chunk at once") }
    let places = Places::new::<MT, NT>();
    let mut sums = filled(filled(filled(P::ZERO)));
    // SAFETY: promised by the caller; the module's head tells why a stage is free, and when it is filled.
    unsafe {
        unroll!(for stage in 0..STAGES {
            if stage < STAGES - 1 {
                operands.copy::<MT, NT, ANY>(smem.add(stage * bytes + places.copy), 0, 1);
                operands.commit();
            }
        });
        let (mut here, mut ahead) = (0, (STAGES - 1) * bytes);
        wait::<STAGES>();
        block::bar_sync();
        let first = load::<MT, NT>(smem, 0, places, 0);
        let mut fragments = [first, first];
        for _ in 0..stages {
            let after = next(here, bytes, STAGES);
            unroll!(for step in 0..4 {
                if step < 3 {
                    fragments[(step + 1) % 2] = load(smem, here, places, step + 1);
                    operands.copy::<MT, NT, ANY>(smem.add(ahead + places.copy), step, 3);
                } else {
                    operands.commit();
                    wait::<STAGES>();
                    block::bar_sync();
                    fragments[0] = load(smem, after, places, 0);
                }
                multiply::<P, MT, NT>(&mut sums, &fragments[step % 2]);
            });
            (ahead, here) = (here, after);
        }
        cp_async_wait_all();
        block::bar_sync();
    }
    sums
}

/// Waits until the oldest of `STAGES` − 1 stages under way is there.
#[inline(always)]
fn wait<const STAGES: usize>() {
    match STAGES {
        2 => cp_async_wait_group::<0>(),
        3 => cp_async_wait_group::<1>(),
        4 => cp_async_wait_group::<2>(),
        _ => cp_async_wait_group::<3>(),
    }
}
