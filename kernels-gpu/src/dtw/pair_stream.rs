//! Pairs of sequences: the rows of one stream past the columns of the other.
//!
//! A group of lanes shares one pair at a time. Each lane holds `C` columns (points of x) in registers and takes [`ROWS`] rows
//! (points of y) a step; its rows and its last column go to the next lane, which has them one step later. A pair with more
//! columns than a group holds passes strip after strip: the last lane leaves its last column in shared memory, where the
//! first lane finds it in the next pass. A pass takes only the rows that the band has in its strip. When a lane is through
//! with a pass it begins the next: the group is full but for its first and last steps. Columns that are too many stand in
//! front, with infinite points, so that the result is always in the last column.

use gpu_std::shared::DynamicShared;
use gpu_std::{DeviceRepr, control, thread, unroll, warp};

use super::BLOCK;
use super::moments::Normaliser;
use super::pair_tile::PairTile;
use super::tile::sweep_where;

const INF: f32 = f32::INFINITY;

/// All lanes of a warp.
const FULL: u32 = !0;

/// Rows of a step.
pub const ROWS: u32 = 8;

const R: usize = ROWS as usize;

/// What a launch covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct PairExtent {
    /// Number of pairs.
    pub pairs: u64,
    /// From one row of x to the next.
    pub stride_x: u64,
    /// From one row of y to the next.
    pub stride_y: u64,
    /// Points of a sequence.
    pub m: u32,
    /// The band: cells with |i − j| ≤ radius; less than `m`.
    pub radius: u32,
    /// Pairs of a block.
    pub tile: u32,
    /// Base-2 logarithm of the lanes that share a pair.
    pub log2_lanes: u32,
    /// 1 to normalise every sequence, else 0.
    pub z_norm: u32,
    /// Columns of a pass.
    pub width: u32,
    /// Passes of a pair: `m / width`, rounded up.
    pub strips: u32,
    /// Steps of a pass: [`steps`].
    pub steps: u32,
}

/// Steps of a pass over `lanes` lanes with `columns` columns each, in a pair of `m` points.
///
/// Enough for the rows that the band has in a strip, and for the last lane to have left a row before the first lane takes it
/// in the next pass.
pub const fn steps(m: u32, radius: u32, lanes: u32, columns: u32) -> u32 {
    let width = lanes * columns;
    let all = m.div_ceil(ROWS);
    if width >= m {
        return all;
    }
    let band = (width + 2 * radius).div_ceil(ROWS) + 1;
    let passed = lanes + width / ROWS;
    let wanted = if band > passed { band } else { passed };
    if wanted < all { wanted } else { all }
}

impl PairExtent {
    /// Columns in front of the first point.
    #[inline(always)]
    pub const fn padding(&self) -> u32 {
        self.strips * self.width - self.m
    }

    /// The first row of a strip's pass, a multiple of [`ROWS`]. The row above, if there is one, has no cell of the strip nor
    /// of the column in front of it.
    #[inline(always)]
    pub const fn first_row(&self, strip: u32) -> u32 {
        let row = (strip * self.width) as i32 - (self.padding() + self.radius) as i32 - 1;
        let latest = (self.m.div_ceil(ROWS) - self.steps) * ROWS;
        let row = if row > 0 { row as u32 / ROWS * ROWS } else { 0 };
        if row < latest { row } else { latest }
    }

    /// Floats of shared memory for the columns between the strips of all groups of a block.
    pub const fn border_floats(&self) -> u32 {
        if self.strips > 1 { (BLOCK >> self.log2_lanes) * self.steps * ROWS } else { 0 }
    }
}

/// The sequences and where their distances go.
pub struct Pairs<'a> {
    /// First rows, `stride_x` apart.
    pub x: &'a [f32],
    /// Second rows, `stride_y` apart.
    pub y: &'a [f32],
    /// `[pairs]`
    pub out: *mut f32,
    /// What is covered.
    pub extent: PairExtent,
}

