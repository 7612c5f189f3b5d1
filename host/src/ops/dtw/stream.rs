//! A series that grows: append points, get their distances.

use super::{DeviceAggregates, DtwError, Profile, ProfileOptions, ProfilePlan, Queries, check_window};
use crate::backend::{Buffer as _, Device};
use crate::cpu;
use crate::error::Error;
use crate::ops::dtw::{Aggregates, AggregatesMut};
use crate::ops::{Executor, HostRef, Layout};

/// A series that grows, wherever it is computed.
pub trait Stream {
    /// Appends `points`; what belongs to them: distances `[K, points]`, aggregates `[points]`, the same bits as those of
    /// the whole series so far in one call. They stay until the next append.
    ///
    /// # Errors
    /// [`DtwError::TooMany`] for more points than the capacity, or the back end's error; the series is then what it was.
    fn append(&mut self, points: &[f32]) -> Result<&Profile, Error>;
}

/// What is computed of a series that grows.
#[derive(Clone, Copy, Debug)]
pub struct StreamOptions {
    /// What is done to each window.
    pub profile: ProfileOptions,
    /// Points of the rolling aggregates, or none of them.
    pub rolling: Option<usize>,
    /// Points of an append at most.
    pub capacity: usize,
}

/// A series without points, to which points are appended where `executor` computes.
///
/// Only the last points that a window or an aggregate needs are kept, and memory is taken here: an append takes none on
/// the device, and on the host that of its downloads.
///
/// # Errors
/// [`DtwError::NoCapacity`], [`DtwError::Window`] for a rolling window or a smoothing of 0; on a device
/// what [`ProfilePlan::new`] refuses; the back end's error.
pub fn stream_on<'e>(
    executor: &'e Executor,
    queries: &Queries<'_>,
    options: &StreamOptions,
) -> Result<Box<dyn Stream + 'e>, Error> {
    match executor {
        Executor::Cuda(stream) => Ok(Box::new(DeviceStream::new(stream, queries, options)?)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => Ok(Box::new(DeviceStream::new(sim, queries, options)?)),
        Executor::Cpu => Ok(Box::new(CpuStream::new(queries, options)?)),
    }
}

/// The last points of a series, and room for those of an append behind them.
///
/// What came before the first point is NaN, so every window that reaches there is, as at the start of a series.
struct History {
    points: Vec<f32>,
    kept: usize,
    capacity: usize,
}

impl History {
    fn new(m: usize, options: &StreamOptions) -> Result<Self, DtwError> {
        let StreamOptions { profile, rolling, capacity } = *options;
        if capacity == 0 {
            return Err(DtwError::NoCapacity);
        }
        check_window(profile.smoothing, usize::MAX)?;
        let before = rolling.map_or(Ok(0), |window| check_window(window, usize::MAX).map(|()| window - 1))?;
        let kept = before.max(m + profile.smoothing - 2);
        let mut points = Vec::with_capacity(kept + capacity);
        points.resize(kept, f32::NAN);
        Ok(Self { points, kept, capacity })
    }

    /// The kept points and `new` ones behind them.
    fn with(&mut self, new: &[f32]) -> Result<&[f32], DtwError> {
        let (count, limit) = (new.len() as u64, self.capacity as u64);
        if count > limit {
            return Err(DtwError::TooMany { what: "points of an append", count, limit });
        }
        self.points.truncate(self.kept);
        self.points.extend_from_slice(new);
        Ok(&self.points)
    }

    /// Keeps the last points.
    fn advance(&mut self) {
        let from = self.points.len() - self.kept;
        self.points.copy_within(from.., 0);
        self.points.truncate(self.kept);
    }
}

/// Copies the last `count` of each row of `points` to the end of `out`.
fn tails(rows: &[f32], points: usize, count: usize, out: &mut Vec<f32>) {
    out.clear();
    rows.chunks_exact(points).for_each(|row| out.extend_from_slice(&row[points - count..]));
}

fn empty(options: &StreamOptions) -> Profile {
    Profile { distances: Vec::new(), aggregates: options.rolling.map(|_| Aggregates::default()) }
}

