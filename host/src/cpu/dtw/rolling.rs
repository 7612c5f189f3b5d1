//! Rolling aggregates: each window by itself, so that no value depends on what has left it.

use std::borrow::Cow;

use rayon::prelude::*;

use super::vector::{MAX_LANES, Vector, Work, dispatch};
use super::window::{Moments, slide};
use crate::cpu::isa::Isa;
use crate::ops::dtw::{Aggregates, AggregatesMut, check_window};
use crate::ops::{HostRef, OpError};

/// Outputs of a piece.
const PIECE: usize = 1 << 13;

/// Mean, minimum, maximum and variance (ddof 0) of the last `window` points, at every point of every row. The rows are
/// series, or the distances of a profile.
///
/// Shapes `x`: `[R, N]`; each of `out`: `[R, N]`. `mean = f32(x0 + Σu / w)`, x0 the window's first point and u the differences to
/// it, as in the contract; -0 is below +0. All four are NaN at the first `window - 1` points of each row and where a
/// point, or a difference to the first, is not finite; the variance may overflow to +inf. The same bits as the plain
/// reference. About `window` operations per output and aggregate.
///
/// # Errors
/// [`DtwError::Window`](crate::ops::dtw::DtwError::Window),
/// [`DtwError::OutputLength`](crate::ops::dtw::DtwError::OutputLength); nothing has been written then.
pub fn rolling(x: HostRef<'_, f32>, window: usize, out: AggregatesMut<'_>) -> Result<(), OpError> {
    rolling_by(Isa::detect(), x, window, out)
}

/// [`rolling`] in the vectors of one instruction set.
pub(super) fn rolling_by(
    isa: Isa,
    x: HostRef<'_, f32>,
    window: usize,
    out: AggregatesMut<'_>,
) -> Result<(), OpError> {
    let (rows, n) = (x.layout().rows() as usize, x.layout().cols() as usize);
    check_window(window, n)?;
    out.check_len(rows.saturating_mul(n))?;
    let AggregatesMut { mean, min, max, variance } = out;
    let rows = mean
        .par_chunks_mut(n)
        .zip(min.par_chunks_mut(n))
        .zip(max.par_chunks_mut(n))
        .zip(variance.par_chunks_mut(n));
    rows.enumerate().for_each(|(row, (((mean, min), max), variance))| {
        roll_row(isa, x.row(row as u64), window, AggregatesMut { mean, min, max, variance });
    });
    Ok(())
}

fn roll_row(isa: Isa, x: &[f32], window: usize, out: AggregatesMut<'_>) {
    let rest = |all: &'_ mut [f32]| all[..window - 1].fill(f32::NAN);
    let AggregatesMut { mean, min, max, variance } = out;
    [&mut *mean, &mut *min, &mut *max, &mut *variance].into_iter().for_each(rest);
    let pieces = mean[window - 1..]
        .par_chunks_mut(PIECE)
        .zip(min[window - 1..].par_chunks_mut(PIECE))
        .zip(max[window - 1..].par_chunks_mut(PIECE))
        .zip(variance[window - 1..].par_chunks_mut(PIECE));
    pieces.enumerate().for_each(|(piece, (((mean, min), max), variance))| {
        let out = AggregatesMut { mean, min, max, variance };
        dispatch(isa, Piece { x: &x[piece * PIECE..], window, out });
    });
}

/// The series, or its rolling means where there is smoothing.
pub(super) fn smoothed(isa: Isa, series: &[f32], smoothing: usize) -> Cow<'_, [f32]> {
    if smoothing == 1 {
        return Cow::Borrowed(series);
    }
    let mut all = Aggregates::nan(series.len());
    roll_row(isa, series, smoothing, all.as_mut());
    Cow::Owned(all.mean)
}

/// Neighbouring windows, the first at the start of `x`.
struct Piece<'a> {
    x: &'a [f32],
    window: usize,
    out: AggregatesMut<'a>,
}

impl Work for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, proof: V::Proof) {
        let Self { x, window, out } = self;
        let per_point = 1.0 / window as f64;
        let mut rows = vec![V::Row::default(); window];
        for at in (0..out.mean.len()).step_by(V::LANES) {
            slide::<V>(x, at, &mut rows);
            let first = V::load(proof, &rows[0]);
            let mut sums = V::no_sums(proof);
            let mut extremes = Extremes::new();
            for row in &rows {
                sums = V::load(proof, row).sub(first).add_to(sums);
                extremes.add(row.as_ref());
            }
            let sums = V::sums(sums);
            let mut found = [[f32::NAN; 4]; MAX_LANES];
            for (lane, found) in found.iter_mut().enumerate().take(V::LANES) {
                let moments = Moments::of(&sums, lane, per_point);
                let mean = f64::from(rows[0].as_ref()[lane]) + moments.mean;
                if moments.finite {
                    let (min, max) = (from_order(extremes.min[lane]), from_order(extremes.max[lane]));
                    *found = [mean as f32, min, max, moments.variance as f32];
                }
            }
            let outputs = [&mut *out.mean, &mut *out.min, &mut *out.max, &mut *out.variance];
            for (output, out) in outputs.into_iter().enumerate() {
                let lanes = found.iter().take(V::LANES);
                out[at..].iter_mut().zip(lanes).for_each(|(out, found)| *out = found[output]);
            }
        }
    }
}

/// Smallest and largest of each lane, as integers of the same order.
struct Extremes {
    min: [i32; MAX_LANES],
    max: [i32; MAX_LANES],
}

impl Extremes {
    #[inline(always)]
    fn new() -> Self {
        Self { min: [i32::MAX; MAX_LANES], max: [i32::MIN; MAX_LANES] }
    }

    #[inline(always)]
    fn add(&mut self, points: &[f32]) {
        for (lane, point) in points.iter().enumerate() {
            let order = order(*point);
            self.min[lane] = self.min[lane].min(order);
            self.max[lane] = self.max[lane].max(order);
        }
    }
}

/// An integer in the order of finite floats, -0 below +0.
#[inline(always)]
fn order(x: f32) -> i32 {
    flip(x.to_bits() as i32)
}

/// The float of an [`order`].
#[inline(always)]
fn from_order(order: i32) -> f32 {
    f32::from_bits(flip(order) as u32)
}

/// Negative numbers count down from -0: all bits but the sign are turned over.
#[inline(always)]
const fn flip(bits: i32) -> i32 {
    bits ^ ((bits >> 31) as u32 >> 1) as i32
}
