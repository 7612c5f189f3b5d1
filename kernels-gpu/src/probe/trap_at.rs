//! y[i] = i, and a trap where i is at
//!
//! Shapes     y: [n], contiguous; n may be 0
//! Types      u32
//! Launch     1-D, block 256; any grid covers everything
//! Traffic    4 n bytes
//! Tolerance  exact, where at ≥ n; else the launch fails and the device is lost to the process

use gpu_std::{GridMut, control, kernel};

use super::BLOCK;

/// Traps in the thread that owns element `at`, if there is one.
#[kernel(block = BLOCK)]
pub fn trap_at(y: GridMut<u32>, at: u64) {
    y.for_each(|i, value| {
        if i == at {
            control::trap();
        }
        *value = i as u32;
    });
}
