//! The recurrence on a register tile of [`ROWS`] rows by `C` columns, of which only some diagonals exist.

use gpu_std::math::fma_rn_f32;
use gpu_std::unroll;

use super::tile::min3;

/// Rows of a tile.
pub const ROWS: usize = 8;

/// `ROWS` rows of `C` columns, from the row above in `cols`, which becomes the last row.
///
/// `weights`: of the diagonals from the last row's first cell to the first row's last, 1, or infinite for cells that are
/// infinite or NaN. `left`: the column to the left in these rows; `corner`: its value in the row above. Returns the last column
/// in these rows. Row k is one column behind row k − 1: as many cells as rows are independent at a time.
#[inline(always)]
pub fn sweep<const C: usize, const D: usize>(
    cols: &mut [f32; C],
    q: &[f32; ROWS],
    z: &[f32; C],
    weights: &[f32; D],
    left: [f32; ROWS],
    corner: f32,
) -> [f32; ROWS] {
    const { assert!(D == C + ROWS - 1) }
    let mut diag = [corner; ROWS];
    unroll!(for k in 1..ROWS {
        diag[k] = left[k - 1];
    });
    let mut front = Front { left, diag };
    unroll!(for t in 0..D {
        front.advance(cols, q, z, weights, t);
    });
    front.left
}

/// The cells last computed, one per row.
struct Front {
    left: [f32; ROWS],
    diag: [f32; ROWS],
}

impl Front {
    /// Column t − k of each row k, where there is one.
    #[inline(always)]
    fn advance<const C: usize, const D: usize>(
        &mut self,
        cols: &mut [f32; C],
        q: &[f32; ROWS],
        z: &[f32; C],
        weights: &[f32; D],
        t: usize,
    ) {
        unroll!(for back in 0..ROWS {
            let k = ROWS - 1 - back;
            if t >= k && t - k < C {
                let i = t - k;
                let up = if k == 0 { cols[i] } else { self.left[k - 1] };
                let d = fma_rn_f32(q[k], weights[i + ROWS - 1 - k], -z[i]);
                let value = fma_rn_f32(d, d, min3(self.left[k], up, self.diag[k]));
                self.diag[k] = up;
                self.left[k] = value;
                if k == ROWS - 1 {
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
    const C: usize = 14;
    const D: usize = C + ROWS - 1;

    fn value(seed: usize) -> f32 {
        ((seed * 7919) % 101) as f32 / 16.0 - 3.0
    }

    /// Cells [row][column] of a tile whose diagonals (column less row) `from` to `to` exist, by two plain loops.
    fn plain(above: &[f32; C], left: &[f32; ROWS], corner: f32, from: i32, to: i32) -> Vec<Vec<f32>> {
        let mut cells = std::vec![std::vec![INF; C + 1]; ROWS + 1];
        cells[0][0] = corner;
        cells[0][1..].copy_from_slice(above);
        for r in 0..ROWS {
            cells[r + 1][0] = left[r];
            for c in 0..C {
                let d = value(r) - value(c + 50);
                let least = cells[r][c].min(cells[r][c + 1]).min(cells[r + 1][c]);
                let exists = (from..=to).contains(&(c as i32 - r as i32));
                cells[r + 1][c + 1] = if exists { d.mul_add(d, least) } else { INF };
            }
        }
        cells
    }

    fn or_infinite(x: f32) -> f32 {
        if x.is_nan() { INF } else { x }
    }

    #[test]
    fn a_tile_is_the_plain_matrix_within_its_diagonals() {
        for (from, to) in [(-20, 20), (-3, 5), (1, 20), (-20, 6), (0, 0), (-7, 13), (14, 20)] {
            let above: [f32; C] = std::array::from_fn(|c| value(c + 7).abs());
            let left: [f32; ROWS] = std::array::from_fn(|r| value(r + 31).abs());
            let q = std::array::from_fn(value);
            let z: [f32; C] = std::array::from_fn(|c| value(c + 50));
            let weights: [f32; D] = std::array::from_fn(|d| {
                if (from..=to).contains(&(d as i32 + 1 - ROWS as i32)) { 1.0 } else { INF }
            });
            let want = plain(&above, &left, 0.5, from, to);
            let mut cols = above;
            let right = sweep(&mut cols, &q, &z, &weights, left, 0.5);
            assert_eq!(cols.map(or_infinite), want[ROWS][1..], "{from} {to}");
            assert_eq!(right.map(or_infinite), std::array::from_fn(|r| want[r + 1][C]), "{from} {to}");
        }
    }
}
