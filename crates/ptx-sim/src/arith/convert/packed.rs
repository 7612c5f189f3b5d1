//! Conversions to and from packed values, `tf32`, and `cvt.pack`.

use super::super::int::{binary, ternary, unary};
use super::super::soft::{Format, Round, Unpacked, round, unpack};
use super::super::{Arith, Class};
use super::float::{Bf16, F16, F32, Float, convert};
use super::options::{Mode, Nearest, Options, RELU, Rounding, SATFINITE, Zero};

const RELU_SATFINITE: u8 = RELU | SATFINITE;

/// From one or two `f32` to `f16x2`, `bf16x2`, `e4m3x2`, `e5m2x2`, `tf32`.
pub(super) fn from_f32(dst: &str, options: Options) -> Option<Arith> {
    const TWO: &[Class; 2] = &[Class::B32; 2];
    match (dst, options.rounding) {
        ("f16x2", Rounding::Float(Round::Nearest)) => {
            Some(binary(halves::<F16, Nearest>(options)?, Class::B32, TWO))
        }
        ("f16x2", Rounding::Float(Round::Zero)) => {
            Some(binary(halves::<F16, Zero>(options)?, Class::B32, TWO))
        }
        ("bf16x2", Rounding::Float(Round::Nearest)) => {
            Some(binary(halves::<Bf16, Nearest>(options)?, Class::B32, TWO))
        }
        ("bf16x2", Rounding::Float(Round::Zero)) => {
            Some(binary(halves::<Bf16, Zero>(options)?, Class::B32, TWO))
        }
        ("e4m3x2", Rounding::Float(Round::Nearest)) => Some(binary(bytes::<E4m3>(options)?, Class::B16, TWO)),
        ("e5m2x2", Rounding::Float(Round::Nearest)) => Some(binary(bytes::<E5m2>(options)?, Class::B16, TWO)),
        ("tf32", Rounding::Float(mode)) => Some(unary(tf32(mode, options.flags)?, Class::B32, &[Class::B32])),
        _ => None,
    }
}

/// `a` in the upper and `b` in the lower half.
fn halves<D: Float, M: Mode>(options: Options) -> Option<fn(u64, u64) -> u64> {
    Some(match options.flags {
        0 => |a, b| convert::<F32, D, M, 0>(a) << 16 | convert::<F32, D, M, 0>(b),
        RELU => |a, b| convert::<F32, D, M, RELU>(a) << 16 | convert::<F32, D, M, RELU>(b),
        SATFINITE => |a, b| convert::<F32, D, M, SATFINITE>(a) << 16 | convert::<F32, D, M, SATFINITE>(b),
        RELU_SATFINITE => {
            |a, b| convert::<F32, D, M, RELU_SATFINITE>(a) << 16 | convert::<F32, D, M, RELU_SATFINITE>(b)
        }
        _ => return None,
    })
}

/// The bits of an `f32` that a `tf32` does not have.
const LOWER: u64 = 0x1fff;

/// An `f32` with ten bits of fraction; the lower thirteen bits are zero.
fn tf32(mode: Round, flags: u8) -> Option<fn(u64) -> u64> {
    Some(match (mode, flags) {
        (Round::Nearest, 0) => tf32_of::<Nearest, false>,
        (Round::Nearest, RELU) => tf32_of::<Nearest, true>,
        (Round::Zero, 0) => tf32_of::<Zero, false>,
        (Round::Zero, RELU) => tf32_of::<Zero, true>,
        (Round::NearestAway, 0) => tf32_rna,
        (Round::NearestAway, SATFINITE) => tf32_rna_satfinite,
        _ => return None,
    })
}

fn tf32_of<M: Mode, const CLAMP: bool>(a: u64) -> u64 {
    const TF32: Format = Format { exponent_bits: 8, fraction_bits: 10 };
    let (bits, negative) = match unpack(Format::F32, a) {
        Unpacked::Nan => return F32::NAN & !LOWER,
        Unpacked::Infinity(negative) => (TF32.infinity(), negative),
        Unpacked::Finite { negative, mantissa, exponent } => {
            let bits = round(TF32, negative, mantissa.into(), exponent, false, M::ROUND);
            (bits & (TF32.sign() - 1), negative)
        }
    };
    let sign = if negative { TF32.sign() } else { 0 };
    if CLAMP && negative { 0 } else { (sign | bits) << 13 }
}

