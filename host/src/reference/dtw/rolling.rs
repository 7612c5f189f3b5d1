//! Rolling aggregates.

use super::window::{extremes, moments};
use crate::ops::dtw::Aggregates;

/// Mean, minimum, maximum and variance of the last `window` points, at every point: `mean = f32(x[0] + Σu · (1/w))` from
/// the sums of the contract, `x[0]` the window's first point. NaN, all four, before the first full window and where a
/// point or a difference to the first is not finite. The variance may overflow to +inf.
///
/// # Panics
/// Where `window` is 0.
pub fn rolling_cpu(x: &[f32], window: usize) -> Aggregates {
    assert!(window > 0, "a rolling window has points");
    let mut all = Aggregates::nan(x.len());
    for start in 0..(x.len() + 1).saturating_sub(window) {
        let end = start + window - 1;
        let points = &x[start..=end];
        if let Some(moments) = moments(points) {
            all.mean[end] = (f64::from(points[0]) + moments.mean) as f32;
            (all.min[end], all.max[end]) = extremes(points);
            all.variance[end] = moments.variance as f32;
        }
    }
    all
}
