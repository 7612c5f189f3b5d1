//! `prmt`: bytes of a register pair in another order (PTX ISA 9.7.9).

use super::super::int::ternary;
use super::super::{Arith, Class};

/// What `prmt.b32{.mode}` computes; ptxas takes the mode in front of the type too.
pub(super) fn find(opcode: &str, words: &[&str]) -> Option<Arith> {
    let f: fn(u64, u64, u64) -> u64 = match (opcode, words) {
        ("prmt", ["b32"]) => |a, b, c| permute(a, b, |i| (c >> (4 * i)) & 15),
        ("prmt", ["b32", "f4e"] | ["f4e", "b32"]) => |a, b, c| permute(a, b, |i| (c & 3) + i),
        ("prmt", ["b32", "b4e"] | ["b4e", "b32"]) => |a, b, c| permute(a, b, |i| ((c & 3) + 8 - i) & 7),
        ("prmt", ["b32", "rc8"] | ["rc8", "b32"]) => |a, b, c| permute(a, b, |_| c & 3),
        ("prmt", ["b32", "ecl"] | ["ecl", "b32"]) => |a, b, c| permute(a, b, |i| i.max(c & 3)),
        ("prmt", ["b32", "ecr"] | ["ecr", "b32"]) => |a, b, c| permute(a, b, |i| i.min(c & 3)),
        ("prmt", ["b32", "rc16"] | ["rc16", "b32"]) => |a, b, c| permute(a, b, |i| (c & 1) * 2 + (i & 1)),
        _ => return None,
    };
    Some(ternary(f, Class::B32, &[Class::B32; 3]))
}

/// Four bytes, the `i`-th chosen by `selector(i)`: byte 0 to 7 of a (0–3) and b (4–7); with bit 3 set, eight copies of that byte's sign.
fn permute(a: u64, b: u64, selector: impl Fn(u64) -> u64) -> u64 {
    let bytes = b << 32 | a & 0xffff_ffff;
    (0..4).fold(0, |result, i| {
        let selector = selector(i);
        let byte = bytes >> (8 * (selector & 7)) & 0xff;
        let byte = match selector & 8 {
            0 => byte,
            _ => (byte >> 7) * 0xff,
        };
        result | byte << (8 * i)
    })
}
