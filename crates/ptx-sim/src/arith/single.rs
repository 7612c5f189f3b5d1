//! f32: PTX ISA 9.7.3, without the approximate forms.

use super::soft::{Format, Round};
use super::words::Words;
use super::{Arith, Class, Fun, exact};
use ptx_parse::ast::{Instruction, ScalarType};

const F32: Format = Format::F32;

/// Rounding modes as const parameters.
const RN: u8 = 0;
const RZ: u8 = 1;
const RM: u8 = 2;
const RP: u8 = 3;

const fn mode(of: u8) -> Round {
    match of {
        RZ => Round::Zero,
        RM => Round::Down,
        RP => Round::Up,
        _ => Round::Nearest,
    }
}

fn value(bits: u64) -> f32 {
    f32::from_bits(bits as u32)
}

/// The bits of `x`; the one NaN for all NaNs.
pub(super) fn bits(x: f32) -> u64 {
    if x.is_nan() { F32.nan() } else { x.to_bits().into() }
}

/// An operand: its 32 bits, flushed for `.ftz`.
pub(super) fn input<const FTZ: bool>(bits: u64) -> u64 {
    let bits = bits & 0xffff_ffff;
    if FTZ { F32.flush(bits) } else { bits }
}

/// A result, flushed for `.ftz`, clamped to [0, 1] for `.sat` (NaN and −0 become +0).
fn output<const FTZ: bool, const SAT: bool>(bits: u64) -> u64 {
    let bits = if FTZ { F32.flush(bits) } else { bits };
    if !SAT {
        return bits;
    }
    let x = value(bits);
    if x > 0.0 { x.min(1.0).to_bits().into() } else { 0 }
}

/// f32 with the exponents of f64.
pub(super) const WIDE: Format = Format { exponent_bits: 11, ..F32 };
/// The smallest normal f32 in it.
pub(super) const WIDE_NORMAL: u64 = (1023 - 126) << WIDE.fraction_bits;

/// A zero or normal f32 as a [`WIDE`].
fn wide(bits: u64) -> u64 {
    let magnitude = bits & (F32.sign() - 1);
    let sign = (bits & F32.sign()) << (WIDE.exponent_bits - F32.exponent_bits);
    sign | if magnitude == 0 { 0 } else { magnitude + ((1023 - 127) << F32.fraction_bits) }
}

/// `.ftz` flushes what is tiny: below the smallest normal number when rounded as if there were smaller normal ones. That is what
/// is rounded to a subnormal, and some of what is rounded to the smallest normal number: there `exactly`, the result as a
/// [`WIDE`] of operands that are zero or normal, tells. Sums are never the latter: below the normal range they are exact.
fn flush_tiny<const FTZ: bool>(result: u64, exactly: impl Fn() -> u64) -> u64 {
    let is_least = result & (F32.sign() - 1) == 1 << F32.fraction_bits;
    if FTZ && is_least && exactly() & (WIDE.sign() - 1) < WIDE_NORMAL { result & F32.sign() } else { result }
}

fn add<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (input::<FTZ>(a), input::<FTZ>(b));
    output::<FTZ, SAT>(match MODE {
        RN => bits(value(a) + value(b)),
        _ => exact::add(F32, a, b, mode(MODE)),
    })
}

fn sub<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    add::<MODE, FTZ, SAT>(a, b ^ F32.sign())
}

fn mul<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (input::<FTZ>(a), input::<FTZ>(b));
    let result = match MODE {
        RN => bits(value(a) * value(b)),
        _ => exact::mul(F32, a, b, mode(MODE)),
    };
    output::<FTZ, SAT>(flush_tiny::<FTZ>(result, || exact::mul(WIDE, wide(a), wide(b), mode(MODE))))
}

fn fma<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64, c: u64) -> u64 {
    let (a, b, c) = (input::<FTZ>(a), input::<FTZ>(b), input::<FTZ>(c));
    let result = match MODE {
        RN => bits(fused(value(a), value(b), value(c))),
        _ => exact::fma(F32, a, b, c, mode(MODE)),
    };
    output::<FTZ, SAT>(flush_tiny::<FTZ>(result, || exact::fma(WIDE, wide(a), wide(b), wide(c), mode(MODE))))
}

/// `fma.rn.f32`, for the executor's own loop.
#[inline]
pub(crate) fn fma_nearest(a: u32, b: u32, c: u32) -> u32 {
    let result = fused(f32::from_bits(a), f32::from_bits(b), f32::from_bits(c));
    if result.is_nan() { F32.nan() as u32 } else { result.to_bits() }
}

fn div<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64, b: u64) -> u64 {
    let (a, b) = (input::<FTZ>(a), input::<FTZ>(b));
    let result = match MODE {
        RN => bits(value(a) / value(b)),
        _ => exact::div(F32, a, b, mode(MODE)),
    };
    output::<FTZ, SAT>(flush_tiny::<FTZ>(result, || exact::div(WIDE, wide(a), wide(b), mode(MODE))))
}

