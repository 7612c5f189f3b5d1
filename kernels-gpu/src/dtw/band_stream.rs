//! Windows that stream past the columns of a query, each lane taking only the rows of its band.
//!
//! As in [`stream`](super::stream), but a lane begins with the first row that its columns' band reaches, `C` rows behind the
//! lane in front, and leaves the window after the last: it is `C / R + 1` steps behind, and is in the next window sooner. A
//! group has up to 128 lanes; between its warps the last column goes through shared memory.

use gpu_std::{block, thread, unroll, warp};

use super::BLOCK;
use super::extent::{Extent, Part};
use super::moments::Normaliser;
use super::profile::Store;
use super::tile::sweep_where;
use super::window_tile::WindowTile;

const INF: f32 = f32::INFINITY;

/// All lanes of a warp.
const FULL: u32 = !0;
const WARP: u32 = 32;

/// Floats of shared memory for what goes from warp to warp: of two steps, 8 rows of each warp.
pub const EXCHANGE: u32 = 2 * 8 * BLOCK / WARP;

/// The schedule of a lane.
struct Work {
    /// The lane in its group.
    lane: u32,
    /// Lanes of a group.
    lanes: u32,
    /// The group's first pair.
    first: u32,
    /// Number of its pairs.
    count: u32,
    /// The largest number of pairs of any group of the block.
    most: u32,
    /// The radius, less than `m`.
    radius: i32,
    /// Column of the window's first point, counted from the lane's first.
    origin: i32,
    /// The lane's first row in the window; a multiple of the rows of a step.
    base: i32,
    /// Steps of a pair.
    steps: i32,
}

impl Work {
    #[inline(always)]
    fn new<const C: usize, const R: usize>(extent: &Extent, part: Part) -> Self {
        const { assert!(C.is_multiple_of(R)) }
        let (columns, rows) = (C as i32, R as i32);
        let lanes = 1 << extent.log2_lanes;
        let groups = BLOCK >> extent.log2_lanes;
        let thread = thread::thread_linear();
        let pairs = part.windows * part.queries;
        let most = pairs.div_ceil(groups);
        let first = (thread >> extent.log2_lanes) * most;
        let left = pairs.saturating_sub(first);
        let count = if left < most { left } else { most };
        let lane = thread & (lanes - 1);
        let radius = if extent.radius < extent.m { extent.radius } else { extent.m - 1 } as i32;
        let padding = lanes as i32 * columns - extent.m as i32;
        // Rows in front of the first lane's first column, in whole steps.
        let ahead = (padding + radius + rows - 1) / rows * rows;
        let steps = (columns + radius + ahead - padding + rows - 1) / rows;
        let (origin, base) = (padding - lane as i32 * columns, lane as i32 * columns - ahead);
        Self { lane, lanes, first, count, most, radius, origin, base, steps }
    }
}

/// What a lane has of the window it is in.
struct State<const C: usize, const R: usize> {
    q: [f32; C],
    cols: [f32; C],
    right: [f32; R],
    /// The column to the left in the row above this step.
    corner: f32,
    normaliser: Normaliser,
    begun: u32,
    query: u32,
    window: u32,
}

/// Computes and stores the distances of a part.
///
/// `queries`: `[queries, lanes · C]`, each padded in front with +inf.
///
/// # Safety
/// All threads of the block come here, after `tile` was filled; `queries` has all queries of the extent; [`EXCHANGE`] floats
/// lie behind the tile.
#[inline(always)]
pub unsafe fn distances<const C: usize, const R: usize>(
    tile: WindowTile,
    queries: &[f32],
    extent: &Extent,
    part: Part,
    store: &Store,
) {
    let work = Work::new::<C, R>(extent, part);
    let stagger = (C / R + 1) as i32;
    let mut state = State::<C, R>::new(&work, queries, part);
    let mut step = work.steps - work.lane as i32 * stagger;
    let (end, end_row) = last_step::<C, R>(&work, extent.m);
    let mut turn = 0;
    let turns = work.most * work.steps as u32 + (work.lanes - 1) * stagger as u32;
    while turn < turns {
        // SAFETY: all threads of the block make the same number of turns.
        let border = unsafe { state.border(tile, &work, turn) };
        if step == work.steps {
            step = 0;
            state.begin(tile, queries, part, &work);
        }
        state.advance(tile, extent, &work, step, border);
        if step == end && work.lane == work.lanes - 1 && state.begun.wrapping_sub(1) < work.count {
            // SAFETY: a pair of the group's own, and its last lane.
            unsafe { store.put(state.query, state.window, state.row(end_row)) };
        }
        step += 1;
        turn += 1;
    }
    // SAFETY: all threads of the block come here.
    unsafe { block::bar_sync() };
}

