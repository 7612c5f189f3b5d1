//! found[0] = min(found[0], the first fault of an index or a bag)
//!
//! Shapes     features: what each is, see `feature`; found: \[1\], at first [`NOTHING`]
//! Types      indices and offsets of 32 or 64 bits; u64
//! Launch     1-D, block 256, a thread for each sample of a feature; any grid covers everything
//! Traffic    every index and offset once
//! Tolerance  exact

use core::hint::assert_unchecked;

use gpu_std::atomic::{Global, Gpu, Relaxed, red_min};
use gpu_std::{GridMut, kernel, thread};

use super::BLOCK;
use super::bag::{bag_at, index_at, row_of};
use super::feature::{DENSE, Feature, Index, NOTHING, ONE, fault};

/// Looks for the first index that asks for a row that is not there, and the first bag beyond its list.
///
/// # Safety
/// Each feature's addresses and lengths are as [`Feature`] says, for `batch` output rows; `found` has one word.
#[kernel(block = BLOCK, instances(i32 = (u32), i64 = (u64)))]
pub unsafe fn embed_check<I: Index>(features: &[Feature], mut found: GridMut<u64>, batch: u64) {
    let mut at = thread::grid_thread_linear();
    let mut least = NOTHING;
    while at < features.len() as u64 * batch {
        // SAFETY: there is a row, for there is an element.
        unsafe { assert_unchecked(batch > 0) };
        let (number, row) = (at / batch, at % batch);
        // SAFETY: there is such a feature.
        let feature = unsafe { features.as_ptr().add(number as usize).read() };
        // SAFETY: promised by the caller.
        if let Some(fault) = unsafe { first_fault::<I>(&feature, number, row) }
            && fault < least
        {
            least = fault;
        }
        at += thread::grid_threads();
    }
    if least < NOTHING {
        // SAFETY: the first word, used atomically alone in this launch.
        unsafe { red_min(found.as_mut_ptr(), least, Relaxed, Gpu, Global) };
    }
}

/// The first fault in what output row `row` asks of feature number `number`.
///
/// # Safety
/// As [`embed_check`].
#[inline(always)]
unsafe fn first_fault<I: Index>(feature: &Feature, number: u64, row: u64) -> Option<u64> {
    let (start, end) = match feature.pooling {
        DENSE => return None,
        ONE => (row, row + 1),
        // SAFETY: promised by the caller.
        _ => match unsafe { bag_at::<I>(feature, row) } {
            Some(bag) => bag,
            None => return Some(fault(number, true, row)),
        },
    };
    let mut at = start;
    while at < end {
        // SAFETY: the bag lies within the list.
        let (_, is_invalid) = row_of(feature, unsafe { index_at::<I>(feature, at) });
        if is_invalid {
            return Some(fault(number, false, at));
        }
        at += 1;
    }
    None
}
