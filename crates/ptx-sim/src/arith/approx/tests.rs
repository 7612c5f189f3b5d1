use super::super::oracle::{edges, f1, f2, instruction, known, operand};
use super::bound::bound;
use super::*;
use proptest::prelude::*;

const INFINITY: u64 = 0x7f80_0000;
const MINUS: u64 = 0x8000_0000;
const ONE: u64 = 0x3f80_0000;
const NAN: u64 = 0x7fff_ffff;
/// A function computed in f64.
type True = fn(f64) -> f64;
/// Subnormal.
const TINY: u64 = 1;

fn x(bits: u64) -> f64 {
    f32::from_bits(bits as u32).into()
}

#[test]
fn special_values_of_the_isa_tables() {
    // -inf, -0, +0, +inf, NaN.
    let inputs = [INFINITY | MINUS, MINUS, 0, INFINITY, 0x7fc0_0001];
    for (function, want) in [
        ("rcp", [MINUS, INFINITY | MINUS, INFINITY, 0, NAN]),
        ("sqrt", [NAN, MINUS, 0, INFINITY, NAN]),
        ("rsqrt", [NAN, INFINITY | MINUS, INFINITY, 0, NAN]),
        ("sin", [NAN, MINUS, 0, NAN, NAN]),
        ("cos", [NAN, ONE, ONE, NAN, NAN]),
        ("lg2", [NAN, INFINITY | MINUS, INFINITY | MINUS, INFINITY, NAN]),
        ("ex2", [0, ONE, ONE, INFINITY, NAN]),
        ("tanh", [ONE | MINUS, MINUS, 0, ONE, NAN]),
    ] {
        assert_eq!(inputs.map(f1(&format!("{function}.approx.f32"))), want, "{function}");
        if function != "tanh" {
            let flushing = f1(&format!("{function}.approx.ftz.f32"));
            assert_eq!(inputs.map(flushing), want, "{function}.ftz");
            assert_eq!(flushing(TINY | MINUS), flushing(MINUS), "{function}.ftz");
            assert_eq!(flushing(0x007f_ffff), flushing(0), "{function}.ftz");
        }
    }
    for function in ["sqrt", "rsqrt", "lg2"] {
        assert_eq!(f1(&format!("{function}.approx.f32"))(ONE | MINUS), NAN, "{function}");
        assert_eq!(f1(&format!("{function}.approx.f32"))(TINY | MINUS), NAN, "{function}");
    }
}

#[test]
fn subnormal_operands_and_results() {
    assert_eq!(x(f1("lg2.approx.f32")(TINY)), -149.0);
    assert_eq!(x(f1("rsqrt.approx.f32")(TINY)), f64::from(2_f32.powf(74.5)));
    assert_eq!(f1("ex2.approx.f32")((-140.0_f32).to_bits().into()), 1 << 9);
    assert_eq!(f1("ex2.approx.ftz.f32")((-140.0_f32).to_bits().into()), 0);
    assert_eq!(f1("sin.approx.f32")(TINY), TINY);
    assert_eq!(f1("tanh.approx.f32")(TINY | MINUS), TINY | MINUS);
    assert_eq!(f1("rcp.approx.f32")(2_f32.powi(127).to_bits().into()), 1 << 22);
    assert_eq!(f1("rcp.approx.ftz.f32")((-2_f32.powi(127)).to_bits().into()), MINUS);
    assert_eq!(f1("rcp.approx.f32")(TINY), INFINITY);
}

#[test]
fn division_by_large_numbers() {
    let bits = |x: f32| u64::from(x.to_bits());
    let above = 2_f32.powi(126).next_up();
    for flags in ["", ".ftz"] {
        let f = f2(&format!("div.approx{flags}.f32"));
        assert_eq!(f(bits(1.0), bits(above)), 0);
        assert_eq!(f(bits(-1.0), bits(f32::MAX)), MINUS);
        assert_eq!(f(bits(f32::MAX), bits(-above)), MINUS);
        assert_eq!(f(INFINITY, bits(above)), NAN);
        assert_eq!(f(bits(2.0), bits(2_f32.powi(126))), bits(2_f32.powi(-125)));
        assert_eq!(f(INFINITY, INFINITY), NAN);
        assert_eq!(f(bits(-1.0), INFINITY), MINUS);
        assert_eq!(f(bits(1.0), MINUS), INFINITY | MINUS);
        assert_eq!(f(0, 0), NAN);
    }
    assert_eq!(f2("div.full.f32")(bits(f32::MAX), bits(f32::MAX)), ONE);
    assert_eq!(f2("div.full.f32")(bits(1.0), bits(2_f32.powi(127))), 1 << 22);
    assert_eq!(f2("div.full.ftz.f32")(bits(1.0), bits(2_f32.powi(127))), 0);
    assert_eq!(f2("div.full.ftz.f32")(bits(1.0), TINY | MINUS), INFINITY | MINUS);
}

