use super::super::oracle::{MODES, edges, exactly, f1, f2, f3, instruction, known, operand};
use super::*;
use proptest::prelude::*;

/// `result` after `.ftz`: flushed when it stays below the normal range with more room for the exponent, which shows when all is
/// done 2^64 times larger.
fn flushed(operation: &str, [a, b, c]: [u64; 3], result: u64, mode: Round) -> u64 {
    if value(result).abs() != f32::MIN_POSITIVE {
        return F32.flush(result);
    }
    let larger = |x: u64| u64::from((value(x) * 2_f32.powi(64)).to_bits());
    let b = if matches!(operation, "add" | "sub") { larger(b) } else { b };
    let result_there = exactly(F32, operation, [larger(a), b, larger(c)], mode);
    if value(result_there).abs() < 2_f32.powi(64 - 126) { result & F32.sign() } else { result }
}

/// What the modifiers make of the exact `operation`.
fn want(operation: &str, x: [u64; 3], mode: Round, ftz: bool, sat: bool) -> u64 {
    let x = if ftz { x.map(|bits| F32.flush(bits)) } else { x };
    let result = exactly(F32, operation, x, mode);
    let result = if ftz { flushed(operation, x, result, mode) } else { result };
    match f32::from_bits(result as u32) {
        _ if !sat => result,
        y if y.is_nan() || y <= 0.0 => 0,
        y if y > 1.0 => 0x3f80_0000,
        _ => result,
    }
}

/// The suffixes of `ftz` and `sat`.
const FLAGS: [(&str, bool, bool); 4] =
    [("", false, false), (".ftz", true, false), (".sat", false, true), (".ftz.sat", true, true)];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn sums_products_and_fused_ones_are_ieee(a in operand(F32), b in operand(F32), c in operand(F32)) {
        for (word, mode) in MODES {
            for (flags, ftz, sat) in FLAGS {
                for operation in ["add", "sub", "mul"] {
                    let got = f2(&format!("{operation}.{word}{flags}.f32"))(a, b);
                    prop_assert_eq!(got, want(operation, [a, b, c], mode, ftz, sat), "{} {} {}", operation, word, flags);
                }
                for operation in ["fma", "mad"] {
                    let got = f3(&format!("{operation}.{word}{flags}.f32"))(a, b, c);
                    prop_assert_eq!(got, want("fma", [a, b, c], mode, ftz, sat), "{} {} {}", operation, word, flags);
                }
            }
        }
    }

    #[test]
    fn quotients_are_ieee(a in operand(F32), b in operand(F32)) {
        let one = 1.0_f32.to_bits().into();
        for (word, mode) in MODES {
            for (flags, ftz) in [("", false), (".ftz", true)] {
                let got = f2(&format!("div.{word}{flags}.f32"))(a, b);
                prop_assert_eq!(got, want("div", [a, b, 0], mode, ftz, false), "div {} {}", word, flags);
                let got = f1(&format!("rcp.{word}{flags}.f32"))(a);
                prop_assert_eq!(got, want("div", [one, a, 0], mode, ftz, false), "rcp {} {}", word, flags);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(30_000))]

    /// The fast path of the fused product against the C library's and against exact arithmetic.
    #[test]
    fn fused_products_round_once(a in operand(F32), b in operand(F32), c in operand(F32)) {
        let got = bits(fused(value(a), value(b), value(c)));
        prop_assert_eq!(got, exact::fma(F32, a, b, c, Round::Nearest));
    }
}

