//! A series that grows on a device.

use gpu_std::launch::DeviceSliceMut;

use super::history::History;
use super::options::parts;
use super::{Stream, StreamOptions};
use crate::backend::{Buffer as _, Device, Staging as _};
use crate::error::Error;
use crate::ops::dtw::{GrowingRows, Problem, Profile, ProfilePlan, Queries, Rolling};

/// Results that a kernel writes to the host itself; more of them are sooner there by a copy.
const MOST_THROUGH: usize = 4096;

/// The series' last points, the plans, and room for the results of an append, in one piece: one copy brings them.
pub struct DeviceStream<'d, D: Device> {
    device: &'d D,
    options: StreamOptions,
    /// By the fastest kernel for one point.
    few: ProfilePlan<D>,
    /// By that for as many as the capacity, where it is another.
    many: Option<ProfilePlan<D>>,
    history: History<D>,
    /// The last distances, where aggregates of them are asked for.
    distances: Option<GrowingRows<D>>,
    results: D::Buffer<f32>,
    landing: D::Staging<f32>,
    latest: Profile,
}

impl<'d, D: Device> DeviceStream<'d, D> {
    /// A series without points.
    ///
    /// # Errors
    /// As [`super::stream_on`].
    pub fn new(device: &'d D, queries: &Queries<'_>, options: &StreamOptions) -> Result<Self, Error> {
        let StreamOptions { profile, aggregation, capacity } = *options;
        let kept = options.points_before(queries.len())?;
        queries.check_for(profile.normalization)?;
        let longest = (kept as u64).saturating_add(capacity as u64);
        let problem = Problem::new(1, longest, queries.count(), queries.len(), profile)?;
        let plan =
            |count: u64| ProfilePlan::of(device, problem.appended(kept as u64 + count, count), queries);
        let (few, many) = (plan(1)?, plan(capacity as u64)?);
        let is_another = few.config().kernel != many.config().kernel;
        let growing = |window| GrowingRows::new(device, queries.count() as u64, window, capacity);
        let room: usize = options.lens(queries.count(), capacity).sum();
        // The device's memory first: as much of the host's is slow to take, and for nothing where the device has no room.
        let distances = aggregation.distances.map(growing).transpose()?;
        let results = device.alloc(room as u64)?;
        let history = History::new(device, kept, capacity)?;
        let (landing, latest) = (device.staging(room)?, options.room(queries.count())?);
        let many = is_another.then_some(many);
        Ok(Self { device, options: *options, few, many, history, distances, results, landing, latest })
    }
}

/// What an append works with, but for where its results go.
struct Work<'a, D: Device> {
    device: &'a D,
    options: &'a StreamOptions,
    few: &'a mut ProfilePlan<D>,
    many: &'a mut Option<ProfilePlan<D>>,
    history: &'a mut History<D>,
    distances: &'a mut Option<GrowingRows<D>>,
}

impl<D: Device> Work<'_, D> {
    /// Enqueues all work for `new`.
    fn enqueue(self, new: &[f32], results: DeviceSliceMut<'_, f32>) -> Result<(), Error> {
        let Self { device, options, few, many, history, distances } = self;
        let count = new.len() as u64;
        let series = history.with(device, new)?;
        let plan = match many {
            Some(many) if many.time_of(series.len(), count) < few.time_of(series.len(), count) => many,
            _ => few,
        };
        let rows = u64::from(plan.problem().queries);
        let (mut of_new, rest) = results.split_at(rows * count)?;
        let (rolling, rest) = match options.aggregation.series {
            Some(window) => split(rest, window, count).map(|(rolling, rest)| (Some(rolling), rest))?,
            None => (None, rest),
        };
        plan.run_appended(device, series, count, of_new.reborrow(), rolling)?;
        if let (Some(distances), Some(window)) = (distances, options.aggregation.distances) {
            let (rolling, _) = split(rest, window, rows * count)?;
            distances.append(device, of_new.as_slice(), count, count, rolling)?;
        }
        Ok(())
    }
}

/// Four outputs of `len` elements, and what is behind them.
fn split(
    all: DeviceSliceMut<'_, f32>,
    window: usize,
    len: u64,
) -> Result<(Rolling<'_>, DeviceSliceMut<'_, f32>), Error> {
    let (mean, rest) = all.split_at(len)?;
    let (min, rest) = rest.split_at(len)?;
    let (max, rest) = rest.split_at(len)?;
    let (variance, rest) = rest.split_at(len)?;
    Ok((Rolling { window, mean, min, max, variance }, rest))
}

