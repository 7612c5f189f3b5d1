//! The search by bounds: which windows need a distance, and how much of it.
//!
//! A row is gone through in four steps, each followed by a look at what was found:
//!
//! 1. Bounds of a sample of the tiles. With no threshold yet, distances of the windows with the least bound of each warp.
//! 2. A part of what the sample listed is searched, which tells what the rest will take. Is that about as long as a profile,
//!    the search is given up here.
//! 3. Bounds of the other tiles, and distances of their windows with the least bounds: mostly the matches are among them.
//! 4. What is listed is searched.
//!
//! The threshold falls from step to step. Where one is given, only what is listed is searched.

use gpu_std::launch::DeviceSlice;
use kernels_gpu::dtw::bound::{Limit, slack};
use kernels_gpu::dtw::bound_tile::TILE;
use kernels_gpu::dtw::dtw_bound::{Bounds, SEEDS};
use kernels_gpu::dtw::dtw_search::{BEHIND, Hunt};

use super::found::{Counts, Found, Report, matches};
use super::known::Known;
use super::launch::{bound, instance, search};
use super::tuning::Tuning;
use crate::backend::{Buffer as _, Device};
use crate::cpu::dtw::prepared_queries;
use crate::error::Error;
use crate::ops::dtw::{Normalization, Problem, Queries, band};

/// Time of the bounds of all windows, as a share of a profile's.
const BOUND_SHARE: f32 = 0.08;

/// Time of a row of a search over that of a row of a profile: what it does beside.
const ROW_SHARE: f32 = 1.2;

/// Part of what the sample listed that is searched to see how long it takes.
const PROBE: u32 = 4;

/// Searches by bounds of fixed queries, on one device.
pub(super) struct Narrow<D: Device> {
    m: u32,
    radius: u32,
    z_norm: u32,
    /// `[queries, m + BEHIND]`
    queries: D::Buffer<f32>,
    /// `[queries, 8 ⌈m / 4⌉]`
    envelopes: D::Buffer<f32>,
    list: D::Buffer<u64>,
    seeds: D::Buffer<u64>,
}

/// Windows of one row that are searched together, for one query.
#[derive(Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// Points of the windows.
    pub series: DeviceSlice<'a, f32>,
    /// How many.
    pub windows: u32,
    /// Where the first ends.
    pub end: u64,
    /// The query's number.
    pub query: u64,
}

/// Which entries are searched.
enum Entries {
    /// So many seeds.
    Seeds(u32),
    /// Those of the list from one to another.
    Listed(u32, u32),
}

impl<D: Device> Narrow<D> {
    /// Where bounds are possible and the problem is large enough: queries and their envelopes on the device, and room for
    /// lists.
    ///
    /// # Errors
    /// The device's.
    pub fn new(
        device: &D,
        problem: &Problem,
        queries: &Queries<'_>,
        tuning: &Tuning,
    ) -> Result<Option<Self>, Error> {
        let radius = band(problem.options.radius, queries.len()) as u32;
        if instance(radius).is_none() || problem.windows < tuning.least_windows || problem.m <= 16 {
            return Ok(None);
        }
        let m = queries.len();
        let (mut padded, mut envelopes) = (Vec::new(), Vec::new());
        for query in prepared_queries(queries, problem.options.normalization).chunks_exact(m) {
            padded.extend(query);
            padded.resize(padded.len() + BEHIND as usize, f32::INFINITY);
            envelopes.extend(envelope(query, radius as usize));
        }
        // Of means, the windows that begin in front of the first mean are there too.
        let most = (problem.points + 1 - u64::from(problem.m)).min(tuning.windows);
        Ok(Some(Self {
            m: problem.m,
            radius,
            z_norm: u32::from(problem.options.normalization == Normalization::ZScore),
            queries: device.upload(&padded)?,
            envelopes: device.upload(&envelopes)?,
            list: device.alloc(most)?,
            seeds: device.alloc(most.div_ceil(TILE.into()) * u64::from(SEEDS))?,
        }))
    }

    /// Adds all windows of `stretch` to `known` whose distance is at most its threshold; `false` where a profile would be
    /// about as fast.
    ///
    /// # Errors
    /// The device's.
    pub fn run(
        &mut self,
        device: &D,
        stretch: &Stretch<'_>,
        found: &mut Found<D>,
        known: &mut Known,
        tuning: &Tuning,
    ) -> Result<bool, Error> {
        let tiles = stretch.windows.div_ceil(TILE);
        let every = tuning.every;
        let sample = tiles.div_ceil(every);
        found.reset(device)?;
        self.bound(device, stretch, found, known, every, (true, sample))?;
        if known.threshold() == f32::INFINITY {
            self.search(device, stretch, found, known, Entries::Seeds(sample * SEEDS))?;
            if known.threshold() == f32::INFINITY && tuning.most_share.is_finite() {
                return Ok(false);
            }
        }
        let sampled = (sample * TILE).min(stretch.windows);
        let probe = sampled.div_ceil(PROBE);
        let counts = self.search(device, stretch, found, known, Entries::Listed(0, probe))?;
        if self.share(sampled, probe, counts) > tuning.most_share {
            return Ok(false);
        }
        if tiles > sample {
            self.bound(device, stretch, found, known, every, (false, tiles - sample))?;
            if known.can_fall() {
                self.search(device, stretch, found, known, Entries::Seeds((tiles - sample) * SEEDS))?;
            }
        }
        let searched = u64::from(probe).min(counts.listed) as u32;
        self.search(device, stretch, found, known, Entries::Listed(searched, u32::MAX))?;
        Ok(true)
    }

