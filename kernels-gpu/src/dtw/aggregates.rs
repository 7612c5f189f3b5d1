//! Rolling mean, minimum, maximum and variance of the series, and its values as the windows are taken of them.

use gpu_std::control::opaque;
use gpu_std::math::{max_f32, min_f32, rcp_rn_f64};
use gpu_std::{GridMut, thread, unroll};

use super::BLOCK;
use super::extent::{Extent, Part};
use super::moments::{Moments, Statistics};

/// Where the aggregates go, each `[rows, results]`; a place without elements is left out.
pub struct Outputs {
    /// Means.
    pub mean: GridMut<f32>,
    /// Minima, −0 below +0.
    pub min: GridMut<f32>,
    /// Maxima, −0 below +0.
    pub max: GridMut<f32>,
    /// Population variances.
    pub var: GridMut<f32>,
}

/// Aggregates of one window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Values {
    /// Mean.
    pub mean: f32,
    /// Minimum.
    pub min: f32,
    /// Maximum.
    pub max: f32,
    /// Population variance.
    pub var: f32,
}

/// What stands where there is no window, or one that is not finite.
pub const NONE: Values = Values { mean: f32::NAN, min: f32::NAN, max: f32::NAN, var: f32::NAN };

/// The aggregates of `x(0)` to `x(len − 1)`; `inverse` is 1 / len.
#[inline(always)]
pub fn values(len: u32, inverse: f64, x: impl Fn(u32) -> f32) -> Values {
    let x0 = x(0);
    let (mut min, mut max) = (x0, x0);
    let moments = Moments::about(x0, len, |i| {
        let x = x(i);
        (min, max) = (min_f32(min, x), max_f32(max, x));
        x
    });
    finish(&moments.statistics(inverse), min, max)
}

/// The aggregates of a window in registers whose statistics are known.
#[inline(always)]
pub fn values_of<const W: usize>(x: &[f32; W], statistics: &Statistics) -> Values {
    let (mut min, mut max) = (x[0], x[0]);
    unroll!(for i in 1..W {
        min = min_f32(min, x[i]);
        max = max_f32(max, x[i]);
    });
    finish(statistics, min, max)
}

#[inline(always)]
fn finish(statistics: &Statistics, min: f32, max: f32) -> Values {
    let is_finite = statistics.is_finite();
    let finite = |value| if is_finite { value } else { f32::NAN };
    Values { mean: finite(statistics.mean()), min: finite(min), max: finite(max), var: statistics.variance() }
}

/// The mean of `x(0)` to `x(len − 1)`; NaN where one is not finite.
#[inline(always)]
pub fn mean_of(len: u32, inverse: f64, x: impl Fn(u32) -> f32) -> f32 {
    let statistics = Moments::about(x(0), len, x).statistics(inverse);
    if statistics.is_finite() { statistics.mean() } else { f32::NAN }
}

/// All outputs from one of their elements on.
#[derive(Clone, Copy)]
pub struct Places {
    first: [*mut f32; 4],
}

impl Outputs {
    /// Whether no output is left out.
    #[inline(always)]
    pub fn are_complete(&self) -> bool {
        !(self.mean.is_empty() || self.min.is_empty() || self.max.is_empty() || self.var.is_empty())
    }

    /// The outputs from element `first` on, where they have it.
    #[inline(always)]
    pub fn from(&mut self, first: u64) -> Places {
        let place = |output: &mut GridMut<f32>| output.as_mut_ptr().wrapping_add(first as usize);
        Places {
            first: [place(&mut self.mean), place(&mut self.min), place(&mut self.max), place(&mut self.var)],
        }
    }

    /// Sets element `i` of every output that is there.
    ///
    /// # Safety
    /// `i` lies inside every output that is not empty, and no other thread writes there.
    #[inline(always)]
    pub unsafe fn store(&mut self, i: u64, values: Values) {
        let store = |output: &mut GridMut<f32>, value| {
            if !output.is_empty() {
                // SAFETY: inside, and this thread's own.
                unsafe { output.as_mut_ptr().add(i as usize).write(value) };
            }
        };
        store(&mut self.mean, values.mean);
        store(&mut self.min, values.min);
        store(&mut self.max, values.max);
        store(&mut self.var, values.var);
    }