/// What is rounded to the smallest normal number, and is below it with more room for the exponent.
#[test]
fn tiny_results_are_flushed() {
    let least = f32::MIN_POSITIVE;
    let f = |x: f32| u64::from(x.to_bits());
    let below = 1.0 - f32::EPSILON / 2.0;
    assert_eq!(f2("mul.rn.f32")(f(below), f(least)), f(least));
    assert_eq!(f2("mul.rn.ftz.f32")(f(below), f(least)), 0);
    assert_eq!(f2("mul.rn.ftz.f32")(f(-below), f(least)), 0x8000_0000);
    assert_eq!(f2("mul.rp.ftz.f32")(f(below), f(least)), 0);
    assert_eq!(f3("fma.rn.ftz.f32")(f(below), f(least), 0), 0);
    assert_eq!(f2("div.rn.ftz.f32")(f(below), f(1.0 / least)), 0);
    // (1 - 2^-46) 2^-126 is nearest to 2^-126 even so.
    let small = 2_f32.powi(-63);
    let [a, b] = [(1.0 + f32::EPSILON) * small, (1.0 - f32::EPSILON) * small].map(f);
    for (mode, want) in [("rn", f(least)), ("rp", f(least)), ("rz", 0), ("rm", 0)] {
        assert_eq!(f2(&format!("mul.{mode}.ftz.f32"))(a, b), want, "{mode}");
        assert_eq!(f3(&format!("fma.{mode}.ftz.f32"))(a, b, 0), want, "{mode}");
    }
}

/// Products a hair beside the middle of two results: what rounding twice gets wrong.
#[test]
fn fused_products_beside_a_tie() {
    let small = 2_f32.powi(-50);
    let [below, above] = [1.0 - 2_f32.powi(-23), 1.0 + 2_f32.powi(-23)].map(|x| x * 2_f32.powi(-75));
    for (a, b, c) in [
        (1.0 + 2_f32.powi(-23), 2_f32.powi(-24), 1.0),
        (small, small, 1.0 + 2_f32.powi(-23)),
        (-small, small, 1.0 + 2_f32.powi(-23)),
        // Subnormal results: 2^-150 (1 - 2^-46), just below half of their last place, and 2^-150 (1 + 2^-22 + ...), above it.
        (below, above, f32::from_bits(1 << 19 | 1)),
        (above, above, f32::from_bits(1 << 22)),
    ] {
        for sign in [1.0, -1.0] {
            let x = [sign * a, b, sign * c].map(|x: f32| u64::from(x.to_bits()));
            assert_eq!(
                bits(fused(sign * a, b, sign * c)),
                exactly(F32, "fma", x, Round::Nearest),
                "{a:e} {b:e} {c:e}"
            );
        }
    }
}

#[test]
fn roots_bracket_the_true_root() {
    let mut values = edges(F32);
    values.extend((0..20_000_u32).map(|i| u64::from(i.wrapping_mul(0x9e37_79b9) >> 1)));
    for a in values {
        let x = f64::from(value(a));
        let [near, zero, down, up] = ["rn", "rz", "rm", "rp"].map(|mode| f1(&format!("sqrt.{mode}.f32"))(a));
        if x.is_nan() || x < 0.0 {
            assert_eq!([near, zero, down, up], [0x7fff_ffff; 4], "{x:e}");
            continue;
        }
        assert_eq!(near, u64::from(value(a).sqrt().to_bits()));
        let square = |bits: u64| f64::from(value(bits)) * f64::from(value(bits));
        assert!(zero == down && square(down) <= x && x <= square(up), "{x:e}");
        let exact = square(down) == x;
        assert_eq!(up, if exact { down } else { down + 1 }, "{x:e}");
    }
    assert_eq!(f1("sqrt.rn.ftz.f32")(0x8000_0001), 0x8000_0000);
    assert_eq!(f1("sqrt.rm.f32")(0x8000_0000), 0x8000_0000);
}

