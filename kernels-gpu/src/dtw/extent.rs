//! What a launch covers, and which part of it a block has.

use gpu_std::{DeviceRepr, thread};

/// What a launch covers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct Extent {
    /// Points of a row of the series.
    pub n: u64,
    /// Windows of a row: `n − m − smooth + 2`.
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
        let window = u64::from(x) * u64::from(self.tile);
        let query = y * self.query_tile;
        let left = self.windows - window;
        let windows = if left < u64::from(self.tile) { left as u32 } else { self.tile };
        let queries =
            if self.queries - query < self.query_tile { self.queries - query } else { self.query_tile };
        Part { window, windows, query, queries }
    }

    /// Where the distance of a window is stored: the window ends there.
    #[inline(always)]
    pub fn end_of(&self, window: u64) -> u64 {
        window + self.warm_up()
    }

    /// Points of a row before the end of its first window.
    #[inline(always)]
    pub fn warm_up(&self) -> u64 {
        u64::from(self.smooth - 1) + u64::from(self.m - 1)
    }

    /// First element of the distances of a query to the windows of a row.
    #[inline(always)]
    pub fn distances_of(&self, row: u32, query: u32) -> u64 {
        (u64::from(row) * u64::from(self.queries) + u64::from(query)) * self.n
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
    use super::*;

    const EXTENT: Extent = Extent {
        n: 1000,
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
        let mut seen = [[0; 5]; 969];
        for x in 0..EXTENT.windows.div_ceil(256) as u32 {
            for y in 0..EXTENT.queries.div_ceil(2) {
                let part = EXTENT.part(x, y);
                for w in part.window..part.window + u64::from(part.windows) {
                    for q in part.query..part.query + part.queries {
                        seen[w as usize][q as usize] += 1;
                    }
                }
            }
        }
        assert!(seen.iter().flatten().all(|&times| times == 1));
    }

    #[test]
    fn the_last_window_ends_at_the_last_point() {
        assert_eq!(EXTENT.end_of(0), 31);
        assert_eq!(EXTENT.end_of(EXTENT.windows - 1), EXTENT.n - 1);
        let smooth = Extent { smooth: 5, windows: 965, ..EXTENT };
        assert_eq!(smooth.end_of(smooth.windows - 1), smooth.n - 1);
    }
}
