//! How far from the true value the result of an approximate instruction may be: as PTX ISA 9.7.3 and 9.7.4 state it, and, where an
//! H200 goes further or the ISA states nothing, as an H200 was measured.

use super::super::soft::{Format, Unpacked, unpack};
use super::super::words::Words;
use ptx_parse::ast::{Instruction, ScalarType};

/// A largest error.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ApproxError {
    /// This many units in the last place of the true value.
    Ulps(u32),
    /// 2^this times the true value; where that is subnormal, one unit in the last place more: an H200 cuts such results off.
    Relative(f64),
    /// 2^this.
    Absolute(f64),
    /// The result is 0, whatever the dividend; NaN for an infinite one.
    Vanishes,
}

/// The largest error of an instruction, by where its last operand is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ApproxBound {
    /// The format of operands and result (of a lane, for packed types).
    pub(crate) format: Format,
    /// Whether subnormal results are flushed.
    pub(crate) ftz: bool,
    /// Pieces; the first that the magnitude of the last operand is in counts. Together they leave nothing out.
    pieces: &'static [Piece],
}

/// A range of magnitudes of the last operand, ends included, and the error there.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Piece {
    /// From.
    low: f64,
    /// To.
    high: f64,
    /// The error.
    error: ApproxError,
}

const fn everywhere(error: ApproxError) -> [Piece; 1] {
    [Piece { low: 0.0, high: f64::INFINITY, error }]
}

/// 2^k.
const fn power(k: i64) -> f64 {
    f64::from_bits(((k + 1023) as u64) << 52)
}

// Below 2^-126 the ISA promises nothing.
const DIV_APPROX: [Piece; 3] = [
    Piece { low: 0.0, high: power(126), error: ApproxError::Ulps(2) },
    Piece { low: power(126), high: f32::MAX as f64, error: ApproxError::Vanishes },
    Piece { low: f64::INFINITY, high: f64::INFINITY, error: ApproxError::Ulps(2) },
];
const TWO_ULPS: [Piece; 1] = everywhere(ApproxError::Ulps(2));
const ONE_ULP: [Piece; 1] = everywhere(ApproxError::Ulps(1));
const SQRT: [Piece; 1] = everywhere(ApproxError::Relative(-23.0));
const RSQRT: [Piece; 1] = everywhere(ApproxError::Relative(-22.9));
const SIN: [Piece; 3] = [
    // The ISA says 2^-20.5; an H200 reaches 2^-20.48 (cos of -4.9010134).
    Piece { low: 0.0, high: 2.0 * std::f64::consts::PI, error: ApproxError::Absolute(-20.4) },
    Piece { low: 0.0, high: 100.0 * std::f64::consts::PI, error: ApproxError::Absolute(-14.7) },
    // The ISA promises nothing beyond; the functions stay between -1 and 1.
    Piece { low: 0.0, high: f64::INFINITY, error: ApproxError::Absolute(1.0) },
];
// The ends of the inner piece, 0.5 and 2, have exact logarithms, which both bounds of the ISA allow to differ by 2^-22.
const LG2: [Piece; 2] = [
    Piece { low: 0.5, high: 2.0, error: ApproxError::Absolute(-22.0) },
    Piece { low: 0.0, high: f64::INFINITY, error: ApproxError::Relative(-22.0) },
];
const TANH: [Piece; 1] = everywhere(ApproxError::Relative(-11.0));
const TANH_F16: [Piece; 1] = everywhere(ApproxError::Absolute(-10.987));
const TANH_BF16: [Piece; 1] = everywhere(ApproxError::Absolute(-8.0));
const EX2_F16: [Piece; 1] = everywhere(ApproxError::Relative(-9.9));
const EX2_BF16: [Piece; 1] = everywhere(ApproxError::Relative(-7.0));
// The ISA states none for f64.
const RSQRT_F64: [Piece; 1] = everywhere(ApproxError::Relative(-51.0));
const UPPER_F64: [Piece; 1] = everywhere(ApproxError::Relative(-20.0));

