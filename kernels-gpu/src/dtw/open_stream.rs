//! A series that streams past the columns of a query, with open begin and open end.
//!
//! A group of lanes shares one row of the series and one query at a time: a job. Each lane holds `C` columns (points of the
//! query) in registers and takes [`ROWS`] points of the series a step; they and its last column go to the next lane, which has
//! them one step later. A group has up to 128 lanes; between its warps they go through shared memory. When a lane is through
//! with a row it begins the next job.
//!
//! Left of the first column everything is 0. Columns that are too many stand in front and have zeros too: their point has the
//! weight 0, so that d = q − weight · point is 0. A point that is not finite is taken as infinite: so are its cells, or NaN in
//! columns of weight 0, and a minimum takes NaN for greater than infinity.

use gpu_std::math::fma_rn_f32;
use gpu_std::shared::SharedArray;
use gpu_std::{DeviceRepr, block, thread, unroll, warp};

use super::BLOCK;
use super::tile::{min3, sweep_by};

const INF: f32 = f32::INFINITY;

/// All lanes of a warp.
const FULL: u32 = !0;
const WARP: u32 = 32;

/// Points of a step.
pub const ROWS: u32 = 8;

const R: usize = ROWS as usize;

/// What goes from lane to lane in a step: the last column and the points.
const PASSED: u32 = 2 * ROWS;

/// Floats of shared memory for what goes from warp to warp, of two steps.
pub const EXCHANGE: usize = (2 * PASSED * BLOCK / WARP) as usize;

/// What a launch covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct OpenExtent {
    /// Points of a row of the series.
    pub n: u64,
    /// Elements from a row of the series to the next.
    pub stride: u64,
    /// Rows times queries.
    pub jobs: u64,
    /// Jobs of a group.
    pub per_group: u64,
    /// Number of queries.
    pub queries: u32,
    /// Base-2 logarithm of the lanes that share a job.
    pub log2_lanes: u32,
}

/// The schedule of a lane.
struct Work {
    /// The lane in its group.
    lane: u32,
    /// Lanes of a group.
    lanes: u32,
    /// The group's first job.
    first: u64,
    /// Number of its jobs.
    count: u64,
    /// Steps of a job.
    steps: i64,
}

impl Work {
    #[inline(always)]
    fn new(extent: &OpenExtent) -> Self {
        let thread = thread::thread_linear();
        let groups = BLOCK >> extent.log2_lanes;
        let group =
            u64::from(thread::block_idx_x()) * u64::from(groups) + u64::from(thread >> extent.log2_lanes);
        let first = group * extent.per_group;
        let left = extent.jobs.saturating_sub(first);
        let count = if left < extent.per_group { left } else { extent.per_group };
        let lanes = 1 << extent.log2_lanes;
        let steps = extent.n.div_ceil(u64::from(ROWS)) as i64;
        Self { lane: thread & (lanes - 1), lanes, first, count, steps }
    }
}

/// What a lane has of the job it is in.
struct State<const C: usize> {
    q: [f32; C],
    /// −1 where there is a point of the query, else 0.
    weight: [f32; C],
    cols: [f32; C],
    /// The last column at the points of the step before.
    right: [f32; R],
    /// These points; +inf for those that are not finite.
    z: [f32; R],
    corner: f32,
    /// Jobs begun.
    begun: u64,
}

/// Computes and stores the distances of a block's jobs.
///
/// `queries`: `[queries, lanes · C]`, each padded in front with +inf. `out`: `[jobs, n]`.
///
/// # Safety
/// All threads of the block come here; the operands are as the extent says, and `n ≥ 1`.
#[inline(always)]
pub unsafe fn distances<const C: usize>(
    series: &[f32],
    queries: &[f32],
    out: *mut f32,
    extent: &OpenExtent,
    exchange: SharedArray<f32, EXCHANGE>,
) {
    let work = Work::new(extent);
    let mut state = State::<C>::new();
    // A lane begins `lane` steps after the first.
    let mut step = work.steps - i64::from(work.lane);
    let turns = extent.per_group * work.steps as u64 + u64::from(work.lanes - 1);
    let mut turn = 0;
    while turn < turns {
        // SAFETY: all threads of the block make the same number of turns.
        let border = unsafe { state.take_over(exchange, &work, turn as u32 & 1) };
        if step == work.steps {
            step = 0;
            state.begin(queries, extent, &work);
        }
        // A step before the first has no points, as one after the last job.
        if state.is_own(&work) {
            let job = work.first + state.begun - 1;
            let at = step as u64 * u64::from(ROWS);
            if work.lane == 0 {
                state.load_points(series, job / u64::from(extent.queries) * extent.stride, at, extent.n);
            }
            state.advance(border);
            if work.lane == work.lanes - 1 {
                // SAFETY: a job of the group's own, and its last lane.
                unsafe { state.store(out.add((job * extent.n) as usize), at, extent.n) };
            }
        }
        step += 1;
        turn += 1;
    }
}

