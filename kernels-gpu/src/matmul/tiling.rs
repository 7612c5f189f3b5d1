//! How a product is cut into blocks, warps and stages: pure functions of numbers.
//!
//! A block makes a tile of C. Its operands pass through shared memory in stages of [`LINE`] bytes along k; a row is one line there,
//! whose chunks of 16 bytes are exchanged by [`swizzled`] so that neither the copies nor `ldmatrix` meet a bank twice. A warp holds
//! `MT` × `NT` products of 16 × 8. With two planes of B (see `products::Product`), groups of 8 lines of B come from the one and the
//! other in turn, and both products of a column lie in one warp.

/// Threads of a block.
pub const THREADS: u32 = 256;

/// Warps of a block along m.
pub const WARPS_M: usize = 2;

/// Warps of a block along n.
pub const WARPS_N: usize = 4;

/// Bytes along k of a stage.
pub const LINE: usize = 128;

/// Bytes of one copy.
pub const CHUNK: usize = 16;

/// Lines that the threads of a block copy at once.
pub const LINES_AT_ONCE: usize = THREADS as usize * CHUNK / LINE;

/// Bytes along k of one product of a warp.
pub const STEP: usize = 32;

/// Bytes kept for what a row or a column of the tile brings along.
pub const RECORD: usize = 16;

/// Rows of tiles that blocks of neighbouring indices share.
const GROUP: u32 = 8;

/// Where chunk `chunk` of line `line` lies in the line.
#[inline(always)]
pub const fn swizzled(line: usize, chunk: usize) -> usize {
    chunk ^ (line % 8)
}

/// Plane and column of C of line `line` of B in a tile.
#[inline(always)]
pub const fn column_of_line(line: usize, planes: usize) -> (usize, usize) {
    (line / 8 % planes, line / (8 * planes) * 8 + line % 8)
}

/// Row and column of the tile that block `block` makes, of `rows` × `cols`: down `GROUP` rows, then to the next column, so that the
/// blocks at work share lines of A and of B in the L2 cache.
#[inline(always)]
pub const fn tile_of_block(block: u32, rows: u32, cols: u32) -> (u32, u32) {
    let band = GROUP * cols;
    let first = block / band * GROUP;
    // Never 0 where there is such a block; the arm spares the device a check of the division.
    let height = match rows.wrapping_sub(first) {
        0 => 1,
        left if left < GROUP => left,
        _ => GROUP,
    };
    (first + block % band % height, block % band / height)
}

/// The first stage of part `split` of `splits`, and the one behind its last, of `stages`.
#[inline(always)]
pub const fn stages_of_split(stages: u32, split: u32, splits: u32) -> (u32, u32) {
    let each = stages.div_ceil(splits) as u64;
    let (first, end) = (split as u64 * each, (split as u64 + 1) * each);
    let most = stages as u64;
    (if first < most { first as u32 } else { stages }, if end < most { end as u32 } else { stages })
}

/// Bytes from row to row where the results of a warp, `cols` of `size` bytes in a row, wait to be stored: rows of whole lines would
/// have the pairs of a column in one bank. 4 lanes write the pairs of a row, 8 rows at a time: with 16 bytes more the 32 words of
/// halves lie in 32 banks, with 32 more those of words do, in two turns.
#[inline(always)]
pub const fn patch_pitch(cols: usize, size: usize) -> usize {
    cols * size + if size < 4 { 16 } else { 32 }
}

/// The tile of a kernel's instance, for the host: what a launch needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// Rows of C.
    pub m: u32,
    /// Columns of C.
    pub n: u32,
    /// Planes of B.
    pub planes: u32,
    /// Stages in shared memory.
    pub stages: u32,
}

impl Tile {
    /// Bytes of shared memory in which a block remembers which tile is its own.
    pub const NOTE: u32 = 16;

    /// The tile of warps with `mt` × `nt` products, the planes of B counted.
    ///
    /// # Panics
    /// When compiled, in a constant: `nt` are no pairs, or no whole columns; the shared memory is more than sm_80 has.
    pub const fn new(mt: usize, nt: usize, planes: usize, stages: usize) -> Self {
        assert!(nt.is_multiple_of(2) && nt.is_multiple_of(planes), "an `ldmatrix` brings B for two products");
        let (m, n) = (16 * WARPS_M * mt, 8 * WARPS_N * nt / planes);
        let tile = Self { m: m as u32, n: n as u32, planes: planes as u32, stages: stages as u32 };
        assert!(stages >= 2 && tile.shared_bytes() <= 160 << 10, "a block of sm_80 has 163 KiB");
        tile
    }

    /// Bytes of a stage.
    pub const fn stage_bytes(self) -> u32 {
        (self.m + self.n * self.planes) * LINE as u32
    }

