//! Integer arithmetic (PTX ISA 9.7.1): sums, products, quotients, extremes, dot products.
//!
//! Each operation is one function over [`Int`]: operands become exact `i128` values, the result is cut or clamped to the type.

mod dot;
#[cfg(test)]
pub(super) mod tests;

use ptx_parse::ast::Instruction;

use super::{Arith, Class, Fun};

/// An integer type of PTX.
pub(super) trait Int {
    /// Its width.
    const BITS: u32;
    /// Whether it is one of `s8`–`s64`.
    const SIGNED: bool;
    /// Its smallest value.
    const MIN: i128;
    /// Its largest value.
    const MAX: i128;
    /// The class of a register that holds it.
    const CLASS: Class = match Self::BITS {
        32 => Class::B32,
        64 => Class::B64,
        _ => Class::B16,
    };

    /// The value of the low bits.
    fn value(bits: u64) -> i128;
    /// `value` modulo 2^BITS, extended to 64 bits.
    fn bits(value: i128) -> u64;
    /// `value` clamped to MIN..=MAX, extended to 64 bits.
    fn clamp(value: i128) -> u64 {
        Self::bits(value.clamp(Self::MIN, Self::MAX))
    }
}

macro_rules! ints {
    ($($ty:ident)*) => {$(
        impl Int for $ty {
            const BITS: u32 = $ty::BITS;
            const SIGNED: bool = $ty::MIN != 0;
            const MIN: i128 = $ty::MIN as i128;
            const MAX: i128 = $ty::MAX as i128;
            fn value(bits: u64) -> i128 {
                i128::from(bits as $ty)
            }
            fn bits(value: i128) -> u64 {
                value as $ty as u64
            }
        }
    )*};
}
ints! { u8 u16 u32 u64 i8 i16 i32 i64 }

/// What an integer arithmetic instruction computes. `None` for those with a carry (`.cc`, `addc`, `subc`, `madc`), which
/// have a state.
pub(super) fn find(instruction: &Instruction) -> Option<Arith> {
    let words = words(instruction);
    let opcode = instruction.opcode.as_str();
    let (&ty, modifiers) = words.split_last()?;
    let found = match ty {
        "u16" => scalar::<u16>(opcode, modifiers),
        "u32" => scalar::<u32>(opcode, modifiers),
        "u64" => scalar::<u64>(opcode, modifiers),
        "s16" => scalar::<i16>(opcode, modifiers),
        "s32" => scalar::<i32>(opcode, modifiers),
        "s64" => scalar::<i64>(opcode, modifiers),
        "u16x2" => pair::<u16>(opcode, modifiers),
        "s16x2" => pair::<i16>(opcode, modifiers),
        _ => None,
    };
    found.or_else(|| dot::find(opcode, &words)).filter(|arith| takes(instruction, arith))
}

/// The modifiers as text.
pub(super) fn words(instruction: &Instruction) -> Vec<&str> {
    instruction.modifiers.iter().map(String::as_str).collect()
}

/// Whether the instruction has one destination and as many sources as `arith` reads.
pub(super) fn takes(instruction: &Instruction, arith: &Arith) -> bool {
    instruction.operands.len() == 1 + arith.src.len()
}

/// A function of one operand.
pub(super) fn unary(f: fn(u64) -> u64, dst: Class, src: &'static [Class; 1]) -> Arith {
    Arith { f: Fun::F1(f), dst, src, divides: false }
}

/// A function of two operands.
pub(super) fn binary(f: fn(u64, u64) -> u64, dst: Class, src: &'static [Class; 2]) -> Arith {
    Arith { f: Fun::F2(f), dst, src, divides: false }
}

/// A function of three operands.
pub(super) fn ternary(f: fn(u64, u64, u64) -> u64, dst: Class, src: &'static [Class; 3]) -> Arith {
    Arith { f: Fun::F3(f), dst, src, divides: false }
}

/// `opcode.modifiers.type` where `T` is the type.
fn scalar<T: Int>(opcode: &str, modifiers: &[&str]) -> Option<Arith> {
    let one = |f| unary(f, T::CLASS, const { &[T::CLASS] });
    let two = |f| binary(f, T::CLASS, const { &[T::CLASS; 2] });
    let three = |f| ternary(f, T::CLASS, const { &[T::CLASS; 3] });
    let s32 = T::SIGNED && T::BITS == 32;
    let is_32 = T::BITS == 32;
    Some(match (opcode, modifiers) {
        ("add", []) => two(add::<T>),
        ("add", ["sat"]) if s32 => two(add_sat::<T>),
        ("sub", []) => two(sub::<T>),
        ("sub", ["sat"]) if s32 => two(sub_sat::<T>),
        ("mul", ["lo"]) => two(mul_lo::<T>),
        ("mul", ["hi"]) => two(mul_hi::<T>),
        ("mad", ["lo"]) => three(mad_lo::<T>),
        ("mad", ["hi"]) => three(mad_hi::<T>),
        ("mad", ["hi", "sat"]) if s32 => three(mad_hi_sat::<T>),
        ("mul" | "mad", ["wide"]) => return wide::<T>(opcode),
        ("mul24", ["lo"]) if is_32 => two(mul24_lo::<T>),
        ("mul24", ["hi"]) if is_32 => two(mul24_hi::<T>),
        ("mad24", ["lo"]) if is_32 => three(mad24_lo::<T>),
        ("mad24", ["hi"]) if is_32 => three(mad24_hi::<T>),
        ("mad24", ["hi", "sat"]) if s32 => three(mad24_hi_sat::<T>),
        ("sad", []) => three(sad::<T>),
        ("div", []) => Arith { divides: true, ..two(div::<T>) },
        ("rem", []) => Arith { divides: true, ..two(rem::<T>) },
        ("abs", []) if T::SIGNED => one(abs::<T>),
        ("neg", []) if T::SIGNED => one(neg::<T>),
        ("min", []) => two(min::<T>),
        ("max", []) => two(max::<T>),
        ("min", ["relu"]) if s32 => two(min_relu::<T>),
        ("max", ["relu"]) if s32 => two(max_relu::<T>),
        _ => return None,
    })
}

