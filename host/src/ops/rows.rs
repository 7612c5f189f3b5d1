//! Ask, choose, launch for work over strided rows: [`RowProblem`] → [`RowConfig`] → [`LaunchShape`].

use gpu_std::launch::LaunchShape;
use gpu_std::rows::RowExtent;

use super::{Layout, OpError, Scalar};

/// Most blocks along x.
const MAX_GRID_X: u64 = i32::MAX as u64;
/// Most blocks along y; the kernels repeat downwards.
const MAX_GRID_Y: u64 = 65_535;

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

    /// The configuration: operands without gaps become one row; a grid that covers everything once, as far as the hardware
    /// takes it. This is the place to tune.
    pub fn choose(&self) -> RowConfig {
        let (rows, cols) = if self.contiguous { (1, self.rows * self.cols) } else { (self.rows, self.cols) };
        let extent = RowExtent::new(rows, cols, self.lanes, self.block);
        let (x, y) = extent.blocks(self.lanes, self.block);
        let grid = (x.clamp(1, MAX_GRID_X) as u32, y.clamp(1, MAX_GRID_Y) as u32);
        RowConfig { extent, grid }
    }
}

/// How it is done: the extent that the kernel gets, and blocks in x and y.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RowConfig {
    /// Rows and columns as the kernel sees them, and threads side by side.
    pub extent: RowExtent,
    /// Blocks in x and y.
    pub grid: (u32, u32),
}

impl RowConfig {
    /// The launch.
    pub fn shape(&self) -> LaunchShape {
        LaunchShape::grid(self.grid)
    }

    /// The row stride of an operand as the kernel sees it.
    pub fn stride(&self, layout: Layout) -> u64 {
        if self.extent.rows <= 1 { self.extent.cols } else { layout.stride() }
    }
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
    fn operands_without_gaps_become_one_row() {
        let config = choose(&[layout(4096, 128, 128), layout(4096, 128, 128)]);
        assert_eq!((config.extent.rows, config.extent.cols), (1, 4096 * 128));
        assert_eq!(config.grid, (512, 1));
        assert_eq!(config.stride(layout(4096, 128, 128)), 4096 * 128);
    }

    #[test]
    fn one_operand_with_gaps_keeps_the_rows() {
        let config = choose(&[layout(4096, 128, 128), layout(4096, 128, 0)]);
        assert_eq!((config.extent.rows, config.extent.cols), (4096, 128));
        assert_eq!(config.grid, (1, 512));
        assert_eq!(config.stride(layout(4096, 128, 0)), 0);
    }

    #[test]
    fn the_grid_stays_within_the_hardware() {
        let many_rows = choose(&[layout(1 << 40, 1024, 1025)]);
        assert_eq!(many_rows.grid, (1, 65_535));
        let many_cols = choose(&[layout(1, 1 << 60, 1 << 60)]);
        assert_eq!(many_cols.grid, (i32::MAX as u32, 1));
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
