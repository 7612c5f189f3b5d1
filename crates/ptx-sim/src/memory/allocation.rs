//! The bytes of one global allocation, shared by all workers of a launch.
//!
//! Words are atomic with relaxed accesses, so that blocks run on several threads at once; what the simulated
//! program orders it orders through the executor, which then runs on one thread. The definedness flag
//! `all_defined` only ever goes from true to false while a launch runs, and before any bit is cleared.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering::Relaxed};

use super::access::{Words, byte_mask, lanes};
use super::error::MemoryError;
use super::report::Object;
use super::space::{ALLOCATION_OFFSET, ALLOCATION_SHIFT};

/// An allocation of global memory.
#[derive(Debug)]
pub(crate) struct Allocation {
    /// The allocation's number.
    pub(crate) number: u64,
    /// The size in bytes.
    pub(crate) bytes: u64,
    /// The variable's name, for a module variable.
    pub(crate) name: Option<Arc<str>>,
    /// Whether kernels may not write it.
    pub(crate) read_only: bool,
    words: Box<[AtomicU32]>,
    defined: Box<[AtomicU32]>,
    all_defined: AtomicBool,
}

fn zeroed(len: usize) -> Option<Box<[AtomicU32]>> {
    let mut words = Vec::new();
    words.try_reserve_exact(len).ok()?;
    words.resize_with(len, || AtomicU32::new(0));
    Some(words.into_boxed_slice())
}

impl Allocation {
    /// `bytes` undefined bytes.
    pub(crate) fn new(
        number: u64,
        bytes: u64,
        name: Option<Arc<str>>,
        read_only: bool,
    ) -> Result<Allocation, MemoryError> {
        let failed = MemoryError::HostMemory { bytes };
        let chunks = usize::try_from(bytes.div_ceil(32)).map_err(|_| failed.clone())?;
        let words = chunks.checked_mul(8).and_then(zeroed).ok_or(failed.clone())?;
        let defined = zeroed(chunks).ok_or(failed)?;
        Ok(Allocation {
            number,
            bytes,
            name,
            read_only,
            words,
            defined,
            all_defined: AtomicBool::new(bytes == 0),
        })
    }

    /// The first address.
    pub(crate) fn base(&self) -> u64 {
        (self.number << ALLOCATION_SHIFT) + ALLOCATION_OFFSET
    }

    /// How a message names it.
    pub(crate) fn object(&self, freed: bool) -> Object {
        Object { base: self.base(), bytes: self.bytes, name: self.name.clone(), freed }
    }

    /// Copies bytes out. `offset + out.len()` must not exceed the size.
    pub(crate) fn read(&self, offset: u64, out: &mut [u8]) {
        let mut at = offset as usize;
        let mut rest = out;
        while !rest.is_empty() {
            let take = (4 - at % 4).min(rest.len());
            let (now, later) = rest.split_at_mut(take);
            let word = self.words[at / 4].load(Relaxed).to_le_bytes();
            now.copy_from_slice(&word[at % 4..at % 4 + take]);
            (rest, at) = (later, at + take);
        }
    }

    /// Copies bytes in and marks them defined. `offset + data.len()` must not exceed the size.
    pub(crate) fn write(&self, offset: u64, data: &[u8]) {
        let mut at = offset as usize;
        let mut rest = data;
        while !rest.is_empty() {
            let take = (4 - at % 4).min(rest.len());
            let (now, later) = rest.split_at(take);
            let mut word = [0; 4];
            word[at % 4..at % 4 + take].copy_from_slice(now);
            let bits = spread(byte_mask(take as u32) << (at % 4));
            self.put(at / 4, u32::from_le_bytes(word), bits);
            (rest, at) = (later, at + take);
        }
        self.define_by_host(offset, data.len() as u64);
    }

    /// Writes `byte` to `len` bytes without marking them.
    pub(crate) fn set(&self, offset: u64, len: u64, byte: u8) {
        let value = u32::from_le_bytes([byte; 4]);
        let (mut at, end) = (offset, offset + len);
        while at < end {
            let take = (4 - at % 4).min(end - at);
            let bits = spread(byte_mask(take as u32) << (at % 4));
            self.put((at / 4) as usize, value, bits);
            at += take;
        }
    }

    /// Replaces the bits `bits` of a word.
    #[inline]
    fn put(&self, word: usize, value: u32, bits: u32) {
        let cell = &self.words[word];
        if bits == u32::MAX {
            return cell.store(value, Relaxed);
        }
        let mut old = cell.load(Relaxed);
        while let Err(now) = cell.compare_exchange_weak(old, old & !bits | value & bits, Relaxed, Relaxed) {
            old = now;
        }
    }

