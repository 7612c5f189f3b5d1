//! Distances within a narrow band of a query and listed windows, as far as they can be within a threshold
//!
//! Shapes     series: [n]; query: [m + BEHIND], +inf behind its points; envelope: as for `dtw_bound`; entries: any;
//!            found: [8 ..]
//! Types      f32; the sums of a window in f64
//! Launch     1-D, block 128; any grid covers everything
//! Traffic    4 m bytes per window, from the cache where windows are neighbours; m (2 r + 1) − r (r + 1) cells per window at most
//! Tolerance  exact: every listed window whose distance is at most the threshold is found, with its distance, and no other
//!
//! A thread has a window and holds one row of its [band](super::narrow_band); the rows are the window's points, so that all
//! threads of a warp are under the same points of the query. Every 8 rows a warp asks whether the least cell of a row and the
//! bound of the rows behind it ([`bound`](super::bound)) leave any of its windows within the threshold. Windows that the bound
//! rules out beforehand take no lane: those that are left wait in shared memory until there are 32 of them.

use gpu_std::atomic::{Global, Gpu, Relaxed, red_add};
use gpu_std::int::popc_b32;
use gpu_std::math::{fma_rn_f32, max_f32, min_f32, rcp_rn_f64};
use gpu_std::shared::SharedArray;
use gpu_std::{DeviceRepr, GridMut, Vec16, kernel, thread, unroll, warp};

use super::BLOCK;
use super::found::{FULL, LISTED, ROWS, report, split};
use super::moments::{Moments, Normaliser};
use super::narrow_band::{self, NarrowBand};

const WARP: u32 = 32;

/// Infinite values behind a query's last point: the band reaches there.
pub const BEHIND: u32 = 64;

/// Entries that can wait in a warp: less than a warp full, and a warp full more.
const QUEUE: usize = 64;

/// What a launch covers.
#[derive(Clone, Copy, Debug, PartialEq, DeviceRepr)]
#[repr(C)]
pub struct Hunt {
    /// The first entry.
    pub from: u32,
    /// Behind the last.
    pub to: u32,
    /// 1 for entries of the list, as far as it goes, else 0.
    pub is_list: u32,
    /// Points of a window.
    pub m: u32,
    /// The band: cells with |i − j| ≤ radius.
    pub radius: u32,
    /// 1 to normalise every window, else 0.
    pub z_norm: u32,
    /// The largest distance that is found.
    pub threshold: f32,
    /// c of [`Limit`](super::bound::Limit).
    pub factor: f32,
    /// The threshold of the same.
    pub limit: f32,
}

/// Finds the listed windows whose distance is at most the threshold; a band of `LEAST < radius ≤ (W − 1) / 2`, or of radius 0
/// for `W = 1`.
///
/// # Safety
/// - Every entry that counts is none or has a window of the series and a bound of its distance.
/// - `found` has its header and room for entries behind it; there are at least as many entries as are listed, or `to`.
/// - The query and its envelope are padded as above, the envelope aligned to 16 bytes; the radius is one of the instance.
#[kernel(block = BLOCK, max_registers = 255, instances(
    r0 = (1, 9, 0), r1 = (3, 11, 0), r2 = (5, 13, 1), r4 = (9, 17, 2), r6 = (13, 21, 4), r8 = (17, 25, 6), r12 = (25, 33, 8),
    r16 = (33, 41, 12), r24 = (49, 57, 16), r32 = (65, 73, 24)
))]
pub unsafe fn dtw_search<const W: usize, const Z: usize, const LEAST: usize>(
    series: &[f32],
    query: &[f32],
    envelope: &[f32],
    entries: &[u64],
    found: GridMut<u64>,
    hunt: Hunt,
    #[shared] waiting: SharedArray<u64, { QUEUE * (BLOCK / WARP) as usize }>,
) {
    let mut found = found;
    let warp_in_block = thread::thread_linear() / WARP;
    // SAFETY: a warp's part of the array.
    let waiting = unsafe { waiting.as_mut_ptr().add(QUEUE * warp_in_block as usize) };
    // SAFETY: the word was written by the launch before, and is not in this one.
    let listed = unsafe { found.as_mut_ptr().add(LISTED).read() };
    let to = u64::from(hunt.to);
    let to = if hunt.is_list != 0 && listed < to { listed } else { to };
    let stride = thread::grid_threads();
    let first = u64::from(hunt.from) + thread::grid_thread_linear() - u64::from(thread::lane_idx());
    let mut queue = Queue { entries, waiting, count: 0, next: first, stride, to };
    let mut rows = 0;
    let search = Search { series, query: query.as_ptr(), envelope: envelope.as_ptr().cast(), hunt };
    // SAFETY: all lanes of the warp do the same turns.
    unsafe {
        while let Some(entry) = queue.take(&hunt) {
            let (distance, window) = search.run::<W, Z, LEAST>(entry, &mut rows);
            let keep = distance <= hunt.threshold;
            report(&mut found, keep, super::found::entry(distance, window));
        }
        if thread::lane_idx() == 0 && rows > 0 {
            red_add(found.as_mut_ptr().add(ROWS), u64::from(rows), Relaxed, Gpu, Global);
        }
    }
}

/// The entries of a warp.
struct Queue<'a> {
    entries: &'a [u64],
    /// Those that wait, in shared memory.
    waiting: *mut u64,
    /// How many wait.
    count: u32,
    /// The first of the next 32 entries.
    next: u64,
    stride: u64,
    to: u64,
}

