//! Lists of windows in device memory, which grow by what the warps append.
//!
//! An entry is a window with a number that is not negative: its distance, or a bound of that. In 64 bits, the number's bits
//! above the window's: entries order by number, then by window.

use gpu_std::atomic::{Global, Gpu, Relaxed, atom_add};
use gpu_std::int::popc_b32;
use gpu_std::{GridMut, thread, warp};

/// All lanes of a warp.
pub const FULL: u32 = !0;

/// An entry that is none.
pub const NONE: u64 = u64::MAX;

/// Words in front of the windows found: [`FOUND`], [`ROWS`], [`LISTED`], and nothing.
pub const HEADER: u64 = 8;

/// The word that counts the windows found. They may be more than there was room for.
pub const FOUND: usize = 0;

/// The word that counts rows of matrices, those of all lanes of a warp.
pub const ROWS: usize = 1;

/// The word that counts the windows listed. As [`FOUND`].
pub const LISTED: usize = 2;

/// The entry of a window.
#[inline(always)]
pub const fn entry(number: f32, window: u32) -> u64 {
    (number.to_bits() as u64) << 32 | window as u64
}

/// Number and window of an entry.
#[inline(always)]
pub const fn split(entry: u64) -> (f32, u32) {
    (f32::from_bits((entry >> 32) as u32), entry as u32)
}

/// Counts `places` more, and gives the first of them to all lanes.
///
/// # Safety
/// All lanes of the warp come here with the same number; `count` is only used atomically in this launch.
#[inline(always)]
pub unsafe fn claim(count: *mut u64, places: u32) -> u64 {
    let mut first = 0;
    if thread::lane_idx() == 0 {
        // SAFETY: promised by the caller.
        first = unsafe { atom_add(count, u64::from(places), Relaxed, Gpu, Global) };
    }
    // SAFETY: all lanes come here.
    unsafe { warp::shfl_idx_sync(FULL, first, 0) }
}

/// Appends the entries of the lanes that `keep` them to what is found, in the order of the lanes, where it has room; all are
/// counted.
///
/// # Safety
/// All lanes of the warp come here; `found` has at least [`HEADER`] words, and [`FOUND`] is only used so in this launch.
#[inline(always)]
pub unsafe fn report(found: &mut GridMut<u64>, keep: bool, entry: u64) {
    // SAFETY: all lanes come here.
    let keeping = unsafe { warp::ballot_sync(FULL, keep) };
    if keeping != 0 {
        let (room, words) = (found.len() - HEADER, found.as_mut_ptr());
        // SAFETY: the same lanes, all of them; a word of the header.
        let first = unsafe { claim(words.add(FOUND), popc_b32(keeping)) };
        let at = first + u64::from(popc_b32(keeping & thread::lanemask_lt()));
        if keep && at < room {
            // SAFETY: behind the header, inside, and this lane's own.
            unsafe { words.add((HEADER + at) as usize).write(entry) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_order_by_number_then_window() {
        let ordered = [(0.0, 7), (1e-40, 0), (1.0, 3), (1.0, 4), (f32::MAX, 0), (f32::INFINITY, 1)];
        for pair in ordered.windows(2) {
            assert!(entry(pair[0].0, pair[0].1) < entry(pair[1].0, pair[1].1), "{pair:?}");
        }
        assert!(ordered.iter().all(|&(number, window)| split(entry(number, window)) == (number, window)));
        assert!(entry(f32::INFINITY, u32::MAX) < NONE);
    }
}
