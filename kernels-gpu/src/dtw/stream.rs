//! Windows that stream past the columns of a query.
//!
//! A group of lanes shares one window at a time. Each lane holds `C` columns (points of the query) in registers and takes
//! `R` rows (points of the window) a step; the last column of a step goes to the next lane, which has these rows one step
//! later. When a lane is through with a window it begins the next: the group is full but for its first and last steps.
//! Columns that are too many stand in front, with an infinite query, so that the result is always in the last column.
//!
//! With `STRIPS` a query has more columns than a group holds: a window passes once for each strip of columns, and the last
//! lane leaves its last column in shared memory, where the first lane finds it in the next pass.

use gpu_std::{control, thread, unroll, warp};

use super::BLOCK;
use super::extent::{Extent, Part};
use super::moments::Normaliser;
use super::profile::Store;
use super::tile::sweep;
use super::window_tile::WindowTile;

const INF: f32 = f32::INFINITY;

/// All lanes of a warp.
const FULL: u32 = !0;

/// Floats of shared memory for the columns between strips.
pub const fn border_floats(m: u32, rows: u32, lanes: u32) -> u32 {
    BLOCK / lanes * border_len(m, rows)
}

const fn border_len(m: u32, rows: u32) -> u32 {
    m.div_ceil(rows) * rows
}

/// What a group does: it passes pairs of query and window, one after the other.
struct Work {
    /// The lane in its group.
    lane: u32,
    /// Lanes of a group.
    lanes: u32,
    /// The group's first pair.
    first: u32,
    /// Number of its passes.
    passes: u32,
    /// The largest number of passes of any group of the block.
    most: u32,
    /// Passes of a pair.
    strips: u32,
    /// Steps of a pass.
    steps: u32,
    /// First float of the column between the strips of this group.
    border: u32,
}

impl Work {
    #[inline(always)]
    fn new<const C: usize, const R: usize, const STRIPS: bool>(extent: &Extent, part: Part) -> Self {
        let lanes = 1 << extent.log2_lanes;
        let groups = BLOCK >> extent.log2_lanes;
        let thread = thread::thread_linear();
        let group = thread >> extent.log2_lanes;
        let pairs = part.windows * part.queries;
        let most = pairs.div_ceil(groups);
        let first = group * most;
        let left = pairs.saturating_sub(first);
        let count = if left < most { left } else { most };
        let strips = if STRIPS { extent.m.div_ceil(lanes * C as u32) } else { 1 };
        let border = group * border_len(extent.m, R as u32);
        let steps = extent.m.div_ceil(R as u32);
        let lane = thread & (lanes - 1);
        Self { lane, lanes, first, passes: count * strips, most: most * strips, strips, steps, border }
    }

    #[inline(always)]
    fn is_last_lane(&self) -> bool {
        self.lane == self.lanes - 1
    }
}

/// What a lane has of the window it is in.
struct State<const C: usize, const R: usize, const STRIPS: bool> {
    q: [f32; C],
    cols: [f32; C],
    right: [f32; R],
    corner: f32,
    normaliser: Normaliser,
    /// The next row, as a point of the tile.
    at: u32,
    /// Rows from one step to the next; none before the first pass, and without work.
    rows: u32,
    /// Passes begun.
    begun: u32,
    query: u32,
    window: u32,
    strip: u32,
}

/// Computes and stores the distances of a part.
///
/// `queries`: `[queries, strips · lanes · C]`, each padded in front with +inf.
///
/// # Safety
/// All threads of the block come here, after `tile` was filled; `queries` has all queries of the extent. With `STRIPS` a
/// pass has at least as many steps as a group lanes.
#[inline(always)]
pub unsafe fn distances<const C: usize, const R: usize, const STRIPS: bool>(
    tile: WindowTile,
    queries: &[f32],
    extent: &Extent,
    part: Part,
    store: &Store,
) {
    let work = Work::new::<C, R, STRIPS>(extent, part);
    let mut state = State::<C, R, STRIPS>::new(&work, queries, part);
    // A lane begins `lane` steps after the first.
    let mut step = work.steps as i32 - work.lane as i32;
    let mut left = work.most * work.steps + work.lanes - 1;
    while left > 0 {
        // SAFETY: all lanes of a warp make the same number of turns.
        let mut border = unsafe { state.border(&work) };
        if step == work.steps as i32 {
            step = 0;
            state.begin(tile, queries, extent, part, &work);
        }
        if STRIPS {
            // SAFETY: all lanes of the warp come here.
            unsafe { state.fetch(tile, &work, step, &mut border) };
        }
        state.advance(tile, border);
        if STRIPS {
            // SAFETY: as above.
            unsafe { state.leave(tile, &work, step) };
        }
        step += 1;
        if step == work.steps as i32 && work.is_last_lane() && state.has_result(&work) {
            // SAFETY: a pair of the group's own, and its last lane.
            unsafe { store.put(state.query, state.window, state.result(extent.m)) };
        }
        left -= 1;
    }
}

