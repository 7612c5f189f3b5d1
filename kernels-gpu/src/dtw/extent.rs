//! What a launch covers, and which part of it a block has.

use gpu_std::{DeviceRepr, thread};

/// Floats of a line of memory.
const LINE: u32 = 32;

/// What a launch covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct Extent {
    /// Points of a row of the series.
    pub n: u64,
    /// Elements from a row of the series to the next.
    pub stride: u64,
    /// Results of a row: distances of a query, values of an aggregate. They belong to the row's last points, to all where
    /// they are `n`.
    pub results: u64,
    /// Windows of a row, at most `n − m − smooth + 2` and `results`: they end at its last points.
    pub windows: u64,
    /// Rows of the series.
    pub rows: u32,
    /// Number of queries.
    pub queries: u32,
    /// Points of a window and of a query.
    pub m: u32,
    /// The band: cells with |i − j| ≤ radius.
    pub radius: u32,
    /// Windows of a block.
    pub tile: u32,
    /// Queries of a block.
    pub query_tile: u32,
    /// Base-2 logarithm of the lanes that share a window.
    pub log2_lanes: u32,
    /// The windows are taken of the mean of so many points; 1 leaves the series as it is.
    pub smooth: u32,
    /// 1 to normalise every window, else 0.
    pub z_norm: u32,
    /// Points of the rolling aggregates; 0 for none.
    pub rolling: u32,
}

/// The windows and queries of a block in one row of the series.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// Number of the first window.
    pub window: u64,
    /// Number of windows, at least 1.
    pub windows: u32,
    /// Number of the first query.
    pub query: u32,
    /// Number of queries, at least 1.
    pub queries: u32,
}

impl Extent {
    /// The part of block (x, y).
    #[inline(always)]
    pub fn part(&self, x: u32, y: u32) -> Part {
        let behind = (u64::from(x) + 1) * u64::from(self.tile) - self.shift();
        let window = if x == 0 { 0 } else { behind - u64::from(self.tile) };
        let end = if behind < self.windows { behind } else { self.windows };
        let query = y * self.query_tile;
        let queries =
            if self.queries - query < self.query_tile { self.queries - query } else { self.query_tile };
        Part { window, windows: (end - window) as u32, query, queries }
    }

    /// Windows that the first block has fewer than the others, so that the results of these begin at whole lines of memory;
    /// 0 where tiles are no whole number of them.
    #[inline(always)]
    fn shift(&self) -> u64 {
        if self.tile.is_multiple_of(LINE) { self.result_of(0) % u64::from(LINE) } else { 0 }
    }

    /// Tiles of a row.
    pub fn tiles(&self) -> u64 {
        (self.windows + self.shift()).div_ceil(u64::from(self.tile))
    }

    /// Number of the result that belongs to a window: that of the point where the window ends.
    #[inline(always)]
    pub fn result_of(&self, window: u64) -> u64 {
        self.results - self.windows + window
    }

    /// The point where a window starts; with smoothing, the first that its first mean is of.
    #[inline(always)]
    pub fn start_of(&self, window: u64) -> u64 {
        self.n - self.windows - (u64::from(self.smooth - 1) + u64::from(self.m - 1)) + window
    }

    /// Points of a row before the first that has a result.
    #[inline(always)]
    pub fn before(&self) -> u64 {
        self.n - self.results
    }

    /// First element of the distances of a query to the windows of a row.
    #[inline(always)]
    pub fn distances_of(&self, row: u32, query: u32) -> u64 {
        (u64::from(row) * u64::from(self.queries) + u64::from(query)) * self.results
    }
}

/// Calls `f` with every row of the series that this block has a part of.
#[inline(always)]
pub fn each_row(extent: &Extent, mut f: impl FnMut(u32)) {
    let mut row = thread::block_idx_z();
    while row < extent.rows {
        f(row);
        row += thread::grid_dim_z();
    }
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;

    const EXTENT: Extent = Extent {
        n: 1000,
        stride: 1000,
        results: 1000,
        windows: 969,
        rows: 1,
        queries: 5,
        m: 32,
        radius: u32::MAX,
        tile: 256,
        query_tile: 2,
        log2_lanes: 0,
        smooth: 1,
        z_norm: 1,
        rolling: 0,
    };

    #[test]
    fn parts_cover_every_window_and_query_once() {
        for (tile, windows) in [(256, 969), (256, 1), (256, 225), (256, 226), (32, 969), (36, 969), (1, 9)] {
            let extent = Extent { tile, windows, ..EXTENT };
            let mut seen = std::vec![[0; 5]; windows as usize];
            for x in 0..extent.tiles() as u32 {
                for y in 0..extent.queries.div_ceil(2) {
                    let part = extent.part(x, y);
                    assert!(part.windows >= 1 && part.windows <= tile && part.queries >= 1);
                    for w in part.window..part.window + u64::from(part.windows) {
                        for q in part.query..part.query + part.queries {
                            seen[w as usize][q as usize] += 1;
                        }
                    }
                }
            }
            assert!(seen.iter().flatten().all(|&times| times == 1), "{extent:?}");
        }
    }

    #[test]
    fn results_of_whole_tiles_begin_at_lines() {
        let begins = |extent: &Extent| {
            (1..4).map(|x| extent.result_of(extent.part(x, 0).window)).collect::<std::vec::Vec<_>>()
        };
        assert_eq!(begins(&EXTENT), [256, 512, 768]);
        assert_eq!(begins(&Extent { tile: 36, ..EXTENT }), [31 + 36, 31 + 72, 31 + 108]);
        assert_eq!(EXTENT.part(0, 0).windows, 256 - 31);
    }

    #[test]
    fn every_window_ends_at_the_point_of_its_result() {
        let end_of =
            |extent: &Extent, window| extent.start_of(window) + u64::from(extent.smooth + extent.m - 2);
        let smooth = Extent { smooth: 5, windows: 965, ..EXTENT };
        let appended = Extent { n: 1000, results: 7, windows: 7, smooth: 5, ..EXTENT };
        assert_eq!((EXTENT.start_of(0), EXTENT.result_of(0)), (0, 31));
        assert_eq!((smooth.start_of(0), smooth.result_of(0)), (0, 35));
        assert_eq!((appended.before(), appended.result_of(0)), (993, 0));
        for extent in [EXTENT, smooth, appended] {
            for window in [0, 1, extent.windows - 1] {
                assert_eq!(end_of(&extent, window), extent.before() + extent.result_of(window));
            }
            assert_eq!(end_of(&extent, extent.windows - 1), 999);
        }
    }
}
