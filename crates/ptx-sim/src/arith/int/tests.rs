//! Integer arithmetic against Rust's own integers, and which instructions there are.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use proptest::prelude::*;

use crate::arith::{Arith, Fun, find};

/// What the instruction `name` with `sources` operands and one result computes; remembered, as property tests ask often.
pub(in crate::arith) fn try_op(name: &str, sources: usize) -> Option<Arith> {
    type Known = HashMap<(String, usize), Option<Arith>>;
    static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    *known.entry((name.to_owned(), sources)).or_insert_with(|| parse_and_find(name, sources))
}

fn parse_and_find(name: &str, sources: usize) -> Option<Arith> {
    let operands: Vec<String> = (0..=sources).map(|i| format!("%r{i}")).collect();
    let text = format!(
        ".version 8.5 .target sm_90a .address_size 64 .entry k() {{ .reg .b32 %r<9>; {name} {}; }}",
        operands.join(", ")
    );
    let module = ptx_parse::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
    let body = module.functions[0].body.as_ref().expect("an entry with a body");
    let instruction = body.iter().find_map(|statement| match statement {
        ptx_parse::ast::Statement::Instruction(instruction) => Some(instruction),
        _ => None,
    });
    find(instruction.expect("one instruction"))
}

/// The same, which must be known.
pub(in crate::arith) fn op(name: &str, sources: usize) -> Arith {
    try_op(name, sources).unwrap_or_else(|| panic!("{name} with {sources} sources is not known"))
}

impl Arith {
    /// Its result for as many operands as it takes.
    pub(in crate::arith) fn call(&self, operands: &[u64]) -> u64 {
        match (self.f, operands) {
            (Fun::F1(f), &[a]) => f(a),
            (Fun::F2(f), &[a, b]) => f(a, b),
            (Fun::F3(f), &[a, b, c]) => f(a, b, c),
            (Fun::F4(f), &[a, b, c, d]) => f(a, b, c, d),
            _ => panic!("{} operands for {:?}", operands.len(), self.src),
        }
    }
}

/// The configuration of property tests: no file of failures.
pub(in crate::arith) fn config() -> ProptestConfig {
    ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() }
}

/// Bits with many that are near the ends of some integer type.
pub(in crate::arith) fn word() -> impl Strategy<Value = u64> {
    let edge = (0_u32..64, -2_i64..=2).prop_map(|(bit, near)| (1_u64 << bit).wrapping_add_signed(near));
    let short = (any::<u64>(), 0_u32..64).prop_map(|(x, n)| x >> n);
    prop_oneof![any::<u64>(), edge, (-3_i64..=3).prop_map(|x| x as u64), short]
}

type Reference = fn(u64, u64, u64) -> u64;

/// Compares each named instruction of `sources` operands with its reference.
fn compare(sources: usize, table: &[(&str, Reference)]) {
    let operations: Vec<_> =
        table.iter().map(|&(name, reference)| (name, op(name, sources), reference)).collect();
    proptest!(config(), |(a in word(), b in word(), c in word())| {
        for (name, operation, want) in &operations {
            let got = operation.call(&[a, b, c][..sources]);
            prop_assert_eq!(got, want(a, b, c), "{} {:#x} {:#x} {:#x}", name, a, b, c);
        }
    });
}

/// `(name.type, |a, b, c| …)` for each of the types, where `T` in the expression is the Rust type.
macro_rules! for_types {
    ($name:literal, [$($suffix:literal $ty:ident),*], |$a:ident, $b:ident, $c:ident| $value:expr) => {
        vec![$((concat!($name, ".", $suffix), {
            type T = $ty;
            (|a, b, c| { let ($a, $b, $c) = (a as T, b as T, c as T); let _ = ($a, $b, $c); ($value) as u64 }) as Reference
        })),*]
    };
}
macro_rules! all_types {
    ($name:literal, |$a:ident, $b:ident, $c:ident| $value:expr) => {
        for_types!($name, ["u16" u16, "u32" u32, "u64" u64, "s16" i16, "s32" i32, "s64" i64], |$a, $b, $c| $value)
    };
}

#[test]
fn sums_products_and_extremes_are_those_of_rust() {
    let mut table = all_types!("add", |a, b, _c| a.wrapping_add(b));
    table.extend(all_types!("sub", |a, b, _c| a.wrapping_sub(b)));
    table.extend(all_types!("mul.lo", |a, b, _c| a.wrapping_mul(b)));
    table.extend(all_types!("min", |a, b, _c| a.min(b)));
    table.extend(all_types!("max", |a, b, _c| a.max(b)));
    table.extend(all_types!("div", |a, b, _c| if b == 0 { !0 } else { a.wrapping_div(b) }));
    table.extend(all_types!("rem", |a, b, _c| if b == 0 { !0 } else { a.wrapping_rem(b) }));
    table.extend(for_types!("add.sat", ["s32" i32], |a, b, _c| a.saturating_add(b)));
    table.extend(for_types!("sub.sat", ["s32" i32], |a, b, _c| a.saturating_sub(b)));
    table.extend(for_types!("min.relu", ["s32" i32], |a, b, _c| if a < 0 || b < 0 { 0 } else { a.min(b) }));
    table.extend(for_types!("max.relu", ["s32" i32], |a, b, _c| if a < 0 && b < 0 { 0 } else { a.max(b) }));
    compare(2, &table);
}

