//! What is asked of a series that grows, and the results that it has.

use crate::host_memory;
use crate::ops::OpError;
use crate::ops::dtw::options::check_count;
use crate::ops::dtw::{Aggregates, Aggregation, DtwError, Profile, ProfileOptions};

/// What is computed of a series that grows.
#[derive(Clone, Copy, Debug)]
pub struct StreamOptions {
    /// What is done to each window.
    pub profile: ProfileOptions,
    /// Rolling aggregates.
    pub aggregation: Aggregation,
    /// Points of an append at most; at most 2^31 − 1.
    pub capacity: usize,
}

impl StreamOptions {
    /// Points in front of a new one that its results depend on, but for the aggregates of distances.
    ///
    /// # Errors
    /// [`DtwError::NoCapacity`], [`DtwError::EmptyWindow`], [`DtwError::TooMany`].
    pub(super) fn points_before(&self, m: usize) -> Result<usize, DtwError> {
        let Self { profile, aggregation, capacity } = self;
        if *capacity == 0 {
            return Err(DtwError::NoCapacity);
        }
        check_count("points of an append", *capacity as u64)?;
        check_window("points of a mean", profile.smoothing)?;
        let mut windows = aggregation.series.into_iter().chain(aggregation.distances);
        windows.try_for_each(|window| check_window("points of a rolling window", window))?;
        Ok(aggregation.points_before().max(self.window_points(m) - 1))
    }

    /// Points that a distance of queries of `m` points depends on. The smoothing has been checked.
    pub(super) const fn window_points(&self, m: usize) -> usize {
        m + self.profile.smoothing - 1
    }

    /// Refuses more points than the capacity.
    pub(super) fn check_new(&self, points: usize) -> Result<(), DtwError> {
        let (count, limit) = (points as u64, self.capacity as u64);
        if count > limit {
            return Err(DtwError::TooMany { what: "points of an append", count, limit });
        }
        Ok(())
    }

    /// Lengths of the results of `count` points with `queries` queries, in the order of [`parts`].
    pub(super) fn lens(&self, queries: usize, count: usize) -> impl Iterator<Item = usize> + Clone + use<> {
        let all = queries * count;
        let of = |window: Option<usize>, len| std::iter::repeat_n(len, if window.is_some() { 4 } else { 0 });
        let Aggregation { series, distances } = self.aggregation;
        std::iter::once(all).chain(of(series, count)).chain(of(distances, all))
    }

    /// Results of no points.
    pub(super) fn no_results(&self) -> Profile {
        Profile {
            distances: Vec::new(),
            aggregates: self.aggregation.series.map(|_| Aggregates::default()),
            distance_aggregates: self.aggregation.distances.map(|_| Aggregates::default()),
        }
    }

    /// The same with room for those of `queries` queries at the capacity.
    ///
    /// # Errors
    /// [`OpError::HostMemory`].
    pub(super) fn room(&self, queries: usize) -> Result<Profile, OpError> {
        let mut none = self.no_results();
        for (part, len) in parts(&mut none).zip(self.lens(queries, self.capacity)) {
            *part = host_memory::room(len)?;
        }
        Ok(none)
    }
}

/// Refuses a window that no series can have, however long it becomes.
fn check_window(what: &'static str, window: usize) -> Result<(), DtwError> {
    if window == 0 { Err(DtwError::EmptyWindow) } else { check_count(what, window as u64).map(|_| ()) }
}

/// All results, in the order that they have in memory.
pub(super) fn parts(profile: &mut Profile) -> impl Iterator<Item = &mut Vec<f32>> {
    let Profile { distances, aggregates, distance_aggregates } = profile;
    let all = aggregates.iter_mut().chain(distance_aggregates);
    let all = all.flat_map(|Aggregates { mean, min, max, variance }| [mean, min, max, variance]);
    std::iter::once(distances).chain(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::Normalization;

    fn options(aggregation: Aggregation, smoothing: usize) -> StreamOptions {
        let profile = ProfileOptions::new(Normalization::ZScore).smoothing(smoothing);
        StreamOptions { profile, aggregation, capacity: 3 }
    }

    #[test]
    fn as_many_points_are_kept_as_a_result_depends_on() {
        let kept = |aggregation, smoothing| options(aggregation, smoothing).points_before(5);
        assert_eq!(kept(Aggregation::NONE, 1), Ok(4));
        assert_eq!(kept(Aggregation::NONE, 3), Ok(6));
        assert_eq!(kept(Aggregation::of_series(2), 1), Ok(4));
        assert_eq!(kept(Aggregation::of_series(50), 3), Ok(49));
        assert_eq!(kept(Aggregation::NONE.of_distances(50), 1), Ok(4));
    }

    #[test]
    fn what_no_stream_can_be_made_of_is_refused() {
        let refusal = |options: StreamOptions| options.points_before(5).expect_err("it is refused");
        assert_eq!(refusal(options(Aggregation::of_series(0), 1)), DtwError::EmptyWindow);
        assert_eq!(refusal(options(Aggregation::NONE.of_distances(0), 1)), DtwError::EmptyWindow);
        assert_eq!(refusal(options(Aggregation::NONE, 0)), DtwError::EmptyWindow);
        assert_eq!(
            refusal(StreamOptions { capacity: 0, ..options(Aggregation::NONE, 1) }),
            DtwError::NoCapacity
        );
        let many = options(Aggregation::NONE, 1).check_new(4).expect_err("it is refused");
        assert_eq!(many.to_string(), "4 points of an append; at most 3 are possible");
    }

    #[test]
    fn what_no_memory_holds_is_refused_with_the_limit() {
        let plain = options(Aggregation::NONE, 1);
        for count in [1 << 31, usize::MAX] {
            for (what, options) in [
                ("points of an append", StreamOptions { capacity: count, ..plain }),
                ("points of a rolling window", options(Aggregation::of_series(count), 1)),
                ("points of a rolling window", options(Aggregation::NONE.of_distances(count), 1)),
                ("points of a mean", options(Aggregation::NONE, count)),
            ] {
                let text = options.points_before(5).expect_err("it is refused").to_string();
                assert_eq!(text, format!("{count} {what}; at most 2147483647 are possible"));
            }
        }
    }

    #[test]
    fn results_of_no_points_have_room_for_all() {
        let mut none = options(Aggregation::of_series(2).of_distances(2), 1).room(7).expect("it fits");
        let rooms: Vec<usize> = parts(&mut none).map(|part| part.capacity()).collect();
        assert_eq!(rooms, [21, 3, 3, 3, 3, 21, 21, 21, 21]);
        assert!(parts(&mut none).all(|part| part.is_empty()));
        assert_eq!(parts(&mut options(Aggregation::NONE, 1).room(7).expect("it fits")).count(), 1);
    }

    #[test]
    fn results_that_the_host_has_no_room_for_are_refused() {
        let most = StreamOptions { capacity: i32::MAX as usize, ..options(Aggregation::NONE, 1) };
        let want = OpError::HostMemory { elements: (1 << 53) - (1 << 22), elem_bytes: 4 };
        assert_eq!(most.room(1 << 22), Err(want));
    }
}
