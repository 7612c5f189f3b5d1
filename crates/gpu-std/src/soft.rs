//! The host's arithmetic in PTX's formats and rounding modes, exact: sums, products, quotients and roots are formed in f64
//! with a sticky last bit ("round to odd"), then rounded once.

use half::{bf16, f16};

/// PTX's rounding modifiers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rounding {
    /// `.rn`: to nearest, ties to even.
    Nearest,
    /// `.rz`: towards zero.
    Zero,
    /// `.rm`: towards minus infinity.
    Down,
    /// `.rp`: towards plus infinity.
    Up,
}

struct Format {
    fraction_bits: i32,
    min_exponent: i32,
    max_exponent: i32,
}

const F32: Format = Format { fraction_bits: 23, min_exponent: -126, max_exponent: 127 };
const TF32: Format = Format { fraction_bits: 10, min_exponent: -126, max_exponent: 127 };
const F16: Format = Format { fraction_bits: 10, min_exponent: -14, max_exponent: 15 };
const BF16: Format = Format { fraction_bits: 7, min_exponent: -126, max_exponent: 127 };

fn power_of_two(exponent: i32) -> f64 {
    f64::from_bits(((exponent + 1023) as u64) << 52)
}

/// `value` as an integer, rounded.
pub(crate) fn integral(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round_ties_even(),
        Rounding::Zero => value.trunc(),
        Rounding::Down => value.floor(),
        Rounding::Up => value.ceil(),
    }
}

fn round(value: f64, format: &Format, rounding: Rounding) -> f64 {
    if !value.is_finite() || value == 0.0 {
        return value;
    }
    let exponent = ((value.to_bits() >> 52) & 0x7ff) as i32 - 1023;
    let ulp = power_of_two(exponent.max(format.min_exponent) - format.fraction_bits);
    let result = integral(value / ulp, rounding) * ulp;
    let largest = (2.0 - power_of_two(-format.fraction_bits)) * power_of_two(format.max_exponent);
    if result.abs() <= largest {
        return result;
    }
    let stays = match rounding {
        Rounding::Nearest => false,
        Rounding::Zero => true,
        Rounding::Down => result > 0.0,
        Rounding::Up => result < 0.0,
    };
    (if stays { largest } else { f64::INFINITY }).copysign(result)
}

pub(crate) fn to_f32(value: f64, rounding: Rounding) -> f32 {
    round(value, &F32, rounding) as f32
}

/// The bits of an f32 whose lower 13 are zero.
pub(crate) fn to_tf32(value: f32, rounding: Rounding) -> u32 {
    (round(f64::from(value), &TF32, rounding) as f32).to_bits()
}

pub(crate) fn to_f16(value: f64, rounding: Rounding) -> f16 {
    f16::from_f64(round(value, &F16, rounding))
}

pub(crate) fn to_bf16(value: f64, rounding: Rounding) -> bf16 {
    bf16::from_f64(round(value, &BF16, rounding))
}

/// `value`, or its odd neighbour on the side of the `error` that it lacks.
fn odd(value: f64, error: f64) -> f64 {
    let bits = value.to_bits();
    if !value.is_finite() || value == 0.0 || error == 0.0 || error.is_nan() || bits & 1 == 1 {
        return value;
    }
    f64::from_bits(if (error > 0.0) == (value > 0.0) { bits + 1 } else { bits - 1 })
}

/// a + b with a sticky last bit, and the sign that `rounding` gives an exact zero.
pub(crate) fn add(a: f64, b: f64, rounding: Rounding) -> f64 {
    let sum = a + b;
    if sum == 0.0 && a.is_sign_negative() != b.is_sign_negative() {
        return if rounding == Rounding::Down { -0.0 } else { 0.0 };
    }
    let b_part = sum - a;
    odd(sum, (a - (sum - b_part)) + (b - b_part))
}

/// a * b + c with a sticky last bit, for factors of at most 26 significant bits.
pub(crate) fn fma(a: f64, b: f64, c: f64, rounding: Rounding) -> f64 {
    add(a * b, c, rounding)
}

/// a / b with a sticky last bit.
pub(crate) fn div(a: f64, b: f64) -> f64 {
    let quotient = a / b;
    odd(quotient, (-quotient).mul_add(b, a) / b)
}

