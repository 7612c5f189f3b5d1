//! Ask, choose, launch for work over strided rows: [`RowProblem`] → [`RowConfig`] → the op's kernel.

use gpu_std::launch::MAX_GRID;
use gpu_std::rows::RowExtent;

use super::{Layout, OpError, Scalar};

/// Refuses operands whose rows or columns differ from the first one's.
///
/// # Errors
/// [`OpError::ShapeMismatch`].
pub fn check_shapes(op: &'static str, operands: &[(&'static str, Layout)]) -> Result<(), OpError> {
    let Some(&(left, first)) = operands.first() else { return Ok(()) };
    for &(right, other) in &operands[1..] {
        if (other.rows(), other.cols()) != (first.rows(), first.cols()) {
            return Err(OpError::ShapeMismatch {
                op,
                left,
                left_rows: first.rows(),
                left_cols: first.cols(),
                right,
                right_rows: other.rows(),
                right_cols: other.cols(),
            });
        }
    }
    Ok(())
}

/// What is asked: the shape all operands have, and whether any of them has gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowProblem {
    /// Rows.
    pub rows: u64,
    /// Elements per row.
    pub cols: u64,
    /// Whether no operand has gaps or repeats.
    pub contiguous: bool,
    /// Elements in 16 bytes.
    pub lanes: usize,
    /// Threads per block.
    pub block: u32,
}

impl RowProblem {
    /// The problem over `operands`, for elements of type `T` and blocks of `block` threads.
    ///
    /// # Errors
    /// [`OpError::ShapeMismatch`].
    pub fn new<T: Scalar>(
        op: &'static str,
        operands: &[(&'static str, Layout)],
        block: u32,
    ) -> Result<Self, OpError> {
        check_shapes(op, operands)?;
        let (rows, cols) = operands.first().map_or((0, 0), |(_, l)| (l.rows(), l.cols()));
        let contiguous = operands.iter().all(|(_, l)| l.is_contiguous());
        Ok(Self { rows, cols, contiguous, lanes: T::LANES, block })
    }

    /// Whether there is nothing to compute: then nothing is launched.
    pub const fn is_empty(&self) -> bool {
        self.rows == 0 || self.cols == 0
    }

    /// The configuration: operands without gaps are slices; a grid that covers everything once, as far as the hardware
    /// takes it; the kernels repeat for what is left. This is the place to tune.
    pub fn choose(&self) -> RowConfig {
        if self.contiguous {
            let chunks = (self.rows * self.cols).div_ceil(self.lanes as u64);
            let blocks = chunks.div_ceil(u64::from(self.block)).clamp(1, u64::from(MAX_GRID[0])) as u32;
            return RowConfig::Slices { blocks };
        }
        let extent = RowExtent::new(self.rows, self.cols, self.lanes, self.block);
        let (x, y) = extent.blocks(self.lanes, self.block);
        let grid = (x.clamp(1, u64::from(MAX_GRID[0])) as u32, y.clamp(1, u64::from(MAX_GRID[1])) as u32);
        RowConfig::Rows { extent, grid }
    }
}

/// How it is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowConfig {
    /// As slices of one length, by so many blocks.
    Slices {
        /// Blocks in x.
        blocks: u32,
    },
    /// As rows that lie apart.
    Rows {
        /// Rows and columns, and threads side by side.
        extent: RowExtent,
        /// Blocks in x and y.
        grid: (u32, u32),
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(rows: u64, cols: u64, stride: u64) -> Layout {
        Layout::new(rows, cols, stride).expect("it fits")
    }

    fn choose(layouts: &[Layout]) -> RowConfig {
        let operands: Vec<_> = layouts.iter().map(|&l| ("x", l)).collect();
        RowProblem::new::<f32>("op", &operands, 256).expect("one shape").choose()
    }

    #[test]
    fn operands_without_gaps_are_slices() {
        let config = choose(&[layout(4096, 128, 128), layout(4096, 128, 128)]);
        assert_eq!(config, RowConfig::Slices { blocks: 512 });
        assert_eq!(choose(&[layout(1, 5, 77)]), RowConfig::Slices { blocks: 1 });
    }

    #[test]
    fn one_operand_with_gaps_keeps_the_rows() {
        let config = choose(&[layout(4096, 128, 128), layout(4096, 128, 0)]);
        let extent = RowExtent::new(4096, 128, 4, 256);
        assert_eq!(config, RowConfig::Rows { extent, grid: (1, 512) });
    }

    #[test]
    fn the_grid_stays_within_the_hardware() {
        let many_rows = choose(&[layout(1 << 40, 1024, 1025)]);
        assert!(matches!(many_rows, RowConfig::Rows { grid: (1, 65_535), .. }));
        let many_cols = choose(&[layout(1, 1 << 60, 1 << 60)]);
        assert_eq!(many_cols, RowConfig::Slices { blocks: i32::MAX as u32 });
    }

    #[test]
    fn shapes_that_differ_are_refused_by_name() {
        let error = check_shapes("hadamard", &[("a", layout(2, 3, 3)), ("b", layout(3, 2, 2))]);
        let text = error.expect_err("they differ").to_string();
        assert_eq!(text, "hadamard: `a` is 2 x 3 and `b` is 3 x 2; they must be equal");
    }

    #[test]
    fn each_step_prints_on_one_line() {
        let problem = RowProblem::new::<f32>("op", &[("x", layout(2, 3, 3))], 256).expect("one shape");
        assert_eq!(format!("{problem:?}{:?}", problem.choose()).lines().count(), 1);
    }
}