    /// The share of a profile's time that the search of all windows will take about, when the first `probe` entries of a
    /// sample of `sampled` windows took `counts`.
    fn share(&self, sampled: u32, probe: u32, counts: Counts) -> f32 {
        let listed = counts.listed.max(1) as f32;
        let windows = sampled as f32 * (probe as f32 / listed).min(1.0);
        counts.rows as f32 / (windows * self.m as f32) * ROW_SHARE + BOUND_SHARE
    }

    /// Enqueues the bounds of the sample's tiles or of the others.
    fn bound(
        &mut self,
        device: &D,
        stretch: &Stretch<'_>,
        found: &mut Found<D>,
        known: &Known,
        every: u32,
        (is_sample, tiles): (bool, u32),
    ) -> Result<(), Error> {
        let limit = Limit::new(self.m, known.threshold());
        let bounds = Bounds {
            windows: stretch.windows,
            m: self.m,
            z_norm: self.z_norm,
            every,
            is_sample: is_sample.into(),
            factor: limit.factor,
            inverse: limit.inverse,
            root: limit.inverse * limit.threshold.sqrt(),
            slack: slack((self.m as f32).sqrt()),
        };
        let floats = u64::from(8 * self.m.div_ceil(4));
        let envelope =
            self.envelopes.as_slice().slice(stretch.query * floats..(stretch.query + 1) * floats)?;
        let [list, seeds] = [&mut self.list, &mut self.seeds].map(|buffer| buffer.as_mut_slice());
        // SAFETY: the stretch has the points of its windows; the envelope has 8 floats for every 4 points and begins at a
        // multiple of 32 bytes; there are seeds for all tiles of the most windows; a part of the tiles is as many as it has.
        unsafe { bound(device, tiles, [stretch.series, envelope], [list, seeds, found.words()], bounds) }
    }

    /// Searches some entries, and adds what is found to what is known; what was counted so far.
    fn search(
        &mut self,
        device: &D,
        stretch: &Stretch<'_>,
        found: &mut Found<D>,
        known: &mut Known,
        which: Entries,
    ) -> Result<Counts, Error> {
        let (m, floats) = (u64::from(self.m + BEHIND), u64::from(8 * self.m.div_ceil(4)));
        let query = self.queries.as_slice().slice(stretch.query * m..(stretch.query + 1) * m)?;
        let envelope =
            self.envelopes.as_slice().slice(stretch.query * floats..(stretch.query + 1) * floats)?;
        let limit = Limit::new(self.m, known.threshold());
        let (entries, from, to, is_list) = match which {
            Entries::Seeds(count) => (self.seeds.as_slice(), 0, count, 0),
            Entries::Listed(from, to) => (self.list.as_slice(), from, to, 1),
        };
        // Seeds are few, and a thread each is soonest through. Of what is listed a warp has some, to fill up its lanes.
        let per_thread = if is_list == 1 { 8 } else { 1 };
        let threads = u64::from(to.min(stretch.windows) - from) / per_thread;
        let hunt = Hunt {
            from,
            to,
            is_list,
            m: self.m,
            radius: self.radius,
            z_norm: self.z_norm,
            threshold: known.threshold(),
            factor: limit.factor,
            limit: limit.threshold,
        };
        loop {
            let operands = [stretch.series, query, envelope];
            // SAFETY: entries up to `to` that are listed, and all seeds, were written by the bounds of this stretch, and the list
            // has room for all its windows; query and envelope are padded as the kernel reads them.
            unsafe { search(device, threads, operands, entries, found.words(), hunt)? };
            let (report, counts) = found.take(device)?;
            if let Report::Entries(entries) = report {
                known.add(matches(&entries, stretch.end));
                return Ok(counts);
            }
        }
    }
}

/// Of each four points of `query`, the four least and the four largest values within `radius`.
fn envelope(query: &[f32], radius: usize) -> Vec<f32> {
    let around = |i: usize| &query[i.saturating_sub(radius)..(i + radius + 1).min(query.len())];
    let mut fours = Vec::with_capacity(query.len().div_ceil(4) * 8);
    for first in (0..query.len()).step_by(4) {
        for choose in [f32::min, f32::max] {
            let of = |i: usize| around(i.min(query.len() - 1)).iter().copied().reduce(choose).unwrap_or(0.0);
            fours.extend((first..first + 4).map(of));
        }
    }
    fours
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_envelope_holds_what_is_within_the_radius() {
        let query = [1.0, 5.0, -2.0, 0.0, 3.0];
        assert_eq!(envelope(&query, 0)[..8], [1.0, 5.0, -2.0, 0.0, 1.0, 5.0, -2.0, 0.0]);
        let of = envelope(&query, 1);
        assert_eq!(of[..8], [1.0, -2.0, -2.0, -2.0, 5.0, 5.0, 5.0, 3.0]);
        assert_eq!((of[8], of[12], of.len()), (0.0, 3.0, 16));
        assert_eq!(envelope(&query, 9)[..8], [-2.0, -2.0, -2.0, -2.0, 5.0, 5.0, 5.0, 5.0]);
    }
}
