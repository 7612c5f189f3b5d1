//! The matrix of one query and as many windows as a vector has lanes.
//!
//! R rows go together: their cells of a column stay in registers, and memory is read and written once per column. The
//! cells that a band cuts off inside such a block are made +inf by a maximum.

use super::vector::Vector;

/// R rows, from left to right.
pub struct Block<V, const R: usize> {
    /// The rows' points.
    points: [V; R],
    /// The cells to the left.
    left: [V; R],
    /// The cell above and to the left of the first row.
    corner: V,
}

impl<V: Vector, const R: usize> Block<V, R> {
    /// Rows with these points; `left` is what every row starts with, `corner` what stands above the first one's.
    #[inline(always)]
    pub fn new(points: [V; R], left: V, corner: V) -> Self {
        Self { points, left: [left; R], corner }
    }

    /// One more column for each of `z`; `above` holds the row above and gets the last row.
    /// `cut(column, row, cell)` is what becomes of a cell.
    #[inline(always)]
    pub fn advance(
        &mut self,
        proof: V::Proof,
        z: &[V::Row],
        above: &mut [V::Row],
        cut: impl Fn(usize, usize, V) -> V,
    ) {
        let Self { points, mut left, mut corner } = *self;
        for (column, (z, above)) in z.iter().zip(above).enumerate() {
            let z = V::load(proof, z);
            let mut up = V::load(proof, above);
            let mut diagonal = corner;
            corner = up;
            for row in 0..R {
                // The contract has q - z; the square is the same.
                let d = z.sub(points[row]);
                let least = up.min(diagonal).min(left[row]);
                diagonal = left[row];
                up = cut(column, row, d.square_add(least));
                left[row] = up;
            }
            up.store(above);
        }
        (self.left, self.corner) = (left, corner);
    }

    /// The last column's cells.
    #[inline(always)]
    pub fn last(&self) -> [V; R] {
        self.left
    }
}

/// The windows, the row above, and the band.
pub struct Matrix<'a, V: Vector> {
    pub proof: V::Proof,
    pub z: &'a [V::Row],
    /// As long as `z`; whatever it holds is overwritten.
    pub above: &'a mut [V::Row],
    /// Less than the number of columns.
    pub radius: usize,
}

impl<V: Vector> Matrix<'_, V> {
    /// `D(m-1, m-1)`, where `point(i)` is point i of the query, for i below the number of columns m.
    #[inline(always)]
    pub fn distance(mut self, point: impl Fn(usize) -> V) -> V {
        let m = self.z.len();
        if self.radius == 0 {
            return self.diagonal(point);
        }
        self.above.fill(infinite::<V>());
        let mut i = 0;
        // A block has more cells than its rows have by R - 1 for each; so narrow bands take fewer rows.
        if self.radius >= 12 {
            while i + 8 <= m {
                i = self.rows::<8>(i, &point);
            }
        }
        if self.radius >= 3 {
            while i + 4 <= m {
                i = self.rows::<4>(i, &point);
            }
        }
        while i + 2 <= m {
            i = self.rows::<2>(i, &point);
        }
        while i < m {
            i = self.rows::<1>(i, &point);
        }
        V::load(self.proof, &self.above[m - 1])
    }

    /// The distance where the band is the diagonal alone.
    #[inline(always)]
    fn diagonal(&self, point: impl Fn(usize) -> V) -> V {
        let mut sum = V::splat(self.proof, 0.0);
        for (i, z) in self.z.iter().enumerate() {
            sum = V::load(self.proof, z).sub(point(i)).square_add(sum);
        }
        sum
    }

    /// Rows i to i + R, as far as the band reaches; returns i + R. `R` is at most `2 radius + 2`.
    #[inline(always)]
    fn rows<const R: usize>(&mut self, i: usize, point: &impl Fn(usize) -> V) -> usize {
        let Self { proof, z, radius, .. } = *self;
        let m = z.len();
        // Columns from `start` have the first row, from `full` all rows, from `part` no longer the first, from `end` none.
        let start = i.saturating_sub(radius);
        let full = (i + R - 1).saturating_sub(radius);
        let part = m.min(i + radius + 1);
        let end = m.min(i + radius + R);
        let infinity = V::splat(proof, f32::INFINITY);
        let corner = match (start, i) {
            (0, 0) => V::splat(proof, 0.0),
            (0, _) => infinity,
            _ => V::load(proof, &self.above[start - 1]),
        };
        let mut block = Block::<V, R>::new(std::array::from_fn(|row| point(i + row)), infinity, corner);
        let above = &mut *self.above;
        block.advance(proof, &z[start..full], &mut above[start..full], |column, row, cell| {
            let rows = start + radius - i + column;
            cell.max(V::splat(proof, if row <= rows { 0.0 } else { f32::INFINITY }))
        });
        block.advance(proof, &z[full..part], &mut above[full..part], |_, _, cell| cell);
        block.advance(proof, &z[part..end], &mut above[part..end], |column, row, cell| {
            cell.max(V::splat(proof, if row > column { 0.0 } else { f32::INFINITY }))
        });
        i + R
    }
}

/// +inf in every lane.
pub fn infinite<V: Vector>() -> V::Row {
    let mut row = V::Row::default();
    row.as_mut().fill(f32::INFINITY);
    row
}
