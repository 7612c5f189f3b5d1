//! `and`, `or`, `xor`, `not`, `cnot`, `lop3`, `shl`, `shr`, `shf`, `selp`, `slct`.

use super::super::int::{Int, binary, ternary, unary};
use super::super::{Arith, Class, Fun};

/// What the instruction `opcode.words` computes.
pub(super) fn find(opcode: &str, words: &[&str]) -> Option<Arith> {
    match (opcode, words) {
        ("and" | "or" | "xor" | "not" | "cnot", [ty]) => match *ty {
            "pred" => predicate(opcode),
            "b16" => logic::<u16>(opcode),
            "b32" => logic::<u32>(opcode),
            "b64" => logic::<u64>(opcode),
            _ => None,
        },
        ("lop3", ["b32"]) => {
            Some(Arith { f: Fun::F4(lop3), dst: Class::B32, src: &[Class::B32; 4], divides: false })
        }
        ("shl" | "shr", [ty]) => match (*ty, opcode) {
            ("b16", _) | ("u16", "shr") => shift::<u16>(opcode),
            ("b32", _) | ("u32", "shr") => shift::<u32>(opcode),
            ("b64", _) | ("u64", "shr") => shift::<u64>(opcode),
            ("s16", "shr") => shift::<i16>(opcode),
            ("s32", "shr") => shift::<i32>(opcode),
            ("s64", "shr") => shift::<i64>(opcode),
            _ => None,
        },
        ("shf", [direction, mode, "b32"]) => funnel(direction, mode),
        ("selp", [ty]) => match *ty {
            "b16" | "u16" => Some(select::<u16>()),
            "b32" | "u32" | "f32" => Some(select::<u32>()),
            "b64" | "u64" | "f64" => Some(select::<u64>()),
            "s16" => Some(select::<i16>()),
            "s32" => Some(select::<i32>()),
            "s64" => Some(select::<i64>()),
            _ => None,
        },
        ("slct", words) => slct(words),
        _ => None,
    }
}

fn predicate(opcode: &str) -> Option<Arith> {
    const TWO: &[Class; 2] = &[Class::Pred; 2];
    match opcode {
        "and" => Some(binary(|a, b| a & b & 1, Class::Pred, TWO)),
        "or" => Some(binary(|a, b| (a | b) & 1, Class::Pred, TWO)),
        "xor" => Some(binary(|a, b| (a ^ b) & 1, Class::Pred, TWO)),
        "not" => Some(unary(|a| !a & 1, Class::Pred, &[Class::Pred])),
        _ => None,
    }
}

fn logic<T: Int>(opcode: &str) -> Option<Arith> {
    let one = |f| Some(unary(f, T::CLASS, const { &[T::CLASS] }));
    let two = |f| Some(binary(f, T::CLASS, const { &[T::CLASS; 2] }));
    match opcode {
        "and" => two(|a, b| extend::<T>(a & b)),
        "or" => two(|a, b| extend::<T>(a | b)),
        "xor" => two(|a, b| extend::<T>(a ^ b)),
        "not" => one(|a| extend::<T>(!a)),
        "cnot" => one(|a| u64::from(T::value(a) == 0)),
        _ => None,
    }
}

/// The low bits, extended.
fn extend<T: Int>(bits: u64) -> u64 {
    T::bits(bits.into())
}

/// For each bit, the bit of `table` at the index `a b c` (a is the highest of the three).
pub(crate) fn lop3(a: u64, b: u64, c: u64, table: u64) -> u64 {
    let row = |i: u64| {
        let matches = |x: u64, bit: u64| if i >> bit & 1 == 1 { x } else { !x };
        if table >> i & 1 == 1 { matches(a, 2) & matches(b, 1) & matches(c, 0) } else { 0 }
    };
    (0..8).fold(0, |bits, i| bits | row(i)) & 0xffff_ffff
}

