//! Searches on a device: what is made once, and the way each list takes.

use gpu_std::launch::DeviceSlice;

use super::found::Found;
use super::known::{Asked, Known};
use super::narrow::{Narrow, Stretch};
use super::tuning::Tuning;
use super::whole::{Lists, Source, Whole};
use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::ops::dtw::rolling::means;
use crate::ops::dtw::{DtwError, Match, Problem, ProfileOptions, Queries, check_threshold};

/// Searches for fixed queries in series of a fixed shape, on one device. Buffers are taken once and used again.
///
/// Shapes: series `[rows, points]`; the result: `rows · queries` lists, those of one row together. The matches are those of
/// [`crate::cpu::dtw::top_k`] and [`crate::cpu::dtw::below`], bit for bit.
///
/// Memory on the device: 8 bytes for each window of a row and 4 for each of its points where it is searched by bounds; else, or
/// when bounds turn out not to help, 4 bytes for each distance, at most [`Tuning::distances`] at a time. What is found takes 8
/// bytes a window, there and on the host: few where the least distances are far apart, all windows for a threshold of
/// infinity, or where the exclusion leaves no room for `k` matches.
pub struct SearchPlan<D: Device> {
    problem: Problem,
    queries: Vec<f32>,
    tuning: Tuning,
    narrow: Option<Narrow<D>>,
    whole: Whole<D>,
    found: Found<D>,
    /// A row's rolling means, where windows are taken of them.
    means: D::Buffer<f32>,
}

impl<D: Device> SearchPlan<D> {
    /// Puts the queries on the device.
    ///
    /// # Errors
    /// What [`Problem::new`] and [`Queries::check_for`] refuse, [`DtwError::TooMany`] for 2^31 points in front of the first window's end, or the
    /// device's error.
    pub fn new(
        device: &D,
        rows: u64,
        points: u64,
        queries: &Queries<'_>,
        options: &ProfileOptions,
    ) -> Result<Self, Error> {
        Self::with_tuning(device, rows, points, queries, options, Tuning::default())
    }