#[test]
fn one_operand_and_three_are_those_of_rust() {
    let signed_abs = for_types!("abs", ["s16" i16, "s32" i32, "s64" i64], |a, _b, _c| a.wrapping_abs());
    let signed_neg = for_types!("neg", ["s16" i16, "s32" i32, "s64" i64], |a, _b, _c| a.wrapping_neg());
    compare(1, &signed_abs);
    compare(1, &signed_neg);
    let mut table = all_types!("mad.lo", |a, b, c| a.wrapping_mul(b).wrapping_add(c));
    table.extend(all_types!("sad", |a, b, c| c.wrapping_add(a.abs_diff(b) as T)));
    compare(3, &table);
}

#[test]
fn upper_halves_are_those_of_wider_products() {
    let mut products = for_types!("mul.hi", ["u16" u16, "u32" u32, "u64" u64], |a, b, _c| {
        (u128::from(a) * u128::from(b)) >> T::BITS
    });
    products.extend(for_types!("mul.hi", ["s16" i16, "s32" i32, "s64" i64], |a, b, _c| {
        (i128::from(a) * i128::from(b)) >> T::BITS
    }));
    products.extend(for_types!("mul.wide", ["u16" u16, "u32" u32], |a, b, _c| u64::from(a) * u64::from(b)));
    products.extend(for_types!("mul.wide", ["s16" i16, "s32" i32], |a, b, _c| i64::from(a) * i64::from(b)));
    compare(2, &products);
    let mut sums = for_types!("mad.hi", ["u16" u16, "u32" u32, "u64" u64], |a, b, c| {
        (((u128::from(a) * u128::from(b)) >> T::BITS) as T).wrapping_add(c)
    });
    sums.extend(for_types!("mad.hi", ["s16" i16, "s32" i32, "s64" i64], |a, b, c| {
        (((i128::from(a) * i128::from(b)) >> T::BITS) as T).wrapping_add(c)
    }));
    sums.extend(for_types!("mad.hi.sat", ["s32" i32], |a, b, c| {
        (((i64::from(a) * i64::from(b)) >> 32) as i32).saturating_add(c)
    }));
    compare(3, &sums);
    compare(
        3,
        &[
            ("mad.wide.u16", |a, b, c| ((a as u16 as u32) * (b as u16 as u32)).wrapping_add(c as u32).into()),
            ("mad.wide.s16", |a, b, c| ((a as i16 as i32) * (b as i16 as i32)).wrapping_add(c as i32) as u64),
            ("mad.wide.u32", |a, b, c| ((a as u32 as u64) * (b as u32 as u64)).wrapping_add(c)),
            ("mad.wide.s32", |a, b, c| ((a as i32 as i64) * (b as i32 as i64)).wrapping_add(c as i64) as u64),
        ],
    );
}

/// The low 24 bits.
fn u24(x: u64) -> u64 {
    x & 0xff_ffff
}

/// The low 24 bits with their sign.
fn s24(x: u64) -> i64 {
    let low = (x & 0xff_ffff) as i64;
    if low >= 1 << 23 { low - (1 << 24) } else { low }
}

#[test]
fn products_of_24_bits() {
    compare(
        2,
        &[
            ("mul24.lo.u32", |a, b, _| u24(a) * u24(b) % (1 << 32)),
            ("mul24.hi.u32", |a, b, _| (u24(a) * u24(b)) >> 16),
            ("mul24.lo.s32", |a, b, _| (s24(a) * s24(b)) as i32 as u64),
            ("mul24.hi.s32", |a, b, _| ((s24(a) * s24(b)) >> 16) as i32 as u64),
        ],
    );
    compare(
        3,
        &[
            ("mad24.lo.s32", |a, b, c| ((s24(a) * s24(b)) as i32).wrapping_add(c as i32) as u64),
            ("mad24.hi.u32", |a, b, c| (((u24(a) * u24(b)) >> 16) as u32).wrapping_add(c as u32).into()),
            ("mad24.hi.sat.s32", |a, b, c| {
                (((s24(a) * s24(b)) >> 16) as i32).saturating_add(c as i32) as u64
            }),
        ],
    );
}

