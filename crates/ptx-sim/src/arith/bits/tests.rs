//! Instructions on bits against loops over bits, as the ISA's pseudocode has them.

use proptest::prelude::*;

use super::super::compare::Combine;
use super::super::oracle::instruction;
use crate::arith::Class;
use crate::arith::int::tests::{config, op, try_op, word};

/// `i` of `x`.
fn bit(x: u64, i: u32) -> bool {
    i < 64 && x >> i & 1 == 1
}

/// The number with the bits 0 to `width - 1` that `f` says.
fn from_bits(width: u32, f: impl Fn(u32) -> bool) -> u64 {
    (0..width).filter(|&i| f(i)).map(|i| 1_u64 << i).sum()
}

/// `bits` of `width` extended by sign.
fn sign_extended(bits: u64, width: u32) -> u64 {
    from_bits(64, |i| bit(bits, i.min(width - 1)))
}

/// A count or position: mostly within and just above the width.
fn small() -> impl Strategy<Value = u64> {
    prop_oneof![0_u64..70, word()]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn logic_is_bit_by_bit(a in word(), b in word(), c in word(), table in 0_u64..256) {
        for (width, ty) in [(16, "b16"), (32, "b32"), (64, "b64"), (1, "pred")] {
            let two = |name: &str| op(&format!("{name}.{ty}"), 2).call(&[a, b]);
            prop_assert_eq!(two("and"), from_bits(width, |i| bit(a, i) && bit(b, i)));
            prop_assert_eq!(two("or"), from_bits(width, |i| bit(a, i) || bit(b, i)));
            prop_assert_eq!(two("xor"), from_bits(width, |i| bit(a, i) != bit(b, i)));
            prop_assert_eq!(op(&format!("not.{ty}"), 1).call(&[a]), from_bits(width, |i| !bit(a, i)));
        }
        let want = from_bits(32, |i| {
            let index = u32::from(bit(a, i)) * 4 + u32::from(bit(b, i)) * 2 + u32::from(bit(c, i));
            bit(table, index)
        });
        prop_assert_eq!(op("lop3.b32", 4).call(&[a, b, c, table]), want);
    }

    #[test]
    fn shifts_beyond_the_width_leave_zeros_or_signs(a in word(), n in small()) {
        let amount = (n & 0xffff_ffff).min(100) as u32;
        for width in [16, 32, 64] {
            let call = |name: &str, ty: char| op(&format!("{name}.{ty}{width}"), 2).call(&[a, n]);
            let left = from_bits(width, |i| i >= amount && bit(a, i - amount));
            let right = from_bits(width, |i| i + amount < width && bit(a, i + amount));
            let signed = from_bits(width, |i| bit(a, (i + amount).min(width - 1)));
            prop_assert_eq!(call("shl", 'b'), left);
            prop_assert_eq!(call("shr", 'b'), right);
            prop_assert_eq!(call("shr", 'u'), right);
            prop_assert_eq!(call("shr", 's'), sign_extended(signed, width));
        }
    }

    #[test]
    fn funnel_shifts_take_bits_from_the_other_register(a in word(), b in word(), n in small()) {
        let pair = |i: u32| if i < 32 { bit(a, i) } else { i < 64 && bit(b, i - 32) };
        for (mode, amount) in [("wrap", (n & 31) as u32), ("clamp", (n & 0xffff_ffff).min(32) as u32)] {
            let left = from_bits(32, |i| pair(32 + i - amount));
            let right = from_bits(32, |i| pair(i + amount));
            prop_assert_eq!(op(&format!("shf.l.{mode}.b32"), 3).call(&[a, b, n]), left);
            prop_assert_eq!(op(&format!("shf.r.{mode}.b32"), 3).call(&[a, b, n]), right);
        }
    }

    #[test]
    fn fields_are_taken_and_put_bit_by_bit(a in word(), b in word(), position in small(), length in small()) {
        let (from, n) = (position as u32 & 0xff, length as u32 & 0xff);
        for width in [32, 64] {
            let top = width - 1;
            let sign = n > 0 && bit(a, (from + n).saturating_sub(1).min(top));
            let field = |fill: bool| from_bits(width, |i| if i < n && from + i <= top { bit(a, from + i) } else { fill });
            let call = |ty: char| op(&format!("bfe.{ty}{width}"), 3).call(&[a, position, length]);
            prop_assert_eq!(call('u'), field(false));
            prop_assert_eq!(call('s'), sign_extended(field(sign), width));
            let put = from_bits(width, |i| if i >= from && i < from + n { bit(a, i - from) } else { bit(b, i) });
            prop_assert_eq!(op(&format!("bfi.b{width}"), 4).call(&[a, b, position, length]), put);
        }
    }

    #[test]
    fn counts_and_positions(a in word(), small_a in small()) {
        for a in [a, small_a, !small_a] {
            for width in [32, 64] {
                let call = |name: &str| op(&format!("{name}{width}"), 1).call(&[a]);
                let highest = |wanted: bool| (0..width).rev().find(|&i| bit(a, i) == wanted);
                let signed = highest(!bit(a, width - 1));
                let none = u64::from(u32::MAX);
                prop_assert_eq!(call("clz.b"), u64::from(highest(true).map_or(width, |i| width - 1 - i)));
                prop_assert_eq!(call("popc.b"), (0..width).filter(|&i| bit(a, i)).count() as u64);
                prop_assert_eq!(call("brev.b"), from_bits(width, |i| bit(a, width - 1 - i)));
                prop_assert_eq!(call("bfind.u"), highest(true).map_or(none, u64::from));
                prop_assert_eq!(call("bfind.s"), signed.map_or(none, u64::from));
                prop_assert_eq!(call("bfind.shiftamt.u"), highest(true).map_or(none, |i| (width - 1 - i).into()));
                prop_assert_eq!(call("bfind.shiftamt.s"), signed.map_or(none, |i| (width - 1 - i).into()));
            }
        }
        for width in [16, 32, 64] {
            let zero = (0..width).all(|i| !bit(a, i));
            prop_assert_eq!(op(&format!("cnot.b{width}"), 1).call(&[a]), u64::from(zero));
        }
    }

    #[test]
    fn extensions_and_masks(a in word(), position in small(), n in small()) {
        for (mode, limit) in [("wrap", (n & 31) as u32), ("clamp", (n & 0xffff_ffff).min(32) as u32)] {
            let field = |fill: bool| from_bits(32, |i| if i < limit { bit(a, i) } else { fill });
            let signed = if limit == 0 { 0 } else { sign_extended(field(bit(a, limit - 1)), 32) };
            prop_assert_eq!(op(&format!("szext.{mode}.u32"), 2).call(&[a, n]), field(false));
            prop_assert_eq!(op(&format!("szext.{mode}.s32"), 2).call(&[a, n]), signed);
            let start = if mode == "wrap" { position & 31 } else { position & 0xffff_ffff };
            let mask = from_bits(32, |i| u64::from(i) >= start && u64::from(i) < start + u64::from(limit));
            prop_assert_eq!(op(&format!("bmsk.{mode}.b32"), 2).call(&[position, n]), mask);
        }
    }

    #[test]
    fn nth_set_bit_is_the_isas_loop(mask in word(), base in small(), offset in -40_i32..40) {
        let mut want = u32::MAX;
        let position = base as u32;
        if offset == 0 {
            if position < 32 && bit(mask, position) {
                want = position;
            }
        } else {
            let (mut position, mut count) = (i64::from(position), offset.abs() - 1);
            while (0..32).contains(&position) {
                if bit(mask, position as u32) && count == 0 {
                    want = position as u32;
                    break;
                }
                count -= i32::from(bit(mask, position as u32));
                position += i64::from(offset.signum());
            }
        }
        prop_assert_eq!(op("fns.b32", 3).call(&[mask, base, offset as u32 as u64]), u64::from(want));
    }

    #[test]
    fn selections_take_one_side(a in word(), b in word(), p: bool, c in word()) {
        let by_float = f32::from_bits(c as u32) >= 0.0;
        let flushed = f32::from_bits(c as u32).is_subnormal();
        let choose = |first: bool, width: u32, ty: &str| {
            let bits = from_bits(width, |i| bit(if first { a } else { b }, i));
            if ty.starts_with('s') { sign_extended(bits, width) } else { bits }
        };
        for ty in ["b16", "b32", "b64", "u16", "u32", "u64", "s16", "s32", "s64", "f32", "f64"] {
            let width = ty[1..].parse()?;
            let call = |name: &str, last: u64| op(name, 3).call(&[a, b, last]);
            prop_assert_eq!(call(&format!("selp.{ty}"), p.into()), choose(p, width, ty));
            prop_assert_eq!(call(&format!("slct.{ty}.s32"), c), choose(!bit(c, 31), width, ty));
            prop_assert_eq!(call(&format!("slct.{ty}.f32"), c), choose(by_float, width, ty));
            prop_assert_eq!(call(&format!("slct.ftz.{ty}.f32"), c), choose(by_float || flushed, width, ty));
        }
    }

    #[test]
    fn permutations_are_the_isas_tables(a: u32, b: u32, c: u32) {
        let bytes = [a.to_le_bytes(), b.to_le_bytes()].concat();
        let call = |mode: &str| op(&format!("prmt.b32{mode}"), 3).call(&[a.into(), b.into(), c.into()]);
        let take = |order: [usize; 4]| u64::from(u32::from_le_bytes(order.map(|i| bytes[i])));
        let free = (0..4).map(|i| {
            let selector = c >> (4 * i) & 15;
            let byte = bytes[selector as usize & 7];
            let chosen = if selector & 8 == 0 { byte } else if byte >= 0x80 { 0xff } else { 0 };
            u64::from(chosen) << (8 * i)
        });
        prop_assert_eq!(call(""), free.sum::<u64>());
        // Lowest byte first; the ISA lists the highest first.
        let at = (c & 3) as usize;
        prop_assert_eq!(call(".f4e"), take([[0, 1, 2, 3], [1, 2, 3, 4], [2, 3, 4, 5], [3, 4, 5, 6]][at]));
        prop_assert_eq!(call(".b4e"), take([[0, 7, 6, 5], [1, 0, 7, 6], [2, 1, 0, 7], [3, 2, 1, 0]][at]));
        prop_assert_eq!(call(".rc8"), take([at; 4]));
        prop_assert_eq!(call(".ecl"), take([[0, 1, 2, 3], [1, 1, 2, 3], [2, 2, 2, 3], [3, 3, 3, 3]][at]));
        prop_assert_eq!(call(".ecr"), take([[0, 0, 0, 0], [0, 1, 1, 1], [0, 1, 2, 2], [0, 1, 2, 3]][at]));
        prop_assert_eq!(call(".rc16"), take([[0, 1, 0, 1], [2, 3, 2, 3], [0, 1, 0, 1], [2, 3, 2, 3]][at]));
    }
}

