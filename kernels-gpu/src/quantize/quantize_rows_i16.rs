//! code[r, c] = min(rne(x[r, c] · (1 / scales[r])) + zeros[r], 32767); high = code >> 8, low = code & 255
//!
//! Shapes     x, high, low: [rows, cols], rows any number of elements apart; scales, zeros: [rows]; not_finite: \[1\]
//! Types      f32, f16, bf16 in; i8 and u8 out, f32 scales, i32 zeros, u64 count; see `steps` for every operation
//! Launch     1-D, block 256, 2^log2_group threads per row; any grid covers everything
//! Shared     128 bytes
//! Traffic    rows cols (size + 2) + 8 rows bytes; `twice` and `single` read x twice
//! Tolerance  exact

use gpu_std::shared::SharedArray;
use gpu_std::{GridMut, bf16, f16, kernel};

use super::group::EXCHANGE;
use super::lanes::Lanes;
use super::rows::{PerRow, QuantizeExtent, quantize};
use super::sink::{Bytes, Planes};
use super::source::Plain;
use super::steps::Codes;
use super::{BLOCK, HELD, SINGLE, TWICE};

/// The codes of each row in its own steps, as two planes; those of a row that is not finite are 0, and its scale is NaN.
///
/// # Safety
/// - `x`, `high` and `low` have the rows of the extent; `scales` and `zeros` have one element for each row; `sums` has none;
///   `not_finite` one word or none.
/// - Rows, groups and alignment are as [`quantize`] asks.
#[kernel(block = BLOCK, max_registers = 80, instances(
    f32 = (f32, HELD), f32_twice = (f32, TWICE), f32_single = (f32, SINGLE),
    f16 = (f16, HELD), f16_twice = (f16, TWICE), f16_single = (f16, SINGLE),
    bf16 = (bf16, HELD), bf16_twice = (bf16, TWICE), bf16_single = (bf16, SINGLE)
))]
pub unsafe fn quantize_rows_i16<T: Lanes, const WAY: u32>(
    x: &[T],
    mut high: GridMut<i8>,
    mut low: GridMut<u8>,
    scales: GridMut<f32>,
    zeros: GridMut<i32>,
    sums: GridMut<i32>,
    not_finite: GridMut<u64>,
    extent: QuantizeExtent,
    #[shared] exchange: SharedArray<u64, EXCHANGE>,
) {
    let sink = Planes {
        high: Bytes { start: high.as_mut_ptr(), stride: extent.stride_codes },
        low: Bytes { start: low.as_mut_ptr().cast(), stride: extent.stride_low },
    };
    let mut per_row = PerRow { scales, zeros, sums, not_finite };
    // SAFETY: all threads come here, everything is as promised by the caller.
    unsafe {
        quantize::<T, _, _, WAY>(
            Plain::new(x, extent.stride_x),
            sink,
            Codes::Wide,
            &mut per_row,
            extent,
            exchange,
        );
    }
}
