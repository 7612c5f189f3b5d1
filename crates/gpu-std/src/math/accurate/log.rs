//! ln x and log2 x.

use super::parts::{fast_two_sum, polynomial, split, two_product};
use crate::math::fma_rn_f32;

/// (ln(1 + f) − f + f²/2) / f³ for 1 + f in \[√½, √2\]; the error moves the logarithm by at most 2^-27.2 of it.
const LOG: [f32; 8] = [
    3.333333e-1,
    -2.500082e-1,
    2.0001227e-1,
    -1.6623357e-1,
    1.4201757e-1,
    -1.3160183e-1,
    1.276158e-1,
    -7.634501e-2,
];

/// ln 2 in two parts: products of the first, of 16 bits, with exponents are exact.
const LN_2_SHORT: [f32; 2] = [6.9314575e-1, 1.4286068e-6];

/// log2 e as a sum of two f32.
const LOG2_E: [f32; 2] = [core::f32::consts::LOG2_E, 1.925963e-8];

/// ln(1 + f) for 1 + f in \[√½, √2) as a sum of two f32: f − f²/2, the second product in two parts, and the rest.
#[inline(always)]
fn log1p_parts(f: f32) -> [f32; 2] {
    let (square, square_error) = two_product(f, f);
    let (head, error) = fast_two_sum(f, -0.5 * square);
    [head, error + fma_rn_f32(f * square, polynomial(&LOG, f), -0.5 * square_error)]
}

/// `finite` for finite x above 0, else the logarithm's special value.
#[inline(always)]
fn with_special(x: f32, finite: f32) -> f32 {
    if x > 0.0 && x < f32::INFINITY {
        finite
    } else if x == 0.0 {
        f32::NEG_INFINITY
    } else if x < 0.0 {
        f32::NAN
    } else {
        x
    }
}

/// The natural logarithm.
///
/// x = (1 + f) 2^e with 1 + f in \[√½, √2), exact; ln x = e ln 2 + f − f²/2 + f³ p(f), p of degree 7. f² and the sums before
/// f³ are kept with their rounding errors. Error: see the table of the [module](super).
///
/// −∞ for ±0, NaN below 0, +∞ for +∞, NaN for NaN; +0 for 1.
#[inline(always)]
pub fn log(x: f32) -> f32 {
    let (f, e) = split(x);
    let [high, low] = log1p_parts(f);
    let (head, error) = fast_two_sum(e * LN_2_SHORT[0], high);
    with_special(x, head + (error + fma_rn_f32(e, LN_2_SHORT[1], low)))
}

/// The logarithm to base 2.
///
/// x = (1 + f) 2^e as in [`log`]; log2 x = e + ln(1 + f) log2 e, the logarithm, the product and the sum in two
/// parts. Error: see the table of the [module](super).
///
/// Exact for powers of two. −∞ for ±0, NaN below 0, +∞ for +∞, NaN for NaN; +0 for 1.
#[inline(always)]
pub fn log2(x: f32) -> f32 {
    let (f, e) = split(x);
    let [high, low] = log1p_parts(f);
    let (product, error) = two_product(high, LOG2_E[0]);
    let tail = fma_rn_f32(low, LOG2_E[0], fma_rn_f32(high, LOG2_E[1], error));
    let (head, error) = fast_two_sum(e, product);
    with_special(x, head + (error + tail))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::accurate::parts::LN_2;

    #[test]
    fn the_short_part_of_ln_2_leaves_room_for_exponents() {
        assert_eq!(LN_2_SHORT[0].to_bits() & 0xff, 0);
        let sum = |parts: [f32; 2]| f64::from(parts[0]) + f64::from(parts[1]);
        assert!((sum(LN_2_SHORT) - core::f64::consts::LN_2).abs() < 1e-13);
        assert!((sum(LN_2) - core::f64::consts::LN_2).abs() < 1e-15);
        assert!((sum(LOG2_E) - core::f64::consts::LOG2_E).abs() < 1e-15);
    }
}
