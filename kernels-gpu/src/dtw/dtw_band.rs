//! out[s, k, t] = DTW within a narrow band of query k and the window of row s that ends at t, with rolling aggregates
//!
//! Shapes     series: [rows, n]; queries: [queries, m]; out: [rows, queries, n], the points before the end of the first
//!            window NaN; aggregates: [rows, n] or empty
//! Types      f32; the sums of a window in f64
//! Launch     grid (windows / tile, queries / query_tile, rows), block 128, `window_tile::floats` of dynamic shared memory
//! Traffic    4 rows n (1 + queries + aggregates) bytes, m (2 r + 1) − r (r + 1) cells per window and query
//! Tolerance  exact
//!
//! A thread has a window and holds one row of its band: cell k of row i is D[i, i + k − centre]. The cell above is then k + 1
//! of the row before, and the one before that on the diagonal is k itself, so a row is overwritten in place. Points outside the
//! window are infinite.

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, kernel, thread, unroll};

use super::BLOCK;
use super::aggregates::Outputs;
use super::extent::{Extent, Part};
use super::moments::Normaliser;
use super::profile::{Profile, Store, run};
use super::tile::cell;
use super::window_tile::WindowTile;

const INF: f32 = f32::INFINITY;

/// Rows of a step.
const ROWS: usize = 8;

/// Distances within a band of `LEAST < radius ≤ (W − 1) / 2`, or of radius 0 for `W = 1`.
///
/// # Safety
/// - The extent describes the operands: the radius is one of the instance, `windows ≥ 1`, and every length is as above.
/// - The launch has the grid and the shared memory above.
#[kernel(block = BLOCK, max_registers = 255, instances(
    r0 = (1, 9, 0), r1 = (3, 11, 0), r2 = (5, 13, 1), r4 = (9, 17, 2), r6 = (13, 21, 4), r8 = (17, 25, 6), r12 = (25, 33, 8),
    r16 = (33, 41, 12), r24 = (49, 57, 16), r32 = (65, 73, 24)
))]
pub unsafe fn dtw_band<const W: usize, const Z: usize, const LEAST: usize>(
    series: &[f32],
    queries: &[f32],
    out: GridMut<f32>,
    mean: GridMut<f32>,
    min: GridMut<f32>,
    max: GridMut<f32>,
    var: GridMut<f32>,
    extent: Extent,
    #[shared] smem: DynamicShared<f32>,
) {
    let profile = Profile { series, out, aggregates: Outputs { mean, min, max, var }, extent };
    // SAFETY: the launch has the shared memory.
    let tile = unsafe { WindowTile::new(smem, &extent) };
    // SAFETY: all threads come here, the operands are as promised by the caller, the tile is filled before.
    unsafe {
        run(profile, tile, |part, store| distances::<W, Z, LEAST>(tile, queries, &extent, part, store));
    }
}

/// # Safety
/// `tile` was filled, `queries` has all queries of the extent.
#[inline(always)]
unsafe fn distances<const W: usize, const Z: usize, const LEAST: usize>(
    tile: WindowTile,
    queries: &[f32],
    extent: &Extent,
    part: Part,
    store: &Store,
) {
    let mut window = thread::thread_linear();
    while window < part.windows {
        let normaliser = tile.normaliser(window);
        let mut query = 0;
        while query < part.queries {
            let start = (part.query + query) as usize * extent.m as usize;
            // SAFETY: the query lies inside.
            let q = unsafe { queries.get_unchecked(start..start + extent.m as usize) };
            let mut band = Band::<W, Z, LEAST>::new(tile, normaliser, window, extent);
            // SAFETY: the window is this thread's alone.
            unsafe { store.put(query, window, band.run(q)) };
            query += 1;
        }
        window += BLOCK;
    }
}

/// One row of a window's band.
struct Band<'a, const W: usize, const Z: usize, const LEAST: usize> {
    tile: WindowTile,
    normaliser: Normaliser,
    extent: &'a Extent,
    window: u32,
    /// D of the row before.
    cells: [f32; W],
    /// The window's points under the cells of this row and the next ones of the step.
    z: [f32; Z],
    /// The row.
    row: u32,
}

impl<'a, const W: usize, const Z: usize, const LEAST: usize> Band<'a, W, Z, LEAST> {
    /// Distance of the diagonal from the first cell.
    const CENTRE: usize = (W - 1) / 2;

    #[inline(always)]
    fn new(tile: WindowTile, normaliser: Normaliser, window: u32, extent: &'a Extent) -> Self {
        const { assert!(W % 2 == 1 && Z == W + ROWS && (W == 1 || LEAST < Self::CENTRE)) }
        let mut band = Self { tile, normaliser, extent, window, cells: [INF; W], z: [INF; Z], row: 0 };
        band.cells[Self::CENTRE] = 0.0;
        unroll!(for k in 0..W {
            if k >= Self::CENTRE {
                band.z[k] = band.point((k - Self::CENTRE) as u32);
            }
        });
        band
    }

    /// Point `j` of the window, normalised; infinite behind its end.
    #[inline(always)]
    fn point(&self, j: u32) -> f32 {
        if j < self.extent.m { self.normaliser.apply(self.tile.point(self.window + j)) } else { INF }
    }

    /// All rows; the distance.
    #[inline(always)]
    fn run(&mut self, q: &[f32]) -> f32 {
        let m = self.extent.m;
        while self.row % ROWS as u32 != m % ROWS as u32 {
            self.step::<1>(q);
        }
        while self.row < m {
            self.step::<ROWS>(q);
        }
        self.cells[Self::CENTRE]
    }

    /// `R` rows; row r is two cells behind row r − 1.
    #[inline(always)]
    fn step<const R: usize>(&mut self, q: &[f32]) {
        let mut rows = [0.0; R];
        unroll!(for r in 0..R {
            // SAFETY: the step's rows lie inside the query.
            rows[r] = unsafe { *q.get_unchecked(self.row as usize + r) };
            // Under the last cell of row r + 1.
            self.z[W + r] = self.point(self.row + r as u32 + 1 + Self::CENTRE as u32);
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
            self.z[k] = self.z[k + R];
        });
        self.row += R as u32;
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
                let value = cell(rows[r], self.z[k + r], self.cells[k], above, before);
                left[r] = value;
                self.cells[k] = value;
            }
        });
    }

    /// The neighbours above and to the left of cell `k`, infinite where they lie outside the radius.
    #[inline(always)]
    fn inside(&self, k: usize, above: f32, left: f32) -> (f32, f32) {
        let r = self.extent.radius;
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
