//! out[s, k, t] = DTW within a band of query k and the window of row s that ends at t, with rolling aggregates
//!
//! Shapes     series: [rows, n]; queries: [queries, m rounded up to `ROWS`], in front of each +inf; out: [rows, queries,
//!            results], NaN in front of that of the first window; aggregates: [rows, results] or empty
//! Types      f32; the sums of a window in f64
//! Launch     grid (windows / tile, queries / query_tile, rows), block 128, `window_tile::floats` and
//!            `band_lanes::EXCHANGE` of dynamic shared memory
//! Traffic    4 rows n (1 + queries + aggregates) bytes, m (2 r + 1) − r (r + 1) cells per window and query
//! Tolerance  exact

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, kernel};

use super::BLOCK;
use super::aggregates::Outputs;
use super::band_lanes::distances;
use super::extent::Extent;
use super::profile::{Profile, run};
use super::window_tile::WindowTile;

/// Banded distances; two windows are shared by 64 or 128 lanes with `C` columns each, of `D` diagonals.
///
/// # Safety
/// - The extent describes the operands: the lanes hold the radius as
///   [`holds`](super::band_lanes::holds) says, `windows ≥ 1`, every length is as above,
///   and the queries are aligned to 16 bytes.
/// - The launch has the grid and the shared memory above.
#[kernel(block = BLOCK, max_registers = 255, instances(
    c16 = (16, 23), c20 = (20, 27), c24 = (24, 31)
))]
pub unsafe fn dtw_band_warps<const C: usize, const D: usize>(
    series: &[f32],
    queries: &[f32],
    out: GridMut<f32>,
    mean: GridMut<f32>,
    min: GridMut<f32>,
    max: GridMut<f32>,
    var: GridMut<f32>,
    extent: Extent,
    #[shared] smem: DynamicShared<f32>,
) {
    let profile = Profile { series, out, aggregates: Outputs { mean, min, max, var }, extent };
    // SAFETY: the launch has the shared memory.
    let tile = unsafe { WindowTile::new(smem, &extent) };
    // SAFETY: all threads come here, the operands are as promised by the caller, the tile is filled before.
    unsafe {
        run(
            profile,
            tile,
            #[inline(always)]
            |part, store| distances::<C, D, true>(tile, queries, &extent, part, store),
        )
    }
}
