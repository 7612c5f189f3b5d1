//! Conversions between floating-point types.

use super::super::int::unary;
use super::super::single::{WIDE, WIDE_NORMAL};
use super::super::soft::{Format, Round, Unpacked, round, unpack};
use super::super::{Arith, Class, half};
use super::integer::whole;
use super::options::{FTZ, Mode, Options, RELU, Rounding, SAT, SATFINITE, by_round};

/// A floating-point type of PTX.
pub(super) trait Float {
    /// Its format.
    const FORMAT: Format;
    /// The class of a register that holds it.
    const CLASS: Class;
    /// The NaN that conversions write.
    const NAN: u64;
    /// Whether it is `bf16`.
    const IS_BF16: bool = Self::FORMAT.exponent_bits == 8 && Self::FORMAT.fraction_bits == 7;
    /// Whether it is `f32`.
    const IS_F32: bool = Self::FORMAT.fraction_bits == 23;
    /// Whether it is `f64`.
    const IS_F64: bool = Self::FORMAT.fraction_bits == 52;
}

macro_rules! floats {
    ($($name:ident $format:ident $class:ident $nan:literal;)*) => {$(
        #[doc = concat!("[`Format::", stringify!($format), "`]")]
        pub(super) enum $name {}
        impl Float for $name {
            const FORMAT: Format = Format::$format;
            const CLASS: Class = Class::$class;
            const NAN: u64 = $nan;
        }
    )*};
}
floats! {
    F16 F16 B16 0x7fff;
    Bf16 BF16 B16 0x7fff;
    F32 F32 B32 0x7fff_ffff;
    F64 F64 B64 0xfff8_0000_0000_0000;
}

impl Format {
    /// The bits of this format: those of a register that may be wider.
    const fn low(self, bits: u64) -> u64 {
        bits & (self.sign() | (self.sign() - 1))
    }

    /// The bits of 1.
    const fn one(self) -> u64 {
        ((1 << (self.exponent_bits - 1)) - 1) << self.fraction_bits
    }
}

/// The value of the low bits.
pub(super) fn value<S: Float>(bits: u64) -> f64 {
    match (S::IS_F64, S::IS_F32) {
        (true, _) => f64::from_bits(bits),
        (_, true) => f32::from_bits(bits as u32).into(),
        _ if S::IS_BF16 => half::widen::<true>(bits & 0xffff),
        _ => half::widen::<false>(bits & 0xffff),
    }
}

/// A number clamped to [0, 1]; -0 becomes +0.
pub(super) fn saturate(format: Format, bits: u64) -> u64 {
    if bits & format.sign() != 0 { 0 } else { bits.min(format.one()) }
}

/// `cvt{.rounding}{.flags}.D.S`
pub(super) fn float_to_float<S: Float, D: Float>(options: Options) -> Option<Arith> {
    let f = match options.rounding {
        Rounding::Absent => unrounded::<S, D>(options),
        Rounding::Float(mode) => rounded::<S, D>(mode, options),
        Rounding::Whole(mode) if same::<S, D>() => rounded_to_whole::<S>(mode, options),
        Rounding::Whole(_) => None,
    }?;
    Some(unary(f, D::CLASS, const { &[S::CLASS] }))
}

/// Whether the two types are the same.
fn same<S: Float, D: Float>() -> bool {
    S::FORMAT.fraction_bits == D::FORMAT.fraction_bits && S::IS_BF16 == D::IS_BF16
}

/// Whether `D` holds every number of `S`.
fn widens<S: Float, D: Float>() -> bool {
    D::FORMAT.fraction_bits > S::FORMAT.fraction_bits && D::FORMAT.exponent_bits >= S::FORMAT.exponent_bits
}

/// The flags among `ftz` and `sat` that conversions from `S` to `D` take.
fn plain_flags<S: Float, D: Float>() -> u8 {
    let ftz = if S::IS_F32 || D::IS_F32 { FTZ } else { 0 };
    let sat = if S::IS_BF16 || D::IS_BF16 { 0 } else { SAT };
    ftz | sat
}

