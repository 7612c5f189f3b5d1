//! The plain references against other libraries.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use host::ops::dtw::{Normalization, ProfileOptions, Queries, pairs_on, subsequence_on};
use host::ops::{Executor, HostRef, Layout};
use host::reference::dtw::{
    distance_cpu, exact_distance_cpu, exact_profile_cpu, profile_cpu, profile_tolerance, rolling_cpu,
    rolling_tolerance, subsequence_cpu,
};
use host::runtime::{Backend, Sim, SimOptions};
use serde::Deserialize;

/// `golden/dtw/dtw.json`; null is NaN.
#[derive(Deserialize)]
struct Golden {
    series: BTreeMap<String, Vec<Option<f64>>>,
    profiles: Vec<Profile>,
    rolling: Vec<Rolling>,
    pairs: Vec<Pair>,
    subsequences: Vec<Subsequence>,
}

#[derive(Deserialize)]
struct Profile {
    series: String,
    query: Vec<Option<f64>>,
    radius: u32,
    normalize: bool,
    distances: Vec<Option<f64>>,
}

#[derive(Deserialize)]
struct Rolling {
    series: String,
    window: usize,
    mean: Vec<Option<f64>>,
    min: Vec<Option<f64>>,
    max: Vec<Option<f64>>,
    variance: Vec<Option<f64>>,
}

#[derive(Deserialize)]
struct Pair {
    x: Vec<Option<f64>>,
    y: Vec<Option<f64>>,
    radius: u32,
    distance: f64,
}

#[derive(Deserialize)]
struct Subsequence {
    query: Vec<Option<f64>>,
    series: Vec<Option<f64>>,
    distances: Vec<Option<f64>>,
}

fn golden() -> &'static Golden {
    static GOLDEN: OnceLock<Golden> = OnceLock::new();
    GOLDEN.get_or_init(|| {
        serde_json::from_str(include_str!("../golden/dtw/dtw.json")).expect("the file is generate.py's")
    })
}

/// The inputs are float32: nothing is lost.
fn narrow(values: &[Option<f64>]) -> Vec<f32> {
    values.iter().map(|x| x.map_or(f32::NAN, |x| x as f32)).collect()
}

fn widen(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&x| f64::from(x)).collect()
}

/// Element by element within `limit(at, want)`; NaN where and only where there is none.
#[track_caller]
fn expect_within(what: &str, got: &[f64], want: &[Option<f64>], limit: impl Fn(usize, f64) -> f64) {
    assert_eq!(got.len(), want.len(), "{what}");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        match want {
            None => assert!(got.is_nan(), "{what}, element {at}: got {got}, want none"),
            Some(want) => {
                let (difference, limit) = ((got - want).abs(), limit(at, *want));
                assert!(
                    difference <= limit,
                    "{what}, element {at}: got {got:e}, want {want:e} within {limit:e}"
                );
            }
        }
    }
}

/// What two ways through f64 may differ by: relative, and for distances near 0 the squares of roundings.
fn exact(_: usize, want: f64) -> f64 {
    1e-9 * want.abs() + 1e-15
}

#[test]
fn profiles_are_what_aeon_dtaidistance_tslearn_and_stumpy_say() {
    assert!(golden().profiles.len() > 50);
    for case in &golden().profiles {
        let (series, query) = (narrow(&golden().series[&case.series]), narrow(&case.query));
        let m = query.len();
        let normalization = if case.normalize { Normalization::ZScore } else { Normalization::None };
        let queries = Queries::new(&query, m, normalization).expect("it is finite");
        let options = ProfileOptions::new(normalization).radius(case.radius);
        let what = format!("{} m = {m} {options:?}", case.series);
        expect_within(&what, &exact_profile_cpu(&series, &queries, &options), &case.distances, exact);
        // No point of m lies further than √m standard deviations from their mean.
        let largest = if case.normalize { (m as f64).sqrt() } else { 0.0 };
        let got = widen(&profile_cpu(&series, &queries, &options));
        expect_within(&what, &got, &case.distances, |_, want| profile_tolerance(m, want, largest));
    }
}

