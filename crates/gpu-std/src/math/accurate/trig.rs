//! sin x and cos x.

use super::parts::{nearest, polynomial, two_product, two_sum};
use crate::math::fma_rn_f32;

/// (sin r − r) / r³ in r², |r| ≤ π/4; the error moves sin r by at most 2^-27.8 of it.
const SIN: [f32; 3] = [-1.6666655e-1, 8.332187e-3, -1.9517897e-4];

/// (cos r − 1 + r²/2) / r⁴ in r², |r| ≤ π/4; the error moves cos r by at most 2^-32.9 of it.
const COS: [f32; 3] = [4.1666646e-2, -1.388731e-3, 2.4432327e-5];

/// π/2 as a sum of three f32.
const HALF_PI: [f32; 3] = [core::f32::consts::FRAC_PI_2, -4.371139e-8, -1.7151245e-15];

/// π/2 * 2^-62 as a sum of two f32.
const HALF_PI_SCALED: [f32; 2] = [3.4061217e-19, -9.4783964e-27];

/// The bits of 2/π, of weights 2^31 to 2^-192.
static TWO_OVER_PI: [u32; 7] =
    [0x0000_0000, 0xa2f9_836e, 0x4e44_1529, 0xfc27_57d1, 0xf534_ddc0, 0xdb62_9599, 0x3c43_9041];

/// Up to here arguments are reduced by subtraction.
const SMALL: f32 = 131_072.0;

/// x = r + tail + quadrant π/2 with |r| ≤ π/4 and a bit, modulo 2π.
struct Reduced {
    r: f32,
    tail: f32,
    quadrant: i32,
}

/// By Cody and Waite: n = ⌊2x/π⌉, and n π/2 subtracted in three parts. For |x| ≤ 2^17 the first difference is exact.
#[inline(always)]
fn reduce_small(x: f32) -> Reduced {
    let (n, quadrant) = nearest(x, core::f32::consts::FRAC_2_PI);
    let first = fma_rn_f32(n, -HALF_PI[0], x);
    let (product, product_error) = two_product(n, -HALF_PI[1]);
    let (r, error) = two_sum(first, product);
    Reduced { r, tail: fma_rn_f32(n, -HALF_PI[2], error + product_error), quadrant }
}

/// By Payne and Hanek, for finite x from 2^17 on: x = m 2^e with a 32-bit integer m. Those 96 bits of 2/π that matter for
/// 2x/π modulo 4 times m give 2x/π modulo 4 as a fixed-point number of 64 bits, 62 of them behind the point.
#[inline(always)]
fn reduce_large(x: f32) -> Reduced {
    let bits = x.abs().to_bits();
    let mantissa = u64::from(bits << 8 | 0x8000_0000);
    let place = (bits >> 23).wrapping_sub(128);
    let (word, shift) = ((place >> 5 & 3) as usize, place & 31);
    let window = |i: usize| {
        let pair = u64::from(TWO_OVER_PI[word + i]) << 32 | u64::from(TWO_OVER_PI[word + i + 1]);
        (pair << shift) >> 32
    };
    let low = (mantissa * window(2)) >> 32;
    let turns = (mantissa.wrapping_mul(window(0)) << 32).wrapping_add(mantissa * window(1)).wrapping_add(low);

    let quadrant = turns.wrapping_add(1 << 61) >> 62;
    let fraction = turns.wrapping_sub(quadrant << 62) as i64;
    let head = fraction as f32;
    // SAFETY: |head| ≤ 2^61.
    let tail = (fraction - unsafe { head.to_int_unchecked::<i64>() }) as f32;
    let (r, error) = two_product(head, HALF_PI_SCALED[0]);
    let tail = error + fma_rn_f32(head, HALF_PI_SCALED[1], tail * HALF_PI_SCALED[0]);
    let quadrant = quadrant as i32;
    if x < 0.0 { Reduced { r: -r, tail: -tail, quadrant: -quadrant } } else { Reduced { r, tail, quadrant } }
}

#[inline(always)]
fn reduce(x: f32) -> Reduced {
    if x.abs() > SMALL { reduce_large(x) } else { reduce_small(x) }
}

/// The sine of (quadrant + `ahead`) π/2 + r.
#[inline(always)]
fn sin_of(Reduced { r, tail, quadrant }: &Reduced, ahead: i32) -> f32 {
    let (square, square_error) = two_product(*r, *r);
    let half = 0.5 * square;
    let sin = r + fma_rn_f32(r * square, polynomial(&SIN, square), fma_rn_f32(-half, *tail, *tail));
    let head = 1.0 - half;
    let rest = fma_rn_f32(-r, *tail, -0.5 * square_error);
    let cos = head + ((1.0 - head - half) + fma_rn_f32(square * square, polynomial(&COS, square), rest));
    let turned = quadrant.wrapping_add(ahead);
    let value = if turned & 1 == 0 { sin } else { cos };
    if turned & 2 == 0 { value } else { -value }
}

/// The sine of x in radians.
///
/// x = n π/2 + r with |r| ≤ π/4, r in two parts: by Cody and Waite up to 2^17, by Payne and Hanek above, so that it is right for
/// every finite x. Then r + r³ p(r²) or 1 − r²/2 + r⁴ q(r²), both of degree 2 in r², with the rounding errors of r and of 1 − r²/2.
/// Error: see the table of the [module](super).
///
/// ±0 for ±0, NaN for ±∞ and NaN.
#[inline(always)]
pub fn sin(x: f32) -> f32 {
    let value = sin_of(&reduce(x), 0);
    if x == 0.0 {
        x
    } else if x.abs() < f32::INFINITY {
        value
    } else {
        f32::NAN
    }
}

/// The cosine of x in radians: as [`sin`], a quarter turn ahead.
///
/// 1 for ±0, NaN for ±∞ and NaN.
#[inline(always)]
pub fn cos(x: f32) -> f32 {
    let value = sin_of(&reduce(x), 1);
    if x.abs() < f32::INFINITY { value } else { f32::NAN }
}