/// Without a rounding modifier: a copy, an exact conversion, or one between `f16` and `bf16`, which is to the nearest.
fn unrounded<S: Float, D: Float>(options: Options) -> Option<fn(u64) -> u64> {
    let between_halves = S::CLASS == Class::B16 && D::CLASS == Class::B16;
    if !same::<S, D>() && !widens::<S, D>() && !between_halves {
        return None;
    }
    let flags = options.flags_within(plain_flags::<S, D>())?;
    if flags == 0 && same::<S, D>() && D::CLASS != Class::B16 {
        return Some(|a| S::FORMAT.low(a));
    }
    by_flags::<S, D, super::options::Nearest>(flags)
}

/// With `rn`, `rz`, `rm`, `rp`: where the result may be inexact; and from `bf16`, where it is exact.
fn rounded<S: Float, D: Float>(mode: Round, options: Options) -> Option<fn(u64) -> u64> {
    if same::<S, D>() || widens::<S, D>() && !S::IS_BF16 {
        return None;
    }
    let narrow = S::IS_F32 && D::CLASS == Class::B16 && matches!(mode, Round::Nearest | Round::Zero);
    let flags = options.flags_within(plain_flags::<S, D>() | if narrow { RELU | SATFINITE } else { 0 })?;
    by_round!(mode, M => by_flags::<S, D, M>(flags))
}

fn by_flags<S: Float, D: Float, M: Mode>(flags: u8) -> Option<fn(u64) -> u64> {
    const FTZ_SAT: u8 = FTZ | SAT;
    const RELU_SATFINITE: u8 = RELU | SATFINITE;
    Some(match flags {
        0 if S::IS_BF16 && D::IS_F32 => |a| S::FORMAT.low(a) << 16,
        0 => convert::<S, D, M, 0>,
        FTZ => convert::<S, D, M, FTZ>,
        SAT => convert::<S, D, M, SAT>,
        FTZ_SAT => convert::<S, D, M, FTZ_SAT>,
        RELU => convert::<S, D, M, RELU>,
        SATFINITE => convert::<S, D, M, SATFINITE>,
        RELU_SATFINITE => convert::<S, D, M, RELU_SATFINITE>,
        _ => return None,
    })
}

/// `a` of the type `S` as a `D`, rounded as `M` says and finished as `FLAGS` say.
pub(super) fn convert<S: Float, D: Float, M: Mode, const FLAGS: u8>(a: u64) -> u64 {
    if FLAGS == 0
        && let Some(bits) = quick::<S, D, M>(a)
    {
        return bits;
    }
    convert_any::<S, D, M, FLAGS>(a)
}

/// As [`convert`], of every `a`.
pub(super) fn convert_any<S: Float, D: Float, M: Mode, const FLAGS: u8>(a: u64) -> u64 {
    let flushes = FLAGS & FTZ != 0;
    // An H200 flushes no operand on the way to f16, where it shows in `rm` and `rp`; on the way to bf16 it does.
    let flushes_operand = flushes && S::IS_F32 && D::FORMAT.exponent_bits != Format::F16.exponent_bits;
    let a = if flushes_operand { S::FORMAT.flush(a) } else { a };
    match unpack(S::FORMAT, a) {
        Unpacked::Nan if FLAGS & SAT != 0 => 0,
        Unpacked::Nan if FLAGS == 0 || S::IS_F64 => nan::<S, D>(a),
        // An operation on `S`, of 32 bits or less, has made it canonical first.
        Unpacked::Nan => nan::<S, D>(S::NAN),
        Unpacked::Infinity(negative) => finish::<D, FLAGS>(D::FORMAT.infinity(), negative),
        Unpacked::Finite { negative, mantissa, exponent } => {
            let round_to = |format| round(format, negative, mantissa.into(), exponent, false, M::ROUND);
            // Tiny is what stays below the normal range when rounded as if there were smaller normal numbers.
            let tiny = || round_to(WIDE) & (WIDE.sign() - 1) < WIDE_NORMAL;
            let flushed = flushes && D::IS_F32 && tiny();
            let bits = if flushed { 0 } else { round_to(D::FORMAT) & (D::FORMAT.sign() - 1) };
            finish::<D, FLAGS>(bits, negative)
        }
    }
}

