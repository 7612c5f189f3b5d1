//! Lanes side by side across a band that moves down the diagonal with the rows.
//!
//! A step is [`ROWS`] rows of `C` columns; the columns of the next step lie `ROWS` further right, so that a lane stays at its
//! place in the band. It needs the last column of the lane in front in the same rows, and the first columns of the lane behind
//! in the row above: a lane has a step in every second turn. In the other it has a step of a second window: two streams of
//! windows share a group, each half a turn apart.
//!
//! The first column of the group's middle lane is the diagonal's in row `padding`: of the first step's rows, `padding` lie in
//! front of the matrix, so that the last ends with row m − 1. Cells outside the radius are made infinite by their difference:
//! d = q · weight − z, with a weight of 1 inside and infinity outside, for each diagonal of a lane.

use gpu_std::{Vec16, block, mem, thread, unroll, warp};

use super::BLOCK;
use super::band_tile::{ROWS, sweep};
use super::extent::{Extent, Part};
use super::moments::Normaliser;
use super::profile::Store;
use super::window_tile::{self, WindowTile};

const INF: f32 = f32::INFINITY;

/// All lanes of a warp.
const FULL: u32 = !0;
const WARP: u32 = 32;

/// Floats of shared memory for what goes from warp to warp: of two streams, in two directions.
pub const EXCHANGE: u32 = 2 * 2 * BLOCK / WARP * ROWS as u32;

/// Rows in front of a matrix of `m` rows.
pub const fn padding(m: u32) -> u32 {
    m.wrapping_neg() % ROWS as u32
}

/// Whether `lanes` lanes of `columns` columns hold the band: it and one cell on either side lie between their outer columns.
pub const fn holds(lanes: u32, columns: u32, m: u32, radius: u32) -> bool {
    let (half, padding) = (lanes / 2 * columns, padding(m));
    half > radius + padding && half + padding > radius + ROWS as u32 && lanes / 2 <= m.div_ceil(ROWS as u32)
}

/// The place of a lane.
struct Lane<const D: usize> {
    /// The lane in its group.
    lane: u32,
    lanes: u32,
    /// Whether it has the diagonal.
    is_middle: bool,
    /// Rows in front of the first.
    padding: u32,
    /// Steps of a window.
    steps: u32,
    /// Point of the window under the first column in the first step.
    origin: i32,
    /// Of the diagonals from the lower left corner to the upper right one: 1 inside the radius, else infinite.
    weights: [f32; D],
}

impl<const D: usize> Lane<D> {
    #[inline(always)]
    fn new<const C: usize>(extent: &Extent) -> Self {
        const {
            assert!(
                D == C + ROWS - 1 && C >= ROWS && C.is_multiple_of(2) && ROWS as u32 <= window_tile::SLACK
            )
        }
        let lanes = 1 << extent.log2_lanes;
        let lane = thread::thread_linear() & (lanes - 1);
        let padding = padding(extent.m);
        let origin = (lane as i32 - (lanes / 2) as i32) * C as i32;
        let mut weights = [1.0; D];
        unroll!(for d in 0..D {
            // Column less row.
            let diagonal = origin + padding as i32 + d as i32 - (ROWS - 1) as i32;
            weights[d] = if diagonal.unsigned_abs() <= extent.radius { 1.0 } else { INF };
        });
        let (is_middle, steps) = (lane == lanes / 2, extent.m.div_ceil(ROWS as u32));
        Self { lane, lanes, is_middle, padding, steps, origin, weights }
    }
}

/// What a lane has of the window it is in, in one of its two streams.
struct Stream<const C: usize> {
    /// The row above the step, but for its last columns.
    cols: [f32; C],
    /// The window's points under the columns.
    z: [f32; C],
    /// The last column in the last step's rows.
    right: [f32; ROWS],
    /// The first columns of the last step's last row.
    low: [f32; ROWS],
    normaliser: Normaliser,
    /// The query's first row, in fours from the part's first query.
    row: u32,
    step: u32,
    /// Number of the stream's pairs.
    count: u32,
    begun: u32,
    query: u32,
    window: u32,
}

/// What a lane gets of its neighbours.
struct Borders {
    /// The column to the left.
    left: [f32; ROWS],
    /// Its value in the row above.
    corner: f32,
    /// The last columns of the row above.
    above: [f32; ROWS],
}

