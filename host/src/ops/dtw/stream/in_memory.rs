//! A series that grows in host memory.

use super::options::parts;
use super::{Stream, StreamOptions};
use crate::cpu;
use crate::error::Error;
use crate::host_memory;
use crate::ops::dtw::{Aggregates, AggregatesMut, Profile, Queries};
use crate::ops::{HostRef, Layout, OpError};

/// The last points of the series and of its distances. Memory is taken as they come.
pub struct CpuStream {
    queries: Vec<f32>,
    m: usize,
    options: StreamOptions,
    series: Rows,
    /// The last distances, where aggregates of them are asked for.
    distances: Option<Rows>,
    /// Distances of the new points and of those in front that they depend on.
    profile: Vec<f32>,
    /// Aggregates, likewise.
    aggregates: Aggregates,
    latest: Profile,
}

impl CpuStream {
    /// A series without points.
    ///
    /// # Errors
    /// As [`super::stream_on`].
    pub fn new(queries: &Queries<'_>, options: &StreamOptions) -> Result<Self, Error> {
        let kept = options.points_before(queries.len())?;
        queries.check_for(options.profile.normalization)?;
        Ok(Self {
            queries: queries.points().to_vec(),
            m: queries.len(),
            options: *options,
            series: Rows::new(1, kept),
            distances: options.aggregation.distances.map(|window| Rows::new(queries.count(), window - 1)),
            profile: Vec::new(),
            aggregates: Aggregates::default(),
            latest: options.no_results(),
        })
    }

    fn compute(&mut self, new: &[f32]) -> Result<(), Error> {
        let Self { queries, m, options, series, distances, profile, aggregates, latest } = self;
        let queries = Queries::new(queries, *m, options.profile.normalization)?;
        let (points, count) = (series.with(new)?.row(0), new.len());
        let Profile { distances: found, aggregates: of_series, distance_aggregates } = latest;
        let window = options.window_points(queries.len());
        if points.len() < window {
            nan(queries.count() * count, found)?;
        } else {
            let matrix = last(points, window - 1 + count)?;
            let len = queries.count() * matrix.layout().cols() as usize;
            host_memory::resize(profile, f32::NAN, len)?;
            cpu::dtw::profile(matrix, &queries, &options.profile, profile)?;
            host_memory::reserve(found, queries.count() * count)?;
            tails(profile, queries.count(), count, found);
        }
        if let (Some(window), Some(out)) = (options.aggregation.series, of_series) {
            roll(last(points, window - 1 + count)?, window, count, aggregates, out)?;
        }
        if let (Some(window), Some(rows), Some(out)) =
            (options.aggregation.distances, distances, distance_aggregates)
        {
            roll(rows.with(found)?, window, count, aggregates, out)?;
        }
        Ok(())
    }
}

impl Stream for CpuStream {
    fn append(&mut self, new: &[f32]) -> Result<&Profile, Error> {
        self.options.check_new(new.len())?;
        if new.is_empty() {
            parts(&mut self.latest).for_each(Vec::clear);
            return Ok(&self.latest);
        }
        self.compute(new)?;
        self.series.advance();
        if let Some(distances) = &mut self.distances {
            distances.advance();
        }
        Ok(&self.latest)
    }
}

/// The last `len` of `points`, or all, as a row.
fn last(points: &[f32], len: usize) -> Result<HostRef<'_, f32>, Error> {
    let points = &points[points.len().saturating_sub(len)..];
    let len = points.len() as u64;
    Ok(HostRef::new(points, Layout::new(1, len, len)?)?)
}

/// Makes `out` NaN, `len` times.
fn nan(len: usize, out: &mut Vec<f32>) -> Result<(), OpError> {
    out.clear();
    host_memory::resize(out, f32::NAN, len)
}

/// The aggregates of the last `count` points of each row: NaN where a window is longer than the rows.
fn roll(
    rows: HostRef<'_, f32>,
    window: usize,
    count: usize,
    all: &mut Aggregates,
    out: &mut Aggregates,
) -> Result<(), Error> {
    let (number, len) = (rows.layout().rows() as usize, rows.layout().elements() as usize);
    if len < number * window {
        let Aggregates { mean, min, max, variance } = out;
        return [mean, min, max, variance].into_iter().try_for_each(|out| Ok(nan(number * count, out)?));
    }
    let both = [(&mut all.mean, &mut out.mean), (&mut all.min, &mut out.min), (&mut all.max, &mut out.max)];
    for (all, out) in both.into_iter().chain([(&mut all.variance, &mut out.variance)]) {
        host_memory::resize(all, f32::NAN, len)?;
        host_memory::reserve(out, number * count)?;
    }
    let Aggregates { mean, min, max, variance } = all;
    cpu::dtw::rolling(rows, window, AggregatesMut { mean, min, max, variance })?;
    tails(mean, number, count, &mut out.mean);
    tails(min, number, count, &mut out.min);
    tails(max, number, count, &mut out.max);
    tails(variance, number, count, &mut out.variance);
    Ok(())
}