    /// The aggregates at the ends of a block's windows; for the block that has the first window, at the points before its end
    /// that have results, too.
    ///
    /// # Safety
    /// `series` is the row's; every output has `rows · results` elements or none; one block has each part; where not all
    /// points have results, as many as an aggregate needs lie before the first that has.
    #[inline(always)]
    pub unsafe fn store_part(&mut self, series: &[f32], extent: &Extent, part: Part, row: u32) {
        let end = extent.result_of(part.window) + u64::from(part.windows);
        // SAFETY: promised by the caller.
        unsafe {
            self.store_ends(extent, part, row, end, |start, inverse| {
                values(extent.rolling, inverse, |i| *series.get_unchecked(start + i as usize))
            });
        }
    }

    /// The aggregates up to result `end`, as [`store_part`](Self::store_part) has them; `values` gives those of a whole
    /// window from its start and 1 / length.
    ///
    /// # Safety
    /// As for `store_part`; `end` is not behind the part's.
    #[inline(always)]
    pub unsafe fn store_ends(
        &mut self,
        extent: &Extent,
        part: Part,
        row: u32,
        end: u64,
        values: impl Fn(usize, f64) -> Values,
    ) {
        let w = extent.rolling;
        let first = if part.window == 0 { 0 } else { extent.result_of(part.window) };
        if w == 0 || first == end {
            return;
        }
        let inverse = rcp_rn_f64(f64::from(w));
        let step = u64::from(opaque(BLOCK));
        let mut t = first + u64::from(thread::thread_linear());
        while t < end {
            let (point, before) = (extent.before() + t, u64::from(w - 1));
            let values = if point < before { NONE } else { values((point - before) as usize, inverse) };
            // SAFETY: `t < results`; the parts of the blocks do not overlap.
            unsafe { self.store(u64::from(row) * extent.results + t, values) };
            t += step;
        }
    }
}

impl Places {
    /// Sets element `i`, counted from the first, of all outputs.
    ///
    /// # Safety
    /// The outputs are [complete](Outputs::are_complete), the element lies inside, and no other thread writes there.
    #[inline(always)]
    pub unsafe fn store_all(&self, i: usize, values: Values) {
        let values = [values.mean, values.min, values.max, values.var];
        unroll!(for k in 0..4 {
            // SAFETY: inside, and this thread's own.
            unsafe { self.first[k].add(i).write(values[k]) };
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aggregates_of_a_small_window() {
        let x = [2.0, -1.0, 4.0, 3.0];
        let got = values(4, 0.25, |i| x[i as usize]);
        assert_eq!(got, Values { mean: 2.0, min: -1.0, max: 4.0, var: 3.5 });
    }

    #[test]
    fn minus_zero_is_below_plus_zero() {
        for x in [[0.0, -0.0], [-0.0, 0.0]] {
            let got = values(2, 0.5, |i| x[i as usize]);
            assert!(got.min.is_sign_negative() && got.max.is_sign_positive());
        }
    }

    #[test]
    fn a_value_that_is_not_finite_makes_all_nan() {
        let got = values(2, 0.5, |i| [1.0, f32::INFINITY][i as usize]);
        assert!(got.mean.is_nan() && got.min.is_nan() && got.max.is_nan() && got.var.is_nan());
    }

    #[test]
    fn a_small_deviation_on_a_high_level_is_seen() {
        let x = [1e4, 1e4 + 0.0078125, 1e4];
        let got = values(3, 1.0 / 3.0, |i| x[i as usize]);
        let want = 0.0078125_f64.powi(2) * 2.0 / 9.0;
        assert!((f64::from(got.var) / want - 1.0).abs() < 1e-6);
    }
}
