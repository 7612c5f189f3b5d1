//! Sums of a window in the order of the contract, and what follows from them.
//!
//! With u[i] = x[i] − x[0] in f32: s1 = Σ u and s2 = Σ u², in f64, ascending, s2 by fused multiply-add. Nothing is carried
//! from one window to the next, so that a window has the same bits wherever it lies.

use gpu_std::control::opaque;
use gpu_std::math::{fma_rn_f64, max_nan_f32, min_nan_f32, rcp_rn_f64, sqrt_rn_f64};
use gpu_std::unroll;

/// Values that [`Moments::in_batches`] loads at a time.
const BATCH: usize = 8;

/// The sums of a window.
#[derive(Clone, Copy, Debug)]
pub struct Moments {
    x0: f32,
    s1: f64,
    s2: f64,
}

/// What follows from the sums.
#[derive(Clone, Copy, Debug)]
pub struct Statistics {
    /// The first value, or 0.
    x0: f32,
    /// The mean less `x0`.
    mean: f64,
    /// The population variance before rounding errors below 0 are cut off. NaN if a value or its difference to `x0` is not
    /// finite: the sums are then infinite or NaN, and their difference NaN.
    variance: f64,
}

/// What turns a value into its normalised one: `((x − x0) − mean) · inv`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Normaliser {
    /// The first value, or 0.
    pub x0: f32,
    /// Mean of the values less `x0`.
    pub mean: f32,
    /// 1 / standard deviation, at most `f32::MAX`: so it is where all values are equal, and makes zeros of them. NaN where one
    /// is not finite.
    pub inv: f32,
}

impl Moments {
    /// Of `x(0)` to `x(len − 1)` about `x0`.
    #[inline(always)]
    pub fn about(x0: f32, len: u32, mut x: impl FnMut(u32) -> f32) -> Self {
        let (mut s1, mut s2) = (0.0, 0.0);
        let (mut i, one) = (0, opaque(1));
        while i < len {
            let u = f64::from(x(i) - x0);
            s1 += u;
            s2 = fma_rn_f64(u, u, s2);
            i += one;
        }
        Self { x0, s1, s2 }
    }

    /// As [`about`](Self::about), with eight values loaded at a time.
    #[inline(always)]
    pub fn in_batches(x0: f32, len: u32, x: impl Fn(u32) -> f32) -> Self {
        let (mut s1, mut s2) = (0.0, 0.0);
        let (mut i, step) = (0, opaque(BATCH as u32));
        while i + BATCH as u32 <= len {
            let mut batch = [0.0; BATCH];
            unroll!(for k in 0..BATCH {
                batch[k] = x(i + k as u32);
            });
            unroll!(for k in 0..BATCH {
                let u = f64::from(batch[k] - x0);
                s1 += u;
                s2 = fma_rn_f64(u, u, s2);
            });
            i += step;
        }
        while i < len {
            let u = f64::from(x(i) - x0);
            s1 += u;
            s2 = fma_rn_f64(u, u, s2);
            i += 1;
        }
        Self { x0, s1, s2 }
    }

    /// Of a window in registers, about its first value: without a loop.
    ///
    /// The first difference is 0 or NaN, and NaN only where the second is not finite: with two values and more the sums begin
    /// at the second. Where that makes s1 = −0 instead of +0, s2 is 0, and neither mean nor variance shows it.
    #[inline(always)]
    pub fn of<const M: usize>(x: &[f32; M]) -> Self {
        let x0 = x[0];
        let begin = f64::from(x[if M > 1 { 1 } else { 0 }] - x0);
        let (mut s1, mut s2) = (begin, begin * begin);
        unroll!(for i in 2..M {
            let u = f64::from(x[i] - x0);
            s1 += u;
            s2 = fma_rn_f64(u, u, s2);
        });
        Self { x0, s1, s2 }
    }

    /// Mean and variance; `inverse` is 1 / length.
    #[inline(always)]
    pub fn statistics(&self, inverse: f64) -> Statistics {
        let mean = self.s1 * inverse;
        let variance = fma_rn_f64(-mean, mean, self.s2 * inverse);
        Statistics { x0: self.x0, mean, variance }
    }
}

impl Statistics {
    /// Whether every value and its difference to `x0` is finite. A sum of f32 does not overflow f64.
    #[inline(always)]
    pub fn is_finite(&self) -> bool {
        !self.variance.is_nan()
    }

    /// The mean, where it is finite.
    #[inline(always)]
    pub fn mean(&self) -> f32 {
        (f64::from(self.x0) + self.mean) as f32
    }

    /// The population variance; NaN where the window is not finite.
    #[inline(always)]
    pub fn variance(&self) -> f32 {
        max_nan_f32(self.variance as f32, 0.0)
    }

    /// What normalises the window to mean 0 and variance 1.
    #[inline(always)]
    pub fn z_norm(&self) -> Normaliser {
        let variance = if self.variance < 0.0 { 0.0 } else { self.variance };
        let inv = rcp_rn_f64(sqrt_rn_f64(variance)) as f32;
        Normaliser { x0: self.x0, mean: self.mean as f32, inv: min_nan_f32(inv, f32::MAX) }
    }

