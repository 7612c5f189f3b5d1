//! Conversions to and from packed values, and `tf32`.

use proptest::prelude::*;

use super::reference::{float, rounded, sign, value};
use crate::arith::int::tests::{config, op, word};

/// The value of an eight-bit float, by its definition; `None` for NaN.
fn eight(ty: &str, bits: u64) -> Option<f64> {
    let (fraction_bits, bias) = if ty == "e4m3x2" { (3, 7) } else { (2, 15) };
    let field = (bits & 0x7f) >> fraction_bits;
    let fraction = (bits & ((1 << fraction_bits) - 1)) as f64 / f64::from(1 << fraction_bits);
    let magnitude = match (ty, bits & 0x7f) {
        ("e4m3x2", 0x7f) | ("e5m2x2", 0x7d..) => return None,
        ("e5m2x2", 0x7c) => f64::INFINITY,
        _ if field == 0 => fraction * 2.0_f64.powi(1 - bias),
        _ => (1.0 + fraction) * 2.0_f64.powi(field as i32 - bias),
    };
    Some(if bits & 0x80 != 0 { -magnitude } else { magnitude })
}

/// The nearest eight-bit float by trying all, ties to even; the largest for what is larger.
fn nearest_eight(ty: &str, x: f64) -> u64 {
    let largest = if ty == "e4m3x2" { 0x7e } else { 0x7b };
    // Far beyond either format, but not so far that all were equally distant.
    let magnitude = x.abs().min(1e6);
    let distance = |bits: u64| (eight(ty, bits).unwrap_or(f64::INFINITY) - magnitude).abs();
    let nearer = |a: &u64, b: &u64| distance(*a).total_cmp(&distance(*b)).then((a & 1).cmp(&(b & 1)));
    let best = (0..=largest).min_by(nearer).unwrap_or(0);
    best | if x.is_sign_negative() { 0x80 } else { 0 }
}

fn relu(negative: bool, bits: u64) -> u64 {
    if negative { 0 } else { bits }
}

