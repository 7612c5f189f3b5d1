//! Pairs of sequences of one length: vectors over pairs.

use rayon::prelude::*;

use super::matrix::{Matrix, infinite};
use super::vector::{MAX_LANES, Vector, Work, dispatch};
use super::window::{finite, interleave, normalize};
use crate::cpu::isa::Isa;
use crate::ops::dtw::{Normalization, band, check_output, check_sequences};
use crate::ops::{HostRef, OpError};

/// `out[b]` is the distance of row b of `x` to row b of `y`, raw or both normalised.
///
/// Shapes `x`, `y`: `[B, m]`; `out`: `[B]`. The distance is D(m-1, m-1) of the contract, squared cost, not rooted; NaN where
/// either row is not finite. The same bits as the plain reference, and the same with `x` and `y` exchanged.
///
/// # Errors
/// [`OpError::ShapeMismatch`], [`DtwError::EmptyQuery`](crate::ops::dtw::DtwError::EmptyQuery) for rows without points,
/// [`DtwError::OutputLength`](crate::ops::dtw::DtwError::OutputLength); nothing has been written then.
pub fn pairs(
    x: HostRef<'_, f32>,
    y: HostRef<'_, f32>,
    radius: u32,
    normalization: Normalization,
    out: &mut [f32],
) -> Result<(), OpError> {
    pairs_by(Isa::detect(), x, y, radius, normalization, out)
}

/// [`pairs`] in the vectors of one instruction set.
pub(super) fn pairs_by(
    isa: Isa,
    x: HostRef<'_, f32>,
    y: HostRef<'_, f32>,
    radius: u32,
    normalization: Normalization,
    out: &mut [f32],
) -> Result<(), OpError> {
    check_sequences(x.layout(), y.layout())?;
    let m = x.layout().cols() as usize;
    check_output("out", out.len(), x.layout().rows() as usize)?;
    let radius = band(radius, m);
    out.par_chunks_mut(MAX_LANES).enumerate().for_each(|(group, out)| {
        let first = (group * MAX_LANES) as u64;
        dispatch(isa, Group { x, y, first, radius, normalization, out });
    });
    Ok(())
}

/// Neighbouring pairs.
struct Group<'a> {
    x: HostRef<'a, f32>,
    y: HostRef<'a, f32>,
    first: u64,
    radius: usize,
    normalization: Normalization,
    out: &'a mut [f32],
}

impl Work for Group<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Vector>(self, proof: V::Proof) {
        let m = self.x.layout().cols() as usize;
        let (mut x, mut y) = (vec![V::Row::default(); m], vec![V::Row::default(); m]);
        let mut above = vec![infinite::<V>(); m];
        for (group, out) in self.out.chunks_mut(V::LANES).enumerate() {
            let first = self.first + (group * V::LANES) as u64;
            let mut finite_lanes = [true; MAX_LANES];
            for (matrix, rows) in [(self.x, &mut x), (self.y, &mut y)] {
                interleave::<V>((0..out.len() as u64).map(|lane| matrix.row(first + lane)), rows);
                let finite = match self.normalization {
                    Normalization::None => finite::<V>(rows),
                    Normalization::ZScore => normalize::<V>(proof, rows),
                };
                finite_lanes.iter_mut().zip(finite).for_each(|(all, finite)| *all &= finite);
            }
            if self.normalization == Normalization::ZScore {
                clamp::<V>(proof, &mut y);
            }
            let matrix = Matrix::<V> { proof, z: &y, above: &mut above, radius: self.radius };
            let distances = matrix.distance(|i| V::load(proof, &x[i])).to_row();
            for ((out, distance), finite) in out.iter_mut().zip(distances.as_ref()).zip(finite_lanes) {
                *out = if finite { *distance } else { f32::NAN };
            }
        }
    }
}

/// Takes infinite points to the largest finite ones: where points of both sides are infinite, their difference is infinite and
/// not NaN. To finite points, which are small beside infinite ones, the square of the difference is infinite as it was.
#[inline(always)]
fn clamp<V: Vector>(proof: V::Proof, rows: &mut [V::Row]) {
    let (least, largest) = (V::splat(proof, f32::MIN), V::splat(proof, f32::MAX));
    for row in rows {
        V::load(proof, row).min(largest).max(least).store(row);
    }
}
