//! Some chunks of a row in the registers of its threads.

use gpu_std::{Vec16, unroll};

use super::group::Group;
use super::lanes::{LaneRange, Lanes};
use super::sink::Sink;
use super::source::Source;
use super::steps::{Codes, Steps};

/// Chunks of 16 bytes that a thread holds where a row stays in registers.
pub const CHUNKS: usize = 4;

/// `N` chunks of each thread of a group: chunk `i` of thread `t` is number `i · threads + t`.
#[derive(Clone, Copy)]
pub struct Held<T: Lanes, const N: usize> {
    chunks: [Vec16<T>; N],
    group: Group,
    /// Chunks that there are for the group.
    there: u32,
}

impl<T: Lanes, const N: usize> Held<T, N> {
    /// Chunks that the threads of a group hold together.
    #[inline(always)]
    pub fn span(group: Group) -> u32 {
        group.size() * N as u32
    }

    /// Loads as many of the next `left` chunks as the group holds.
    ///
    /// # Safety
    /// `source` has so many chunks and starts at a 16-byte boundary.
    #[inline(always)]
    pub unsafe fn load(source: impl Source<T>, group: Group, left: u64) -> Self {
        let span = Self::span(group);
        let there = if left < u64::from(span) { left as u32 } else { span };
        let mut held = Self { chunks: [Vec16::from_fn(|_| T::ZERO); N], group, there };
        unroll!(for i in 0..N {
            if let Some(chunk) = held.number(i) {
                // SAFETY: there is such a chunk, at a multiple of 16 bytes from the start.
                held.chunks[i] = unsafe { source.chunk(u64::from(chunk * T::LANES as u32)) };
            }
        });
        held
    }

    /// The number of the thread's chunk `i`, if there is one.
    #[inline(always)]
    fn number(&self, i: usize) -> Option<u32> {
        let chunk = self.group.lane + i as u32 * self.group.size();
        (chunk < self.there).then_some(chunk)
    }

    /// The range with all values held.
    #[inline(always)]
    pub fn range(&self, codes: Codes, range: LaneRange<T>) -> LaneRange<T> {
        let mut range = range;
        unroll!(for i in 0..N {
            if self.number(i).is_some() {
                range = range.with(codes, self.chunks[i]);
            }
        });
        range
    }

    /// Writes the codes; gives the sum of those written and `sum`.
    ///
    /// # Safety
    /// `sink` has as many chunks, which lie at multiples of their size, and they are the group's own.
    #[inline(always)]
    pub unsafe fn store(&self, sink: impl Sink, codes: Codes, steps: &Steps, sum: i32) -> i32 {
        let mut sum = sum;
        unroll!(for i in 0..N {
            if let Some(chunk) = self.number(i) {
                let mut words = [0; 8];
                let mut lane = 0;
                while lane < T::LANES {
                    words[lane] = steps.code(codes, self.chunks[i].lane(lane).to_f32());
                    lane += 1;
                }
                let col = u64::from(chunk * T::LANES as u32);
                // SAFETY: there is such a chunk, as promised by the caller.
                sum = unsafe {
                    if T::LANES == 4 {
                        sink.chunk::<4>(col, words, steps.mask, sum)
                    } else {
                        sink.chunk::<8>(col, words, steps.mask, sum)
                    }
                };
            }
        });
        sum
    }
}
