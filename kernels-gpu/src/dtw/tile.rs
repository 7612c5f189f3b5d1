//! The recurrence on a register tile of `R` rows by `C` columns.

use gpu_std::math::fma_rn_f32;
use gpu_std::unroll;

/// The least of three that are not negative: their bits order as integers. NaN counts as greater than infinity.
#[inline(always)]
pub fn min3(a: f32, b: f32, c: f32) -> f32 {
    let (a, b, c) = (a.to_bits() as i32, b.to_bits() as i32, c.to_bits() as i32);
    let least = if a < b { a } else { b };
    f32::from_bits((if least < c { least } else { c }) as u32)
}

/// One cell.
#[inline(always)]
pub fn cell(q: f32, z: f32, diag: f32, up: f32, left: f32) -> f32 {
    let d = q - z;
    fma_rn_f32(d, d, min3(left, up, diag))
}

/// `R` rows of `C` columns, from the row above in `cols`, which becomes the last row.
///
/// `left`: the column to the left in these rows; `corner`: its value in the row above. Returns the last column in these
/// rows. Row k is one column behind row k − 1: R cells are independent at a time, and no row has to be kept twice.
#[inline(always)]
pub fn sweep<const C: usize, const R: usize>(
    cols: &mut [f32; C],
    q: &[f32; C],
    z: &[f32; R],
    left: [f32; R],
    corner: f32,
) -> [f32; R] {
    sweep_where(cols, q, z, left, corner, |_, _| true)
}

/// As [`sweep`]; cells (column, row) that `exists` refuses are infinite.
#[inline(always)]
pub fn sweep_where<const C: usize, const R: usize>(
    cols: &mut [f32; C],
    q: &[f32; C],
    z: &[f32; R],
    left: [f32; R],
    corner: f32,
    exists: impl Fn(usize, usize) -> bool,
) -> [f32; R] {
    sweep_by(cols, left, corner, |i, k, diag, up, left| {
        let value = cell(q[i], z[k], diag, up, left);
        if exists(i, k) { value } else { f32::INFINITY }
    })
}

/// As [`sweep`], with cells of `value(column, row, diag, up, left)`.
#[inline(always)]
pub fn sweep_by<const C: usize, const R: usize>(
    cols: &mut [f32; C],
    left: [f32; R],
    corner: f32,
    value: impl Fn(usize, usize, f32, f32, f32) -> f32,
) -> [f32; R] {
    let mut diag = [corner; R];
    unroll!(for k in 1..R {
        diag[k] = left[k - 1];
    });
    let mut front = Front { left, diag };
    unroll!(for t in 0..C {
        front.advance(cols, t, &value);
    });
    unroll!(for t in 1..R {
        front.advance(cols, C - 1 + t, &value);
    });
    front.left
}

/// The cells last computed, one per row.
struct Front<const R: usize> {
    left: [f32; R],
    diag: [f32; R],
}

impl<const R: usize> Front<R> {
    /// Column t − k of each row k, where there is one.
    #[inline(always)]
    fn advance<const C: usize>(
        &mut self,
        cols: &mut [f32; C],
        t: usize,
        value: &impl Fn(usize, usize, f32, f32, f32) -> f32,
    ) {
        unroll!(for back in 0..R {
            let k = R - 1 - back;
            if t >= k && t - k < C {
                let i = t - k;
                let up = if k == 0 { cols[i] } else { self.left[k - 1] };
                let value = value(i, k, self.diag[k], up, self.left[k]);
                self.diag[k] = up;
                self.left[k] = value;
                if k == R - 1 {
                    cols[i] = value;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    const INF: f32 = f32::INFINITY;

    /// The whole matrix by two plain loops; element [i][j] of row i + 1 and column j + 1.
    fn plain(z: &[f32], q: &[f32]) -> Vec<Vec<f32>> {
        let mut d = std::vec![std::vec![INF; q.len() + 1]; z.len() + 1];
        d[0][0] = 0.0;
        for j in 0..z.len() {
            for i in 0..q.len() {
                let least = d[j][i].min(d[j][i + 1]).min(d[j + 1][i]);
                d[j + 1][i + 1] = (q[i] - z[j]).mul_add(q[i] - z[j], least);
            }
        }
        d
    }

    fn values(seed: u32, len: usize) -> Vec<f32> {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 20) as f32 - 8.0
        };
        (0..len).map(|_| next()).collect()
    }

    fn tiles_of<const C: usize, const R: usize>() {
        let (z, q) = (values(1, 3 * R), values(2, 2 * C));
        let want = plain(&z, &q);
        let mut cols = [[INF; C]; 2];
        let mut corner = [0.0, INF];
        for step in 0..3 {
            let rows: [f32; R] = std::array::from_fn(|k| z[step * R + k]);
            let mut left = [INF; R];
            for half in 0..2 {
                let part: [f32; C] = std::array::from_fn(|i| q[half * C + i]);
                let next = sweep(&mut cols[half], &part, &rows, left, corner[half]);
                corner[half] = left[R - 1];
                left = next;
                for k in 0..R {
                    assert_eq!(left[k], want[step * R + k + 1][(half + 1) * C], "{C} {R} {step} {half} {k}");
                }
                for i in 0..C {
                    assert_eq!(cols[half][i], want[(step + 1) * R][half * C + i + 1]);
                }
            }
        }
    }

    #[test]
    fn tiles_put_together_are_the_plain_matrix() {
        tiles_of::<1, 1>();
        tiles_of::<1, 4>();
        tiles_of::<5, 1>();
        tiles_of::<16, 4>();
        tiles_of::<3, 8>();
        tiles_of::<18, 8>();
    }

    #[test]
    fn the_least_of_three_in_every_order() {
        for [a, b, c] in [[0.0, 1.0, 2.0], [1.5, INF, 1.25], [INF, INF, INF], [f32::NAN, 3.0, INF]] {
            let want = [a, b, c].into_iter().filter(|x: &f32| !x.is_nan()).fold(INF, f32::min);
            for [x, y, z] in [[a, b, c], [a, c, b], [b, a, c], [b, c, a], [c, a, b], [c, b, a]] {
                assert_eq!(min3(x, y, z), want);
            }
        }
    }
}
