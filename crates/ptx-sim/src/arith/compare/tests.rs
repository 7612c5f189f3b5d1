use super::super::oracle::{edges, f2, f3, instruction, known};
use super::*;

fn setp(name: &str) -> Comparison {
    comparison(&instruction(name, "%p, %a, %b")).unwrap_or_else(|| panic!("{name} is unknown"))
}

/// What each floating-point operator says of less, equal, greater and unordered operands.
const FLOAT: [(&str, [bool; 4]); 14] = [
    ("eq", [false, true, false, false]),
    ("ne", [true, false, true, false]),
    ("lt", [true, false, false, false]),
    ("le", [true, true, false, false]),
    ("gt", [false, false, true, false]),
    ("ge", [false, true, true, false]),
    ("equ", [false, true, false, true]),
    ("neu", [true, false, true, true]),
    ("ltu", [true, false, false, true]),
    ("leu", [true, true, false, true]),
    ("gtu", [false, false, true, true]),
    ("geu", [false, true, true, true]),
    ("num", [true, true, true, false]),
    ("nan", [false, false, false, true]),
];

/// A type's name, its format, and the value of its bits.
type FloatType = (&'static str, Format, fn(u64) -> f64);

fn place(a: f64, b: f64) -> usize {
    match a.partial_cmp(&b) {
        Some(order) => (order as i8 + 1) as usize,
        None => 3,
    }
}

#[test]
fn floats_of_edges() {
    let types: [FloatType; 4] = [
        ("f32", Format::F32, |x| f32::from_bits(x as u32).into()),
        ("f64", Format::F64, f64::from_bits),
        ("f16", Format::F16, half::widen::<false>),
        ("bf16", Format::BF16, half::widen::<true>),
    ];
    for (ty, format, value) in types {
        for (operator, holds) in FLOAT {
            let f = setp(&format!("setp.{operator}.{ty}")).holds;
            let flushing =
                matches!(ty, "f32" | "f16").then(|| setp(&format!("setp.{operator}.ftz.{ty}")).holds);
            for a in edges(format) {
                for b in edges(format) {
                    assert_eq!(f(a, b), holds[place(value(a), value(b))], "{operator}.{ty} {a:#x} {b:#x}");
                    if let Some(flushing) = flushing {
                        let want = holds[place(value(format.flush(a)), value(format.flush(b)))];
                        assert_eq!(flushing(a, b), want, "{operator}.ftz.{ty} {a:#x} {b:#x}");
                    }
                }
            }
        }
    }
}

#[test]
fn integers_look_at_their_own_bits() {
    let operators = |a: i128, b: i128| {
        [("eq", a == b), ("ne", a != b), ("lt", a < b), ("le", a <= b), ("gt", a > b), ("ge", a >= b)]
    };
    let values =
        [0, 1, 0x7fff, 0x8000, 0xffff, 0x1_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 1 << 63, u64::MAX];
    for (width, class) in [(16, Class::B16), (32, Class::B32), (64, Class::B64)] {
        for a in values {
            for b in values {
                let unsigned = |x: u64| i128::from(x) & ((1_i128 << width) - 1);
                let signed = |x: u64| unsigned(x) - (unsigned(x) >> (width - 1) << width);
                for (operator, want) in operators(unsigned(a), unsigned(b)) {
                    let f = setp(&format!("setp.{operator}.u{width}"));
                    assert_eq!((f.holds)(a, b), want, "{operator}.u{width} {a:#x} {b:#x}");
                    assert_eq!((f.class, f.combine), (class, None));
                }
                for (operator, want) in operators(signed(a), signed(b)) {
                    let f = setp(&format!("setp.{operator}.s{width}"));
                    assert_eq!((f.holds)(a, b), want, "{operator}.s{width} {a:#x} {b:#x}");
                }
                for (operator, same) in [("lo", "lt"), ("ls", "le"), ("hi", "gt"), ("hs", "ge")] {
                    let f = setp(&format!("setp.{operator}.u{width}"));
                    assert_eq!((f.holds)(a, b), (setp(&format!("setp.{same}.u{width}")).holds)(a, b));
                }
                assert_eq!((setp(&format!("setp.eq.b{width}")).holds)(a, b), unsigned(a) == unsigned(b));
                assert_eq!((setp(&format!("setp.ne.b{width}")).holds)(a, b), unsigned(a) != unsigned(b));
            }
        }
    }
}

#[test]
fn booleans_join() {
    let all = [("and", Combine::And), ("or", Combine::Or), ("xor", Combine::Xor)];
    for (word, combine) in all {
        let name = format!("setp.lt.{word}.ftz.f32");
        let found = comparison(&instruction(&name, "%p|%q, %a, %b, !%c"));
        assert_eq!(found.map(|c| c.combine), Some(Some(combine)));
        for test in [false, true] {
            for c in [false, true] {
                let want = match word {
                    "and" => test & c,
                    "or" => test | c,
                    _ => test ^ c,
                };
                assert_eq!(combine.apply(test.into(), c.into()) == 1, want);
                let set = f3(&format!("set.eq.{word}.u32.s32"));
                assert_eq!(set(u64::from(test), 1, u64::from(c)), if want { 0xffff_ffff } else { 0 });
                let set = f3(&format!("set.eq.{word}.f16x2.f16x2"));
                let lanes = if test { 0x3c00_3c00 } else { 0x4000_4000 };
                assert_eq!(set(lanes, 0x3c00_3c00, u64::from(c)), if want { 0x3c00_3c00 } else { 0 });
            }
        }
    }
}

#[test]
fn packed_comparisons_are_lane_by_lane() {
    let two = |name: &str| comparison_x2(&instruction(name, "%p|%q, %a, %b")).map(|c| c.holds);
    // Low: 1 and 2; high: 2 and NaN.
    let (a, b) = (0x4000_3c00, 0x7e00_4000);
    assert_eq!(two("setp.lt.f16x2").map(|f| f(a, b)), Some([true, false]));
    assert_eq!(two("setp.gtu.f16x2").map(|f| f(a, b)), Some([false, true]));
    assert_eq!(two("setp.eq.ftz.f16x2").map(|f| f(0x8001_0002, 0x0000_8000)), Some([true, true]));
    assert_eq!(two("setp.eq.f16x2").map(|f| f(0x8001_0002, 0x8001_8000)), Some([false, true]));
    assert_eq!(two("setp.le.bf16x2").map(|f| f(0x3f80_c000, 0x3f80_0000)), Some([true, true]));
    assert!(two("setp.lt.ftz.bf16x2").is_none());
    assert!(two("setp.lt.f16").is_none());
    assert!(comparison(&instruction("setp.lt.f16x2", "%p|%q, %a, %b")).is_none());
}

#[test]
fn set_writes_ones_of_its_type() {
    for (name, want) in [
        ("set.le.u32.f32", 0xffff_ffff),
        ("set.le.s32.f64", u64::MAX),
        ("set.le.f32.s64", 0x3f80_0000),
        ("set.ls.f32.u16", 0x3f80_0000),
        ("set.le.f16.u32", 0x3c00),
        ("set.le.bf16.f32", 0x3f80),
        ("set.le.u16.f16", 0xffff),
        ("set.le.s16.bf16", u64::MAX),
        ("set.leu.f16x2.f16x2", 0x3c00_3c00),
        ("set.le.bf16x2.bf16x2", 0x3f80_3f80),
        ("set.le.u32.f16x2", 0xffff_ffff),
        ("set.le.s32.bf16x2", u64::MAX),
    ] {
        assert_eq!(f2(name)(0, 0), want, "{name}");
    }
    assert_eq!(f2("set.ne.u32.b32")(5, 5), 0);
    assert_eq!(f2("set.lt.u32.f16x2")(0x3c00_0000, 0x3c00_3c00), 0xffff);
    assert_eq!(f2("set.lt.s32.f16x2")(0x0000_3c00, 0x3c00_3c00), 0xffff_ffff_ffff_0000);
    let set = known("set.lt.and.f32.s64", "%d, %a, %b, %c").expect("it is known");
    assert_eq!((set.dst, set.src), (Class::B32, [Class::B64, Class::B64, Class::Pred].as_slice()));
}

#[test]
fn what_the_isa_does_not_have_is_unknown() {
    for name in [
        "setp.lt.b32",
        "setp.lo.s32",
        "setp.num.s32",
        "setp.lo.f32",
        "setp.lt.ftz.f64",
        "setp.lt.ftz.s32",
        "setp.lt.ftz.bf16",
        "setp.lt.u8",
        "setp.lt.and.or.f32",
        "setp.f32",
    ] {
        assert!(comparison(&instruction(name, "%p, %a, %b")).is_none(), "{name}");
    }
    for name in ["set.lt.u64.f32", "set.lt.u16.f32", "set.lt.f32.f16", "set.lt.f16x2.f16", "set.lt.f64.f64"] {
        assert!(known(name, "%d, %a, %b").is_none(), "{name}");
    }
}
