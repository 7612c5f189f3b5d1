//! f16 and bf16: PTX ISA 9.7.4, one value or two packed in 32 bits.

use super::soft::{Format, Round, Unpacked, round, unpack};
use super::words::Words;
use super::{Arith, Class, Fun, packed, single};
use ptx_parse::ast::{Instruction, ScalarType};

/// What is done to a result after rounding, as a const parameter.
const KEEP: u8 = 0;
/// `.sat`: clamped to [0, 1], NaN to +0.
const SAT: u8 = 1;
/// `.relu`: below zero to +0; NaN stays.
const RELU: u8 = 2;

/// The NaN that tensor copies fill in for what lies out of bounds, in both types, as an H200 has it; the ISA does not say.
const OUTSIDE: u64 = 0x7ff7;

/// A function of one 16-bit value.
pub(super) trait Op1 {
    fn at(a: u64) -> u64;
}

/// Of two.
pub(super) trait Op2 {
    fn at(a: u64, b: u64) -> u64;
}

/// Of three.
pub(super) trait Op3 {
    fn at(a: u64, b: u64, c: u64) -> u64;
}

pub(super) struct Add<const BF: bool, const FTZ: bool, const CLAMP: u8>;
pub(super) struct Sub<const BF: bool, const FTZ: bool, const CLAMP: u8>;
pub(super) struct Mul<const BF: bool, const FTZ: bool, const CLAMP: u8>;
pub(super) struct Fma<const BF: bool, const FTZ: bool, const CLAMP: u8>;
/// `fma.rn.oob`: +0 where a or b is [`OUTSIDE`] with either sign, whatever the others are.
struct FmaOob<const BF: bool, const CLAMP: u8>;
struct Abs<const BF: bool, const FTZ: bool>;
struct Neg<const BF: bool, const FTZ: bool>;
struct Extremum<const BF: bool, const MAX: bool, const FTZ: bool, const NAN: bool, const XOR: bool>;

pub(super) const fn format(bf: bool) -> Format {
    if bf { Format::BF16 } else { Format::F16 }
}

/// An operand: its 16 bits, flushed for `.ftz`.
pub(super) fn input<const BF: bool, const FTZ: bool>(bits: u64) -> u64 {
    let bits = bits & 0xffff;
    if FTZ { format(BF).flush(bits) } else { bits }
}

/// The value of 16 bits, exact.
pub(super) fn widen<const BF: bool>(bits: u64) -> f64 {
    if BF {
        return f32::from_bits((bits as u32) << 16).into();
    }
    let sign = (bits & 0x8000) << 48;
    let magnitude = bits & 0x7fff;
    if magnitude >= Format::F16.infinity() {
        let fraction = (magnitude & 0x3ff) << 42;
        return f64::from_bits(sign | 0x7ff << 52 | fraction);
    }
    // The f16's exponent in place of the f64's, then the difference of their biases: exact, for subnormal numbers too.
    const SCALE: f64 = f64::from_bits((1023 + 1023 - 15) << 52);
    f64::from_bits(sign | magnitude << 42) * SCALE
}

/// `x` rounded to nearest even.
pub(super) fn narrow<const BF: bool>(x: f64) -> u64 {
    let format = format(BF);
    let bits = x.to_bits();
    let cut = 52 - format.fraction_bits;
    let field = (bits >> 52 & 0x7ff) as i32;
    // The field of the same exponent in the format, where it is that of a normal number.
    let target = field - 1023 + (1 << (format.exponent_bits - 1)) - 1;
    if target >= 1 && target < (1 << format.exponent_bits) - 1 {
        let magnitude = (target as u64) << 52 | bits & ((1 << 52) - 1);
        // A carry may end in the field of infinity, which is then right.
        let rounded = magnitude + (1 << (cut - 1)) - 1 + (magnitude >> cut & 1);
        return rounded >> cut | bits >> 63 << 15;
    }
    match unpack(Format::F64, bits) {
        Unpacked::Nan => format.nan(),
        Unpacked::Infinity(negative) => u64::from(negative) << 15 | format.infinity(),
        Unpacked::Finite { negative, mantissa, exponent } => {
            round(format, negative, mantissa.into(), exponent, false, Round::Nearest)
        }
    }
}

