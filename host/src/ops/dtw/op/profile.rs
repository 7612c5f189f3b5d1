//! The op `dtw_profile`.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::run::{EXACT, Work, entries, offsets, prepare_each};
use super::task::{Output, Task};
use super::{case_shape, cases};
use crate::backend::{Device, DeviceInfo};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::{
    AggregatesMut, Config, Kernel, Normalization, Problem, ProfileOptions, ProfilePlan, ProfileRolling,
    Queries, Rolling, cells,
};
use crate::ops::{Case, DType, Executor, HostRef, Layout, MatrixRef, Op, OpError, Prepared, Unit, fill};
use crate::reference::dtw::profile_cpu;
use crate::validate::Tolerance;

const NAME: &str = "dtw_profile";

/// Distances of every window, with rolling aggregates of the series.
///
/// [`Case::dims`] are rows, points of a row, queries and points of a query; the series may have a stride. Options: `radius`; `z_norm`, 1 to normalise
/// each window; `smoothing`, points of a mean less 1; `rolling`, points of the aggregates, 0 for none; `kernel`, which
/// of [`Kernel::candidates`], from 1, 0 for the fastest.
pub struct ProfileOp;

/// What a case asks.
struct Asked {
    rows: usize,
    points: usize,
    /// Elements from a row of the series to the next.
    stride: usize,
    m: usize,
    queries: Vec<f32>,
    options: ProfileOptions,
    rolling: usize,
    kernel: usize,
}

impl Asked {
    fn new(case: &Case) -> Result<Self, OpError> {
        let &[rows, points, queries, m] = case.dims.as_slice() else {
            return Err(case_shape(NAME, case, "extents", case.dims.len(), 4));
        };
        let z_norm = case.option("z_norm") == 1;
        let options = ProfileOptions {
            radius: case.option("radius") as u32,
            normalization: if z_norm { Normalization::ZScore } else { Normalization::None },
            smoothing: case.option("smoothing") as usize + 1,
        };
        Ok(Self {
            rows: rows as usize,
            points: points as usize,
            stride: case.operands.first().and_then(|series| series.stride).unwrap_or(points) as usize,
            m: m as usize,
            queries: planted_or_not(case, (queries * m) as usize),
            options,
            rolling: case.option("rolling") as usize,
            kernel: case.option("kernel") as usize,
        })
    }

    fn queries(&self) -> Result<Queries<'_>, OpError> {
        Ok(Queries::new(&self.queries, self.m, self.options.normalization)?)
    }

    /// Points of all rows.
    const fn all_points(&self) -> usize {
        self.rows * self.points
    }

    fn query_count(&self) -> usize {
        self.queries.len() / self.m
    }

    fn windows(&self) -> u64 {
        let per_row = self.options.warm_up(self.points, self.m).map_or(0, |warm_up| self.points - warm_up);
        (per_row * self.rows * self.query_count()) as u64
    }

    fn cells(&self) -> u64 {
        self.windows().saturating_mul(cells(self.m, self.options.radius))
    }
}

/// Queries that no call refuses, with values like the series.
pub fn query_points(case: &Case, len: usize) -> Vec<f32> {
    let usable = |x: f32| if x.abs() < 1e30 { x } else { 0.5 };
    fill::<f32>(case.values, case.seed_of(1), len).into_iter().map(usable).collect()
}

/// The queries of a profile: where the case says so, the first is the piece in the middle of the first series.
fn planted_or_not(case: &Case, len: usize) -> Vec<f32> {
    let mut points = query_points(case, len);
    if case.option("planted") == 1
        && let (&[_, n, _, m], Some(series)) = (case.dims.as_slice(), case.operands.first())
    {
        let (start, m) = ((series.offset + (n - m) / 2) as usize, m as usize);
        let piece = &fill::<f32>(case.values, case.seed_of(0), start + m)[start..];
        points[..m].copy_from_slice(piece);
    }
    points
}

impl Task for Asked {
    type Plan<D: Device> = ProfilePlan<D>;

    fn series_len(&self) -> usize {
        (self.rows - 1) * self.stride + self.points
    }

    fn is_gap(&self, at: usize) -> bool {
        self.rows > 1 && self.stride > self.points && at % self.stride >= self.points
    }

    fn outputs(&self) -> [Output; 5] {
        let (rows, cols) = (self.rows as u64, self.points as u64);
        let aggregate = |name| Output { name, rows: if self.rolling == 0 { 0 } else { rows }, cols };
        let distances = Output { name: "distances", rows: rows * self.query_count() as u64, cols };
        [distances, aggregate("mean"), aggregate("min"), aggregate("max"), aggregate("variance")]
    }

