//! Conversions from and to integers.

use super::super::Arith;
use super::super::int::{Int, unary};
use super::super::soft::{Format, Round, Unpacked, round, unpack};
use super::float::{Float, saturate, value};
use super::options::{FTZ, Mode, Options, Rounding, SAT, by_round};

/// `cvt{.sat}`; `.sat` only where a source value can be outside the destination's range.
pub(super) fn int_to_int<S: Int, D: Int>(options: Options) -> Option<Arith> {
    let can_clamp = S::MIN < D::MIN || S::MAX > D::MAX;
    let f: fn(u64) -> u64 = match (options.rounding, options.flags) {
        (Rounding::Absent, 0) => |a| D::bits(S::value(a)),
        (Rounding::Absent, SAT) if can_clamp => |a| D::clamp(S::value(a)),
        _ => return None,
    };
    Some(unary(f, D::CLASS, const { &[S::CLASS] }))
}

/// `cvt.frnd{.ftz}{.sat}`; no integer but 0 is so small that `.ftz` would matter.
pub(super) fn int_to_float<S: Int, D: Float>(options: Options) -> Option<Arith> {
    let Rounding::Float(mode) = options.rounding else { return None };
    let ftz = if D::IS_F32 { FTZ } else { 0 };
    let sat = if D::IS_BF16 { 0 } else { SAT };
    let f: fn(u64) -> u64 = match options.flags_within(ftz | sat)? & SAT {
        0 if D::IS_F32 && mode == Round::Nearest => to_nearest_f32::<S>,
        0 => by_round!(mode, M => from_int::<S, D, M, false>),
        _ => by_round!(mode, M => from_int::<S, D, M, true>),
    };
    Some(unary(f, D::CLASS, const { &[S::CLASS] }))
}

/// The frequent case, as Rust's cast rounds.
fn to_nearest_f32<S: Int>(a: u64) -> u64 {
    let value = S::value(a);
    let nearest = if S::SIGNED { value as i64 as f32 } else { value as u64 as f32 };
    nearest.to_bits().into()
}

fn from_int<S: Int, D: Float, M: Mode, const SATURATE: bool>(a: u64) -> u64 {
    let value = S::value(a);
    let bits = round(D::FORMAT, value < 0, value.unsigned_abs(), 0, false, M::ROUND);
    if SATURATE { saturate(D::FORMAT, bits) } else { bits }
}

/// `cvt.irnd{.ftz}{.sat}`: clamped with or without `.sat`.
pub(super) fn float_to_int<S: Float, D: Int>(options: Options) -> Option<Arith> {
    let Rounding::Whole(mode) = options.rounding else { return None };
    let ftz = if S::IS_F32 { FTZ } else { 0 };
    let sat = if S::IS_BF16 { 0 } else { SAT };
    let f: fn(u64) -> u64 = match options.flags_within(ftz | sat)? & FTZ {
        0 => by_round!(mode, M => to_int::<S, D, M, false>),
        _ => by_round!(mode, M => to_int::<S, D, M, true>),
    };
    Some(unary(f, D::CLASS, const { &[S::CLASS] }))
}

/// NaN gives 0, but the value of the highest bit alone where either side has 64 bits.
fn to_int<S: Float, D: Int, M: Mode, const FLUSH: bool>(a: u64) -> u64 {
    let a = if FLUSH { S::FORMAT.flush(a) } else { a };
    quick::<S, D, M>(a).unwrap_or_else(|| to_int_any::<S, D, M>(a))
}

/// The frequent case, quickly: below 2^62 in magnitude, where f64 round to whole numbers as the mode says.
pub(super) fn quick<S: Float, D: Int, M: Mode>(a: u64) -> Option<u64> {
    let x = value::<S>(a);
    let is_small = x.abs() < f64::from_bits((1023 + 62) << 52);
    let whole = match M::ROUND {
        Round::Nearest => x.round_ties_even(),
        Round::Zero => x,
        Round::Down => x.floor(),
        Round::Up => x.ceil(),
        Round::NearestAway => return None,
    };
    // The cast cuts what is left.
    is_small.then(|| D::clamp((whole as i64).into()))
}

/// As [`to_int`] without a flush, of every `a`.
pub(super) fn to_int_any<S: Float, D: Int, M: Mode>(a: u64) -> u64 {
    match unpack(S::FORMAT, a) {
        Unpacked::Nan if S::IS_F64 || D::BITS == 64 => D::bits(1 << (D::BITS - 1)),
        Unpacked::Nan => 0,
        Unpacked::Infinity(negative) => D::bits(if negative { D::MIN } else { D::MAX }),
        Unpacked::Finite { negative, mantissa, exponent } => {
            let magnitude = whole(negative, mantissa, exponent, M::ROUND) as i128;
            D::clamp(if negative { -magnitude } else { magnitude })
        }
    }
}

/// The magnitude of `(-1)^negative * mantissa * 2^exponent` rounded to a whole number, for at most 53 bits of mantissa. What is not
/// below 2^117 becomes some number not below 2^64.
pub(super) fn whole(negative: bool, mantissa: u64, exponent: i32, mode: Round) -> u128 {
    if exponent >= 0 {
        return u128::from(mantissa) << exponent.min(64);
    }
    // The bits of a subnormal f64 are a whole number, that of its last places; and the result is at most 2^52.
    let format = Format::F64;
    let bits = round(format, negative, mantissa.into(), exponent + format.min_exponent(), false, mode);
    u128::from(bits & (format.sign() - 1))
}
