//! c[m][n] = Σ a[m][k] · b[n][k], one tile of 128 × 128, by `mma.sync`
//!
//! Shapes     a, b: [128, k], c: [128, 128], contiguous; rows of a and b are multiples of 16 bytes; k may be 0
//! Types      i8 to i32; bf16 to f32; tf32 to f32
//! Launch     one block of 128 threads: 2 × 2 warps of 64 × 64
//! Shared     two stages of 64 bytes along k, filled by `cp.async` while the other is multiplied; rows are 80 bytes apart, so that
//!            the eight rows of a matrix of `ldmatrix` lie in different banks

use gpu_std::async_copy::{cp_async_cg_zfill, cp_async_commit_group, cp_async_wait_group};
use gpu_std::mma::{FragA, FragB, FragC, MmaWith, mma_sync, tf32};
use gpu_std::shared::SharedCell;
use gpu_std::unroll::{filled, unroll as turns};
use gpu_std::{Vec16, bf16, block, thread, unroll};

/// 16 bytes.
type Chunk = Vec16<u32>;

/// Rows of a and of b.
const ROWS: usize = 128;
/// Chunks of a row in a stage, and from row to row.
const CHUNKS: usize = 4;
const PITCH: usize = CHUNKS + 1;
/// Threads of the block.
const THREADS: usize = 128;

/// Two stages of a and b.
#[unsafe(link_section = ".shared")]
static STAGES: SharedCell<[[[Chunk; ROWS * PITCH]; 2]; 2]> = SharedCell::new();

/// The first chunk of an operand in a stage.
#[inline(always)]
fn tile(stage: u32, operand: usize) -> *mut Chunk {
    STAGES.as_mut_ptr().cast::<Chunk>().wrapping_add((2 * (stage as usize % 2) + operand) * ROWS * PITCH)
}

/// Starts to copy step `step` of `from` to `to`; what lies behind the end of a row becomes zero.
///
/// # Safety
/// `from` has 128 rows of `row_bytes` bytes, a multiple of 16; nobody uses the stage.
#[inline(always)]
unsafe fn fill(to: *mut Chunk, from: *const u8, row_bytes: usize, step: u32) {
    let thread = thread::thread_idx_x() as usize;
    turns::<{ ROWS * CHUNKS / THREADS }>(
        #[inline(always)]
        |turn| {
            let (row, chunk) = ((turn * THREADS + thread) / CHUNKS, thread % CHUNKS);
            let at = (step as usize * CHUNKS + chunk) * size_of::<Chunk>();
            let inside = at < row_bytes;
            let source = from.wrapping_add(row * row_bytes + if inside { at } else { 0 });
            // SAFETY: promised by the caller; both are multiples of 16, and behind the end nothing is read.
            unsafe {
                cp_async_cg_zfill(to.add(row * PITCH + chunk), source.cast(), if inside { 16 } else { 0 });
            }
        },
    );
}

/// The sums of a warp: 4 × 8 tiles of 16 × 8.
type Sums<S> = [[FragC<S, 16, 8>; 8]; 4];

/// Multiplies one stage into the sums of the warp at (warp_m, warp_n).
///
/// # Safety
/// The stage is filled, for all threads; all lanes of the warp are here.
#[inline(always)]
unsafe fn multiply<T: MmaWith<T, K>, const K: usize>(
    sums: &mut Sums<T::Sum>,
    stage: u32,
    (warp_m, warp_n): (usize, usize),
) {
    let lane = thread::lane_idx();
    let chunk_elems = (16 / size_of::<T>()) as u32;
    unroll!(for half in 0..2 {
        // SAFETY: rows below 128 and chunks below 4 of the stage; the lanes come from the caller together.
        let (a, b) = unsafe {
            let (row, column) = FragA::<T, 16, K>::ldmatrix_row(lane);
            let first = tile(stage, 0)
                .add((64 * warp_m + row as usize) * PITCH + 2 * half + (column / chunk_elems) as usize);
            let a: [FragA<T, 16, K>; 4] =
                [0, 1, 2, 3].map(|i: usize| FragA::ldmatrix(first.add(16 * i * PITCH).cast::<T>()));
            let (k, column) = FragB::<T, 8, K>::ldmatrix_row(lane);
            let first = tile(stage, 1)
                .add((64 * warp_n + column as usize) * PITCH + 2 * half + (k / chunk_elems) as usize);
            let b: [[FragB<T, 8, K>; 2]; 4] =
                [0, 1, 2, 3].map(|i: usize| FragB::ldmatrix_pair(first.add(16 * i * PITCH).cast::<T>()));
            (a, b)
        };
        unroll!(for i in 0..4 {
            unroll!(for j in 0..8 {
                // SAFETY: promised by the caller.
                sums[i][j] = unsafe { mma_sync(a[i], b[j / 2][j % 2], sums[i][j]) };
            });
        });
    });
}

/// The whole kernel.
///
/// # Safety
/// The shapes are those of the module's head, the block has 128 threads and is the only one.
#[inline(always)]
unsafe fn matmul<T: MmaWith<T, K>, const K: usize>(
    a: *const T,
    b: *const T,
    c: *mut T::Sum,
    k: u32,
    zero: T::Sum,
) {
    let row_bytes = k as usize * size_of::<T>();
    let steps = row_bytes.div_ceil(CHUNKS * size_of::<Chunk>()) as u32;
    let warp = thread::warp_idx() as usize;
    let at = (warp / 2, warp % 2);
    let mut sums: Sums<T::Sum> = filled(filled(FragC::filled(zero)));
    // SAFETY: promised by the caller; a stage is filled again after the barrier behind its use.
    unsafe {
        let start = |step: u32| {
            if step < steps {
                fill(tile(step, 0), a.cast(), row_bytes, step);
                fill(tile(step, 1), b.cast(), row_bytes, step);
            }
            cp_async_commit_group();
        };
        start(0);
        for step in 0..steps {
            start(step + 1);
            cp_async_wait_group::<1>();
            block::bar_sync();
            multiply::<T, K>(&mut sums, step, at);
            block::bar_sync();
        }
    }
    let lane = thread::lane_idx();
    unroll!(for i in 0..4 {
        unroll!(for j in 0..8 {
            sums[i][j].for_each(
                lane,
                #[inline(always)]
                |row, column, value| {
                    let (row, column) =
                        (64 * at.0 + 16 * i + row as usize, 64 * at.1 + 8 * j + column as usize);
                    // SAFETY: below 128 · 128.
                    unsafe { c.add(row * ROWS + column).write(value) }
                },
            );
        });
    });
}

macro_rules! entries {
    ($($name:ident: $ty:ty, $k:literal -> $sum:ty = $zero:expr;)*) => {$(
        /// The kernel of these types.
        ///
        /// # Safety
        /// As in the module's head.
        #[unsafe(no_mangle)]
        pub unsafe extern "ptx-kernel" fn $name(a: *const $ty, b: *const $ty, c: *mut $sum, k: u32) {
            // SAFETY: promised by the caller.
            unsafe { matmul::<$ty, $k>(a, b, c, k, $zero) }
        }
    )*};
}

entries! {
    mma_i8: i8, 32 -> i32 = 0;
    mma_bf16: bf16, 16 -> f32 = 0.0;
    mma_tf32: tf32, 8 -> f32 = 0.0;
}
