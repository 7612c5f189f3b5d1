//! Examples with known answers.

use std::path::Path;

use super::*;
use crate::data::Table;

#[test]
fn pairs_of_integers_are_exact_at_every_radius() {
    let (x, y) = ([0, 0, 1, 2, 1, 0, 1, 0, 0], [0, 1, 2, 0, 0, 0, 0, 0, 0]);
    assert_eq!([0, 1, WHOLE].map(|r| integers(&x, &y, r)), [8.0, 2.0, 2.0]);
    let (x, y) = ([1, 3, 4, 9, 8, 2, 1, 5, 7, 3], [1, 6, 2, 3, 0, 9, 4, 3, 6, 3]);
    assert_eq!([0, 1, 2, 3, 9].map(|r| integers(&x, &y, r)), [176.0, 103.0, 37.0, 37.0, 37.0]);
    let (x, y): (Vec<i32>, Vec<i32>) = ((1..=10).collect(), (11..=20).collect());
    assert_eq!(integers(&x, &y, WHOLE), 768.0);
    assert_eq!(integers(&[1, 2, 3], &[3, 4, -3], WHOLE), 42.0);
}

#[test]
fn pairs_of_larger_integers_are_exact_at_every_radius() {
    let x = [
        573, 375, 301, 212, 55, 34, 25, 33, 113, 143, 303, 615, 1226, 1281, 1221, 1081, 866, 1096, 1039, 975,
        746, 581, 409, 182,
    ];
    let y = [
        603, 348, 176, 177, 47, 30, 40, 42, 101, 180, 401, 777, 1344, 1573, 1408, 1243, 1141, 1178, 1256,
        1114, 814, 635, 304, 168,
    ];
    assert_eq!([0, 2, WHOLE].map(|r| integers(&x, &y, r)), [384_147.0, 315_012.0, 275_854.0]);
}

fn integers(x: &[i32], y: &[i32], radius: u32) -> f32 {
    let [x, y] = [x, y].map(|x| x.iter().map(|&x| x as f32).collect::<Vec<_>>());
    distance_cpu(&x, &y, radius)
}

const QUERY: [f32; 3] = [1.0, 2.0, 0.0];
const SERIES: [f32; 11] = [1.0, 0.0, 1.0, 2.0, 1.0, 0.0, 2.0, 0.0, 3.0, 0.0, 0.0];

#[test]
fn a_subsequence_has_the_known_costs() {
    let want = [2.0, 1.0, 2.0, 4.0, 1.0, 1.0, 5.0, 1.0, 10.0, 2.0, 2.0];
    assert_eq!(subsequence_cpu(&QUERY, &SERIES), want);
}

#[test]
fn raw_windows_have_the_known_distances() {
    let want = [2.0, 5.0, 1.0, 2.0, 5.0, 1.0, 10.0, 2.0, 5.0];
    for radius in [1, 2, WHOLE] {
        assert_eq!(profile(&SERIES, &QUERY, &raw(radius))[2..], want, "{radius}");
    }
}

#[test]
fn normalised_windows_have_the_known_distances() {
    let want =
        [11.196_152_423, 9.0, 0.803_847_577, 3.0, 12.0, 0.803_847_577, 11.891_883_036, 0.803_847_577, 6.0];
    let queries = Queries::new(&QUERY, 3, Normalization::ZScore).expect("it is finite");
    let exact = exact_profile_cpu(&SERIES, &queries, &zscore(0));
    let got = profile(&SERIES, &QUERY, &zscore(0));
    for ((want, exact), got) in want.into_iter().zip(&exact[2..]).zip(&got[2..]) {
        assert!((exact - want).abs() < 1e-8, "{exact} {want}");
        assert!((f64::from(*got) - want).abs() <= 1e-6 * want, "{got} {want}");
    }
}

/// Starts of the best windows with their distances; the sum over all windows.
fn sp500(radius: u32) -> (Vec<(usize, f32)>, f64) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data/sp500_daily.csv");
    let closes = Table::read(&file).and_then(|table| table.numbers("Close")).expect("the data are there");
    let closes: Vec<f32> = closes.into_iter().map(|x| x as f32).collect();
    let distances = profile(&closes, &closes[4000..4032], &zscore(radius));
    let found = top_k_cpu(&distances, 6, 0).into_iter();
    let sum = distances[31..].iter().map(|&x| f64::from(x)).sum();
    (found.map(|found| (found.end - 31, found.distance)).collect(), sum)
}

