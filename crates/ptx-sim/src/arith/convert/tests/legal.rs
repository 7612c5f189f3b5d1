//! Which conversions there are: the modifiers that ptxas 13.0 takes for sm_90a (PTX 8.5), for every pair of types.

use std::collections::HashSet;

use crate::arith::int::tests::try_op;

/// `modifiers | pairs`; `-` is no modifier at all.
const LEGAL: &str = "
rmi rni rpi rzi - | bf16.bf16
rm rm.ftz rn rn.ftz rn.relu rn.relu.satfinite rn.satfinite rn.satfinite.relu rp rp.ftz rz rz.ftz rz.relu rz.relu.satfinite \
    rz.satfinite rz.satfinite.relu | bf16.f32
rm rn rp rz | bf16.u16 bf16.s16 bf16.u32 bf16.s32 bf16.u64 bf16.s64 bf16.f64
rn.relu.satfinite rn.satfinite rn.satfinite.relu | e4m3x2.f32 e4m3x2.f16x2 e5m2x2.f32 e5m2x2.f16x2
rm rn rp rz - | f16.bf16 bf16.f16 f64.bf16
rmi rmi.sat rni rni.sat rpi rpi.sat rzi rzi.sat sat - | f16.f16 f64.f64
rm rm.ftz rm.ftz.sat rm.sat rn rn.ftz rn.ftz.sat rn.relu rn.relu.satfinite rn.sat rn.satfinite rn.satfinite.relu rp rp.ftz \
    rp.ftz.sat rp.sat rz rz.ftz rz.ftz.sat rz.relu rz.relu.satfinite rz.sat rz.satfinite rz.satfinite.relu | f16.f32
rm rm.sat rn rn.sat rp rp.sat rz rz.sat | f16.u8 f16.s8 f16.u16 f16.s16 f16.u32 f16.s32 f16.u64 f16.s64 f16.f64 f64.u8 \
    f64.s8 f64.u16 f64.s16 f64.u32 f64.s32 f64.u64 f64.s64
rn rn.relu | f16x2.e4m3x2 f16x2.e5m2x2
rn rn.relu rn.relu.satfinite rn.satfinite rn.satfinite.relu rz rz.relu rz.relu.satfinite rz.satfinite rz.satfinite.relu \
    | f16x2.f32 bf16x2.f32
ftz rm rm.ftz rn rn.ftz rp rp.ftz rz rz.ftz - | f32.bf16
ftz ftz.sat sat - | f32.f16 f64.f32
ftz ftz.sat rmi rmi.ftz rmi.ftz.sat rmi.sat rni rni.ftz rni.ftz.sat rni.sat rpi rpi.ftz rpi.ftz.sat rpi.sat rzi rzi.ftz \
    rzi.ftz.sat rzi.sat sat - | f32.f32
rm rm.ftz rm.ftz.sat rm.sat rn rn.ftz rn.ftz.sat rn.sat rp rp.ftz rp.ftz.sat rp.sat rz rz.ftz rz.ftz.sat rz.sat | f32.u8 \
    f32.s8 f32.u16 f32.s16 f32.u32 f32.s32 f32.u64 f32.s64 f32.f64
rn rn.relu rna rna.satfinite rz rz.relu | tf32.f32
rmi rni rpi rzi | u16.bf16 s16.bf16 u32.bf16 s32.bf16 u64.bf16 s64.bf16
rmi rmi.sat rni rni.sat rpi rpi.sat rzi rzi.sat | u8.f16 u8.f64 s8.f16 s8.f64 u16.f16 u16.f64 s16.f16 s16.f64 u32.f16 \
    u32.f64 s32.f16 s32.f64 u64.f16 u64.f64 s64.f16 s64.f64
rmi rmi.ftz rmi.ftz.sat rmi.sat rni rni.ftz rni.ftz.sat rni.sat rpi rpi.ftz rpi.ftz.sat rpi.sat rzi rzi.ftz rzi.ftz.sat \
    rzi.sat | u8.f32 s8.f32 u16.f32 s16.f32 u32.f32 s32.f32 u64.f32 s64.f32
sat - | u8.s8 u8.u16 u8.s16 u8.u32 u8.s32 u8.u64 u8.s64 s8.u8 s8.u16 s8.s16 s8.u32 s8.s32 s8.u64 s8.s64 u16.s8 u16.s16 \
    u16.u32 u16.s32 u16.u64 u16.s64 s16.u16 s16.u32 s16.s32 s16.u64 s16.s64 u32.s8 u32.s16 u32.s32 u32.u64 u32.s64 s32.u32 \
    s32.u64 s32.s64 u64.s8 u64.s16 u64.s32 u64.s64 s64.u64 f64.f16
- | u8.u8 s8.s8 u16.u8 u16.u16 s16.u8 s16.s8 s16.s16 u32.u8 u32.u16 u32.u32 s32.u8 s32.s8 s32.u16 s32.s16 s32.s32 u64.u8 \
    u64.u16 u64.u32 u64.u64 s64.u8 s64.s8 s64.u16 s64.s16 s64.u32 s64.s32 s64.s64
";

const TYPES: &str = "u8 s8 u16 s16 u32 s32 u64 s64 f16 bf16 tf32 f32 f64 f16x2 bf16x2 e4m3x2 e5m2x2";
const ROUNDINGS: [&str; 10] = ["", ".rn", ".rz", ".rm", ".rp", ".rna", ".rni", ".rzi", ".rmi", ".rpi"];
const FLAGS: [&str; 10] = [
    "",
    ".ftz",
    ".sat",
    ".ftz.sat",
    ".sat.ftz",
    ".relu",
    ".satfinite",
    ".relu.satfinite",
    ".satfinite.relu",
    ".ftz.relu",
];

#[test]
fn exactly_the_legal_conversions_are_found() {
    let mut legal = HashSet::new();
    for line in LEGAL.lines().filter(|line| !line.is_empty()) {
        let (modifiers, pairs) = line.split_once('|').expect("modifiers | pairs");
        for modifier in modifiers.split_whitespace() {
            let modifier = if modifier == "-" { String::new() } else { format!(".{modifier}") };
            legal.extend(pairs.split_whitespace().map(|pair| format!("cvt{modifier}.{pair}")));
        }
    }
    assert_eq!(legal.len(), 852);
    for dst in TYPES.split_whitespace() {
        for src in TYPES.split_whitespace() {
            for name in
                ROUNDINGS.iter().flat_map(|r| FLAGS.iter().map(move |f| format!("cvt{r}{f}.{dst}.{src}")))
            {
                let pairs_up = src == "f32" && dst.ends_with("x2");
                let found = try_op(&name, if pairs_up { 2 } else { 1 }).is_some();
                assert_eq!(found, legal.contains(&name), "{name}");
            }
        }
    }
}

#[test]
fn exactly_the_legal_packs_are_found() {
    for ty in ["u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16", "u32", "s32"] {
        let pair = matches!(ty, "u16" | "s16");
        let onto = matches!(ty, "u2" | "s2" | "u4" | "s4" | "u8" | "s8");
        assert_eq!(try_op(&format!("cvt.pack.sat.{ty}.s32"), 2).is_some(), pair, "{ty}");
        assert_eq!(try_op(&format!("cvt.pack.sat.{ty}.s32.b32"), 3).is_some(), onto, "{ty}");
        for name in [format!("cvt.pack.{ty}.s32"), format!("cvt.pack.sat.{ty}.u32")] {
            assert!(try_op(&name, 2).is_none(), "{name}");
        }
    }
}
