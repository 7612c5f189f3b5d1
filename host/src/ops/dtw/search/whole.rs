//! The search in a profile on the device, piece by piece.

use std::ops::Range;

use gpu_std::launch::DeviceSlice;

use super::found::{Found, Report, matches};
use super::known::Known;
use super::launch::{at_most, chunks, least};
use super::tuning::Tuning;
use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::ops::dtw::{Match, Problem, ProfilePlan, Queries};

/// Searches profiles of fixed queries, on one device.
pub(super) struct Whole<D: Device> {
    /// The plan last used, for so many rows and these queries.
    plan: Option<(u64, Range<usize>, ProfilePlan<D>)>,
    distances: D::Buffer<f32>,
    least: D::Buffer<u64>,
}

/// What is asked of all lists.
pub(super) struct Source<'a> {
    /// The whole problem.
    pub problem: &'a Problem,
    /// All queries.
    pub queries: Queries<'a>,
    /// How much is in memory at a time.
    pub tuning: &'a Tuning,
}

/// Rows of the series, and queries.
pub(super) struct Lists<'a> {
    /// All points of the rows.
    pub series: DeviceSlice<'a, f32>,
    /// The rows.
    pub rows: u64,
    /// The queries.
    pub queries: Range<usize>,
}

/// Distances that are in memory at a time: some rows and queries, or a stretch of one.
struct Piece {
    rows: Range<u64>,
    queries: Range<usize>,
    points: Range<u64>,
}

/// The lists that are in memory.
struct Here {
    /// Distances of each.
    n: u32,
    /// The point of the first distance.
    start: u64,
    /// Their numbers.
    numbers: Vec<usize>,
}

impl Here {
    const fn count(&self) -> u64 {
        self.numbers.len() as u64
    }
}

/// Cuts rows of `n` points into pieces of at most `distances`: whole rows if they fit, with all queries if these do.
fn pieces(lists: &Lists<'_>, n: u64, halo: u64, distances: u64) -> Vec<Piece> {
    let queries = lists.queries.len() as u64;
    let at_a_time = (distances / n).clamp(1, queries);
    let rows_at_a_time =
        if at_a_time < queries { 1 } else { (distances / (n * queries)).clamp(1, lists.rows) };
    // A piece that is mostly what it shares with the one before is none.
    let most = distances.max(4 * halo + 1).min(Tuning::MOST);
    let mut pieces = Vec::new();
    for row in (0..lists.rows).step_by(rows_at_a_time as usize) {
        for query in lists.queries.clone().step_by(at_a_time as usize) {
            let rows = row..lists.rows.min(row + rows_at_a_time);
            let queries = query..lists.queries.end.min(query + at_a_time as usize);
            let mut start = 0;
            loop {
                let end = n.min(start + most);
                pieces.push(Piece { rows: rows.clone(), queries: queries.clone(), points: start..end });
                if end == n {
                    break;
                }
                start = end - halo;
            }
        }
    }
    pieces
}

impl<D: Device> Whole<D> {
    /// # Errors
    /// The device's.
    pub fn new(device: &D) -> Result<Self, Error> {
        Ok(Self { plan: None, distances: device.alloc(0)?, least: device.alloc(0)? })
    }

    /// Adds all windows to `known` whose distance is at most its threshold: an element for every row and query.
    ///
    /// # Errors
    /// The device's.
    pub fn run(
        &mut self,
        device: &D,
        source: &Source<'_>,
        lists: &Lists<'_>,
        found: &mut Found<D>,
        known: &mut [Known],
    ) -> Result<(), Error> {
        let Problem { points: n, windows, .. } = *source.problem;
        for piece in pieces(lists, n, n - windows, source.tuning.distances) {
            self.profile(device, source, lists, &piece)?;
            let Piece { rows, queries, points } = piece;
            let of = &lists.queries;
            let lists_of =
                |row: u64| queries.clone().map(move |query| row as usize * of.len() + query - of.start);
            let numbers = rows.flat_map(lists_of).collect();
            let here = Here { n: (points.end - points.start) as u32, start: points.start, numbers };
            if known.iter().any(Known::can_fall) {
                self.fall(device, &here, known)?;
            }
            self.select(device, &here, found, known)?;
        }
        Ok(())
    }