/// The schedule of a lane.
struct Work {
    /// The lane in its group.
    lane: u32,
    is_last: bool,
    /// The block's first pair.
    tile: u64,
    /// The group's first pair in the tile.
    first: u32,
    /// Number of its passes.
    passes: u32,
    /// The largest number of passes of any group of the block.
    most: u32,
    /// First float of the column between the strips of this group.
    border: u32,
}

impl Work {
    #[inline(always)]
    fn new(extent: &PairExtent, tile: u64, pairs: u32) -> Self {
        let groups = BLOCK >> extent.log2_lanes;
        let thread = thread::thread_linear();
        let group = thread >> extent.log2_lanes;
        let most = pairs.div_ceil(groups);
        let first = group * most;
        let left = pairs.saturating_sub(first);
        let count = if left < most { left } else { most };
        let lanes = 1 << extent.log2_lanes;
        let lane = thread & (lanes - 1);
        let border = PairTile::floats(extent.tile) + group * extent.steps * ROWS;
        let (passes, most) = (count * extent.strips, most * extent.strips);
        Self { lane, is_last: lane == lanes - 1, tile, first, passes, most, border }
    }
}

/// What a lane has of the pair it is in.
struct State<const C: usize, const STRIPS: bool, const BAND: bool> {
    q: [f32; C],
    cols: [f32; C],
    /// The last column in the rows of the step before.
    right: [f32; R],
    /// The points of these rows.
    z: [f32; R],
    corner: f32,
    normaliser: Normaliser,
    /// Passes begun.
    begun: u32,
    /// The pair, counted from the tile's first.
    pair: u32,
    strip: u32,
    /// The lane's first column; negative in front of the first point.
    column: i32,
    /// The first row of this step.
    row: u32,
    /// Where that row is in the column between strips.
    slot: u32,
    /// The first row that the pass before did not have.
    edge: u32,
}

/// Computes and stores the distances of a block's pairs, `pairs` of them from number `tile` on.
///
/// # Safety
/// All threads of the block come here, after `normalisers` was filled; the operands are as the extent says; behind the
/// normalisers `smem` has [`PairExtent::border_floats`] elements.
#[inline(always)]
pub unsafe fn distances<const C: usize, const STRIPS: bool, const BAND: bool>(
    operands: &Pairs<'_>,
    normalisers: PairTile,
    smem: DynamicShared<f32>,
    tile: u64,
    pairs: u32,
) {
    let extent = &operands.extent;
    let work = Work::new(extent, tile, pairs);
    let mut state = State::<C, STRIPS, BAND>::new(&work, extent);
    // A lane begins `lane` steps after the first.
    let mut step = extent.steps as i32 - work.lane as i32;
    let mut left = work.most * extent.steps + (1 << extent.log2_lanes) - 1;
    while left > 0 {
        // SAFETY: all lanes of a warp make the same number of turns.
        let mut border = unsafe { state.take_over(&work) };
        if step == extent.steps as i32 {
            step = 0;
            state.begin(operands, normalisers, &work);
        }
        let is_own = state.is_own(&work);
        if work.lane == 0 && is_own {
            state.load_rows(operands, &work);
        }
        if STRIPS {
            // SAFETY: all lanes of the warp come here.
            unsafe { state.fetch(smem, &work, &mut border) };
        }
        if is_own {
            state.advance(extent, border);
        }
        if STRIPS {
            // SAFETY: as above.
            unsafe { state.leave(smem, extent, &work) };
        }
        state.go_on(extent);
        step += 1;
        if step == extent.steps as i32 && work.is_last && state.has_result(extent, &work) {
            // SAFETY: a pair of the group's own, and its last lane.
            unsafe {
                operands.out.add((work.tile + u64::from(state.pair)) as usize).write(state.result(extent.m))
            };
        }
        left -= 1;
    }
}

