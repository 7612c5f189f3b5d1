//! A format's numbers as f64, and rounding by search among them.

use std::cmp::Ordering;

use half::{bf16, f16};
use proptest::prelude::*;

use crate::arith::int::tests::word;

/// The floating-point types.
pub(super) const FLOATS: [&str; 4] = ["f16", "bf16", "f32", "f64"];

/// The sign bit of the type `ty`.
pub(super) fn sign(ty: &str) -> u64 {
    match ty {
        "f16" | "bf16" => 1 << 15,
        "f32" | "tf32" => 1 << 31,
        _ => 1 << 63,
    }
}

/// The bits of infinity.
pub(super) fn infinity(ty: &str) -> u64 {
    match ty {
        "f16" => f16::INFINITY.to_bits().into(),
        "bf16" => bf16::INFINITY.to_bits().into(),
        "f32" | "tf32" => f32::INFINITY.to_bits().into(),
        _ => f64::INFINITY.to_bits(),
    }
}

/// The value of the low bits of `bits`.
pub(super) fn value(ty: &str, bits: u64) -> f64 {
    match ty {
        "f16" => f16::from_bits(bits as u16).to_f64(),
        "bf16" => bf16::from_bits(bits as u16).to_f64(),
        "f32" | "tf32" => f32::from_bits(bits as u32).into(),
        _ => f64::from_bits(bits),
    }
}

/// The low bits of a register that belong to the type.
pub(super) fn low(ty: &str, bits: u64) -> u64 {
    bits & (sign(ty) | (sign(ty) - 1))
}

/// Whether the value is subnormal in its type.
pub(super) fn is_subnormal(ty: &str, bits: u64) -> bool {
    let magnitude = bits & (sign(ty) - 1);
    let first_normal = match ty {
        "f16" => 1 << 10,
        "bf16" => 1 << 7,
        "f32" | "tf32" => 1 << 23,
        _ => 1 << 52,
    };
    magnitude != 0 && magnitude < first_normal
}

/// The magnitude that rounds to `magnitude` as `mode` says. `compare` tells how a number, by its bits without sign, lies to it,
/// `compare_middle` how the middle between a number and the next does.
pub(super) fn search(
    ty: &str,
    mode: &str,
    negative: bool,
    compare: impl Fn(u64) -> Ordering,
    compare_middle: impl Fn(u64) -> Ordering,
) -> u64 {
    let step = if ty == "tf32" { 1 << 13 } else { 1 };
    // The largest number that is not above.
    let (mut below, mut above) = (0, infinity(ty) / step);
    while above - below > 1 {
        let middle = below.midpoint(above);
        if compare(middle * step).is_gt() { above = middle } else { below = middle }
    }
    let (down, up) = (below * step, above * step);
    if compare(down).is_eq() {
        return down;
    }
    match (mode, compare_middle(down)) {
        ("rz", _) => down,
        ("rm", _) => {
            if negative {
                up
            } else {
                down
            }
        }
        ("rp", _) => {
            if negative {
                down
            } else {
                up
            }
        }
        (_, Ordering::Greater) => down,
        (_, Ordering::Less) => up,
        ("rna", Ordering::Equal) => up,
        (_, Ordering::Equal) => {
            if below % 2 == 0 {
                down
            } else {
                up
            }
        }
    }
}

/// `x`, a finite number, in the type `ty`.
pub(super) fn rounded(ty: &str, mode: &str, x: f64) -> u64 {
    let magnitude = x.abs();
    let at = |bits: u64| if bits == infinity(ty) { value(ty, bits - 1) * 2.0 } else { value(ty, bits) };
    let step = if ty == "tf32" { 1 << 13 } else { 1 };
    let end = |bits: u64| if bits >= infinity(ty) { past_the_end(ty) } else { at(bits) };
    let middle = |bits: u64| (at(bits) + end(bits + step)) / 2.0;
    let compare = |bits| at(bits).total_cmp(&magnitude);
    let compare_middle = |bits| middle(bits).total_cmp(&magnitude);
    let bits = search(ty, mode, x.is_sign_negative(), compare, compare_middle);
    bits | if x.is_sign_negative() { sign(ty) } else { 0 }
}

/// The number that infinity's bits would be were there one more exponent.
pub(super) fn past_the_end(ty: &str) -> f64 {
    match ty {
        "f16" => 65536.0,
        _ => 2.0_f64.powi(128),
    }
}

/// Bits of a floating-point number: any, near powers of two, near integers and halves, special ones; with rubbish above.
pub(super) fn float(ty: &'static str) -> impl Strategy<Value = u64> {
    let special =
        prop::sample::select(vec![0, 1, infinity(ty) - 1, infinity(ty), infinity(ty) + 1, sign(ty) - 1]);
    let near_special =
        (special, any::<bool>()).prop_map(move |(bits, negative)| bits | if negative { sign(ty) } else { 0 });
    let halves = (-600_i32..600, -2_i64..=2).prop_map(move |(twice, near)| {
        let half = f64::from(twice) / 2.0;
        match ty {
            "f16" => u64::from(f16::from_f64(half).to_bits()).wrapping_add_signed(near),
            "bf16" => u64::from(bf16::from_f64(half).to_bits()).wrapping_add_signed(near),
            "f32" => u64::from((half as f32).to_bits()).wrapping_add_signed(near),
            _ => half.to_bits().wrapping_add_signed(near),
        }
    });
    let integer = word().prop_map(move |x| match ty {
        "f16" => u64::from(f16::from_f64(x as i64 as f64).to_bits()),
        "bf16" => u64::from(bf16::from_f64(x as i64 as f64).to_bits()),
        "f32" => u64::from((x as i64 as f32).to_bits()),
        _ => (x as i64 as f64).to_bits(),
    });
    // Of f64, the range of f32 and of f16 with few and with many bits.
    let narrow = (any::<f32>(), -1_i64..=1).prop_map(move |(x, near)| match ty {
        "f64" => f64::from(x).to_bits().wrapping_add_signed(near),
        _ => u64::from(x.to_bits()),
    });
    let small = (-30.0_f64..20.0, any::<u64>(), 0_u32..53).prop_map(move |(exponent, noise, cut)| {
        let x = exponent.exp2().to_bits() ^ noise >> 12 >> cut << cut;
        match ty {
            "f64" => x,
            "f32" => u64::from((f64::from_bits(x) as f32).to_bits()),
            _ => noise,
        }
    });
    prop_oneof![any::<u64>(), near_special, halves, integer, narrow, small]
}
