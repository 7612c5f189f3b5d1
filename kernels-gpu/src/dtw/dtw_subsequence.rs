//! out[s, k, t] = the least DTW of query k and any piece of row s that ends at t
//!
//! Shapes     series: [rows, n], the rows any number of elements apart; queries: [queries, lanes · C], in front of each +inf; out: [rows, queries, n], NaN where the
//!            point is not finite
//! Types      f32
//! Launch     grid jobs / (groups · per_group), block 128
//! Traffic    4 rows n (1 + queries) bytes, m n cells per row and query
//! Tolerance  exact

use gpu_std::shared::SharedArray;
use gpu_std::{GridMut, kernel};

use super::BLOCK;
use super::open_stream::{EXCHANGE, OpenExtent, distances};

/// Distances with open begin and open end; a row and a query are shared by 1 to 128 lanes with `C` columns each.
///
/// # Safety
/// - The extent describes the operands: `lanes · C ≥ m`, `n ≥ 1`, and every length is as above.
/// - The launch has the grid above.
#[kernel(block = BLOCK, max_registers = 168, instances(c16 = 16, c32 = 32))]
pub unsafe fn dtw_subsequence<const C: usize>(
    series: &[f32],
    queries: &[f32],
    mut out: GridMut<f32>,
    extent: OpenExtent,
    #[shared] exchange: SharedArray<f32, EXCHANGE>,
) {
    // SAFETY: all threads come here, the operands are as promised by the caller.
    unsafe { distances::<C>(series, queries, out.as_mut_ptr(), &extent, exchange) }
}
