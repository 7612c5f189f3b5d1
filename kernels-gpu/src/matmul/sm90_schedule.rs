//! Which tile of the product a cluster computes when: pure functions.

use super::tiling::tile_of_block;

/// The tiles of a product: `rows` down, `columns` across.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// Tiles of clusters along m.
    pub rows: u32,
    /// Tiles along n.
    pub columns: u32,
}

impl Schedule {
    /// The tiles of an m × n product, `tile_m` × `tile_n` each.
    #[inline(always)]
    pub const fn new(m: u32, n: u32, tile_m: u32, tile_n: u32) -> Self {
        Self { rows: m.div_ceil(tile_m), columns: n.div_ceil(tile_n) }
    }

    /// Number of tiles.
    #[inline(always)]
    pub const fn tiles(self) -> u32 {
        self.rows * self.columns
    }

    /// Row and column of tile number `tile`, in the order of [`tile_of_block`].
    #[inline(always)]
    pub const fn place(self, tile: u32) -> (u32, u32) {
        tile_of_block(tile, self.rows, self.columns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_has_its_turn() {
        for (rows, columns) in [(1, 1), (1, 9), (9, 1), (8, 3), (17, 5), (16, 16), (3, 40)] {
            let schedule = Schedule { rows, columns };
            let mut seen = [[false; 40]; 17];
            for tile in 0..schedule.tiles() {
                let (row, column) = schedule.place(tile);
                assert!(row < rows && column < columns);
                assert!(!core::mem::replace(&mut seen[row as usize][column as usize], true));
            }
        }
    }
}
