//! A block's stretch of a series in shared memory, about its first point, and the scale of each of its windows.
//!
//! Thread t has the windows 4 t to 4 t + 3. Their sums follow from those of the tile's first window by what comes and goes
//! from one window to the next, summed over the threads in front.

use gpu_std::control::opaque;
use gpu_std::math::{fma_rn_f64, rcp_rn_f64, rsqrt_approx_f32};
use gpu_std::shared::DynamicShared;
use gpu_std::{Vec16, block, thread, unroll, warp};

use super::BLOCK;
use super::bound::LARGEST_SPREAD;
use super::found::FULL;

const WARP: u32 = 32;
const WARPS: u32 = BLOCK / WARP;

/// Windows of a thread.
pub const WINDOWS: usize = 4;

/// Windows of a block.
pub const TILE: u32 = BLOCK * WINDOWS as u32;

/// Where the largest difference of each warp is, behind its sums, in floats.
const LARGEST: u32 = 8 * WARPS;

/// Floats in front of the points.
const FRONT: u32 = LARGEST + 2 * WARPS;

/// Points of a thread that are loaded at a time.
const BATCH: usize = 5;

/// Floats of shared memory for windows of `m` points.
pub const fn floats(m: u32) -> u32 {
    const { assert!(FRONT.is_multiple_of(4)) }
    FRONT + points(m)
}

const fn points(m: u32) -> u32 {
    TILE + m + WINDOWS as u32
}

/// The points of a tile.
#[derive(Clone, Copy)]
pub struct BoundTile {
    smem: DynamicShared<f32>,
    m: u32,
    z_norm: bool,
}

/// What makes a window's points comparable: z = y inv + shift.
#[derive(Clone, Copy)]
pub struct Scale {
    /// 1 / standard deviation.
    pub inv: f32,
    /// Less the mean times that.
    pub shift: f32,
    /// The largest |y| of the tile over the deviation; NaN or more than [`LARGEST_SPREAD`] where the scale says nothing.
    pub spread: f32,
}

/// Sum and sum of squares.
#[derive(Clone, Copy)]
struct Sums {
    s1: f64,
    s2: f64,
}

impl Sums {
    const ZERO: Self = Self { s1: 0.0, s2: 0.0 };

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { s1: self.s1 + other.s1, s2: self.s2 + other.s2 }
    }

    /// With a point; nothing where it is NaN.
    #[inline(always)]
    fn and(self, y: f32) -> Self {
        let y = f64::from(if y.is_nan() { 0.0 } else { y });
        Self { s1: self.s1 + y, s2: fma_rn_f64(y, y, self.s2) }
    }

    /// Without one.
    #[inline(always)]
    fn without(self, y: f32) -> Self {
        let y = f64::from(if y.is_nan() { 0.0 } else { y });
        Self { s1: self.s1 - y, s2: fma_rn_f64(-y, y, self.s2) }
    }

    #[inline(always)]
    fn scale(self, inverse: f64, largest: f32) -> Scale {
        let mean = self.s1 * inverse;
        let variance = fma_rn_f64(-mean, mean, self.s2 * inverse) as f32;
        let inv = rsqrt_approx_f32(variance);
        let is_normal = (f32::MIN_POSITIVE..=f32::MAX).contains(&variance);
        let spread = if is_normal { largest * inv } else { f32::INFINITY };
        Scale { inv, shift: -(mean as f32) * inv, spread }
    }
}

impl Scale {
    /// Of windows as they are.
    const RAW: Self = Self { inv: 1.0, shift: 0.0, spread: 0.0 };

    /// Whether something may be concluded from the window's points.
    #[inline(always)]
    pub fn is_sure(&self) -> bool {
        self.spread <= LARGEST_SPREAD
    }
}

impl BoundTile {
    /// Over memory that nothing else uses.
    ///
    /// # Safety
    /// `smem` has [`floats`]`(m)` elements.
    #[inline(always)]
    pub unsafe fn new(smem: DynamicShared<f32>, m: u32, z_norm: bool) -> Self {
        Self { smem, m, z_norm }
    }

    /// Loads the first `used` points of `x`, zeros behind them, NaN for what is not finite; the scales of this thread's windows.
    ///
    /// # Safety
    /// All threads of the block come here once; `x` has `used` points, of which the tile's windows are, and one at least.
    #[inline(always)]
    pub unsafe fn fill(&self, x: *const f32, used: u32) -> [Scale; WINDOWS] {
        let (first, largest) = self.load(x, used);
        if !self.z_norm {
            // SAFETY: all threads come here.
            unsafe { block::bar_sync() };
            return [Scale::RAW; WINDOWS];
        }
        let warp = thread::thread_linear() / WARP;
        // SAFETY: all threads come here; each warp has its own places.
        unsafe {
            let largest = warp::redux_sync_max_u32(FULL, largest.to_bits());
            let (s1, s2) = (warp::warp_reduce_sum(first.s1), warp::warp_reduce_sum(first.s2));
            if thread::lane_idx() == 0 {
                self.smem.write((LARGEST + warp) as usize, f32::from_bits(largest));
                self.set_sums(warp, Sums { s1, s2 });
            }
            block::bar_sync();
            self.scales()
        }
    }

