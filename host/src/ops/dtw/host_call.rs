//! Profile and rolling aggregates of data in host memory, on whatever back end there is.

use super::{
    Aggregates, Aggregation, DeviceAggregates, DtwError, ProfileOptions, ProfilePlan, ProfileRolling,
    Queries, check_window, rolling,
};
use crate::backend::{Buffer as _, Device};
use crate::cpu;
use crate::error::Error;
use crate::host_memory;
use crate::ops::{Executor, HostRef, Layout, MatrixRef, OpError};

/// Distances, and rolling aggregates where they were asked for, in host memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// `[rows, queries, points]`: the distance of each query to the window that ends there, NaN where there is none.
    pub distances: Vec<f32>,
    /// `[rows, points]` each: of the series.
    pub aggregates: Option<Aggregates>,
    /// `[rows, queries, points]` each: of the distances, NaN until as many windows as asked for have one.
    pub distance_aggregates: Option<Aggregates>,
}

/// The profile of `rows` series of one length, which lie one after the other in `series`, and the rolling aggregates that
/// `aggregation` asks for: of each series in the same launch, of each row of distances in a second one. Returns when all is
/// computed.
///
/// The same bits on every back end: what they are says [`crate::cpu::dtw::profile`].
///
/// # Errors
/// [`DtwError::SeriesRows`] for no rows or elements that are no whole number of them, [`DtwError::Window`],
/// [`DtwError::SeriesTooShort`], what [`Queries::check_for`] refuses, on a device also what [`super::Problem::new`] refuses;
/// [`OpError::HostMemory`]; the back end's error.
pub fn profile_on(
    executor: &Executor,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    aggregation: Aggregation,
) -> Result<Profile, Error> {
    let points = points_of_row(series.len(), rows)?;
    options.warm_up(points, queries.len())?;
    queries.check_for(options.normalization)?;
    aggregation.check(points)?;
    match executor {
        Executor::Cuda(stream) => on_device(stream, series, rows, queries, options, aggregation),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => on_device(sim, series, rows, queries, options, aggregation),
        Executor::Cpu => {
            let matrix = HostRef::new(series, Layout::new(rows as u64, points as u64, points as u64)?)?;
            let mut distances = host_memory::filled(f32::NAN, series.len().saturating_mul(queries.count()))?;
            cpu::dtw::profile(matrix, queries, options, &mut distances)?;
            let of = |points: &[f32], rows, window: Option<usize>| {
                window.map(|window| rolling_on(executor, points, rows, window)).transpose()
            };
            let aggregates = of(series, rows, aggregation.series)?;
            let distance_aggregates = of(&distances, rows * queries.count(), aggregation.distances)?;
            Ok(Profile { distances, aggregates, distance_aggregates })
        }
    }
}

/// Rolling aggregates over `window` points of `rows` rows of one length: series, or the distances of a profile.
///
/// # Errors
/// [`DtwError::SeriesRows`], [`DtwError::Window`], [`OpError::HostMemory`], or the back end's error.
pub fn rolling_on(
    executor: &Executor,
    series: &[f32],
    rows: usize,
    window: usize,
) -> Result<Aggregates, Error> {
    let points = points_of_row(series.len(), rows)?;
    check_window(window, points)?;
    match executor {
        Executor::Cuda(stream) => rolling_on_device(stream, series, points, window),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => rolling_on_device(sim, series, points, window),
        Executor::Cpu => {
            let mut all = Aggregates::room(series.len())?;
            let matrix = HostRef::new(series, Layout::new(rows as u64, points as u64, points as u64)?)?;
            cpu::dtw::rolling(matrix, window, all.as_mut())?;
            Ok(all)
        }
    }
}

/// `distances`, `[rows, points]`, by where windows of `m` points start instead of where they end:
/// `[rows, points - m + 1]`, a view.
///
/// Number i of a row uses the points up to i + m - 1: at i it is not known yet.
///
/// # Errors
/// [`DtwError::EmptyQuery`], [`DtwError::SeriesTooShort`], [`DtwError::SeriesRows`] for elements that are no whole number
/// of rows.
pub fn by_start(distances: &[f32], points: usize, m: usize) -> Result<HostRef<'_, f32>, OpError> {
    if m == 0 {
        return Err(DtwError::EmptyQuery.into());
    }
    if points < m {
        return Err(DtwError::SeriesTooShort { len: points, query: m, smoothing: 1, needed: m }.into());
    }
    let rows = distances.len() / points;
    points_of_row(distances.len(), rows)
        .ok()
        .filter(|of_row| *of_row == points)
        .ok_or(DtwError::SeriesRows { elements: distances.len(), rows })?;
    let layout = Layout::new(rows as u64, (points - m + 1) as u64, points as u64)?;
    HostRef::new(&distances[m - 1..], layout)
}

