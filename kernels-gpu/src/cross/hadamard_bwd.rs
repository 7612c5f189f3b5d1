//! da[r, c] = dy[r, c] * b[r, c], db[r, c] = dy[r, c] * a[r, c]
//!
//! Shapes     dy, a, b, da, db: [rows, cols], each with a row stride of its own (≥ cols); either may be 0
//! Types      f32, f16, bf16; one multiplication each, rounded once to nearest even
//! Launch     2-D grid of blocks of 256, see `gpu_std::rows`; any grid covers everything
//! Traffic    5 rows cols size bytes, 2 rows cols flops; two separate products move 6
//! Tolerance  0 ulp against the f64 product, rounded

use gpu_std::rows::{RowExtent, Rows, map_rows};
use gpu_std::{GridMut, Real, bf16, f16, kernel};

use super::BLOCK;

/// Both gradients of the element-wise product in one pass over `dy`.
#[kernel(block = BLOCK, instances(f32, f16, bf16))]
pub fn hadamard_bwd<T: Real>(
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
    let inputs =
        [Rows::new(dy, extent, stride_dy), Rows::new(a, extent, stride_a), Rows::new(b, extent, stride_b)];
    let outputs = [da.into_rows(extent, stride_da), db.into_rows(extent, stride_db)];
    map_rows(inputs, outputs, |[dy, a, b], _| [dy * b, dy * a]);
}
