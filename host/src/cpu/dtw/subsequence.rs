//! Open begin and open end: vectors over queries.

use rayon::prelude::*;

use super::matrix::{Block, infinite};
use super::vector::{MAX_LANES, Vector, Work, dispatch};
use super::window::interleave;
use crate::cpu::isa::Isa;
use crate::ops::dtw::{DtwError, Queries, check_output};
use crate::ops::{HostRef, OpError};

/// `out[s, k, t]` is the smallest distance of query k to any piece of series s that ends at t: D(m-1, t) with
/// D(-1, t) = 0 for every t, other borders +inf.
///
/// Shapes `series`: `[S, N]`; `queries`: `[K, m]`, longer than the series if you like; `out`: `[S, K, N]`. Everything as it is,
/// nothing normalised: there is no window to do it in. A point of the series that is not finite gives NaN at that point,
/// and no path crosses it. The same bits as the plain reference. m N cells per query, in vectors over queries: one query alone
/// uses one lane.
///
/// # Errors
/// [`DtwError::SeriesTooShort`] for series without points, [`DtwError::OutputLength`]; nothing has been written then.
pub fn subsequence(series: HostRef<'_, f32>, queries: &Queries<'_>, out: &mut [f32]) -> Result<(), OpError> {
    subsequence_by(Isa::detect(), series, queries, out)
}

/// [`subsequence`] in the vectors of one instruction set.
pub(super) fn subsequence_by(
    isa: Isa,
    series: HostRef<'_, f32>,
    queries: &Queries<'_>,
    out: &mut [f32],
) -> Result<(), OpError> {
    let (rows, n, m) = (series.layout().rows() as usize, series.layout().cols() as usize, queries.len());
    if n == 0 {
        return Err(DtwError::SeriesTooShort { len: 0, query: m, smoothing: 1, needed: 1 }.into());
    }
    check_output("out", out.len(), rows.saturating_mul(queries.count() * n))?;
    let of_series = out.par_chunks_mut(queries.count() * n).zip((0..rows).into_par_iter());
    of_series.for_each(|(out, row)| {
        let groups = out.par_chunks_mut(MAX_LANES * n).zip(queries.points().par_chunks(MAX_LANES * m));
        groups.for_each(|(out, queries)| {
            dispatch(isa, Group { series: series.row(row as u64), queries, m, out });
        });
    });
    Ok(())
}

/// Some queries on one series.
struct Group<'a> {
    series: &'a [f32],
    queries: &'a [f32],
    m: usize,
    out: &'a mut [f32],
}

impl Work for Group<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, proof: V::Proof) {
        let (n, m) = (self.series.len(), self.m);
        let (mut q, mut before) = (vec![V::Row::default(); m], vec![infinite::<V>(); m]);
        let groups = self.queries.chunks(m * V::LANES).zip(self.out.chunks_mut(n * V::LANES));
        for (queries, out) in groups {
            interleave::<V>(queries.chunks(m), &mut q);
            before.fill(infinite::<V>());
            let mut sweep = Sweep::<V> { proof, q: &q, before: &mut before, series: self.series, out };
            let mut t = 0;
            while t < n {
                t = sweep.step(t);
            }
        }
    }
}

/// The series goes down the rows of the matrix here, the queries along its columns: minimum and square are the same.
struct Sweep<'a, V: Vector> {
    proof: V::Proof,
    q: &'a [V::Row],
    before: &'a mut [V::Row],
    series: &'a [f32],
    out: &'a mut [f32],
}

impl<V: Vector> Sweep<'_, V> {
    /// Some points of the series from t on; returns the next one.
    #[inline(always)]
    fn step(&mut self, t: usize) -> usize {
        let rest = &self.series[t..];
        let run = rest.iter().take(8).take_while(|point| point.is_finite()).count();
        match run {
            0 => self.gap(t),
            8 => self.points::<8>(t),
            4.. => self.points::<4>(t),
            _ => self.points::<1>(t),
        }
    }

    /// A point that is not finite.
    #[inline(always)]
    fn gap(&mut self, t: usize) -> usize {
        self.before.fill(infinite::<V>());
        self.out.chunks_mut(self.series.len()).for_each(|out| out[t] = f32::NAN);
        t + 1
    }

    #[inline(always)]
    fn points<const R: usize>(&mut self, t: usize) -> usize {
        let zero = V::splat(self.proof, 0.0);
        let points = std::array::from_fn(|i| V::splat(self.proof, self.series[t + i]));
        let mut block = Block::<V, R>::new(points, zero, zero);
        block.advance(self.proof, self.q, self.before, |_, _, cell| cell);
        for (i, distances) in block.last().into_iter().enumerate() {
            let row = distances.to_row();
            for (out, distance) in self.out.chunks_mut(self.series.len()).zip(row.as_ref()) {
                out[t + i] = *distance;
            }
        }
        t + R
    }
}
