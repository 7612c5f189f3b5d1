//! From the range of a row to its scale and zero point, and from an element to its code.
//!
//! Every operation is f32, rounded to nearest even, subnormals kept. With a = max |x|, lo = min(x, 0), hi = max(x, 0):
//!
//! ```text
//! symmetric    scale = a / 127                     code = rne(x · inverse)                       in [-127, 127]
//! asymmetric   scale = (hi - lo) / L               code = min(rne(x · inverse) + zero, last)     in [-last - 1, last]
//!              zero  = rne(-lo · inverse) - last - 1
//! both         inverse = 1 / scale                 x ≈ (code - zero) · scale
//! ```
//!
//! L is 255 for 8 bits and 65,535 for 16, last is 127 and 32,767. The product x · inverse is not rounded before `rne`: a fused
//! multiply-add with [`MAGIC`] gives the integer in the low bits of its result.
//!
//! - Where hi - lo overflows, the scale is (hi/2 - lo/2) / (L/2).
//! - A scale below the smallest normal number is rounded up, so that no code is cut off; it is never 0. There `inverse` would
//!   overflow: it is 1 / (2^64 scale), and x is multiplied by 2^64 first, which is exact.
//! - An asymmetric row of one value c has scale |c| (1 for 0), zero point 0 and codes of ±1 or 0: it comes back exactly.
//! - A symmetric row of zeros, and a row without elements, has scale 1.
//! - A row with a value that is not finite has scale NaN, zero point 0 and codes 0.

use gpu_std::math::{fma_rn_f32, max_nan_f32, min_nan_f32};

/// 1.5 · 2^23: x + MAGIC is x rounded to an integer, which stands in the sum's low bits in two's complement.
pub const MAGIC: f32 = 12_582_912.0;

/// What tiny values are multiplied by: 2^64.
pub const POWER: f32 = 18_446_744_073_709_551_616.0;

/// The codes of a quantizer: how many steps the range has, and the largest code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codes {
    /// -127…127 about 0.
    Symmetric,
    /// -128…127 with a zero point.
    Asymmetric,
    /// -32,768…32,767 with a zero point.
    Wide,
}

impl Codes {
    /// The largest code.
    #[inline(always)]
    pub const fn last(self) -> i32 {
        match self {
            Self::Symmetric | Self::Asymmetric => 127,
            Self::Wide => 32_767,
        }
    }
}

/// The least and the most of some values; of their magnitudes for symmetric codes, where `least` is of no account.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least; NaN where a value was.
    pub least: f32,
    /// The most; NaN where a value was.
    pub most: f32,
}

impl Range {
    /// That of one value, `first`; 0 for symmetric codes.
    #[inline(always)]
    pub fn new(codes: Codes, first: f32) -> Self {
        match codes {
            Codes::Symmetric => Self { least: 0.0, most: 0.0 },
            _ => Self { least: first, most: first },
        }
    }

    /// With one more value.
    #[inline(always)]
    pub fn with(self, codes: Codes, x: f32) -> Self {
        match codes {
            Codes::Symmetric => Self { most: max_nan_f32(self.most, x.abs()), ..self },
            _ => Self { least: min_nan_f32(self.least, x), most: max_nan_f32(self.most, x) },
        }
    }

    /// Whether all values are finite.
    #[inline(always)]
    pub fn is_finite(self) -> bool {
        is_finite(self.least) & is_finite(self.most)
    }
}

/// Whether `x` is neither NaN nor infinite.
#[inline(always)]
pub fn is_finite(x: f32) -> bool {
    x.abs() < f32::INFINITY
}

/// How the elements of a row become codes.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// The value of one step; NaN for a row that is not finite.
    pub scale: f32,
    /// What elements are multiplied by first: 1, or [`POWER`] where the scale is subnormal.
    pub power: f32,
    /// 1 / (power · scale).
    pub inverse: f32,
    /// The code of 0.
    pub zero: i32,
    /// All bits where the row is finite, none where it is not: codes are cut down to it.
    pub mask: u32,
}

