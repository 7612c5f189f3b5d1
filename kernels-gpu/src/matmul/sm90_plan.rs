//! How a block of the sm_90a kernels divides its shared memory: pure functions of the tile.

/// Bytes of k in a line of a stage, and of the swizzle.
pub const K_BYTES: u32 = 128;
/// Rows of a warpgroup.
pub const ROWS: u32 = 64;
/// Blocks of a cluster. They lie below each other: each loads its own rows, and its part of what they multiply them by for all.
pub const CLUSTER: u32 = 2;
/// Shared memory that a block can have.
const MAX_SHARED: u32 = 227 << 10;
/// Most stages: with more, the objects would have no room.
const MAX_STAGES: u32 = 16;
/// What tiles are aligned to.
pub const ALIGN: u32 = 1024;

/// A tile: `64 · consumers` rows of one operand by `columns` rows of the other, which may come in several planes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// Warpgroups that multiply.
    pub consumers: u32,
    /// Columns of the tile, a multiple of 16.
    pub columns: u32,
    /// Planes of the operand that the columns come from.
    pub planes: u32,
}

impl Plan {
    /// The tile.
    pub const fn new(consumers: usize, columns: usize, planes: usize) -> Self {
        Self { consumers: consumers as u32, columns: columns as u32, planes: planes as u32 }
    }

    /// Threads of a block.
    pub const fn threads(self) -> u32 {
        128 * (1 + self.consumers)
    }

    /// Rows of the tile.
    pub const fn rows(self) -> u32 {
        ROWS * self.consumers
    }

    /// Columns that a tile should be wide where there are `num_columns` to be shared out: as few as cover them with the same number of
    /// tiles, a multiple of 16. Copies of boxes that lie outside of a tensor are slow.
    pub const fn width(self, num_columns: u32) -> u32 {
        let tiles = num_columns.div_ceil(self.columns);
        if tiles <= 1 { num_columns.div_ceil(16) * 16 } else { num_columns.div_ceil(tiles).div_ceil(16) * 16 }
    }

    /// Lines of k in a stage: two where a tile is so small that the steps, and not the bytes, would take the time.
    pub const fn lines(self) -> u32 {
        if self.columns <= 64 { 2 } else { 1 }
    }

    /// Bytes of the rows in a line.
    pub const fn rows_bytes(self) -> u32 {
        self.rows() * K_BYTES
    }

    /// Bytes of a plane in a line.
    pub const fn plane_bytes(self) -> u32 {
        self.columns * K_BYTES
    }

    /// Bytes of a line.
    pub const fn line_bytes(self) -> u32 {
        self.rows_bytes() + self.planes * self.plane_bytes()
    }

    /// Bytes of a stage.
    pub const fn stage_bytes(self) -> u32 {
        self.lines() * self.line_bytes()
    }

    /// Bytes of the boxes that results leave through.
    pub const fn boxes_bytes(self) -> u32 {
        4 * self.consumers * super::sm90_staged::BOXES * super::sm90_staged::BOX_BYTES
    }

    /// Bytes of what the columns bring along, twice.
    pub const fn columns_bytes(self) -> u32 {
        2 * (self.columns * 16 + 16)
    }

    /// As many stages as there is room for.
    pub const fn stages(self) -> u32 {
        let left = MAX_SHARED - ALIGN - self.boxes_bytes() - self.columns_bytes() - 16 * MAX_STAGES;
        let stages = left / self.stage_bytes();
        if stages < MAX_STAGES { stages } else { MAX_STAGES }
    }

    /// Dynamic shared memory of a block.
    pub const fn shared_bytes(self) -> u32 {
        ALIGN
            + self.stages() * self.stage_bytes()
            + self.boxes_bytes()
            + self.columns_bytes()
            + 16 * self.stages()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_fits_and_has_stages_enough() {
        for consumers in [1, 2] {
            for columns in (16..=256).step_by(16) {
                for planes in [1, 2] {
                    let plan = Plan::new(consumers, columns, planes);
                    assert!(plan.shared_bytes() <= MAX_SHARED, "{plan:?}");
                    assert!(plan.stages() >= 2, "{plan:?}");
                }
            }
        }
        assert_eq!(Plan::new(2, 256, 1).stages(), 4);
    }
}
