//! Distances of two sequences.

/// `D(m-1, m-1)` of `D(i, j) = fma(d, d, min(D(i-1, j-1), D(i-1, j), D(i, j-1)))`, `d = q[i] - z[j]`, over the cells
/// with `|i - j| <= radius`; `D(-1, -1) = 0`, all that does not exist is +inf.
///
/// # Panics
/// Where the lengths differ.
pub fn distance_cpu(q: &[f32], z: &[f32], radius: u32) -> f32 {
    assert_eq!(q.len(), z.len(), "a query and a window have one length");
    let m = q.len();
    // Both rows have column -1 in front.
    let mut above = vec![f32::INFINITY; m + 1];
    above[0] = 0.0;
    for (i, point) in q.iter().enumerate() {
        let mut row = vec![f32::INFINITY; m + 1];
        for j in 0..m {
            if i.abs_diff(j) <= radius as usize {
                let d = point - z[j];
                let least = above[j].min(above[j + 1]).min(row[j]);
                row[j + 1] = d.mul_add(d, least);
            }
        }
        above = row;
    }
    above[m]
}

/// The distance of each pair, both sequences normalised where `normalize` does so; NaN where either is not finite.
///
/// # Panics
/// Where the lengths differ.
pub fn pairs_cpu<'a>(
    pairs: impl Iterator<Item = (&'a [f32], &'a [f32])>,
    radius: u32,
    normalize: impl Fn(&[f32]) -> Option<Vec<f32>>,
) -> Vec<f32> {
    let mut distances = Vec::new();
    for (x, y) in pairs {
        distances.push(match (normalize(x), normalize(y)) {
            (Some(x), Some(y)) => distance_cpu(&x, &y, radius),
            _ => f32::NAN,
        });
    }
    distances
}

/// For every end j in the series the smallest distance of the query to any piece that ends there: `D(m-1, j)` with
/// `D(-1, j) = 0` for every j, other borders +inf.
///
/// A point of the series that is not finite gives NaN, and no path crosses it: its cells are +inf.
pub fn subsequence_cpu(query: &[f32], series: &[f32]) -> Vec<f32> {
    let m = query.len();
    let mut distances = Vec::new();
    // Both columns have row -1 in front, which is 0.
    let mut before = vec![f32::INFINITY; m + 1];
    before[0] = 0.0;
    for &point in series {
        let mut column = vec![f32::INFINITY; m + 1];
        column[0] = 0.0;
        for i in 0..m {
            if point.is_finite() {
                let d = query[i] - point;
                let least = before[i].min(before[i + 1]).min(column[i]);
                column[i + 1] = d.mul_add(d, least);
            }
        }
        distances.push(if point.is_finite() { column[m] } else { f32::NAN });
        before = column;
    }
    distances
}