#[test]
fn functions_of_the_upper_half() {
    let bits = |x: f64| x.to_bits();
    let rcp = f1("rcp.approx.ftz.f64");
    assert_eq!(rcp(bits(4.0)), bits(0.25));
    assert_eq!(rcp(bits(4.0) | 0xffff_ffff), bits(0.25));
    assert_eq!(rcp(bits(3.0)) & 0xffff_ffff, 0);
    assert!((f64::from_bits(rcp(bits(3.0))) * 3.0 - 1.0).abs() < 2_f64.powi(-20));
    assert_eq!(rcp(1 << 40), bits(f64::INFINITY));
    assert_eq!(rcp(bits(-0.0)), bits(f64::NEG_INFINITY));
    assert_eq!(rcp(bits(f64::NEG_INFINITY)), bits(-0.0));
    assert_eq!(rcp(bits(-f64::MAX)), bits(-0.0));
    assert_eq!(rcp(bits(f64::NAN)), 0x7fff_ffff_0000_0000);
    let rsqrt = f1("rsqrt.approx.ftz.f64");
    assert_eq!(rsqrt(bits(16.0)), bits(0.25));
    assert_eq!(rsqrt(bits(-1.0)), 0x7fff_ffff_0000_0000);
    assert_eq!(rsqrt(1 << 63 | 1 << 40), bits(f64::NEG_INFINITY));
    assert_eq!(f1("rsqrt.approx.f64")(bits(16.0)), bits(0.25));
    assert_eq!(f1("rsqrt.approx.f64")(bits(-16.0)), 0xfff8_0000_0000_0000);
}

#[test]
fn every_f16_and_bf16() {
    for (ty, format) in [("f16", Format::F16), ("bf16", Format::BF16)] {
        let value = |bits| if ty == "f16" { widen::<false>(bits) } else { widen::<true>(bits) };
        let ex2 = if ty == "f16" { "ex2.approx.f16" } else { "ex2.approx.ftz.bf16" };
        for (name, f) in [(ex2, f64::exp2 as True), (&format!("tanh.approx.{ty}"), f64::tanh)] {
            let bound = bound(&instruction(name, "%d, %a")).expect("there is one");
            assert_eq!(bound.format, format);
            let function = f1(name);
            for bits in 0..=0xffff_u64 {
                let input = if bound.ftz { format.flush(bits) } else { bits };
                let x = value(input);
                assert!(bound.allows(x, f(x), function(bits)), "{name} {bits:#x}");
                assert!(!format.is_nan(bits) || function(bits) == 0x7fff, "{name} {bits:#x}");
            }
        }
    }
    assert_eq!(f1("ex2.approx.f16")(0xfc00), 0);
    assert_eq!(f1("ex2.approx.ftz.bf16")(0x8001), 0x3f80);
    assert_eq!(f1("tanh.approx.f16")(0x8000), 0x8000);
    assert_eq!(f1("tanh.approx.bf16")(0xff80), 0xbf80);
}

/// The values of f in f32 stay within the bounds that golden tests will hold a GPU's to.
#[test]
fn results_are_within_the_bounds() {
    let functions: [(&str, True); 8] = [
        ("rcp", |x| 1.0 / x),
        ("sqrt", f64::sqrt),
        ("rsqrt", |x| 1.0 / x.sqrt()),
        ("sin", f64::sin),
        ("cos", f64::cos),
        ("lg2", f64::log2),
        ("ex2", f64::exp2),
        ("tanh", f64::tanh),
    ];
    for (function, f) in functions {
        for flags in if function == "tanh" { [""].as_slice() } else { &["", ".ftz"] } {
            let name = format!("{function}.approx{flags}.f32");
            let bound = bound(&instruction(&name, "%d, %a")).expect("there is one");
            let got = f1(&name);
            for i in 0..40_000_u64 {
                let bits = i.wrapping_mul(0x9e37_79b9) & 0xffff_ffff;
                let operand = x(if bound.ftz { F32.flush(bits) } else { bits });
                assert!(bound.allows(operand, f(operand), got(bits)), "{name} {operand:e}");
            }
        }
    }
}

