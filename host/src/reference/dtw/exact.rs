//! The textbook's way, in `f64`: it says how far the `f32` results may be from the truth.

use crate::ops::dtw::{Normalization, ProfileOptions, Queries};

/// `D(m-1, m-1)` with `D(i, j) = (q[i] - z[j])² + min(…)`, over the cells with `|i - j| <= radius`; not rooted.
///
/// # Panics
/// Where the lengths differ.
pub fn exact_distance_cpu(q: &[f64], z: &[f64], radius: u32) -> f64 {
    assert_eq!(q.len(), z.len(), "a query and a window have one length");
    let m = q.len();
    let mut above = vec![f64::INFINITY; m + 1];
    above[0] = 0.0;
    for (i, point) in q.iter().enumerate() {
        let mut row = vec![f64::INFINITY; m + 1];
        for j in 0..m {
            if i.abs_diff(j) <= radius as usize {
                row[j + 1] = (point - z[j]).powi(2) + above[j].min(above[j + 1]).min(row[j]);
            }
        }
        above = row;
    }
    above[m]
}

/// As [`profile_cpu`](super::profile_cpu), in `f64`: mean and standard deviation in two passes over each window.
pub fn exact_profile_cpu(series: &[f32], queries: &Queries<'_>, options: &ProfileOptions) -> Vec<f64> {
    let (n, m) = (series.len(), queries.len());
    let series = smoothed(series, options.smoothing);
    let mut distances = vec![f64::NAN; queries.count() * n];
    for (k, query) in queries.rows().enumerate() {
        let query: Vec<f64> = query.iter().map(|&x| f64::from(x)).collect();
        let query = prepared(&query, options.normalization);
        for end in m - 1..n {
            let window = &series[end + 1 - m..=end];
            if window.iter().all(|x| x.is_finite()) {
                let window = prepared(window, options.normalization);
                distances[k * n + end] = exact_distance_cpu(&query, &window, options.radius);
            }
        }
    }
    distances
}

fn smoothed(series: &[f32], smoothing: usize) -> Vec<f64> {
    let mut means = vec![f64::NAN; series.len()];
    for end in smoothing - 1..series.len() {
        let points = &series[end + 1 - smoothing..=end];
        means[end] = points.iter().map(|&x| f64::from(x)).sum::<f64>() / smoothing as f64;
    }
    means
}

fn prepared(x: &[f64], normalization: Normalization) -> Vec<f64> {
    if normalization == Normalization::None {
        return x.to_vec();
    }
    if x.iter().all(|&point| point == x[0]) {
        return vec![0.0; x.len()];
    }
    // Exact for neighbours of one size, and so the level costs no digits.
    let x: Vec<f64> = x.iter().map(|point| point - x[0]).collect();
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    let deviation = (x.iter().map(|point| (point - mean).powi(2)).sum::<f64>() / n).sqrt();
    x.iter().map(|point| (point - mean) / deviation).collect()
}

/// How far the distance in `f32` of two sequences of `m` points may be from `distance`, the one in `f64`.
///
/// Two parts. For equal inputs: 10⁻⁶ of the distance up to m = 128, 4·10⁻⁶ up to 1024 (measured 6.5·10⁻⁷ and 2.6·10⁻⁶),
/// from there with √m. For normalised inputs, none of which is larger than `largest`: each is off by at most
/// 6·2⁻²⁴ `largest` (one rounding of u, |u| ≤ 2 `largest` in standard deviations, one each of mean, difference, reciprocal
/// and product), so each difference by twice that, δ; over a path of at most p = 2m - 1 cells the sum of squares moves by
/// at most 2 δ √(p · distance) + p δ². Raw inputs have none of this: `largest` is 0.
///
/// It does not hold where 1/σ is beyond f32 (σ < 3·10⁻³⁹), nor for smoothed series, whose means are rounded to f32 first.
pub fn profile_tolerance(m: usize, distance: f64, largest: f64) -> f64 {
    let relative = match m {
        0..=128 => 1e-6,
        129..=1024 => 4e-6,
        _ => 4e-6 * (m as f64 / 1024.0).sqrt(),
    };
    let delta = 12.0 * f64::powi(2.0, -24) * largest;
    let path = (2 * m - 1) as f64;
    relative * distance + 2.0 * delta * (path * distance).sqrt() + path * delta * delta
}

/// How far a rolling mean and a rolling variance in `f32` may be from those in `f64`, of a window that begins with `first`.
///
/// Each u is rounded by at most 2⁻²⁴ of itself, and the root of its mean square is h = √(variance + (mean - first)²): so the
/// mean moves by at most 2⁻²⁴ h and the variance by 2·2⁻²⁴ h √variance. Both results are rounded once, to 2⁻²⁴ of
/// themselves; a hundredth more for all that is smaller.
pub fn rolling_tolerance(first: f64, mean: f64, variance: f64) -> (f64, f64) {
    let rounding = 1.01 * f64::powi(2.0, -24);
    let spread = (variance + (mean - first).powi(2)).sqrt();
    (rounding * (mean.abs() + spread), rounding * (variance + 2.0 * spread * variance.sqrt()))
}