#[test]
fn a_month_of_the_sp500_is_found_where_it_is_known_to_be() {
    let best_0 = [(4000, 0.0), (3232, 10.867_166), (4001, 13.385_746), (3999, 13.545_729)];
    let best_3 = [
        (4000, 0.0),
        (4001, 0.133_273),
        (3999, 0.311_763),
        (4002, 0.564_297),
        (3998, 1.531_405),
        (4003, 2.282_071),
    ];
    for (radius, best, sum) in [(0, &best_0[..], 329_737.562_7), (3, &best_3[..], 204_316.816_1)] {
        let (found, got) = sp500(radius);
        for (&(start, distance), &(want_start, want)) in found.iter().zip(best) {
            assert_eq!(start, want_start, "radius {radius}");
            assert!((distance - want).abs() <= 1e-5 * want + 1e-6, "radius {radius}: {distance} {want}");
        }
        assert!((got - sum).abs() <= 1e-6 * sum, "radius {radius}: {got} {sum}");
    }
}

#[test]
fn any_larger_radius_is_the_whole_matrix() {
    let (x, y) = (walk(1, 40), walk(2, 40));
    let whole = distance_cpu(&x, &y, 39);
    for radius in [40, 45, i32::MAX as u32, WHOLE] {
        assert_eq!(distance_cpu(&x, &y, radius).to_bits(), whole.to_bits());
    }
}

#[test]
fn a_wider_band_never_costs_more() {
    let (x, y) = (walk(3, 50), walk(4, 50));
    let costs: Vec<f32> = (0..50).map(|r| distance_cpu(&x, &y, r)).collect();
    assert!(costs.is_sorted_by(|a, b| a >= b), "{costs:?}");
    assert!(costs[0] > costs[49]);
}

#[test]
fn an_open_begin_and_end_never_cost_more() {
    let (query, series) = (walk(5, 30), walk(6, 200));
    let windows = profile(&series, &query, &raw(WHOLE));
    for (open, window) in subsequence_cpu(&query, &series).into_iter().zip(windows) {
        assert!(window.is_nan() || open <= window, "{open} {window}");
    }
}

#[test]
fn a_subsequence_has_two_roles() {
    let (query, series) = (walk(7, 5), walk(8, 25));
    let long_in_short = subsequence_cpu(&series, &query);
    assert_eq!(long_in_short.len(), 5);
    assert!(long_in_short.iter().all(|cost| cost.is_finite() && *cost > 0.0));
    assert_ne!(long_in_short.last(), subsequence_cpu(&query, &series).last());
}

#[test]
fn a_subsequence_starts_anew_after_a_gap() {
    let (query, mut series) = (walk(9, 4), walk(10, 30));
    series[12] = f32::NAN;
    let whole = subsequence_cpu(&query, &series);
    assert!(whole[12].is_nan());
    assert_eq!(bits(&whole[13..]), bits(&subsequence_cpu(&query, &series[13..])));
    assert_eq!(bits(&whole[..12]), bits(&subsequence_cpu(&query, &series[..12])));
}

#[test]
fn matches_keep_their_distance_and_ties_go_to_the_first() {
    let distances = [f32::NAN, 4.0, 1.0, 1.0, 3.0, 1.0, f32::INFINITY, f32::NAN];
    let ends =
        |k, exclusion| top_k_cpu(&distances, k, exclusion).iter().map(|found| found.end).collect::<Vec<_>>();
    assert_eq!(ends(9, 0), [2, 3, 5, 4, 1, 6]);
    assert_eq!(ends(2, 1), [2, 5]);
    assert_eq!(ends(9, 2), [2, 5]);
    assert_eq!(ends(0, 0), [0_usize; 0]);
    assert_eq!(below_cpu(&distances, 1.0).iter().map(|found| found.end).collect::<Vec<_>>(), [2, 3, 5]);
    assert_eq!(below_cpu(&distances, -1.0), []);
}