/// The frequent cases, quickly: `a` and the result, which is exact, to nearest or towards zero, are normal. The exponent moves to the
/// other bias, and what rounds up carries into it by itself.
pub(super) fn quick<S: Float, D: Float, M: Mode>(a: u64) -> Option<u64> {
    let (from, to) = (S::FORMAT, D::FORMAT);
    let magnitude = a & (from.sign() - 1);
    let hidden = 1 << from.fraction_bits;
    let sign = if a & from.sign() != 0 { to.sign() } else { 0 };
    if widens::<S, D>() {
        let rebias = to.one() - (from.one() << (to.fraction_bits - from.fraction_bits));
        let is_normal = magnitude >= hidden && magnitude < from.infinity();
        return is_normal.then(|| sign | ((magnitude << (to.fraction_bits - from.fraction_bits)) + rebias));
    }
    if from.fraction_bits <= to.fraction_bits || from.exponent_bits < to.exponent_bits {
        return None;
    }
    let cut = from.fraction_bits - to.fraction_bits;
    let rebias = from.one() - (to.one() << cut);
    if magnitude >= from.infinity() || magnitude < rebias + hidden {
        return None;
    }
    let moved = magnitude - rebias;
    Some(match M::ROUND {
        Round::Nearest => {
            let is_odd = moved >> cut & 1;
            sign | ((moved + (1 << (cut - 1)) - 1 + is_odd) >> cut).min(to.infinity())
        }
        Round::Zero => sign | (moved >> cut).min(to.largest()),
        _ => return None,
    })
}

/// A NaN of `S` as a `D`: to and from `f64` it keeps its sign and the upper bits of its payload and is made quiet, the others are
/// canonical.
fn nan<S: Float, D: Float>(a: u64) -> u64 {
    if !D::IS_F64 && !S::IS_F64 {
        return D::NAN;
    }
    let sign = if a & S::FORMAT.sign() != 0 { D::FORMAT.sign() } else { 0 };
    // The fraction, at the top of 64 bits.
    let fraction = a << (64 - S::FORMAT.fraction_bits) >> (64 - D::FORMAT.fraction_bits);
    sign | D::FORMAT.infinity() | 1 << (D::FORMAT.fraction_bits - 1) | fraction
}

/// The magnitude `bits` with its sign, after `.sat`, `.relu` and `.satfinite`.
fn finish<D: Float, const FLAGS: u8>(bits: u64, negative: bool) -> u64 {
    if negative && FLAGS & (SAT | RELU) != 0 {
        return 0;
    }
    let sign = if negative { D::FORMAT.sign() } else { 0 };
    let bits = if FLAGS & SATFINITE != 0 { bits.min(D::FORMAT.largest()) } else { bits };
    if FLAGS & SAT != 0 { saturate(D::FORMAT, bits) } else { sign | bits }
}

/// `cvt.irnd{.ftz}{.sat}` within one type.
fn rounded_to_whole<S: Float>(mode: Round, options: Options) -> Option<fn(u64) -> u64> {
    const FTZ_SAT: u8 = FTZ | SAT;
    Some(match options.flags_within(plain_flags::<S, S>())? {
        0 => by_round!(mode, M => to_whole::<S, M, 0>),
        FTZ => by_round!(mode, M => to_whole::<S, M, FTZ>),
        SAT => by_round!(mode, M => to_whole::<S, M, SAT>),
        FTZ_SAT => by_round!(mode, M => to_whole::<S, M, FTZ_SAT>),
        _ => return None,
    })
}

fn to_whole<S: Float, M: Mode, const FLAGS: u8>(a: u64) -> u64 {
    let a = if FLAGS & FTZ != 0 { S::FORMAT.flush(a) } else { a };
    match unpack(S::FORMAT, a) {
        Unpacked::Nan if FLAGS & SAT != 0 => 0,
        Unpacked::Nan => nan::<S, S>(a),
        Unpacked::Finite { negative, mantissa, exponent } if exponent < 0 => {
            let whole = whole(negative, mantissa, exponent, M::ROUND);
            finish::<S, FLAGS>(round(S::FORMAT, false, whole, 0, false, Round::Nearest), negative)
        }
        // Whole already, or infinite.
        Unpacked::Finite { negative, .. } | Unpacked::Infinity(negative) => {
            finish::<S, FLAGS>(a & (S::FORMAT.sign() - 1), negative)
        }
    }
}
