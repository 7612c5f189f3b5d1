//! The demo's search: which days of the S&P 500 went like 32 of its days.

use std::ops::Range;
use std::path::Path;

use super::inputs::{INDEX_FILE, table};
use super::report::Line;
use crate::cpu::dtw::smallest;
use crate::data::DataError;
use crate::error::Error;
use crate::ops::dtw::{Aggregation, Match, Normalization, ProfileOptions, Queries, profile_on};
use crate::ops::{DType, Executor, Layout};
use crate::reference::dtw::{profile_cpu, top_k_cpu};
use crate::validate::{Comparison, Tolerance, compare};

/// The days that are searched for.
const QUERY: Range<usize> = 4000..4032;
const RADIUS: u32 = 3;
const TOP: usize = 6;
/// Neighbours of a match are matches too.
const EXCLUSION: usize = 0;
/// Days around those searched for, few enough for the simulator.
#[cfg(feature = "sim")]
const SLICE: Range<usize> = 3990..4064;

/// Closes of the index, day by day, and the days that are searched for.
pub struct Closes {
    series: Vec<f32>,
    query: Vec<f32>,
}

impl Closes {
    /// Reads the index's file in `folder`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn read(folder: &Path) -> Result<Self, DataError> {
        let table = table(folder, INDEX_FILE)?;
        Ok(Self { series: table.series("Close")?, query: table.query("Close", QUERY)? })
    }

    /// The same search in a few days around those searched for.
    #[cfg(feature = "sim")]
    pub fn slice(&self) -> Self {
        let days = SLICE.start.min(self.series.len())..SLICE.end.min(self.series.len());
        Self { series: self.series[days].to_vec(), query: self.query.clone() }
    }

    /// Searches once on `executor` and compares distances and matches with the reference. `time` runs the search again
    /// and says how long it takes, copies to and from the device included.
    ///
    /// # Errors
    /// The back end's.
    pub fn line(
        &self,
        executor: &Executor,
        time: impl FnOnce(&mut dyn FnMut() -> Result<(), Error>) -> Result<std::time::Duration, Error>,
    ) -> Result<Line, Error> {
        let distances = self.distances(executor)?;
        let comparisons = self.compare(&distances)?;
        Ok(Line {
            op: "dtw_profile",
            dtype: DType::F32,
            input: "index search",
            shape: format!("1x{}", self.series.len()),
            place: executor.to_string(),
            time: time(&mut || self.distances(executor).map(|_| ()))?,
            comparisons,
        })
    }

    fn queries(&self) -> Result<Queries<'_>, Error> {
        Ok(Queries::new(&self.query, self.query.len(), Normalization::ZScore)?)
    }

    fn options() -> ProfileOptions {
        ProfileOptions::new(Normalization::ZScore).radius(RADIUS)
    }

    fn distances(&self, executor: &Executor) -> Result<Vec<f32>, Error> {
        let (queries, none) = (self.queries()?, Aggregation::NONE);
        Ok(profile_on(executor, &self.series, 1, &queries, &Self::options(), none)?.distances)
    }

    fn compare(&self, distances: &[f32]) -> Result<Vec<Comparison>, Error> {
        let exact = Tolerance::exact("every operation is rounded alike, in the same order");
        let want = profile_cpu(&self.series, &self.queries()?, &Self::options());
        let row = |elements: usize| Layout::new(1, elements as u64, elements as u64);
        let (found, best) = (smallest(distances, TOP, EXCLUSION), top_k_cpu(&want, TOP, EXCLUSION));
        let (found, best) = (flat(&found), flat(&best));
        Ok(vec![
            compare("distances", row(want.len())?, 0, distances, &want, &exact),
            compare("matches", row(best.len())?, 0, &found, &best, &exact),
        ])
    }
}

/// Ends and distances in turn; an end of the file is exact in f32.
fn flat(matches: &[Match]) -> Vec<f32> {
    matches.iter().flat_map(|found| [found.end as f32, found.distance]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closes() -> Closes {
        Closes::read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../data")).expect("the data is there")
    }

    /// What independent libraries say of the same search.
    #[test]
    fn the_best_days_are_those_searched_for_and_their_neighbours() {
        let closes = closes();
        let distances = closes.distances(&Executor::Cpu).expect("it fits");
        let found = smallest(&distances, TOP, EXCLUSION);
        let starts: Vec<usize> = found.iter().map(|found| found.end + 1 - QUERY.len()).collect();
        assert_eq!(starts, [4000, 4001, 3999, 4002, 3998, 4003]);
        let want = [0.0, 0.133_273, 0.311_763, 0.564_297, 1.531_405, 2.282_071];
        for (found, want) in found.iter().zip(want) {
            assert!((f64::from(found.distance) - want).abs() < 1e-6, "{found:?}, want {want}");
        }
        let windows = distances.iter().filter(|distance| !distance.is_nan());
        let sum: f64 = windows.map(|distance| f64::from(*distance)).sum();
        assert!((sum / 204_316.816_1 - 1.0).abs() < 1e-6, "{sum}");
    }

    #[test]
    fn a_wrong_distance_fails_the_line() {
        let closes = closes();
        let mut distances = closes.distances(&Executor::Cpu).expect("it fits");
        let passed = |distances: &[f32]| {
            closes.compare(distances).expect("it fits").iter().map(Comparison::passed).collect::<Vec<_>>()
        };
        assert_eq!(passed(&distances), [true, true]);
        distances[100] = distances[100].next_up();
        assert_eq!(passed(&distances), [false, true]);
        distances[200] = 0.0;
        assert_eq!(passed(&distances), [false, false]);
    }

    #[cfg(feature = "sim")]
    #[test]
    fn the_slice_holds_the_best_days() {
        let (all, slice) = (closes(), closes().slice());
        assert_eq!(slice.series.len(), SLICE.len());
        let best = |closes: &Closes| {
            let distances = closes.distances(&Executor::Cpu).expect("it fits");
            smallest(&distances, TOP, EXCLUSION).iter().map(|found| found.distance).collect::<Vec<_>>()
        };
        assert_eq!(best(&slice), best(&all));
    }
}