impl<const C: usize, const R: usize, const STRIPS: bool> State<C, R, STRIPS> {
    #[inline(always)]
    fn new(work: &Work, queries: &[f32], part: Part) -> Self {
        let mut state = Self {
            q: [INF; C],
            cols: [INF; C],
            right: [INF; R],
            corner: INF,
            normaliser: Normaliser { x0: 0.0, mean: 0.0, inv: 0.0 },
            at: 0,
            rows: 0,
            begun: 0,
            query: work.first / part.windows,
            window: work.first % part.windows,
            strip: work.strips - 1,
        };
        if !STRIPS && work.passes > 0 {
            state.load_query(work, queries, part);
        }
        state
    }

    #[inline(always)]
    fn load_query(&mut self, work: &Work, queries: &[f32], part: Part) {
        let strips = u64::from(part.query + self.query) * u64::from(work.strips) + u64::from(self.strip);
        let start = (strips * u64::from(work.lanes) + u64::from(work.lane)) as usize * C;
        unroll!(for i in 0..C {
            // SAFETY: a query of the part, a column of the lane.
            self.q[i] = unsafe { *queries.get_unchecked(start + i) };
        });
    }

    /// The column to the left in the rows of this step, as the lane in front has it.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn border(&self, work: &Work) -> [f32; R] {
        let mut border = [INF; R];
        unroll!(for r in 0..R {
            // SAFETY: promised by the caller.
            let value = unsafe { warp::shfl_up_sync(FULL, self.right[r], 1) };
            border[r] = if work.lane == 0 { INF } else { value };
        });
        border
    }

    /// Begins the next pass; after the last it goes on in the same window, and nobody takes the result.
    #[inline(always)]
    fn begin(&mut self, tile: WindowTile, queries: &[f32], extent: &Extent, part: Part, work: &Work) {
        let is_first = self.begun == 0;
        self.begun += 1;
        if work.passes > 0 {
            self.rows = R as u32;
            if self.begun <= work.passes {
                self.next_pass(is_first, queries, part, work);
            }
            self.normaliser = tile.normaliser(self.window);
            self.at = self.window;
        }
        let padding = (work.strips * work.lanes * C as u32 - extent.m) as i32;
        let origin = padding - 1 - ((self.strip * work.lanes + work.lane) * C as u32) as i32;
        self.cols = [INF; C];
        if origin >= 0 && origin < C as i32 {
            let origin = control::opaque(origin as u32);
            unroll!(for i in 0..C {
                self.cols[i] = if i as u32 == origin { 0.0 } else { INF };
            });
        }
        self.corner = if origin == -1 { 0.0 } else { INF };
    }

    #[inline(always)]
    fn next_pass(&mut self, is_first: bool, queries: &[f32], part: Part, work: &Work) {
        if STRIPS {
            self.strip = if self.strip + 1 == work.strips { 0 } else { self.strip + 1 };
        }
        if !is_first && (!STRIPS || self.strip == 0) {
            self.window += 1;
            if self.window == part.windows {
                self.window = 0;
                self.query += 1;
                if !STRIPS {
                    self.load_query(work, queries, part);
                }
            }
        }
        if STRIPS {
            self.load_query(work, queries, part);
        }
    }

    #[inline(always)]
    fn advance(&mut self, tile: WindowTile, border: [f32; R]) {
        let mut z = tile.points::<R>(self.at);
        unroll!(for r in 0..R {
            z[r] = self.normaliser.apply(z[r]);
        });
        self.right = sweep(&mut self.cols, &self.q, &z, border, self.corner);
        self.corner = border[R - 1];
        self.at += self.rows;
    }

    /// In the first lane: the column to the left as the last lane left it in the pass before.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn fetch(&self, tile: WindowTile, work: &Work, step: i32, border: &mut [f32; R]) {
        if work.lane == 0 && self.strip > 0 && self.is_own(work) {
            unroll!(for r in 0..R {
                // SAFETY: the group's own column; a barrier lies after the write, many steps ago.
                border[r] = unsafe { tile.extra(work.border + step as u32 * R as u32 + r as u32) };
            });
        }
        // SAFETY: promised by the caller.
        unsafe { warp::bar_warp_sync(FULL) };
    }

    /// In the last lane: leaves its last column for the next pass.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn leave(&self, tile: WindowTile, work: &Work, step: i32) {
        if work.is_last_lane() && self.strip + 1 < work.strips && self.is_own(work) {
            unroll!(for r in 0..R {
                // SAFETY: the group's own column; the first lane has read it, a barrier ago.
                unsafe { tile.set_extra(work.border + step as u32 * R as u32 + r as u32, self.right[r]) };
            });
        }
        // SAFETY: promised by the caller.
        unsafe { warp::bar_warp_sync(FULL) };
    }

    /// Whether the lane is in a pass of its group.
    #[inline(always)]
    fn is_own(&self, work: &Work) -> bool {
        self.begun.wrapping_sub(1) < work.passes
    }

    #[inline(always)]
    fn has_result(&self, work: &Work) -> bool {
        self.is_own(work) && (!STRIPS || self.strip + 1 == work.strips)
    }

    /// The last column in the last row of a window of `m` rows.
    #[inline(always)]
    fn result(&self, m: u32) -> f32 {
        let last = (m - 1) % R as u32;
        let mut result = self.right[0];
        unroll!(for r in 1..R {
            if last == r as u32 {
                result = self.right[r];
            }
        });
        result
    }
}