/// `f32` around the eight-bit formats' ranges.
fn f32_near_eight() -> impl Strategy<Value = u64> {
    let in_range = (-20.0_f32..17.0, any::<bool>(), 0_u32..24).prop_map(|(exponent, negative, cut)| {
        let bits = exponent.exp2().to_bits() >> cut << cut;
        u64::from(bits) | u64::from(negative) << 31
    });
    prop_oneof![in_range, float("f32")]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn pairs_put_the_first_operand_into_the_upper_half(a in float("f32"), b in float("f32")) {
        for ty in ["f16", "bf16"] {
            for options in ["rn", "rz", "rn.relu", "rz.satfinite", "rn.relu.satfinite"] {
                let one = op(&format!("cvt.{options}.{ty}.f32"), 1);
                let want = one.call(&[a]) << 16 | one.call(&[b]);
                prop_assert_eq!(op(&format!("cvt.{options}.{ty}x2.f32"), 2).call(&[a, b]), want);
            }
        }
    }

    #[test]
    fn eight_bits_are_the_nearest_of_all(a in f32_near_eight(), b in f32_near_eight(), h in any::<u32>()) {
        for ty in ["e4m3x2", "e5m2x2"] {
            let one = |x: f64| if x.is_nan() { 0x7f } else { nearest_eight(ty, x) };
            let clamped = |x: f64| if x.is_nan() { 0x7f } else { relu(x.is_sign_negative(), nearest_eight(ty, x)) };
            let (x, y) = (value("f32", a), value("f32", b));
            let call = |options: &str| op(&format!("cvt.{options}.{ty}.f32"), 2).call(&[a, b]);
            prop_assert_eq!(call("rn.satfinite"), one(x) << 8 | one(y), "{} {} {}", ty, x, y);
            prop_assert_eq!(call("rn.satfinite.relu"), clamped(x) << 8 | clamped(y), "{} {} {}", ty, x, y);
            let (x, y) = (value("f16", u64::from(h >> 16)), value("f16", u64::from(h)));
            let call = |options: &str| op(&format!("cvt.{options}.{ty}.f16x2"), 1).call(&[h.into()]);
            prop_assert_eq!(call("rn.satfinite"), one(x) << 8 | one(y), "{} {} {}", ty, x, y);
            prop_assert_eq!(call("rn.satfinite.relu"), clamped(x) << 8 | clamped(y), "{} {} {}", ty, x, y);
        }
    }

    #[test]
    fn tf32_is_an_f32_of_ten_bits(a in float("f32")) {
        let x = value("f32", a);
        let call = |options: &str| op(&format!("cvt.{options}.tf32.f32"), 1).call(&[a]);
        if x.is_nan() {
            prop_assert_eq!([call("rn"), call("rz.relu")], [0x7fff_e000; 2]);
        } else if x.is_finite() {
            for mode in ["rn", "rz", "rna"] {
                prop_assert_eq!(call(mode), rounded("tf32", mode, x), "{} {}", mode, x);
            }
            prop_assert_eq!(call("rz.relu"), relu(x.is_sign_negative(), rounded("tf32", "rz", x)));
            let rna = rounded("tf32", "rna", x);
            let largest = 0x7f7f_e000;
            let bounded = (rna & (sign("f32") - 1)).min(largest) | rna & sign("f32");
            prop_assert_eq!(call("rna.satfinite"), bounded);
        }
    }

    #[test]
    fn packs_clamp_and_shift_in(a in word(), b in word(), c in word()) {
        for (ty, bits) in [("s16", 16), ("u16", 16), ("s8", 8), ("u8", 8), ("s4", 4), ("u4", 4), ("s2", 2), ("u2", 2)] {
            let (min, max) = if ty.starts_with('s') { (-(1_i64 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) };
            let part = |x: u64| (i64::from(x as i32).clamp(min, max) as u64) & ((1 << bits) - 1);
            let both = part(a) << bits | part(b);
            if bits == 16 {
                prop_assert_eq!(op(&format!("cvt.pack.sat.{ty}.s32"), 2).call(&[a, b]), both);
            } else {
                let want = (c << (2 * bits) | both) & 0xffff_ffff;
                prop_assert_eq!(op(&format!("cvt.pack.sat.{ty}.s32.b32"), 3).call(&[a, b, c]), want);
            }
        }
    }
}

#[test]
fn every_eight_bit_float_becomes_the_same_f16() {
    for ty in ["e4m3x2", "e5m2x2"] {
        for bits in 0..=0xff_u64 {
            let want = eight(ty, bits).map_or(0x7fff, |x| half::f16::from_f64(x).to_bits().into());
            let clamped = relu(eight(ty, bits).is_some_and(f64::is_sign_negative), want);
            assert_eq!(
                op(&format!("cvt.rn.f16x2.{ty}"), 1).call(&[bits << 8 | bits]),
                want << 16 | want,
                "{ty} {bits:#x}"
            );
            assert_eq!(op(&format!("cvt.rn.relu.f16x2.{ty}"), 1).call(&[bits]), clamped, "{ty} {bits:#x}");
        }
    }
}

#[test]
fn rna_cuts_the_bits_of_what_is_not_finite() {
    let call = |options: &str, a: u64| op(&format!("cvt.{options}.tf32.f32"), 1).call(&[a]);
    assert_eq!(call("rna", 0x7f80_0000), 0x7f80_0000);
    assert_eq!(call("rna", 0xffff_ffff), 0xffff_e000);
    assert_eq!(call("rna", 0x7f7f_ffff), 0x7f80_0000);
    assert_eq!(call("rna.satfinite", 0x7f7f_ffff), 0x7f7f_e000);
    assert_eq!(call("rna.satfinite", 0xff80_0000), 0xff7f_e000);
}
