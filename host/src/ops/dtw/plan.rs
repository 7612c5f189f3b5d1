//! A profile on a device: queries prepared once, then launched over series after series.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::launch::{Arguments, launch};
use super::{Config, DtwError, Kernel, Problem, ProfileOptions, Queries, check_output, check_window};
use crate::backend::{Buffer as _, Device};
use crate::cpu::dtw::prepared_queries;
use crate::error::Error;
use crate::ops::MatrixRef;

/// The profile of fixed queries over series of a fixed shape, on one device.
///
/// Shapes: series `[rows, points]`, distances `[rows, queries, points]`, each where its window ends, aggregates
/// `[rows, points]`. What is computed, bit for bit, says [`crate::ops::dtw`].
pub struct ProfilePlan<D: Device> {
    problem: Problem,
    config: Config,
    sm_count: u32,
    queries: D::Buffer<f32>,
    /// Stands for aggregates that nobody asked for.
    nothing: [D::Buffer<f32>; 4],
}

/// Rolling aggregates of rows: where they go, and of how many points they are.
#[derive(Debug)]
pub struct Rolling<'a> {
    /// Points of a window.
    pub window: usize,
    /// Means.
    pub mean: DeviceSliceMut<'a, f32>,
    /// Minima, −0 below +0.
    pub min: DeviceSliceMut<'a, f32>,
    /// Maxima, −0 below +0.
    pub max: DeviceSliceMut<'a, f32>,
    /// Population variances.
    pub variance: DeviceSliceMut<'a, f32>,
}

impl<D: Device> ProfilePlan<D> {
    /// Chooses the kernel and puts the queries, normalised as asked, on the device.
    ///
    /// # Errors
    /// What [`Problem::new`] and [`Queries::check_for`] refuse, or the device's error.
    pub fn new(
        device: &D,
        rows: u64,
        points: u64,
        queries: &Queries<'_>,
        options: &ProfileOptions,
    ) -> Result<Self, Error> {
        let problem = Problem::new(rows, points, queries.count(), queries.len(), *options)?;
        Self::of(device, problem, queries)
    }

    /// The same for a problem of these queries.
    ///
    /// # Errors
    /// What [`Queries::check_for`] refuses, or the device's.
    pub(super) fn of(device: &D, problem: Problem, queries: &Queries<'_>) -> Result<Self, Error> {
        let config = Config::choose(&problem, device.info().sm_count);
        Self::with_config(device, problem, config, queries)
    }

    /// The same with a kernel that need not be the fastest: for tests and benches.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    ///
    /// # Panics
    /// Where `queries` are not those of the problem, or `config` was not made for it.
    pub(super) fn with_config(
        device: &D,
        problem: Problem,
        config: Config,
        queries: &Queries<'_>,
    ) -> Result<Self, Error> {
        assert_eq!((queries.count(), queries.len()), (problem.queries as usize, problem.m as usize));
        assert!(Kernel::candidates(&problem).contains(&config.kernel), "{config:?} is for another problem");
        queries.check_for(problem.options.normalization)?;
        let floats = config.kernel.query_floats(problem.m) as usize;
        let mut padded = Vec::with_capacity(queries.count() * floats);
        for query in prepared_queries(queries, problem.options.normalization).chunks_exact(queries.len()) {
            padded.resize(padded.len() + floats - queries.len(), f32::INFINITY);
            padded.extend(query);
        }
        let nothing = || device.alloc::<f32>(0);
        Ok(Self {
            problem,
            config,
            sm_count: device.info().sm_count,
            queries: device.upload(&padded)?,
            nothing: [nothing()?, nothing()?, nothing()?, nothing()?],
        })
    }

    /// Makes it a plan for rows of `points` points, by the same kernel.
    ///
    /// # Errors
    /// As [`Problem::new`]; it is then what it was.
    pub(super) fn set_points(&mut self, points: u64) -> Result<(), DtwError> {
        let Problem { rows, queries, m, options, .. } = self.problem;
        self.problem = Problem::new(rows.into(), points, queries as usize, m as usize, options)?;
        self.config = Config::with_kernel(self.config.kernel, &self.problem, self.sm_count);
        Ok(())
    }

