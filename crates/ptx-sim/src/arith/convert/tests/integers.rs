//! Conversions from and to integers.

use proptest::prelude::*;

use super::reference::{FLOATS, float, infinity, low, past_the_end, search, sign, value};
use crate::arith::int::tests::{config, op, try_op, word};

const INTS: [&str; 8] = ["u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"];

/// The smallest and the largest value of an integer type.
fn range(ty: &str) -> (i128, i128) {
    let bits: u32 = ty[1..].parse().expect("a width");
    match &ty[..1] {
        "u" => (0, (1 << bits) - 1),
        _ => (-(1 << (bits - 1)), (1 << (bits - 1)) - 1),
    }
}

/// The value of the low bits.
fn integer(ty: &str, bits: u64) -> i128 {
    let (min, max) = range(ty);
    let low = i128::from(bits) & (max - min);
    if low > max { low - (max - min) - 1 } else { low }
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn integers_wrap_or_clamp(a in word()) {
        for src in INTS {
            for dst in INTS {
                let x = integer(src, a);
                let (min, max) = range(dst);
                let wrapped = integer(dst, x as u64) as u64;
                prop_assert_eq!(op(&format!("cvt.{dst}.{src}"), 1).call(&[a]), wrapped, "{} {}", dst, src);
                if let Some(clamping) = try_op(&format!("cvt.sat.{dst}.{src}"), 1) {
                    prop_assert_eq!(clamping.call(&[a]), x.clamp(min, max) as u64, "sat {} {}", dst, src);
                }
            }
        }
    }

    #[test]
    fn integers_become_the_float_that_the_mode_says(a in word()) {
        for (src, dst) in INTS.iter().flat_map(|src| FLOATS.map(|dst| (*src, dst))) {
            let x = integer(src, a);
            let magnitude = x.unsigned_abs();
            // All floats in question are whole numbers, or below 1.
            let whole = |bits: u64| match bits {
                bits if bits >= infinity(dst) => past_the_end(dst) as u128,
                bits => value(dst, bits).ceil() as u128,
            };
            let compare = |bits: u64| whole(bits).cmp(&magnitude);
            let middle = |bits: u64| whole(bits).midpoint(whole(bits + 1)).cmp(&magnitude);
            for mode in ["rn", "rz", "rm", "rp"] {
                let Some(conversion) = try_op(&format!("cvt.{mode}.{dst}.{src}"), 1) else { continue };
                let bits = search(dst, mode, x < 0, compare, middle);
                let want = bits | if x < 0 { sign(dst) } else { 0 };
                prop_assert_eq!(conversion.call(&[a]), want, "{} {} {} {}", mode, dst, src, x);
            }
        }
    }

    #[test]
    fn to_the_nearest_float_is_rusts_cast(a in word()) {
        prop_assert_eq!(op("cvt.rn.f32.s32", 1).call(&[a]), u64::from((a as i32 as f32).to_bits()));
        prop_assert_eq!(op("cvt.rn.f32.u32", 1).call(&[a]), u64::from((a as u32 as f32).to_bits()));
        prop_assert_eq!(op("cvt.rn.f32.s64", 1).call(&[a]), u64::from((a as i64 as f32).to_bits()));
        prop_assert_eq!(op("cvt.rn.f32.u64", 1).call(&[a]), u64::from((a as f32).to_bits()));
        prop_assert_eq!(op("cvt.rn.f64.s64", 1).call(&[a]), (a as i64 as f64).to_bits());
        prop_assert_eq!(op("cvt.rn.f64.u64", 1).call(&[a]), (a as f64).to_bits());
        let saturated = if a as i32 > 0 { 1.0_f32 } else { 0.0 };
        prop_assert_eq!(op("cvt.rn.sat.f32.s32", 1).call(&[a]), u64::from(saturated.to_bits()));
    }

    #[test]
    fn floats_are_rounded_and_clamped(f16 in float("f16"), bf16 in float("bf16"), f32 in float("f32"), f64 in float("f64")) {
        for (src, a) in FLOATS.iter().zip([f16, bf16, f32, f64]) {
            let x = value(src, a);
            for dst in INTS {
                let (min, max) = range(dst);
                let (rni, rzi, rmi, rpi) = (x.round_ties_even(), x.trunc(), x.floor(), x.ceil());
                for (mode, rounded) in [("rni", rni), ("rzi", rzi), ("rmi", rmi), ("rpi", rpi)] {
                    let Some(conversion) = try_op(&format!("cvt.{mode}.{dst}.{src}"), 1) else { continue };
                    let want = match x.is_nan() {
                        true if *src == "f64" || max > 1 << 32 => integer(dst, (max - min) as u64 / 2 + 1),
                        _ => (rounded as i128).clamp(min, max),
                    };
                    let got = conversion.call(&[a]);
                    prop_assert_eq!(got, want as u64, "{} {} {} {:#x} {}", mode, dst, src, low(src, a), x);
                }
            }
        }
    }
}

#[test]
fn nan_is_zero_unless_a_side_has_64_bits() {
    let (nan32, nan64) = (u64::from(f32::NAN.to_bits()), f64::NAN.to_bits());
    assert_eq!(op("cvt.rzi.s32.f32", 1).call(&[nan32]), 0);
    assert_eq!(op("cvt.rzi.u8.f32", 1).call(&[nan32]), 0);
    assert_eq!(op("cvt.rzi.s64.f32", 1).call(&[nan32]), 1 << 63);
    assert_eq!(op("cvt.rzi.u64.f32", 1).call(&[nan32]), 1 << 63);
    assert_eq!(op("cvt.rzi.s32.f64", 1).call(&[nan64]), i32::MIN as u64);
    assert_eq!(op("cvt.rzi.u32.f64", 1).call(&[nan64]), 1 << 31);
    assert_eq!(op("cvt.rzi.u16.f64", 1).call(&[nan64]), 1 << 15);
}

#[test]
fn flushing_matters_where_the_smallest_number_rounds_up() {
    assert_eq!(op("cvt.rpi.s32.f32", 1).call(&[1]), 1);
    assert_eq!(op("cvt.rpi.ftz.s32.f32", 1).call(&[1]), 0);
    assert_eq!(op("cvt.rmi.s32.f32", 1).call(&[0x8000_0001]), u64::MAX);
    assert_eq!(op("cvt.rmi.ftz.s32.f32", 1).call(&[0x8000_0001]), 0);
}