    /// Dynamic shared memory of a block, in bytes.
    pub const fn shared_bytes(self) -> u32 {
        self.stages * self.stage_bytes() + (self.m + self.n) * RECORD as u32 + Self::NOTE
    }

    /// Tiles of C.
    pub const fn tiles(self, m: u32, n: u32) -> u64 {
        m.div_ceil(self.m) as u64 * n.div_ceil(self.n) as u64
    }

    /// Blocks of a launch.
    pub const fn blocks(self, m: u32, n: u32, splits: u32) -> u64 {
        self.tiles(m, n) * splits as u64
    }

    /// Sums that the parts of k leave to the last of them: elements of the kernel's `parts`, with any content. Its address is a
    /// multiple of 16.
    pub const fn parts_len(self, m: u32, n: u32, splits: u32) -> u64 {
        if splits == 1 { 0 } else { self.blocks(m, n, splits) * (self.m * self.n * self.planes) as u64 }
    }

    /// Counters of arrived parts: elements of the kernel's `arrived`, zero before a launch and zero after it.
    pub const fn arrived_len(self, m: u32, n: u32, splits: u32) -> u64 {
        if splits == 1 { 0 } else { self.tiles(m, n) }
    }
}

#[cfg(test)]
mod tests {
    extern crate std;
    use std::collections::BTreeSet;
    use std::vec::Vec;

    use super::*;

    /// Whether 16 bytes at each of 8 offsets touch every bank once.
    fn free_of_conflicts(offsets: impl Iterator<Item = usize>) -> bool {
        offsets.map(|at| at / CHUNK % 8).collect::<BTreeSet<_>>().len() == 8
    }

    #[test]
    fn neither_copies_nor_matrices_meet_a_bank_twice() {
        for line in 0..64 {
            assert!(free_of_conflicts((0..8).map(|chunk| line * LINE + swizzled(line, chunk) * CHUNK)));
            for chunk in 0..8 {
                let rows = (line..line + 8).map(|row| row * LINE + swizzled(row, chunk) * CHUNK);
                assert!(free_of_conflicts(rows));
            }
        }
    }

    #[test]
    fn every_tile_has_one_block() {
        for (rows, cols) in [(1, 1), (1, 9), (7, 3), (8, 8), (9, 5), (23, 4), (64, 1)] {
            let tiles: BTreeSet<_> = (0..rows * cols).map(|block| tile_of_block(block, rows, cols)).collect();
            let all: BTreeSet<_> = (0..rows).flat_map(|row| (0..cols).map(move |col| (row, col))).collect();
            assert_eq!(tiles, all, "{rows} x {cols}");
        }
    }

    #[test]
    fn neighbouring_blocks_share_few_rows_and_columns() {
        let tiles: Vec<_> = (0..64).map(|block| tile_of_block(block, 32, 32)).collect();
        let rows: BTreeSet<_> = tiles.iter().map(|tile| tile.0).collect();
        let cols: BTreeSet<_> = tiles.iter().map(|tile| tile.1).collect();
        assert_eq!((rows.len(), cols.len()), (8, 8));
    }

    #[test]
    fn parts_of_k_follow_one_another() {
        for stages in [0, 1, 2, 7, 32, u32::MAX] {
            for splits in 1..9 {
                let parts: Vec<_> = (0..splits).map(|split| stages_of_split(stages, split, splits)).collect();
                assert_eq!((parts[0].0, parts.last().map(|part| part.1)), (0, Some(stages)));
                assert!(parts.windows(2).all(|two| two[0].1 == two[1].0 && two[0].0 <= two[0].1));
            }
        }
    }

    #[test]
    fn lines_of_b_hold_each_column_of_each_plane_once() {
        for planes in [1, 2] {
            let columns: BTreeSet<_> = (0..64).map(|line| column_of_line(line, planes)).collect();
            assert_eq!(columns.len(), 64);
            assert!(columns.iter().all(|(plane, column)| *plane < planes && *column < 64 / planes));
        }
        assert_eq!(column_of_line(24, 2), (1, 8));
    }

    #[test]
    fn a_tile_names_what_a_launch_needs() {
        let tile = Tile::new(4, 8, 1, 3);
        assert_eq!((tile.m, tile.n, tile.stage_bytes()), (128, 256, 48 << 10));
        assert_eq!(tile.shared_bytes(), (144 << 10) + 384 * 16 + 16);
        assert_eq!((tile.blocks(129, 256, 3), tile.arrived_len(129, 256, 3)), (6, 2));
        assert_eq!((tile.parts_len(129, 256, 3), tile.parts_len(129, 256, 1)), (6 * 128 * 256, 0));
        let planes = Tile::new(4, 8, 2, 3);
        assert_eq!((planes.n, planes.stage_bytes()), (128, tile.stage_bytes()));
        assert_eq!(planes.parts_len(128, 128, 2), 2 * 2 * 128 * 128);
    }
}
