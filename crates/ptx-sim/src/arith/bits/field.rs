//! Bit fields and counts: `bfe`, `bfi`, `bfind`, `szext`, `bmsk`, `clz`, `popc`, `brev`, `fns`.

use super::super::int::{Int, binary, ternary, unary};
use super::super::{Arith, Class, Fun};

/// What the instruction `opcode.words` computes.
pub(super) fn find(opcode: &str, words: &[&str]) -> Option<Arith> {
    let (&ty, modifiers) = words.split_last()?;
    match (opcode, modifiers, ty) {
        ("bfe", [], "u32") => Some(extract::<u32>()),
        ("bfe", [], "u64") => Some(extract::<u64>()),
        ("bfe", [], "s32") => Some(extract::<i32>()),
        ("bfe", [], "s64") => Some(extract::<i64>()),
        ("bfi", [], "b32") => Some(insert::<u32>()),
        ("bfi", [], "b64") => Some(insert::<u64>()),
        ("bfind", _, "u32") => highest::<u32>(modifiers),
        ("bfind", _, "u64") => highest::<u64>(modifiers),
        ("bfind", _, "s32") => highest::<i32>(modifiers),
        ("bfind", _, "s64") => highest::<i64>(modifiers),
        ("szext", [mode], "u32") => extension::<u32>(mode),
        ("szext", [mode], "s32") => extension::<i32>(mode),
        ("bmsk", ["clamp"], "b32") => Some(binary(bmsk_clamp, Class::B32, &[Class::B32; 2])),
        ("bmsk", ["wrap"], "b32") => {
            Some(binary(|a, b| bmsk_clamp(a & 31, b & 31), Class::B32, &[Class::B32; 2]))
        }
        ("clz" | "popc" | "brev", [], "b32") => count::<u32>(opcode),
        ("clz" | "popc" | "brev", [], "b64") => count::<u64>(opcode),
        ("fns", [], "b32") => Some(ternary(fns, Class::B32, &[Class::B32; 3])),
        _ => None,
    }
}

fn count<T: Int>(opcode: &str) -> Option<Arith> {
    let src = const { &[T::CLASS] };
    match opcode {
        "clz" => Some(unary(|a| u64::from(low::<T>(a).leading_zeros() + T::BITS - 64), Class::B32, src)),
        "popc" => Some(unary(|a| u64::from(low::<T>(a).count_ones()), Class::B32, src)),
        "brev" => Some(unary(|a| low::<T>(a).reverse_bits() >> (64 - T::BITS), T::CLASS, src)),
        _ => None,
    }
}

/// The low bits, zero-extended whatever the type.
fn low<T: Int>(bits: u64) -> u64 {
    bits & ones(T::BITS)
}

/// `n` ones from bit 0 on, n <= 64.
fn ones(n: u32) -> u64 {
    ((1_u128 << n) - 1) as u64
}

fn extract<T: Int>() -> Arith {
    ternary(bfe::<T>, T::CLASS, const { &[T::CLASS, Class::B32, Class::B32] })
}

/// `c & 255` bits of `a` from bit `b & 255` on; beyond the top of `a`, and above the field, zeros or copies of the field's sign.
fn bfe<T: Int>(a: u64, b: u64, c: u64) -> u64 {
    let (position, length) = (b as u32 & 0xff, c as u32 & 0xff);
    if length == 0 {
        return 0;
    }
    // i128 has room for all of `a`, extended by its sign, above any field.
    let from_position = T::value(a) >> position.min(127);
    let unused = 128 - length.min(T::BITS);
    T::bits(if T::SIGNED {
        from_position << unused >> unused
    } else {
        ((from_position as u128) << unused >> unused) as i128
    })
}

fn insert<T: Int>() -> Arith {
    let src = const { &[T::CLASS, T::CLASS, Class::B32, Class::B32] };
    Arith { f: Fun::F4(bfi::<T>), dst: T::CLASS, src, divides: false }
}

/// `b` with the low `d & 255` bits of `a` in place of its own from bit `c & 255` on.
fn bfi<T: Int>(a: u64, b: u64, c: u64, d: u64) -> u64 {
    let (position, length) = (c as u32 & 0xff, d as u32 & 0xff);
    if position >= T::BITS {
        return low::<T>(b);
    }
    let mask = ones(length.min(64)) << position;
    low::<T>(a << position & mask | b & !mask)
}

fn highest<T: Int>(modifiers: &[&str]) -> Option<Arith> {
    let f: fn(u64) -> u64 = match modifiers {
        [] => |a| u64::from(bfind::<T>(a).unwrap_or(u32::MAX)),
        ["shiftamt"] => |a| u64::from(bfind::<T>(a).map_or(u32::MAX, |bit| T::BITS - 1 - bit)),
        _ => return None,
    };
    Some(unary(f, Class::B32, const { &[T::CLASS] }))
}

/// The highest bit that is 1, or, in a negative value, 0.
fn bfind<T: Int>(a: u64) -> Option<u32> {
    let value = T::value(a);
    let differs_from_sign = if value < 0 { !value } else { value };
    differs_from_sign.checked_ilog2()
}

fn extension<T: Int>(mode: &str) -> Option<Arith> {
    let f: fn(u64, u64) -> u64 = match mode {
        "clamp" => |a, b| szext::<T>(a, (b & 0xffff_ffff).min(32)),
        "wrap" => |a, b| szext::<T>(a, b & 31),
        _ => return None,
    };
    Some(binary(f, Class::B32, &[Class::B32; 2]))
}

/// The low `n` bits of `a`, n <= 32, extended by sign or zeros.
fn szext<T: Int>(a: u64, n: u64) -> u64 {
    bfe::<T>(a, 0, n)
}

/// `b` ones from bit `a` on, as far as there are 32 bits.
fn bmsk_clamp(a: u64, b: u64) -> u64 {
    let (position, width) = ((a & 0xffff_ffff).min(32), (b & 0xffff_ffff).min(32));
    ones(width as u32) << position & 0xffff_ffff
}

/// The position of the `|offset|`-th 1 of `mask` from bit `base` on, upwards for a positive offset, downwards for a negative one;
/// for 0, `base` if its bit is 1. All ones if there is none.
fn fns(mask: u64, base: u64, offset: u64) -> u64 {
    let (base, offset) = (base as u32, offset as i32);
    let is_set = |bit: &u32| mask >> bit & 1 == 1;
    let nth = offset.unsigned_abs().saturating_sub(1) as usize;
    let found = if base > 31 {
        None
    } else if offset == 0 {
        Some(base).filter(is_set)
    } else if offset > 0 {
        (base..32).filter(is_set).nth(nth)
    } else {
        (0..=base).rev().filter(is_set).nth(nth)
    };
    u64::from(found.unwrap_or(u32::MAX))
}
