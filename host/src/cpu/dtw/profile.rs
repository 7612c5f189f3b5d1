//! The distance of every window: vectors over neighbouring windows, threads over pieces of the series.

use rayon::prelude::*;

use super::matrix::{Matrix, infinite};
use super::rolling::smoothed;
use super::vector::{MAX_LANES, Vector, Work, dispatch};
use super::window::{finite, interleave, normalize, slide};
use crate::cpu::isa::Isa;
use crate::ops::dtw::{Normalization, ProfileOptions, Queries, band, check_output};
use crate::ops::{HostRef, OpError};

/// Windows of a piece at most: enough that its buffers cost nothing.
const MAX_PIECE: usize = 4096;
/// Pieces per thread and row, so that threads end together.
const PIECES_PER_THREAD: usize = 4;

/// `out[s, k, t]` is the distance of query k to the window of series s that ends at t.
///
/// Shapes `series`: `[S, N]`; `queries`: `[K, m]`; `out`: `[S, K, N]`. The distance is D(m-1, m-1) of the contract, squared cost,
/// not rooted; the first m + smoothing - 2 of each row, and those whose window is not finite, are NaN. The same bits as the
/// plain reference. About m (2 r + 1) - r (r + 1) cells per window and query.
///
/// # Errors
/// Options that do not fit ([`ProfileOptions::warm_up`], [`Queries::check_for`]), an output of another length
/// ([`DtwError::OutputLength`](crate::ops::dtw::DtwError::OutputLength)); nothing has been written then.
pub fn profile(
    series: HostRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    out: &mut [f32],
) -> Result<(), OpError> {
    profile_by(Isa::detect(), series, queries, options, out)
}

/// [`profile`] in the vectors of one instruction set.
pub(super) fn profile_by(
    isa: Isa,
    series: HostRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    out: &mut [f32],
) -> Result<(), OpError> {
    let n = series.layout().cols() as usize;
    let rows = series.layout().rows() as usize;
    let warm_up = options.warm_up(n, queries.len())?;
    queries.check_for(options.normalization)?;
    check_output("out", out.len(), rows.saturating_mul(queries.count() * n))?;
    let prepared = prepared(queries, options.normalization);
    let piece = ((n - warm_up) / (PIECES_PER_THREAD * rayon::current_num_threads()))
        .next_multiple_of(MAX_LANES)
        .clamp(MAX_LANES, MAX_PIECE);
    let each = |(out, row): (&mut [f32], usize)| {
        let smoothed = smoothed(isa, series.row(row as u64), options.smoothing);
        pieces(out, n, warm_up, piece).into_par_iter().for_each(|(end, out)| {
            let first = end + 1 - queries.len();
            let (normalization, radius) = (options.normalization, band(options.radius, queries.len()));
            let m = queries.len();
            dispatch(
                isa,
                Piece { series: &smoothed, queries: &prepared, m, first, radius, normalization, out },
            );
        });
    };
    out.par_chunks_mut(queries.count() * n).zip((0..rows).into_par_iter()).for_each(each);
    Ok(())
}

/// Fills the start of each row of `n` with NaN, and cuts what is left into pieces of `len` columns: where a piece starts, and
/// its part of each row.
fn pieces(out: &mut [f32], n: usize, warm_up: usize, len: usize) -> Vec<(usize, Vec<&mut [f32]>)> {
    let starts = (warm_up..n).step_by(len);
    let mut pieces: Vec<_> = starts.map(|start| (start, Vec::new())).collect();
    for row in out.chunks_mut(n) {
        let (start, rest) = row.split_at_mut(warm_up);
        start.fill(f32::NAN);
        for (part, piece) in rest.chunks_mut(len).zip(&mut pieces) {
            piece.1.push(part);
        }
    }
    pieces
}

