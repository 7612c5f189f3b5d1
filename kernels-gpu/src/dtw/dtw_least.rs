//! least[l, c] = the least distance of list l among points CHUNK c to CHUNK (c + 1) − 1, with where it is
//!
//! Shapes     distances: [lists, n]; least: [lists, chunks], chunks = ⌈n / CHUNK⌉
//! Types      f32 in; entries out: the number's bits above the point
//! Launch     1-D, block 128, one warp per chunk; any grid covers everything
//! Traffic    4 lists n bytes
//! Tolerance  exact; NaN is never the least, and a chunk of NaN alone has no entry

use gpu_std::{GridMut, kernel, thread, warp};

use super::BLOCK;
use super::found::{NONE, entry};

/// Points of a chunk.
pub const CHUNK: u32 = 1024;

/// The least entry of every chunk.
///
/// # Safety
/// `distances` has a whole number of lists of `n` elements, less than 2^32 in all and none negative; `least` has an element for
/// every chunk of each.
#[kernel(block = BLOCK)]
pub unsafe fn dtw_least(distances: &[f32], least: GridMut<u64>, n: u32) {
    let mut least = least;
    let chunks = n.div_ceil(CHUNK);
    let (lane, warps) = (thread::lane_idx(), thread::grid_threads() / 32);
    let mut at = thread::grid_thread_linear() / 32;
    while at < least.len() {
        // `n` is not 0; that it might be would cost a call.
        let list = (at as u32).checked_div(chunks).unwrap_or(0);
        let chunk = at as u32 - list * chunks;
        let first = chunk * CHUNK;
        let end = if n - first < CHUNK { n } else { first + CHUNK };
        let mut best = NONE;
        let mut t = first + lane;
        while t < end {
            // SAFETY: an element of the list.
            let distance = unsafe { *distances.get_unchecked((list * n + t) as usize) };
            let this = entry(distance, t);
            if !distance.is_nan() && this < best {
                best = this;
            }
            t += 32;
        }
        // SAFETY: all lanes come here; the element is this warp's own.
        unsafe {
            let best = warp::warp_reduce_min(best);
            if lane == 0 {
                least.as_mut_ptr().add(at as usize).write(best);
            }
        }
        at += warps;
    }
}