impl<const C: usize> State<C> {
    /// Whether groups may have more lanes than a warp: only those of the broad instance.
    const CROSS: bool = C > 16;

    #[inline(always)]
    fn new() -> Self {
        Self {
            q: [0.0; C],
            weight: [0.0; C],
            cols: [INF; C],
            right: [INF; R],
            z: [INF; R],
            corner: INF,
            begun: 0,
        }
    }

    /// The points of this step, and the column to their left, as the lane in front had them.
    ///
    /// # Safety
    /// All threads of the block come here.
    #[inline(always)]
    unsafe fn take_over(
        &mut self,
        exchange: SharedArray<f32, EXCHANGE>,
        work: &Work,
        parity: u32,
    ) -> [f32; R] {
        let slot = |warp: u32| ((parity * (BLOCK / WARP) + warp) * PASSED) as usize;
        let warp = thread::thread_linear() / WARP;
        let warp_lane = work.lane % WARP;
        if Self::CROSS && work.lanes > WARP && warp_lane == WARP - 1 {
            unroll!(for r in 0..R {
                // SAFETY: this lane's own slot; what was in it two turns ago has been read.
                unsafe {
                    exchange.write(slot(warp) + r, self.right[r]);
                    exchange.write(slot(warp) + R + r, self.z[r]);
                }
            });
        }
        let mut border = [0.0; R];
        unroll!(for r in 0..R {
            // SAFETY: promised by the caller.
            let (value, z) = unsafe {
                (warp::shfl_up_sync(FULL, self.right[r], 1), warp::shfl_up_sync(FULL, self.z[r], 1))
            };
            border[r] = if work.lane == 0 { 0.0 } else { value };
            self.z[r] = z;
        });
        if Self::CROSS && work.lanes > WARP {
            // SAFETY: promised by the caller.
            unsafe { block::bar_sync() };
            if warp_lane == 0 && work.lane > 0 {
                unroll!(for r in 0..R {
                    // SAFETY: written before the barrier.
                    unsafe {
                        border[r] = exchange.read(slot(warp - 1) + r);
                        self.z[r] = exchange.read(slot(warp - 1) + R + r);
                    }
                });
            }
        }
        border
    }

    /// Begins the next job; after the last it does nothing more.
    #[inline(always)]
    fn begin(&mut self, queries: &[f32], extent: &OpenExtent, work: &Work) {
        self.begun += 1;
        if !self.is_own(work) {
            return;
        }
        let query = (work.first + self.begun - 1) % u64::from(extent.queries);
        let start = (query * u64::from(work.lanes) + u64::from(work.lane)) as usize * C;
        unroll!(for i in 0..C {
            // SAFETY: a query, a column of the lane.
            let point = unsafe { *queries.get_unchecked(start + i) };
            self.q[i] = if point == INF { 0.0 } else { point };
            self.weight[i] = if point == INF { 0.0 } else { -1.0 };
        });
        self.cols = [INF; C];
        // Where it is 0, so is the column to the left of the first row, and the minimum is the same.
        self.corner = INF;
    }

    /// In the first lane: the points of this step; those beyond the last are infinite.
    #[inline(always)]
    fn load_points(&mut self, series: &[f32], row: u64, at: u64, n: u64) {
        unroll!(for r in 0..R {
            self.z[r] = INF;
            if at + (r as u64) < n {
                // SAFETY: a row of the series, and a point of it.
                let point = unsafe { *series.get_unchecked((row + at) as usize + r) };
                self.z[r] = if point.abs() < INF { point } else { INF };
            }
        });
    }

    #[inline(always)]
    fn advance(&mut self, border: [f32; R]) {
        let Self { q, weight, z, .. } = &*self;
        let (q, weight, z) = (*q, *weight, *z);
        self.right = sweep_by(&mut self.cols, border, self.corner, |i, k, diag, up, left| {
            let d = fma_rn_f32(weight[i], z[k], q[i]);
            fma_rn_f32(d, d, min3(left, up, diag))
        });
        self.corner = border[R - 1];
    }

    /// The last column at the points from `at` on; NaN where one is not finite.
    ///
    /// # Safety
    /// `out` is the job's, `n` elements long, and no other thread stores these.
    #[inline(always)]
    unsafe fn store(&self, out: *mut f32, at: u64, n: u64) {
        unroll!(for r in 0..R {
            if at + (r as u64) < n {
                let distance = if self.z[r] == INF { f32::NAN } else { self.right[r] };
                // SAFETY: inside, promised by the caller.
                unsafe { out.add(at as usize + r).write(distance) };
            }
        });
    }

    /// Whether the lane is in a job of its group.
    #[inline(always)]
    fn is_own(&self, work: &Work) -> bool {
        self.begun.wrapping_sub(1) < work.count
    }
}
