//! tanh x.

use super::exp::{exp_pair, quotient};
use super::parts::{fast_two_sum, polynomial, scale};
use crate::math::{copysign_f32, fma_rn_f32};

/// (tanh x − x) / x³ in x², |x| ≤ 0.625; the error moves tanh x by at most 2^-27.7 of it.
const TANH: [f32; 5] = [-3.333328e-1, 1.3331406e-1, -5.3736515e-2, 2.0628167e-2, -5.6922967e-3];

/// Up to here the polynomial is taken.
const SMALL: f32 = 0.625;

/// From here on tanh x is nearest to 1.
const LARGE: f32 = 10.0;

/// The hyperbolic tangent.
///
/// Below 0.625 it is x + x³ p(x²), p of degree 4; above, 1 − 2e / (1 + e) with e = e^(−2|x|) and the quotient in two parts. Error:
/// see the table of the [module](super).
///
/// ±0 for ±0, ±1 for ±∞, NaN for NaN.
#[inline(always)]
pub fn tanh(x: f32) -> f32 {
    let size = x.abs();
    let square = size * size;
    let small = fma_rn_f32(size * square, polynomial(&TANH, square), size);
    copysign_f32(x, if size < SMALL { small } else { large(size) })
}

/// 1 − 2 / (1 + e^(2x)) for x from 0.625 on.
#[inline(always)]
fn large(x: f32) -> f32 {
    let (head, tail, n) = exp_pair(-2.0 * if x > LARGE { LARGE } else { x });
    let (head, tail) = (scale(head, n), scale(tail, n));
    let (sum, error) = fast_two_sum(1.0, head);
    let [high, low] = quotient([2.0 * head, 2.0 * tail], [sum, error + tail]);
    let (result, error) = fast_two_sum(1.0, -high);
    result + (error - low)
}