    /// What is asked.
    pub fn problem(&self) -> &Problem {
        &self.problem
    }

    /// How it is computed.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Enqueues the profile of `series`, without gaps, with the aggregates of `rolling`.
    ///
    /// # Errors
    /// As [`run_with`](Self::run_with).
    pub fn run(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        distances: DeviceSliceMut<'_, f32>,
        rolling: Option<Rolling<'_>>,
    ) -> Result<(), Error> {
        let Problem { rows, points, .. } = self.problem;
        if series.len() != u64::from(rows) * points {
            return Err(DtwError::SeriesLength { got: series.len(), rows: rows.into(), points }.into());
        }
        let series = MatrixRef::new(series, rows.into(), points)?;
        self.run_with(device, series, distances, ProfileRolling { series: rolling, distances: None })
    }

    /// Enqueues the profile of `series`, whose rows may lie apart or overlap, with the aggregates of `rolling`: those of the
    /// series in the same launch, those of the distances in a second one.
    ///
    /// # Errors
    /// [`DtwError::OutputLength`] and [`DtwError::SeriesShape`] for lengths that are not those of the plan,
    /// [`DtwError::Window`], or the device's error; nothing has been written then.
    pub fn run_with(
        &mut self,
        device: &D,
        series: MatrixRef<'_, f32>,
        mut distances: DeviceSliceMut<'_, f32>,
        rolling: ProfileRolling<'_>,
    ) -> Result<(), Error> {
        let Problem { rows, points, queries, .. } = self.problem;
        let layout = series.layout();
        if (layout.rows(), layout.cols()) != (rows.into(), points) {
            let (got_rows, got_points) = (layout.rows(), layout.cols());
            return Err(DtwError::SeriesShape { got_rows, got_points, rows: rows.into(), points }.into());
        }
        if let Some(rolling) = &rolling.distances {
            check_window(rolling.window, points as usize)?;
            rolling.window_points()?;
            rolling.check_len((u64::from(rows) * u64::from(queries) * points) as usize)?;
        }
        let launched = Launched { problem: self.problem, config: self.config, stride: layout.stride() };
        self.launch(device, launched, series.data(), distances.reborrow(), rolling.series)?;
        match rolling.distances {
            Some(outputs) => super::rolling(device, distances.as_slice(), points, outputs),
            None => Ok(()),
        }
    }

    /// Enqueues the profile of the last `results` points of one row, by the same kernel: distances `[queries, results]`,
    /// aggregates `[results]`. Allocates nothing.
    ///
    /// # Errors
    /// As [`run_with`](Self::run_with), and [`DtwError::SeriesTooShort`] for a row without a window.
    ///
    /// # Panics
    /// For more results than points.
    pub(super) fn run_appended(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        results: u64,
        distances: DeviceSliceMut<'_, f32>,
        rolling: Option<Rolling<'_>>,
    ) -> Result<(), Error> {
        assert!(results <= series.len(), "{results} results of {} points", series.len());
        self.problem.options.warm_up(series.len() as usize, self.problem.m as usize)?;
        let problem = self.problem.appended(series.len(), results);
        let config = Config::with_kernel(self.config.kernel, &problem, self.sm_count);
        let launched = Launched { problem, config, stride: series.len() };
        self.launch(device, launched, series, distances, rolling)
    }

    /// How long the last `results` points of a row of `points` take, to compare plans with.
    pub(super) fn time_of(&self, points: u64, results: u64) -> u64 {
        self.config.kernel.time(&self.problem.appended(points, results), self.sm_count)
    }

