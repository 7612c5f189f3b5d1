//! y[r, c] = a[r, c] * b[r, c]
//!
//! Shapes     a, b, y: [rows, cols], each with a row stride of its own (≥ cols); either may be 0
//! Types      f32, f16, bf16; one multiplication, rounded once to nearest even
//! Launch     2-D grid of blocks of 256, see `gpu_std::rows`; any grid covers everything
//! Traffic    3 rows cols size bytes, rows cols flops
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::{RowExtent, Rows, map_rows};
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// The element-wise product.
#[kernel(block = BLOCK, instances(f32, f16, bf16))]
pub fn hadamard<T: Real>(
    a: &[T],
    b: &[T],
    y: GridMut<T>,
    stride_a: u64,
    stride_b: u64,
    stride_y: u64,
    extent: RowExtent,
) {
    let inputs = [Rows::new(a, extent, stride_a), Rows::new(b, extent, stride_b)];
    map_rows(inputs, [y.into_rows(extent, stride_y)], |[a, b], _| [a * b]);
}
