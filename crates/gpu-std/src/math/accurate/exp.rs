//! e^x, 2^x and the logistic function.

use super::parts::{LN_2, clamp, fast_two_sum, nearest, polynomial, scale, two_product};
use crate::math::{fma_rn_f32, rcp_rn_f32};

/// (e^r − 1 − r) / r² for |r| ≤ ln 2 / 2; the error moves e^r by at most 2^-27.7 of it.
const EXP: [f32; 5] = [4.9999994e-1, 1.666652e-1, 4.1668393e-2, 8.368781e-3, 1.3814466e-3];

/// e^(r + tail) for |r| ≤ ln 2 / 2 and a tail below an ulp or so of r: a number in \[0.7, 1.42\] as a sum of two.
#[inline(always)]
pub(super) fn exp_near_zero(r: f32, tail: f32) -> (f32, f32) {
    let sum = r + tail;
    let rest = fma_rn_f32(sum * sum, polynomial(&EXP, sum), tail);
    let (head, error) = fast_two_sum(1.0, r);
    (head, error + rest)
}

/// e^x = (head + tail) * 2^n for |x| ≤ 126: head + tail is in \[0.7, 1.42\], the tail up to a tenth of it.
#[inline(always)]
fn exp_parts(x: f32) -> (f32, f32, i32) {
    let (n, power) = nearest(x, core::f32::consts::LOG2_E);
    let (head, tail) = exp_near_zero(fma_rn_f32(n, -LN_2[0], x), n * -LN_2[1]);
    (head, tail, power)
}

/// e^x as a sum of two f32, the first one the nearest to it, in units of 2^n; for |x| ≤ 126.
#[inline(always)]
pub(super) fn exp_pair(x: f32) -> (f32, f32, i32) {
    let (head, tail, n) = exp_parts(x);
    let (head, tail) = fast_two_sum(head, tail);
    (head, tail, n)
}

/// 2^(x + tail) = (head + tail) * 2^n for |x| ≤ 2^21: as [`exp_parts`].
#[inline(always)]
pub(super) fn exp2_parts(x: f32, tail: f32) -> (f32, f32, i32) {
    let (n, power) = nearest(x, 1.0);
    let f = x - n;
    let (r, error) = two_product(f, LN_2[0]);
    let (head, tail) = exp_near_zero(r, error + fma_rn_f32(f, LN_2[1], tail * LN_2[0]));
    (head, tail, power)
}

/// e^x.
///
/// e^x = 2^n e^r with n = ⌊x / ln 2⌉ and r = x − n ln 2, |r| ≤ ln 2 / 2, in two parts; e^r = 1 + r + r² p(r), p of degree 4,
/// summed with the rounding error of 1 + r. Error: see the table of the [module](super).
///
/// 0 for −∞, +∞ for +∞, NaN for NaN; +∞ from 88.72284 on, 0 below −103.97208, subnormal from −87.33655 on.
#[inline(always)]
pub fn exp(x: f32) -> f32 {
    let (head, tail, n) = exp_parts(clamp(x, -104.0, 89.0));
    scale(head + tail, n)
}

/// 2^x.
///
/// 2^x = 2^n 2^f with n = ⌊x⌉ and f = x − n, exact; then as [`exp`] with r = f ln 2 in two parts. Error: see the table of the
/// [module](super).
///
/// Exact for integers. 0 for −∞, +∞ for +∞, NaN for NaN; +∞ from 128 on, 0 from −150 down.
#[inline(always)]
pub fn exp2(x: f32) -> f32 {
    let (head, tail, n) = exp2_parts(clamp(x, -151.0, 129.0), 0.0);
    scale(head + tail, n)
}

/// The logistic function 1 / (1 + e^−x).
///
/// With e = e^−|x| in two parts it is 1 / (1 + e) for x ≥ 0 and e / (1 + e) below: a product with 1 / (1 + e), then one
/// correction from the remainder. So the relative error is small for negative x too, down to subnormal results. Error: see the
/// table of the [module](super).
///
/// 0 for −∞, 1 for +∞, NaN for NaN.
#[inline(always)]
pub fn sigmoid(x: f32) -> f32 {
    let (head, tail, n) = exp_pair(clamp(-x.abs(), -104.0, 0.0));
    let (sum, error) = fast_two_sum(1.0, scale(head, n));
    let (high, low, power) = if x < 0.0 { (head, tail, n) } else { (1.0, 0.0, 0) };
    let quotient = quotient([high, low], [sum, error + scale(tail, n)]);
    scale(quotient[0] + quotient[1], power)
}

/// a / d as a sum of two, operands the same.
#[inline(always)]
pub(super) fn quotient(a: [f32; 2], d: [f32; 2]) -> [f32; 2] {
    let inverse = rcp_rn_f32(d[0]);
    let first = a[0] * inverse;
    let remainder = fma_rn_f32(-first, d[0], a[0]) + fma_rn_f32(-first, d[1], a[1]);
    [first, remainder * inverse]
}
