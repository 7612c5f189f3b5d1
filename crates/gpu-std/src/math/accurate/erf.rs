//! The error function.

use super::exp::exp2_parts;
use super::parts::{polynomial, scale};
use crate::math::{copysign_f32, fma_rn_f32};

/// erf x / x − 1 in x², |x| ≤ 1; the error moves erf x by at most 2^-29.3 of it.
const ERF: [f32; 7] =
    [1.2837917e-1, -3.7612626e-1, 1.1283579e-1, -2.6853347e-2, 5.187162e-3, -7.997853e-4, 7.806904e-5];

/// log2(1 − erf x) for x in \[1, 4\]; the error moves erf x by at most 2^-29.8.
const LOG2_ERFC: [f32; 7] =
    [-5.1031384e-4, -1.625975e+0, -9.2076516e-1, -1.4865136e-1, 3.1458363e-2, -4.2409464e-3, 2.677266e-4];

/// From here on erf x is nearest to 1.
const LARGE: f32 = 4.0;

/// The error function, 2/√π times the integral of e^(−t²) from 0 to x.
///
/// Below 1 it is x + x p(x²), p of degree 6; above, 1 − 2^q(|x|), q of degree 6. Error: see the table of the [module](super).
///
/// ±0 for ±0, ±1 for ±∞, NaN for NaN.
#[inline(always)]
pub fn erf(x: f32) -> f32 {
    let size = x.abs();
    let small = fma_rn_f32(size, polynomial(&ERF, size * size), size);
    let clamped = if size > LARGE { LARGE } else { size };
    let (head, tail, n) = exp2_parts(polynomial(&LOG2_ERFC, clamped), 0.0);
    let large = 1.0 - scale(head + tail, n);
    copysign_f32(x, if size < 1.0 { small } else { large })
}
