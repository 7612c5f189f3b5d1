//! A lower bound of a window's distance, and what may be concluded from it in f32.
//!
//! The envelope of a query q is L[j] = min q[i], U[j] = max q[i] over |i − j| ≤ r. A path has a cell in every column j of the
//! window, with some q[i] of these, so with e[j] = max(0, z[j] − U[j], L[j] − z[j]) (LB_Keogh) Σ e² bounds the sum of the
//! squares along it. In f32, with u = 2⁻²⁴ and no operation rounded by more than u of its result or 2⁻¹⁵⁰:
//!
//! - d = fl(q[i] − z[j]) is at least fl(e[j]), since rounding is monotonic: d² ≥ e² (1 − u)².
//! - A path has at most 2 m − 1 cells, each one rounding of a sum of what is not negative: D ≥ (1 − u)^(2 m + 1) Σ e².
//! - A sum B of fl(e²) in f32, in any order, is at most (1 + u)^(m + 3) Σ e².
//!
//! So D ≥ c B, c = 1 − 4 (m + 2) u, with (m + 3) u to spare, which also covers the roundings of what is computed from B, and
//! the 2⁻¹⁵⁰ where c B is at least [`LEAST`]: a threshold below is taken as that. An infinite B stands for `f32::MAX`.
//!
//! Of the cells D of any row, the least one R and the rows behind it bound the distance: D ≥ c (R + Σ e² over those rows),
//! and Σ over them is the sum over all less that over the rows so far.
//!
//! [`Scale`] takes a window's mean and deviation from sums over its tile, not from its own as the contract has them. With Y
//! the largest |x − x₀| of the tile (x₀ its first point), σ the window's deviation and t = Y / σ ≤ 1024, both that z and the
//! contract's differ from the exact one: the contract's by at most (10 t + 4) u √m in the norm over the window (differences,
//! their mean and what is left are off by up to 8 Y u, σ by 2 Y u and, its sums in f64, 2⁻²⁸ σ), this one's by (7 t + 10) u √m (x − x₀ and the mean
//! are rounded by Y u, σ by Y u and 2⁻³⁶ Y² / σ, `rsqrt` and the products by 10 u). [`slack`], 32 (t + 1) u √m, is nearly twice their sum. A distance
//! from the envelope changes by no more than z does, so √(Σ e²) ≥ √(Σ e²) of this z − slack. Where t is larger, or σ no normal
//! number, nothing is concluded. A raw window needs none of this: z = x.

/// Least threshold that bounds are compared with; below it the roundings of subnormal numbers would count.
pub const LEAST: f32 = 1e-30;

/// The largest t for which a scale is used.
pub const LARGEST_SPREAD: f32 = 1024.0;

/// What bounds of windows of some length are compared with.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limit {
    /// c.
    pub factor: f32,
    /// g = 1 + 8 (m + 2) u: more than 1 / c, by as much to spare.
    pub inverse: f32,
    /// The threshold, at least [`LEAST`].
    pub threshold: f32,
}

impl Limit {
    /// For windows of `m` points, at most 2^16, and a threshold that is not negative.
    pub fn new(m: u32, threshold: f32) -> Self {
        let step = (m + 2) as f32 / (1 << 24) as f32;
        let threshold = if threshold > LEAST { threshold } else { LEAST };
        Self { factor: 1.0 - 4.0 * step, inverse: 1.0 + 8.0 * step, threshold }
    }
}

/// The slack of a window of `m` points per t + 1: 2⁻¹⁹ √m.
pub fn slack(root_m: f32) -> f32 {
    root_m / (1 << 19) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_leave_room() {
        for m in [1, 17, 128, 4096, 1 << 16] {
            let limit = Limit::new(m, 3.0);
            let (c, g) = (f64::from(limit.factor), f64::from(limit.inverse));
            assert!(c < 1.0 && g * c > 1.0 + f64::from(3 * m) / f64::from(1 << 24), "{m} {limit:?}");
        }
        assert_eq!(Limit::new(5, 0.0).threshold, LEAST);
        assert_eq!(Limit::new(5, f32::INFINITY).threshold, f32::INFINITY);
    }
}
