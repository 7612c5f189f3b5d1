//! da[r, c] = dy[r, c] * b[r, c], db[r, c] = dy[r, c] * a[r, c]
//!
//! Shapes     dy, a, b, da, db: [rows, cols], each with a row stride of its own; either may be 0. An output's rows may not overlap
//! Types      f32, f16, bf16; one multiplication each, rounded once to nearest even
//! Launch     2-D grid of blocks of 256, see `gpu_std::rows::map_rows`; any grid covers everything
//! Traffic    5 rows cols size bytes, 2 rows cols flops
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::{RowExtent, Rows, map_rows};
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// Both gradients of the element-wise product in one pass over `dy`, for matrices with gaps between their rows.
#[kernel(block = BLOCK, instances(f32, f16, bf16))]
pub fn hadamard_bwd_rows<T: Real>(
    dy: &[T],
    a: &[T],
    b: &[T],
    da: GridMut<T>,
    db: GridMut<T>,
    stride_dy: u64,
    stride_a: u64,
    stride_b: u64,
    stride_da: u64,
    stride_db: u64,
    extent: RowExtent,
) {
    let inputs = [Rows::new(dy, stride_dy), Rows::new(a, stride_a), Rows::new(b, stride_b)];
    let outputs = [da.into_rows(stride_da), db.into_rows(stride_db)];
    map_rows(extent, inputs, outputs, |[dy, a, b], _| [dy * b, dy * a]);
}
