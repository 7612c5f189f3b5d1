//! One window, or one query, by itself.

/// Mean of the differences to the first point, and variance.
pub struct Moments {
    /// Mean of `x[i] - x[0]`.
    pub mean: f64,
    /// Variance (ddof 0), at least 0.
    pub variance: f64,
}

/// The moments of `x`; none where a point, or a difference to the first point, is not finite.
///
/// Rounding: `u = x[i] - x[0]` in f32; Σu and Σu² in f64, ascending, the second fused; then `mean = Σu · (1/n)` and
/// `max(0, fma(-mean, mean, Σu² · (1/n)))`.
pub fn moments(x: &[f32]) -> Option<Moments> {
    let (mut sum, mut squares) = (0.0_f64, 0.0_f64);
    for &point in x {
        let u = point - x[0];
        if !u.is_finite() {
            return None;
        }
        let v = f64::from(u);
        sum += v;
        squares = v.mul_add(v, squares);
    }
    let per_point = 1.0 / x.len() as f64;
    let mean = sum * per_point;
    let variance = (-mean).mul_add(mean, squares * per_point).max(0.0);
    Some(Moments { mean, variance })
}

/// Smallest and largest of finite points; −0 is below +0.
pub fn extremes(x: &[f32]) -> (f32, f32) {
    let (mut min, mut max) = (x[0], x[0]);
    for &point in x {
        if point.total_cmp(&min).is_lt() {
            min = point;
        }
        if point.total_cmp(&max).is_gt() {
            max = point;
        }
    }
    (min, max)
}

/// `z[i] = ((x[i] - x[0]) - f32(mean)) · f32(1 / √variance)`, each operation rounded to f32; none as for the moments.
///
/// Zeros where all points are the same number. Otherwise the variance is not 0: `u[0] = 0`, so (Σu)² ≤ (n - 1) Σu², and the
/// variance is at least Σu² / n². Its reciprocal root is `f32::MAX` where it is larger than that.
pub fn normalized_cpu(x: &[f32]) -> Option<Vec<f32>> {
    let moments = moments(x)?;
    let (min, max) = extremes(x);
    if min == max {
        return Some(vec![0.0; x.len()]);
    }
    let inv = (1.0 / moments.variance.sqrt()) as f32;
    let inv = if inv.is_infinite() { f32::MAX } else { inv };
    let mean = moments.mean as f32;
    let mut z = Vec::new();
    for &point in x {
        let u = point - x[0];
        z.push((u - mean) * inv);
    }
    Some(z)
}
