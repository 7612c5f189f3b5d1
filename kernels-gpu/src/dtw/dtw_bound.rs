//! Lower bounds of the distances of a query to all windows of a row, and a list of those that a threshold does not rule out
//!
//! Shapes     series: [n]; envelope: of each 4 points of the query the 4 least and the 4 largest values within the radius;
//!            list: any; seeds: [blocks, 4]; found: [8 ..]
//! Types      f32; sums over windows in f64
//! Launch     grid (tiles), block 128, `bound_tile::floats` of dynamic shared memory
//! Traffic    4 n bytes, and 8 for a window listed; 5 m operations per window at most
//! Tolerance  every window whose distance is at most the threshold is listed; which others are does not matter
//!
//! A thread has four neighbouring windows, so that a point is loaded once for them. The points are taken in blocks of 16 from
//! both ends inwards, where windows differ most, and a warp whose windows are all beyond the limit leaves. What the bound is
//! and why rounding does not make it wrong says [`bound`](super::bound).

use gpu_std::int::popc_b32;
use gpu_std::math::{fma_rn_f32, max_f32, min_f32, sqrt_rn_f32};
use gpu_std::shared::DynamicShared;
use gpu_std::{DeviceRepr, GridMut, Vec16, kernel, thread, unroll, warp};

use super::BLOCK;
use super::bound_tile::{BoundTile, Scale, TILE, WINDOWS};
use super::found::{FULL, LISTED, NONE, claim, entry};

/// Points of a block of points.
const POINTS: u32 = 16;

/// Seeds of a tile: one of each warp.
pub const SEEDS: u32 = BLOCK / 32;

/// What a launch covers.
#[derive(Clone, Copy, Debug, PartialEq, DeviceRepr)]
#[repr(C)]
pub struct Bounds {
    /// Windows of the row, less than 2^32.
    pub windows: u32,
    /// Points of a window.
    pub m: u32,
    /// 1 to normalise every window, else 0.
    pub z_norm: u32,
    /// Every how many-th tile is of the sample, at least 2.
    pub every: u32,
    /// 1 for the tiles of the sample, 0 for the others.
    pub is_sample: u32,
    /// c of [`Limit`](super::bound::Limit).
    pub factor: f32,
    /// g of the same.
    pub inverse: f32,
    /// The root of its threshold, times that.
    pub root: f32,
    /// [`slack`](super::bound::slack).
    pub slack: f32,
}

impl Bounds {
    /// The tile of a block.
    #[inline(always)]
    pub fn tile(&self, block: u32) -> u32 {
        if self.is_sample != 0 {
            return block * self.every;
        }
        // `every` is at least 2; that it might not be would cost a call.
        block + block.checked_div(self.every - 1).unwrap_or(0) + 1
    }
}

/// Lists the windows that the threshold does not rule out, each with its bound, and of each warp's the one with the least.
///
/// # Safety
/// - The series has `windows + m − 1` points, `windows ≥ 1`; the envelope 8 floats per 4 points of `m`, aligned to 16 bytes.
/// - There are seeds for every block; `found` has its header; the list has room for every window.
/// - The launch has as many blocks as there are such tiles, and the shared memory above.
#[kernel(block = BLOCK, max_registers = 80)]
pub unsafe fn dtw_bound(
    series: &[f32],
    envelope: &[f32],
    list: GridMut<u64>,
    seeds: GridMut<u64>,
    found: GridMut<u64>,
    bounds: Bounds,
    #[shared] smem: DynamicShared<f32>,
) {
    let (mut list, mut seeds, mut found) = (list, seeds, found);
    let tile = bounds.tile(thread::block_idx_x());
    let first = tile * TILE;
    let left = bounds.windows - first;
    let windows = if left < TILE { left } else { TILE };
    // SAFETY: the launch has the shared memory; the tile's points lie in the row, all threads come here.
    let (points, scales) = unsafe {
        let points = BoundTile::new(smem, bounds.m, bounds.z_norm != 0);
        (points, points.fill(series.as_ptr().add(first as usize), windows + bounds.m - 1))
    };
    let at = WINDOWS as u32 * thread::thread_linear();
    let mut sums = Sums::new(points, envelope, at, &bounds, scales);
    let mut listed = [0; WINDOWS];
    let mut best = NONE;
    // SAFETY: all lanes come here.
    let is_open = unsafe { sums.run(bounds.m) };
    unroll!(for k in 0..WINDOWS {
        let keep = is_open && sums.is_open(k) && at + (k as u32) < windows;
        listed[k] = if keep { entry(sums.bound(k, bounds.factor), first + at + k as u32) } else { NONE };
        // A window without a scale has no bound that tells it from others.
        if keep && sums.totals[k] < f32::INFINITY && sums.scales[k].is_sure() && listed[k] < best {
            best = listed[k];
        }
    });
    // SAFETY: all lanes come here; the seed is this warp's own.
    unsafe {
        store_best(&mut seeds, best);
        store_listed(&mut list, found.as_mut_ptr().add(LISTED), &listed);
    }
}

