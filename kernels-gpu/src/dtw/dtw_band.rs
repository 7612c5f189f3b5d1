//! out[s, k, t] = DTW within a narrow band of query k and the window of row s that ends at t, with rolling aggregates
//!
//! Shapes     series: [rows, n]; queries: [queries, m]; out: [rows, queries, results], NaN in front of that of the first
//!            window; aggregates: [rows, results] or empty
//! Types      f32; the sums of a window in f64
//! Launch     grid (windows / tile, queries / query_tile, rows), block 128, `window_tile::floats` of dynamic shared memory
//! Traffic    4 rows n (1 + queries + aggregates) bytes, m (2 r + 1) − r (r + 1) cells per window and query
//! Tolerance  exact
//!
//! A thread has a window and holds one row of its [band](super::narrow_band).

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, kernel, thread};

use super::BLOCK;
use super::aggregates::Outputs;
use super::extent::{Extent, Part};
use super::moments::Normaliser;
use super::narrow_band::{NarrowBand, ROWS};
use super::profile::{Profile, Store, run};
use super::window_tile::WindowTile;

/// Distances within a band of `LEAST < radius ≤ (W − 1) / 2`, or of radius 0 for `W = 1`.
///
/// # Safety
/// - The extent describes the operands: the radius is one of the instance, `windows ≥ 1`, and every length is as above.
/// - The launch has the grid and the shared memory above.
#[kernel(block = BLOCK, max_registers = 255, instances(
    r0 = (1, 9, 0), r1 = (3, 11, 0), r2 = (5, 13, 1), r4 = (9, 17, 2), r6 = (13, 21, 4), r8 = (17, 25, 6), r12 = (25, 33, 8),
    r16 = (33, 41, 12), r24 = (49, 57, 16), r32 = (65, 73, 24), r36 = (73, 81, 32), r42 = (85, 93, 36)
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
        run(
            profile,
            tile,
            #[inline(always)]
            |part, store| distances::<W, Z, LEAST>(tile, queries, &extent, part, store),
        );
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
            let one = Window { tile, normaliser, window, extent };
            // SAFETY: the window is this thread's alone.
            unsafe { store.put(query, window, one.distance::<W, Z, LEAST>(q)) };
            query += 1;
        }
        window += BLOCK;
    }
}

/// A window of the tile.
struct Window<'a> {
    tile: WindowTile,
    normaliser: Normaliser,
    window: u32,
    extent: &'a Extent,
}

impl Window<'_> {
    /// Point `j`, normalised; infinite behind the end.
    #[inline(always)]
    fn point(&self, j: u32) -> f32 {
        if j < self.extent.m {
            self.normaliser.apply(self.tile.point(self.window + j))
        } else {
            f32::INFINITY
        }
    }

    /// Its distance to `q`: the rows are the query's points.
    #[inline(always)]
    fn distance<const W: usize, const Z: usize, const LEAST: usize>(&self, q: &[f32]) -> f32 {
        let m = self.extent.m;
        let mut band = NarrowBand::<W, Z, LEAST>::new(
            self.extent.radius,
            #[inline(always)]
            |j| self.point(j),
        );
        let mut row = 0;
        while row % ROWS as u32 != m % ROWS as u32 {
            self.step::<W, Z, LEAST, 1>(&mut band, q, row);
            row += 1;
        }
        while row < m {
            self.step::<W, Z, LEAST, ROWS>(&mut band, q, row);
            row += ROWS as u32;
        }
        band.diagonal()
    }

    #[inline(always)]
    fn step<const W: usize, const Z: usize, const LEAST: usize, const R: usize>(
        &self,
        band: &mut NarrowBand<W, Z, LEAST>,
        q: &[f32],
        row: u32,
    ) {
        band.step::<R>(
            row,
            #[inline(always)]
            |r| {
                // SAFETY: the step's rows lie inside the query.
                unsafe { *q.get_unchecked(row as usize + r) }
            },
            #[inline(always)]
            |j| self.point(j),
        );
    }
}