/// `x` rounded, then flushed and clamped.
fn output<const BF: bool, const FTZ: bool, const CLAMP: u8>(x: f64) -> u64 {
    // Tiny is what stays below the normal range when rounded as if there were smaller normal numbers; only f16 has `.ftz`.
    const TINY: f64 = (1.0 - 1.0 / 4096.0) / 16384.0;
    let bits = narrow::<BF>(if FTZ && x.abs() < TINY { x * 0.0 } else { x });
    let one = if BF { 0x3f80 } else { 0x3c00 };
    match CLAMP {
        SAT if bits > format(BF).infinity() => 0,
        SAT => bits.min(one),
        RELU if bits & 0x8000 != 0 => 0,
        _ => bits,
    }
}

// A product is exact in f64. A sum there is rounded to odd, so that rounding it again is rounding once.
impl<const BF: bool, const FTZ: bool, const CLAMP: u8> Op2 for Add<BF, FTZ, CLAMP> {
    fn at(a: u64, b: u64) -> u64 {
        let (a, b) = (widen::<BF>(input::<BF, FTZ>(a)), widen::<BF>(input::<BF, FTZ>(b)));
        output::<BF, FTZ, CLAMP>(single::odd_sum(a, b, a + b))
    }
}

impl<const BF: bool, const FTZ: bool, const CLAMP: u8> Op2 for Sub<BF, FTZ, CLAMP> {
    fn at(a: u64, b: u64) -> u64 {
        Add::<BF, FTZ, CLAMP>::at(a, b ^ 0x8000)
    }
}

impl<const BF: bool, const FTZ: bool, const CLAMP: u8> Op2 for Mul<BF, FTZ, CLAMP> {
    fn at(a: u64, b: u64) -> u64 {
        let (a, b) = (widen::<BF>(input::<BF, FTZ>(a)), widen::<BF>(input::<BF, FTZ>(b)));
        output::<BF, FTZ, CLAMP>(a * b)
    }
}

impl<const BF: bool, const FTZ: bool, const CLAMP: u8> Op3 for Fma<BF, FTZ, CLAMP> {
    fn at(a: u64, b: u64, c: u64) -> u64 {
        let (a, b) = (widen::<BF>(input::<BF, FTZ>(a)), widen::<BF>(input::<BF, FTZ>(b)));
        let c = widen::<BF>(input::<BF, FTZ>(c));
        output::<BF, FTZ, CLAMP>(single::odd_sum(a * b, c, a * b + c))
    }
}

impl<const BF: bool, const CLAMP: u8> Op3 for FmaOob<BF, CLAMP> {
    fn at(a: u64, b: u64, c: u64) -> u64 {
        let is_outside = |x: u64| x & 0x7fff == OUTSIDE;
        if is_outside(a) || is_outside(b) { 0 } else { Fma::<BF, false, CLAMP>::at(a, b, c) }
    }
}

impl<const BF: bool, const FTZ: bool> Op1 for Abs<BF, FTZ> {
    fn at(a: u64) -> u64 {
        let a = input::<BF, FTZ>(a);
        if format(BF).is_nan(a) { format(BF).nan() } else { a & 0x7fff }
    }
}

impl<const BF: bool, const FTZ: bool> Op1 for Neg<BF, FTZ> {
    fn at(a: u64) -> u64 {
        let a = input::<BF, FTZ>(a);
        if format(BF).is_nan(a) { format(BF).nan() } else { a ^ 0x8000 }
    }
}

impl<const BF: bool, const MAX: bool, const FTZ: bool, const NAN: bool, const XOR: bool> Op2
    for Extremum<BF, MAX, FTZ, NAN, XOR>
{
    fn at(a: u64, b: u64) -> u64 {
        format(BF).extremum(input::<BF, FTZ>(a), input::<BF, FTZ>(b), MAX, NAN, XOR, XOR)
    }
}

/// How many values an operand holds.
pub(super) trait Lanes {
    const CLASS: Class;
    fn one<O: Op1>() -> Fun;
    fn two<O: Op2>() -> Fun;
    fn three<O: Op3>() -> Fun;
}

/// One value.
pub(super) struct Scalar;

impl Lanes for Scalar {
    const CLASS: Class = Class::B16;
    fn one<O: Op1>() -> Fun {
        Fun::F1(O::at)
    }
    fn two<O: Op2>() -> Fun {
        Fun::F2(O::at)
    }
    fn three<O: Op3>() -> Fun {
        Fun::F3(O::at)
    }
}

pub(super) fn of<L: Lanes>(f: Fun) -> Arith {
    let src: &'static [Class] = match (L::CLASS, f) {
        (Class::B16, Fun::F1(_)) => &[Class::B16],
        (Class::B16, Fun::F2(_)) => &[Class::B16; 2],
        (Class::B16, _) => &[Class::B16; 3],
        (_, Fun::F1(_)) => &[Class::B32],
        (_, Fun::F2(_)) => &[Class::B32; 2],
        (_, _) => &[Class::B32; 3],
    };
    Arith { f, dst: L::CLASS, src, divides: false }
}