    /// Marks bytes defined.
    pub(crate) fn define(&self, offset: u64, len: u64) {
        if self.all_defined.load(Relaxed) {
            return;
        }
        for (index, bits) in bit_words(offset, len) {
            let cell = &self.defined[index];
            if bits == u32::MAX {
                cell.store(bits, Relaxed);
            } else if cell.load(Relaxed) & bits != bits {
                cell.fetch_or(bits, Relaxed);
            }
        }
    }

    /// Marks bytes defined, on the host's behalf: no launch that writes here may be running.
    pub(crate) fn define_by_host(&self, offset: u64, len: u64) {
        self.define(offset, len);
        if self.first_undefined(0, self.bytes).is_none() {
            self.all_defined.store(true, Relaxed);
        }
    }

    /// Marks bytes undefined.
    pub(crate) fn undefine(&self, offset: u64, len: u64) {
        if len == 0 {
            return;
        }
        self.all_defined.store(false, Relaxed);
        for (index, bits) in bit_words(offset, len) {
            self.defined[index].fetch_and(!bits, Relaxed);
        }
    }

    /// The first undefined byte of a range.
    pub(crate) fn first_undefined(&self, offset: u64, len: u64) -> Option<u64> {
        if self.all_defined.load(Relaxed) {
            return None;
        }
        bit_words(offset, len).find_map(|(index, bits)| {
            let missing = bits & !self.defined[index].load(Relaxed);
            (missing != 0).then(|| index as u64 * 32 + u64::from(missing.trailing_zeros()))
        })
    }

    /// Loads for 32 lanes, each where the one before ends, from `offset` on.
    #[inline]
    pub(crate) fn load_contiguous(&self, offset: u64, bytes: u32, out: &mut Words) {
        let offset_bytes = offset as usize;
        match bytes {
            1 | 2 => self.load_small(offset_bytes, bytes as usize, out),
            4 => self.load_whole::<1>(offset_bytes / 4, out),
            8 => self.load_whole::<2>(offset_bytes / 4, out),
            16 => self.load_whole::<4>(offset_bytes / 4, out),
            _ => self.load_whole::<8>(offset_bytes / 4, out),
        }
        out.undefined = 0;
        if self.all_defined.load(Relaxed) || self.first_undefined(offset, u64::from(bytes) * 32).is_none() {
            return;
        }
        for lane in 0..32 {
            self.load_undefined(lane, offset + lane as u64 * u64::from(bytes), bytes, out);
        }
    }

    #[inline]
    fn load_whole<const N: usize>(&self, first: usize, out: &mut Words) {
        let source = &self.words[first..first + 32 * N];
        for (lane, words) in source.chunks_exact(N).enumerate() {
            for (w, word) in words.iter().enumerate() {
                out.word[w][lane] = word.load(Relaxed);
            }
        }
    }

    fn load_small(&self, offset: usize, bytes: usize, out: &mut Words) {
        for lane in 0..32 {
            let at = offset + lane * bytes;
            let value = self.words[at / 4].load(Relaxed) >> (at % 4 * 8);
            out.word[0][lane] = value & spread(byte_mask(bytes as u32));
        }
    }

    /// Loads for the lanes of `mask`; `offset` by lane, aligned and inside.
    pub(crate) fn load_lanes(&self, mask: u32, offset: impl Fn(usize) -> u64, bytes: u32, out: &mut Words) {
        out.undefined = 0;
        let all_defined = self.all_defined.load(Relaxed);
        for lane in lanes(mask) {
            let at = offset(lane);
            let first = (at / 4) as usize;
            if bytes < 4 {
                let value = self.words[first].load(Relaxed) >> (at % 4 * 8);
                out.word[0][lane] = value & spread(byte_mask(bytes));
            } else {
                for w in 0..(bytes / 4) as usize {
                    out.word[w & 7][lane] = self.words[first + w].load(Relaxed);
                }
            }
            if !all_defined {
                self.load_undefined(lane, at, bytes, out);
            }
        }
    }

    #[inline]
    fn load_undefined(&self, lane: usize, at: u64, bytes: u32, out: &mut Words) {
        let defined = self.defined[(at / 32) as usize].load(Relaxed) >> (at % 32);
        let missing = !defined & byte_mask(bytes);
        if missing != 0 {
            out.undefined |= 1 << lane;
            out.undefined_bytes[lane] = missing;
        }
    }

    /// Stores of 32 lanes, each where the one before ends, from `offset` on. All values are defined.
    #[inline]
    pub(crate) fn store_contiguous(&self, offset: u64, bytes: u32, words: &Words) {
        let first = (offset / 4) as usize;
        match bytes {
            4 => self.store_whole::<1>(first, words),
            8 => self.store_whole::<2>(first, words),
            16 => self.store_whole::<4>(first, words),
            32 => self.store_whole::<8>(first, words),
            _ if offset.is_multiple_of(4) => self.store_small(first, bytes as usize, words),
            _ => (0..32)
                .for_each(|lane| self.put_lane(lane, offset + lane as u64 * u64::from(bytes), bytes, words)),
        }
        self.define(offset, u64::from(bytes) * 32);
    }

