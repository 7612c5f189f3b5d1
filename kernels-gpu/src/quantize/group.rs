//! The threads that share a row: a power of two of them, side by side in the block.

use gpu_std::shared::SharedArray;
use gpu_std::{DeviceRepr, block, thread, warp};

use super::BLOCK;

/// Warps of a block.
const WARPS: usize = (BLOCK / thread::WARP_SIZE) as usize;

/// Words that threads exchange values by: one for each warp and each of two turns.
pub const EXCHANGE: usize = 2 * WARPS;

/// Shared memory of the family.
pub type Exchange = SharedArray<u64, EXCHANGE>;

/// All lanes of a warp.
const FULL: u32 = !0;

/// The threads of one row.
#[derive(Clone, Copy)]
pub struct Group {
    /// Base-2 logarithm of their number, at most that of the block.
    pub log2: u32,
    /// Which of them this thread is.
    pub lane: u32,
    /// Which group of the block it is.
    pub index: u32,
}

impl Group {
    /// This thread's group of `2^log2` threads.
    #[inline(always)]
    pub fn new(log2: u32) -> Self {
        let tid = thread::thread_idx_x();
        Self { log2, lane: tid & ((1 << log2) - 1), index: tid >> log2 }
    }

    /// Threads of the group.
    #[inline(always)]
    pub fn size(self) -> u32 {
        1 << self.log2
    }

    /// `f` over the values of the group's threads, the same in all of them. `f` is commutative and associative. Exchange
    /// number `turn`, 0 or 1.
    ///
    /// # Safety
    /// All threads of the block come here with groups of one size; a barrier lies between two calls with one `turn`. `V` has at
    /// most 8 bytes.
    #[inline(always)]
    pub unsafe fn all<V: DeviceRepr>(
        self,
        value: V,
        exchange: Exchange,
        turn: usize,
        f: impl Fn(V, V) -> V,
    ) -> V {
        const { assert!(size_of::<V>() <= 8) }
        let mut acc = value;
        let mut distance = if self.log2 > 5 { 16 } else { (1 << self.log2) / 2 };
        while distance > 0 {
            // SAFETY: all threads of the block come here, and the number of turns is the same for all.
            acc = f(acc, unsafe { warp::shfl_xor_sync(FULL, acc, distance) });
            distance /= 2;
        }
        if self.log2 <= 5 {
            return acc;
        }
        let words = exchange.as_mut_ptr().wrapping_add(turn * WARPS);
        let warp = thread::thread_idx_x() / thread::WARP_SIZE;
        let warps = 1_u32 << (self.log2 - 5);
        // SAFETY: a word for each warp, written by its first lane; the barrier lies before the reads, and one promised by the
        // caller before the next writes. The size is the same for all threads.
        unsafe {
            if thread::lane_idx() == 0 {
                words.add(warp as usize).cast::<V>().write(acc);
            }
            block::bar_sync();
            let first = words.add((warp & !(warps - 1)) as usize);
            acc = first.cast::<V>().read();
            let mut other = 1;
            while other < warps {
                acc = f(acc, first.add(other as usize).cast::<V>().read());
                other += 1;
            }
        }
        acc
    }
}
