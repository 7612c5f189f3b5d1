//! A block's stretch of a series in shared memory, and how each of its windows is normalised.

use gpu_std::control::opaque;
use gpu_std::math::rcp_rn_f64;
use gpu_std::shared::DynamicShared;
use gpu_std::{block, thread, unroll};

use super::BLOCK;
use super::aggregates::mean_of;
use super::extent::{Extent, Part};
use super::moments::Normaliser;

/// Points behind the last window that kernels read and do not use: rows that fill up a step.
pub const SLACK: u32 = 8;

/// Points of a thread that are loaded at a time: four windows a thread and what their last ones reach are one batch.
const BATCH: usize = 5;

/// Floats of a [`Normaliser`].
const NORMALISER: u32 = 3;

/// The stretch, then the normalisers.
#[derive(Clone, Copy)]
pub struct WindowTile {
    smem: DynamicShared<f32>,
    points: u32,
    end: u32,
}

/// Floats of shared memory for `tile` windows of `m` points.
pub const fn floats(tile: u32, m: u32) -> u32 {
    points(tile, m) + NORMALISER * tile
}

/// Those of them that are points; enough where windows are loaded and not normalised.
pub const fn points(tile: u32, m: u32) -> u32 {
    tile + m - 1 + SLACK
}

impl WindowTile {
    /// Over memory that nothing else uses.
    ///
    /// # Safety
    /// `smem` has [`floats`]`(extent.tile, extent.m)` elements, or [`points`] where [`load`](Self::load) alone fills it.
    #[inline(always)]
    pub unsafe fn new(smem: DynamicShared<f32>, extent: &Extent) -> Self {
        Self { smem, points: points(extent.tile, extent.m), end: floats(extent.tile, extent.m) }
    }

    /// Loads the stretch of a part and normalises its windows. Ends with a barrier, and needs one before it is called again.
    ///
    /// # Safety
    /// All threads of the block come here; `series` is the row's, `extent.n` points long.
    #[inline(always)]
    pub unsafe fn fill(&self, series: &[f32], extent: &Extent, part: Part) {
        // SAFETY: promised by the caller.
        unsafe { self.load(series, extent, part) };
        self.normalise(extent, part);
        // SAFETY: all threads come here.
        unsafe { block::bar_sync() };
    }

    /// Loads the stretch of a part and no more. Ends with a barrier, and needs one before it is called again.
    ///
    /// # Safety
    /// As for [`fill`](Self::fill).
    #[inline(always)]
    pub unsafe fn load(&self, series: &[f32], extent: &Extent, part: Part) {
        let used = part.windows + extent.m - 1;
        // SAFETY: the part's windows begin in the row.
        let x = unsafe { series.get_unchecked(extent.start_of(part.window) as usize..) };
        if extent.smooth == 1 {
            self.copy(x, used);
        } else {
            self.smooth(x, used, extent.smooth);
        }
        // SAFETY: all threads come here.
        unsafe { block::bar_sync() };
    }

    /// The first `used` points, and zeros behind.
    #[inline(always)]
    fn copy(&self, x: &[f32], used: u32) {
        let step = opaque(BLOCK);
        let mut i = thread::thread_linear();
        while i < used + SLACK {
            let mut points = [0.0; BATCH];
            unroll!(for k in 0..BATCH {
                if i + k as u32 * BLOCK < used {
                    // SAFETY: a point of a window.
                    points[k] = unsafe { *x.get_unchecked(i as usize + k * BLOCK as usize) };
                }
            });
            unroll!(for k in 0..BATCH {
                if i + k as u32 * BLOCK < used + SLACK {
                    // SAFETY: inside, this thread's own.
                    unsafe { self.smem.write(i as usize + k * BLOCK as usize, points[k]) };
                }
            });
            i += BATCH as u32 * step;
        }
    }

    /// The means of `width` points at the first `used` points, and zeros behind.
    #[inline(always)]
    fn smooth(&self, x: &[f32], used: u32, width: u32) {
        let inverse = rcp_rn_f64(f64::from(width));
        let step = opaque(BLOCK);
        let mut i = thread::thread_linear();
        while i < used + SLACK {
            let mut mean = 0.0;
            if i < used {
                // SAFETY: `i + width` is at most the number of points: `i` belongs to a window.
                mean = mean_of(width, inverse, |k| unsafe { *x.get_unchecked(i as usize + k as usize) });
            }
            // SAFETY: inside, this thread's own.
            unsafe { self.smem.write(i as usize, mean) };
            i += step;
        }
    }

    #[inline(always)]
    fn normalise(&self, extent: &Extent, part: Part) {
        let inverse = rcp_rn_f64(f64::from(extent.m));
        let step = opaque(BLOCK);
        let mut window = thread::thread_linear();
        while window < part.windows {
            let n = Normaliser::of(extent.z_norm != 0, extent.m, inverse, |i| self.point(window + i));
            let at = (self.points + NORMALISER * window) as usize;
            // SAFETY: inside, this thread's own.
            unsafe {
                self.smem.write(at, n.x0);
                self.smem.write(at + 1, n.mean);
                self.smem.write(at + 2, n.inv);
            }
            window += step;
        }
    }

    /// A point of the stretch.
    #[inline(always)]
    pub fn point(&self, i: u32) -> f32 {
        // SAFETY: written by `fill`, a barrier ago; callers stay inside.
        unsafe { self.smem.read(i as usize) }
    }

    /// The points from `i` on.
    #[inline(always)]
    pub fn points<const R: usize>(&self, i: u32) -> [f32; R] {
        // SAFETY: as `point`.
        unsafe { self.smem.as_mut_ptr().add(i as usize).cast::<[f32; R]>().read() }
    }

    /// The point `ahead` points behind point `from`; their sum is not negative.
    #[inline(always)]
    pub fn point_from(&self, from: i32, ahead: usize) -> f32 {
        // SAFETY: as for `point`.
        unsafe { self.smem.read((from as isize + ahead as isize) as usize) }
    }

    /// How a window of the part is normalised.
    #[inline(always)]
    pub fn normaliser(&self, window: u32) -> Normaliser {
        let at = (self.points + NORMALISER * window) as usize;
        // SAFETY: written by `fill`, a barrier ago; callers stay inside.
        unsafe {
            Normaliser { x0: self.smem.read(at), mean: self.smem.read(at + 1), inv: self.smem.read(at + 2) }
        }
    }
}

impl WindowTile {
    /// A float behind the tile, where a kernel has asked for more memory.
    ///
    /// # Safety
    /// There are more than `i`, and it is written, a barrier ago if by another thread.
    #[inline(always)]
    pub unsafe fn extra(&self, i: u32) -> f32 {
        // SAFETY: promised by the caller.
        unsafe { self.smem.read((self.end + i) as usize) }
    }

    /// Sets a float behind the tile.
    ///
    /// # Safety
    /// There are more than `i`, and no other thread uses it before the next barrier.
    #[inline(always)]
    pub unsafe fn set_extra(&self, i: u32, value: f32) {
        // SAFETY: promised by the caller.
        unsafe { self.smem.write((self.end + i) as usize, value) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tile_has_room_for_its_points_and_normalisers() {
        assert_eq!(floats(1, 1), 1 + SLACK + 3);
        assert_eq!(floats(128, 512), 128 + 511 + SLACK + 3 * 128);
    }
}
