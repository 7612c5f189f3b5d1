//! The host's results against independent formulas.

use super::*;
use crate::packed::{self, bf16x2, f16x2};
use crate::{bf16, f16};

/// The f32 that lie around `exact`, found by stepping from the nearest.
fn around(exact: f64) -> (f32, f32) {
    let near = exact as f32;
    match f64::from(near).partial_cmp(&exact) {
        Some(core::cmp::Ordering::Less) => (near, near.next_up()),
        Some(core::cmp::Ordering::Greater) => (near.next_down(), near),
        _ => (near, near),
    }
}

#[test]
fn directed_rounding_gives_the_neighbours_of_the_exact_result() {
    for (a, b) in [(1.0_f32, 3.0_f32), (-1.0, 3.0), (0.1, 0.7), (1e-30, -7.3), (3e38, 1.5)] {
        let (wide_a, wide_b) = (f64::from(a), f64::from(b));
        let (down, up) = around(wide_a * wide_b);
        assert_eq!((mul_rm_f32(a, b), mul_rp_f32(a, b)), (down, up), "{a} * {b}");
        let (down, up) = around(wide_a / wide_b);
        assert_eq!((div_rm_f32(a, b), div_rp_f32(a, b)), (down, up), "{a} / {b}");
        assert_eq!(div_rz_f32(a, b), if wide_a / wide_b > 0.0 { down } else { up });
    }
    let (down, up) = around(f64::from(2.0_f32).sqrt());
    assert_eq!([sqrt_rm_f32(2.0), sqrt_rz_f32(2.0), sqrt_rp_f32(2.0)], [down, down, up]);
    let tiny = 1e-30;
    assert_eq!([add_rm_f32(1.0, tiny), add_rp_f32(1.0, tiny)], [1.0, 1.0_f32.next_up()]);
    assert_eq!(
        [sub_rm_f32(1.0, tiny), sub_rp_f32(1.0, tiny), sub_rz_f32(1.0, tiny)],
        [1.0_f32.next_down(), 1.0, 1.0_f32.next_down()]
    );
    assert_eq!(fma_rz_f32(f32::MAX, 2.0, 0.0), f32::MAX);
    assert_eq!([fma_rm_f32(1.0, 1.0, tiny), fma_rp_f32(1.0, 1.0, tiny)], [1.0, 1.0_f32.next_up()]);
    assert_eq!([rcp_rm_f32(3.0), rcp_rp_f32(3.0)], [around(1.0 / 3.0).0, around(1.0 / 3.0).1]);
    assert!(add_rm_f32(1.0, -1.0).is_sign_negative() && add_rp_f32(1.0, -1.0).is_sign_positive());
}

#[test]
fn minimum_and_maximum_treat_nan_and_zero_as_the_isa_says() {
    assert_eq!([min_f32(f32::NAN, 1.0), max_f32(1.0, f32::NAN)], [1.0, 1.0]);
    assert!(
        min_nan_f32(f32::NAN, 1.0).is_nan()
            && max_nan_f32(1.0, f32::NAN).is_nan()
            && min_f32(f32::NAN, f32::NAN).is_nan()
    );
    assert!(min_f32(0.0, -0.0).is_sign_negative() && min_f32(-0.0, 0.0).is_sign_negative());
    assert!(max_f32(0.0, -0.0).is_sign_positive() && max_f32(-0.0, 0.0).is_sign_positive());
    assert_eq!([min_f64(f64::NAN, 1.0), max_f64(-1.0, 2.0)], [1.0, 2.0]);
    assert_eq!(min_f16(f16::NAN, f16::ONE), f16::ONE);
    assert!(max_nan_bf16(bf16::NAN, bf16::ONE).is_nan());
}