/// `mul.wide` and `mad.wide`: the result, and the addend, are twice as wide as the factors.
fn wide<T: Int>(opcode: &str) -> Option<Arith> {
    let dst = match T::BITS {
        16 => Class::B32,
        32 => Class::B64,
        _ => return None,
    };
    match opcode {
        "mul" => Some(binary(mul_wide::<T>, dst, const { &[T::CLASS; 2] })),
        _ if T::BITS == 16 => Some(ternary(mad_wide::<T>, dst, &[Class::B16, Class::B16, Class::B32])),
        _ => Some(ternary(mad_wide::<T>, dst, &[Class::B32, Class::B32, Class::B64])),
    }
}

/// `opcode.modifiers.type` where the type is two `T` in 32 bits.
fn pair<T: Int>(opcode: &str, modifiers: &[&str]) -> Option<Arith> {
    let f = match (opcode, modifiers) {
        ("add", []) => |a, b| halves(a, b, add::<T>),
        ("min", []) => |a, b| halves(a, b, min::<T>),
        ("max", []) => |a, b| halves(a, b, max::<T>),
        ("min", ["relu"]) if T::SIGNED => |a, b| halves(a, b, min_relu::<T>),
        ("max", ["relu"]) if T::SIGNED => |a, b| halves(a, b, max_relu::<T>),
        _ => return None,
    };
    Some(binary(f, Class::B32, &[Class::B32; 2]))
}

/// `f` of the low and of the high 16 bits of both operands.
fn halves(a: u64, b: u64, f: impl Fn(u64, u64) -> u64) -> u64 {
    let low = f(a & 0xffff, b & 0xffff) & 0xffff;
    let high = f(a >> 16 & 0xffff, b >> 16 & 0xffff) & 0xffff;
    high << 16 | low
}

fn add<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a) + T::value(b))
}

fn add_sat<T: Int>(a: u64, b: u64) -> u64 {
    T::clamp(T::value(a) + T::value(b))
}

fn sub<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a) - T::value(b))
}

fn sub_sat<T: Int>(a: u64, b: u64) -> u64 {
    T::clamp(T::value(a) - T::value(b))
}

/// The product modulo 2^128, which holds all its bits.
fn product<T: Int>(a: u64, b: u64) -> i128 {
    T::value(a).wrapping_mul(T::value(b))
}

/// The upper half of the product, as a value of `T`.
fn high<T: Int>(a: u64, b: u64) -> i128 {
    T::value((product::<T>(a, b) >> T::BITS) as u64)
}

fn mul_lo<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(product::<T>(a, b))
}

fn mul_hi<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(high::<T>(a, b))
}

fn mul_wide<T: Int>(a: u64, b: u64) -> u64 {
    product::<T>(a, b) as u64
}

fn mad_lo<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::bits(product::<T>(a, b).wrapping_add(T::value(c)))
}

fn mad_hi<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::bits(high::<T>(a, b) + T::value(c))
}

fn mad_hi_sat<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::clamp(high::<T>(a, b) + T::value(c))
}

/// The addend and the result have twice the width of the factors.
fn mad_wide<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    let sum = (product::<T>(a, b) as u64).wrapping_add(c);
    match (T::BITS, T::SIGNED) {
        (16, true) => i32::bits(sum.into()),
        (16, false) => u32::bits(sum.into()),
        _ => sum,
    }
}

/// The 48-bit product of the low 24 bits.
fn product24<T: Int>(a: u64, b: u64) -> i128 {
    let low24 = |x: u64| T::value(x << 8) >> 8;
    low24(a) * low24(b)
}

/// Bits 16 to 47 of the 48-bit product, as a value of `T`.
fn high24<T: Int>(a: u64, b: u64) -> i128 {
    T::value((product24::<T>(a, b) >> 16) as u64)
}

fn mul24_lo<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(product24::<T>(a, b))
}

fn mul24_hi<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(high24::<T>(a, b))
}

fn mad24_lo<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::bits(product24::<T>(a, b) + T::value(c))
}

fn mad24_hi<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::bits(high24::<T>(a, b) + T::value(c))
}

fn mad24_hi_sat<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::clamp(high24::<T>(a, b) + T::value(c))
}

/// c + |a - b|
fn sad<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    T::bits(T::value(c) + (T::value(a) - T::value(b)).abs())
}

/// The quotient towards zero. The ISA leaves a divisor of zero open; ptxas makes code that gives all ones.
fn div<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a).checked_div(T::value(b)).unwrap_or(-1))
}

/// The remainder with the sign of the dividend. As for [`div`], all ones for a divisor of zero.
fn rem<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a).checked_rem(T::value(b)).unwrap_or(-1))
}

fn abs<T: Int>(a: u64) -> u64 {
    T::bits(T::value(a).abs())
}

fn neg<T: Int>(a: u64) -> u64 {
    T::bits(-T::value(a))
}

fn min<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a).min(T::value(b)))
}

fn max<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a).max(T::value(b)))
}

/// max(min(a, b), 0)
fn min_relu<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a).min(T::value(b)).max(0))
}

/// max(a, b, 0)
fn max_relu<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a).max(T::value(b)).max(0))
}
