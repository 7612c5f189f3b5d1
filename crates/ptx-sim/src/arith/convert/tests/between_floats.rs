//! Conversions between floating-point types.

use half::{bf16, f16};
use proptest::prelude::*;

use super::reference::{FLOATS, float, infinity, is_subnormal, low, rounded, sign, value};
use crate::arith::int::tests::{config, op, try_op};

/// What `mode` and no other modifier makes of `a`, which is no NaN.
fn plain(dst: &str, src: &str, mode: &str, a: u64) -> u64 {
    let x = value(src, a);
    let sign = if x.is_sign_negative() { sign(dst) } else { 0 };
    match (dst, mode) {
        _ if x.is_infinite() => sign | infinity(dst),
        ("f64", _) => x.to_bits(),
        (_, "") => rounded(dst, "rn", x),
        _ => rounded(dst, mode, x),
    }
}

/// `.sat`, `.relu`, `.satfinite` of a result that is no NaN.
fn finished(dst: &str, flags: &str, bits: u64) -> u64 {
    let x = value(dst, bits);
    let bits = if flags.contains("satfinite") && x.is_infinite() { bits - 1 } else { bits };
    if flags.contains("relu") && bits & sign(dst) != 0 {
        return 0;
    }
    match flags.ends_with("sat") {
        true if x > 1.0 => rounded(dst, "rn", 1.0),
        true if x <= 0.0 => 0,
        _ => bits,
    }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn a_float_becomes_the_one_that_the_mode_says(
        f16 in float("f16"), bf16 in float("bf16"), f32 in float("f32"), f64 in float("f64"),
    ) {
        for (src, a) in FLOATS.iter().zip([f16, bf16, f32, f64]) {
            for dst in FLOATS {
                for mode in ["", "rn", "rz", "rm", "rp"] {
                    for flags in ["", "sat", "relu", "satfinite", "relu.satfinite"] {
                        let name = ["cvt", mode, flags, dst, src].join(".").replace("..", ".").replace("..", ".");
                        let Some(conversion) = try_op(&name, 1) else { continue };
                        let got = conversion.call(&[a]);
                        if value(src, a).is_nan() {
                            let fits = if flags == "sat" { got == 0 } else { value(dst, got).is_nan() };
                            prop_assert!(fits, "{name} {got:#x}");
                        } else {
                            let want = finished(dst, flags, plain(dst, src, mode, a));
                            prop_assert_eq!(got, want, "{} {:#x}", name, low(src, a));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn to_the_nearest_is_as_half_and_rust_have_it(x in any::<f32>(), y in float("f64")) {
        let (bits, wide) = (u64::from(x.to_bits()), f64::from_bits(y));
        if !x.is_nan() {
            prop_assert_eq!(op("cvt.rn.f16.f32", 1).call(&[bits]), u64::from(f16::from_f32(x).to_bits()));
            prop_assert_eq!(op("cvt.rn.bf16.f32", 1).call(&[bits]), u64::from(bf16::from_f32(x).to_bits()));
        }
        if !wide.is_nan() {
            prop_assert_eq!(op("cvt.rn.f32.f64", 1).call(&[y]), u64::from((wide as f32).to_bits()));
        }
    }

    #[test]
    fn within_a_type_to_a_whole_number(
        f16 in float("f16"), bf16 in float("bf16"), f32 in float("f32"), f64 in float("f64"),
    ) {
        for (ty, a) in FLOATS.iter().zip([f16, bf16, f32, f64]) {
            let x = value(ty, a);
            let (rni, rzi, rmi, rpi) = (x.round_ties_even(), x.trunc(), x.floor(), x.ceil());
            for (mode, whole) in [("rni", rni), ("rzi", rzi), ("rmi", rmi), ("rpi", rpi)] {
                for flags in ["", ".sat"] {
                    let Some(conversion) = try_op(&format!("cvt.{mode}{flags}.{ty}.{ty}"), 1) else { continue };
                    let got = conversion.call(&[a]);
                    if x.is_nan() {
                        let fits = if flags.is_empty() { value(ty, got).is_nan() } else { got == 0 };
                        prop_assert!(fits, "{mode}{flags} {ty} {got:#x}");
                    } else {
                        let want = finished(ty, flags, plain(ty, "f64", "rn", whole.to_bits()));
                        prop_assert_eq!(got, want, "{}{} {} {}", mode, flags, ty, x);
                    }
                }
            }
        }
    }

    #[test]
    fn subnormal_f32_are_flushed_on_both_sides(a in prop_oneof![0_u64..0x100_0000, float("f32")]) {
        let flushed = if is_subnormal("f32", a) { a & sign("f32") } else { a };
        for name in ["rn X f16.f32", "rz X f16.f32", "rm X bf16.f32", "X f32.f32", "rni X f32.f32", "rpi X f32.f32", "X sat f64.f32"] {
            let with = op(&format!("cvt.{}", name.replace('X', "ftz").replace(' ', ".")), 1);
            let without = op(&format!("cvt.{}", name.replace("X ", "").replace(' ', ".")), 1);
            if !value("f32", a).is_nan() {
                prop_assert_eq!(with.call(&[a]), without.call(&[flushed]), "{}", name);
            }
        }
    }
}

#[test]
fn subnormal_f32_on_the_way_to_f16_are_not_flushed() {
    let subnormal = [1, 0x007f_ffff, 0x8000_0001, 0x807f_ffff];
    for (mode, want) in [("rm", [0, 0, 0x8001, 0x8001]), ("rp", [1, 1, 0x8000, 0x8000])] {
        assert_eq!(subnormal.map(|a| op(&format!("cvt.{mode}.ftz.f16.f32"), 1).call(&[a])), want, "{mode}");
    }
}

#[test]
fn every_half_becomes_the_same_f32() {
    for bits in 0..=0xffff_u16 {
        let (half, brain) = (f16::from_bits(bits), bf16::from_bits(bits));
        if !half.is_nan() {
            assert_eq!(
                op("cvt.f32.f16", 1).call(&[bits.into()]),
                u64::from(half.to_f32().to_bits()),
                "{bits:#x}"
            );
        }
        assert_eq!(op("cvt.f32.bf16", 1).call(&[bits.into()]), u64::from(bits) << 16, "a shift, NaN or not");
        if !brain.is_nan() {
            assert_eq!(op("cvt.f64.bf16", 1).call(&[bits.into()]), brain.to_f64().to_bits(), "{bits:#x}");
        }
    }
}

#[test]
fn tiny_results_are_flushed_when_they_stay_below_the_normal_range_at_full_precision() {
    let smallest = f64::from(f32::MIN_POSITIVE);
    let below = |part: i32| (smallest * (1.0 - 2.0_f64.powi(part))).to_bits();
    let call = |mode: &str, a: u64| op(&format!("cvt.{mode}.ftz.f32.f64"), 1).call(&[a]);
    let normal = u64::from(f32::MIN_POSITIVE.to_bits());
    assert_eq!(call("rn", below(-24)), 0);
    assert_eq!(call("rn", below(-25)), normal);
    assert_eq!(call("rz", below(-50)), 0);
    assert_eq!(call("rm", below(-50)), 0);
    assert_eq!(call("rp", below(-50)), normal);
    assert_eq!(call("rp", below(-24)), 0);
    assert_eq!(call("rm", below(-24) | 1 << 63), 1 << 31);
    assert_eq!(call("rm", below(-50) | 1 << 63), 1 << 31 | normal);
}

#[test]
fn nans_are_canonical_but_in_copies_and_beside_f64() {
    let f32_nan = 0xff80_0001;
    assert_eq!(op("cvt.rn.f16.f32", 1).call(&[f32_nan]), 0x7fff);
    assert_eq!(op("cvt.rn.relu.bf16.f32", 1).call(&[f32_nan]), 0x7fff);
    assert_eq!(op("cvt.f32.f16", 1).call(&[0xfe00]), 0x7fff_ffff);
    for name in ["cvt.rn.f32.f64", "cvt.rm.ftz.f32.f64"] {
        assert_eq!(op(name, 1).call(&[0xfff0_0000_4000_0001]), 0xffc0_0002, "{name}");
    }
    assert_eq!(op("cvt.rn.f16.f64", 1).call(&[0x7ff0_0c00_0000_0000]), 0x7e03);
    assert_eq!(op("cvt.rz.bf16.f64", 1).call(&[0xffff_ffff_ffff_ffff]), 0xffff);
    assert_eq!(op("cvt.f64.f16", 1).call(&[0xfc01]), 0xfff8_0400_0000_0000);
    assert_eq!(op("cvt.ftz.f64.f32", 1).call(&[f32_nan]), 0x7fff_ffff_e000_0000);
    assert_eq!(op("cvt.rni.f64.f64", 1).call(&[0xfff0_0000_0000_0001]), 0xfff8_0000_0000_0001);
    assert_eq!(op("cvt.rni.f32.f32", 1).call(&[f32_nan]), 0x7fff_ffff);
    assert_eq!(op("cvt.f32.f32", 1).call(&[f32_nan]), f32_nan);
    assert_eq!(op("cvt.f64.f32", 1).call(&[0xff80_0001]), 0xfff8_0000_2000_0000);
}

#[test]
fn saturation_leaves_no_negative_zero() {
    assert_eq!(op("cvt.sat.f32.f32", 1).call(&[1 << 31]), 0);
    assert_eq!(op("cvt.rn.sat.f16.f32", 1).call(&[u64::from((-1e-30_f32).to_bits())]), 0);
}