#[test]
fn modifiers_flush_and_clamp() {
    let subnormal = f32::from_bits(1);
    assert_eq!([add_rn_ftz_f32(subnormal, 0.0), mul_rn_ftz_f32(1e-30, 1e-10)], [0.0, 0.0]);
    // 2^-126 * (1 - 2^-24) is nearest to 2^-126, and is flushed all the same.
    let below_one = 1.0_f32.next_down();
    assert_eq!(mul_rn_ftz_f32(f32::MIN_POSITIVE, below_one), 0.0);
    assert!(mul_rn_ftz_f32(-f32::MIN_POSITIVE, below_one).is_sign_negative());
    assert_eq!(fma_rn_ftz_f32(f32::MIN_POSITIVE, below_one, -0.0), 0.0);
    assert_eq!(fma_rn_ftz_f32(f32::MIN_POSITIVE, below_one, 1.0), 1.0);
    let below_one = f16::from_bits(0x3bff);
    assert_eq!(fma_rn_ftz_f16(f16::MIN_POSITIVE, below_one, f16::ZERO), f16::ZERO);
    assert_eq!(lg2_approx_ftz_f32(subnormal), f32::NEG_INFINITY);
    assert_eq!(
        [add_rn_sat_f32(1.0, 1.0), mul_rn_sat_f32(-1.0, 1.0), fma_rn_sat_f32(f32::NAN, 1.0, 1.0)],
        [1.0, 0.0, 0.0]
    );
    assert_eq!([saturate_f32(0.25), saturate_f32(f32::NAN), saturate_f32(7.0)], [0.25, 0.0, 1.0]);
    assert_eq!(copysign_f32(-1.0, 3.0), -3.0);
    assert_eq!([floor_f32(-0.5), ceil_f32(0.5), trunc_f32(-1.5), rint_f32(2.5)], [-1.0, 1.0, -1.0, 2.0]);
}

#[test]
fn half_results_are_rounded_once() {
    for bits in (0..0x7c00_u16).step_by(37) {
        let (x, y) = (f16::from_bits(bits), f16::from_bits(0x8000 | (0x7bff - bits)));
        // f64 holds products and, at these distances, sums of f16 exactly.
        assert_eq!(mul_rn_f16(x, y).to_bits(), f16::from_f64(f64::from(x) * f64::from(y)).to_bits());
        assert_eq!(add_rn_f16(x, y).to_bits(), f16::from_f64(f64::from(x) + f64::from(y)).to_bits());
        let (x, y) = (bf16::from_bits(bits), bf16::from_bits(0x3f80 | bits >> 8));
        assert_eq!(mul_rn_bf16(x, y).to_bits(), bf16::from_f64(f64::from(x) * f64::from(y)).to_bits());
    }
    // 1 + 2^-11 is a tie; 2^-40 above it, one rounding gives the upper neighbour and two would give 1.
    let (ulp, tiny) = (f16::from_f64(2.0_f64.powi(-11)), f16::from_bits(1));
    assert_eq!(fma_rn_f16(tiny, f16::ONE, f16::ONE), f16::ONE);
    assert_eq!(fma_rn_f16(ulp, f16::from_bits(0x3c01), f16::ONE), f16::from_bits(0x3c01));
    assert_eq!(fma_rn_relu_bf16(bf16::ONE, bf16::NEG_ONE, bf16::ZERO).to_bits(), 0);
}

#[test]
fn pairs_compute_both_halves() {
    let (x, y) = (f16x2::new(f16::from_f32(1.5), f16::from_f32(-2.0)), f16x2::splat(f16::from_f32(3.0)));
    let values = |pair: f16x2| [f32::from(pair.lo()), f32::from(pair.hi())];
    assert_eq!(values(x * y), [4.5, -6.0]);
    assert_eq!(values(x + y), [4.5, 1.0]);
    assert_eq!(values(x - y), [-1.5, -5.0]);
    assert_eq!(values(-x), [-1.5, 2.0]);
    assert_eq!(values(packed::fma_rn_relu_f16x2(x, y, y)), [7.5, 0.0]);
    let (x, y) = (bf16x2::new(bf16::from_f32(1.5), bf16::from_f32(-2.0)), bf16x2::splat(bf16::from_f32(3.0)));
    let values = |pair: bf16x2| [f32::from(pair.lo()), f32::from(pair.hi())];
    assert_eq!(values(x * y), [4.5, -6.0]);
    assert_eq!(values(x + y), [4.5, 1.0]);
    assert_eq!(values(x - y), [-1.5, -5.0]);
    assert_eq!(values(packed::max_bf16x2(x, y)), [3.0, 3.0]);
}
