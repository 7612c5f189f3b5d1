//! Every distance that is at most its list's threshold, with where it is
//!
//! Shapes     distances: [lists, n]; thresholds: [lists]; found: [8 ..]
//! Types      f32 in; entries out: the number's bits above its place in `distances`
//! Launch     1-D, block 128; any grid covers everything
//! Traffic    4 lists n bytes, and 8 for each that is found
//! Tolerance  exact; NaN is never found; the order is any

use gpu_std::{GridMut, kernel, thread};

use super::BLOCK;
use super::found::{entry, report};

/// Reports the distances that are small enough.
///
/// # Safety
/// `distances` has a whole number of lists of `n` elements, less than 2^32 − 2^16 in all, none negative, `thresholds` as many as
/// there are lists; `found` has a header.
#[kernel(block = BLOCK)]
pub unsafe fn dtw_at_most(distances: &[f32], thresholds: &[f32], found: GridMut<u64>, n: u32) {
    let mut found = found;
    let all = distances.len() as u32;
    let step = thread::grid_threads() as u32;
    let mut first = thread::grid_thread_linear() as u32 - thread::lane_idx();
    while first < all {
        let at = first + thread::lane_idx();
        let mut distance = f32::NAN;
        let mut keep = false;
        if at < all {
            // SAFETY: inside, and the list that it is in; `n` is not 0, and that it might be would cost a call.
            unsafe {
                distance = *distances.get_unchecked(at as usize);
                keep = distance <= *thresholds.get_unchecked(at.checked_div(n).unwrap_or(0) as usize);
            }
        }
        // SAFETY: all lanes come here.
        unsafe { report(&mut found, keep, entry(distance, at)) };
        first = first.saturating_add(step);
    }
}
