//! The op `dtw_pairs`.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::run::{EXACT, Work, entries, offsets, prepare_each};
use super::task::{Output, Task};
use super::{case_shape, pair_cases};
use crate::backend::{Device, DeviceInfo};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::pairs::{PairConfig, PairKernel, PairProblem, pairs, pairs_with};
use crate::ops::dtw::{Normalization, cells};
use crate::ops::{Case, DType, Executor, HostRef, Layout, MatrixRef, Op, OpError, Prepared, Unit};
use crate::reference::dtw::{normalized_cpu, pairs_cpu};
use crate::validate::Tolerance;

const NAME: &str = "dtw_pairs";

/// Distances of the rows of two matrices.
///
/// [`Case::dims`] are pairs, points of a first sequence and points of a second, which are as many. Options: `radius`; `z_norm`,
/// 1 to normalise each sequence; `gap`, elements between rows; `kernel`, which instance that computes the case, from 1, 0 for
/// the fastest.
pub struct PairsOp;

/// What a case asks. The series of the task are the first sequences, then the second.
struct Asked {
    pairs: u64,
    m: u64,
    stride: u64,
    radius: u32,
    normalization: Normalization,
    kernel: usize,
}

impl Asked {
    fn new(case: &Case) -> Result<Self, OpError> {
        let &[pairs, m, n] = case.dims.as_slice() else {
            return Err(case_shape(NAME, case, "extents", case.dims.len(), 3));
        };
        if m != n {
            return Err(case_shape(NAME, case, "points in the second sequences", n as usize, m as usize));
        }
        let z_norm = case.option("z_norm") == 1;
        Ok(Self {
            pairs,
            m,
            stride: m + case.option("gap"),
            radius: case.option("radius") as u32,
            normalization: if z_norm { Normalization::ZScore } else { Normalization::None },
            kernel: case.option("kernel") as usize,
        })
    }

    fn layout(&self) -> Result<Layout, OpError> {
        Layout::new(self.pairs, self.m, self.stride)
    }

    /// Elements of one side.
    fn side(&self) -> usize {
        (self.pairs * self.stride) as usize
    }

    fn cells(&self) -> u64 {
        self.pairs.saturating_mul(cells(self.m as usize, self.radius))
    }
}

/// The instances that compute a case's pairs.
pub(super) fn kernels(pairs: u64, m: u64, radius: u32) -> Vec<PairKernel> {
    let problem = Layout::new(pairs, m, m)
        .and_then(|layout| PairProblem::new(layout, layout, radius, Normalization::None));
    problem.map(|problem| PairKernel::candidates(&problem)).unwrap_or_default()
}

impl Task for Asked {
    type Plan<D: Device> = ();

    fn series_len(&self) -> usize {
        2 * self.side()
    }

    fn outputs(&self) -> [Output; 5] {
        let none = Output { name: "none", rows: 0, cols: 1 };
        [Output { name: "out", rows: u64::from(self.pairs > 0), cols: self.pairs }, none, none, none, none]
    }

    fn steps(&self) -> u64 {
        self.cells()
    }

    fn plan<D: Device>(&self, _: &D) -> Result<(), Error> {
        Ok(())
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        (): &mut (),
        series: DeviceSlice<'_, f32>,
        [out, ..]: [DeviceSliceMut<'_, f32>; 5],
    ) -> Result<(), Error> {
        let (layout, side) = (self.layout()?, self.side() as u64);
        let view = |start: u64| {
            let data = series.slice(start..start + side)?;
            MatrixRef::with_stride(data, layout.rows(), layout.cols(), layout.stride())
        };
        let (x, y) = (view(0)?, view(side)?);
        if self.kernel == 0 {
            return pairs(device, x, y, self.radius, self.normalization, out);
        }
        let problem = PairProblem::new(layout, layout, self.radius, self.normalization)?;
        let kernel = PairKernel::candidates(&problem)[self.kernel - 1];
        let config = PairConfig::with_kernel(kernel, &problem, device.info().sm_count);
        pairs_with(device, x, y, &problem, config, out)
    }

    fn cpu(&self, series: &[f32], [out, ..]: [&mut [f32]; 5]) -> Result<(), Error> {
        let (x, y) = series.split_at(self.side());
        let (x, y) = (HostRef::new(x, self.layout()?)?, HostRef::new(y, self.layout()?)?);
        Ok(cpu::dtw::pairs(x, y, self.radius, self.normalization, out)?)
    }

    fn expected(&self, series: &[f32], _: usize, at: usize) -> f32 {
        let (x, y) = series.split_at(self.side());
        let row = at * self.stride as usize;
        let of = |side: &'_ [f32]| side[row..row + self.m as usize].to_vec();
        let (x, y) = (of(x), of(y));
        let pair = std::iter::once((x.as_slice(), y.as_slice()));
        let distance = match self.normalization {
            Normalization::ZScore => pairs_cpu(pair, self.radius, normalized_cpu),
            Normalization::None => {
                pairs_cpu(pair, self.radius, |x| x.iter().all(|point| point.is_finite()).then(|| x.to_vec()))
            }
        };
        distance[0]
    }
}

impl Op for PairsOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "dtw"
    }

    fn formula(&self) -> &'static str {
        "d[p] = DTW(x[p], y[p])"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["dtw_pairs"]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F32]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["x", "y", "out"]
    }

    fn cases(&self) -> Vec<Case> {
        pair_cases::cases()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        pair_cases::random(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        pair_cases::bench()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        Asked::new(case).map_or(0, |asked| asked.pairs * (2 * asked.m + 1) * dtype.size_bytes())
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
        let [x, _, out] = offsets(NAME, case)?;
        prepare_each(executors, Work::new(Asked::new(case)?, case, [x, out, 0, 0, 0, 0]))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        super::check_dtype(NAME, dtype)?;
        entries(info, &Asked::new(case)?)
    }
}