#[test]
fn bounds_refuse_what_is_beyond_them() {
    let of = |name: &str, operands: &str| bound(&instruction(name, operands)).expect("there is one");
    let bits = |x: f32| u64::from(x.to_bits());
    let ex2 = of("ex2.approx.f32", "%d, %a");
    for (ulps, allowed) in [(0, true), (2, true), (3, false)] {
        assert_eq!(ex2.allows(1.0, 2.0, bits(2.0) + ulps), allowed);
    }
    assert!(ex2.allows(128.0, 2_f64.powi(128), INFINITY));
    assert!(!ex2.allows(128.0, 2_f64.powi(128), INFINITY | MINUS));
    assert!(!ex2.allows(1.0, 2.0, INFINITY));
    assert!(!ex2.allows(1.0, 2.0, NAN));
    assert!(ex2.allows(f64::NAN, f64::NAN, NAN));
    assert!(!ex2.allows(f64::NAN, f64::NAN, ONE));
    assert!(!ex2.allows(-140.0, 2_f64.powi(-140), 0));
    assert!(of("ex2.approx.ftz.f32", "%d, %a").allows(-140.0, 2_f64.powi(-140), 0));
    let rcp = of("rcp.approx.f32", "%d, %a");
    assert!(rcp.allows(0.0, f64::INFINITY, INFINITY));
    assert!(!rcp.allows(0.0, f64::INFINITY, bits(f32::MAX)));
    let sin = of("sin.approx.f32", "%d, %a");
    assert!(sin.allows(1000.0, 0.8, bits(-0.9)));
    assert!(!sin.allows(1000.0, 0.8, NAN));
    assert!(!sin.allows(-0.0, -0.0, 0), "another sign");
    let div = of("div.approx.f32", "%d, %a, %b");
    let large = 2_f64.powi(127);
    assert!(div.allows(large, 2.0, 0) && !div.allows(large, 2.0, bits(2.0)));
    assert!(div.allows(large, f64::INFINITY, NAN) && !div.allows(large, f64::INFINITY, INFINITY));
    assert!(!div.allows(large, 2.0, NAN) && !div.allows(large / 2.0, 2.0, 0));
    let ex2_f16 = of("ex2.approx.f16", "%d, %a");
    assert!(ex2_f16.allows(-23.1, (-23.1_f64).exp2(), 1) && !ex2_f16.allows(-23.1, (-23.1_f64).exp2(), 3));
    let tanh = of("tanh.approx.f16", "%d, %a");
    assert!(tanh.allows(1.0, 0.761_594_155_955_764_9, 0x3a18));
    assert!(!tanh.allows(1.0, 0.761_594_155_955_764_9, 0x3a1a));
}

#[test]
fn bounds_tell_near_from_far() {
    let of = |name: &str, operands: &str| bound(&instruction(name, operands));
    let sin = of("sin.approx.ftz.f32", "%d, %a").expect("stated");
    assert_eq!(sin.tolerance(-6.0, 0.279), (-20.4_f64).exp2());
    assert_eq!(sin.tolerance(300.0, -0.9997), (-14.7_f64).exp2());
    assert_eq!(sin.tolerance(400.0, -0.85), 2.0);
    let lg2 = of("lg2.approx.f32", "%d, %a").expect("stated");
    assert_eq!(lg2.tolerance(1.0, 0.0), (-22_f64).exp2());
    assert_eq!(lg2.tolerance(1024.0, 10.0), 10.0 * (-22_f64).exp2());
    let div = of("div.approx.f32", "%d, %a, %b").expect("stated");
    assert_eq!(div.tolerance(3.0, 1.5), (-22_f64).exp2());
    let full = of("div.full.f32", "%d, %a, %b").expect("stated");
    assert_eq!(full.tolerance(2_f64.powi(127), 2_f64.powi(-130)), 2_f64.powi(-148));
    let rcp = of("rcp.approx.f32", "%d, %a").expect("stated");
    assert_eq!(rcp.tolerance(1.0, 1.0), (-23_f64).exp2());
    let rcp = of("rcp.approx.ftz.f64", "%d, %a").expect("measured");
    assert_eq!(rcp.tolerance(1.0, 1.0), (-20_f64).exp2());
    let rsqrt = of("rsqrt.approx.f64", "%d, %a").expect("measured");
    assert_eq!(rsqrt.tolerance(1.0, 1.0), (-51_f64).exp2());
    for name in ["rcp.rn.f32", "sqrt.rn.f64"] {
        assert!(of(name, "%d, %a").is_none(), "{name}");
    }
}

#[test]
fn what_the_isa_does_not_have_is_unknown() {
    for name in ["sin.f32", "tanh.approx.ftz.f32", "sin.approx.f64", "rcp.approx.f64", "ex2.approx.rn.f32"] {
        assert!(known(name, "%d, %a").is_none(), "{name}");
    }
    assert!(known("div.approx.full.f32", "%d, %a, %b").is_none());
    assert!(known("div.full.sat.f32", "%d, %a, %b").is_none());
}

proptest! {
    /// Full division is the correctly rounded one, and so is the approximate one where it is defined.
    #[test]
    fn quotients_are_rounded_once(a in operand(F32), b in operand(F32)) {
        let want = f2("div.rn.f32")(a, b);
        prop_assert_eq!(f2("div.full.f32")(a, b), want);
        if x(b).abs() <= 2_f64.powi(126) {
            prop_assert_eq!(f2("div.approx.f32")(a, b), want);
        }
        prop_assert_eq!(f2("div.full.ftz.f32")(a, b), f2("div.rn.ftz.f32")(a, b));
    }
}

#[test]
fn flushing_leaves_no_subnormal_of_edges() {
    for function in ["rcp", "sqrt", "rsqrt", "sin", "cos", "lg2", "ex2"] {
        for a in edges(F32) {
            let y = f1(&format!("{function}.approx.ftz.f32"))(a);
            assert!(!f32::from_bits(y as u32).is_subnormal(), "{function} {a:#x}");
        }
    }
}
