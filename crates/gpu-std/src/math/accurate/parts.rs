//! What the functions are made of: polynomials, sums with their rounding errors, powers of two.

use crate::math::fma_rn_f32;

/// ln 2 as a sum of two f32.
pub(super) const LN_2: [f32; 2] = [core::f32::consts::LN_2, -1.9046542e-9];

/// 1.5 * 2^23: a sum with it is rounded to an integer, which then stands in its lower bits.
const MAGIC: f32 = 12_582_912.0;

/// Σ c\[i\] x^i by Horner's rule, one fused multiply-add per degree.
#[inline(always)]
pub(super) fn polynomial<const N: usize>(c: &[f32; N], x: f32) -> f32 {
    let mut sum = c[N - 1];
    let mut i = N - 1;
    while i > 0 {
        i -= 1;
        sum = fma_rn_f32(sum, x, c[i]);
    }
    sum
}

/// a * b and its rounding error.
#[inline(always)]
pub(super) fn two_product(a: f32, b: f32) -> (f32, f32) {
    let product = a * b;
    (product, fma_rn_f32(a, b, -product))
}

/// a + b and its rounding error, for |a| ≥ |b| or a = 0.
#[inline(always)]
pub(super) fn fast_two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    (sum, b - (sum - a))
}

/// a + b and its rounding error.
#[inline(always)]
pub(super) fn two_sum(a: f32, b: f32) -> (f32, f32) {
    let sum = a + b;
    let b_part = sum - a;
    (sum, (a - (sum - b_part)) + (b - b_part))
}

/// The integer nearest to x * factor, as float and as integer, for a product below 2^22; anything for NaN.
#[inline(always)]
pub(super) fn nearest(x: f32, factor: f32) -> (f32, i32) {
    let shifted = fma_rn_f32(x, factor, MAGIC);
    (shifted - MAGIC, shifted.to_bits().wrapping_sub(MAGIC.to_bits()) as i32)
}

/// 2^n for a normal result: n from −126 to 127.
#[inline(always)]
fn power_of_two(n: i32) -> f32 {
    f32::from_bits((n.wrapping_add(127) << 23) as u32)
}

/// x * 2^n for n from −252 to 254, rounded once where it is subnormal or overflows, if |x| is in \[2^-126 * 2^(−n/2), 2^64).
#[inline(always)]
pub(super) fn scale(x: f32, n: i32) -> f32 {
    let half = n >> 1;
    x * power_of_two(half) * power_of_two(n.wrapping_sub(half))
}

/// `(f, e)` with x = (1 + f) * 2^e and 1 + f in \[√½, √2), exactly, for finite positive x; anything for others.
#[inline(always)]
pub(super) fn split(x: f32) -> (f32, f32) {
    const SQRT_HALF: u32 = core::f32::consts::FRAC_1_SQRT_2.to_bits();
    let is_subnormal = x < f32::MIN_POSITIVE;
    let bits = (if is_subnormal { x * 8_388_608.0 } else { x }).to_bits();
    let exponent = (bits.wrapping_sub(SQRT_HALF) as i32) >> 23;
    let mantissa = f32::from_bits(bits.wrapping_sub((exponent << 23) as u32));
    (mantissa - 1.0, (exponent - if is_subnormal { 23 } else { 0 }) as f32)
}

/// `x`, or the limit that it is beyond; NaN stays.
#[inline(always)]
pub(super) fn clamp(x: f32, low: f32, high: f32) -> f32 {
    let x = if x > high { high } else { x };
    if x < low { low } else { x }
}