/// The queries as they go into the matrix: normalised, where windows are, by the same rule; each by itself.
pub fn prepared(queries: &Queries<'_>, normalization: Normalization) -> Vec<f32> {
    let mut points = queries.points().to_vec();
    if normalization == Normalization::ZScore {
        dispatch(Isa::detect(), Normalize { points: &mut points, m: queries.len() });
    }
    points
}

/// Normalises sequences of `m` points.
struct Normalize<'a> {
    points: &'a mut [f32],
    m: usize,
}

impl Work for Normalize<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, proof: V::Proof) {
        let mut rows = vec![V::Row::default(); self.m];
        for group in self.points.chunks_mut(self.m * V::LANES) {
            interleave::<V>(group.chunks(self.m), &mut rows);
            normalize::<V>(proof, &mut rows);
            for (lane, sequence) in group.chunks_mut(self.m).enumerate() {
                sequence.iter_mut().zip(&rows).for_each(|(point, row)| *point = row.as_ref()[lane]);
            }
        }
    }
}

/// Neighbouring windows of one series, and where their distances to each query go.
struct Piece<'a> {
    series: &'a [f32],
    queries: &'a [f32],
    m: usize,
    first: usize,
    radius: usize,
    normalization: Normalization,
    out: Vec<&'a mut [f32]>,
}

impl Work for Piece<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(mut self, proof: V::Proof) {
        let queries = self.out.len();
        let windows = self.out.first().map_or(0, |row| row.len());
        let (mut z, mut above) = (vec![V::Row::default(); self.m], vec![infinite::<V>(); self.m]);
        for at in (0..windows).step_by(V::LANES) {
            slide::<V>(self.series, self.first + at, &mut z);
            let finite = match self.normalization {
                Normalization::None => finite::<V>(&z),
                Normalization::ZScore => normalize::<V>(proof, &mut z),
            };
            let lanes = V::LANES.min(windows - at);
            // Fewer matrices: a stream has one new window and many queries.
            if lanes * queries.div_ceil(V::LANES) < queries {
                self.across_queries::<V>(proof, at, &z, &finite[..lanes], &mut above);
            } else {
                self.across_windows::<V>(proof, at, &z, &finite, &mut above);
            }
        }
    }
}

impl Piece<'_> {
    /// The windows of `z`, which end from `at` on: each lane is a window.
    #[inline(always)]
    fn across_windows<V: Vector>(
        &mut self,
        proof: V::Proof,
        at: usize,
        z: &[V::Row],
        finite: &[bool],
        above: &mut [V::Row],
    ) {
        for (query, out) in self.queries.chunks_exact(self.m).zip(&mut self.out) {
            let matrix = Matrix::<V> { proof, z, above, radius: self.radius };
            let distances = matrix.distance(|i| V::splat(proof, query[i])).to_row();
            let lanes = distances.as_ref().iter().zip(finite);
            for (out, (distance, finite)) in out[at..].iter_mut().zip(lanes) {
                *out = if *finite { *distance } else { f32::NAN };
            }
        }
    }

    /// The same: each lane is a query. Window and query change places, which changes no bit.
    #[inline(always)]
    fn across_queries<V: Vector>(
        &mut self,
        proof: V::Proof,
        at: usize,
        z: &[V::Row],
        finite: &[bool],
        above: &mut [V::Row],
    ) {
        let mut q = vec![V::Row::default(); self.m];
        let groups = self.queries.chunks(self.m * V::LANES).zip(self.out.chunks_mut(V::LANES));
        for (queries, out) in groups {
            interleave::<V>(queries.chunks(self.m), &mut q);
            for (window, finite) in finite.iter().enumerate() {
                let matrix = Matrix::<V> { proof, z: &q, above, radius: self.radius };
                let distances = matrix.distance(|i| V::splat(proof, z[i].as_ref()[window])).to_row();
                for (out, distance) in out.iter_mut().zip(distances.as_ref()) {
                    out[at + window] = if *finite { *distance } else { f32::NAN };
                }
            }
        }
    }
}