#[test]
fn classes_tell_the_width_of_each_operand() {
    let shift = op("shl.b64", 2);
    assert_eq!((shift.dst, shift.src), (Class::B64, &[Class::B64, Class::B32][..]));
    let select = op("selp.b16", 3);
    assert_eq!((select.dst, select.src), (Class::B16, &[Class::B16, Class::B16, Class::Pred][..]));
    let insert = op("bfi.b64", 4);
    assert_eq!(insert.src, &[Class::B64, Class::B64, Class::B32, Class::B32]);
    let count = op("popc.b64", 1);
    assert_eq!((count.dst, count.src), (Class::B32, &[Class::B64][..]));
}

#[test]
fn lop3_joins_with_a_predicate_by_and_and_or() {
    let combine = |name: &str, operands: &str| super::lop3_combine(&instruction(name, operands));
    let six = "%d|%p, %a, %b, %c, 0x80, %q";
    assert_eq!(combine("lop3.and.b32", six), Some(Combine::And));
    assert_eq!(combine("lop3.or.b32", six), Some(Combine::Or));
    for name in ["lop3.xor.b32", "lop3.and.b64", "lop3.b32"] {
        assert_eq!(combine(name, six), None, "{name}");
    }
    assert_eq!(combine("and.b32", "%d, %a, %b"), None);
}

#[test]
fn what_the_isa_does_not_have_is_not_found() {
    let names = [
        ("and.u32", 2),
        ("and.b8", 2),
        ("cnot.pred", 1),
        ("shl.u32", 2),
        ("shl.s32", 2),
        ("shr.b8", 2),
        ("shf.l.b32", 3),
        ("shf.l.wrap.b64", 3),
        ("bfe.b32", 3),
        ("bfe.u16", 3),
        ("bfi.u32", 4),
        ("clz.u32", 1),
        ("popc.b16", 1),
        ("bfind.b32", 1),
        ("bfind.shiftamt.b64", 1),
        ("fns.b64", 3),
        ("prmt.b64", 3),
        ("selp.pred", 3),
        ("selp.f16", 3),
        ("slct.u32.u32", 3),
        ("slct.ftz.u32.s32", 3),
        ("szext.u32", 2),
        ("bmsk.b32", 2),
        ("lop3.or.b32", 5),
        ("lop3.b64", 4),
        ("lop3.b32", 5),
    ];
    for (name, sources) in names {
        assert!(try_op(name, sources).is_none(), "{name}");
    }
}
