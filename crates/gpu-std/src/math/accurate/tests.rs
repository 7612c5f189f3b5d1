//! Special values. How far other results are off is measured by `tests/accurate.rs`.

use std::vec::Vec;

use super::*;

const INF: f32 = f32::INFINITY;
const NAN: f32 = f32::NAN;
const TINY: f32 = f32::from_bits(1);

/// f(x) has the bits of the value beside x, or both are NaN.
#[track_caller]
fn assert_values(f: fn(f32) -> f32, values: &[(f32, f32)]) {
    for &(x, want) in values {
        let got = f(x);
        assert!(
            got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
            "{x:e}: {got:e}, not {want:e}"
        );
    }
}

#[test]
fn exponentials_at_the_ends_of_the_range() {
    let ends =
        [(0.0, 1.0), (-0.0, 1.0), (-INF, 0.0), (INF, INF), (NAN, NAN), (f32::MAX, INF), (-f32::MAX, 0.0)];
    assert_values(exp, &ends);
    assert_values(exp2, &ends);
    assert_values(exp, &[(88.72284, INF), (88.72284_f32.next_down(), 3.4027985e38), (-103.97208, TINY)]);
    assert_values(exp, &[((-103.97208_f32).next_down(), 0.0), (TINY, 1.0), (-TINY, 1.0)]);
    assert_values(exp2, &[(128.0, INF), (127.0, 2_f32.powi(127)), (-126.0, f32::MIN_POSITIVE)]);
    assert_values(exp2, &[(-149.0, TINY), (-150.0, 0.0), (-149.9, TINY)]);
    assert_values(sigmoid, &[(0.0, 0.5), (-0.0, 0.5), (INF, 1.0), (-INF, 0.0), (NAN, NAN), (20.0, 1.0)]);
    assert_values(sigmoid, &[(-f32::MAX, 0.0), (-103.0, exp(-103.0)), (-90.0, exp(-90.0))]);
}

#[test]
fn logarithms_at_the_ends_of_the_range() {
    let ends = [
        (0.0, -INF),
        (-0.0, -INF),
        (1.0, 0.0),
        (INF, INF),
        (NAN, NAN),
        (-1.0, NAN),
        (-INF, NAN),
        (-TINY, NAN),
    ];
    assert_values(log, &ends);
    assert_values(log2, &ends);
    for n in -149..=127 {
        let power =
            if n < -126 { f32::from_bits(1 << (n + 149)) } else { f32::from_bits(((n + 127) << 23) as u32) };
        assert_eq!((log2(power), exp2(n as f32)), (n as f32, power));
    }
}

#[test]
fn odd_functions_keep_zeros_and_tiny_numbers() {
    for f in [sin, tanh] as [fn(f32) -> f32; 2] {
        assert_values(f, &[(0.0, 0.0), (-0.0, -0.0), (TINY, TINY), (-TINY, -TINY), (NAN, NAN)]);
        assert_values(f, &[(f32::MIN_POSITIVE, f32::MIN_POSITIVE), (-1e-20, -1e-20)]);
    }
    assert_values(sin, &[(INF, NAN), (-INF, NAN)]);
    assert_values(cos, &[(INF, NAN), (-INF, NAN), (NAN, NAN), (0.0, 1.0), (-0.0, 1.0), (TINY, 1.0)]);
    assert_values(tanh, &[(INF, 1.0), (-INF, -1.0), (20.0, 1.0)]);
    assert_values(
        erf,
        &[(0.0, 0.0), (-0.0, -0.0), (INF, 1.0), (-INF, -1.0), (NAN, NAN), (4.0, 1.0), (TINY, TINY)],
    );
}

#[test]
fn large_angles_are_reduced_exactly() {
    // Rounded from 60 digits.
    assert_values(sin, &[(f32::MAX, -0.521_876_5), (1e10, -0.487_506_03), (131_073.0, -0.504_405_26)]);
    assert_values(cos, &[(f32::MAX, 0.853_021), (1e10, 0.873_119_65), (131_073.0, 0.863_467_04)]);
}

/// The powers of C99, Annex F.9.4.4.
#[test]
fn powers_of_special_values_are_those_of_annex_f() {
    let rows: [(f32, f32, f32); 34] = [
        (0.0, -3.0, INF),
        (-0.0, -3.0, -INF),
        (0.0, -2.0, INF),
        (-0.0, -2.5, INF),
        (-0.0, -INF, INF),
        (0.0, 3.0, 0.0),
        (-0.0, 3.0, -0.0),
        (-0.0, 2.0, 0.0),
        (-0.0, 0.5, 0.0),
        (-1.0, INF, 1.0),
        (-1.0, -INF, 1.0),
        (1.0, NAN, 1.0),
        (NAN, 0.0, 1.0),
        (NAN, -0.0, 1.0),
        (NAN, 1.0, NAN),
        (-1.0, NAN, NAN),
        (0.0, NAN, NAN),
        (-2.0, 0.5, NAN),
        (-2.0, 3.0, -8.0),
        (-2.0, 4.0, 16.0),
        (0.5, -INF, INF),
        (-2.0, -INF, 0.0),
        (-0.5, INF, 0.0),
        (2.0, INF, INF),
        (-INF, -3.0, -0.0),
        (-INF, -2.0, 0.0),
        (-INF, 3.0, -INF),
        (-INF, 0.5, INF),
        (INF, -0.5, 0.0),
        (INF, 0.5, INF),
        (-1.5, 16_777_217.0, INF),
        (-1.5, f32::MAX, INF),
        (TINY, -1.0, INF),
        (2.0, -149.0, TINY),
    ];
    for (x, y, want) in rows {
        let got = pow(x, y);
        assert!(
            got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan(),
            "{x:e}^{y:e}: {got:e}, not {want:e}"
        );
    }
}

#[test]
fn powers_of_integers_that_fit_are_exact() {
    for x in 1..=15_i32 {
        for y in 0..=6_i32 {
            let want = x.pow(y as u32) as f32;
            assert_eq!((pow(x as f32, y as f32), pow(-x as f32, y as f32).abs()), (want, want), "{x}^{y}");
        }
    }
}

#[test]
fn the_halves_of_the_sine_are_mirrored() {
    let all: Vec<f32> = (0..1 << 15).map(|i| f32::from_bits(i << 16 | i)).collect();
    for x in all {
        let same = |a: f32, b: f32| a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan();
        assert!(same(sin(-x), -sin(x)) && same(cos(-x), cos(x)), "{x:e}");
        assert!(same(tanh(-x), -tanh(x)) && same(erf(-x), -erf(x)), "{x:e}");
    }
}
