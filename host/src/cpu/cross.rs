//! Feature cross: element-wise products.

use rayon::prelude::*;

use super::{CHUNK, CpuScalar};
use crate::ops::{HostMut, HostRef, Layout, OpError, check_shapes};

/// `y[r, c] = a[r, c] * b[r, c]`
///
/// # Errors
/// [`OpError::ShapeMismatch`].
pub fn hadamard<T: CpuScalar>(
    a: HostRef<'_, T>,
    b: HostRef<'_, T>,
    y: &mut HostMut<'_, T>,
) -> Result<(), OpError> {
    let layouts = [a.layout(), b.layout(), y.layout()];
    check_shapes("hadamard", &[("a", layouts[0]), ("b", layouts[1]), ("y", layouts[2])])?;
    for_each_piece(&layouts, y, |[a0, b0, _], y| {
        T::multiply(&a.data()[a0..], &b.data()[b0..], y);
    });
    Ok(())
}

/// `y[r, c] = y[r, c] * b[r, c]`
///
/// # Errors
/// [`OpError::ShapeMismatch`].
pub fn hadamard_assign<T: CpuScalar>(b: HostRef<'_, T>, y: &mut HostMut<'_, T>) -> Result<(), OpError> {
    let layouts = [b.layout(), y.layout()];
    check_shapes("hadamard_assign", &[("b", layouts[0]), ("y", layouts[1])])?;
    for_each_piece(&layouts, y, |[b0, _], y| T::multiply_assign(&b.data()[b0..], y));
    Ok(())
}

/// `da[r, c] = dy[r, c] * b[r, c]` and `db[r, c] = dy[r, c] * a[r, c]`
///
/// # Errors
/// [`OpError::ShapeMismatch`].
pub fn hadamard_bwd<T: CpuScalar>(
    dy: HostRef<'_, T>,
    a: HostRef<'_, T>,
    b: HostRef<'_, T>,
    da: &mut HostMut<'_, T>,
    db: &mut HostMut<'_, T>,
) -> Result<(), OpError> {
    let layouts = [dy.layout(), a.layout(), b.layout(), da.layout(), db.layout()];
    let names = ["dy", "a", "b", "da", "db"];
    let named: [_; 5] = std::array::from_fn(|i| (names[i], layouts[i]));
    check_shapes("hadamard_bwd", &named)?;
    for_each_pair(&layouts, da, db, |[dy0, a0, b0, ..], da, db| {
        let dy = &dy.data()[dy0..];
        T::multiply(dy, &b.data()[b0..], da);
        T::multiply(dy, &a.data()[a0..], db);
    });
    Ok(())
}

/// Calls `f` for pieces of the rows of `y`, in parallel: where each operand's piece starts, and the piece of `y`.
fn for_each_piece<T: CpuScalar, const N: usize>(
    layouts: &[Layout; N],
    y: &mut HostMut<'_, T>,
    f: impl Fn([usize; N], &mut [T]) + Sync,
) {
    let plan = Plan::new(layouts);
    if plan.cols == 0 {
        return;
    }
    let rows = y.data_mut().par_chunks_mut(plan.strides[N - 1]).with_min_len(plan.rows_per_task);
    rows.enumerate().for_each(|(row, y)| {
        y[..plan.cols].par_chunks_mut(CHUNK).enumerate().for_each(|(i, y)| f(plan.starts(row, i * CHUNK), y));
    });
}

/// The same for two outputs, the last two of `layouts`.
fn for_each_pair<T: CpuScalar, const N: usize>(
    layouts: &[Layout; N],
    y: &mut HostMut<'_, T>,
    z: &mut HostMut<'_, T>,
    f: impl Fn([usize; N], &mut [T], &mut [T]) + Sync,
) {
    let plan = Plan::new(layouts);
    if plan.cols == 0 {
        return;
    }
    let y_rows = y.data_mut().par_chunks_mut(plan.strides[N - 2]);
    let z_rows = z.data_mut().par_chunks_mut(plan.strides[N - 1]);
    y_rows.zip(z_rows).with_min_len(plan.rows_per_task).enumerate().for_each(|(row, (y, z))| {
        let pieces = y[..plan.cols].par_chunks_mut(CHUNK).zip(z[..plan.cols].par_chunks_mut(CHUNK));
        pieces.enumerate().for_each(|(i, (y, z))| f(plan.starts(row, i * CHUNK), y, z));
    });
}

/// How the rows are walked: as one row where no operand has gaps.
struct Plan<const N: usize> {
    cols: usize,
    strides: [usize; N],
    rows_per_task: usize,
}

impl<const N: usize> Plan<N> {
    fn new(layouts: &[Layout; N]) -> Self {
        let (rows, cols) = (layouts[0].rows(), layouts[0].cols());
        if rows == 0 || cols == 0 {
            return Self { cols: 0, strides: [1; N], rows_per_task: 1 };
        }
        let cols = if layouts.iter().all(Layout::is_contiguous) { rows * cols } else { cols } as usize;
        let one_row = rows <= 1 || cols as u64 != layouts[0].cols();
        let strides = layouts.map(|l| if one_row { cols } else { l.stride() as usize });
        Self { cols, strides, rows_per_task: CHUNK.div_ceil(cols) }
    }

    fn starts(&self, row: usize, col: usize) -> [usize; N] {
        self.strides.map(|stride| row * stride + col)
    }
}
