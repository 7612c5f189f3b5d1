//! Sums against ones in big integers, forms by name, and what undefined elements reach.

use proptest::prelude::*;

use super::exact_sum::TERMS;
use super::*;

fn form(text: &str) -> Option<MatrixProduct> {
    MatrixProduct::from_modifiers(&text.split('.').collect::<Vec<_>>())
}

#[test]
fn forms_are_told_by_their_modifiers() {
    for (a, b) in [("s8", "s8"), ("s8", "u8"), ("u8", "s8"), ("u8", "u8")] {
        for sat in ["", "satfinite."] {
            let text = format!("sync.aligned.m16n8k32.row.col.{sat}s32.{a}.{b}.s32");
            let found = form(&text).expect("it is executed");
            assert_eq!((found.k(), found.satfinite), (32, !sat.is_empty()), "{text}");
        }
    }
    for (shape, ty, k) in [("m16n8k16", "f16", 16), ("m16n8k16", "bf16", 16), ("m16n8k8", "tf32", 8)] {
        let text = format!("sync.aligned.{shape}.row.col.f32.{ty}.{ty}.f32");
        assert_eq!(form(&text).map(MatrixProduct::k), Some(k), "{text}");
    }
    for refused in [
        "sync.aligned.m16n8k16.row.col.s32.s8.s8.s32",
        "sync.aligned.m16n8k32.row.row.s32.s8.s8.s32",
        "sync.aligned.m16n8k16.row.col.f16.f16.f16.f16",
        "sync.aligned.m16n8k16.row.col.f32.f16.bf16.f32",
        "sync.aligned.m16n8k16.row.col.satfinite.f32.f16.f16.f32",
        "sync.aligned.m16n8k16.row.col.f32.tf32.tf32.f32",
        "sync.aligned.m16n8k32.row.col.s32.s8.f16.s32",
        "sync.m16n8k32.row.col.s32.s8.s8.s32",
        "sync.aligned.m16n8k32.row.col.s32.s8.s8",
    ] {
        assert_eq!(form(refused), None, "{refused}");
    }
}

#[test]
fn an_undefined_element_reaches_its_row_and_its_column() {
    let none = Fragments { a: [0; 4], b: [0; 2], c: [0; 4] };
    assert_eq!(MatrixProduct::undefined(&none), [0; 4]);
    // Register 1 of A in lane 9: row 2 + 8, that is the upper registers of D in lanes 8 to 11.
    let found = MatrixProduct::undefined(&Fragments { a: [0, 1 << 9, 0, 0], ..none });
    assert_eq!(found, [0, 0, 0xf00, 0xf00]);
    // B in lane 22: column 5, odd, of lanes 2, 6, 10, …
    let found = MatrixProduct::undefined(&Fragments { b: [0, 1 << 22], ..none });
    assert_eq!(found, [0, 0x4444_4444, 0, 0x4444_4444]);
    let found = MatrixProduct::undefined(&Fragments { c: [0, 0, 0, 1 << 31], ..none });
    assert_eq!(found, [0, 0, 0, 1 << 31]);
}

#[test]
fn integer_sums_wrap_or_stay_at_the_ends() {
    let wraps = form("sync.aligned.m16n8k32.row.col.s32.s8.s8.s32").expect("it is executed");
    let stays = form("sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32").expect("it is executed");
    let (a, b) = ([0x8080_8080; 32], [0x8080_8080; 32]);
    let sum = 32 * 128 * 128;
    for c in [0, 5, i32::MAX, i32::MAX - sum, i32::MAX - sum + 1, i32::MIN] {
        let lanes = [c as u32; 32];
        let from = Fragments { a: [&a; 4], b: [&b; 2], c: [&lanes; 4] };
        assert_eq!(wraps.warp(&from), [[c.wrapping_add(sum) as u32; 32]; 4], "{c}");
        assert_eq!(stays.warp(&from), [[c.saturating_add(sum) as u32; 32]; 4], "{c}");
    }
}

#[test]
fn special_values_come_through() {
    let sum = |terms: &[f64]| {
        let mut sum = ExactSum::new(terms[0]);
        terms[1..].iter().for_each(|term| sum.add(*term));
        sum.to_f32()
    };
    assert_eq!(sum(&[1.0, f64::INFINITY, 2.0]), f32::INFINITY);
    assert_eq!(sum(&[f64::NEG_INFINITY, f64::INFINITY]).to_bits(), 0x7fff_ffff);
    assert_eq!(sum(&[1.0, f64::NAN]).to_bits(), 0x7fff_ffff);
    assert_eq!(sum(&[f64::from(f32::MAX), f64::from(f32::MAX)]), f32::INFINITY);
    // Not infinite on the way.
    assert_eq!(sum(&[f64::from(f32::MAX), f64::from(f32::MAX), -f64::from(f32::MAX)]), f32::MAX);
    // What is far below decides a tie.
    let (tie, tiny) = (1.0 + 2_f64.powi(-24), 2_f64.powi(-260));
    assert_eq!(sum(&[tie, tiny]), 1.0 + f32::EPSILON);
    assert_eq!(sum(&[tie, -tiny]), 1.0);
    assert_eq!(sum(&[tie]), 1.0);
    assert_eq!(sum(&[2_f64.powi(200), 3.0, -(2_f64.powi(200))]), 3.0);
    assert_eq!(sum(&[1.0, -1.0]).to_bits(), 0);
}

proptest! {
    /// Terms as whole numbers of a smallest unit: the sum in `i128`, rounded by the cast of an integer to f32.
    #[test]
    fn sums_are_rounded_once(terms in prop::collection::vec((-1_i64 << 22..1 << 22, 0_u32..90), 1..TERMS)) {
        let exact: i128 = terms.iter().map(|(mantissa, shift)| i128::from(*mantissa) << shift).sum();
        let mut sum = ExactSum::new(0.0);
        for (mantissa, shift) in &terms {
            sum.add(*mantissa as f64 * f64::from(*shift).exp2());
        }
        prop_assert_eq!(sum.to_f32().to_bits(), (exact as f32).to_bits());
    }

    #[test]
    fn the_bound_allows_what_cutting_off_gives(terms in prop::collection::vec(-1e4_f64..1e4, 16)) {
        let bound = MatrixBound { k: 16 };
        let exact: f64 = terms.iter().sum();
        let magnitudes: f64 = terms.iter().map(|term| term.abs()).sum();
        let cut = |x: f64, largest: f64| {
            let unit = (largest.log2().floor() - 23.0).exp2();
            (x / unit).trunc() * unit
        };
        let mut sum = 0.0;
        for step in terms.chunks(4) {
            let largest = step.iter().fold(f64::abs(sum), |most, term| most.max(term.abs()));
            sum = step.iter().map(|term| cut(*term, largest)).sum::<f64>() + cut(sum, largest);
            sum = cut(sum, sum.abs());
        }
        prop_assert!(bound.allows(exact, magnitudes, sum as f32));
        prop_assert!(!bound.allows(exact, magnitudes, (exact + 2.0 * bound.tolerance(magnitudes)) as f32));
        prop_assert!(!bound.allows(exact, magnitudes, f32::NAN));
    }
}
