//! out[p] = DTW of x[p] and y[p]
//!
//! Shapes     x: [pairs, m], rows stride_x apart; y: [pairs, m], rows stride_y apart; out: [pairs]
//! Types      f32; the sums of a sequence in f64
//! Launch     grid pairs / tile, block 128, `PairTile::floats` and `PairExtent::border_floats` of dynamic shared memory
//! Traffic    4 pairs (2 m + 1) bytes, m (2 r + 1) − r (r + 1) cells per pair
//! Tolerance  exact

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, kernel, thread};

use super::BLOCK;
use super::pair_stream::{PairExtent, Pairs, distances};
use super::pair_tile::PairTile;

/// Distances of pairs, raw or with both sequences normalised; NaN where either is not finite.
///
/// A pair is shared by 1 to 32 lanes with `C` columns each; with `STRIPS` it passes several times, with `BAND` cells are cut
/// off.
///
/// # Safety
/// - The extent describes the operands: `m > radius`, `width` is that of the lanes, one strip without `STRIPS`, `radius` is
///   m − 1 without `BAND`, and every length is as above.
/// - The launch has the grid and the shared memory above.
#[kernel(block = BLOCK, max_registers = 168, instances(
    c16 = (16, false, false), c32 = (32, false, false), c32_strips = (32, true, false),
    c16_band = (16, true, true), c32_band = (32, true, true)
))]
pub unsafe fn dtw_pairs<const C: usize, const STRIPS: bool, const BAND: bool>(
    x: &[f32],
    y: &[f32],
    mut out: GridMut<f32>,
    extent: PairExtent,
    #[shared] smem: DynamicShared<f32>,
) {
    let operands = Pairs { x, y, out: out.as_mut_ptr(), extent };
    let tile = u64::from(thread::block_idx_x()) * u64::from(extent.tile);
    let left = extent.pairs - tile;
    let pairs = if left < u64::from(extent.tile) { left as u32 } else { extent.tile };
    // SAFETY: all threads come here, operands and shared memory are as promised by the caller.
    unsafe {
        let normalisers = PairTile::fill(smem, &operands, tile, pairs);
        distances::<C, STRIPS, BAND>(&operands, normalisers, smem, tile, pairs);
    }
}
