//! Windows, or any sequences of one length, side by side: one lane each, and what is done to them before the matrix.

use super::vector::{MAX_LANES, Sums, Vector};

/// Lane l of row i is point `start + l + i` of the series; 0 beyond its end.
#[inline(always)]
pub fn slide<V: Vector>(series: &[f32], start: usize, rows: &mut [V::Row]) {
    for (i, row) in rows.iter_mut().enumerate() {
        let from = start + i;
        match series.get(from..from + V::LANES) {
            Some(points) => row.as_mut().copy_from_slice(points),
            None => {
                let rest = series.get(from..).unwrap_or_default();
                row.as_mut().fill(0.0);
                row.as_mut()[..rest.len()].copy_from_slice(rest);
            }
        }
    }
}

/// Lane l of row i is point i of sequence l; the lanes that have none are 0.
#[inline(always)]
pub fn interleave<'a, V: Vector>(sequences: impl Iterator<Item = &'a [f32]>, rows: &mut [V::Row]) {
    rows.fill(V::Row::default());
    for (lane, sequence) in sequences.enumerate() {
        for (row, point) in rows.iter_mut().zip(sequence) {
            row.as_mut()[lane] = *point;
        }
    }
}

/// What a lane's window is, from its sums.
pub struct Moments {
    /// Mean of the differences to the first point.
    pub mean: f64,
    /// Variance.
    pub variance: f64,
    /// Whether all points, and their differences to the first, are finite.
    pub finite: bool,
}

impl Moments {
    /// Of `lane`, of windows with `1 / per_point` points.
    ///
    /// The square of a difference is finite in f64 where the difference is, so Σu² tells windows that are not.
    #[inline(always)]
    pub fn of(sums: &Sums, lane: usize, per_point: f64) -> Self {
        let squares = sums.squares[lane];
        let mean = sums.sum[lane] * per_point;
        let variance = (-mean).mul_add(mean, squares * per_point);
        Self { mean, variance: if variance > 0.0 { variance } else { 0.0 }, finite: squares < f64::INFINITY }
    }
}

/// Normalises each lane; whether it was finite, and if not it holds anything.
///
/// A constant window's differences are 0 and so is their mean: zeros, whatever they are multiplied with.
#[inline(always)]
pub fn normalize<V: Vector>(proof: V::Proof, rows: &mut [V::Row]) -> [bool; MAX_LANES] {
    let first = V::load(proof, &rows[0]);
    let mut sums = V::no_sums(proof);
    for row in &*rows {
        sums = V::load(proof, row).sub(first).add_to(sums);
    }
    let sums = V::sums(sums);
    let per_point = 1.0 / rows.len() as f64;
    let (mut mean, mut inv) = (V::Row::default(), V::Row::default());
    let mut finite = [false; MAX_LANES];
    for (lane, finite) in finite.iter_mut().enumerate().take(V::LANES) {
        let moments = Moments::of(&sums, lane, per_point);
        let reciprocal = 1.0 / moments.variance.sqrt();
        let limit = f64::from(f32::MAX);
        let reciprocal = if reciprocal < limit { reciprocal } else { limit };
        mean.as_mut()[lane] = moments.mean as f32;
        inv.as_mut()[lane] = reciprocal as f32;
        *finite = moments.finite;
    }
    let (mean, inv) = (V::load(proof, &mean), V::load(proof, &inv));
    for row in rows {
        V::load(proof, row).sub(first).sub(mean).mul(inv).store(row);
    }
    finite
}

/// Whether each lane is finite.
#[inline(always)]
pub fn finite<V: Vector>(rows: &[V::Row]) -> [bool; MAX_LANES] {
    let mut finite = [true; MAX_LANES];
    for row in rows {
        for (finite, point) in finite.iter_mut().zip(row.as_ref()) {
            *finite &= point.is_finite();
        }
    }
    finite
}