#[test]
fn least_and_greatest_of_edges() {
    let nan = 0x7fff_ffff;
    for a in edges(F32) {
        for b in edges(F32) {
            let (x, y) = (value(a), value(b));
            let less = x < y || x == y && a > b;
            let (least, greatest) = match (x.is_nan(), y.is_nan()) {
                (true, true) => (nan, nan),
                (true, false) => (b, b),
                (false, true) => (a, a),
                _ if less => (a, b),
                _ => (b, a),
            };
            assert_eq!(f2("min.f32")(a, b), least, "{x:e} {y:e}");
            assert_eq!(f2("max.f32")(a, b), greatest, "{x:e} {y:e}");
            let any_nan = x.is_nan() || y.is_nan();
            assert_eq!(f2("min.NaN.f32")(a, b), if any_nan { nan } else { least });
            assert_eq!(f2("max.ftz.NaN.f32")(a, b), if any_nan { nan } else { f2("max.ftz.f32")(a, b) });
            assert_eq!(f2("min.ftz.f32")(a, b), f2("min.f32")(F32.flush(a), F32.flush(b)));
            let magnitude = f2("max.f32")(a & 0x7fff_ffff, b & 0x7fff_ffff);
            let sign = if magnitude == nan { 0 } else { (a ^ b) & 0x8000_0000 };
            assert_eq!(f2("max.xorsign.abs.f32")(a, b), magnitude | sign);
        }
    }
    assert_eq!(f2("min.f32")(0, 0x8000_0000), 0x8000_0000);
    assert_eq!(f2("max.f32")(0x8000_0000, 0), 0);
    assert_eq!(f3("min.f32")(0x4040_0000, 0x3f80_0000, nan), 0x3f80_0000);
    assert_eq!(f3("max.NaN.f32")(0x4040_0000, 0x3f80_0000, nan), nan);
    assert_eq!(f3("max.abs.f32")(0x4040_0000, 0xc080_0000, 0), 0x4080_0000);
}

#[test]
fn signs_and_tests_of_edges() {
    for a in edges(F32) {
        let x = value(a);
        let or_nan = |bits: u64| if x.is_nan() { 0x7fff_ffff } else { bits };
        assert_eq!(f1("abs.f32")(a), or_nan(a & 0x7fff_ffff));
        assert_eq!(f1("neg.f32")(a), or_nan(a ^ 0x8000_0000));
        assert_eq!(f1("neg.ftz.f32")(a), or_nan(F32.flush(a) ^ 0x8000_0000));
        assert_eq!(f1("abs.ftz.f32")(a), or_nan(F32.flush(a) & 0x7fff_ffff));
        let ordinary = x.is_finite() && !x.is_subnormal();
        for (test, want) in [
            ("finite", x.is_finite()),
            ("infinite", x.is_infinite()),
            ("number", !x.is_nan()),
            ("notanumber", x.is_nan()),
            ("normal", ordinary),
            ("subnormal", x.is_subnormal()),
        ] {
            assert_eq!(f1(&format!("testp.{test}.f32"))(a), u64::from(want), "{test} {x:e}");
        }
    }
    assert_eq!(f2("copysign.f32")(0x8000_0000, 0x3f80_0000), 0xbf80_0000);
    assert_eq!(f2("copysign.f32")(0x3f80_0000, 0x8000_0001), 1);
}

/// Operands may come with anything above their 32 bits.
#[test]
fn upper_bits_do_not_matter() {
    let junk = 0xdead_beef_0000_0000;
    for name in ["add.f32", "sub.rz.f32", "mul.ftz.f32", "div.rp.f32", "min.f32", "copysign.f32"] {
        let f = f2(name);
        assert_eq!(f(junk | 0x4040_0000, junk | 0xc000_0000), f(0x4040_0000, 0xc000_0000), "{name}");
    }
    assert_eq!(f1("abs.f32")(junk | 0xc000_0000), 0x4000_0000);
}

#[test]
fn what_the_isa_does_not_have_is_unknown() {
    for (name, operands) in [
        ("fma.f32", "%d, %a, %b, %c"),
        ("mad.f32", "%d, %a, %b, %c"),
        ("div.f32", "%d, %a, %b"),
        ("div.rn.sat.f32", "%d, %a, %b"),
        ("add.rna.f32", "%d, %a, %b"),
        ("add.rn.rz.f32", "%d, %a, %b"),
        ("add.relu.f32", "%d, %a, %b"),
        ("add.ftz.f64", "%d, %a, %b"),
        ("sqrt.f32", "%d, %a"),
        ("min.xorsign.f32", "%d, %a, %b"),
        ("min.abs.f32", "%d, %a, %b"),
        ("neg.sat.f32", "%d, %a"),
        ("min.NaN.f64", "%d, %a, %b"),
    ] {
        assert!(known(name, operands).is_none(), "{name}");
    }
    assert!(find(&instruction("add.u32", "%d, %a, %b")).is_none());
}
