//! out[s, k, t] = DTW of query k and the window of row s that ends at t, with rolling aggregates
//!
//! Shapes     series: [rows, n]; queries: [queries, lanes · C], in front of each +inf; out: [rows, queries, results], NaN in
//!            front of that of the first window; aggregates: [rows, results] or empty
//! Types      f32; the sums of a window in f64
//! Launch     grid (windows / tile, queries / query_tile, rows), block 128, `window_tile::floats` of dynamic shared memory
//! Traffic    4 rows n (1 + queries + aggregates) bytes, m² cells per window and query
//! Tolerance  exact

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, kernel};

use super::BLOCK;
use super::aggregates::Outputs;
use super::extent::Extent;
use super::profile::{Profile, run};
use super::stream::distances;
use super::window_tile::WindowTile;

/// Rows of a step.
pub const ROWS: usize = 8;

/// Unbanded distances as [`dtw_profile`](super::dtw_profile) has them, with more columns and registers per lane.
///
/// # Safety
/// - The extent describes the operands: `lanes · C ≥ m`, `windows ≥ 1`, and every length is as above.
/// - The launch has the grid and the shared memory above.
#[kernel(block = BLOCK, max_registers = 168, instances(c36 = 36, c40 = 40, c44 = 44, c48 = 48))]
pub unsafe fn dtw_profile_broad<const C: usize>(
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
            |part, store| distances::<C, ROWS, false>(tile, queries, &extent, part, store),
        );
    }
}
