//! Choose: how output rows are cut into units, and how many threads go through them.

use gpu_std::launch::{LaunchShape, MAX_GRID};
use kernels_gpu::embedding::feature::{self as kind, EmbedExtent};
use kernels_gpu::embedding::{BLOCK, ROWS};

use super::table::Place;
use crate::ops::Layout;

/// Threads of the kernels that a multiprocessor has at a time, by their registers: the kernel of single rows, that of bags.
const RESIDENT: [u64; 2] = [768, 512];

/// An output, as far as its alignment goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Target {
    /// Bytes of an element.
    pub elem_bytes: u64,
    /// The largest power of two, of 16 at most, that divides the address of every row.
    pub alignment: u64,
}

/// Elements of a unit of columns from `col` on that come from a table: as many as 16 bytes of the wider of both types have, or 1
/// where rows or columns do not begin at multiples of that.
pub(super) fn unit(table: &Place, col: u64, target: Target) -> u32 {
    let elements = 16 / table.elem_bytes.max(target.elem_bytes);
    let fits = |bytes: u64, alignment: u64| alignment.is_multiple_of(bytes);
    let table_alignment = u64::from(table.layout.alignment(table.addr, table.elem_bytes));
    let whole = table.width.is_multiple_of(elements) && col.is_multiple_of(elements);
    // Scales and biases at other places are read byte by byte.
    let whole = whole && fits(4, table.steps.0 | table.steps.1);
    if whole
        && fits(elements * table.elem_bytes, table_alignment)
        && fits(elements * target.elem_bytes, target.alignment)
    {
        elements as u32
    } else {
        1
    }
}

/// How many threads go through the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Config {
    pub extent: EmbedExtent,
    blocks: u32,
}

impl Config {
    /// The configuration for `units` units of each row of `y` on a device of `sm_count` multiprocessors: a thread keeps its unit
    /// and goes on to other rows, so there are as many as run at a time. This is the place to tune.
    pub fn choose(units: u32, y: Layout, has_bags: bool, sm_count: u32) -> Self {
        let rows_at_a_time = if has_bags { 1 } else { ROWS as u64 };
        let resident = RESIDENT[usize::from(has_bags)] * u64::from(sm_count);
        let most = (u64::from(u32::MAX) / u64::from(units)).max(1);
        let groups = y.rows().div_ceil(rows_at_a_time).clamp(1, resident.div_ceil(units.into()).min(most));
        let blocks = (groups * u64::from(units)).div_ceil(BLOCK.into()).min(MAX_GRID[0].into());
        let extent = EmbedExtent { batch: y.rows(), stride: y.stride(), units, groups: groups as u32 };
        Self { extent, blocks: blocks as u32 }
    }

    /// The grid.
    pub fn shape(&self) -> LaunchShape {
        LaunchShape::grid(self.blocks)
    }

    /// The grid of a check of so many features.
    pub fn check_shape(features: usize, batch: u64, sm_count: u32) -> LaunchShape {
        let threads = (features as u64).saturating_mul(batch);
        let most = 8 * u64::from(sm_count);
        LaunchShape::grid(threads.div_ceil(BLOCK.into()).clamp(1, most) as u32)
    }
}

/// Whether a feature is one of bags.
pub(super) const fn is_bag(pooling: u32) -> bool {
    !matches!(pooling, kind::ONE | kind::DENSE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(elem_bytes: u64, addr: u64, cols: u64, stride: u64) -> Place {
        let layout = Layout::new(100, cols, stride).expect("it is small");
        Place { kind: 0, elem_bytes, addr, layout, width: cols, steps: (0, 0) }
    }

    #[test]
    fn units_are_16_bytes_of_the_wider_type_where_both_sides_are_aligned() {
        let wide = Target { elem_bytes: 4, alignment: 16 };
        let half = Target { elem_bytes: 2, alignment: 16 };
        assert_eq!(unit(&place(4, 256, 64, 64), 0, wide), 4);
        assert_eq!(unit(&place(2, 256, 64, 64), 4, wide), 4);
        assert_eq!(unit(&place(1, 256, 64, 72), 4, wide), 4);
        assert_eq!(unit(&place(2, 256, 64, 64), 8, half), 8);
        assert_eq!(unit(&place(4, 256, 64, 64), 4, half), 4);
        assert_eq!(unit(&place(1, 256, 64, 72), 8, half), 8);
        // A column, a row, an end, an address, the output's rows.
        assert_eq!(unit(&place(4, 256, 64, 64), 2, wide), 1);
        assert_eq!(unit(&place(4, 256, 64, 66), 0, wide), 1);
        assert_eq!(unit(&place(4, 256, 63, 64), 0, wide), 1);
        assert_eq!(unit(&place(4, 260, 64, 64), 0, wide), 1);
        assert_eq!(unit(&place(4, 256, 64, 64), 0, Target { alignment: 8, ..wide }), 1);
        assert_eq!(unit(&place(1, 256, 64, 68), 0, half), 1);
        let odd_steps = Place { steps: (322, 72), ..place(1, 256, 64, 72) };
        assert_eq!(unit(&odd_steps, 0, wide), 1);
        // Half of 16 bytes is enough where the output has no more.
        assert_eq!(unit(&place(4, 256, 64, 64), 0, Target { alignment: 8, ..half }), 4);
    }

    #[test]
    fn threads_are_as_many_as_run_at_a_time() {
        let y = Layout::new(65_536, 1696, 1696).expect("it is small");
        let config = Config::choose(424, y, false, 132);
        assert_eq!((config.extent.groups, config.blocks), (240, 398));
        let few = Layout::new(5, 1696, 1696).expect("it is small");
        assert_eq!(Config::choose(424, few, false, 132).extent.groups, 2);
        assert_eq!(Config::choose(424, few, true, 132).extent.groups, 5);
        let wide = Layout::new(1 << 20, 1 << 30, 1 << 30).expect("it fits");
        assert_eq!(Config::choose(1 << 30, wide, false, 132).extent.groups, 1);
    }
}
