//! f64: PTX ISA 9.7.3, without the approximate forms.

use super::soft::{Format, Round};
use super::words::Words;
use super::{Arith, Class, Fun, exact};
use ptx_parse::ast::{Instruction, ScalarType};

const F64: Format = Format::F64;

fn value(bits: u64) -> f64 {
    f64::from_bits(bits)
}

/// The bits of `x`; the one NaN for all NaNs.
pub(super) fn bits(x: f64) -> u64 {
    if x.is_nan() { F64.nan() } else { x.to_bits() }
}

/// The quiet form of a NaN, sign and payload kept; other bits as they are.
fn quiet(bits: u64) -> u64 {
    const QUIET: u64 = 1 << 51;
    if F64.is_nan(bits) { bits | QUIET } else { bits }
}

/// `result`; but if that is a NaN, the first NaN of `operands`, quiet, or that of an invalid operation when there is none.
fn with_nan<const N: usize>(result: u64, operands: [u64; N]) -> u64 {
    if !F64.is_nan(result) {
        return result;
    }
    operands.into_iter().find(|a| F64.is_nan(*a)).map_or(F64.nan(), quiet)
}

/// The smaller, or the larger; of two NaNs the second.
fn extremum<const MAX: bool>(a: u64, b: u64) -> u64 {
    with_nan(F64.extremum(a, b, MAX, false, false, false), [b])
}

fn of(f: Fun) -> Arith {
    let src: &'static [Class] = match f {
        Fun::F1(_) => &[Class::B64],
        Fun::F2(_) => &[Class::B64; 2],
        Fun::F3(_) => &[Class::B64; 3],
        Fun::F4(_) => &[Class::B64; 4],
    };
    Arith { f, dst: Class::B64, src, divides: false }
}

/// The f64 instructions of 9.7.3 that are not approximate.
pub(crate) fn find(instruction: &Instruction) -> Option<Arith> {
    let mut words = Words::of(instruction);
    if words.last_type()? != ScalarType::F64 {
        return None;
    }
    let opcode = instruction.opcode.as_str();
    match opcode {
        "add" | "sub" | "mul" | "fma" | "mad" | "div" | "rcp" | "sqrt" => {
            let round = words.round();
            words.done()?;
            let with_default = matches!(opcode, "add" | "sub" | "mul");
            arithmetic(opcode, if with_default { round.unwrap_or(Round::Nearest) } else { round? })
        }
        "abs" | "neg" | "copysign" | "min" | "max" => {
            words.done()?;
            Some(of(match opcode {
                "abs" => Fun::F1(|a| if F64.is_nan(a) { quiet(a) } else { a & !F64.sign() }),
                "neg" => Fun::F1(|a| if F64.is_nan(a) { quiet(a) } else { a ^ F64.sign() }),
                "copysign" => Fun::F2(|sign, x| sign & F64.sign() | x & !F64.sign()),
                "min" => Fun::F2(extremum::<false>),
                _ => Fun::F2(extremum::<true>),
            }))
        }
        "testp" => {
            let f = test(words.first()?)?;
            words.done()?;
            Some(Arith { dst: Class::Pred, ..of(Fun::F1(f)) })
        }
        _ => None,
    }
}

/// The instances of an operation for each mode: to nearest `$near`, else that of [`exact`]; with the order in which operands
/// hand on their NaN.
macro_rules! by_mode {
    ($kind:ident, $mode:expr, |$($x:ident),+| $near:expr, $f:ident($($arg:expr),+), $order:expr) => {
        Fun::$kind(match $mode {
            Round::Nearest | Round::NearestAway => |$($x),+| with_nan(f64::to_bits($near), $order),
            Round::Zero => |$($x),+| with_nan(exact::$f(F64, $($arg),+, Round::Zero), $order),
            Round::Down => |$($x),+| with_nan(exact::$f(F64, $($arg),+, Round::Down), $order),
            Round::Up => |$($x),+| with_nan(exact::$f(F64, $($arg),+, Round::Up), $order),
        })
    };
}

fn arithmetic(opcode: &str, mode: Round) -> Option<Arith> {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    Some(of(match opcode {
        "add" => by_mode!(F2, mode, |a, b| value(a) + value(b), add(a, b), [b, a]),
        "sub" => by_mode!(F2, mode, |a, b| value(a) - value(b), sub(a, b), [b, a]),
        "mul" => by_mode!(F2, mode, |a, b| value(a) * value(b), mul(a, b), [b, a]),
        "fma" | "mad" => {
            by_mode!(F3, mode, |a, b, c| value(a).mul_add(value(b), value(c)), fma(a, b, c), [b, c, a])
        }
        "div" => by_mode!(F2, mode, |a, b| value(a) / value(b), div(a, b), [a, b]),
        "rcp" => by_mode!(F1, mode, |a| 1.0 / value(a), div(ONE, a), [a]),
        _ => by_mode!(F1, mode, |a| value(a).sqrt(), sqrt(a), [a]),
    }))
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
