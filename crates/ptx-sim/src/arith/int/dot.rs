//! Dot products of packed bytes and halves: `dp4a`, `dp2a` (PTX ISA 9.7.1.23, 9.7.1.24).

use super::super::{Arith, Class};
use super::{Int, ternary};

/// What `dp4a.atype.btype` or `dp2a.mode.atype.btype` computes.
pub(super) fn find(opcode: &str, words: &[&str]) -> Option<Arith> {
    let f: fn(u64, u64, u64) -> u64 = match (opcode, words) {
        ("dp4a", ["u32", "u32"]) => dp4a::<u8, u8, u32>,
        ("dp4a", ["u32", "s32"]) => dp4a::<u8, i8, i32>,
        ("dp4a", ["s32", "u32"]) => dp4a::<i8, u8, i32>,
        ("dp4a", ["s32", "s32"]) => dp4a::<i8, i8, i32>,
        ("dp2a", ["lo", "u32", "u32"]) => dp2a::<u16, u8, u32, 0>,
        ("dp2a", ["lo", "u32", "s32"]) => dp2a::<u16, i8, i32, 0>,
        ("dp2a", ["lo", "s32", "u32"]) => dp2a::<i16, u8, i32, 0>,
        ("dp2a", ["lo", "s32", "s32"]) => dp2a::<i16, i8, i32, 0>,
        ("dp2a", ["hi", "u32", "u32"]) => dp2a::<u16, u8, u32, 16>,
        ("dp2a", ["hi", "u32", "s32"]) => dp2a::<u16, i8, i32, 16>,
        ("dp2a", ["hi", "s32", "u32"]) => dp2a::<i16, u8, i32, 16>,
        ("dp2a", ["hi", "s32", "s32"]) => dp2a::<i16, i8, i32, 16>,
        _ => return None,
    };
    Some(ternary(f, Class::B32, &[Class::B32; 3]))
}

/// c + the dot product of the four bytes `A` of a and `B` of b, as the 32-bit type `C`.
fn dp4a<A: Int, B: Int, C: Int>(a: u64, b: u64, c: u64) -> u64 {
    C::bits(C::value(c) + dot::<A, B, 4>(a, b))
}

/// c + the dot product of the two halves `A` of a and two bytes `B` of b from bit `SHIFT` on, as the 32-bit type `C`.
fn dp2a<A: Int, B: Int, C: Int, const SHIFT: u32>(a: u64, b: u64, c: u64) -> u64 {
    C::bits(C::value(c) + dot::<A, B, 2>(a, b >> SHIFT))
}

fn dot<A: Int, B: Int, const N: u32>(a: u64, b: u64) -> i128 {
    (0..N).map(|i| A::value(a >> (i * A::BITS)) * B::value(b >> (i * B::BITS))).sum()
}