    fn launch(
        &mut self,
        device: &D,
        launched: Launched,
        series: DeviceSlice<'_, f32>,
        distances: DeviceSliceMut<'_, f32>,
        rolling: Option<Rolling<'_>>,
    ) -> Result<(), Error> {
        let Launched { problem, config, stride } = launched;
        let Problem { rows, points, queries, results, .. } = problem;
        let all = u64::from(rows) * results;
        check_output("distances", distances.len() as usize, (all * u64::from(queries)) as usize)?;
        let mut extent = config.extent(&problem);
        extent.stride = stride;
        let aggregates = match rolling {
            Some(rolling) => {
                check_window(rolling.window, points as usize)?;
                extent.rolling = rolling.window_points()?;
                rolling.outputs(all as usize)?
            }
            None => self.nothing.each_mut().map(|buffer| buffer.as_mut_slice()),
        };
        let queries = self.queries.as_slice();
        let arguments = Arguments { series, queries, out: distances, aggregates, extent };
        // SAFETY: all outputs and the window have just been checked; `run_with` checked rows and points of the series, and its
        // `MatrixRef` that they lie `stride` apart in memory; `run_appended` made the problem of the one row that it has, with
        // a window. `with_config` checked the queries' number and length and padded them for this kernel, which stays the
        // plan's.
        unsafe { launch(device, config.kernel, config.shape(&problem)?, arguments) }
    }
}

/// A problem as it is launched, and how far apart the rows of its series lie.
#[derive(Clone, Copy, Debug)]
struct Launched {
    problem: Problem,
    config: Config,
    stride: u64,
}

/// Rolling aggregates that come with a profile, where they are asked for.
#[derive(Debug, Default)]
pub struct ProfileRolling<'a> {
    /// Of the series: `[rows, points]`.
    pub series: Option<Rolling<'a>>,
    /// Of the distances: `[rows, queries, points]`.
    pub distances: Option<Rolling<'a>>,
}

impl<'a> Rolling<'a> {
    /// The window as kernels take it.
    pub(super) fn window_points(&self) -> Result<u32, DtwError> {
        u32::try_from(self.window).map_err(|_| DtwError::TooMany {
            what: "points of a rolling window",
            count: self.window as u64,
            limit: u32::MAX.into(),
        })
    }

    /// Refuses outputs that do not have `len` elements each.
    pub(super) fn check_len(&self, len: usize) -> Result<(), DtwError> {
        let Self { mean, min, max, variance, .. } = self;
        for (name, output) in [("mean", mean), ("min", min), ("max", max), ("variance", variance)] {
            check_output(name, output.len() as usize, len)?;
        }
        Ok(())
    }

    /// Its outputs, of `len` elements each.
    pub(super) fn outputs(self, len: usize) -> Result<[DeviceSliceMut<'a, f32>; 4], DtwError> {
        self.check_len(len)?;
        let Self { mean, min, max, variance, .. } = self;
        Ok([mean, min, max, variance])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::Normalization;
    use crate::ops::recorder::{Recorder, h200};

    #[test]
    fn points_appended_to_a_row_without_a_window_are_refused() {
        let device = Recorder::new(&h200());
        let queries = Queries::new(&[1.0, 2.0, 3.0], 3, Normalization::None).expect("it is right");
        let options = ProfileOptions::new(Normalization::None).smoothing(2);
        let mut plan = ProfilePlan::new(&device, 1, 9, &queries, &options).expect("it fits");
        let mut append = |points: u64| {
            let series = device.alloc(points)?;
            let mut distances = device.alloc(1)?;
            plan.run_appended(&device, series.as_slice(), 1, distances.as_mut_slice(), None)
        };
        append(4).expect("it has a window");
        let text = append(3).expect_err("it has none").to_string();
        assert!(text.starts_with("a series of 3 points is too short"), "{text}");
        assert_eq!(device.launched().len(), 1);
    }

    #[test]
    fn a_plan_for_no_rows_is_refused() {
        let device = Recorder::new(&h200());
        let queries = Queries::new(&[1.0, 2.0], 2, Normalization::None).expect("it is right");
        let options = ProfileOptions::new(Normalization::None);
        let refusal =
            ProfilePlan::new(&device, 0, 9, &queries, &options).err().map(|error| error.to_string());
        let want = "0 elements in 0 rows; there must be at least 1 row, and as many elements in each";
        assert_eq!(refusal.as_deref(), Some(want));
    }
}
