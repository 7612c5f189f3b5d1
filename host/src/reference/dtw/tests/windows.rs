//! What becomes of single windows.

use super::*;

#[test]
fn a_constant_window_is_zeros_whatever_the_constant() {
    for constant in [0.1_f32, 3.0, -0.0, 1e30, f32::from_bits(1)] {
        for m in [1, 2, 7, 128, 1000] {
            assert_eq!(normalized_cpu(&vec![constant; m]), Some(vec![0.0; m]), "{constant} {m}");
        }
    }
    let both_zeros = normalized_cpu(&[0.0, -0.0, 0.0]).expect("they are finite");
    assert!(both_zeros.iter().all(|z| *z == 0.0));
}

#[test]
fn a_constant_window_is_0_from_another_and_m_from_the_rest() {
    let mut series = walk(1, 200);
    series[50..150].fill(0.1);
    let query = &series[..32].to_vec();
    for radius in [0, 5, WHOLE] {
        let flat = &profile(&series, query, &zscore(radius))[81..150];
        // z² sums to m but for the rounding of 32 squares.
        assert!(flat.iter().all(|d| (d - 32.0).abs() < 1e-4), "radius {radius}: {flat:?}");
        assert!(profile(&series, &[3.0; 32], &zscore(radius))[81..150].iter().all(|d| *d == 0.0));
    }
}

#[test]
fn a_nearly_constant_window_is_none() {
    let mut series = [0.1_f32; 64];
    series[40] = 0.1_f32.next_up();
    let z = normalized_cpu(&series).expect("it is finite");
    assert!((z[40] - 63.0_f32.sqrt()).abs() < 1e-5, "{}", z[40]);
}

#[test]
fn identical_windows_are_at_distance_0_at_every_scale() {
    for scale in [1e-6_f32, 1.0, 1e6] {
        let series: Vec<f32> = walk(2, 300).into_iter().map(|x| x * scale).collect();
        let query = series[100..164].to_vec();
        for radius in [0, 6, WHOLE] {
            assert_eq!(profile(&series, &query, &zscore(radius))[163], 0.0, "{scale}");
        }
    }
}

#[test]
fn one_window_shifted_and_scaled_by_powers_of_two_is_the_same_window() {
    let x: Vec<f32> = walk(3, 50).into_iter().map(|x| (x * 1024.0).round() / 1024.0).collect();
    let shifted: Vec<f32> = x.iter().map(|x| x * 8.0 + 4096.0).collect();
    assert_eq!(normalized_cpu(&x), normalized_cpu(&shifted));
}

#[test]
fn the_level_of_a_price_costs_no_digits() {
    // 1e4 with a standard deviation of 0.01: prefix sums lose the variance in a third of these windows.
    let series: Vec<f32> = walk(4, 500).windows(2).map(|w| 1e4 + 0.034 * (w[1] - w[0])).collect();
    let query = series[7..135].to_vec();
    let queries = Queries::new(&query, 128, Normalization::ZScore).expect("it is finite");
    for radius in [0, 12, WHOLE] {
        let exact = exact_profile_cpu(&series, &queries, &zscore(radius));
        let got = profile(&series, &query, &zscore(radius));
        for (exact, got) in exact.into_iter().zip(got).skip(127) {
            // Uniform noise: no point lies two standard deviations from the mean.
            let limit = profile_tolerance(128, exact, 2.5);
            assert!((f64::from(got) - exact).abs() <= limit, "{got} {exact} {limit:e}");
        }
    }
}

#[test]
fn the_tolerance_tells_a_wrong_window() {
    assert!(profile_tolerance(128, 20.0, 3.0) < 1e-3);
    assert!(profile_tolerance(1024, 0.0, 3.0) < 1e-7);
    assert_eq!(profile_tolerance(128, 20.0, 0.0), 20.0 * 1e-6);
}

#[test]
fn a_point_that_is_not_finite_spoils_its_windows_and_no_others() {
    let series = walk(5, 60);
    let query = walk(6, 8);
    for normalization in [Normalization::None, Normalization::ZScore] {
        let options = ProfileOptions::new(normalization);
        let good = profile(&series, &query, &options);
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut series = series.clone();
            series[30] = bad;
            let got = profile(&series, &query, &options);
            assert!(got[30..38].iter().all(|d| d.is_nan()));
            assert_eq!(bits(&got[..30]), bits(&good[..30]));
            assert_eq!(bits(&got[38..]), bits(&good[38..]));
        }
    }
}

#[test]
fn differences_beyond_f32_spoil_normalised_windows_alone() {
    let series = [-3e38_f32, 0.0, 3e38, 1.0];
    let normalised = profile(&series, &[1.0, 2.0, 3.0], &zscore(WHOLE));
    assert!(normalised[2].is_nan() && normalised[3].is_finite());
    assert_eq!(profile(&series, &[1.0, 2.0, 3.0], &raw(WHOLE))[2], f32::INFINITY);
}

#[test]
fn subnormal_windows_are_normalised_as_far_as_f32_goes() {
    let tiny = f32::from_bits(3);
    let z = normalized_cpu(&[0.0, tiny, 0.0, tiny]).expect("it is finite");
    // 1/σ is beyond f32: the largest f32 takes its place, and the window is smaller than it should be.
    let half = f32::from_bits(1) * f32::MAX;
    assert!(z.iter().all(|z| z.abs() <= 2.0 * half && z.is_finite()), "{z:?}");
    let z = normalized_cpu(&[0.0, 1e-37, 0.0, 1e-37]).expect("it is finite");
    assert!(
        z.iter().zip([-1.0, 1.0, -1.0, 1.0]).all(|(z, want): (&f32, f32)| (z - want).abs() < 1e-6),
        "{z:?}"
    );
}

#[test]
fn one_point_is_its_square_raw_and_nothing_normalised() {
    assert_eq!(profile(&[3.0, 5.0], &[1.0], &raw(0)), [4.0, 16.0]);
    assert_eq!(profile(&[3.0, 5.0], &[1.0], &zscore(0)), [0.0, 0.0]);
}

#[test]
fn a_series_as_long_as_the_query_has_one_window() {
    let distances = profile(&[1.0, 2.0, 4.0], &[1.0, 2.0, 3.0], &raw(0));
    assert_eq!(bits(&distances), bits(&[f32::NAN, f32::NAN, 1.0]));
    assert!(profile(&[1.0, 2.0], &[1.0, 2.0, 3.0], &raw(0)).iter().all(|d| d.is_nan()));
}

#[test]
fn a_pair_with_a_point_that_is_not_finite_has_no_distance() {
    let (good, bad) = ([1.0_f32, 2.0], [1.0_f32, f32::NAN]);
    let pairs = [(&good[..], &bad[..]), (&bad[..], &good[..]), (&good[..], &good[..])];
    let got = pairs_cpu(pairs.into_iter(), 1, normalized_cpu);
    assert_eq!(bits(&got), bits(&[f32::NAN, f32::NAN, 0.0]));
}