fn rcp<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64) -> u64 {
    div::<MODE, FTZ, SAT>(1.0_f32.to_bits().into(), a)
}

fn sqrt<const MODE: u8, const FTZ: bool, const SAT: bool>(a: u64) -> u64 {
    let a = input::<FTZ>(a);
    output::<FTZ, SAT>(match MODE {
        RN => bits(value(a).sqrt()),
        _ => exact::sqrt(F32, a, mode(MODE)),
    })
}

/// a * b + c rounded once to nearest even. The product is exact in f64; the sum rounded there and again to f32 is wrong only
/// where the first rounding makes a tie of what is none: at the middle of two normal f32, or anywhere below them.
fn fused(a: f32, b: f32, c: f32) -> f32 {
    const BELOW: u64 = (1 << 29) - 1;
    let (product, c) = (f64::from(a) * f64::from(b), f64::from(c));
    let sum = product + c;
    let tie = sum.to_bits() & BELOW == 1 << 28;
    if tie || sum.abs() < f64::from(f32::MIN_POSITIVE) {
        return odd_sum(product, c, sum) as f32;
    }
    sum as f32
}

/// a + b, which rounds to `sum`, rounded to odd instead: when it is no f64, to the neighbour whose last bit is one. Rounding
/// that again to a format with at least two fraction bits less is rounding once.
pub(super) fn odd_sum(a: f64, b: f64, sum: f64) -> f64 {
    let part = sum - a;
    let error = (a - (sum - part)) + (b - part);
    let bits = sum.to_bits();
    if error == 0.0 || bits & 1 == 1 || !sum.is_finite() {
        return sum;
    }
    f64::from_bits(if (error > 0.0) == (sum > 0.0) { bits + 1 } else { bits - 1 })
}

fn abs<const FTZ: bool>(a: u64) -> u64 {
    let a = input::<FTZ>(a);
    if F32.is_nan(a) { F32.nan() } else { a & !F32.sign() }
}

fn neg<const FTZ: bool>(a: u64) -> u64 {
    let a = input::<FTZ>(a);
    if F32.is_nan(a) { F32.nan() } else { a ^ F32.sign() }
}

fn copysign(sign: u64, magnitude: u64) -> u64 {
    sign & F32.sign() | magnitude & (F32.sign() - 1)
}

/// `min` or `max` (`MAX`) of two, by [`Format::extremum`]'s rules.
fn extremum<const MAX: bool, const FTZ: bool, const NAN: bool, const ABS: bool, const XOR: bool>(
    a: u64,
    b: u64,
) -> u64 {
    let (a, b) = (input::<FTZ>(a), input::<FTZ>(b));
    F32.extremum(a, b, MAX, NAN, ABS, XOR)
}

/// Of three.
fn extremum3<const MAX: bool, const FTZ: bool, const NAN: bool, const ABS: bool>(
    a: u64,
    b: u64,
    c: u64,
) -> u64 {
    let of_two = extremum::<MAX, FTZ, NAN, ABS, false>(a, b);
    extremum::<MAX, FTZ, NAN, ABS, false>(of_two, c)
}

/// `$f::<MODE, FTZ, SAT>` for a rounding mode and two flags known at run time.
macro_rules! instance {
    ($f:ident, $mode:expr, $ftz:expr, $sat:expr) => {
        match ($mode, $ftz, $sat) {
            (Round::Zero, false, false) => $f::<RZ, false, false>,
            (Round::Zero, false, true) => $f::<RZ, false, true>,
            (Round::Zero, true, false) => $f::<RZ, true, false>,
            (Round::Zero, true, true) => $f::<RZ, true, true>,
            (Round::Down, false, false) => $f::<RM, false, false>,
            (Round::Down, false, true) => $f::<RM, false, true>,
            (Round::Down, true, false) => $f::<RM, true, false>,
            (Round::Down, true, true) => $f::<RM, true, true>,
            (Round::Up, false, false) => $f::<RP, false, false>,
            (Round::Up, false, true) => $f::<RP, false, true>,
            (Round::Up, true, false) => $f::<RP, true, false>,
            (Round::Up, true, true) => $f::<RP, true, true>,
            (Round::Nearest | Round::NearestAway, false, false) => $f::<RN, false, false>,
            (Round::Nearest | Round::NearestAway, false, true) => $f::<RN, false, true>,
            (Round::Nearest | Round::NearestAway, true, false) => $f::<RN, true, false>,
            (Round::Nearest | Round::NearestAway, true, true) => $f::<RN, true, true>,
        }
    };
}

fn of(f: Fun) -> Arith {
    let src: &'static [Class] = match f {
        Fun::F1(_) => &[Class::B32],
        Fun::F2(_) => &[Class::B32; 2],
        Fun::F3(_) => &[Class::B32; 3],
        Fun::F4(_) => &[Class::B32; 4],
    };
    Arith { f, dst: Class::B32, src, divides: false }
}

