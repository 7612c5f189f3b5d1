//! x^y.

use super::exp::exp2_parts;
use super::parts::{clamp, fast_two_sum, polynomial, scale, split, two_product};
use crate::math::{fma_rn_f32, rcp_rn_f32, rint_f32};

/// log2((1 + s) / (1 − s)) = s (C1 + C3 s² + s⁴ p(s²)): 2 / ln 2 as a sum of two f32.
const C1: [f32; 2] = [2.88539e+0, 3.851926e-8];

/// 2 / (3 ln 2) as a sum of two f32.
const C3: [f32; 2] = [9.617967e-1, -7.028462e-9];

/// p above, for (1 + s) / (1 − s) in \[√½, √2\]; the error moves the logarithm by at most 2^-43.8 of it.
const P: [f32; 4] = [5.77078e-1, 4.1220593e-1, 3.200118e-1, 2.8171197e-1];

/// Beyond 2^±LIMIT results overflow or vanish.
const LIMIT: f32 = 200.0;

/// log2 x as a sum of two f32, right to some 2^-40 of it, for finite x above 0.
#[inline(always)]
fn log2_parts(x: f32) -> [f32; 2] {
    let (f, e) = split(x);
    // s = f / (2 + f) and its square, each as a sum of two.
    let (d, d_error) = fast_two_sum(2.0, f);
    let inverse = rcp_rn_f32(d);
    let s = f * inverse;
    let s_low = fma_rn_f32(-s, d_error, fma_rn_f32(-s, d, f)) * inverse;
    let (square, error) = two_product(s, s);
    let square_low = fma_rn_f32(2.0 * s, s_low, error);
    // C3 + s² p(s²), times s², plus C1, times s.
    let (sum, error) = fast_two_sum(C3[0], square * polynomial(&P, square));
    let (product, product_error) = two_product(square, sum);
    let product_low = fma_rn_f32(square, error + C3[1], fma_rn_f32(square_low, sum, product_error));
    let (sum, error) = fast_two_sum(C1[0], product);
    let sum_low = error + (C1[1] + product_low);
    let (product, product_error) = two_product(s, sum);
    let product_low = fma_rn_f32(s, sum_low, fma_rn_f32(s_low, sum, product_error));
    let (high, error) = fast_two_sum(e, product);
    let (high, low) = fast_two_sum(high, error + product_low);
    [high, low]
}

/// |x|^y, NaN for NaN.
#[inline(always)]
fn magnitude(x: f32, y: f32) -> f32 {
    let size = x.abs();
    // Both sides of every `&` and `|` are cheap: no branch, so that all of a warp goes one way.
    let is_number = (size > 0.0) & (size < f32::INFINITY);
    let [high, low] = log2_parts(size);
    let special = if size == 0.0 { f32::NEG_INFINITY } else { size };
    let [high, low] = if is_number { [high, low] } else { [special, 0.0] };
    let product = y * high;
    let tail = fma_rn_f32(y, low, fma_rn_f32(y, high, -product));
    let tail = if product.abs() < LIMIT { tail } else { 0.0 };
    let (head, tail, n) = exp2_parts(clamp(product, -LIMIT, LIMIT), tail);
    scale(head + tail, n)
}

/// x to the power of y.
///
/// log2 |x| as a sum of two f32: |x| = m 2^e, s = (m − 1) / (m + 1), log2 m = s (C1 + C3 s² + s⁴ p(s²)) with p of degree 3 and
/// everything but p in two parts. Times y, then 2 to that as in [`exp2`](super::exp2). Error: see the table of the
/// [module](super).
///
/// Special values as in C99, Annex F: 1 for y = ±0 and for x = 1, whatever the other is, and for x = −1 and y = ±∞; NaN for x < 0
/// finite and y finite, no integer; the sign of x for odd integers y; ±0, ±∞ where x or y is 0 or infinite, as the limit is;
/// NaN for all other NaN.
#[inline(always)]
pub fn pow(x: f32, y: f32) -> f32 {
    let is_integer = rint_f32(y) == y;
    let is_odd = is_integer & (rint_f32(0.5 * y) != 0.5 * y);
    let is_one = (x == 1.0) | (y == 0.0) | ((x == -1.0) & (y.abs() == f32::INFINITY));
    let is_undefined = (x < 0.0) & (x > f32::NEG_INFINITY) & !is_integer;
    let size = magnitude(x, y);
    let signed = if x.is_sign_negative() & is_odd { -size } else { size };
    let value = if is_undefined { f32::NAN } else { signed };
    if is_one { 1.0 } else { value }
}