    fn steps(&self) -> u64 {
        self.cells() + (self.all_points() * self.rolling) as u64
    }

    fn plan<D: Device>(&self, device: &D) -> Result<ProfilePlan<D>, Error> {
        let (rows, points, queries) = (self.rows as u64, self.points as u64, self.queries()?);
        if self.kernel == 0 {
            return ProfilePlan::new(device, rows, points, &queries, &self.options);
        }
        let problem = Problem::new(rows, points, queries.count(), self.m, self.options)?;
        let kernel = Kernel::candidates(&problem)[self.kernel - 1];
        let config = Config::with_kernel(kernel, &problem, device.info().sm_count);
        ProfilePlan::with_config(device, problem, config, &queries)
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        plan: &mut ProfilePlan<D>,
        series: DeviceSlice<'_, f32>,
        [distances, mean, min, max, variance]: [DeviceSliceMut<'_, f32>; 5],
    ) -> Result<(), Error> {
        let (rows, points, stride) = (self.rows as u64, self.points as u64, self.stride as u64);
        let series = MatrixRef::with_stride(series, rows, points, stride)?;
        let rolling = Rolling { window: self.rolling, mean, min, max, variance };
        let rolling = ProfileRolling { series: (self.rolling > 0).then_some(rolling), distances: None };
        plan.run_with(device, series, distances, rolling)
    }

    fn cpu(
        &self,
        series: &[f32],
        [distances, mean, min, max, variance]: [&mut [f32]; 5],
    ) -> Result<(), Error> {
        let (rows, points) = (self.rows as u64, self.points as u64);
        let series = HostRef::new(series, Layout::new(rows, points, self.stride as u64)?)?;
        cpu::dtw::profile(series, &self.queries()?, &self.options, distances)?;
        if self.rolling > 0 {
            cpu::dtw::rolling(series, self.rolling, AggregatesMut { mean, min, max, variance })?;
        }
        Ok(())
    }

    /// Of the points that it depends on alone.
    fn expected(&self, series: &[f32], output: usize, at: usize) -> f32 {
        let (row, t) = (at / self.points, at % self.points);
        if output > 0 {
            return super::rolling::expected(&series[row * self.stride..], self.rolling, output, t);
        }
        let needed = self.m + self.options.smoothing - 1;
        if t + 1 < needed {
            return f32::NAN;
        }
        let (row, query) = (row / self.query_count(), row % self.query_count());
        let window = &series[row * self.stride..][t + 1 - needed..=t];
        let query = &self.queries[query * self.m..][..self.m];
        let distances = Queries::new(query, self.m, self.options.normalization)
            .map(|query| profile_cpu(window, &query, &self.options));
        distances.ok().and_then(|distances| distances.last().copied()).unwrap_or(f32::NEG_INFINITY)
    }
}

impl Op for ProfileOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "dtw"
    }

    fn formula(&self) -> &'static str {
        "y[s, k, t] = DTW(q[k], x[s, t - m + 1 ..= t])"
    }

    fn stems(&self) -> &'static [&'static str] {
        &[
            "dtw_small",
            "dtw_profile",
            "dtw_profile_broad",
            "dtw_strips",
            "dtw_band",
            "dtw_band_lanes",
            "dtw_band_warps",
            "dtw_band_wide",
        ]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F32]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["series", "queries", "distances", "mean", "min", "max", "variance"]
    }

    fn cases(&self) -> Vec<Case> {
        cases::cases()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        cases::random(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        cases::bench()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        let Ok(asked) = Asked::new(case) else { return 0 };
        let outputs: usize = asked.outputs().iter().map(Output::len).sum();
        (asked.all_points() + asked.queries.len() + outputs) as u64 * dtype.size_bytes()
    }

    /// Cells.
    fn flops(&self, case: &Case) -> u64 {
        Asked::new(case).map_or(0, |asked| asked.cells())
    }

    fn unit(&self) -> Unit {
        Unit::GigaCells
    }

    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
        super::check_dtype(NAME, dtype)?;
        let [series, _, distances, mean, min, max, variance] = offsets(NAME, case)?;
        let work = Work::new(Asked::new(case)?, case, [series, distances, mean, min, max, variance]);
        prepare_each(executors, work)
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        super::check_dtype(NAME, dtype)?;
        entries(info, &Asked::new(case)?)
    }
}