/// The sums of a thread's windows.
struct Sums {
    points: BoundTile,
    envelope: *const Vec16<f32>,
    /// The first window, in the tile.
    at: u32,
    scales: [Scale; WINDOWS],
    /// What is taken off the root of a sum.
    slacks: [f32; WINDOWS],
    /// The largest sums that the threshold does not rule out; infinite where nothing is.
    limits: [f32; WINDOWS],
    totals: [f32; WINDOWS],
}

impl Sums {
    #[inline(always)]
    fn new(points: BoundTile, envelope: &[f32], at: u32, bounds: &Bounds, scales: [Scale; WINDOWS]) -> Self {
        let (mut slacks, mut limits) = ([0.0; WINDOWS], [0.0; WINDOWS]);
        let zero = [0.0; WINDOWS];
        unroll!(for k in 0..WINDOWS {
            if bounds.z_norm != 0 {
                slacks[k] = bounds.slack * (scales[k].spread + 1.0);
            }
            let root = bounds.inverse * (bounds.root + slacks[k]);
            limits[k] = if scales[k].is_sure() { root * root } else { f32::INFINITY };
        });
        Self { points, envelope: envelope.as_ptr().cast(), at, scales, slacks, limits, totals: zero }
    }

    /// Whether window `k` may be within the threshold. A sum is NaN where a point is.
    #[inline(always)]
    fn is_open(&self, k: usize) -> bool {
        self.totals[k] <= self.limits[k] || self.limits[k] == f32::INFINITY
    }

    /// The bound of window `k`.
    #[inline(always)]
    fn bound(&self, k: usize, factor: f32) -> f32 {
        let root = fma_rn_f32(sqrt_rn_f32(self.totals[k]), factor, -self.slacks[k]);
        let root = if root > 0.0 && self.scales[k].is_sure() { root } else { 0.0 };
        min_f32(root * root, f32::MAX)
    }

