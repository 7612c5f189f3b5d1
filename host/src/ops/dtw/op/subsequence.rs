//! The op `dtw_subsequence`.

use std::sync::OnceLock;

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::profile::query_points;
use super::run::{EXACT, Work, entries, offsets, prepare_each};
use super::task::{Output, Task};
use super::{case_shape, subsequence_cases};
use crate::backend::{Device, DeviceInfo};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::{Normalization, Queries, SubsequencePlan};
use crate::ops::{Case, DType, Executor, HostRef, Layout, MatrixRef, Op, OpError, Prepared, Unit};
use crate::reference::dtw::subsequence_cpu;
use crate::validate::Tolerance;

const NAME: &str = "dtw_subsequence";

/// Distances with open begin and open end.
///
/// [`Case::dims`] are rows, points of a row, queries and points of a query.
pub struct SubsequenceOp;

/// What a case asks.
struct Asked {
    rows: usize,
    points: usize,
    m: usize,
    queries: Vec<f32>,
    /// The reference's distances of each row and query, once they are asked for.
    expected: Vec<OnceLock<Vec<f32>>>,
}

impl Asked {
    fn new(case: &Case) -> Result<Self, OpError> {
        let &[rows, points, queries, m] = case.dims.as_slice() else {
            return Err(case_shape(NAME, case, "extents", case.dims.len(), 4));
        };
        Ok(Self {
            rows: rows as usize,
            points: points as usize,
            m: m as usize,
            queries: query_points(case, (queries * m) as usize),
            expected: (0..rows * queries).map(|_| OnceLock::new()).collect(),
        })
    }

    fn queries(&self) -> Result<Queries<'_>, OpError> {
        Ok(Queries::new(&self.queries, self.m, Normalization::None)?)
    }

    fn cells(&self) -> u64 {
        (self.rows * self.points) as u64 * self.queries.len() as u64
    }
}

impl Task for Asked {
    type Plan<D: Device> = SubsequencePlan<D>;

    fn series_len(&self) -> usize {
        self.rows * self.points
    }

    fn outputs(&self) -> [Output; 5] {
        let (rows, cols) = (self.expected.len() as u64, self.points as u64);
        let none = Output { name: "none", rows: 0, cols };
        [Output { name: "distances", rows, cols }, none, none, none, none]
    }

    fn steps(&self) -> u64 {
        self.cells()
    }

    fn plan<D: Device>(&self, device: &D) -> Result<SubsequencePlan<D>, Error> {
        SubsequencePlan::new(device, self.rows as u64, self.points as u64, &self.queries()?)
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        plan: &mut SubsequencePlan<D>,
        series: DeviceSlice<'_, f32>,
        [distances, ..]: [DeviceSliceMut<'_, f32>; 5],
    ) -> Result<(), Error> {
        plan.run(device, MatrixRef::new(series, self.rows as u64, self.points as u64)?, distances)
    }

    fn cpu(&self, series: &[f32], [distances, ..]: [&mut [f32]; 5]) -> Result<(), Error> {
        let (rows, points) = (self.rows as u64, self.points as u64);
        let series = HostRef::new(series, Layout::new(rows, points, points)?)?;
        Ok(cpu::dtw::subsequence(series, &self.queries()?, distances)?)
    }

    /// A distance may depend on every point before it, so those of its row are computed together.
    fn expected(&self, series: &[f32], _: usize, at: usize) -> f32 {
        let (job, t) = (at / self.points, at % self.points);
        let count = self.queries.len() / self.m;
        let distances = self.expected[job].get_or_init(|| {
            let query = &self.queries[job % count * self.m..][..self.m];
            subsequence_cpu(query, &series[job / count * self.points..][..self.points])
        });
        distances[t]
    }
}

impl Op for SubsequenceOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "dtw"
    }

    fn formula(&self) -> &'static str {
        "y[s, k, t] = min over b <= t of DTW(q[k], x[s, b ..= t])"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["dtw_subsequence"]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F32]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["series", "queries", "distances"]
    }

    fn cases(&self) -> Vec<Case> {
        subsequence_cases::cases()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        subsequence_cases::random(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        subsequence_cases::bench()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        let Ok(asked) = Asked::new(case) else { return 0 };
        let outputs: usize = asked.outputs().iter().map(Output::len).sum();
        (asked.series_len() + asked.queries.len() + outputs) as u64 * dtype.size_bytes()
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
        let [series, _, distances] = offsets(NAME, case)?;
        prepare_each(executors, Work::new(Asked::new(case)?, case, [series, distances, 0, 0, 0, 0]))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        super::check_dtype(NAME, dtype)?;
        entries(info, &Asked::new(case)?)
    }
}