    /// The same on a way that need not be the fastest.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn with_tuning(
        device: &D,
        rows: u64,
        points: u64,
        queries: &Queries<'_>,
        options: &ProfileOptions,
        tuning: Tuning,
    ) -> Result<Self, Error> {
        let problem = Problem::new(rows, points, queries.count(), queries.len(), *options)?;
        queries.check_for(options.normalization)?;
        check_halo(&problem)?;
        let tuning = tuning.within_limits();
        let narrow = Narrow::new(device, &problem, queries, &tuning)?;
        let has_means = narrow.is_some() && options.smoothing > 1;
        Ok(Self {
            problem,
            queries: queries.points().to_vec(),
            tuning,
            narrow,
            whole: Whole::new(device)?,
            found: Found::new(device)?,
            means: device.alloc(if has_means { points } else { 0 })?,
        })
    }

    /// Of each row and query the `k` windows with the smallest distances, smallest first and earliest first among equals,
    /// whose ends are more than `exclusion` apart. Returns when they are found.
    ///
    /// # Errors
    /// [`DtwError::SeriesLength`] for a series of another length than the plan's, or the device's error.
    pub fn top_k(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        k: usize,
        exclusion: usize,
    ) -> Result<Vec<Vec<Match>>, Error> {
        self.check(&series)?;
        if k == 0 {
            return Ok(vec![Vec::new(); self.lists()]);
        }
        self.search(device, series, Asked::TopK { k, exclusion })
    }

    /// Of each row and query every window whose distance is at most `threshold`, by end. Returns when they are found.
    ///
    /// # Errors
    /// [`DtwError::ThresholdNan`], [`DtwError::SeriesLength`] for a series of another length than the plan's, or the device's
    /// error.
    pub fn below(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        threshold: f32,
    ) -> Result<Vec<Vec<Match>>, Error> {
        check_threshold(threshold)?;
        self.check(&series)?;
        if threshold < 0.0 {
            return Ok(vec![Vec::new(); self.lists()]);
        }
        self.search(device, series, Asked::Below { threshold })
    }

    const fn lists(&self) -> usize {
        self.problem.rows as usize * self.problem.queries as usize
    }

    fn check(&self, series: &DeviceSlice<'_, f32>) -> Result<(), DtwError> {
        let Problem { rows, points, .. } = self.problem;
        let (got, rows) = (series.len(), u64::from(rows));
        if got == rows * points { Ok(()) } else { Err(DtwError::SeriesLength { got, rows, points }) }
    }

    fn search(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        asked: Asked,
    ) -> Result<Vec<Vec<Match>>, Error> {
        let Problem { rows, queries, .. } = self.problem;
        if self.narrow.is_some() {
            let mut found = Vec::with_capacity(self.lists());
            for row in 0..u64::from(rows) {
                for query in 0..u64::from(queries) {
                    found.push(self.one(device, series, row, query, asked)?);
                }
            }
            return Ok(found);
        }
        let lists = Lists { series, rows: rows.into(), queries: 0..queries as usize };
        let mut known: Vec<Known> = (0..self.lists()).map(|_| Known::new(asked)).collect();
        loop {
            self.in_profile(device, &lists, &mut known)?;
            // All are asked, so that each has its certain threshold where one is needed.
            let incomplete = known.iter_mut().map(Known::is_complete).filter(|is_complete| !is_complete);
            if incomplete.count() == 0 {
                return Ok(known.into_iter().map(Known::finish).collect());
            }
        }
    }

    /// The matches of one query in one row.
    fn one(
        &mut self,
        device: &D,
        series: DeviceSlice<'_, f32>,
        row: u64,
        query: u64,
        asked: Asked,
    ) -> Result<Vec<Match>, Error> {
        let Problem { points, .. } = self.problem;
        let row = series.slice(row * points..(row + 1) * points)?;
        let mut known = [Known::new(asked)];
        loop {
            if !self.by_bounds(device, row, query, &mut known[0])? {
                let queries = query as usize..query as usize + 1;
                self.in_profile(device, &Lists { series: row, rows: 1, queries }, &mut known)?;
            }
            let [only] = &mut known;
            if only.is_complete() {
                let [only] = known;
                return Ok(only.finish());
            }
        }
    }

    /// Whether it was possible and seemed worth it.
    fn by_bounds(
        &mut self,
        device: &D,
        row: DeviceSlice<'_, f32>,
        query: u64,
        known: &mut Known,
    ) -> Result<bool, Error> {
        let Some(narrow) = &mut self.narrow else { return Ok(false) };
        let Problem { points, m, options, .. } = self.problem;
        let mut series = row;
        if options.smoothing > 1 {
            if query == 0 {
                means(device, row, options.smoothing, self.means.as_mut_slice())?;
            }
            series = self.means.as_slice();
        }
        // With means, the windows in front of the first are there too, and not finite.
        let windows = points - u64::from(m) + 1;
        let before = u64::from(m) - 1;
        let mut first = 0;
        while first < windows {
            let count = self.tuning.windows.min(windows - first);
            let points = series.slice(first..first + count + before)?;
            let stretch = Stretch { series: points, windows: count as u32, end: first + before, query };
            if !narrow.run(device, &stretch, &mut self.found, known, &self.tuning)? {
                return Ok(false);
            }
            first += count;
        }
        Ok(true)
    }

    fn in_profile(&mut self, device: &D, lists: &Lists<'_>, known: &mut [Known]) -> Result<(), Error> {
        let Self { problem, queries, tuning, whole, found, .. } = self;
        let queries = Queries::new(queries, problem.m as usize, problem.options.normalization)?;
        whole.run(device, &Source { problem, queries, tuning }, lists, found, known)
    }
}

/// Refuses windows with so many points in front of their ends that a piece of the profile cannot have one.
fn check_halo(problem: &Problem) -> Result<(), DtwError> {
    let (count, limit) = (problem.points - problem.windows, Tuning::MOST - 1);
    let what = "points in front of the first window's end";
    if count <= limit { Ok(()) } else { Err(DtwError::TooMany { what, count, limit }) }
}