impl<D: Device> Stream for DeviceStream<'_, D> {
    fn append(&mut self, new: &[f32]) -> Result<&Profile, Error> {
        self.options.check_new(new.len())?;
        if new.is_empty() {
            parts(&mut self.latest).for_each(Vec::clear);
            return Ok(&self.latest);
        }
        let Self { device, options, few, many, history, distances, results, landing, latest } = self;
        let device = *device;
        let lens = options.lens(few.problem().queries as usize, new.len());
        let total: usize = lens.clone().sum();
        let through = distances.is_none() && total <= MOST_THROUGH;
        let work = Work { device, options, few, many, history: &mut *history, distances: &mut *distances };
        if through {
            device.write_through(landing, total, |landing| work.enqueue(new, landing))?;
        } else {
            work.enqueue(new, results.as_mut_slice())?;
            device.fetch(results.as_slice().slice(0..total as u64)?, landing, 0..total)?;
        }
        let mut rest = landing.as_slice()?;
        for (part, len) in parts(latest).zip(lens) {
            let (results, behind) = rest.split_at(len);
            part.clear();
            part.extend_from_slice(results);
            rest = behind;
        }
        history.advance(new.len());
        if let Some(distances) = distances {
            distances.advance();
        }
        Ok(latest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backend::DeviceInfo;
    use crate::ops::dtw::{Aggregation, Normalization, ProfileOptions};
    use crate::ops::recorder::{Recorder, h200};

    /// The entries that appends of so many points each launch, in order.
    fn launched(aggregation: Aggregation, appends: &[usize]) -> Vec<&'static str> {
        let recorder = Recorder::new(&h200());
        let profile = ProfileOptions::new(Normalization::ZScore);
        let options = StreamOptions { profile, aggregation, capacity: 100_000 };
        let points: Vec<f32> = (0..64_u16 * 128).map(f32::from).collect();
        let queries = Queries::new(&points, 128, Normalization::ZScore).expect("they are right");
        let mut stream = DeviceStream::new(&recorder, &queries, &options).expect("it fits");
        for count in appends {
            let results = stream.append(&vec![1.0; *count]).expect("it fits");
            assert_eq!(results.distances.len(), 64 * count);
        }
        drop(stream);
        recorder.launched()
    }

    #[test]
    fn an_append_is_one_launch_and_with_aggregates_of_distances_two() {
        let one = launched(Aggregation::of_series(5), &[1, 1, 0, 1]);
        assert!(one.len() == 3 && one.iter().all(|entry| *entry == one[0]), "{one:?}");
        let two = launched(Aggregation::NONE.of_distances(5), &[1, 7]);
        assert_eq!((two.len(), two[0], two[1], two[3]), (4, one[0], "rolling_append", "rolling_append"));
    }

    #[test]
    fn a_stream_too_large_for_the_device_takes_no_memory_of_the_host() {
        let refused = |aggregation, capacity, total_bytes| {
            let recorder = Recorder::with_its_memory(&DeviceInfo { total_bytes, ..h200() });
            let options =
                StreamOptions { profile: ProfileOptions::new(Normalization::None), aggregation, capacity };
            let queries = Queries::new(&[1.0, 2.0], 2, Normalization::None).expect("they are right");
            let error = DeviceStream::new(&recorder, &queries, &options).err();
            assert!(matches!(error, Some(Error::OutOfMemory { .. })), "{error:?}");
            recorder.staged()
        };
        assert_eq!(refused(Aggregation::NONE, 1 << 24, 1 << 20), 0);
        assert_eq!(refused(Aggregation::of_series(1 << 20), 1, 1 << 20), 0);
        assert_eq!(refused(Aggregation::NONE.of_distances(1 << 20), 1, 1 << 20), 0);
        // Room for the points and none for the results.
        assert_eq!(refused(Aggregation::NONE.of_distances(1), 1 << 20, 10 << 20), 0);
    }

    #[test]
    fn few_points_are_spread_over_more_lanes_than_many() {
        let both = launched(Aggregation::NONE, &[1, 100_000, 1]);
        assert_ne!(both[0], both[1]);
        assert_eq!(both[0], both[2]);
    }
}
