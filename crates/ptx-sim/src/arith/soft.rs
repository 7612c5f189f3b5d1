//! Floating-point formats by hand: taking values apart and rounding exact ones.

/// A rounding mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Round {
    /// To nearest, ties to even: `rn`.
    Nearest,
    /// To nearest, ties away from zero: `rna`.
    NearestAway,
    /// Towards zero: `rz`.
    Zero,
    /// Towards negative infinity: `rm`.
    Down,
    /// Towards positive infinity: `rp`.
    Up,
}

/// A binary floating-point format with infinities and subnormals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Format {
    /// Bits of the exponent field.
    pub exponent_bits: u32,
    /// Bits of the fraction field.
    pub fraction_bits: u32,
}

impl Format {
    pub(crate) const F16: Self = Self { exponent_bits: 5, fraction_bits: 10 };
    pub(crate) const BF16: Self = Self { exponent_bits: 8, fraction_bits: 7 };
    pub(crate) const F32: Self = Self { exponent_bits: 8, fraction_bits: 23 };
    pub(crate) const F64: Self = Self { exponent_bits: 11, fraction_bits: 52 };

    /// The exponent of the last place of the smallest normal number (and of all subnormal ones).
    pub(crate) const fn min_exponent(self) -> i32 {
        2 - (1 << (self.exponent_bits - 1)) - self.fraction_bits as i32
    }

    /// The bits of infinity, without sign.
    pub(crate) const fn infinity(self) -> u64 {
        ((1 << self.exponent_bits) - 1) << self.fraction_bits
    }

    /// The sign bit.
    pub(crate) const fn sign(self) -> u64 {
        1 << (self.exponent_bits + self.fraction_bits)
    }

    /// The bits of the largest finite number, without sign.
    pub(crate) const fn largest(self) -> u64 {
        self.infinity() - 1
    }

    /// The NaN that instructions write: all ones below the sign (0x7fff, 0x7fffffff), for f64 the quiet one with its sign set.
    pub(crate) const fn nan(self) -> u64 {
        match self.exponent_bits {
            11 => 0xfff8_0000_0000_0000,
            _ => self.sign() - 1,
        }
    }

    /// Whether `bits` are a NaN.
    pub(crate) const fn is_nan(self, bits: u64) -> bool {
        bits & (self.sign() - 1) > self.infinity()
    }

    /// `bits`, a subnormal number replaced by the zero of its sign: `.ftz`.
    pub(crate) const fn flush(self, bits: u64) -> u64 {
        if bits & self.infinity() == 0 { bits & self.sign() } else { bits }
    }
}

impl Format {
    /// The smaller of two values, or the larger (`max`). −0 is below +0. Of a number and a NaN the number, or with `nan` a NaN;
    /// of two NaNs a NaN. With `abs` of the magnitudes; with `xor` the sign of the result is that of the product of the operands.
    pub(crate) const fn extremum(self, a: u64, b: u64, max: bool, nan: bool, abs: bool, xor: bool) -> u64 {
        let sign = if xor { (a ^ b) & self.sign() } else { 0 };
        let (a, b) = if abs { (a & !self.sign(), b & !self.sign()) } else { (a, b) };
        let (nan_a, nan_b) = (self.is_nan(a), self.is_nan(b));
        if nan_a && nan_b || nan && (nan_a || nan_b) {
            return self.nan();
        }
        if nan_b || !nan_a && (self.key(a) > self.key(b)) == max { a | sign } else { b | sign }
    }

    /// A number that orders as the value that is no NaN does.
    const fn key(self, bits: u64) -> i64 {
        let magnitude = (bits & (self.sign() - 1)) as i64;
        if bits & self.sign() == 0 { magnitude } else { -1 - magnitude }
    }
}

/// A value taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unpacked {
    /// Not a number.
    Nan,
    /// Infinity; `true` is negative.
    Infinity(bool),
    /// `(-1)^negative * mantissa * 2^exponent`; the mantissa of zero is 0.
    Finite {
        /// The sign.
        negative: bool,
        /// The whole-number mantissa.
        mantissa: u64,
        /// The exponent of its last place.
        exponent: i32,
    },
}