/// `rna` has no instruction of its own: ptxas adds half a last place to a finite number's bits, then cuts, whatever it is.
fn tf32_rna(a: u64) -> u64 {
    let a = a & 0xffff_ffff;
    let finite = a & Format::F32.infinity() != Format::F32.infinity();
    (if finite { a + 0x1000 } else { a }) & !LOWER
}

/// One last place off what is not finite.
fn tf32_rna_satfinite(a: u64) -> u64 {
    let bits = tf32_rna(a);
    let finite = bits & Format::F32.infinity() != Format::F32.infinity();
    if finite { bits } else { bits - 0x2000 }
}

/// An eight-bit float: the bits are those of a number 2^SCALE times smaller in an IEEE format with five bits of exponent.
trait Eight {
    const FORMAT: Format;
    const SCALE: i32;
    /// The bits of the largest number.
    const LARGEST: u64;
}

enum E4m3 {}

impl Eight for E4m3 {
    const FORMAT: Format = Format { exponent_bits: 5, fraction_bits: 3 };
    const SCALE: i32 = 8;
    const LARGEST: u64 = 0x7e;
}

enum E5m2 {}

impl Eight for E5m2 {
    const FORMAT: Format = Format { exponent_bits: 5, fraction_bits: 2 };
    const SCALE: i32 = 0;
    const LARGEST: u64 = 0x7b;
}

/// NaN in either eight-bit format.
const EIGHT_NAN: u64 = 0x7f;

/// `a` in the upper and `b` in the lower byte.
fn bytes<D: Eight>(options: Options) -> Option<fn(u64, u64) -> u64> {
    Some(match options.flags {
        SATFINITE => |a, b| to_eight::<F32, D, false>(a) << 8 | to_eight::<F32, D, false>(b),
        RELU_SATFINITE => |a, b| to_eight::<F32, D, true>(a) << 8 | to_eight::<F32, D, true>(b),
        _ => return None,
    })
}

/// `cvt.rn.satfinite{.relu}.f8x2.f16x2`
pub(super) fn f8_from_f16x2(dst: &str, options: Options) -> Option<Arith> {
    let f: fn(u64) -> u64 = match (dst, options.rounding, options.flags) {
        ("e4m3x2", Rounding::Float(Round::Nearest), SATFINITE) => bytes_of_halves::<E4m3, false>,
        ("e4m3x2", Rounding::Float(Round::Nearest), RELU_SATFINITE) => bytes_of_halves::<E4m3, true>,
        ("e5m2x2", Rounding::Float(Round::Nearest), SATFINITE) => bytes_of_halves::<E5m2, false>,
        ("e5m2x2", Rounding::Float(Round::Nearest), RELU_SATFINITE) => bytes_of_halves::<E5m2, true>,
        _ => return None,
    };
    Some(unary(f, Class::B16, &[Class::B32]))
}

fn bytes_of_halves<D: Eight, const CLAMP: bool>(a: u64) -> u64 {
    to_eight::<F16, D, CLAMP>(a >> 16) << 8 | to_eight::<F16, D, CLAMP>(a)
}

/// To the nearest; what is too large becomes the largest number.
fn to_eight<S: Float, D: Eight, const CLAMP: bool>(a: u64) -> u64 {
    let (bits, negative) = match unpack(S::FORMAT, a) {
        Unpacked::Nan => return EIGHT_NAN,
        Unpacked::Infinity(negative) => (D::LARGEST, negative),
        Unpacked::Finite { negative, mantissa, exponent } => {
            let bits = round(D::FORMAT, false, mantissa.into(), exponent - D::SCALE, false, Round::Nearest);
            (bits.min(D::LARGEST), negative)
        }
    };
    match (negative, CLAMP) {
        (false, _) => bits,
        (true, false) => 0x80 | bits,
        (true, true) => 0,
    }
}