/// The instructions of 9.7.4 on f16 and bf16 that are not approximate.
pub(crate) fn find(instruction: &Instruction) -> Option<Arith> {
    let mut words = Words::of(instruction);
    let opcode = instruction.opcode.as_str();
    match words.last_type()? {
        ScalarType::F16 => lookup::<Scalar, false>(opcode, words),
        ScalarType::Bf16 => lookup::<Scalar, true>(opcode, words),
        ScalarType::F16x2 => lookup::<packed::Pair, false>(opcode, words),
        ScalarType::Bf16x2 => lookup::<packed::Pair, true>(opcode, words),
        _ => None,
    }
}

/// `$two::<$op<BF, FTZ, CLAMP>>()` for flags known at run time; bf16 has no `.ftz` and no `.sat`.
macro_rules! instance {
    ($lanes:ident, $shape:ident, $op:ident, $bf:ident, $ftz:expr, $clamp:expr) => {
        match ($ftz, $clamp) {
            (false, KEEP) => $lanes::$shape::<$op<$bf, false, KEEP>>(),
            (false, SAT) => $lanes::$shape::<$op<$bf, false, SAT>>(),
            (false, _) => $lanes::$shape::<$op<$bf, false, RELU>>(),
            (true, KEEP) => $lanes::$shape::<$op<$bf, true, KEEP>>(),
            (true, SAT) => $lanes::$shape::<$op<$bf, true, SAT>>(),
            (true, _) => $lanes::$shape::<$op<$bf, true, RELU>>(),
        }
    };
}

fn lookup<L: Lanes, const BF: bool>(opcode: &str, mut words: Words) -> Option<Arith> {
    let ftz = !BF && words.take("ftz");
    let f = match opcode {
        "add" | "sub" | "mul" | "fma" => {
            let to_nearest = words.take("rn");
            let sat = !BF && words.take("sat");
            let oob = opcode == "fma" && !ftz && !sat && words.take("oob");
            let relu = opcode == "fma" && !sat && words.take("relu");
            if opcode == "fma" && !to_nearest {
                return None;
            }
            let clamp = if sat {
                SAT
            } else if relu {
                RELU
            } else {
                KEEP
            };
            match opcode {
                "fma" if oob && relu => L::three::<FmaOob<BF, RELU>>(),
                "fma" if oob => L::three::<FmaOob<BF, KEEP>>(),
                "add" => instance!(L, two, Add, BF, ftz, clamp),
                "sub" => instance!(L, two, Sub, BF, ftz, clamp),
                "mul" => instance!(L, two, Mul, BF, ftz, clamp),
                _ => instance!(L, three, Fma, BF, ftz, clamp),
            }
        }
        "abs" if ftz => L::one::<Abs<BF, true>>(),
        "abs" => L::one::<Abs<BF, false>>(),
        "neg" if ftz => L::one::<Neg<BF, true>>(),
        "neg" => L::one::<Neg<BF, false>>(),
        "min" => extremum::<L, BF, false>(ftz, &mut words)?,
        "max" => extremum::<L, BF, true>(ftz, &mut words)?,
        _ => return None,
    };
    words.done()?;
    Some(of::<L>(f))
}

fn extremum<L: Lanes, const BF: bool, const MAX: bool>(ftz: bool, words: &mut Words) -> Option<Fun> {
    let (nan, xor) = (words.take("NaN"), words.take("xorsign"));
    if xor != words.take("abs") {
        return None;
    }
    Some(match (ftz, nan, xor) {
        (false, false, false) => L::two::<Extremum<BF, MAX, false, false, false>>(),
        (false, false, true) => L::two::<Extremum<BF, MAX, false, false, true>>(),
        (false, true, false) => L::two::<Extremum<BF, MAX, false, true, false>>(),
        (false, true, true) => L::two::<Extremum<BF, MAX, false, true, true>>(),
        (true, false, false) => L::two::<Extremum<BF, MAX, true, false, false>>(),
        (true, false, true) => L::two::<Extremum<BF, MAX, true, false, true>>(),
        (true, true, false) => L::two::<Extremum<BF, MAX, true, true, false>>(),
        (true, true, true) => L::two::<Extremum<BF, MAX, true, true, true>>(),
    })
}

#[cfg(test)]
mod tests;
