//! The op `dtw_rolling`.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::run::{EXACT, Work, entries, offsets, prepare_each};
use super::task::{Output, Task};
use super::{case_shape, rolling_cases};
use crate::backend::{Device, DeviceInfo};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::{AggregatesMut, GrowingRows, Rolling, rolling};
use crate::ops::{Case, DType, Executor, HostRef, Layout, Op, OpError, Prepared, Unit};
use crate::reference::dtw::rolling_cpu;
use crate::validate::Tolerance;

const NAME: &str = "dtw_rolling";

/// Rolling mean, minimum, maximum and variance of rows: series, or the distances of a profile.
///
/// [`Case::dims`] are rows and points of a row. Options: `window`; `chunk`, how many points of each row come at a time, 0 for
/// all at once.
pub struct RollingOp;

/// What a case asks.
struct Asked {
    rows: usize,
    points: usize,
    window: usize,
    chunk: usize,
}

impl Asked {
    fn new(case: &Case) -> Result<Self, OpError> {
        let &[rows, points] = case.dims.as_slice() else {
            return Err(case_shape(NAME, case, "extents", case.dims.len(), 2));
        };
        let (window, chunk) = (case.option("window") as usize, case.option("chunk") as usize);
        Ok(Self { rows: rows as usize, points: points as usize, window, chunk })
    }
}

/// Aggregate number `output`, from 1, of the last `window` points of `row` at `t`, by the reference: of those points alone.
pub fn expected(row: &[f32], window: usize, output: usize, t: usize) -> f32 {
    if t + 1 < window {
        return f32::NAN;
    }
    let all = rolling_cpu(&row[t + 1 - window..=t], window);
    let chosen = [all.mean, all.min, all.max, all.variance];
    chosen[output - 1].last().copied().unwrap_or(f32::NEG_INFINITY)
}

impl Task for Asked {
    type Plan<D: Device> = Option<GrowingRows<D>>;

    fn series_len(&self) -> usize {
        self.rows * self.points
    }

    /// The same places as those of a profile, which has distances in front.
    fn outputs(&self) -> [Output; 5] {
        let (rows, cols) = (self.rows as u64, self.points as u64);
        let aggregate = |name| Output { name, rows, cols };
        [
            Output { name: "none", rows: 0, cols },
            aggregate("mean"),
            aggregate("min"),
            aggregate("max"),
            aggregate("variance"),
        ]
    }

    fn steps(&self) -> u64 {
        (self.series_len() * self.window) as u64
    }

    fn plan<D: Device>(&self, device: &D) -> Result<Option<GrowingRows<D>>, Error> {
        let growing = || GrowingRows::new(device, self.rows as u64, self.window, self.chunk);
        (self.chunk > 0).then(growing).transpose()
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        growing: &mut Option<GrowingRows<D>>,
        series: DeviceSlice<'_, f32>,
        [_, mut mean, mut min, mut max, mut variance]: [DeviceSliceMut<'_, f32>; 5],
    ) -> Result<(), Error> {
        let (window, points) = (self.window, self.points as u64);
        let Some(growing) = growing else {
            return rolling(device, series, points, Rolling { window, mean, min, max, variance });
        };
        growing.clear();
        for from in (0..points).step_by(self.chunk) {
            let (count, rest) = ((points - from).min(self.chunk as u64), from..series.len());
            let outputs = Rolling {
                window,
                mean: mean.reborrow().slice(rest.clone())?,
                min: min.reborrow().slice(rest.clone())?,
                max: max.reborrow().slice(rest.clone())?,
                variance: variance.reborrow().slice(rest.clone())?,
            };
            growing.append(device, series.slice(rest)?, count, points, outputs)?;
            growing.advance();
        }
        Ok(())
    }

    fn cpu(&self, series: &[f32], [_, mean, min, max, variance]: [&mut [f32]; 5]) -> Result<(), Error> {
        let (rows, points) = (self.rows as u64, self.points as u64);
        let series = HostRef::new(series, Layout::new(rows, points, points)?)?;
        Ok(cpu::dtw::rolling(series, self.window, AggregatesMut { mean, min, max, variance })?)
    }

    fn expected(&self, series: &[f32], output: usize, at: usize) -> f32 {
        let (row, t) = (at / self.points, at % self.points);
        expected(&series[row * self.points..], self.window, output, t)
    }
}

impl Op for RollingOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "dtw"
    }

    fn formula(&self) -> &'static str {
        "mean, min, max, var of x[s, t - w + 1 ..= t]"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["rolling", "rolling_append"]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F32]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["series", "mean", "min", "max", "variance"]
    }

    fn cases(&self) -> Vec<Case> {
        rolling_cases::cases()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        rolling_cases::random(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        rolling_cases::bench()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        5 * case.dims.iter().product::<u64>() * dtype.size_bytes()
    }

    fn flops(&self, case: &Case) -> u64 {
        2 * case.dims.iter().product::<u64>() * case.option("window")
    }

    fn unit(&self) -> Unit {
        Unit::GigabytesPerSecond
    }

    fn any_grid(&self) -> bool {
        true
    }

    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
        super::check_dtype(NAME, dtype)?;
        let [series, mean, min, max, variance] = offsets(NAME, case)?;
        prepare_each(executors, Work::new(Asked::new(case)?, case, [series, 0, mean, min, max, variance]))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        super::check_dtype(NAME, dtype)?;
        let mut entries = entries(info, &Asked::new(case)?)?;
        // The same for every chunk.
        entries.dedup();
        Ok(entries)
    }
}