/// The bound of an approximate instruction; `None` for other instructions.
#[must_use]
pub fn bound(instruction: &Instruction) -> Option<ApproxBound> {
    super::find(instruction)?;
    let ty = Words::of(instruction).last_type()?;
    let (format, pieces): (_, &'static [Piece]) = match (instruction.opcode.as_str(), ty) {
        ("rsqrt", ScalarType::F64) if !instruction.has("ftz") => (Format::F64, &RSQRT_F64),
        (_, ScalarType::F64) => (Format::F64, &UPPER_F64),
        ("div", _) if instruction.has("full") => (Format::F32, &TWO_ULPS),
        ("div", _) => (Format::F32, &DIV_APPROX),
        ("rcp", _) => (Format::F32, &ONE_ULP),
        ("sqrt", _) => (Format::F32, &SQRT),
        ("rsqrt", _) => (Format::F32, &RSQRT),
        ("sin" | "cos", _) => (Format::F32, &SIN),
        ("lg2", _) => (Format::F32, &LG2),
        ("ex2", ScalarType::F32) => (Format::F32, &TWO_ULPS),
        ("tanh", ScalarType::F32) => (Format::F32, &TANH),
        ("ex2", ScalarType::F16 | ScalarType::F16x2) => (Format::F16, &EX2_F16),
        ("ex2", _) => (Format::BF16, &EX2_BF16),
        ("tanh", ScalarType::F16 | ScalarType::F16x2) => (Format::F16, &TANH_F16),
        ("tanh", _) => (Format::BF16, &TANH_BF16),
        _ => return None,
    };
    Some(ApproxBound { format, ftz: instruction.has("ftz"), pieces })
}

impl ApproxBound {
    /// Whether `bits` may be the result where the true value, of operands already flushed, is `exact`, and the last operand is
    /// `operand`. A zero or infinity has the sign of the true value.
    #[must_use]
    pub fn allows(&self, operand: f64, exact: f64, bits: u64) -> bool {
        let vanishes = self.error(operand) == ApproxError::Vanishes;
        let tolerance = self.tolerance(operand, exact);
        match unpack(self.format, bits) {
            Unpacked::Nan => exact.is_nan() || vanishes && exact.is_infinite(),
            _ if exact.is_nan() => false,
            Unpacked::Infinity(negative) => {
                !vanishes && negative == exact.is_sign_negative() && exact.abs() + tolerance > self.largest()
            }
            Unpacked::Finite { .. } if exact.is_infinite() => false,
            Unpacked::Finite { negative, mantissa: 0, .. } => {
                let flushed = self.ftz && exact.abs() - tolerance < self.normal();
                let signed = negative == exact.is_sign_negative() || tolerance >= 1.0;
                signed && (vanishes || flushed || exact.abs() <= tolerance)
            }
            Unpacked::Finite { negative, mantissa, exponent } => {
                let magnitude = mantissa as f64 * f64::from(exponent).exp2();
                let got = if negative { -magnitude } else { magnitude };
                !vanishes && (got - exact).abs() <= tolerance
            }
        }
    }

    /// The largest difference between a result and the true value `exact`, when the last operand is `operand`. At least half a
    /// unit in the last place, since a result is a value of the format.
    #[must_use]
    pub fn tolerance(&self, operand: f64, exact: f64) -> f64 {
        if exact.is_nan() || exact.is_infinite() {
            return 0.0;
        }
        let ulp = self.ulp(exact);
        let cut_off = if exact.abs() < self.normal() { ulp } else { 0.0 };
        let error = match self.error(operand) {
            ApproxError::Ulps(n) => f64::from(n) * ulp,
            ApproxError::Relative(k) => k.exp2() * exact.abs() + cut_off,
            ApproxError::Absolute(k) => k.exp2(),
            ApproxError::Vanishes => exact.abs(),
        };
        error.max(ulp / 2.0)
    }

    /// The error where the last operand is `operand`.
    #[must_use]
    pub fn error(&self, operand: f64) -> ApproxError {
        let magnitude = operand.abs();
        let piece = self.pieces.iter().find(|p| p.low <= magnitude && magnitude <= p.high);
        // Of a NaN the result is one too.
        piece.map_or(ApproxError::Ulps(0), |piece| piece.error)
    }

    /// The smallest normal number of the format.
    fn normal(&self) -> f64 {
        f64::from(self.format.min_exponent() + self.format.fraction_bits as i32).exp2()
    }

    /// The largest finite number of the format.
    fn largest(&self) -> f64 {
        let ulp = self.format.min_exponent() + (1 << self.format.exponent_bits) - 3;
        ((2_u64 << self.format.fraction_bits) - 1) as f64 * f64::from(ulp).exp2()
    }

    /// The distance of the values of the format at `x`.
    fn ulp(&self, x: f64) -> f64 {
        let exponent = (x.to_bits() >> 52 & 0x7ff) as i32 - 1023 - self.format.fraction_bits as i32;
        f64::from(exponent.max(self.format.min_exponent())).exp2()
    }
}
