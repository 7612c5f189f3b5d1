//! y[r, c] = y[r, c] * b[r, c]
//!
//! Shapes     b, y: [rows, cols], each with a row stride of its own; either may be 0. An output's rows may not overlap
//! Types      f32, f16, bf16; one multiplication, rounded once to nearest even
//! Launch     2-D grid of blocks of 256, see `gpu_std::rows::map_rows`; any grid covers everything
//! Traffic    3 rows cols size bytes, rows cols flops
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::{RowExtent, Rows, map_rows};
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// The element-wise product, in place, of matrices with gaps between their rows.
#[kernel(block = BLOCK, instances(f32, f16, bf16))]
pub fn hadamard_assign_rows<T: Real>(
    b: &[T],
    y: GridMut<T>,
    stride_b: u64,
    stride_y: u64,
    extent: RowExtent,
) {
    map_rows(extent, [Rows::new(b, stride_b)], [y.into_rows(stride_y)], |[b], [y]| [y * b]);
}
