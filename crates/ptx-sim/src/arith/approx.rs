//! The approximate instructions of PTX ISA 9.7.3 and 9.7.4: the true value, from f64, rounded to nearest even, with the special
//! cases of the ISA; and how far from it a GPU may be.

use super::half::{Lanes, Op1, Scalar, input as half_input, narrow, of as half_of, widen};
use super::packed::Pair;
use super::soft::{Format, Round, Unpacked, round, unpack};
use super::words::Words;
use super::{Arith, Class, Fun, double, single};
use ptx_parse::ast::{Instruction, ScalarType};

pub(crate) mod bound;

const F32: Format = Format::F32;

/// An f64 without the lower 32 bits.
const UPPER: Format = Format { exponent_bits: 11, fraction_bits: 20 };
/// The NaN that the functions of the upper half of an f64 write.
const UPPER_NAN: u64 = 0x7fff_ffff_0000_0000;

/// f(a), rounded to f32; with `FTZ` operand and result flushed.
fn unary<const FTZ: bool>(a: u64, f: impl Fn(f64) -> f64) -> u64 {
    let x = f32::from_bits(single::input::<FTZ>(a) as u32);
    let result = single::bits(f(x.into()) as f32);
    if FTZ { F32.flush(result) } else { result }
}

/// `div.approx`: a * (1 / b), where 1 / b is 0 for |b| above 2^126.
fn div_approx<const FTZ: bool>(a: u64, b: u64) -> u64 {
    const LIMIT: f32 = f32::from_bits(253 << 23);
    let divisor = f32::from_bits(single::input::<FTZ>(b) as u32);
    if divisor.abs() <= LIMIT || !divisor.is_finite() {
        return div_full::<FTZ>(a, b);
    }
    unary::<FTZ>(a, |x| x * 0.0_f64.copysign(divisor.into()))
}

/// `div.full`: a / b.
fn div_full<const FTZ: bool>(a: u64, b: u64) -> u64 {
    let divisor = f64::from(f32::from_bits(single::input::<FTZ>(b) as u32));
    // A quotient of two f32 rounded to f64 and again to f32 is rounded once.
    unary::<FTZ>(a, |x| x / divisor)
}

/// f of the upper half of an f64, rounded to the upper half of one, subnormals flushed.
fn upper(a: u64, f: impl Fn(f64) -> f64) -> u64 {
    let a = Format::F64.flush(a & !0xffff_ffff);
    match unpack(Format::F64, f(f64::from_bits(a)).to_bits()) {
        Unpacked::Nan => UPPER_NAN,
        Unpacked::Infinity(negative) => u64::from(negative) << 63 | Format::F64.infinity(),
        Unpacked::Finite { negative, mantissa, exponent } => {
            UPPER.flush(round(UPPER, negative, mantissa.into(), exponent, false, Round::Nearest)) << 32
        }
    }
}

struct Ex2<const BF: bool>;
struct Tanh<const BF: bool>;

impl<const BF: bool> Op1 for Ex2<BF> {
    fn at(a: u64) -> u64 {
        // The bf16 form flushes subnormals (`.ftz` is part of its name), the f16 form knows them.
        let result = narrow::<BF>(widen::<BF>(half_input::<BF, BF>(a)).exp2());
        if BF { Format::BF16.flush(result) } else { result }
    }
}

impl<const BF: bool> Op1 for Tanh<BF> {
    fn at(a: u64) -> u64 {
        narrow::<BF>(widen::<BF>(half_input::<BF, false>(a)).tanh())
    }
}

/// A function of f32 with and without `.ftz`.
macro_rules! f32_function {
    ($ftz:expr, $x:ident => $value:expr) => {
        if $ftz { |a| unary::<true>(a, |$x| $value) } else { |a| unary::<false>(a, |$x| $value) }
    };
}

/// The approximate instructions.
pub(crate) fn find(instruction: &Instruction) -> Option<Arith> {
    let mut words = Words::of(instruction);
    let ty = words.last_type()?;
    let opcode = instruction.opcode.as_str();
    if opcode == "div" && ty == ScalarType::F32 {
        return division(words);
    }
    if !words.take("approx") {
        return None;
    }
    let ftz = words.take("ftz");
    words.done()?;
    match ty {
        ScalarType::F32 => of_f32(opcode, ftz),
        ScalarType::F64 => of_f64(opcode, ftz),
        ScalarType::F16 => of_half::<Scalar, false>(opcode, ftz),
        ScalarType::F16x2 => of_half::<Pair, false>(opcode, ftz),
        ScalarType::Bf16 => of_half::<Scalar, true>(opcode, ftz),
        ScalarType::Bf16x2 => of_half::<Pair, true>(opcode, ftz),
        _ => None,
    }
}

fn division(mut words: Words) -> Option<Arith> {
    let (approx, full, ftz) = (words.take("approx"), words.take("full"), words.take("ftz"));
    words.done()?;
    let f: fn(u64, u64) -> u64 = match (approx, full, ftz) {
        (true, false, false) => div_approx::<false>,
        (true, false, true) => div_approx::<true>,
        (false, true, false) => div_full::<false>,
        (false, true, true) => div_full::<true>,
        _ => return None,
    };
    Some(Arith { f: Fun::F2(f), dst: Class::B32, src: &[Class::B32; 2], divides: false })
}

fn of_f32(opcode: &str, ftz: bool) -> Option<Arith> {
    let f: fn(u64) -> u64 = match opcode {
        "rcp" => f32_function!(ftz, x => 1.0 / x),
        "sqrt" => f32_function!(ftz, x => x.sqrt()),
        "rsqrt" => f32_function!(ftz, x => 1.0 / x.sqrt()),
        "sin" => f32_function!(ftz, x => x.sin()),
        "cos" => f32_function!(ftz, x => x.cos()),
        "lg2" => f32_function!(ftz, x => x.log2()),
        "ex2" => f32_function!(ftz, x => x.exp2()),
        "tanh" if !ftz => |a| unary::<false>(a, f64::tanh),
        _ => return None,
    };
    Some(Arith { f: Fun::F1(f), dst: Class::B32, src: &[Class::B32], divides: false })
}

fn of_f64(opcode: &str, ftz: bool) -> Option<Arith> {
    let f: fn(u64) -> u64 = match (opcode, ftz) {
        ("rcp", true) => |a| upper(a, |x| 1.0 / x),
        ("rsqrt", true) => |a| upper(a, |x| 1.0 / x.sqrt()),
        ("rsqrt", false) => |a| double::bits(1.0 / f64::from_bits(a).sqrt()),
        _ => return None,
    };
    Some(Arith { f: Fun::F1(f), dst: Class::B64, src: &[Class::B64], divides: false })
}

fn of_half<L: Lanes, const BF: bool>(opcode: &str, ftz: bool) -> Option<Arith> {
    match opcode {
        "ex2" if ftz == BF => Some(half_of::<L>(L::one::<Ex2<BF>>())),
        "tanh" if !ftz => Some(half_of::<L>(L::one::<Tanh<BF>>())),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