/// Takes `bits` of `format` apart.
pub(crate) fn unpack(format: Format, bits: u64) -> Unpacked {
    let negative = bits & format.sign() != 0;
    let magnitude = bits & (format.sign() - 1);
    let fraction = magnitude & ((1 << format.fraction_bits) - 1);
    let field = (magnitude >> format.fraction_bits) as i32;
    if magnitude > format.infinity() {
        Unpacked::Nan
    } else if magnitude == format.infinity() {
        Unpacked::Infinity(negative)
    } else if field == 0 {
        Unpacked::Finite { negative, mantissa: fraction, exponent: format.min_exponent() }
    } else {
        let mantissa = fraction | 1 << format.fraction_bits;
        Unpacked::Finite { negative, mantissa, exponent: format.min_exponent() + field - 1 }
    }
}

/// The bits in `format` of `(-1)^negative * (mantissa + e) * 2^exponent`, where `e` is 0, or, when `sticky`, some unknown number
/// strictly between 0 and 1. With `sticky`, the mantissa must have at least `fraction_bits + 2` significant bits, or
/// `exponent` be below [`Format::min_exponent`]: only then is what is cut known to be below, at or above a half. Overflow goes
/// to infinity or the largest finite number as the mode says; an exact zero keeps its sign.
pub(crate) fn round(
    format: Format,
    negative: bool,
    mantissa: u128,
    exponent: i32,
    sticky: bool,
    mode: Round,
) -> u64 {
    let sign = if negative { format.sign() } else { 0 };
    if mantissa == 0 && !sticky {
        return sign;
    }
    let (mut mantissa, mut exponent, mut sticky) = (mantissa, exponent, sticky);
    debug_assert!(
        !sticky || mantissa >> (format.fraction_bits + 1) != 0 || exponent < format.min_exponent(),
        "too few bits above the sticky one"
    );
    if mantissa >> 126 != 0 {
        sticky |= mantissa & 3 != 0;
        mantissa >>= 2;
        exponent += 2;
    }
    // One more bit for `sticky`.
    mantissa = mantissa << 1 | u128::from(sticky);
    exponent -= 1;
    let top = 128 - mantissa.leading_zeros() as i32;
    let last = (exponent + top - 1 - format.fraction_bits as i32).max(format.min_exponent());
    let cut = last - exponent;
    if cut <= 0 {
        let shifted = mantissa << -cut;
        return sign | pack(format, shifted as u64, last, mode, negative);
    }
    let (kept, rest, half) = if cut >= 128 {
        (0, mantissa, None)
    } else {
        (mantissa >> cut, mantissa & ((1 << cut) - 1), Some(1_u128 << (cut - 1)))
    };
    let above = half.map_or(std::cmp::Ordering::Less, |half| rest.cmp(&half));
    let up = match mode {
        Round::Nearest => above.is_gt() || above.is_eq() && kept & 1 == 1,
        Round::NearestAway => above.is_ge(),
        Round::Zero => false,
        Round::Down => negative && rest != 0,
        Round::Up => !negative && rest != 0,
    };
    sign | pack(format, kept as u64 + u64::from(up), last, mode, negative)
}

/// A mantissa of at most `fraction_bits + 2` bits at `exponent`, which is right already, as bits without sign.
fn pack(format: Format, mantissa: u64, exponent: i32, mode: Round, negative: bool) -> u64 {
    // A field beyond the largest overflows however far beyond it is; this one fits below 64 bits.
    let field = (exponent - format.min_exponent()).min(1 << format.exponent_bits) as u64;
    // A carry out of the fraction moves on into the exponent by itself.
    let bits = (field << format.fraction_bits).saturating_add(mantissa);
    if bits < format.infinity() {
        return bits;
    }
    match (mode, negative) {
        (Round::Zero, _) | (Round::Down, false) | (Round::Up, true) => format.largest(),
        _ => format.infinity(),
    }
}

#[cfg(test)]
mod tests;
