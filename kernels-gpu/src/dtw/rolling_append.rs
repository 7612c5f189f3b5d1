//! mean, min, max, var[r, t] = those of the last `window` points of row r, which has grown by points[r, ..= t]
//!
//! Shapes     points, outputs: [rows, count], rows `stride` elements apart; history: [rows, ring], point i of a row in column
//!            i % ring
//! Types      f32; sums in f64 about the window's first point, ascending
//! Launch     1-D, block 128; any grid covers everything
//! Traffic    4 rows count (1 + outputs) bytes and the history's last `window`, 2 rows count window operations
//! Tolerance  exact
//!
//! The new points are read where they are and written to columns of the history that no window of the launch reads.

use gpu_std::math::rcp_rn_f64;
use gpu_std::{DeviceRepr, GridMut, kernel, thread};

use super::BLOCK;
use super::aggregates::{NONE, Outputs, values};

/// By how much the rows grow, and from what.
#[derive(Clone, Copy, Debug, PartialEq, Eq, DeviceRepr)]
#[repr(C)]
pub struct Growth {
    /// Rows.
    pub rows: u64,
    /// New points of a row, at least 1.
    pub count: u64,
    /// Elements from a row of the new points, and of each output, to the next.
    pub stride: u64,
    /// Columns of the history, at least `window − 1 + count`.
    pub ring: u64,
    /// The column of the first new point.
    pub at: u64,
    /// Points of the aggregates, at least 1.
    pub window: u32,
    /// Points that a row has in the history, `window − 1` where it has more.
    pub seen: u32,
}

impl Growth {
    /// Points in the history that the aggregates at new point `t` are of.
    #[inline(always)]
    fn old_points(&self, t: u64) -> u32 {
        if t < u64::from(self.window - 1) { self.window - 1 - t as u32 } else { 0 }
    }

    /// The column `ahead` behind column `from`; both are less than `ring`.
    #[inline(always)]
    fn column(&self, from: u64, ahead: u64) -> u64 {
        let column = from + ahead;
        if column < self.ring { column } else { column - self.ring }
    }
}

/// Rolling mean, minimum, maximum and population variance of rows that grow; a window that is not finite, or reaches before
/// the first point of a row, gives NaN.
///
/// # Safety
/// Every operand is as `growth` says; `history` holds the last `seen` points of every row in front of column `at`.
#[kernel(block = BLOCK, max_registers = 64)]
pub unsafe fn rolling_append(
    points: &[f32],
    mut history: GridMut<f32>,
    mean: GridMut<f32>,
    min: GridMut<f32>,
    max: GridMut<f32>,
    var: GridMut<f32>,
    growth: Growth,
) {
    let mut outputs = Outputs { mean, min, max, var };
    let inverse = rcp_rn_f64(f64::from(growth.window));
    let kept = history.as_mut_ptr();
    let mut i = thread::grid_thread_linear();
    while i < growth.rows * growth.count {
        let (row, t) = (i / growth.count, i % growth.count);
        let (new, old) = (row * growth.stride, growth.old_points(t));
        let ring = kept.wrapping_add((row * growth.ring) as usize);
        let values = if old > growth.seen {
            NONE
        } else {
            let first = growth.column(growth.at, growth.ring - u64::from(old));
            values(growth.window, inverse, |k| {
                if k < old {
                    // SAFETY: a column of the row that holds a point, and that no thread writes.
                    unsafe { ring.add(growth.column(first, u64::from(k)) as usize).read() }
                } else {
                    let ahead = t + 1 + u64::from(k) - u64::from(growth.window);
                    // SAFETY: a new point of the row, not behind `t`.
                    unsafe { *points.get_unchecked((new + ahead) as usize) }
                }
            })
        };
        // SAFETY: inside every output and the history, and this thread's own: `ring` is no less than `count`.
        unsafe {
            outputs.store(new + t, values);
            let point = *points.get_unchecked((new + t) as usize);
            ring.add(growth.column(growth.at, t) as usize).write(point);
        }
        i += thread::grid_threads();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GROWTH: Growth = Growth { rows: 1, count: 3, stride: 3, ring: 8, at: 6, window: 5, seen: 4 };

    #[test]
    fn a_window_reaches_as_far_into_the_history_as_the_new_points_are_few() {
        assert_eq!([0, 1, 3, 4, 5, u64::MAX].map(|t| GROWTH.old_points(t)), [4, 3, 1, 0, 0, 0]);
        assert_eq!(Growth { window: 1, ..GROWTH }.old_points(0), 0);
    }

    #[test]
    fn no_window_reads_a_column_that_is_written() {
        for at in 0..GROWTH.ring {
            let growth = Growth { at, ..GROWTH };
            let written: [u64; 3] = core::array::from_fn(|t| growth.column(at, t as u64));
            for t in 0..growth.count {
                let old = growth.old_points(t);
                let first = growth.column(at, growth.ring - u64::from(old));
                for k in 0..old {
                    let column = growth.column(first, u64::from(k));
                    assert!(column < growth.ring && !written.contains(&column), "{at} {t} {k}");
                }
            }
        }
    }
}
