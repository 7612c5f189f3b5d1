//! Codes by a scale and a zero point that are given.
//!
//! ```text
//! code = clamp(rne(x · inverse) + zero)      inverse = 1 / scale; the product is rounded to f32 before rne
//! ```
//!
//! A NaN has the code of 0, which is `zero`; infinities have the first and the last code.

use gpu_std::DeviceRepr;
use gpu_std::convert::{cvt_pack_sat_s8_s32, cvt_pack_sat_u8_s32, cvt_rni_s32_f32};

/// Scale, zero point and extent of an affine quantizer.
#[derive(Clone, Copy, Debug, PartialEq)]
#[repr(C)]
pub struct AffineExtent {
    /// Rows.
    pub rows: u64,
    /// Elements of a row.
    pub cols: u64,
    /// From row to row of the input.
    pub stride_x: u64,
    /// From row to row of the codes.
    pub stride_codes: u64,
    /// 1 / scale.
    pub inverse: f32,
    /// The code of 0; one of the codes.
    pub zero: i32,
    /// Base-2 logarithm of the threads that stand side by side along a row, at most that of the block.
    pub log2_side: u32,
    /// 1 where rows start at multiples of 16 bytes and rows of codes at multiples of a chunk's codes; else 0.
    pub aligned: u32,
}

// SAFETY: repr(C), numbers, no padding (4 · 8 + 4 · 4), alignment 8.
unsafe impl DeviceRepr for AffineExtent {
    const NAME: &'static str = "AffineExtent";
}

/// A type of codes.
pub trait Code: DeviceRepr {
    /// The first.
    const FIRST: i32;
    /// The last.
    const LAST: i32;

    /// Four integers, each the nearest code, the first one lowest.
    fn pack(four: [i32; 4]) -> u32;
}

impl Code for i8 {
    const FIRST: i32 = -128;
    const LAST: i32 = 127;

    #[inline(always)]
    fn pack([a, b, c, d]: [i32; 4]) -> u32 {
        cvt_pack_sat_s8_s32(b, a, cvt_pack_sat_s8_s32(d, c, 0))
    }
}

impl Code for u8 {
    const FIRST: i32 = 0;
    const LAST: i32 = 255;

    #[inline(always)]
    fn pack([a, b, c, d]: [i32; 4]) -> u32 {
        cvt_pack_sat_u8_s32(b, a, cvt_pack_sat_u8_s32(d, c, 0))
    }
}

/// rne(x · inverse) + zero, at most 2^16 or so away from 0: not yet a code.
#[inline(always)]
pub fn shifted(x: f32, inverse: f32, zero: i32) -> i32 {
    /// Beyond every distance from a zero point to a code.
    const FAR: i32 = 1 << 16;
    cvt_rni_s32_f32(x * inverse).clamp(-FAR, FAR) + zero
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_saturate_at_both_ends_and_nan_is_the_zero_point() {
        let of = |x| shifted(x, 50.0, 128);
        let four = [of(f32::NAN), of(f32::INFINITY), of(f32::NEG_INFINITY), of(0.01)];
        assert_eq!(u8::pack(four).to_le_bytes(), [128, 255, 0, 128]);
        let four = [shifted(f32::MAX, 2.0, -128), shifted(f32::MIN, 2.0, 127), shifted(0.75, 2.0, 3), 0];
        assert_eq!(i8::pack(four).to_le_bytes().map(|byte| byte as i8), [127, -128, 5, 0]);
    }
}