/// The f32 instructions of 9.7.3 that are not approximate.
pub(crate) fn find(instruction: &Instruction) -> Option<Arith> {
    let mut words = Words::of(instruction);
    if words.last_type()? != ScalarType::F32 {
        return None;
    }
    let opcode = instruction.opcode.as_str();
    match opcode {
        "add" | "sub" | "mul" | "fma" | "mad" | "div" | "rcp" | "sqrt" => arithmetic(opcode, words),
        "abs" | "neg" => {
            let ftz = words.take("ftz");
            words.done()?;
            Some(of(Fun::F1(match (opcode, ftz) {
                ("abs", false) => abs::<false>,
                ("abs", true) => abs::<true>,
                (_, false) => neg::<false>,
                (_, true) => neg::<true>,
            })))
        }
        "copysign" => {
            words.done()?;
            Some(of(Fun::F2(copysign)))
        }
        "min" | "max" => least_or_greatest(opcode == "max", instruction.operands.len(), words),
        "testp" => {
            let f = test(words.first()?)?;
            words.done()?;
            Some(Arith { dst: Class::Pred, ..of(Fun::F1(f)) })
        }
        _ => None,
    }
}

fn arithmetic(opcode: &str, mut words: Words) -> Option<Arith> {
    let (round, ftz, sat) = (words.round(), words.take("ftz"), words.take("sat"));
    words.done()?;
    let with_default = matches!(opcode, "add" | "sub" | "mul");
    let clamps = with_default || matches!(opcode, "fma" | "mad");
    if sat && !clamps {
        return None;
    }
    let round = if with_default { round.unwrap_or(Round::Nearest) } else { round? };
    Some(of(match opcode {
        "add" => Fun::F2(instance!(add, round, ftz, sat)),
        "sub" => Fun::F2(instance!(sub, round, ftz, sat)),
        "mul" => Fun::F2(instance!(mul, round, ftz, sat)),
        "fma" | "mad" => Fun::F3(instance!(fma, round, ftz, sat)),
        "div" => Fun::F2(instance!(div, round, ftz, sat)),
        "rcp" => Fun::F1(instance!(rcp, round, ftz, sat)),
        _ => Fun::F1(instance!(sqrt, round, ftz, sat)),
    }))
}

fn least_or_greatest(max: bool, operands: usize, mut words: Words) -> Option<Arith> {
    let (ftz, nan, xor) = (words.take("ftz"), words.take("NaN"), words.take("xorsign"));
    let abs = words.take("abs");
    words.done()?;
    if operands == 4 && !xor {
        return Some(of(Fun::F3(if max {
            three::<true>(ftz, nan, abs)
        } else {
            three::<false>(ftz, nan, abs)
        })));
    }
    if xor != abs {
        return None;
    }
    Some(of(Fun::F2(if max { two::<true>(ftz, nan, xor) } else { two::<false>(ftz, nan, xor) })))
}

fn two<const MAX: bool>(ftz: bool, nan: bool, xor: bool) -> fn(u64, u64) -> u64 {
    match (ftz, nan, xor) {
        (false, false, false) => extremum::<MAX, false, false, false, false>,
        (false, false, true) => extremum::<MAX, false, false, true, true>,
        (false, true, false) => extremum::<MAX, false, true, false, false>,
        (false, true, true) => extremum::<MAX, false, true, true, true>,
        (true, false, false) => extremum::<MAX, true, false, false, false>,
        (true, false, true) => extremum::<MAX, true, false, true, true>,
        (true, true, false) => extremum::<MAX, true, true, false, false>,
        (true, true, true) => extremum::<MAX, true, true, true, true>,
    }
}

fn three<const MAX: bool>(ftz: bool, nan: bool, abs: bool) -> fn(u64, u64, u64) -> u64 {
    match (ftz, nan, abs) {
        (false, false, false) => extremum3::<MAX, false, false, false>,
        (false, false, true) => extremum3::<MAX, false, false, true>,
        (false, true, false) => extremum3::<MAX, false, true, false>,
        (false, true, true) => extremum3::<MAX, false, true, true>,
        (true, false, false) => extremum3::<MAX, true, false, false>,
        (true, false, true) => extremum3::<MAX, true, false, true>,
        (true, true, false) => extremum3::<MAX, true, true, false>,
        (true, true, true) => extremum3::<MAX, true, true, true>,
    }
}

/// `testp`: zero counts as normal.
fn test(which: &str) -> Option<fn(u64) -> u64> {
    Some(match which {
        "finite" => |a| value(a).is_finite().into(),
        "infinite" => |a| value(a).is_infinite().into(),
        "number" => |a| (!value(a).is_nan()).into(),
        "notanumber" => |a| value(a).is_nan().into(),
        "normal" => |a| (value(a).is_normal() || value(a) == 0.0).into(),
        "subnormal" => |a| value(a).is_subnormal().into(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests;
