//! y[i] = factor * y[i] + add, after a while
//!
//! Shapes     y: [n], contiguous; n may be 0
//! Types      u32, wrapping
//! Launch     1-D, block 256; any grid covers everything
//! Traffic    8 n bytes
//! Tolerance  exact

use gpu_std::{GridMut, clock, kernel};

use super::BLOCK;

/// The longest a launch waits, in nanoseconds: no test needs more, and a wrong argument does not hang the device.
pub const MAX_NS: u64 = 1_000_000_000;

/// Waits `ns` nanoseconds in every thread, then computes: work that others can be seen not to wait for.
#[kernel(block = BLOCK)]
pub fn spin(y: GridMut<u32>, factor: u32, add: u32, ns: u64) {
    let wait = if ns < MAX_NS { ns } else { MAX_NS };
    let start = clock::globaltimer();
    while clock::globaltimer().wrapping_sub(start) < wait {
        clock::nanosleep(100);
    }
    y.for_each(|_, value| *value = factor.wrapping_mul(*value).wrapping_add(add));
}
