//! mean, min, max, var[r, t] = those of series[r, t − window + 1 ..= t]; NaN before the first full window
//!
//! Shapes     series: [rows, n]; outputs: [rows, n] or empty
//! Types      f32; sums in f64 about the window's first point, ascending
//! Launch     1-D, block 128; any grid covers everything
//! Traffic    4 rows n (1 + outputs) bytes, 2 rows n window operations
//! Tolerance  exact

use gpu_std::{GridMut, kernel, thread};

use super::BLOCK;
use super::aggregates::{NONE, Outputs, values};

/// Rolling mean, minimum, maximum and population variance; a window that is not finite gives NaN.
///
/// # Safety
/// `series` has a whole number of rows of `n ≥ 1` points, every output as many elements or none; `window ≥ 1`.
#[kernel(block = BLOCK)]
pub unsafe fn rolling(
    series: &[f32],
    mean: GridMut<f32>,
    min: GridMut<f32>,
    max: GridMut<f32>,
    var: GridMut<f32>,
    n: u64,
    window: u32,
) {
    let mut outputs = Outputs { mean, min, max, var };
    let inverse = 1.0 / f64::from(window);
    let mut i = thread::grid_thread_linear();
    while i < series.len() as u64 {
        let values = if i % n + 1 < u64::from(window) {
            NONE
        } else {
            let start = (i + 1 - u64::from(window)) as usize;
            values(window, inverse, |k| {
                // SAFETY: `start + window` is `i + 1`, and `start` lies in the row.
                unsafe { *series.get_unchecked(start + k as usize) }
            })
        };
        // SAFETY: inside every output, and this thread's own.
        unsafe { outputs.store(i, values) };
        i += thread::grid_threads();
    }
}
