//! y[r, c] = a[r, c] * b[r, c]
//!
//! Shapes     a, b, y: [rows, cols], each with a row stride of its own; either may be 0. An output's rows may not overlap
//! Types      f32, f16, bf16; one multiplication, rounded once to nearest even
//! Launch     2-D grid of blocks of 256, see `gpu_std::rows::map_rows`; any grid covers everything
//! Traffic    3 rows cols size bytes, rows cols flops
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::{RowExtent, Rows, map_rows};
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// The element-wise product of matrices with gaps between their rows.
#[kernel(block = BLOCK, instances(f32, f16, bf16))]
pub fn hadamard_rows<T: Real>(
    a: &[T],
    b: &[T],
    y: GridMut<T>,
    stride_a: u64,
    stride_b: u64,
    stride_y: u64,
    extent: RowExtent,
) {
    let inputs = [Rows::new(a, stride_a), Rows::new(b, stride_b)];
    map_rows(extent, inputs, [y.into_rows(stride_y)], |[a, b], _| [a * b]);
}