/// Computes and stores the distances of a part.
///
/// `queries`: `[queries, m + padding]`, each padded in front with +inf.
///
/// # Safety
/// All threads of the block come here, after `tile` was filled; `queries` has all queries of the extent, aligned to 16 bytes;
/// with `CROSS`, which groups
/// of more than a warp need, [`EXCHANGE`] floats lie behind the tile; the lanes hold the band as [`holds`] says.
#[inline(always)]
pub unsafe fn distances<const C: usize, const D: usize, const CROSS: bool>(
    tile: WindowTile,
    queries: &[f32],
    extent: &Extent,
    part: Part,
    store: &Store,
) {
    let lane = Lane::<D>::new::<C>(extent);
    // SAFETY: the queries of the part lie inside.
    let queries = unsafe { queries.as_ptr().add(part.query as usize * lane.steps as usize * ROWS) };
    let run = Run { tile, queries: queries.cast(), extent, part, store, lane };
    let most = (part.windows * part.queries).div_ceil(2 * (BLOCK >> extent.log2_lanes));
    // Lanes l and l + 1 are half a turn apart: the even ones are in the other stream than the odd ones.
    let odd = run.lane.lane & 1;
    let mut first = Stream::<C>::new(&run, odd, run.lane.lane.div_ceil(2), most);
    let mut second = Stream::<C>::new(&run, 1 - odd, run.lane.lane / 2, most);
    let mut turns = most * run.lane.steps + run.lane.lanes / 2;
    while turns > 0 {
        // SAFETY: all threads of the block make the same number of turns.
        unsafe {
            first.turn(&run, run.borders::<C, CROSS>(&second, &first, 0));
            second.turn(&run, run.borders::<C, CROSS>(&first, &second, 1));
        }
        turns -= 1;
    }
}

/// What does not change in a part.
struct Run<'a, const D: usize> {
    tile: WindowTile,
    /// The part's queries, in fours.
    queries: *const Vec16<f32>,
    extent: &'a Extent,
    part: Part,
    store: &'a Store,
    lane: Lane<D>,
}

impl<const D: usize> Run<'_, D> {
    /// What the neighbours left in the turn before, when they were in `other`, for the stream `own`, the `half`-th of a turn.
    ///
    /// # Safety
    /// All threads of the block come here.
    #[inline(always)]
    unsafe fn borders<const C: usize, const CROSS: bool>(
        &self,
        other: &Stream<C>,
        own: &Stream<C>,
        half: u32,
    ) -> Borders {
        let mut borders = Borders { left: [INF; ROWS], corner: own.low[ROWS - 1], above: [INF; ROWS] };
        unroll!(for r in 0..ROWS {
            // SAFETY: promised by the caller.
            unsafe {
                borders.left[r] = warp::shfl_up_sync(FULL, other.right[r], 1);
                borders.above[r] = warp::shfl_down_sync(FULL, other.low[r], 1);
            }
        });
        if CROSS {
            // SAFETY: as above.
            unsafe { self.cross(&mut borders, other, half) };
        }
        borders
    }

    /// From warp to warp, through shared memory.
    ///
    /// # Safety
    /// All threads of the block come here.
    #[inline(always)]
    unsafe fn cross<const C: usize>(&self, borders: &mut Borders, other: &Stream<C>, half: u32) {
        let (lane, warp) = (self.lane.lane % WARP, thread::thread_linear() / WARP);
        let slot = |direction: u32, warp: u32| ((2 * half + direction) * (BLOCK / WARP) + warp) * ROWS as u32;
        unroll!(for r in 0..ROWS {
            // SAFETY: this lane's own slots; what was in them a turn ago was read before the barrier of the other half.
            unsafe {
                if lane == WARP - 1 {
                    self.tile.set_extra(slot(0, warp) + r as u32, other.right[r]);
                }
                if lane == 0 {
                    self.tile.set_extra(slot(1, warp) + r as u32, other.low[r]);
                }
            }
        });
        // SAFETY: promised by the caller.
        unsafe { block::bar_sync() };
        unroll!(for r in 0..ROWS {
            // SAFETY: written before the barrier.
            unsafe {
                if lane == 0 && warp > 0 {
                    borders.left[r] = self.tile.extra(slot(0, warp - 1) + r as u32);
                }
                if lane == WARP - 1 && warp + 1 < BLOCK / WARP {
                    borders.above[r] = self.tile.extra(slot(1, warp + 1) + r as u32);
                }
            }
        });
    }
}

impl<const C: usize> Stream<C> {
    /// As many points from a multiple of this on are all in front of the window or none is.
    const TOGETHER: usize = if C.is_multiple_of(4) { 4 } else { 2 };

    /// The `parity`-th stream of the lane's group, `lag` steps behind the first lane.
    #[inline(always)]
    fn new<const D: usize>(run: &Run<'_, D>, parity: u32, lag: u32, most: u32) -> Self {
        let group = thread::thread_linear() >> run.extent.log2_lanes;
        let pairs = run.part.windows * run.part.queries;
        let first = (2 * group + parity) * most;
        let left = pairs.saturating_sub(first);
        let first = if left > 0 { first } else { 0 };
        Self {
            cols: [INF; C],
            z: [INF; C],
            right: [INF; ROWS],
            low: [INF; ROWS],
            normaliser: Normaliser { x0: 0.0, mean: 0.0, inv: 0.0 },
            row: 0,
            step: run.lane.steps - lag,
            count: if left < most { left } else { most },
            begun: 0,
            query: first / run.part.windows,
            window: first % run.part.windows,
        }
    }

    /// One step.
    #[inline(always)]
    fn turn<const D: usize>(&mut self, run: &Run<'_, D>, mut borders: Borders) {
        if self.step == run.lane.steps {
            self.begin(run, &mut borders);
        }
        self.advance(run, &borders);
        if self.step == run.lane.steps && run.lane.is_middle && self.begun.wrapping_sub(1) < self.count {
            // SAFETY: a pair of the stream's own, and the one lane that has the diagonal.
            unsafe { run.store.put(self.query, self.window, self.result(run.lane.padding)) };
        }
    }

