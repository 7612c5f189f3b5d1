//! What must hold for any input.

use std::ops::Range;

use host::cpu::dtw::{pairs, profile, rolling, top_k};
use host::ops::dtw::{Aggregates, Normalization, ProfileOptions, Queries};
use host::ops::{HostRef, Layout};
use host::reference::dtw::{below_cpu, profile_cpu, top_k_cpu};
use proptest::prelude::*;

/// One row.
fn row(data: &[f32]) -> HostRef<'_, f32> {
    let n = data.len() as u64;
    Layout::new(1, n, n).and_then(|layout| HostRef::new(data, layout)).expect("it fits")
}

fn normalization() -> impl Strategy<Value = Normalization> {
    prop_oneof![Just(Normalization::None), Just(Normalization::ZScore)]
}

/// Points of every size, some that are not finite, some equal.
fn points(len: Range<usize>) -> impl Strategy<Value = Vec<f32>> {
    let point = prop_oneof![
        12 => -100.0_f32..100.0,
        2 => Just(0.1_f32),
        2 => prop_oneof![Just(0.0_f32), Just(-0.0)],
        1 => prop::num::f32::ANY,
        1 => prop::num::f32::NORMAL,
    ];
    prop::collection::vec(point, len)
}

fn finite(len: Range<usize>) -> impl Strategy<Value = Vec<f32>> {
    prop::collection::vec(-100.0_f32..100.0, len)
}

/// Bits, with one NaN for all.
fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|x| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }).collect()
}

fn distances(series: &[f32], query: &[f32], options: &ProfileOptions) -> Vec<f32> {
    let queries = Queries::new(query, query.len(), options.normalization).expect("it is finite");
    let mut out = vec![0.0; series.len()];
    profile(row(series), &queries, options, &mut out).expect("the series is long enough");
    out
}

fn pair(x: &[f32], y: &[f32], radius: u32, normalization: Normalization) -> f32 {
    let mut out = [0.0];
    pairs(row(x), row(y), radius, normalization, &mut out).expect("they have one length");
    out[0]
}

proptest! {
    #[test]
    fn the_twin_has_the_reference_bits(
        series in points(60..120), query in finite(1..50), radius in 0_u32..60, smoothing in 1_usize..8,
        normalization in normalization(),
    ) {
        let options = ProfileOptions::new(normalization).radius(radius).smoothing(smoothing);
        let queries = Queries::new(&query, query.len(), normalization).expect("it is finite");
        let want = profile_cpu(&series, &queries, &options);
        prop_assert_eq!(bits(&distances(&series, &query, &options)), bits(&want));
    }

    #[test]
    fn pairs_have_no_order(
        both in (1_usize..60).prop_flat_map(|m| (points(m..m + 1), points(m..m + 1))),
        radius in 0_u32..70, normalization in normalization(),
    ) {
        let (x, y) = both;
        let one = pair(&x, &y, radius, normalization);
        let other = pair(&y, &x, radius, normalization);
        prop_assert_eq!(bits(&[one]), bits(&[other]));
    }

    #[test]
    fn a_wider_band_never_costs_more(
        both in (1_usize..60).prop_flat_map(|m| (finite(m..m + 1), finite(m..m + 1))),
        normalization in normalization(),
    ) {
        let (x, y) = both;
        let costs: Vec<f32> =
            (0..x.len() as u32 + 2).map(|radius| pair(&x, &y, radius, normalization)).collect();
        prop_assert!(costs.is_sorted_by(|a, b| a >= b), "{:?}", costs);
    }

    #[test]
    fn the_future_changes_nothing(
        series in points(80..110), other in points(110..111), query in finite(1..30), radius in 0_u32..30,
        smoothing in 1_usize..6, normalization in normalization(), t in 0_usize..80,
    ) {
        let options = ProfileOptions::new(normalization).radius(radius).smoothing(smoothing);
        let mut changed = series.clone();
        changed[t + 1..].copy_from_slice(&other[t + 1..series.len()]);
        let (before, after) = (distances(&series, &query, &options), distances(&changed, &query, &options));
        prop_assert_eq!(bits(&before[..=t]), bits(&after[..=t]));
    }

    #[test]
    fn chunks_give_the_bits_of_one_batch(
        series in points(90..120), query in finite(1..20), radius in 0_u32..20, smoothing in 1_usize..6,
        normalization in normalization(), chunk in 1_usize..40,
    ) {
        let options = ProfileOptions::new(normalization).radius(radius).smoothing(smoothing);
        let whole = distances(&series, &query, &options);
        let history = query.len() + smoothing - 2;
        for start in (history..series.len()).step_by(chunk) {
            let end = (start + chunk).min(series.len());
            let part = distances(&series[start - history..end], &query, &options);
            prop_assert_eq!(bits(&part[history..]), bits(&whole[start..end]));
        }
    }

    #[test]
    fn aggregates_lie_in_order(series in points(20..60), window in 1_usize..20) {
        let mut all = Aggregates::nan(series.len());
        rolling(row(&series), window, all.as_mut()).expect("the window fits");
        for t in window - 1..series.len() {
            if !all.mean[t].is_nan() {
                prop_assert!(all.min[t] <= all.mean[t] && all.mean[t] <= all.max[t]);
                prop_assert!(all.variance[t] >= 0.0);
                prop_assert!(all.min[t] < all.max[t] || all.variance[t] == 0.0);
            }
        }
    }

    #[test]
    fn matches_are_those_of_the_profile(
        series in points(60..120), query in finite(2..20), k in 0_usize..8, exclusion in 0_usize..12,
    ) {
        let options = ProfileOptions::new(Normalization::ZScore).radius(3);
        let queries = Queries::new(&query, query.len(), options.normalization).expect("it is finite");
        let profile = distances(&series, &query, &options);
        let found = top_k(row(&series), &queries, &options, k, exclusion).expect("the series is long enough");
        prop_assert_eq!(&found[0], &top_k_cpu(&profile, k, exclusion));
        if let Some(worst) = found[0].last() {
            let below = below_cpu(&profile, worst.distance);
            prop_assert!(found[0].iter().all(|found| below.contains(found)));
        }
    }
}