    /// Enqueues the distances of a piece.
    fn profile(
        &mut self,
        device: &D,
        source: &Source<'_>,
        lists: &Lists<'_>,
        Piece { rows, queries: of, points }: &Piece,
    ) -> Result<(), Error> {
        let Source { problem, queries, .. } = source;
        let (count, len) = (rows.end - rows.start, points.end - points.start);
        if !matches!(&self.plan, Some((r, q, _)) if *r == count && q == of) {
            let m = queries.len();
            let part =
                Queries::new(&queries.points()[of.start * m..of.end * m], m, problem.options.normalization)?;
            let plan = ProfilePlan::new(device, count, len, &part, &problem.options)?;
            self.plan = Some((count, of.clone(), plan));
        }
        let Some((.., plan)) = &mut self.plan else { return Ok(()) };
        plan.set_points(len)?;
        let all = count * of.len() as u64 * len;
        if self.distances.len() < all {
            self.distances = device.alloc(all)?;
        }
        let n = problem.points;
        // Only a piece of one row is not of whole rows.
        let first = rows.start * n + points.start;
        let series = lists.series.slice(first..first + count * len)?;
        plan.run(device, series, self.distances.as_mut_slice().slice(0..all)?, None)
    }

    /// Adds the least distance of every chunk to what is known.
    fn fall(&mut self, device: &D, here: &Here, known: &mut [Known]) -> Result<(), Error> {
        let chunks = u64::from(chunks(here.n));
        let all = here.count() * chunks;
        if self.least.len() < all {
            self.least = device.alloc(all)?;
        }
        let distances = self.distances.as_slice().slice(0..here.count() * u64::from(here.n))?;
        let target = self.least.as_mut_slice().slice(0..all)?;
        // SAFETY: whole lists of distances, of which there are at most 2^31, with an element for every chunk.
        unsafe { least(device, distances, target, here.n)? };
        let entries = device.download(self.least.as_slice().slice(0..all)?)?;
        for (number, entries) in here.numbers.iter().zip(entries.chunks_exact(chunks as usize)) {
            known[*number].add(matches(entries, here.start));
        }
        Ok(())
    }

    /// Adds the distances of at most the thresholds to what is known.
    fn select(
        &mut self,
        device: &D,
        here: &Here,
        found: &mut Found<D>,
        known: &mut [Known],
    ) -> Result<(), Error> {
        let thresholds: Vec<f32> = here.numbers.iter().map(|number| known[*number].threshold()).collect();
        let thresholds = device.upload(&thresholds)?;
        let distances = self.distances.as_slice().slice(0..here.count() * u64::from(here.n))?;
        found.reset(device)?;
        loop {
            // SAFETY: whole lists of distances, of which there are at most 2^31, with a threshold each.
            unsafe { at_most(device, [distances, thresholds.as_slice()], found.words(), here.n)? };
            let (Report::Entries(entries), _) = found.take(device)? else { continue };
            let mut of: Vec<Vec<Match>> = vec![Vec::new(); here.numbers.len()];
            for Match { end, distance } in matches(&entries, 0) {
                let (list, end) = (end / here.n as usize, end % here.n as usize);
                of[list].push(Match { end: end + here.start as usize, distance });
            }
            here.numbers.iter().zip(of).for_each(|(number, all)| known[*number].add(all));
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_have_every_window_once() {
        let memory = 0_u64;
        // SAFETY: nothing follows the address.
        let series =
            unsafe { DeviceSlice::from_raw((&raw const memory) as u64, 1, crate::backend::new_space()) };
        for (rows, queries, n, halo) in [(3, 2, 50, 7), (5, 4, 100, 0), (1, 1, 1000, 20), (2, 9, 60, 59)] {
            for distances in [1, 30, 120, 400, 1 << 20] {
                let lists = Lists { series, rows, queries: 1..1 + queries };
                let mut seen = vec![0; rows as usize * queries * n as usize];
                for piece in pieces(&lists, n, halo, distances) {
                    let size = (piece.rows.end - piece.rows.start)
                        * piece.queries.len() as u64
                        * (piece.points.end - piece.points.start);
                    assert!(size <= distances.max(4 * halo + 1).max(1), "{size} of {distances}");
                    assert!(piece.points == (0..n) || piece.rows.end - piece.rows.start == 1);
                    for row in piece.rows.clone() {
                        for query in piece.queries.clone() {
                            for end in piece.points.start + halo..piece.points.end {
                                seen[(row as usize * queries + query - 1) * n as usize + end as usize] += 1;
                            }
                        }
                    }
                }
                let want = (0..seen.len()).map(|at| u32::from(at as u64 % n >= halo));
                assert!(seen.into_iter().eq(want), "{rows} {queries} {n} {halo} {distances}");
            }
        }
    }
}
