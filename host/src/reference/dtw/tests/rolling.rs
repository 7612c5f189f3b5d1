//! Rolling aggregates, where others have gone wrong.

use super::*;

#[test]
fn a_value_that_left_the_window_leaves_no_trace() {
    // pandas 28244: the standard deviation (ddof 1) of the last four numbers, once 0.
    let series = [9.54e8_f32, 0.6225, 0.0, 1.14, 0.0];
    let variance = f64::from(rolling_cpu(&series, 4).variance[4]);
    let deviation = (variance * 4.0 / 3.0).sqrt();
    assert!((deviation - 0.550_909_758_944_239_3).abs() < 1e-7, "{deviation}");
}

#[test]
fn a_tail_of_zeros_is_exactly_zero() {
    let mut series = walk(1, 100);
    series[40..].fill(0.0);
    let all = rolling_cpu(&series, 5);
    for t in 44..100 {
        assert_eq!((all.mean[t], all.min[t], all.max[t], all.variance[t]), (0.0, 0.0, 0.0, 0.0));
    }
}

#[test]
fn no_result_depends_on_what_came_before_the_window() {
    let series = walk(2, 200);
    for window in [1, 5, 33] {
        let all = rolling_cpu(&series, window);
        for t in window - 1..200 {
            let alone = rolling_cpu(&series[t + 1 - window..=t], window);
            assert_eq!(all.mean[t].to_bits(), alone.mean[window - 1].to_bits());
            assert_eq!(all.variance[t].to_bits(), alone.variance[window - 1].to_bits());
        }
    }
}

#[test]
fn the_variance_of_a_price_is_right_and_never_negative() {
    let series: Vec<f32> = walk(3, 500).windows(2).map(|w| 1e4 + 0.034 * (w[1] - w[0])).collect();
    for window in [2, 5, 128] {
        let all = rolling_cpu(&series, window);
        for (t, points) in series.windows(window).enumerate() {
            let points: Vec<f64> = points.iter().map(|&x| f64::from(x)).collect();
            let mean = points.iter().sum::<f64>() / window as f64;
            let want = points.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / window as f64;
            let got = f64::from(all.variance[t + window - 1]);
            assert!(got >= 0.0 && (got - want).abs() <= 1e-6 * want, "{got} {want}");
        }
    }
}

#[test]
fn constants_have_no_variance() {
    for constant in [0.1_f32, 3.0, 1e30] {
        let all = rolling_cpu(&[constant; 300], 128);
        assert!(all.mean[127..].iter().all(|x| *x == constant));
        assert!(all.variance[127..].iter().all(|x| x.to_bits() == 0));
    }
}

#[test]
fn minus_zero_is_below_zero() {
    let all = rolling_cpu(&[0.0, -0.0, 0.0], 2);
    assert_eq!(bits(&all.min[1..]), bits(&[-0.0, -0.0]));
    assert_eq!(bits(&all.max[1..]), bits(&[0.0, 0.0]));
    assert_eq!(bits(&rolling_cpu(&[-0.0, -0.0], 2).max[1..]), bits(&[-0.0]));
}

#[test]
fn windows_that_are_not_finite_have_no_aggregates() {
    let all = rolling_cpu(&[1.0, f32::NAN, 2.0, 3.0, -3e38, 3e38, 1.0], 2);
    let nan = [true, true, true, false, false, true, false];
    for values in [&all.mean, &all.min, &all.max, &all.variance] {
        assert_eq!(values.iter().map(|x| x.is_nan()).collect::<Vec<_>>(), nan);
    }
    assert_eq!(all.variance[4], f32::INFINITY);
}

#[test]
fn aggregates_of_distances_begin_with_the_first_full_window_of_distances() {
    let distances = profile(&walk(4, 40), &walk(5, 6), &zscore(2));
    let all = rolling_cpu(&distances, 3);
    assert_eq!(all.mean.iter().position(|x| !x.is_nan()), Some(5 + 2));
    assert!(all.max[7..].iter().zip(&distances[7..]).all(|(max, d)| max >= d));
}

#[test]
fn smoothed_windows_are_windows_of_the_means() {
    let (series, query) = (walk(6, 50), walk(7, 8));
    let smoothed = profile(&series, &query, &zscore(WHOLE).smoothing(5));
    let means = rolling_cpu(&series, 5).mean;
    assert_eq!(bits(&smoothed), bits(&profile(&means, &query, &zscore(WHOLE))));
    assert_eq!(smoothed.iter().position(|d| !d.is_nan()), Some(8 + 5 - 2));
}