/// Step and row of the step in which the last lane has the last row of the window.
#[inline(always)]
fn last_step<const C: usize, const R: usize>(work: &Work, m: u32) -> (i32, u32) {
    let last = m as i32 - 1 - work.base - (work.lanes - 1 - work.lane) as i32 * C as i32;
    (last / R as i32, last as u32 % R as u32)
}

impl<const C: usize, const R: usize> State<C, R> {
    #[inline(always)]
    fn new(work: &Work, queries: &[f32], part: Part) -> Self {
        let mut state = Self {
            q: [INF; C],
            cols: [INF; C],
            right: [INF; R],
            corner: INF,
            normaliser: Normaliser { x0: 0.0, mean: 0.0, inv: 0.0 },
            begun: 0,
            query: work.first / part.windows,
            window: work.first % part.windows,
        };
        if work.count > 0 {
            state.load_query(work, queries, part);
        }
        state
    }

    #[inline(always)]
    fn load_query(&mut self, work: &Work, queries: &[f32], part: Part) {
        let row = u64::from(part.query + self.query) * u64::from(work.lanes) + u64::from(work.lane);
        let start = row as usize * C;
        unroll!(for i in 0..C {
            // SAFETY: a query of the part, a column of the lane.
            self.q[i] = unsafe { *queries.get_unchecked(start + i) };
        });
    }

    /// The last column of the lane in front, from its step before.
    ///
    /// # Safety
    /// All threads of the block come here.
    #[inline(always)]
    unsafe fn border(&self, tile: WindowTile, work: &Work, turn: u32) -> [f32; R] {
        let mut border = [INF; R];
        unroll!(for r in 0..R {
            // SAFETY: promised by the caller.
            let value = unsafe { warp::shfl_up_sync(FULL, self.right[r], 1) };
            border[r] = if work.lane == 0 { INF } else { value };
        });
        if work.lanes <= WARP {
            return border;
        }
        let warp_lane = work.lane % WARP;
        let warp = thread::thread_linear() / WARP;
        let slot = |warp: u32| ((turn & 1) * (BLOCK / WARP) + warp) * R as u32;
        if warp_lane == WARP - 1 {
            unroll!(for r in 0..R {
                // SAFETY: this lane's own slot; what was in it two turns ago has been read.
                unsafe { tile.set_extra(slot(warp) + r as u32, self.right[r]) };
            });
        }
        // SAFETY: promised by the caller.
        unsafe { block::bar_sync() };
        if warp_lane == 0 && work.lane > 0 {
            unroll!(for r in 0..R {
                // SAFETY: written before the barrier.
                border[r] = unsafe { tile.extra(slot(warp - 1) + r as u32) };
            });
        }
        border
    }

    /// Begins the next pair; after the last it goes on with that one, and nobody takes the result.
    #[inline(always)]
    fn begin(&mut self, tile: WindowTile, queries: &[f32], part: Part, work: &Work) {
        if self.begun > 0 && self.begun < work.count {
            self.window += 1;
            if self.window == part.windows {
                self.window = 0;
                self.query += 1;
                self.load_query(work, queries, part);
            }
        }
        self.begun += 1;
        if work.count > 0 {
            self.normaliser = tile.normaliser(self.window);
        }
        self.cols = [INF; C];
    }

    #[inline(always)]
    fn advance(&mut self, tile: WindowTile, extent: &Extent, work: &Work, step: i32, border: [f32; R]) {
        let row = work.base + step * R as i32;
        if row == 0 {
            unroll!(for i in 0..C {
                self.cols[i] = if i as i32 == work.origin - 1 { 0.0 } else { INF };
            });
            self.corner = if work.origin == 0 { 0.0 } else { INF };
        }
        let mut z = [INF; R];
        unroll!(for r in 0..R {
            let j = row + r as i32;
            if (j as u32) < extent.m {
                z[r] = self.normaliser.apply(tile.point(self.window + j as u32));
            }
        });
        // The lane in front is in the next window: in these rows its band has ended.
        let is_same = step + ((C / R) as i32) < work.steps;
        let mut left = [INF; R];
        unroll!(for r in 0..R {
            left[r] = if is_same { border[r] } else { INF };
        });
        let first = work.radius - work.origin - row;
        let width = 2 * work.radius as u32;
        self.right = sweep_where(&mut self.cols, &self.q, &z, left, self.corner, |i, k| {
            ((first + (i as i32 - k as i32)) as u32) <= width
        });
        // In the last step it is the row above the next window's first.
        let is_next = step + 1 == work.steps;
        self.corner = if is_same || is_next { border[R - 1] } else { INF };
    }

    #[inline(always)]
    fn row(&self, row: u32) -> f32 {
        let mut result = self.right[0];
        unroll!(for r in 1..R {
            if row == r as u32 {
                result = self.right[r];
            }
        });
        result
    }
}
