//! Latency of appending a point to a series: on the clock of the host, from the call to its results in host memory.

use std::time::{Duration, Instant};

use host::ops::dtw::{
    Aggregation, Normalization, Profile, ProfileOptions, Queries, StreamOptions, profile_on, stream_on,
};
use host::ops::{DType, Executor, Values, fill};
use serde::{Deserialize, Serialize};

use crate::{BenchError, Lane, Stand};

/// Points of a query, and of the windows of aggregates.
const M: usize = 128;
/// Queries.
const QUERIES: usize = 64;
/// Points of an append that there is room for.
const CAPACITY: usize = 64;
/// Appends that are verified before any is timed, one point each; they warm up as well.
const VERIFIED: usize = 500;

/// The appends of one back end, of one point each.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AppendLine {
    /// What is appended to.
    pub shape: String,
    /// How many appends were timed.
    pub appends: usize,
    /// Half of them took no longer, in microseconds.
    pub p50_us: f64,
    /// 99 in 100 took no longer.
    pub p99_us: f64,
    /// The longest.
    pub max_us: f64,
    /// What wrote the PTX.
    pub codegen: String,
    /// Architecture of the PTX.
    pub arch: String,
    /// The device's name.
    pub gpu: String,
    /// The CUDA version of its driver.
    pub driver: String,
}

/// Times `appends` appends of one point to z-normalised queries without a band: with the distances alone, and with all
/// aggregates. Verified first, bit by bit, with the CPU twin of the whole series.
///
/// # Errors
/// A wrong result, or the device's error.
pub fn time_appends(stand: &Stand, appends: usize) -> Result<Vec<AppendLine>, BenchError> {
    let mut lines = Vec::new();
    for aggregation in [Aggregation::NONE, Aggregation::of_series(M).of_distances(M)] {
        for lane in stand.lanes(1) {
            lines.push(time_lane(lane, aggregation, appends)?);
        }
    }
    Ok(lines)
}

fn time_lane(lane: &Lane, aggregation: Aggregation, appends: usize) -> Result<AppendLine, BenchError> {
    let points: Vec<f32> = fill(Values::Uniform, 1, QUERIES * M);
    let series: Vec<f32> = fill(Values::Uniform, 2, VERIFIED + appends);
    let queries = Queries::new(&points, M, Normalization::ZScore).map_err(|e| BenchError::Host(e.into()))?;
    let profile = ProfileOptions::new(Normalization::ZScore);
    let asked = StreamOptions { profile, aggregation, capacity: CAPACITY };
    let with = if aggregation == Aggregation::NONE { "" } else { ", aggregates of series and distances" };
    let shape = format!("1 point, {QUERIES} queries of {M}{with}");

    let mut stream = stream_on(lane.executor(), &queries, &asked)?;
    let (first, rest) = series.split_at(VERIFIED);
    let want = profile_on(&Executor::Cpu, first, 1, &queries, &profile, aggregation)?;
    for (at, point) in first.iter().enumerate() {
        let got = stream.append(std::slice::from_ref(point))?;
        if let Some(found) = difference(got, &want, at) {
            let codegen = lane.codegen.clone();
            return Err(BenchError::Wrong { op: "dtw append", dtype: DType::F32, shape, codegen, found });
        }
    }
    let mut times = Vec::with_capacity(rest.len());
    for point in rest {
        let start = Instant::now();
        stream.append(std::slice::from_ref(point))?;
        times.push(start.elapsed());
    }
    times.sort_unstable();
    let Lane { codegen, arch, gpu, driver, .. } = lane;
    Ok(AppendLine {
        shape,
        appends: times.len(),
        p50_us: quantile(&times, 0.5),
        p99_us: quantile(&times, 0.99),
        max_us: quantile(&times, 1.0),
        codegen: codegen.clone(),
        arch: arch.clone(),
        gpu: gpu.clone(),
        driver: driver.clone(),
    })
}

/// Where the results of one point are not those of point `at` of the whole series.
fn difference(got: &Profile, want: &Profile, at: usize) -> Option<String> {
    let same = |got: &f32, want: &f32| got.to_bits() == want.to_bits() || got.is_nan() && want.is_nan();
    for (part, (got, want)) in parts(got).into_iter().zip(parts(want)).enumerate() {
        let len = want.len() / got.len();
        for (row, got) in got.iter().enumerate() {
            let want = want[row * len + at];
            if !same(got, &want) {
                return Some(format!("result {part}, row {row}, point {at}: {got:e}, want {want:e}"));
            }
        }
    }
    None
}

/// All results, in one order.
fn parts(profile: &Profile) -> Vec<&[f32]> {
    let aggregates = profile.aggregates.iter().chain(&profile.distance_aggregates);
    let all = aggregates.flat_map(|of| [&of.mean, &of.min, &of.max, &of.variance]);
    std::iter::once(&profile.distances).chain(all).map(Vec::as_slice).collect()
}

/// The time that `share` of the sorted times do not exceed, in microseconds; 0 of none.
fn quantile(sorted: &[Duration], share: f64) -> f64 {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_times_that_were_measured() {
        let times: Vec<Duration> = (1..=100).map(Duration::from_micros).collect();
        assert_eq!([0.5, 0.99, 1.0].map(|share| quantile(&times, share)), [50.0, 99.0, 100.0]);
        assert_eq!(quantile(&times[..1], 0.5), 1.0);
        assert_eq!(quantile(&[], 0.5), 0.0);
    }

    #[test]
    fn a_result_of_another_point_is_found() {
        let whole = Profile { distances: vec![f32::NAN, 1.0, f32::NAN, 3.0], ..Profile::default() };
        let of = |distances: &[f32]| Profile { distances: distances.to_vec(), ..Profile::default() };
        assert_eq!(difference(&of(&[1.0, 3.0]), &whole, 1), None);
        assert_eq!(difference(&of(&[f32::NAN, f32::NAN]), &whole, 0), None);
        let found = difference(&of(&[1.0, f32::NAN]), &whole, 1);
        assert_eq!(found.as_deref(), Some("result 0, row 1, point 1: NaN, want 3e0"));
    }

    #[test]
    fn every_back_end_has_a_line_for_each_kind_of_append() {
        let stand = Stand::of(vec![Lane::on_cpu("llvm")]).expect("there is one");
        let lines = time_appends(&stand, 20).expect("it is right");
        assert_eq!(lines.len(), 2);
        assert!(
            lines.iter().all(|line| line.appends == 20 && line.p50_us > 0.0 && line.p50_us <= line.p99_us)
        );
        assert_eq!(lines[0].shape, "1 point, 64 queries of 128");
    }
}
