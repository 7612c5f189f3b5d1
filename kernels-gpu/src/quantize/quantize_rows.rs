//! codes[r, c] = min(rne(x[r, c] · (1 / scales[r])) + zeros[r], 127), with the scale (and zero point) of row r's range
//!
//! Shapes     x, codes: [rows, cols], rows any number of elements apart; scales, zeros, sums: [rows]; not_finite: \[1\]
//! Types      f32, f16, bf16 in; i8 out, f32 scales, i32 zeros and sums, u64 count; see `steps` for every operation
//! Launch     1-D, block 256, 2^log2_group threads per row; any grid covers everything
//! Shared     128 bytes
//! Traffic    rows cols (size + 1) + 4 rows bytes and more for zeros and sums; `twice` and `single` read x twice
//! Tolerance  exact

use gpu_std::shared::SharedArray;
use gpu_std::{GridMut, bf16, f16, kernel};

use super::group::EXCHANGE;
use super::lanes::Lanes;
use super::rows::{PerRow, QuantizeExtent, quantize};
use super::sink::Bytes;
use super::source::Plain;
use super::steps::Codes;
use super::{BLOCK, HELD, SINGLE, TWICE};

/// The codes of each row in its own steps; those of a row that is not finite are 0, and its scale is NaN.
///
/// # Safety
/// - `x` and `codes` have the rows of the extent; `scales` has one element for each row, `zeros` and `sums` too or none;
///   `not_finite` one word or none.
/// - Rows, groups and alignment are as [`quantize`] asks.
#[kernel(block = BLOCK, max_registers = 64, instances(
    f32 = (f32, true, HELD), f32_twice = (f32, true, TWICE), f32_single = (f32, true, SINGLE),
    f16 = (f16, true, HELD), f16_twice = (f16, true, TWICE), f16_single = (f16, true, SINGLE),
    bf16 = (bf16, true, HELD), bf16_twice = (bf16, true, TWICE), bf16_single = (bf16, true, SINGLE),
    f32_asymmetric = (f32, false, HELD), f32_asymmetric_twice = (f32, false, TWICE),
    f32_asymmetric_single = (f32, false, SINGLE),
    f16_asymmetric = (f16, false, HELD), f16_asymmetric_twice = (f16, false, TWICE),
    f16_asymmetric_single = (f16, false, SINGLE),
    bf16_asymmetric = (bf16, false, HELD), bf16_asymmetric_twice = (bf16, false, TWICE),
    bf16_asymmetric_single = (bf16, false, SINGLE)
))]
pub unsafe fn quantize_rows<T: Lanes, const SYMMETRIC: bool, const WAY: u32>(
    x: &[T],
    mut codes: GridMut<i8>,
    scales: GridMut<f32>,
    zeros: GridMut<i32>,
    sums: GridMut<i32>,
    not_finite: GridMut<u64>,
    extent: QuantizeExtent,
    #[shared] exchange: SharedArray<u64, EXCHANGE>,
) {
    let kind = if SYMMETRIC { Codes::Symmetric } else { Codes::Asymmetric };
    let sink = Bytes { start: codes.as_mut_ptr(), stride: extent.stride_codes };
    let mut per_row = PerRow { scales, zeros, sums, not_finite };
    // SAFETY: all threads come here, everything is as promised by the caller.
    unsafe {
        quantize::<T, _, _, WAY>(Plain::new(x, extent.stride_x), sink, kind, &mut per_row, extent, exchange);
    }
}