#[test]
fn pairs_of_16_bits_do_not_carry_into_each_other() {
    type Half = fn(i16, i16) -> i16;
    let table: [(&str, Half); 8] = [
        ("add.u16x2", i16::wrapping_add),
        ("add.s16x2", i16::wrapping_add),
        ("min.s16x2", |a, b| a.min(b)),
        ("max.s16x2", |a, b| a.max(b)),
        ("min.u16x2", |a, b| (a as u16).min(b as u16) as i16),
        ("max.u16x2", |a, b| (a as u16).max(b as u16) as i16),
        ("min.relu.s16x2", |a, b| a.min(b).max(0)),
        ("max.relu.s16x2", |a, b| a.max(b).max(0)),
    ];
    proptest!(config(), |(a in word(), b in word())| {
        for (name, half) in table {
            let part = |shift: u32| u64::from(half((a >> shift) as i16, (b >> shift) as i16) as u16) << shift;
            prop_assert_eq!(op(name, 2).call(&[a, b]), part(0) | part(16), "{} {:#x} {:#x}", name, a, b);
        }
    });
}

#[test]
fn dot_products_of_bytes() {
    fn value(bits: u64, width: u32, signed: bool) -> i64 {
        let low = (bits & ((1 << width) - 1)) as i64;
        if signed && low >> (width - 1) == 1 { low - (1 << width) } else { low }
    }
    proptest!(config(), |(a in word(), b in word(), c in word(), a_signed: bool, b_signed: bool, high: bool)| {
        let ty = |signed| if signed { "s32" } else { "u32" };
        let extend = |sum: i64| if a_signed || b_signed { sum as i32 as u64 } else { (sum as u32).into() };
        let start = value(c, 32, a_signed || b_signed);
        let bytes: i64 = (0..4).map(|i| value(a >> (8 * i), 8, a_signed) * value(b >> (8 * i), 8, b_signed)).sum();
        let name = format!("dp4a.{}.{}", ty(a_signed), ty(b_signed));
        prop_assert_eq!(op(&name, 3).call(&[a, b, c]), extend(start + bytes), "{}", name);
        let first = if high { 2 } else { 0 };
        let halves: i64 =
            (0..2).map(|i| value(a >> (16 * i), 16, a_signed) * value(b >> (8 * (i + first)), 8, b_signed)).sum();
        let name = format!("dp2a.{}.{}.{}", if high { "hi" } else { "lo" }, ty(a_signed), ty(b_signed));
        prop_assert_eq!(op(&name, 3).call(&[a, b, c]), extend(start + halves), "{}", name);
    });
}

#[test]
fn what_gpu_std_wraps_is_found() {
    const FAMILIES: &str = "
        abs add and bfe bfi bfind bmsk brev clz cnot cvt div dp2a dp4a fns lop3 mad mad24 max min mul mul24 neg not or popc
        prmt rem sad selp shf shl shr slct sub szext xor
    ";
    const FLOATS: [&str; 6] = ["f16", "bf16", "f16x2", "bf16x2", "f32", "f64"];
    let table = include_str!("../../../../../tests/kernels/instructions/src/pure.rs");
    let names = table.split('"').skip(1).step_by(2).filter(|name| {
        let words: Vec<_> = name.split('.').collect();
        let is_float = words.last().is_some_and(|ty| FLOATS.contains(ty));
        FAMILIES.split_whitespace().any(|family| family == words[0]) && (words[0] == "cvt" || !is_float)
    });
    let mut count = 0;
    for name in names {
        assert!((1..=4).any(|sources| try_op(name, sources).is_some()), "{name}");
        count += 1;
    }
    assert!(count > 150, "only {count} of them");
}

#[test]
fn only_divisions_say_so() {
    for name in ["div.u16", "div.s32", "rem.u64", "rem.s64"] {
        assert!(op(name, 2).divides, "{name}");
    }
    for name in ["add.u32", "mul.lo.s64", "min.s16"] {
        assert!(!op(name, 2).divides, "{name}");
    }
}

#[test]
fn what_the_isa_does_not_have_is_not_found() {
    let two = [
        "add.cc.u32",
        "addc.u32",
        "sub.cc.s32",
        "subc.u32",
        "add.sat.u32",
        "add.sat.s64",
        "add.u8",
        "add.b32",
        "sub.u16x2",
        "mul.s32",
        "mul.wide.u64",
        "mul.hi.sat.s32",
        "mul24.lo.u64",
        "div.sat.s32",
        "min.relu.u32",
        "min.relu.s64",
        "min.relu.u16x2",
        "rem.lo.s32",
    ];
    for name in two {
        assert!(try_op(name, 2).is_none(), "{name}");
    }
    for name in
        ["mad.lo.cc.u32", "madc.lo.u32", "mad.hi.sat.u32", "mad.lo.sat.s32", "mad.s32", "sad.u8", "dp4a.u32"]
    {
        assert!(try_op(name, 3).is_none(), "{name}");
    }
    for name in ["abs.u32", "neg.u16", "abs.s8"] {
        assert!(try_op(name, 1).is_none(), "{name}");
    }
    assert!(try_op("add.u32", 3).is_none(), "three sources");
    assert!(try_op("mad.lo.u32", 2).is_none(), "two sources");
}