impl<const C: usize, const STRIPS: bool, const BAND: bool> State<C, STRIPS, BAND> {
    #[inline(always)]
    fn new(work: &Work, extent: &PairExtent) -> Self {
        Self {
            q: [INF; C],
            cols: [INF; C],
            right: [INF; R],
            z: [INF; R],
            corner: INF,
            normaliser: Normaliser { x0: 0.0, mean: 0.0, inv: 0.0 },
            begun: 0,
            pair: work.first,
            strip: extent.strips - 1,
            column: 0,
            row: 0,
            slot: 0,
            edge: 0,
        }
    }

    /// The rows of this step, and the column to their left, as the lane in front had them.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn take_over(&mut self, work: &Work) -> [f32; R] {
        let mut border = [INF; R];
        unroll!(for r in 0..R {
            // SAFETY: promised by the caller.
            let (value, z) = unsafe {
                (warp::shfl_up_sync(FULL, self.right[r], 1), warp::shfl_up_sync(FULL, self.z[r], 1))
            };
            border[r] = if work.lane == 0 { INF } else { value };
            self.z[r] = z;
        });
        border
    }

    /// Begins the next pass; after the last nobody takes the results.
    #[inline(always)]
    fn begin(&mut self, operands: &Pairs<'_>, normalisers: PairTile, work: &Work) {
        let extent = &operands.extent;
        let is_first = self.begun == 0;
        self.begun += 1;
        if !self.is_own(work) {
            return;
        }
        if STRIPS {
            let end = self.row;
            self.strip = if self.strip + 1 == extent.strips { 0 } else { self.strip + 1 };
            self.row = extent.first_row(self.strip);
            self.slot = self.row % (extent.steps * ROWS);
            self.edge = if self.strip == 0 { 0 } else { end };
        } else {
            self.row = 0;
        }
        if !is_first && (!STRIPS || self.strip == 0) {
            self.pair += 1;
        }
        let columns = (self.strip * extent.width + work.lane * C as u32) as i32;
        self.column = columns - extent.padding() as i32;
        self.normaliser = normalisers.second(self.pair);
        self.load_columns(operands, normalisers.first(self.pair), work);
        self.set_origin();
    }

    #[inline(always)]
    fn load_columns(&mut self, operands: &Pairs<'_>, normaliser: Normaliser, work: &Work) {
        let start = (work.tile + u64::from(self.pair)) * operands.extent.stride_x;
        unroll!(for i in 0..C {
            let column = self.column + i as i32;
            self.q[i] = INF;
            if column >= 0 {
                // SAFETY: a row of x, and no column is beyond the last.
                let point = unsafe { *operands.x.get_unchecked(start as usize + column as usize) };
                self.q[i] = normaliser.apply(point);
            }
        });
    }

    /// The row above the pass: D[−1, −1] = 0, all else infinite.
    #[inline(always)]
    fn set_origin(&mut self) {
        self.cols = [INF; C];
        let origin = -1 - self.column;
        if origin >= 0 && origin < C as i32 {
            let origin = control::opaque(origin as u32);
            unroll!(for i in 0..C {
                self.cols[i] = if i as u32 == origin { 0.0 } else { INF };
            });
        }
        self.corner = if origin == -1 { 0.0 } else { INF };
    }

    /// In the first lane: the rows of this step. Those beyond the last are zeros, which no cell below `m` depends on.
    #[inline(always)]
    fn load_rows(&mut self, operands: &Pairs<'_>, work: &Work) {
        let start = (work.tile + u64::from(self.pair)) * operands.extent.stride_y;
        let rest = operands.extent.m - self.row;
        unroll!(for r in 0..R {
            self.z[r] = 0.0;
            if (r as u32) < rest {
                // SAFETY: a row of y, and a point of it.
                let point = unsafe { *operands.y.get_unchecked(start as usize + self.row as usize + r) };
                self.z[r] = self.normaliser.apply(point);
            }
        });
    }

    #[inline(always)]
    fn advance(&mut self, extent: &PairExtent, border: [f32; R]) {
        let first = self.column + extent.radius as i32 - self.row as i32;
        let width = 2 * extent.radius;
        self.right = sweep_where(&mut self.cols, &self.q, &self.z, border, self.corner, |i, k| {
            !BAND || ((first + (i as i32 - k as i32)) as u32) <= width
        });
        self.corner = border[R - 1];
    }

    /// To the next step.
    #[inline(always)]
    fn go_on(&mut self, extent: &PairExtent) {
        self.row += ROWS;
        if STRIPS {
            self.slot = if self.slot + ROWS == extent.steps * ROWS { 0 } else { self.slot + ROWS };
        }
    }

    /// In the first lane: the column to the left as the last lane left it in the pass before.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn fetch(&self, smem: DynamicShared<f32>, work: &Work, border: &mut [f32; R]) {
        if work.lane == 0 && self.row < self.edge && self.is_own(work) {
            unroll!(for r in 0..R {
                // SAFETY: the group's own column; a barrier lies after the write.
                border[r] = unsafe { smem.read((work.border + self.slot) as usize + r) };
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
    unsafe fn leave(&self, smem: DynamicShared<f32>, extent: &PairExtent, work: &Work) {
        if work.is_last && self.strip + 1 < extent.strips && self.is_own(work) {
            unroll!(for r in 0..R {
                // SAFETY: the group's own column; the first lane has read it, a barrier ago.
                unsafe { smem.write((work.border + self.slot) as usize + r, self.right[r]) };
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
    fn has_result(&self, extent: &PairExtent, work: &Work) -> bool {
        self.is_own(work) && (!STRIPS || self.strip + 1 == extent.strips)
    }

    /// The last column in the last row.
    #[inline(always)]
    fn result(&self, m: u32) -> f32 {
        let last = (m - 1) % ROWS;
        let mut result = self.right[0];
        unroll!(for r in 1..R {
            if last == r as u32 {
                result = self.right[r];
            }
        });
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn extent(m: u32, radius: u32, log2_lanes: u32, columns: u32) -> PairExtent {
        let lanes = 1 << log2_lanes;
        let width = lanes * columns;
        PairExtent {
            pairs: 1,
            stride_x: 0,
            stride_y: 0,
            m,
            radius,
            tile: 1,
            log2_lanes,
            z_norm: 0,
            width,
            strips: m.div_ceil(width),
            steps: steps(m, radius, lanes, columns),
        }
    }

    fn each_extent(f: impl Fn(PairExtent)) {
        for m in (1..70).chain([127, 128, 129, 511, 1024, 1025, 4095, 4096]) {
            for radius in [0, 1, 2, 7, 8, 9, m / 10, m / 3, m / 2, m - 1] {
                if radius < m {
                    for log2_lanes in 0..6 {
                        [16, 32].into_iter().for_each(|columns| f(extent(m, radius, log2_lanes, columns)));
                    }
                }
            }
        }
    }

    #[test]
    fn a_pass_has_every_row_of_its_band_and_begins_behind_the_rest() {
        each_extent(|extent| {
            for strip in 0..extent.strips {
                let first = extent.first_row(strip);
                let end = first + extent.steps * ROWS;
                assert!(first.is_multiple_of(ROWS) && end <= extent.m.next_multiple_of(ROWS), "{extent:?}");
                let column = (strip * extent.width) as i32 - extent.padding() as i32;
                let last = (column + extent.width as i32 - 1) as u32;
                assert!((last + extent.radius).min(extent.m - 1) < end, "{extent:?} {strip}");
                // Neither the strip nor the column in front of it has a cell in the row above.
                assert!(first == 0 || column - first as i32 > extent.radius as i32, "{extent:?} {strip}");
            }
            assert_eq!(
                extent.first_row(extent.strips - 1) + extent.steps * ROWS,
                extent.m.next_multiple_of(ROWS)
            );
        });
    }

    #[test]
    fn the_last_lane_leaves_a_row_before_the_first_takes_it() {
        each_extent(|extent| {
            let lanes = 1 << extent.log2_lanes;
            for strip in 1..extent.strips {
                let moved = (extent.first_row(strip) - extent.first_row(strip - 1)) / ROWS;
                assert!(extent.steps >= moved + lanes, "{extent:?} {strip}");
            }
        });
    }
}
