//! y[i] = x[n − 1 − i], by way of dynamic shared memory
//!
//! Shapes     x, y: [n], contiguous; n may be 0
//! Types      u32
//! Launch     1-D, block 256, at least 4 n bytes of dynamic shared memory: every block holds all of x
//! Traffic    4 n bytes per block, and 4 n
//! Tolerance  exact

use gpu_std::shared::DynamicShared;
use gpu_std::{GridMut, block, kernel, thread};

use super::BLOCK;

/// Reverses `x` through shared memory.
///
/// # Safety
/// The launch has at least `4 * x.len()` bytes of dynamic shared memory.
#[kernel(block = BLOCK, same_len(x, y))]
pub unsafe fn shared_copy(x: &[u32], y: GridMut<u32>, #[shared] tile: DynamicShared<u32>) {
    let n = x.len();
    let mut i = thread::thread_linear() as usize;
    while i < n {
        // SAFETY: `i < n`, and the launch has room for `n` elements; the thread owns those congruent to its index.
        unsafe { tile.write(i, x[i]) };
        i += BLOCK as usize;
    }
    // SAFETY: every thread of the block comes here.
    unsafe { block::bar_sync() };
    y.for_each(|i, value| {
        // SAFETY: `i < y.len() == n`; the barrier lies between the writes and this.
        *value = unsafe { tile.read(n - 1 - i as usize) };
    });
}
