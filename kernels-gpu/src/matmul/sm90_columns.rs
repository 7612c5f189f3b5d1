//! What the columns of a tile bring along, in shared memory: one warp looks it up for the next tile while the warps that multiply use
//! that of this one.

use gpu_std::mbarrier::{Mbarrier, mbarrier_arrive, mbarrier_init, mbarrier_wait_parity};
use gpu_std::warp::{FULL_MASK, bar_warp_sync};
use gpu_std::{thread, unroll};

use super::epilogue::Column;

/// Tiles that are in shared memory at a time.
const SLOTS: u32 = 2;
/// Bytes of two neighbouring columns: scales and biases, or sums and zero points.
const PAIR_BYTES: u32 = 16;

/// A pair of columns: both scales, both biases.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Scales([f32; 4]);

/// A pair of columns: both sums, both zero points.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Zeros([i32; 4]);

/// The columns of tiles of `N` columns.
#[derive(Clone, Copy)]
pub struct Columns<const N: usize> {
    place: *mut u8,
    bars: *mut Mbarrier,
}

/// A slot, and how often it has been used.
#[derive(Clone, Copy)]
pub struct Slot(u32);

impl Slot {
    /// That of the first tile.
    pub const START: Self = Self(0);

    /// That of the next tile.
    #[inline(always)]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }

    #[inline(always)]
    fn round(self) -> u32 {
        (self.0 / SLOTS) & 1
    }
}

impl<const N: usize> Columns<N> {
    const SLOT_BYTES: u32 = N as u32 * PAIR_BYTES;
    /// The columns at `place`.
    #[inline(always)]
    pub fn new(place: *mut u8) -> Self {
        Self { place, bars: place.wrapping_add((SLOTS * Self::SLOT_BYTES) as usize).cast() }
    }

    /// Makes the objects, for `warps` warps that use the columns.
    ///
    /// # Safety
    /// One thread calls it; nobody uses the objects before a fence and a barrier.
    #[inline(always)]
    pub unsafe fn init(self, warps: u32) {
        // SAFETY: promised by the caller.
        unsafe {
            unroll!(for slot in 0..2 {
                mbarrier_init(self.bars.add(2 * slot), 32);
                mbarrier_init(self.bars.add(2 * slot + 1), warps);
            });
        }
    }

    #[inline(always)]
    fn bar(self, slot: Slot, empty: bool) -> *mut Mbarrier {
        self.bars.wrapping_add((2 * (slot.0 % SLOTS) + empty as u32) as usize)
    }

    #[inline(always)]
    fn pair(self, slot: Slot, pair: u32) -> *mut Scales {
        self.place.wrapping_add((slot.0 % SLOTS * Self::SLOT_BYTES + pair * PAIR_BYTES) as usize).cast()
    }

    #[inline(always)]
    fn zeros(self, slot: Slot, pair: u32) -> *mut Zeros {
        self.pair(slot, pair + N as u32 / 2).cast()
    }

    /// Looks up the columns from `first` on, each by `column`; behind column `n` there are none.
    ///
    /// # Safety
    /// The warp that does this calls it together, for slot after slot.
    #[inline(always)]
    pub unsafe fn fill(self, slot: Slot, zeros: bool, first: u32, n: u32, column: impl Fn(usize) -> Column) {
        let column = |j: u32| if j < n { column(j as usize) } else { Column::NONE };
        // SAFETY: the slot is nobody else's until the object says so.
        unsafe {
            mbarrier_wait_parity(self.bar(slot, true), slot.round() ^ 1);
            let mut pair = thread::lane_idx();
            while pair < N as u32 / 2 {
                let (left, right) = (column(first + 2 * pair), column(first + 2 * pair + 1));
                self.pair(slot, pair).write(Scales([left.scale, right.scale, left.bias, right.bias]));
                if zeros {
                    self.zeros(slot, pair).write(Zeros([left.sum, right.sum, left.zero, right.zero]));
                }
                pair += 32;
            }
            mbarrier_arrive(self.bar(slot, false));
        }
    }

    /// Waits until the slot is filled.
    ///
    /// # Safety
    /// The objects are made.
    #[inline(always)]
    pub unsafe fn wait(self, slot: Slot) {
        // SAFETY: promised by the caller.
        unsafe { mbarrier_wait_parity(self.bar(slot, false), slot.round()) }
    }

    /// Columns 2 `pair` and the next, with their zero points if there are `zeros`.
    ///
    /// # Safety
    /// The slot has been waited for and is not released.
    #[inline(always)]
    pub unsafe fn get(self, slot: Slot, pair: u32, zeros: bool) -> [Column; 2] {
        // SAFETY: promised by the caller.
        unsafe {
            let Scales([left, right, left_bias, right_bias]) = self.pair(slot, pair).read();
            let Zeros([ls, rs, lz, rz]) = if zeros { self.zeros(slot, pair).read() } else { Zeros([0; 4]) };
            [
                Column { scale: left, bias: left_bias, zero: lz, sum: ls },
                Column { scale: right, bias: right_bias, zero: rz, sum: rs },
            ]
        }
    }

    /// Gives the slot back.
    ///
    /// # Safety
    /// Each warp that uses the columns calls it together, once for each slot.
    #[inline(always)]
    pub unsafe fn release(self, slot: Slot) {
        // SAFETY: promised by the caller.
        unsafe {
            bar_warp_sync(FULL_MASK);
            if thread::lane_idx() == 0 {
                mbarrier_arrive(self.bar(slot, true));
            }
        }
    }
}