fn shift<T: Int>(opcode: &str) -> Option<Arith> {
    let src = const { &[T::CLASS, Class::B32] };
    match opcode {
        "shl" => Some(binary(shl::<T>, T::CLASS, src)),
        _ => Some(binary(shr::<T>, T::CLASS, src)),
    }
}

/// The amount of a shift: 32 bits, at most the width.
fn amount<T: Int>(bits: u64) -> u32 {
    (bits as u32).min(T::BITS)
}

fn shl<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a) << amount::<T>(b))
}

fn shr<T: Int>(a: u64, b: u64) -> u64 {
    T::bits(T::value(a) >> amount::<T>(b))
}

fn funnel(direction: &str, mode: &str) -> Option<Arith> {
    let f: fn(u64, u64, u64) -> u64 = match (direction, mode) {
        ("l", "wrap") => |a, b, c| funnel_left(a, b, c & 31),
        ("l", "clamp") => |a, b, c| funnel_left(a, b, u32_min(c, 32)),
        ("r", "wrap") => |a, b, c| funnel_right(a, b, c & 31),
        ("r", "clamp") => |a, b, c| funnel_right(a, b, u32_min(c, 32)),
        _ => return None,
    };
    Some(ternary(f, Class::B32, &[Class::B32; 3]))
}

/// The low 32 bits of `x`, at most `limit`.
fn u32_min(x: u64, limit: u64) -> u64 {
    (x & 0xffff_ffff).min(limit)
}

/// b in the upper and a in the lower half.
fn join(a: u64, b: u64) -> u64 {
    b << 32 | a & 0xffff_ffff
}

/// The upper half of `join(a, b) << n`, n <= 32.
fn funnel_left(a: u64, b: u64, n: u64) -> u64 {
    join(a, b) << n >> 32
}

/// The lower half of `join(a, b) >> n`, n <= 32.
fn funnel_right(a: u64, b: u64, n: u64) -> u64 {
    join(a, b) >> n & 0xffff_ffff
}

/// a or b.
fn choose<T: Int>(first: bool, a: u64, b: u64) -> u64 {
    extend::<T>(if first { a } else { b })
}

/// p ? a : b
fn select<T: Int>() -> Arith {
    let f = |a, b, p| choose::<T>(p & 1 == 1, a, b);
    ternary(f, T::CLASS, const { &[T::CLASS, T::CLASS, Class::Pred] })
}

/// `slct.dtype.s32`, `slct{.ftz}.dtype.f32`: c >= 0 ? a : b
fn slct(words: &[&str]) -> Option<Arith> {
    let (ty, by) = match words {
        [ty, "s32"] => (*ty, Sign::S32),
        [ty, "f32"] => (*ty, Sign::F32),
        ["ftz", ty, "f32"] => (*ty, Sign::F32Ftz),
        _ => return None,
    };
    match ty {
        "b16" | "u16" => Some(select_by_sign::<u16>(by)),
        "b32" | "u32" | "f32" => Some(select_by_sign::<u32>(by)),
        "b64" | "u64" | "f64" => Some(select_by_sign::<u64>(by)),
        "s16" => Some(select_by_sign::<i16>(by)),
        "s32" => Some(select_by_sign::<i32>(by)),
        "s64" => Some(select_by_sign::<i64>(by)),
        _ => None,
    }
}

/// How `slct` reads its last operand.
enum Sign {
    S32,
    F32,
    F32Ftz,
}

fn select_by_sign<T: Int>(by: Sign) -> Arith {
    let f: fn(u64, u64, u64) -> u64 = match by {
        Sign::S32 => |a, b, c| choose::<T>(c as i32 >= 0, a, b),
        Sign::F32 => |a, b, c| choose::<T>(f32::from_bits(c as u32) >= 0.0, a, b),
        // A flushed c is a zero, which chooses a.
        Sign::F32Ftz => |a, b, c| {
            let c = f32::from_bits(c as u32);
            choose::<T>(c >= 0.0 || c.is_subnormal(), a, b)
        },
    };
    ternary(f, T::CLASS, const { &[T::CLASS, T::CLASS, Class::B32] })
}
