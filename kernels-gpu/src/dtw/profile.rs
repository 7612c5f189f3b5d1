//! What every kernel of the profile does around its distances.

use gpu_std::control::opaque;
use gpu_std::{GridMut, block, thread};

use super::BLOCK;
use super::aggregates::Outputs;
use super::extent::{Extent, Part, each_row};
use super::window_tile::WindowTile;

/// Operands of a launch.
pub struct Profile<'a> {
    /// `[rows, n]`, the rows `stride` elements apart.
    pub series: &'a [f32],
    /// `[rows, queries, results]`
    pub out: GridMut<f32>,
    /// `[rows, results]` each, or empty.
    pub aggregates: Outputs,
    /// What is covered.
    pub extent: Extent,
}

/// Where a part's distances go.
#[derive(Clone, Copy)]
pub struct Store {
    /// Element 0 of the row's first query of the part.
    out: *mut f32,
    /// Results of a row.
    results: u64,
    /// The result of the part's first window.
    first: u64,
}

impl Store {
    /// Stores the distance of a query to a window, both counted from the part's first.
    ///
    /// # Safety
    /// They lie in the part, and no other thread stores this pair.
    #[inline(always)]
    pub unsafe fn put(&self, query: u32, window: u32, distance: f32) {
        // SAFETY: inside, promised by the caller.
        unsafe { self.query(query).add(window as usize).write(distance) };
    }

    /// Where the distance of a query of the part to its first window goes; the next windows follow.
    #[inline(always)]
    pub fn query(&self, query: u32) -> *mut f32 {
        self.out.wrapping_add((u64::from(query) * self.results + self.first) as usize)
    }

    /// NaN in front of the result of the first window.
    ///
    /// # Safety
    /// All threads of the one block that has the first window and these queries come here.
    #[inline(always)]
    unsafe fn warm_up(&self, queries: u32) {
        let (one, step) = (opaque(1), u64::from(opaque(BLOCK)));
        let mut query = 0;
        while query < queries {
            let mut t = u64::from(thread::thread_linear());
            while t < self.first {
                // SAFETY: in front of the first distance of the query.
                unsafe { self.out.add((u64::from(query) * self.results + t) as usize).write(f32::NAN) };
                t += step;
            }
            query += one;
        }
    }
}

/// For each row: fills the tile, lets `distances` compute, and stores what is not a distance.
///
/// # Safety
/// All threads of the block come here; the operands are as the extent says; `distances` stores each pair of its part once
/// and is called by all threads.
#[inline(always)]
pub unsafe fn run(profile: Profile<'_>, tile: WindowTile, mut distances: impl FnMut(Part, &Store)) {
    let extent = profile.extent;
    // SAFETY: promised by the caller.
    unsafe {
        each_part(
            profile,
            #[inline(always)]
            |series, part, store, aggregates, row| {
                // SAFETY: all threads come here, a barrier after the row before.
                tile.fill(series, &extent, part);
                distances(part, store);
                if part.query == 0 {
                    // SAFETY: the outputs are as the extent says, each block has its own part.
                    aggregates.store_part(series, &extent, part, row);
                }
            },
        );
    }
}

/// For each row, lets `work` store distances and aggregates of the block's part, and stores the NaN in front of the
/// distances. `work` gets the row of the series, the part, where its distances go, the aggregates, and the row's number; a
/// barrier lies between its calls.
///
/// # Safety
/// All threads of the block come here; the operands are as the extent says.
#[inline(always)]
pub unsafe fn each_part(
    mut profile: Profile<'_>,
    mut work: impl FnMut(&[f32], Part, &Store, &mut Outputs, u32),
) {
    let extent = profile.extent;
    let part = extent.part(thread::block_idx_x(), thread::block_idx_y());
    each_row(
        &extent,
        #[inline(always)]
        |row| {
            let start = (u64::from(row) * extent.stride) as usize;
            // SAFETY: the row lies inside the series.
            let series = unsafe { profile.series.get_unchecked(start..start + extent.n as usize) };
            // SAFETY: the distances of these queries lie inside the output.
            let out = unsafe { profile.out.as_mut_ptr().add(extent.distances_of(row, part.query) as usize) };
            let store = Store { out, results: extent.results, first: extent.result_of(part.window) };
            work(series, part, &store, &mut profile.aggregates, row);
            // SAFETY: all threads come here, each block has its own part.
            unsafe {
                if part.window == 0 {
                    store.warm_up(part.queries);
                }
                block::bar_sync();
            }
        },
    );
}