/// Makes `out` the last `count` elements of each of `rows` rows.
fn tails(all: &[f32], rows: usize, count: usize, out: &mut Vec<f32>) {
    out.clear();
    let cols = all.len() / rows;
    all.chunks_exact(cols).for_each(|row| out.extend_from_slice(&row[cols - count..]));
}

/// The last points of rows that grow.
struct Rows {
    /// `[rows, points so far]`, of these at most `kept`.
    last: Vec<f32>,
    /// The same with the new ones behind.
    all: Vec<f32>,
    rows: usize,
    kept: usize,
}

impl Rows {
    const fn new(rows: usize, kept: usize) -> Self {
        Self { last: Vec::new(), all: Vec::new(), rows, kept }
    }

    /// The kept points and `new` ones, `[rows, new]`, behind them. They belong to the rows once
    /// [`advance`](Self::advance) is called.
    fn with(&mut self, new: &[f32]) -> Result<HostRef<'_, f32>, Error> {
        let Self { last, all, rows, kept } = self;
        let (before, count) = (last.len() / *rows, new.len() / *rows);
        all.clear();
        host_memory::reserve(all, *rows * (before + count))?;
        // For `advance`, which cannot fail.
        host_memory::reserve(last, *rows * (before + count).min(*kept))?;
        for (row, new) in new.chunks_exact(count).enumerate() {
            all.extend_from_slice(&last[row * before..][..before]);
            all.extend_from_slice(new);
        }
        let cols = (before + count) as u64;
        Ok(HostRef::new(all, Layout::new(*rows as u64, cols, cols)?)?)
    }

    /// Makes the new points points of the rows.
    fn advance(&mut self) {
        tails(&self.all, self.rows, self.kept.min(self.all.len() / self.rows), &mut self.last);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::{Aggregation, Normalization, ProfileOptions};

    #[test]
    fn rows_keep_their_last_points() {
        let mut rows = Rows::new(2, 2);
        let matrix = rows.with(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]).expect("it fits");
        assert_eq!([matrix.row(0), matrix.row(1)], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
        rows.with(&[7.0, 8.0]).expect("it fits");
        rows.advance();
        let matrix = rows.with(&[9.0, 10.0]).expect("it fits");
        assert_eq!([matrix.row(0), matrix.row(1)], [[7.0, 9.0], [8.0, 10.0]]);
        rows.advance();
        rows.with(&[1.0, 2.0]).expect("it fits");
        rows.advance();
        let matrix = rows.with(&[3.0, 4.0]).expect("it fits");
        assert_eq!([matrix.row(0), matrix.row(1)], [[9.0, 1.0, 3.0], [10.0, 2.0, 4.0]]);
    }

    fn stream(aggregation: Aggregation, capacity: usize) -> CpuStream {
        let points: Vec<f32> = (0..10_u16).map(f32::from).collect();
        let queries = Queries::new(&points, 5, Normalization::ZScore).expect("they are right");
        let profile = ProfileOptions::new(Normalization::ZScore).smoothing(3);
        CpuStream::new(&queries, &StreamOptions { profile, aggregation, capacity }).expect("it fits")
    }

    #[test]
    fn no_more_windows_are_computed_than_a_new_point_has() {
        let mut stream = stream(Aggregation::of_series(10_000).of_distances(50), 20_000);
        let points: Vec<f32> = (0..20_000_u16).map(|i| f32::from(i % 97)).collect();
        stream.append(&points).expect("it fits");
        assert!(stream.append(&[1.0]).expect("it fits").distances.iter().all(|x| x.is_finite()));
        // Of two queries, the one window and as many as it has in front.
        assert_eq!(stream.profile.len(), 2 * (5 + 3 - 1));
        assert_eq!(
            (stream.series.last.len(), stream.distances.map(|rows| rows.last.len())),
            (9_999, Some(98))
        );
    }

    #[test]
    fn windows_longer_than_the_series_take_no_memory_and_are_nan() {
        let most = i32::MAX as usize;
        let mut stream = stream(Aggregation::of_series(most).of_distances(most), most);
        let found = stream.append(&[1.0, 2.0, 4.0]).expect("it fits");
        assert!(found.distances.len() == 6 && found.distances.iter().all(|x| x.is_nan()));
        let all = parts(&mut stream.latest).map(|part| (part.len(), part.iter().all(|x| x.is_nan())));
        let lens = [6, 3, 3, 3, 3, 6, 6, 6, 6];
        assert!(all.eq(lens.map(|len| (len, true))));
        assert!(stream.series.last.capacity() < 100);
    }
}
