//! A block of the `mma.sync` kernels: its tile, its part of k, the sums, C.

use core::hint::assert_unchecked;

use gpu_std::thread;

use super::copies::Matrix;
use super::epilogue::{Extent, Place};
use super::finish::{Finish, Records, Target, store};
use super::products::Product;
use super::splits::Parts;
use super::tiling::{LINE, Tile, stages_of_split, tile_of_block};
use super::warp_tile::{Operands, sums};

/// What a launch works on.
#[derive(Clone, Copy, Debug)]
pub struct Job<S, T> {
    /// The first byte of A.
    pub a: *const u8,
    /// The first byte of each plane of B; of the one, twice.
    pub b: [*const u8; 2],
    /// C.
    pub c: Place<T>,
    /// Extents and strides, in elements.
    pub extent: Extent,
    /// Sums of parts of k, `Tile::parts_len` of them.
    pub parts: *mut S,
    /// Counters of parts of k, `Tile::arrived_len` of them.
    pub arrived: *mut u32,
}

/// What a block needs again behind the sums: in shared memory, so that it holds no registers meanwhile.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Note {
    row: u32,
    column: u32,
    at: u32,
    split: u32,
}

const _: () = assert!(size_of::<Note>() == Tile::NOTE as usize, "the tile leaves room for it");

/// Makes the tile of this block, or its part of it.
///
/// # Safety
/// - All threads of the block are here, `tiling::THREADS` of them; the grid has [`Tile::blocks`], shared memory
///   [`Tile::shared_bytes`].
/// - The job's memory is as its fields say; m, n and splits are not 0; a row of A has less than 2^32 bytes.
/// - Without `ANY`, rows of A and of B start at multiples of 16 bytes.
#[inline(always)]
pub unsafe fn run<P, F, const MT: usize, const NT: usize, const STAGES: usize, const ANY: bool>(
    job: &Job<P::Sum, F::Out>,
    finish: &F,
    smem: *mut u8,
) where
    P: Product,
    F: Finish<P::Total>,
{
    let tile = const { Tile::new(MT, NT, P::PLANES, STAGES) };
    let Extent { m, n, k, splits, .. } = job.extent;
    let (rows, cols) = (m.div_ceil(tile.m), n.div_ceil(tile.n));
    // SAFETY: promised by the caller; it spares the checks of the divisions.
    unsafe { assert_unchecked(rows > 0 && cols > 0 && rows * cols > 0 && splits > 0) };
    let (at, split) = (thread::block_idx_x() % (rows * cols), thread::block_idx_x() / (rows * cols));
    let (row, col) = tile_of_block(at, rows, cols);
    let target = Target { place: job.c, m, n, row: row * tile.m, column: col * tile.n };
    let k_bytes = k * P::BYTES as u32;
    let part = stages_of_split(k_bytes.div_ceil(LINE as u32), split, splits);
    let matrix = |start, stride: u64, rows| Matrix { start, pitch: stride * P::BYTES as u64, rows };
    let a = matrix(job.a, job.extent.stride_a, m);
    let b = job.b.map(|plane| matrix(plane, job.extent.stride_b, n));
    let origin = (u64::from(target.row), u64::from(target.column));
    // SAFETY: promised by the caller; the records lie behind the stages, and the barriers of `sums` come before they are read.
    unsafe {
        let note = smem.add((tile.shared_bytes() - Tile::NOTE) as usize).cast::<Note>();
        if thread::thread_idx_x() == 0 {
            note.write(Note { row: target.row, column: target.column, at, split });
        }
        let records = smem.add(STAGES * tile.stage_bytes() as usize);
        let records = Records::write::<P::Total, F>(records, finish, &target, (tile.m, tile.n));
        let operands = Operands::new::<P, MT, NT>(a, b, origin, k_bytes, part);
        let mut sums = sums::<P, MT, NT, STAGES, ANY>(smem, operands, part.1 - part.0);
        let Note { row, column, at, split } = note.read();
        if splits > 1 {
            let (tiles, tile) = (m.div_ceil(tile.m) * n.div_ceil(tile.n), at);
            let parts = Parts { sums: job.parts, arrived: job.arrived, tiles, tile, split, splits };
            if !parts.gather::<P, MT, NT>(&mut sums) {
                return;
            }
        }
        store::<P, F, MT, NT, STAGES>(smem, records, finish, &Target { row, column, ..target }, &sums);
    }
}
