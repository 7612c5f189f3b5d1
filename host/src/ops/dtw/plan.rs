//! A profile on a device: queries prepared once, then launched over series after series.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use super::launch::{Arguments, launch};
use super::{Config, DtwError, Kernel, Problem, ProfileOptions, Queries, check_output, check_window};
use crate::backend::{Buffer as _, Device};
use crate::cpu::dtw::prepared_queries;
use crate::error::Error;

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

/// Rolling aggregates of the series, in the launch of the profile.
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
    /// What [`Problem::new`] refuses, or the device's error.
    pub fn new(
        device: &D,
        rows: u64,
        points: u64,
        queries: &Queries<'_>,
        options: &ProfileOptions,
    ) -> Result<Self, Error> {
        let problem = Problem::new(rows, points, queries.count(), queries.len(), *options)?;
        let config = Config::choose(&problem, device.info().sm_count);
        Self::with_config(device, problem, config, queries)
    }

    /// The same with a kernel that need not be the fastest: for tests and benches.
    ///
    /// # Errors
    /// The device's.
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

    /// Enqueues the profile of `series`, with the aggregates of `rolling`.
    ///
    /// # Errors
    /// [`DtwError::OutputLength`] and [`DtwError::SeriesLength`] for lengths that are not those of the plan,
    /// [`DtwError::Window`], or the device's error; nothing has been written then.
    pub fn run(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        distances: DeviceSliceMut<'_, f32>,
        rolling: Option<Rolling<'_>>,
    ) -> Result<(), Error> {
        let Problem { rows, points, queries, .. } = self.problem;
        let all = u64::from(rows) * points;
        if series.len() != all {
            return Err(DtwError::SeriesLength { got: series.len(), rows: rows.into(), points }.into());
        }
        check_output("distances", distances.len() as usize, (all * u64::from(queries)) as usize)?;
        let mut extent = self.config.extent(&self.problem);
        let aggregates = match rolling {
            Some(rolling) => {
                check_window(rolling.window, points as usize)?;
                extent.rolling = rolling.window_points()?;
                rolling.outputs(all as usize)?
            }
            None => self.nothing.each_mut().map(|buffer| buffer.as_mut_slice()),
        };
        let arguments =
            Arguments { series, queries: self.queries.as_slice(), out: distances, aggregates, extent };
        launch(device, self.config.kernel, self.config.shape(&self.problem)?, arguments)
    }
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

    /// Its outputs, of `len` elements each.
    pub(super) fn outputs(self, len: usize) -> Result<[DeviceSliceMut<'a, f32>; 4], DtwError> {
        let Self { mean, min, max, variance, .. } = self;
        for (name, output) in [("mean", &mean), ("min", &min), ("max", &max), ("variance", &variance)] {
            check_output(name, output.len() as usize, len)?;
        }
        Ok([mean, min, max, variance])
    }
}