    /// Sums over all points, as long as a window of the warp may be within the threshold; whether one is.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn run(&mut self, m: u32) -> bool {
        let blocks = m / POINTS;
        let mut j = blocks * POINTS;
        while j < m {
            self.add_point(j);
            j += 1;
        }
        let mut turn = 0;
        while turn < blocks {
            let block = if turn % 2 == 0 { turn / 2 } else { blocks - 1 - turn / 2 };
            self.add_block(block);
            let mut is_open = false;
            unroll!(for k in 0..WINDOWS {
                is_open |= self.is_open(k);
            });
            // SAFETY: promised by the caller.
            if !unsafe { warp::any_sync(FULL, is_open) } {
                return false;
            }
            turn += 1;
        }
        true
    }

    /// Point `j` of all windows.
    #[inline(always)]
    fn add_point(&mut self, j: u32) {
        let at = (j / 4 * 8 + j % 4) as usize;
        let envelope = self.envelope.cast::<f32>();
        // SAFETY: a point of the query.
        let (least, largest) = unsafe { (*envelope.add(at), *envelope.add(at + 4)) };
        unroll!(for k in 0..WINDOWS {
            self.add(k, self.points.point(self.at + k as u32 + j), least, largest);
        });
    }

    /// 16 points of all windows.
    #[inline(always)]
    fn add_block(&mut self, block: u32) {
        let first = block * POINTS;
        let mut next = self.points.four(self.at + first);
        unroll!(for four in 0..4 {
            let this = next;
            next = self.points.four(self.at + first + 4 * (four as u32 + 1));
            // SAFETY: four points of the query.
            let (least, largest) = unsafe {
                let of = self.envelope.add(((first / 4 + four as u32) * 2) as usize);
                (of.read(), of.add(1).read())
            };
            unroll!(for j in 0..4 {
                unroll!(for k in 0..WINDOWS {
                    let y = if j + k < 4 { this.lane((j + k) % 4) } else { next.lane((j + k) % 4) };
                    self.add(k, y, least.lane(j), largest.lane(j));
                });
            });
        });
    }

    /// A point of window `k`, and what the query has around it.
    #[inline(always)]
    fn add(&mut self, k: usize, y: f32, least: f32, largest: f32) {
        let z = fma_rn_f32(y, self.scales[k].inv, self.scales[k].shift);
        let e = z - min_f32(max_f32(z, least), largest);
        self.totals[k] = fma_rn_f32(e, e, self.totals[k]);
    }
}

/// Stores the least of the lanes' entries as the seed of this warp.
///
/// # Safety
/// All lanes of the warp come here; there are seeds for all warps of the launch.
#[inline(always)]
unsafe fn store_best(seeds: &mut GridMut<u64>, best: u64) {
    let number = (best >> 32) as u32;
    // SAFETY: promised by the caller.
    unsafe {
        let least = warp::redux_sync_min_u32(FULL, number);
        let holder = warp::ballot_sync(FULL, number == least).trailing_zeros();
        if thread::lane_idx() == holder {
            seeds.as_mut_ptr().add(thread::grid_thread_linear() as usize / 32).write(best);
        }
    }
}

/// Appends the entries that are some to the list, in the order of their windows.
///
/// # Safety
/// All lanes of the warp come here; `count` is only used atomically in this launch.
#[inline(always)]
unsafe fn store_listed(list: &mut GridMut<u64>, count: *mut u64, listed: &[u64; WINDOWS]) {
    let (mut before, mut all) = (0, 0);
    unroll!(for k in 0..WINDOWS {
        // SAFETY: all lanes come here.
        let keeping = unsafe { warp::ballot_sync(FULL, listed[k] != NONE) };
        before += popc_b32(keeping & thread::lanemask_lt());
        all += popc_b32(keeping);
    });
    if all == 0 {
        return;
    }
    // SAFETY: the same lanes, all of them.
    let mut at = unsafe { claim(count, all) } + u64::from(before);
    unroll!(for k in 0..WINDOWS {
        if listed[k] != NONE && at < list.len() {
            // SAFETY: inside, and this thread's own.
            unsafe { list.as_mut_ptr().add(at as usize).write(listed[k]) };
            at += 1;
        }
    });
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    #[test]
    fn every_tile_is_of_the_sample_or_not() {
        let bounds = |every, is_sample| Bounds {
            windows: 0,
            m: 0,
            z_norm: 0,
            every,
            is_sample,
            factor: 0.0,
            inverse: 0.0,
            root: 0.0,
            slack: 0.0,
        };
        for every in [2, 3, 16] {
            for tiles in [1_u32, 2, 15, 16, 17, 100] {
                let sample = tiles.div_ceil(every);
                let of = |is_sample, blocks| (0..blocks).map(move |b| bounds(every, is_sample).tile(b));
                let mut all: Vec<u32> = of(1, sample).chain(of(0, tiles - sample)).collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..tiles), "{every} {tiles}");
            }
        }
    }
}