    /// The sums over this thread's part of the first window, and the largest difference of its points.
    #[inline(always)]
    fn load(&self, x: *const f32, used: u32) -> (Sums, f32) {
        // SAFETY: there is a point.
        let x0 = unsafe { *x };
        let origin = if self.z_norm && x0.is_finite() { x0 } else { 0.0 };
        let (mut sums, mut largest) = (Sums::ZERO, 0.0_f32);
        let (end, step) = (points(self.m), opaque(BLOCK));
        let mut i = thread::thread_linear();
        while i < end {
            let mut batch = [0.0; BATCH];
            unroll!(for k in 0..BATCH {
                if i + k as u32 * BLOCK < used {
                    // SAFETY: one of the used points.
                    batch[k] = unsafe { *x.add(i as usize + k * BLOCK as usize) };
                } else {
                    batch[k] = origin;
                }
            });
            unroll!(for k in 0..BATCH {
                let at = i + k as u32 * BLOCK;
                let y = if batch[k].is_finite() { batch[k] - origin } else { f32::NAN };
                if at < end {
                    // SAFETY: inside, this thread's own.
                    unsafe { self.smem.write((FRONT + at) as usize, y) };
                }
                largest = if y.abs() > largest { y.abs() } else { largest };
                if at < self.m {
                    sums = sums.and(y);
                }
            });
            i += BATCH as u32 * step;
        }
        (sums, largest)
    }

    /// # Safety
    /// All threads of the block come here, a barrier after the tile and the sums of the first window were written.
    #[inline(always)]
    unsafe fn scales(&self) -> [Scale; WINDOWS] {
        let (lane, warp) = (thread::lane_idx(), thread::thread_linear() / WARP);
        let at = WINDOWS as u32 * thread::thread_linear();
        let mut sums = [Sums::ZERO; WINDOWS];
        let mut own = Sums::ZERO;
        unroll!(for k in 0..WINDOWS {
            sums[k] = own;
            own = own.without(self.point(at + k as u32)).and(self.point(at + k as u32 + self.m));
        });
        let mut largest = 0.0_f32;
        let mut before = Sums::ZERO;
        // SAFETY: all threads come here; the places were written before the barrier, or are this warp's own.
        unsafe {
            let up_to = scan(own, lane);
            if lane == WARP - 1 {
                self.set_sums(WARPS + warp, up_to);
            }
            let s1 = warp::shfl_up_sync(FULL, up_to.s1, 1);
            let s2 = warp::shfl_up_sync(FULL, up_to.s2, 1);
            if lane > 0 {
                before = Sums { s1, s2 };
            }
            block::bar_sync();
            unroll!(for k in 0..WARPS as usize {
                let other = k as u32;
                before = before.plus(self.sums(other));
                if other < warp {
                    before = before.plus(self.sums(WARPS + other));
                }
                let its = self.smem.read((LARGEST + other) as usize);
                largest = if its > largest { its } else { largest };
            });
        }
        let inverse = rcp_rn_f64(f64::from(self.m));
        let mut scales = [Scale::RAW; WINDOWS];
        unroll!(for k in 0..WINDOWS {
            scales[k] = before.plus(sums[k]).scale(inverse, largest);
        });
        scales
    }

    /// # Safety
    /// No other thread uses these before the next barrier.
    #[inline(always)]
    unsafe fn set_sums(&self, at: u32, sums: Sums) {
        // SAFETY: `at` is below 2 WARPS; the memory is aligned to 16 bytes.
        unsafe { self.smem.as_mut_ptr().cast::<[f64; 2]>().add(at as usize).write([sums.s1, sums.s2]) };
    }

    /// # Safety
    /// They were written, a barrier ago.
    #[inline(always)]
    unsafe fn sums(&self, at: u32) -> Sums {
        // SAFETY: as in `set_sums`.
        let [s1, s2] = unsafe { self.smem.as_mut_ptr().cast::<[f64; 2]>().add(at as usize).read() };
        Sums { s1, s2 }
    }

    /// A point, less the origin.
    #[inline(always)]
    pub fn point(&self, i: u32) -> f32 {
        // SAFETY: written by `fill`, a barrier ago; callers stay inside.
        unsafe { self.smem.read((FRONT + i) as usize) }
    }

    /// The four points from `i` on, a multiple of 4.
    #[inline(always)]
    pub fn four(&self, i: u32) -> Vec16<f32> {
        // SAFETY: as `point`; the points begin at a 16-byte boundary.
        unsafe { self.smem.as_mut_ptr().add((FRONT + i) as usize).cast::<Vec16<f32>>().read() }
    }
}

/// The sums of the lanes up to this one.
///
/// # Safety
/// All lanes of the warp come here.
#[inline(always)]
unsafe fn scan(own: Sums, lane: u32) -> Sums {
    let mut up_to = own;
    unroll!(for log2 in 0..5 {
        // SAFETY: promised by the caller.
        let (s1, s2) = unsafe {
            (warp::shfl_up_sync(FULL, up_to.s1, 1 << log2), warp::shfl_up_sync(FULL, up_to.s2, 1 << log2))
        };
        if lane >= 1 << log2 {
            up_to = up_to.plus(Sums { s1, s2 });
        }
    });
    up_to
}