/// `cvt.rn{.relu}.f16x2.f8x2`
pub(super) fn f16x2_from_f8(src: &str, options: Options) -> Option<Arith> {
    let f: fn(u64) -> u64 = match (src, options.rounding, options.flags) {
        ("e4m3x2", Rounding::Float(Round::Nearest), 0) => halves_of_bytes::<E4m3, false>,
        ("e4m3x2", Rounding::Float(Round::Nearest), RELU) => halves_of_bytes::<E4m3, true>,
        ("e5m2x2", Rounding::Float(Round::Nearest), 0) => halves_of_bytes::<E5m2, false>,
        ("e5m2x2", Rounding::Float(Round::Nearest), RELU) => halves_of_bytes::<E5m2, true>,
        _ => return None,
    };
    Some(unary(f, Class::B32, &[Class::B16]))
}

fn halves_of_bytes<S: Eight, const CLAMP: bool>(a: u64) -> u64 {
    from_eight::<S, CLAMP>(a >> 8 & 0xff) << 16 | from_eight::<S, CLAMP>(a & 0xff)
}

/// Exact: both formats are part of `f16`.
fn from_eight<S: Eight, const CLAMP: bool>(a: u64) -> u64 {
    let (magnitude, negative) = (a & 0x7f, a & 0x80 != 0);
    if magnitude > S::LARGEST && magnitude != S::FORMAT.infinity() {
        return F16::NAN;
    }
    if CLAMP && negative {
        return 0;
    }
    let bits = match unpack(S::FORMAT, magnitude) {
        Unpacked::Finite { mantissa, exponent, .. } => {
            round(Format::F16, false, mantissa.into(), exponent + S::SCALE, false, Round::Nearest)
        }
        Unpacked::Infinity(_) | Unpacked::Nan => Format::F16.infinity(),
    };
    if negative { Format::F16.sign() | bits } else { bits }
}

/// `cvt.pack.sat.type.s32{.b32}`: a clamped, then b clamped below it, then, with the last type, the low bits of c above both.
pub(super) fn find_pack(words: &[&str]) -> Option<Arith> {
    let pair = |f| Some(binary(f, Class::B32, &[Class::B32; 2]));
    let merge = |f| Some(ternary(f, Class::B32, &[Class::B32; 3]));
    match words {
        ["pack", "sat", "s16", "s32"] => pair(pack::<16, true>),
        ["pack", "sat", "u16", "s32"] => pair(pack::<16, false>),
        ["pack", "sat", "s8", "s32", "b32"] => merge(pack_onto::<8, true>),
        ["pack", "sat", "u8", "s32", "b32"] => merge(pack_onto::<8, false>),
        ["pack", "sat", "s4", "s32", "b32"] => merge(pack_onto::<4, true>),
        ["pack", "sat", "u4", "s32", "b32"] => merge(pack_onto::<4, false>),
        ["pack", "sat", "s2", "s32", "b32"] => merge(pack_onto::<2, true>),
        ["pack", "sat", "u2", "s32", "b32"] => merge(pack_onto::<2, false>),
        _ => None,
    }
}

fn pack<const BITS: u32, const SIGNED: bool>(a: u64, b: u64) -> u64 {
    clamp::<BITS, SIGNED>(a) << BITS | clamp::<BITS, SIGNED>(b)
}

fn pack_onto<const BITS: u32, const SIGNED: bool>(a: u64, b: u64, c: u64) -> u64 {
    (c << (2 * BITS) | pack::<BITS, SIGNED>(a, b)) & 0xffff_ffff
}

/// An `s32` clamped to `BITS` bits, and only these.
fn clamp<const BITS: u32, const SIGNED: bool>(a: u64) -> u64 {
    let limit = 1_i32 << (BITS - u32::from(SIGNED));
    let least = if SIGNED { -limit } else { 0 };
    (a as i32).clamp(least, limit - 1) as u64 & ((1 << BITS) - 1)
}