    #[inline]
    fn store_whole<const N: usize>(&self, first: usize, words: &Words) {
        let target = &self.words[first..first + 32 * N];
        for (lane, cells) in target.chunks_exact(N).enumerate() {
            for (w, cell) in cells.iter().enumerate() {
                cell.store(words.word[w][lane], Relaxed);
            }
        }
    }

    fn store_small(&self, first: usize, bytes: usize, words: &Words) {
        let per_word = 4 / bytes;
        let low = spread(byte_mask(bytes as u32));
        for (values, cell) in words.word[0].chunks_exact(per_word).zip(&self.words[first..]) {
            let join = |word, value: &u32| word << (8 * bytes) | value & low;
            cell.store(values.iter().rev().fold(0, join), Relaxed);
        }
    }

    /// Stores of the lanes of `mask`, lowest first; `offset` by lane, aligned and inside.
    pub(crate) fn store_lanes(&self, mask: u32, offset: impl Fn(usize) -> u64, bytes: u32, words: &Words) {
        for lane in lanes(mask) {
            let at = offset(lane);
            self.put_lane(lane, at, bytes, words);
            self.mark_lane(at, bytes, words.undefined_bytes(lane));
        }
    }

    #[inline]
    fn put_lane(&self, lane: usize, at: u64, bytes: u32, words: &Words) {
        let first = (at / 4) as usize;
        if bytes < 4 {
            let shift = at % 4 * 8;
            let bits = spread(byte_mask(bytes)) << shift;
            return self.put(first, words.word[0][lane] << shift, bits);
        }
        for w in 0..(bytes / 4) as usize {
            self.words[first + w].store(words.word[w & 7][lane], Relaxed);
        }
    }

    /// Replaces up to 16 aligned bytes by a function of them: the old value and its undefined bytes. The new value is
    /// defined. Not atomic with respect to other workers.
    pub(crate) fn replace(&self, at: u64, bytes: u32, f: impl FnOnce(u128) -> u128) -> (u128, u32) {
        let first = (at / 4) as usize;
        let missing = !(self.defined[(at / 32) as usize].load(Relaxed) >> (at % 32)) & byte_mask(bytes);
        let undefined = if self.all_defined.load(Relaxed) { 0 } else { missing };
        self.mark_lane(at, bytes, 0);
        if bytes < 4 {
            let (shift, bits) = (at % 4 * 8, spread(byte_mask(bytes)));
            let old = u128::from(self.words[first].load(Relaxed) >> shift & bits);
            self.put(first, (f(old) as u32) << shift, bits << shift);
            return (old, undefined);
        }
        let words = &self.words[first..first + (bytes / 4) as usize];
        let old = words.iter().rev().fold(0, |value, word| value << 32 | u128::from(word.load(Relaxed)));
        let new = f(old);
        for (w, word) in words.iter().enumerate() {
            word.store((new >> (32 * w)) as u32, Relaxed);
        }
        (old, undefined)
    }

    fn mark_lane(&self, at: u64, bytes: u32, undefined: u32) {
        let range = byte_mask(bytes) << (at % 32);
        let bad = undefined << (at % 32) & range;
        let cell = &self.defined[(at / 32) as usize];
        if bad != 0 {
            self.all_defined.store(false, Relaxed);
            cell.fetch_and(!bad, Relaxed);
        }
        let good = range & !bad;
        if cell.load(Relaxed) & good != good {
            cell.fetch_or(good, Relaxed);
        }
    }
}

/// The byte mask `0b..` of up to 4 bytes as a mask of their bits.
#[inline]
pub(crate) fn spread(bytes: u32) -> u32 {
    let each = bytes & 1 | (bytes & 2) << 7 | (bytes & 4) << 14 | (bytes & 8) << 21;
    each * 0xff
}

/// The 32-bit words that hold the bits `offset..offset + len`, with the bits concerned.
pub(crate) fn bit_words(offset: u64, len: u64) -> impl Iterator<Item = (usize, u32)> {
    let end = offset + len;
    let words = if len == 0 { 0..0 } else { offset / 32..end.div_ceil(32) };
    words.map(move |word| {
        let from = offset.saturating_sub(word * 32) as u32; // below 32: the first word holds `offset`
        let to = (end - word * 32).min(32) as u32;
        (word as usize, byte_mask(to) & u32::MAX << from)
    })
}
