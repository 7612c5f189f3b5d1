//! codes[r, c] = rne(a[r, c] · b[r, c] · (1 / scales[r])), with the scale of the products of row r
//!
//! Shapes     a, b, codes: [rows, cols], rows any number of elements apart; scales, sums: [rows]; not_finite: \[1\]
//! Types      f32, f16, bf16 in, the product rounded to it as `hadamard` does; i8 out, f32 scales, i32 sums, u64 count
//! Launch     1-D, block 256, 2^log2_group threads per row; any grid covers everything
//! Shared     128 bytes
//! Traffic    rows cols (2 size + 1) + 4 rows bytes, and more for sums; `twice` and `single` read a and b twice
//! Tolerance  exact

use gpu_std::shared::SharedArray;
use gpu_std::{GridMut, bf16, f16, kernel};

use super::group::EXCHANGE;
use super::lanes::Lanes;
use super::rows::{PerRow, QuantizeExtent, quantize};
use super::sink::Bytes;
use super::source::{Plain, Product};
use super::steps::Codes;
use super::{BLOCK, HELD, SINGLE, TWICE};

/// The bits of `hadamard` and then symmetric `quantize_rows`, without the products in memory.
///
/// # Safety
/// - `a`, `b` and `codes` have the rows of the extent; `scales` has one element for each row, `sums` too or none; `zeros` has
///   none; `not_finite` one word or none.
/// - Rows, groups and alignment are as [`quantize`] asks.
#[kernel(block = BLOCK, max_registers = 80, instances(
    f32 = (f32, HELD), f32_twice = (f32, TWICE), f32_single = (f32, SINGLE),
    f16 = (f16, HELD), f16_twice = (f16, TWICE), f16_single = (f16, SINGLE),
    bf16 = (bf16, HELD), bf16_twice = (bf16, TWICE), bf16_single = (bf16, SINGLE)
))]
pub unsafe fn hadamard_quantize<T: Lanes, const WAY: u32>(
    a: &[T],
    b: &[T],
    mut codes: GridMut<i8>,
    scales: GridMut<f32>,
    zeros: GridMut<i32>,
    sums: GridMut<i32>,
    not_finite: GridMut<u64>,
    extent: QuantizeExtent,
    #[shared] exchange: SharedArray<u64, EXCHANGE>,
) {
    let source = Product { a: Plain::new(a, extent.stride_x), b: Plain::new(b, extent.stride_y) };
    let sink = Bytes { start: codes.as_mut_ptr(), stride: extent.stride_codes };
    let mut per_row = PerRow { scales, zeros, sums, not_finite };
    // SAFETY: all threads come here, everything is as promised by the caller.
    unsafe {
        quantize::<T, _, _, WAY>(source, sink, Codes::Symmetric, &mut per_row, extent, exchange);
    }
}