impl Queue<'_> {
    /// The entry of this lane for the next turn, [`NONE`](super::found::NONE) where there are not enough; `None` when there
    /// are no more.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn take(&mut self, hunt: &Hunt) -> Option<u64> {
        let lane = thread::lane_idx();
        while self.count < WARP && self.next < self.to {
            let at = self.next + u64::from(lane);
            let mut entry = super::found::NONE;
            if at < self.to {
                // SAFETY: an entry that counts.
                entry = unsafe { *self.entries.get_unchecked(at as usize) };
            }
            let keep = split(entry).0 * hunt.factor <= hunt.limit;
            // SAFETY: all lanes come here; the places are this lane's own until the barrier.
            unsafe {
                let keeping = warp::ballot_sync(FULL, keep);
                if keep {
                    let slot = self.count + popc_b32(keeping & thread::lanemask_lt());
                    self.waiting.add(slot as usize).write(entry);
                }
                self.count += popc_b32(keeping);
                warp::bar_warp_sync(FULL);
            }
            self.next += self.stride;
        }
        if self.count == 0 {
            return None;
        }
        let left = self.count.saturating_sub(WARP);
        let mut entry = super::found::NONE;
        if left + lane < self.count {
            // SAFETY: written before a barrier.
            entry = unsafe { self.waiting.add((left + lane) as usize).read() };
        }
        self.count = left;
        // SAFETY: all lanes come here.
        unsafe { warp::bar_warp_sync(FULL) };
        Some(entry)
    }
}

/// What does not change from window to window.
struct Search<'a> {
    series: &'a [f32],
    query: *const f32,
    envelope: *const Vec16<f32>,
    hunt: Hunt,
}

impl Search<'_> {
    /// Distance and window of an entry; NaN where it is none, not finite, or beyond the threshold.
    ///
    /// # Safety
    /// All lanes of the warp come here.
    #[inline(always)]
    unsafe fn run<const W: usize, const Z: usize, const LEAST: usize>(
        &self,
        entry: u64,
        rows: &mut u32,
    ) -> (f32, u32) {
        let m = self.hunt.m;
        let (bound, window) = split(entry);
        let is_there = entry != super::found::NONE;
        // A lane without a window goes along with window 0.
        let start = if is_there { window as usize } else { 0 };
        // SAFETY: a window of the series.
        let x = unsafe { self.series.as_ptr().add(start) };
        let normaliser = self.normaliser(x);
        let is_finite = is_there && !normaliser.inv.is_nan();
        let mut band = NarrowBand::<W, Z, LEAST>::new(
            self.hunt.radius,
            #[inline(always)]
            |j| self.col(j),
        );
        // The bound of the rows behind, and of those so far.
        let (total, mut before) = (bound * self.hunt.factor, 0.0);
        let mut row = 0;
        const STEP: usize = narrow_band::ROWS;
        while row + STEP as u32 <= m {
            let mut z = [0.0; STEP];
            unroll!(for r in 0..STEP {
                // SAFETY: a point of the window.
                z[r] = normaliser.apply(unsafe { *x.add(row as usize + r) });
            });
            before = self.excess(row, &z, before);
            band.step::<STEP>(
                row,
                #[inline(always)]
                |r| z[r],
                #[inline(always)]
                |j| self.col(j),
            );
            row += STEP as u32;
            let rest = max_f32(total - before, 0.0);
            let is_beyond = fma_rn_f32(band.least(), self.hunt.factor, rest) > self.hunt.limit;
            *rows += WARP * STEP as u32;
            // SAFETY: promised by the caller.
            if !unsafe { warp::any_sync(FULL, is_finite && !is_beyond) } {
                return (f32::NAN, window);
            }
        }
        while row < m {
            // SAFETY: a point of the window.
            let z = normaliser.apply(unsafe { *x.add(row as usize) });
            band.step::<1>(
                row,
                #[inline(always)]
                |_| z,
                #[inline(always)]
                |j| self.col(j),
            );
            row += 1;
        }
        (if is_finite { band.diagonal() } else { f32::NAN }, window)
    }

    /// Point `j` of the query, infinite behind its end.
    #[inline(always)]
    fn col(&self, j: u32) -> f32 {
        // SAFETY: at most 64 behind the last point.
        unsafe { *self.query.add(j as usize) }
    }

    /// `before`, and what these rows are beyond the envelope.
    #[inline(always)]
    fn excess(&self, row: u32, z: &[f32; narrow_band::ROWS], before: f32) -> f32 {
        let mut sum = before;
        unroll!(for four in 0..2 {
            // SAFETY: points of the query; `row` is a multiple of 8.
            let (least, largest) = unsafe {
                let of = self.envelope.add((row / 4 + four as u32) as usize * 2);
                (of.read(), of.add(1).read())
            };
            unroll!(for j in 0..4 {
                let e = z[4 * four + j] - min_f32(max_f32(z[4 * four + j], least.lane(j)), largest.lane(j));
                sum = fma_rn_f32(e, e, sum);
            });
        });
        sum
    }

    /// How the window is normalised.
    #[inline(always)]
    fn normaliser(&self, x: *const f32) -> Normaliser {
        let m = self.hunt.m;
        let inverse = rcp_rn_f64(f64::from(m));
        let z_norm = self.hunt.z_norm != 0;
        // SAFETY: a window has a point.
        let about = if z_norm { unsafe { *x } } else { 0.0 };
        let moments = Moments::in_batches(
            about,
            m,
            #[inline(always)]
            |i| {
                // SAFETY: a point of the window.
                unsafe { *x.add(i as usize) }
            },
        );
        let statistics = moments.statistics(inverse);
        if z_norm { statistics.z_norm() } else { statistics.raw() }
    }
}