#[test]
fn aggregates_are_what_numpy_and_pandas_say() {
    assert!(golden().rolling.len() > 10);
    for case in &golden().rolling {
        let series = narrow(&golden().series[&case.series]);
        let got = rolling_cpu(&series, case.window);
        let what = format!("{} w = {}", case.series, case.window);
        expect_within(&what, &widen(&got.min), &case.min, |_, _| 0.0);
        expect_within(&what, &widen(&got.max), &case.max, |_, _| 0.0);
        let tolerance = |at: usize| {
            let (mean, variance) = (case.mean[at].unwrap_or(0.0), case.variance[at].unwrap_or(0.0));
            rolling_tolerance(f64::from(series[at + 1 - case.window]), mean, variance)
        };
        // The libraries' variance of a constant is the square of a rounding of its level.
        expect_within(&what, &widen(&got.mean), &case.mean, |at, _| tolerance(at).0);
        expect_within(&what, &widen(&got.variance), &case.variance, |at, _| tolerance(at).1 + 1e-30);
    }
}

#[test]
fn pairs_are_what_aeon_dtaidistance_and_tslearn_say() {
    assert!(golden().pairs.len() > 10);
    for case in &golden().pairs {
        let (x, y) = (narrow(&case.x), narrow(&case.y));
        let what = format!("m = {} r = {}", x.len(), case.radius);
        let got = exact_distance_cpu(&widen(&x), &widen(&y), case.radius);
        expect_within(&what, &[got], &[Some(case.distance)], exact);
        let got = f64::from(distance_cpu(&x, &y, case.radius));
        expect_within(&what, &[got], &[Some(case.distance)], |_, want| profile_tolerance(x.len(), want, 0.0));
    }
}

#[test]
fn subsequences_are_what_tslearn_says() {
    assert!(golden().subsequences.len() > 3);
    for case in &golden().subsequences {
        let (query, series) = (narrow(&case.query), narrow(&case.series));
        let got = widen(&subsequence_cpu(&query, &series));
        let what = format!("m = {} n = {}", query.len(), series.len());
        let longest = query.len().max(series.len());
        expect_within(&what, &got, &case.distances, |_, want| profile_tolerance(longest, want, 0.0));
    }
}

/// The CPU twin, and the kernels in the simulator.
fn executors() -> [Executor; 2] {
    let sim = Sim::open_with(SimOptions::default()).expect("there is PTX: `cargo xtask build-ptx`");
    [Executor::Cpu, Executor::new(&Backend::Sim(sim)).expect("a simulator needs nothing")]
}

#[track_caller]
fn expect_bits(what: &str, got: &[f32], want: &[f32]) {
    let bits = |x: &[f32]| -> Vec<u32> {
        x.iter().map(|x| if x.is_nan() { f32::NAN.to_bits() } else { x.to_bits() }).collect()
    };
    assert_eq!(bits(got), bits(want), "{what}");
}

#[test]
fn twin_and_kernel_have_the_reference_bits_of_the_pairs() {
    for executor in executors() {
        for case in &golden().pairs {
            let (x, y) = (narrow(&case.x), narrow(&case.y));
            let m = x.len() as u64;
            let row =
                |x| Layout::new(1, m, m).and_then(|layout| HostRef::new(x, layout)).expect("it is right");
            let got = pairs_on(&executor, row(&x), row(&y), case.radius, Normalization::None);
            let what = format!("m = {m} r = {}", case.radius);
            expect_bits(&what, &got.expect("they are right"), &[distance_cpu(&x, &y, case.radius)]);
        }
    }
}

#[test]
fn twin_and_kernel_have_the_reference_bits_of_the_subsequences() {
    for executor in executors() {
        for case in &golden().subsequences {
            let (query, series) = (narrow(&case.query), narrow(&case.series));
            let queries = Queries::new(&query, query.len(), Normalization::None).expect("it is finite");
            let got = subsequence_on(&executor, &series, 1, &queries).expect("they are right");
            let what = format!("m = {} n = {}", query.len(), series.len());
            expect_bits(&what, &got, &subsequence_cpu(&query, &series));
        }
    }
}
