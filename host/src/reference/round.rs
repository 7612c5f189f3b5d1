//! Exact widening to `f64` and one correct rounding back, for every element type.

use crate::ops::Scalar;

/// Bits of the fraction of an `f64`.
const F64_FRACTION: u32 = 52;

/// The value of `x`, exactly; a NaN stays one.
pub fn widen<T: Scalar>(x: T) -> f64 {
    let format = T::FORMAT;
    let bits = x.bits();
    let fraction = bits & ((1 << format.fraction_bits) - 1);
    let exponent = (bits >> format.fraction_bits) & ((1 << format.exponent_bits) - 1);
    let sign = if bits >> (format.width() - 1) & 1 == 1 { -1.0 } else { 1.0 };
    let bias = (1_i32 << (format.exponent_bits - 1)) - 1;
    let fraction_bits = format.fraction_bits as i32;
    if exponent == (1 << format.exponent_bits) - 1 {
        return if fraction == 0 { sign * f64::INFINITY } else { f64::NAN.copysign(sign) };
    }
    let (significand, exponent) =
        if exponent == 0 { (fraction, 1) } else { (fraction | 1 << format.fraction_bits, exponent as i32) };
    sign * significand as f64 * power_of_two(exponent - bias - fraction_bits)
}

/// `2^exponent`, for the exponents of normal numbers.
fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << F64_FRACTION)
}

/// The nearest value of `T`, ties to even; overflow gives infinity, a NaN gives a quiet NaN.
pub fn round<T: Scalar>(x: f64) -> T {
    let format = T::FORMAT;
    let sign = (x.to_bits() >> 63) << (format.width() - 1);
    let infinity = ((1_u64 << format.exponent_bits) - 1) << format.fraction_bits;
    if x.is_nan() {
        return T::from_bits(sign | infinity | 1 << (format.fraction_bits - 1));
    }
    if x.is_infinite() {
        return T::from_bits(sign | infinity);
    }
    let (significand, exponent) = parts(x);
    if significand == 0 {
        return T::from_bits(sign);
    }
    // The result is a multiple of 2^quantum: of the smallest subnormal at least.
    let bias = (1_i32 << (format.exponent_bits - 1)) - 1;
    let smallest = 1 - bias - format.fraction_bits as i32;
    let top = exponent + significand.ilog2() as i32;
    let quantum = smallest.max(top - format.fraction_bits as i32);
    let count = shift_to_nearest_even(significand, quantum - exponent);
    // The count holds the hidden bit, so adding it carries into the exponent where it must.
    let magnitude = (((quantum - smallest) as u64) << format.fraction_bits) + count;
    T::from_bits(sign | magnitude.min(infinity))
}

/// `|x| = significand * 2^exponent`.
fn parts(x: f64) -> (u64, i32) {
    let bits = x.to_bits();
    let fraction = bits & ((1 << F64_FRACTION) - 1);
    match (bits >> F64_FRACTION & 0x7ff) as i32 {
        0 => (fraction, -1074),
        exponent => (fraction | 1 << F64_FRACTION, exponent - 1075),
    }
}

/// `n / 2^shift` to the nearest integer, ties to even; a negative shift multiplies.
fn shift_to_nearest_even(n: u64, shift: i32) -> u64 {
    if shift <= 0 {
        return n << -shift;
    }
    if shift > 54 {
        // n < 2^53, so n / 2^shift is below one half.
        return 0;
    }
    let (floor, rest, half) = (n >> shift, n & ((1 << shift) - 1), 1_u64 << (shift - 1));
    let up = rest > half || (rest == half && floor & 1 == 1);
    floor + u64::from(up)
}

#[cfg(test)]
mod tests {
    use gpu_std::{bf16, f16};

    use super::*;

    fn every_value_survives<T: Scalar>() {
        for bits in 0..=u64::from(u16::MAX) {
            let x = T::from_bits(bits);
            let back: T = round(widen(x));
            assert!(back.bits() == x.bits() || (back.is_nan() && x.is_nan()), "{bits:#x}");
        }
    }

    #[test]
    fn widening_and_rounding_back_changes_nothing() {
        every_value_survives::<f16>();
        every_value_survives::<bf16>();
        for bits in (0..=u32::MAX).step_by(65_521) {
            let x = f32::from_bits(bits);
            assert!(
                x.is_nan() || (f64::from(x) == widen(x) && round::<f32>(widen(x)).to_bits() == bits),
                "{bits:#x}"
            );
        }
    }

    #[test]
    fn rounding_to_f32_is_what_the_processor_does() {
        let mut state = 1_u64;
        for _ in 0..200_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Exponents around those of f32, subnormals included.
            let exponent = 1023 - 160 + (state >> 20) % 300;
            let x = f64::from_bits((state & 1 << 63) | exponent << 52 | state >> 12);
            assert_eq!(round::<f32>(x).to_bits(), (x as f32).to_bits(), "{x:e}");
        }
    }

    #[test]
    fn ties_go_to_even_and_a_hair_more_goes_up() {
        let one_ulp = f64::powi(2.0, -10);
        assert_eq!(round::<f16>(1.0 + one_ulp / 2.0).to_bits(), 0x3c00);
        assert_eq!(round::<f16>(1.0 + one_ulp * 1.5).to_bits(), 0x3c02);
        assert_eq!(round::<f16>(1.0 + one_ulp / 2.0 + 1e-12).to_bits(), 0x3c01);
        // Rounded to f32 first, this one would be taken for a tie.
        assert_eq!(round::<bf16>(f64::powi(2.0, -134) + f64::powi(2.0, -170)).to_bits(), 1);
        assert_eq!(round::<bf16>(f64::powi(2.0, -134)).to_bits(), 0);
    }

    #[test]
    fn the_ends_of_the_range_are_right() {
        assert_eq!(round::<f16>(65_519.999).to_bits(), 0x7bff);
        assert_eq!(round::<f16>(65_520.0).to_bits(), 0x7c00);
        assert_eq!(round::<f16>(-1e300).to_bits(), 0xfc00);
        assert_eq!(round::<f16>(-0.0).to_bits(), 0x8000);
        assert_eq!(round::<f16>(5e-324).to_bits(), 0);
        assert!(round::<bf16>(f64::NAN).is_nan());
    }
}
