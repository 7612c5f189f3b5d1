//! Searches of data in host memory, on whatever back end there is.

use super::SearchPlan;
use crate::backend::{Buffer as _, Device};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::host_call::points_of_row;
use crate::ops::dtw::{Match, ProfileOptions, Queries, check_threshold};
use crate::ops::{Executor, HostRef, Layout};

/// For each of `rows` series of one length, which lie one after the other in `series`, and each query the `k` windows with the
/// smallest distances, smallest first and earliest first among equals, whose ends are more than `exclusion` apart: lists of at
/// most `k` matches, those of one series together.
///
/// The same on every back end, bit for bit: what [`profile_on`](crate::ops::dtw::profile_on) gives, sorted. A window that is
/// not finite is never a match.
///
/// # Errors
/// [`DtwError::SeriesRows`](crate::ops::dtw::DtwError::SeriesRows) for no rows or elements that are no whole number of them,
/// what [`ProfileOptions::warm_up`], [`Queries::check_for`] and, on a device,
/// [`Problem::new`](crate::ops::dtw::Problem::new) refuse; [`OpError::HostMemory`](crate::ops::OpError::HostMemory); the back
/// end's error.
pub fn top_k_on(
    executor: &Executor,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    k: usize,
    exclusion: usize,
) -> Result<Vec<Vec<Match>>, Error> {
    let points = points_of_row(series.len(), rows)?;
    options.warm_up(points, queries.len())?;
    queries.check_for(options.normalization)?;
    match executor {
        Executor::Cuda(stream) => top_k(stream, series, rows, queries, options, (k, exclusion)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => top_k(sim, series, rows, queries, options, (k, exclusion)),
        Executor::Cpu => {
            let series = HostRef::new(series, Layout::new(rows as u64, points as u64, points as u64)?)?;
            Ok(cpu::dtw::top_k(series, queries, options, k, exclusion)?)
        }
    }
}

/// For each series and query every window whose distance is at most `threshold`, by end; shapes and bits as [`top_k_on`].
///
/// # Errors
/// As [`top_k_on`], and [`DtwError::ThresholdNan`](crate::ops::dtw::DtwError::ThresholdNan).
pub fn below_on(
    executor: &Executor,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    threshold: f32,
) -> Result<Vec<Vec<Match>>, Error> {
    let points = points_of_row(series.len(), rows)?;
    options.warm_up(points, queries.len())?;
    queries.check_for(options.normalization)?;
    check_threshold(threshold)?;
    match executor {
        Executor::Cuda(stream) => below(stream, series, rows, queries, options, threshold),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => below(sim, series, rows, queries, options, threshold),
        Executor::Cpu => {
            let series = HostRef::new(series, Layout::new(rows as u64, points as u64, points as u64)?)?;
            Ok(cpu::dtw::below(series, queries, options, threshold)?)
        }
    }
}

fn top_k<D: Device>(
    device: &D,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    (k, exclusion): (usize, usize),
) -> Result<Vec<Vec<Match>>, Error> {
    let points = (series.len() / rows) as u64;
    let mut plan = SearchPlan::new(device, rows as u64, points, queries, options)?;
    plan.top_k(device, device.upload(series)?.as_slice(), k, exclusion)
}

fn below<D: Device>(
    device: &D,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    threshold: f32,
) -> Result<Vec<Vec<Match>>, Error> {
    let points = (series.len() / rows) as u64;
    let mut plan = SearchPlan::new(device, rows as u64, points, queries, options)?;
    plan.below(device, device.upload(series)?.as_slice(), threshold)
}