/// The square root of `x` with a sticky last bit.
pub(crate) fn sqrt(x: f64) -> f64 {
    let root = x.sqrt();
    odd(root, (-root).mul_add(root, x))
}

/// `.ftz`: subnormals become zero of their sign.
pub(crate) fn ftz(x: f32) -> f32 {
    if x.is_subnormal() { 0.0_f32.copysign(x) } else { x }
}

/// `.ftz` of a result before it is rounded: below the smallest normal number it becomes zero of its sign, even where it would be
/// rounded up to that number (seen on sm_90).
pub(crate) fn flush(exact: f64, smallest_normal: f64) -> f64 {
    if exact.abs() < smallest_normal { 0.0_f64.copysign(exact) } else { exact }
}

/// `.sat`: clamped to [0, 1], NaN to +0.
pub(crate) fn sat(x: f64) -> f64 {
    if x > 0.0 { x.min(1.0) } else { 0.0 }
}

/// `.relu`: negative values become +0, NaN stays.
pub(crate) fn relu(x: f64) -> f64 {
    if x <= 0.0 { 0.0 } else { x }
}

/// `min`: of a number and NaN the number; −0 below +0.
pub(crate) fn min(a: f64, b: f64) -> f64 {
    if a.is_nan() || (a == b && b.is_sign_negative()) { b } else { a.min(b) }
}

/// `max`: of a number and NaN the number; −0 below +0.
pub(crate) fn max(a: f64, b: f64) -> f64 {
    if a.is_nan() || (a == b && b.is_sign_positive()) { b } else { a.max(b) }
}

/// `min.NaN`.
pub(crate) fn min_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { min(a, b) }
}

/// `max.NaN`.
pub(crate) fn max_nan(a: f64, b: f64) -> f64 {
    if a.is_nan() || b.is_nan() { f64::NAN } else { max(a, b) }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every f32 pattern class: a cheap generator of bit patterns.
    fn patterns() -> impl Iterator<Item = u32> {
        let mut x = 0x1234_5678_u32;
        (0..200_000).map(move |_| {
            x ^= x << 13;
            x ^= x >> 17;
            x ^= x << 5;
            x
        })
    }

    #[test]
    fn rounding_to_nearest_agrees_with_half_and_with_casts() {
        for bits in patterns() {
            let x = f32::from_bits(bits);
            let wide = f64::from_bits(u64::from(bits) << 32 | u64::from(bits.rotate_left(7)));
            if x.is_nan() || wide.is_nan() {
                continue;
            }
            assert_eq!(
                to_f16(f64::from(x), Rounding::Nearest).to_bits(),
                f16::from_f32(x).to_bits(),
                "{x:e}"
            );
            assert_eq!(
                to_bf16(f64::from(x), Rounding::Nearest).to_bits(),
                bf16::from_f32(x).to_bits(),
                "{x:e}"
            );
            assert_eq!(to_f32(wide, Rounding::Nearest).to_bits(), (wide as f32).to_bits(), "{wide:e}");
        }
    }

    #[test]
    fn directed_results_enclose_the_value() {
        for bits in patterns() {
            let x = f64::from(f32::from_bits(bits));
            if !x.is_finite() {
                continue;
            }
            let (down, up) = (to_f16(x, Rounding::Down).to_f64(), to_f16(x, Rounding::Up).to_f64());
            let zero = to_f16(x, Rounding::Zero).to_f64();
            assert!(down <= x && x <= up, "{x:e}");
            assert_eq!(zero, if x > 0.0 { down } else { up });
        }
    }

    #[test]
    fn fused_and_composed_arithmetic_agrees_with_std() {
        let all: std::vec::Vec<f32> = patterns().take(3000).map(f32::from_bits).collect();
        for w in all.windows(3) {
            let (a, b, c) = (w[0], w[1], w[2]);
            let got = to_f32(fma(a.into(), b.into(), c.into(), Rounding::Nearest), Rounding::Nearest);
            let want = a.mul_add(b, c);
            assert!(got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(), "{a:e} {b:e} {c:e}");
            let got = to_f32(div(a.into(), b.into()), Rounding::Nearest);
            assert!(got.to_bits() == (a / b).to_bits() || got.is_nan() && (a / b).is_nan(), "{a:e} / {b:e}");
        }
    }
}