    /// Begins the next pair; after the last the same again, and nobody takes the result.
    #[inline(always)]
    fn begin<const D: usize>(&mut self, run: &Run<'_, D>, borders: &mut Borders) {
        self.step = 0;
        self.begun += 1;
        if self.begun > 1 && self.begun <= self.count {
            self.window += 1;
            if self.window == run.part.windows {
                self.window = 0;
                self.query += 1;
            }
        }
        self.row = self.query * run.lane.steps * (ROWS / 4) as u32;
        self.normaliser = run.tile.normaliser(self.window);
        self.z = [INF; C];
        if run.lane.origin >= 0 {
            let mut from = 0;
            unroll!(for c in ROWS..C {
                if c.is_multiple_of(ROWS) {
                    from = self.place(run, run.lane.origin + (c - ROWS) as i32);
                }
                self.z[c] = self.normaliser.apply(run.tile.point_from(from, c % ROWS));
            });
        }
        self.cols = [INF; C];
        borders.above = [INF; ROWS];
        let begins = |row: u32| run.lane.is_middle && run.lane.padding == row;
        borders.corner = if begins(0) { 0.0 } else { INF };
        unroll!(for r in 0..ROWS {
            borders.left[r] = if begins(r as u32 + 1) { 0.0 } else { borders.left[r] };
        });
    }

    /// Where the tile has point `j` of the window, or the one behind its last.
    #[inline(always)]
    fn place<const D: usize>(&self, run: &Run<'_, D>, j: i32) -> i32 {
        let m = run.extent.m as i32;
        self.window as i32 + if j < m { j } else { m }
    }

    #[inline(always)]
    fn advance<const D: usize>(&mut self, run: &Run<'_, D>, borders: &Borders) {
        unroll!(for c in ROWS..C {
            self.z[c - ROWS] = self.z[c];
        });
        let mut q = [0.0; ROWS];
        let row = (self.row + self.step * (ROWS / 4) as u32) as usize;
        // SAFETY: inside a query.
        let rows = unsafe { run.queries.add(row) };
        // The point under the first column that comes in; a multiple of `TOGETHER`.
        let next = run.lane.origin + (C - ROWS) as i32 + (self.step * ROWS as u32) as i32;
        let from = self.place(run, next);
        unroll!(for half in 0..ROWS / 4 {
            // SAFETY: rows of the query, or of the first one before the first pair.
            let rows: Vec16<f32> = unsafe { mem::ld_global_nc(rows.add(half)) };
            unroll!(for i in 0..4 {
                let r = 4 * half + i;
                let is_inside = next >= -((r - r % Self::TOGETHER) as i32);
                q[r] = rows.lane(i);
                self.z[C - ROWS + r] =
                    if is_inside { self.normaliser.apply(run.tile.point_from(from, r)) } else { INF };
                self.cols[C - ROWS + r] = borders.above[r];
            });
        });
        self.right = sweep(&mut self.cols, &q, &self.z, &run.lane.weights, borders.left, borders.corner);
        unroll!(for r in 0..ROWS {
            self.low[r] = self.cols[r];
        });
        unroll!(for c in ROWS..C {
            self.cols[c - ROWS] = self.cols[c];
        });
        self.step += 1;
    }

    /// The diagonal in the last row.
    #[inline(always)]
    fn result(&self, padding: u32) -> f32 {
        let mut result = self.low[0];
        unroll!(for r in 1..ROWS {
            if padding + r as u32 == ROWS as u32 - 1 {
                result = self.low[r];
            }
        });
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_step_ends_with_the_last_row() {
        for m in 1..100 {
            assert!(padding(m) < ROWS as u32 && (m + padding(m)).is_multiple_of(ROWS as u32), "{m}");
        }
    }

    /// Columns of the band in a step's rows, counted from the first column of the first lane.
    fn first_and_last(half: u32, m: u32, radius: u32) -> (i64, i64) {
        let diagonal = i64::from(half) - i64::from(padding(m));
        (diagonal - i64::from(radius), diagonal + i64::from(radius) + ROWS as i64 - 1)
    }

    #[test]
    fn what_lanes_hold_has_a_cell_on_either_side() {
        for (m, columns, log2) in [(35, 14, 3), (64, 16, 2), (129, 24, 4), (1000, 22, 5)] {
            let lanes = 1 << log2;
            let fits = |radius| {
                let (first, last) = first_and_last(lanes / 2 * columns, m, radius);
                first >= 1 && last + 1 < i64::from(lanes * columns)
            };
            for radius in 0..m {
                assert_eq!(holds(lanes, columns, m, radius), fits(radius), "{m} {columns} {lanes} {radius}");
            }
        }
    }

    #[test]
    fn a_group_with_more_half_lanes_than_steps_is_refused() {
        assert!(!holds(32, 24, 100, 0));
        assert!(holds(16, 24, 100, 0));
    }
}
