use super::super::oracle::{edges, exactly, f1, f2, f3, known, operand};
use super::*;
use half::{bf16, f16};
use proptest::prelude::*;

/// The name of a type, its format, and the suffixes it takes with what they do: flush, clamp to [0, 1], clamp below zero.
type Variant = (&'static str, Format, &'static [(&'static str, bool, u8)]);

const SUMS: [Variant; 2] = [
    (
        "f16",
        Format::F16,
        &[("", false, KEEP), (".ftz", true, KEEP), (".sat", false, SAT), (".ftz.sat", true, SAT)],
    ),
    ("bf16", Format::BF16, &[("", false, KEEP)]),
];

const FUSED: [Variant; 2] = [
    (
        "f16",
        Format::F16,
        &[
            ("", false, KEEP),
            (".ftz", true, KEEP),
            (".sat", false, SAT),
            (".relu", false, RELU),
            (".ftz.relu", true, RELU),
        ],
    ),
    ("bf16", Format::BF16, &[("", false, KEEP), (".relu", false, RELU)]),
];

/// `result` after `.ftz`: f16 near the smallest normal number are exact in f64, where it shows what stays below it at 11 bits.
fn flushed(format: Format, operation: &str, x: [u64; 3], result: u64) -> u64 {
    let [a, b, c] = x.map(|bits| f16::from_bits(bits as u16).to_f64());
    let exact = match operation {
        "mul" => a * b,
        "fma" => a * b + c,
        _ => return format.flush(result),
    };
    let least = f16::MIN_POSITIVE.to_f64();
    let is_tiny = result & 0x7fff == 0x400 && exact.abs() < least - least / 4096.0;
    if is_tiny { result & 0x8000 } else { format.flush(result) }
}

fn want(format: Format, operation: &str, x: [u64; 3], ftz: bool, clamp: u8) -> u64 {
    let x = if ftz { x.map(|bits| format.flush(bits)) } else { x };
    let result = exactly(format, operation, x, Round::Nearest);
    let result = if ftz { flushed(format, operation, x, result) } else { result };
    let one = exactly(format, "div", [format.largest(), format.largest(), 0], Round::Nearest);
    match clamp {
        SAT if format.is_nan(result) || result & 0x8000 != 0 => 0,
        SAT if result > one => one,
        RELU if result & 0x8000 != 0 => 0,
        _ => result,
    }
}

fn check(a: u64, b: u64, c: u64) -> Result<(), TestCaseError> {
    for (ty, format, flags) in SUMS {
        for &(flag, ftz, clamp) in flags {
            for operation in ["add", "sub", "mul"] {
                for rn in ["", ".rn"] {
                    let name = format!("{operation}{rn}{flag}.{ty}");
                    prop_assert_eq!(
                        f2(&name)(a, b),
                        want(format, operation, [a, b, 0], ftz, clamp),
                        "{}",
                        name
                    );
                }
            }
        }
    }
    for (ty, format, flags) in FUSED {
        for &(flag, ftz, clamp) in flags {
            let name = format!("fma.rn{flag}.{ty}");
            prop_assert_eq!(f3(&name)(a, b, c), want(format, "fma", [a, b, c], ftz, clamp), "{}", name);
        }
    }
    Ok(())
}

#[test]
fn tiny_results_are_flushed() {
    // (1 - 2^-11) 2^-14.
    assert_eq!(f2("mul.f16")(0x3bff, 0x0400), 0x0400);
    assert_eq!(f2("mul.ftz.f16")(0x3bff, 0x0400), 0);
    assert_eq!(f2("mul.ftz.f16")(0xbbff, 0x0400), 0x8000);
    assert_eq!(f3("fma.rn.ftz.f16")(0x3bff, 0x0400, 0x8000), 0);
    // (1 + 2^-10) (1 - 2^-10) 2^-14 is nearest to 2^-14 even so.
    assert_eq!(f2("mul.ftz.f16")(0x2001, 0x1ffe), 0x0400);
}

#[test]
fn out_of_bounds_is_zero_whatever_the_rest() {
    for ty in ["f16", "bf16"] {
        let fused = f3(&format!("fma.rn.oob.{ty}"));
        let clamped = f3(&format!("fma.rn.oob.relu.{ty}"));
        for outside in [0x7ff7, 0xfff7] {
            for other in [0, 0x3c00, 0x7c00, 0x7f80, 0x7fff, 0xffff] {
                for f in [fused, clamped] {
                    assert_eq!([f(outside, other, other), f(other, outside, other)], [0, 0], "{other:#x}");
                }
            }
            assert_eq!(fused(0x3c00, 0x3c00, outside), 0x7fff, "only a and b count");
        }
        assert_eq!(fused(0x7ff6, 0, 0), 0x7fff);
        assert_eq!(fused(0x3c00, 0xbc00, 0), f3(&format!("fma.rn.{ty}"))(0x3c00, 0xbc00, 0));
        assert_eq!(clamped(0x3c00, 0xbc00, 0), 0);
        let pair = f3(&format!("fma.rn.oob.{ty}x2"));
        assert_eq!(pair(0x7ff7_0000, 0x3c00_3c00, 0x3c00_3c00), 0x3c00, "each half by itself");
    }
    for name in ["fma.rn.ftz.oob.f16", "fma.rn.sat.oob.f16", "fma.oob.f16", "add.oob.f16", "fma.rn.oob.f32"] {
        assert!(known(name, "%d, %a, %b, %c").is_none(), "{name}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn arithmetic_is_ieee_in_f16(a in operand(Format::F16), b in operand(Format::F16), c in operand(Format::F16)) {
        check(a, b, c)?;
    }

    #[test]
    fn arithmetic_is_ieee_in_bf16(a in operand(Format::BF16), b in operand(Format::BF16), c in operand(Format::BF16)) {
        check(a, b, c)?;
    }

    #[test]
    fn packed_is_the_scalar_twice(a: u32, b: u32, c: u32) {
        let (a, b, c) = (u64::from(a), u64::from(b), u64::from(c));
        let halves = |x: u64| [x & 0xffff, x >> 16];
        for name in ["add.f16", "sub.rn.bf16", "mul.sat.f16", "min.NaN.f16", "max.xorsign.abs.bf16"] {
            let f = f2(name);
            let want = f(a & 0xffff, b & 0xffff) | f(a >> 16, b >> 16) << 16;
            prop_assert_eq!(f2(&format!("{name}x2"))(a, b), want, "{}", name);
        }
        for name in ["fma.rn.f16", "fma.rn.relu.bf16"] {
            let f = f3(name);
            let want = f(a & 0xffff, b & 0xffff, c & 0xffff) | f(a >> 16, b >> 16, c >> 16) << 16;
            prop_assert_eq!(f3(&format!("{name}x2"))(a, b, c), want, "{}", name);
        }
        for name in ["neg.f16", "abs.bf16", "ex2.approx.f16", "tanh.approx.bf16"] {
            let [low, high] = halves(a).map(f1(name));
            prop_assert_eq!(f1(&format!("{name}x2"))(a), low | high << 16, "{}", name);
        }
    }

    #[test]
    fn narrow_is_what_the_half_crate_does(bits: u64) {
        let x = f64::from_bits(bits);
        if !x.is_nan() {
            prop_assert_eq!(narrow::<false>(x), u64::from(f16::from_f64(x).to_bits()));
            prop_assert_eq!(narrow::<true>(x), u64::from(bf16::from_f64(x).to_bits()));
        }
        // The same digits near one.
        let x = f64::from_bits(bits & 0x83ff_ffff_ffff_ffff | 0x3c00_0000_0000_0000);
        prop_assert_eq!(narrow::<false>(x), u64::from(f16::from_f64(x).to_bits()));
    }
}

#[test]
fn every_value_widens_and_narrows() {
    for bits in 0..=0xffff_u64 {
        let (x, y) = (f16::from_bits(bits as u16), bf16::from_bits(bits as u16));
        if !x.is_nan() {
            assert_eq!(widen::<false>(bits).to_bits(), f64::from(x).to_bits(), "{bits:#x}");
            assert_eq!(narrow::<false>(x.into()), bits);
        }
        if !y.is_nan() {
            assert_eq!(widen::<true>(bits).to_bits(), f64::from(y).to_bits(), "{bits:#x}");
            assert_eq!(narrow::<true>(y.into()), bits);
        }
        assert_eq!(widen::<false>(bits).is_nan(), x.is_nan());
        assert_eq!(widen::<true>(bits).is_nan(), y.is_nan());
    }
}

#[test]
fn unary_functions_of_every_value() {
    for bits in 0..=0xffff_u64 {
        for (ty, format) in [("f16", Format::F16), ("bf16", Format::BF16)] {
            let or_nan = |x: u64| if format.is_nan(bits) { 0x7fff } else { x };
            assert_eq!(f1(&format!("neg.{ty}"))(bits), or_nan(bits ^ 0x8000));
            assert_eq!(f1(&format!("abs.{ty}"))(bits), or_nan(bits & 0x7fff));
        }
        let flushed = if bits & 0x7c00 == 0 { bits & 0x8000 } else { bits };
        assert_eq!(f1("neg.ftz.f16")(bits), f1("neg.f16")(flushed));
        assert_eq!(f1("abs.ftz.f16")(bits), f1("abs.f16")(flushed));
    }
}

#[test]
fn least_and_greatest_of_edges() {
    for (ty, format) in [("f16", Format::F16), ("bf16", Format::BF16)] {
        let value = |bits: u64| if ty == "f16" { widen::<false>(bits) } else { widen::<true>(bits) };
        for a in edges(format) {
            for b in edges(format) {
                let (x, y) = (value(a), value(b));
                let greatest = match (x.is_nan(), y.is_nan()) {
                    (true, true) => 0x7fff,
                    (true, false) => b,
                    (false, true) => a,
                    _ if x > y || x == y && a < b => a,
                    _ => b,
                };
                assert_eq!(f2(&format!("max.{ty}"))(a, b), greatest, "{x:e} {y:e}");
                let any_nan = x.is_nan() || y.is_nan();
                let want = if any_nan { 0x7fff } else { greatest };
                assert_eq!(f2(&format!("max.NaN.{ty}"))(a, b), want, "{x:e} {y:e}");
                if !any_nan {
                    assert_eq!(f2(&format!("min.{ty}"))(a, b), a ^ b ^ greatest, "{x:e} {y:e}");
                }
            }
        }
    }
}

#[test]
fn what_the_isa_does_not_have_is_unknown() {
    for (name, operands) in [
        ("add.rz.f16", "%d, %a, %b"),
        ("add.ftz.bf16", "%d, %a, %b"),
        ("add.sat.bf16", "%d, %a, %b"),
        ("add.relu.f16", "%d, %a, %b"),
        ("fma.f16", "%d, %a, %b, %c"),
        ("fma.rn.sat.relu.f16", "%d, %a, %b, %c"),
        ("fma.rn.sat.bf16x2", "%d, %a, %b, %c"),
        ("div.rn.f16", "%d, %a, %b"),
        ("ex2.approx.ftz.f16", "%d, %a"),
        ("ex2.approx.bf16", "%d, %a"),
    ] {
        assert!(known(name, operands).is_none(), "{name}");
    }
}