impl Steps {
    /// Those of a range.
    #[inline(always)]
    pub fn new(codes: Codes, range: Range) -> Self {
        if !range.is_finite() {
            return Self { scale: f32::NAN, power: 1.0, inverse: 1.0, zero: 0, mask: 0 };
        }
        match codes {
            Codes::Symmetric => Self::symmetric(range.most),
            Codes::Asymmetric => Self::asymmetric(range, 255.0, codes.last()),
            Codes::Wide => Self::asymmetric(range, 65_535.0, codes.last()),
        }
    }

    #[inline(always)]
    fn symmetric(absmax: f32) -> Self {
        if absmax == 0.0 {
            return Self::of(1.0);
        }
        Self::of(rounded_up_if_tiny(absmax / 127.0, 127.0, absmax))
    }

    #[inline(always)]
    fn asymmetric(range: Range, steps: f32, last: i32) -> Self {
        let Range { least, most } = range;
        if least == most {
            return Self::of(if most == 0.0 { 1.0 } else { most.abs() });
        }
        let (low, high) = (if least < 0.0 { least } else { 0.0 }, if most > 0.0 { most } else { 0.0 });
        let width = high - low;
        let scale = if width < f32::INFINITY {
            rounded_up_if_tiny(width / steps, steps, width)
        } else {
            (high * 0.5 - low * 0.5) / (steps * 0.5)
        };
        let steps = Self::of(scale);
        let zero = rounded(-low * steps.power, steps.inverse) - last - 1;
        Self { zero, ..steps }
    }

    /// Zero point 0.
    #[inline(always)]
    fn of(scale: f32) -> Self {
        let power = if scale < f32::MIN_POSITIVE { POWER } else { 1.0 };
        Self { scale, power, inverse: 1.0 / (scale * power), zero: 0, mask: !0 }
    }

    /// The code of `x`, in the low bits; what stands above them is of no account. Not cut down to [`Steps::mask`].
    #[inline(always)]
    pub fn code(&self, codes: Codes, x: f32) -> u32 {
        let bits = fma_rn_f32(x * self.power, self.inverse, MAGIC).to_bits();
        if matches!(codes, Codes::Symmetric) {
            return bits;
        }
        let code = (bits as i32).wrapping_add(self.zero - MAGIC.to_bits() as i32);
        (if code < codes.last() { code } else { codes.last() }) as u32
    }
}

/// x · y, rounded once to an integer, ties to even; its magnitude is at most 2^22.
#[inline(always)]
fn rounded(x: f32, y: f32) -> i32 {
    fma_rn_f32(x, y, MAGIC).to_bits().wrapping_sub(MAGIC.to_bits()) as i32
}

