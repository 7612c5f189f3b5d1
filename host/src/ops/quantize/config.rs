//! Ask and choose: which instance quantizes rows, and how threads stand over them.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut, LaunchShape, MAX_GRID};
use kernels_gpu::quantize::BLOCK;
use kernels_gpu::quantize::held::CHUNKS;
use kernels_gpu::quantize::rows::QuantizeExtent;

use crate::ops::{Layout, MatrixMut, MatrixRef, Scalar};

/// Base-2 logarithm of the fewest threads that share a row: as many as 16 bytes have elements.
const LEAST_GROUP: u32 = 3;

/// An operand: where it begins, its rows, its element's size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    addr: u64,
    layout: Layout,
    elem_bytes: u64,
}

impl Place {
    /// That of a matrix to read.
    pub fn read<T: Scalar>(x: &MatrixRef<'_, T>) -> Self {
        let view: DeviceSlice<'_, T> = x.data();
        Self { addr: view.addr(), layout: x.layout(), elem_bytes: T::DTYPE.size_bytes() }
    }

    /// That of codes of a byte.
    pub fn codes<C>(view: &DeviceSliceMut<'_, C>, layout: Layout) -> Self
    where
        C: gpu_std::DeviceRepr,
    {
        Self { addr: view.addr(), layout, elem_bytes: 1 }
    }

    /// Whether every row begins at a multiple of `bytes`, a power of two of 16 at most.
    pub fn is_aligned(&self, bytes: u64) -> bool {
        u64::from(self.layout.alignment(self.addr, self.elem_bytes)) >= bytes
    }
}

/// Takes codes apart: the view, and its layout.
pub(super) fn parts<C: gpu_std::DeviceRepr>(codes: MatrixMut<'_, C>) -> (DeviceSliceMut<'_, C>, Layout) {
    let layout = codes.layout();
    (codes.into_data(), layout)
}

/// What is asked: rows to quantize.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowsProblem {
    rows: u64,
    cols: u64,
    /// Elements in 16 bytes of input.
    lanes: u64,
    /// Whether inputs begin at multiples of 16 bytes in every row, codes at multiples of `lanes`.
    aligned: bool,
}

/// How it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct RowsConfig {
    /// The way of the kernel's instance.
    pub way: Way,
    /// Base-2 logarithm of the threads that share a row.
    pub log2_group: u32,
    blocks: u32,
}

/// How an instance goes over a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// The row stays in registers.
    Held,
    /// The row is read twice, 16 bytes at a time.
    Twice,
    /// The row is read twice, element by element.
    Single,
}

impl RowsProblem {
    /// That of inputs and codes in these places.
    pub fn new<T: Scalar>(inputs: &[Place], codes: &[Place]) -> Self {
        let layout = codes.first().map_or(Layout::EMPTY, |codes| codes.layout);
        let lanes = T::LANES as u64;
        let aligned = inputs.iter().all(|place| place.is_aligned(16))
            && codes.iter().all(|place| place.is_aligned(lanes));
        Self { rows: layout.rows(), cols: layout.cols(), lanes, aligned }
    }

    /// The configuration on a device of `sm_count` multiprocessors: as few threads on a row as hold it, and more where the
    /// rows leave multiprocessors without a block. This is the place to tune.
    pub fn choose(&self, sm_count: u32) -> RowsConfig {
        let most = BLOCK.ilog2();
        let log2 = |threads: u64| threads.next_power_of_two().ilog2().clamp(LEAST_GROUP, most);
        let units = if self.aligned { self.cols / self.lanes } else { self.cols };
        let held = units.div_ceil(CHUNKS as u64);
        let mut log2_group = match units {
            0..=32 => log2(units.max(1)),
            _ => log2(held.max(32)),
        };
        while log2_group < most
            && 1 << log2_group < units
            && self.rows.div_ceil(u64::from(BLOCK >> log2_group)) < u64::from(sm_count)
        {
            log2_group += 1;
        }
        let way = match (self.aligned && self.cols > 0, held <= u64::from(BLOCK)) {
            (false, _) => Way::Single,
            (true, true) => Way::Held,
            (true, false) => Way::Twice,
        };
        let blocks = self.rows.div_ceil(u64::from(BLOCK >> log2_group));
        RowsConfig { way, log2_group, blocks: blocks.clamp(1, u64::from(MAX_GRID[0])) as u32 }
    }
}

impl RowsConfig {
    /// The grid.
    pub fn shape(&self) -> LaunchShape {
        LaunchShape::grid(self.blocks)
    }

    /// The kernel's extent; strides of operands that are not there are 0.
    pub fn extent(&self, problem: &RowsProblem, inputs: [u64; 2], codes: [u64; 2]) -> QuantizeExtent {
        QuantizeExtent {
            rows: problem.rows,
            cols: problem.cols,
            stride_x: inputs[0],
            stride_y: inputs[1],
            stride_codes: codes[0],
            stride_low: codes[1],
            log2_group: self.log2_group,
            reserved: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(rows: u64, cols: u64, aligned: bool) -> RowsProblem {
        RowsProblem { rows, cols, lanes: 8, aligned }
    }

    fn choose(rows: u64, cols: u64, aligned: bool) -> (Way, u32, u32) {
        let RowsConfig { way, log2_group, blocks } = problem(rows, cols, aligned).choose(132);
        (way, 1 << log2_group, blocks)
    }

    #[test]
    fn rows_that_fit_stay_in_registers() {
        assert_eq!(choose(8192, 8192, true), (Way::Held, 256, 8192));
        assert_eq!(choose(8192, 8199, true), (Way::Held, 256, 8192));
        assert_eq!(choose(8192, 8200, true), (Way::Twice, 256, 8192));
        assert_eq!(choose(8192, 4096, true), (Way::Held, 128, 4096));
        assert_eq!(choose(8192, 8192, false), (Way::Single, 256, 8192));
    }

    #[test]
    fn short_rows_share_a_block_and_few_rows_share_nothing() {
        assert_eq!(choose(1 << 20, 64, true), (Way::Held, 8, 1 << 15));
        assert_eq!(choose(1 << 20, 13, true), (Way::Held, 8, 1 << 15));
        assert_eq!(choose(1, 4096, true), (Way::Held, 256, 1));
        assert_eq!(choose(64, 8192, true), (Way::Held, 256, 64));
        assert_eq!(choose(5, 0, true), (Way::Single, 8, 1));
    }

    #[test]
    fn a_group_holds_its_row_for_every_length() {
        for cols in 0..9000 {
            for rows in [1, 100, 1 << 20] {
                let config = problem(rows, cols, true).choose(132);
                let held = (CHUNKS as u64) << config.log2_group;
                assert!(config.way != Way::Held || cols / 8 <= held, "{rows}x{cols}: {config:?}");
                assert!((LEAST_GROUP..=8).contains(&config.log2_group), "{rows}x{cols}: {config:?}");
            }
        }
    }

    #[test]
    fn more_rows_than_a_grid_has_blocks_are_repeated() {
        assert_eq!(choose(1 << 40, 1, false).2, i32::MAX as u32);
    }
}
