//! One row of a narrow band in the registers of a thread, moved down step by step.
//!
//! Cell k of row i is D[i, i + k − centre]. The cell above is then k + 1 of the row before, and the one before that on the
//! diagonal is k itself, so a row is overwritten in place. Columns outside the matrix are infinite.

use gpu_std::unroll;
use gpu_std::unroll::filled;

use super::tile::cell;

const INF: f32 = f32::INFINITY;

/// Rows of a step.
pub const ROWS: usize = 8;

/// One row of a band of `LEAST < radius ≤ (W − 1) / 2`, or of radius 0 for `W = 1`.
pub struct NarrowBand<const W: usize, const Z: usize, const LEAST: usize> {
    /// D of the row before.
    cells: [f32; W],
    /// The values under the cells of this row and the next ones of the step.
    cols: [f32; Z],
    radius: u32,
}

impl<const W: usize, const Z: usize, const LEAST: usize> NarrowBand<W, Z, LEAST> {
    /// Distance of the diagonal from the first cell.
    pub const CENTRE: usize = (W - 1) / 2;

    /// In front of row 0; `col(j)` is the value of column j, infinite from the matrix's end on.
    #[inline(always)]
    pub fn new(radius: u32, col: impl Fn(u32) -> f32) -> Self {
        const { assert!(W % 2 == 1 && Z == W + ROWS && (W == 1 || LEAST < Self::CENTRE)) }
        let mut band = Self { cells: filled(INF), cols: filled(INF), radius };
        band.cells[Self::CENTRE] = 0.0;
        unroll!(for k in 0..W {
            if k >= Self::CENTRE {
                band.cols[k] = col((k - Self::CENTRE) as u32);
            }
        });
        band
    }

    /// The cell on the diagonal: after the last row, the distance.
    #[inline(always)]
    pub fn diagonal(&self) -> f32 {
        self.cells[Self::CENTRE]
    }

    /// The least cell of the row; no cell is negative, so their bits order as integers.
    #[inline(always)]
    pub fn least(&self) -> f32 {
        let mut least = self.cells[0].to_bits() as i32;
        unroll!(for k in 1..W {
            let cell = self.cells[k].to_bits() as i32;
            least = if cell < least { cell } else { least };
        });
        f32::from_bits(least as u32)
    }

    /// `R` rows from row `row` on; row r is two cells behind row r − 1. `value(r)` is the value of row `row + r`, `col(j)` that
    /// of column j.
    #[inline(always)]
    pub fn step<const R: usize>(&mut self, row: u32, value: impl Fn(usize) -> f32, col: impl Fn(u32) -> f32) {
        let mut rows = [0.0; R];
        unroll!(for r in 0..R {
            rows[r] = value(r);
            // Under the last cell of row r + 1.
            self.cols[W + r] = col(row + r as u32 + 1 + Self::CENTRE as u32);
        });
        let mut left = [INF; R];
        unroll!(for t in 0..W {
            self.cells_at::<R>(&rows, &mut left, t);
        });
        unroll!(for t in 0..R {
            self.cells_at::<R>(&rows, &mut left, W + 2 * t);
            self.cells_at::<R>(&rows, &mut left, W + 2 * t + 1);
        });
        unroll!(for k in 0..W {
            self.cols[k] = self.cols[k + R];
        });
    }

    /// Cell t − 2 r of each row r, where there is one.
    #[inline(always)]
    fn cells_at<const R: usize>(&mut self, rows: &[f32; R], left: &mut [f32; R], t: usize) {
        unroll!(for back in 0..R {
            let r = R - 1 - back;
            if t >= 2 * r && t - 2 * r < W {
                let k = t - 2 * r;
                let above = if k + 1 < W { self.cells[k + 1] } else { INF };
                let (above, before) = self.inside(k, above, left[r]);
                let value = cell(rows[r], self.cols[k + r], self.cells[k], above, before);
                left[r] = value;
                self.cells[k] = value;
            }
        });
    }

    /// The neighbours above and to the left of cell `k`, infinite where they lie outside the radius.
    #[inline(always)]
    fn inside(&self, k: usize, above: f32, left: f32) -> (f32, f32) {
        let r = self.radius;
        if k + LEAST >= Self::CENTRE && k <= Self::CENTRE + LEAST {
            return (above, left);
        }
        if k > Self::CENTRE {
            (if (k - Self::CENTRE) as u32 == r { INF } else { above }, left)
        } else {
            (above, if (Self::CENTRE - k) as u32 == r { INF } else { left })
        }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::vec::Vec;

    use super::*;

    fn values(seed: u32, len: usize) -> Vec<f32> {
        (0..len as u32).map(|i| ((i * 7919 + seed * 31) % 101) as f32 / 16.0 - 3.0).collect()
    }

    /// The last row's band by two plain loops.
    fn plain(rows: &[f32], cols: &[f32], radius: usize, last: usize) -> Vec<f32> {
        let m = cols.len();
        let mut d = std::vec![std::vec![INF; m + 1]; last + 2];
        d[0][0] = 0.0;
        for i in 0..=last {
            for j in i.saturating_sub(radius)..(i + radius + 1).min(m) {
                let least = d[i][j].min(d[i][j + 1]).min(d[i + 1][j]);
                d[i + 1][j + 1] = (rows[i] - cols[j]).mul_add(rows[i] - cols[j], least);
            }
        }
        d[last + 1][1..].to_vec()
    }

    fn assert_plain<const W: usize, const Z: usize, const LEAST: usize>(radius: usize, m: usize) {
        let (rows, cols) = (values(1, m), values(2, m));
        let col = |j: u32| cols.get(j as usize).copied().unwrap_or(INF);
        let mut band = NarrowBand::<W, Z, LEAST>::new(radius as u32, col);
        let mut row = 0;
        while row < m {
            if m - row >= ROWS {
                band.step::<ROWS>(row as u32, |r| rows[row + r], col);
                row += ROWS;
            } else {
                band.step::<1>(row as u32, |_| rows[row], col);
                row += 1;
            }
            let want = plain(&rows, &cols, radius, row - 1);
            assert_eq!(band.least(), want.iter().copied().fold(INF, f32::min), "{radius} {m} {row}");
            assert_eq!(band.diagonal(), want[row - 1], "{radius} {m} {row}");
        }
    }

    #[test]
    fn a_band_is_the_plain_matrix_within_its_radius() {
        assert_plain::<1, 9, 0>(0, 19);
        assert_plain::<3, 11, 0>(1, 17);
        assert_plain::<9, 17, 2>(3, 40);
        assert_plain::<9, 17, 2>(4, 23);
        assert_plain::<25, 33, 8>(9, 20);
        assert_plain::<25, 33, 8>(12, 64);
    }
}