    /// What leaves the window as it is; for sums about 0.
    #[inline(always)]
    pub fn raw(&self) -> Normaliser {
        Normaliser { x0: 0.0, mean: 0.0, inv: if self.is_finite() { 1.0 } else { f32::NAN } }
    }
}

impl Normaliser {
    /// Of `x(0)` to `x(m − 1)`.
    #[inline(always)]
    pub fn of(z_norm: bool, m: u32, inverse: f64, x: impl Fn(u32) -> f32) -> Self {
        let statistics = Moments::about(if z_norm { x(0) } else { 0.0 }, m, x).statistics(inverse);
        if z_norm { statistics.z_norm() } else { statistics.raw() }
    }

    /// A value of the window, normalised.
    #[inline(always)]
    pub fn apply(&self, x: f32) -> f32 {
        ((x - self.x0) - self.mean) * self.inv
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit that a kernel takes from the sums is that of the loop.
    #[track_caller]
    fn assert_as_in_the_loop<const M: usize>(x: [f32; M]) {
        let [got, want] = [Moments::of(&x), Moments::about(x[0], M as u32, |i| x[i as usize])]
            .map(|moments| moments.statistics(1.0 / M as f64));
        assert_eq!(got.is_finite(), want.is_finite(), "{x:?}");
        assert_eq!(want.is_finite(), x.iter().all(|v| (v - x[0]).is_finite()), "{x:?}");
        if want.is_finite() {
            assert_eq!(got.mean().to_bits(), want.mean().to_bits(), "{x:?}");
            assert_eq!(got.variance().to_bits(), want.variance().to_bits(), "{x:?}");
            for v in x {
                assert_eq!(got.z_norm().apply(v), want.z_norm().apply(v), "{x:?}");
            }
        } else {
            assert!(got.variance().is_nan() && got.z_norm().inv.is_nan(), "{x:?}");
            assert!(want.variance().is_nan() && want.z_norm().inv.is_nan(), "{x:?}");
        }
    }

    #[test]
    fn a_window_in_registers_has_the_same_sums() {
        let bad = [f32::NAN, f32::INFINITY, f32::NEG_INFINITY];
        for value in [0.0, -0.0, 1.5, f32::MAX].into_iter().chain(bad) {
            assert_as_in_the_loop([value]);
            assert_as_in_the_loop([0.0, value]);
            assert_as_in_the_loop([value, -0.0]);
            assert_as_in_the_loop([value, 2.0, -3.25]);
            assert_as_in_the_loop([1.0, value, 1e-40, 0.1, -7e5]);
            assert_as_in_the_loop([f32::MIN, 1.0, value]);
        }
    }

    #[test]
    fn batches_have_the_same_sums() {
        for len in [1, 7, 8, 9, 24, 31] {
            let x = |i: u32| (i * i % 23) as f32 * 0.7 - 3.0;
            let (got, want) = (Moments::in_batches(x(0), len, x), Moments::about(x(0), len, x));
            assert_eq!((got.s1.to_bits(), got.s2.to_bits()), (want.s1.to_bits(), want.s2.to_bits()), "{len}");
        }
    }

    fn z_norm(x: &[f32]) -> Normaliser {
        Normaliser::of(true, x.len() as u32, 1.0 / x.len() as f64, |i| x[i as usize])
    }

    #[test]
    fn mean_and_deviation_of_a_small_window() {
        let n = z_norm(&[1.0, 3.0, 5.0, 7.0]);
        assert_eq!((n.x0, n.mean), (1.0, 3.0));
        assert_eq!(n.inv, (1.0 / 5_f64.sqrt()) as f32);
        assert_eq!(n.apply(4.0), 0.0);
    }

    #[test]
    fn equal_values_become_zeros_at_any_level() {
        for level in [0.0, 0.1, -3.0, 1e30, f32::from_bits(1)] {
            let n = z_norm(&[level; 7]);
            assert_eq!(n.apply(level), 0.0, "{level}");
        }
    }

    #[test]
    fn one_value_that_is_not_finite_makes_all_nan() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            for at in 0..3 {
                let mut x = [1.0, 2.0, 4.0];
                x[at] = bad;
                assert!(z_norm(&x).apply(1.0).is_nan());
                assert!(Normaliser::of(false, 3, 0.0, |i| x[i as usize]).apply(1.0).is_nan());
            }
        }
        assert!(z_norm(&[-3e38, 3e38]).apply(0.0).is_nan(), "the difference overflows");
    }

    #[test]
    fn the_raw_normaliser_changes_no_bit() {
        let n = Normaliser::of(false, 2, 0.5, |i| [1.5, 1e-40][i as usize]);
        for x in [0.0, 1e-40, -7.25, f32::MAX] {
            assert_eq!(n.apply(x).to_bits(), x.to_bits());
        }
    }

    #[test]
    fn a_tiny_deviation_does_not_make_infinities() {
        let n = z_norm(&[0.0, f32::from_bits(1)]);
        assert_eq!(n.inv, f32::MAX);
    }
}