/// A series that grows on a device.
struct DeviceStream<'d, D: Device> {
    device: &'d D,
    plan: ProfilePlan<D>,
    history: History,
    queries: usize,
    rolling: Option<usize>,
    series: D::Buffer<f32>,
    distances: D::Buffer<f32>,
    aggregates: DeviceAggregates<D>,
    latest: Profile,
}

impl<'d, D: Device> DeviceStream<'d, D> {
    fn new(device: &'d D, queries: &Queries<'_>, options: &StreamOptions) -> Result<Self, Error> {
        let history = History::new(queries.len(), options)?;
        let most = (history.kept + history.capacity) as u64;
        Ok(Self {
            device,
            plan: ProfilePlan::new(device, 1, most, queries, &options.profile)?,
            history,
            queries: queries.count(),
            rolling: options.rolling,
            series: device.alloc(most)?,
            distances: device.alloc(most * queries.count() as u64)?,
            aggregates: DeviceAggregates::alloc(device, if options.rolling.is_some() { most } else { 0 })?,
            latest: empty(options),
        })
    }
}

impl<D: Device> Stream for DeviceStream<'_, D> {
    fn append(&mut self, new: &[f32]) -> Result<&Profile, Error> {
        let Self { device, plan, history, queries, rolling, series, distances, aggregates, latest } = self;
        let points = history.with(new)?;
        let (n, count) = (points.len(), new.len());
        if count == 0 {
            latest.distances.clear();
            latest.aggregates = rolling.map(|_| Aggregates::default());
            return Ok(latest);
        }
        device.write(points, series.as_mut_slice().slice(0..n as u64)?)?;
        plan.set_points(n as u64)?;
        let all = (*queries * n) as u64;
        let rolling = rolling.map(|window| aggregates.first(window, n as u64)).transpose()?;
        let with_aggregates = rolling.is_some();
        plan.run(
            *device,
            series.as_slice().slice(0..n as u64)?,
            distances.as_mut_slice().slice(0..all)?,
            rolling,
        )?;
        let rows = device.download(distances.as_slice().slice(0..all)?)?;
        if with_aggregates {
            latest.aggregates = Some(aggregates.download_part(*device, (n - count) as u64..n as u64)?);
        }
        tails(&rows, n, count, &mut latest.distances);
        history.advance();
        Ok(latest)
    }
}

/// A series that grows in host memory.
struct CpuStream {
    queries: Vec<f32>,
    m: usize,
    options: StreamOptions,
    history: History,
    distances: Vec<f32>,
    aggregates: Aggregates,
    latest: Profile,
}

impl CpuStream {
    fn new(queries: &Queries<'_>, options: &StreamOptions) -> Result<Self, Error> {
        let history = History::new(queries.len(), options)?;
        let most = history.kept + history.capacity;
        Ok(Self {
            queries: queries.points().to_vec(),
            m: queries.len(),
            options: *options,
            history,
            distances: vec![f32::NAN; most * queries.count()],
            aggregates: Aggregates::nan(if options.rolling.is_some() { most } else { 0 }),
            latest: empty(options),
        })
    }
}

impl Stream for CpuStream {
    fn append(&mut self, new: &[f32]) -> Result<&Profile, Error> {
        let Self { queries, m, options, history, distances, aggregates, latest } = self;
        let points = history.with(new)?;
        let (n, count) = (points.len(), new.len());
        if count == 0 {
            *latest = empty(options);
            return Ok(latest);
        }
        let queries = Queries::new(queries, *m, options.profile.normalization)?;
        let series = HostRef::new(points, Layout::new(1, n as u64, n as u64)?)?;
        let distances = &mut distances[..queries.count() * n];
        cpu::dtw::profile(series, &queries, &options.profile, distances)?;
        tails(distances, n, count, &mut latest.distances);
        if let (Some(window), Some(out)) = (options.rolling, &mut latest.aggregates) {
            let Aggregates { mean, min, max, variance } = &mut *aggregates;
            let [mean, min, max, variance] = [mean, min, max, variance].map(|all| &mut all[..n]);
            cpu::dtw::rolling(series, window, AggregatesMut { mean, min, max, variance })?;
            tails(mean, n, count, &mut out.mean);
            tails(min, n, count, &mut out.min);
            tails(max, n, count, &mut out.max);
            tails(variance, n, count, &mut out.variance);
        }
        history.advance();
        Ok(latest)
    }
}