/// Points of a row where `elements` are `rows` of them.
pub(super) fn points_of_row(elements: usize, rows: usize) -> Result<usize, DtwError> {
    if rows == 0 || !elements.is_multiple_of(rows) {
        return Err(DtwError::SeriesRows { elements, rows });
    }
    Ok(elements / rows)
}

fn on_device<D: Device>(
    device: &D,
    series: &[f32],
    rows: usize,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    aggregation: Aggregation,
) -> Result<Profile, Error> {
    let (rows, points) = (rows as u64, (series.len() / rows) as u64);
    let mut plan = ProfilePlan::new(device, rows, points, queries, options)?;
    let input = device.upload(series)?;
    let mut distances = device.alloc(input.len() * queries.count() as u64)?;
    let room = |len, window: Option<usize>| -> Result<_, Error> {
        window.map(|window| Ok((DeviceAggregates::alloc(device, len)?, window))).transpose()
    };
    let mut of_series = room(input.len(), aggregation.series)?;
    let mut of_distances = room(distances.len(), aggregation.distances)?;
    let rolling = ProfileRolling {
        series: of_series.as_mut().map(|(outputs, window)| outputs.rolling(*window)),
        distances: of_distances.as_mut().map(|(outputs, window)| outputs.rolling(*window)),
    };
    let matrix = MatrixRef::new(input.as_slice(), rows, points)?;
    plan.run_with(device, matrix, distances.as_mut_slice(), rolling)?;
    let read = |outputs: Option<(DeviceAggregates<D>, usize)>| {
        outputs.map(|(outputs, _)| outputs.download(device)).transpose()
    };
    Ok(Profile {
        distances: device.download(distances.as_slice())?,
        aggregates: read(of_series)?,
        distance_aggregates: read(of_distances)?,
    })
}

fn rolling_on_device<D: Device>(
    device: &D,
    series: &[f32],
    points: usize,
    window: usize,
) -> Result<Aggregates, Error> {
    let input = device.upload(series)?;
    let mut outputs = DeviceAggregates::alloc(device, input.len())?;
    rolling(device, input.as_slice(), points as u64, outputs.rolling(window))?;
    outputs.download(device)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::Normalization;

    #[test]
    fn distances_stand_where_windows_end_or_start() {
        let queries = Queries::new(&[1.0, 2.0], 2, Normalization::None).expect("it is right");
        let options = ProfileOptions::new(Normalization::None);
        let series = [1.0, 2.0, 4.0, 0.0, 0.0, 3.0];
        let found = profile_on(
            &Executor::Cpu,
            &series,
            2,
            &queries,
            &options,
            Aggregation::of_series(1).of_distances(2),
        );
        let found = found.expect("it fits");
        assert!(found.distances[0].is_nan() && found.distances[3].is_nan());
        assert_eq!(found.distances[1..3], [0.0, 5.0]);
        assert_eq!(found.aggregates.as_ref().expect("they were asked for").mean, series);
        let of_distances = found.distance_aggregates.as_ref().expect("they were asked for");
        assert!(of_distances.max[..2].iter().chain(&of_distances.max[3..5]).all(|max| max.is_nan()));
        assert_eq!((of_distances.mean[2], of_distances.max[2]), (2.5, 5.0));
        let by_start = by_start(&found.distances, 3, 2).expect("it fits");
        assert_eq!([by_start.row(0), by_start.row(1)], [&found.distances[1..3], &found.distances[4..6]]);
    }

    #[test]
    fn rows_that_are_not_whole_have_no_starts() {
        let refusal =
            |len, points, m| by_start(&[0.0; 9][..len], points, m).expect_err("it is refused").to_string();
        assert_eq!(refusal(9, 3, 0), "a query has 0 points; it must have at least 1");
        assert_eq!(
            refusal(8, 3, 2),
            "8 elements in 2 rows; there must be at least 1 row, and as many elements in each"
        );
        assert!(refusal(9, 3, 4).contains("at least 4"));
        assert!(refusal(0, 3, 2).contains("0 elements in 0 rows"));
    }
}