/// The quotient of `whole` by `parts`, or the next number where it is subnormal and was rounded down.
#[inline(always)]
fn rounded_up_if_tiny(quotient: f32, parts: f32, whole: f32) -> f32 {
    let short = f64::from(quotient) * f64::from(parts) < f64::from(whole);
    if quotient < f32::MIN_POSITIVE && short { f32::from_bits(quotient.to_bits() + 1) } else { quotient }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steps(codes: Codes, row: &[f32]) -> Steps {
        let first = row.first().copied().unwrap_or(0.0);
        Steps::new(codes, row.iter().fold(Range::new(codes, first), |range, x| range.with(codes, *x)))
    }

    fn code(codes: Codes, steps: &Steps, x: f32) -> i32 {
        let bits = steps.code(codes, x) & steps.mask;
        if codes == Codes::Wide { i32::from(bits as i16) } else { i32::from(bits as i8) }
    }

    const ALL: [Codes; 3] = [Codes::Symmetric, Codes::Asymmetric, Codes::Wide];

    /// Magnitudes of all exponents, subnormals included.
    fn magnitudes() -> impl Iterator<Item = f32> {
        (0..f32::INFINITY.to_bits()).step_by(1_000_003).map(f32::from_bits).filter(|x| *x > 0.0)
    }

    #[test]
    fn scale_and_inverse_are_finite_and_not_zero_for_every_range() {
        for codes in ALL {
            for x in magnitudes().chain([f32::MAX, 1e-40, 1e-45, 1e-38, 1e-8]) {
                for row in [[x, -x], [0.0, x], [-x, 0.0], [x, x / 2.0]] {
                    let steps = steps(codes, &row);
                    assert!(steps.scale > 0.0 && steps.scale.is_finite(), "{codes:?} {row:?}: {steps:?}");
                    assert!(steps.inverse > 0.0 && steps.inverse.is_finite(), "{codes:?} {row:?}: {steps:?}");
                }
            }
        }
    }

    #[test]
    fn every_value_comes_back_within_half_a_step() {
        for codes in ALL {
            for x in magnitudes().chain([f32::MAX, 1e-40, 1e-45, 1e-38, 1e-8]) {
                let row = [x, -x / 3.0, x / 7.0, 0.0, x * 0.99];
                let steps = steps(codes, &row);
                for x in row {
                    let code = code(codes, &steps, x);
                    let back = f64::from(code - steps.zero) * f64::from(steps.scale);
                    let error = (back - f64::from(x)).abs() / f64::from(steps.scale);
                    assert!(error < 0.51, "{codes:?} {x:e}: {code} of {steps:?}, {error} steps away");
                }
            }
        }
    }

    #[test]
    fn rows_of_one_value_are_exact() {
        for x in magnitudes().flat_map(|x| [x, -x]).chain([0.0, -0.0]) {
            for codes in [Codes::Asymmetric, Codes::Wide] {
                let steps = steps(codes, &[x, x]);
                assert_eq!((code(codes, &steps, x) - steps.zero) as f32 * steps.scale, x, "{codes:?} {x:e}");
            }
            let steps = steps(Codes::Symmetric, &[x, x]);
            let back = code(Codes::Symmetric, &steps, x) as f32 * steps.scale;
            let (near, far) = ((back - x).abs(), steps.scale.max(f32::MIN_POSITIVE));
            assert!(near <= x.abs() * f32::EPSILON || far <= f32::MIN_POSITIVE, "{x:e}: {back:e}");
        }
    }

    #[test]
    fn ties_go_to_even() {
        let steps = steps(Codes::Symmetric, &[127.0]);
        assert_eq!((steps.scale, steps.inverse), (1.0, 1.0));
        let codes =
            [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 126.5, -126.5].map(|x| code(Codes::Symmetric, &steps, x));
        assert_eq!(codes, [0, 2, 2, 0, -2, -2, 126, -126]);
    }

    #[test]
    fn the_ends_of_the_range_have_the_last_codes() {
        let row = [-1.0, 2.0];
        let of = |codes| {
            let steps = steps(codes, &row);
            (code(codes, &steps, -1.0), code(codes, &steps, 2.0), steps.zero)
        };
        assert_eq!(of(Codes::Symmetric), (-64, 127, 0));
        assert_eq!(of(Codes::Asymmetric), (-128, 127, -43));
        assert_eq!(of(Codes::Wide), (-32_768, 32_767, -10_923));
        let wide = steps(Codes::Asymmetric, &[f32::MIN, f32::MAX]);
        assert_eq!(code(Codes::Asymmetric, &wide, f32::MIN), -128);
        assert!(wide.scale.is_finite());
    }

    #[test]
    fn a_row_that_is_not_finite_has_no_scale_and_no_codes() {
        for codes in ALL {
            for odd in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let steps = steps(codes, &[1.0, odd, 2.0]);
                assert!(steps.scale.is_nan() && steps.zero == 0, "{codes:?} {odd}");
                assert_eq!([code(codes, &steps, 1.0), code(codes, &steps, odd)], [0, 0]);
            }
        }
    }
}
