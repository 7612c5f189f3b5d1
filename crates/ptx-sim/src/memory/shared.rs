//! The shared memory of a block.

use std::sync::Arc;

use super::access::{Access, Kind, Target, Who, Words, byte_mask, lanes};
use super::allocation::{bit_words, spread};
use super::cells::Cells;
use super::flight::Flights;
use super::proxy::Proxy;
use super::races::{self, Touch};
use super::reading::Readings;
use super::report::{Fault, Object, OutOfBounds, RaceReport};
use super::reports::Reports;
use super::shape::Shape;
use super::space::{Layout, Space};
use super::spans::Spans;
use super::view::ATOMIC;
use crate::FindingKind;

/// The shared memory of one block. Addresses are offsets in the window.
#[derive(Debug)]
pub(crate) struct Shared {
    layout: Arc<Layout>,
    region: usize,
    words: Vec<u32>,
    defined: Vec<u32>,
    /// 1, 2 or 4 bytes; 0: races are not looked for.
    grain: u32,
    cells: Cells,
    pub(super) flights: Flights,
    /// Of bulk copies.
    pub(crate) spans: Spans,
    pub(super) proxy: Proxy,
    pub(super) readings: Readings,
    pub(super) reports: Reports,
}

impl Shared {
    /// Memory for the variables of `layout`, undefined. `grain` is the smallest access of the kernel, 1, 2 or 4 bytes;
    /// with 0 races are not looked for.
    pub(crate) fn new(layout: Arc<Layout>, grain: u32) -> Shared {
        let chunks = layout.end().div_ceil(32) as usize;
        Shared {
            grain,
            cells: Cells::new(layout.end(), grain.max(1), &Arc::default()),
            flights: Flights::new(chunks),
            spans: Spans::default(),
            proxy: Proxy::default(),
            readings: Readings::default(),
            layout,
            region: 0,
            words: vec![0; 8 * chunks],
            defined: vec![0; chunks],
            reports: Reports::default(),
        }
    }

    /// Takes the races found since the last call.
    pub(crate) fn take_reports(&mut self) -> Vec<RaceReport> {
        self.reports.take()
    }

    /// Makes everything undefined again, for the next block.
    pub(crate) fn reset(&mut self) {
        self.defined.fill(0);
        self.cells.reset();
        self.flights.reset();
        self.spans.clear();
        self.proxy.reset();
        self.readings.reset();
    }

    /// Stretches of 32 bytes.
    pub(super) fn chunks(&self) -> usize {
        self.defined.len()
    }

    /// Checks an access for races and for copies in flight, and remembers it.
    #[inline]
    pub(super) fn touch(
        &mut self,
        shape: &Shape,
        who: &Who,
        access: Access,
        words: Option<&Words>,
        atomic: bool,
    ) {
        if !self.flights.is_empty() {
            self.flights.check(who, &access, words.is_some(), &mut self.reports);
        }
        if words.is_some() && !self.readings.is_empty() {
            self.readings.check(who, &access, &mut self.reports);
        }
        if !self.spans.is_empty() {
            self.spans.check(who, &access, (words.is_some(), atomic), &mut self.reports);
        }
        if self.grain != 0 {
            let touch =
                Touch { who: *who, access, words, atomic, space: Space::Shared, base: 0, record: true };
            races::touch(&mut self.cells, &touch, shape, &mut self.reports);
        }
    }

    /// Checks bounds and alignment.
    #[inline]
    pub(super) fn shape(&mut self, access: &Access, write: bool) -> Result<Shape, Fault> {
        let shape = Shape::of(access);
        let end = shape.high.saturating_add(u64::from(access.bytes));
        match self.layout.find(shape.low, end, self.region) {
            Some(region) if shape.aligned => {
                self.region = region;
                Ok(shape)
            }
            _ => self.check(access, write).map(|()| shape),
        }
    }

    /// Checks bounds and alignment of rows that other accesses then read or write in parts.
    pub(crate) fn check_rows(&mut self, access: &Access, write: bool) -> Result<(), Fault> {
        self.shape(access, write).map(drop)
    }

    /// Checks the target of an asynchronous copy when it is issued.
    pub(super) fn touch_target(&mut self, shape: &Shape, who: &Who, access: Access, words: &Words) {
        self.flights.check(who, &access, true, &mut self.reports);
        self.readings.check(who, &access, &mut self.reports);
        if self.grain != 0 {
            let words = Some(words);
            let touch = Touch {
                who: *who,
                access,
                words,
                atomic: false,
                space: Space::Shared,
                base: 0,
                record: false,
            };
            races::touch(&mut self.cells, &touch, shape, &mut self.reports);
        }
    }

    /// Checks an access to a barrier object, whose state is kept elsewhere: bounds, alignment and races.
    pub(crate) fn touch_object(&mut self, who: &Who, access: Access) -> Result<(), Fault> {
        let shape = self.shape(&access, true)?;
        let atomic = access.kind != Kind::Weak;
        self.touch(&shape, who, access, Some(&ATOMIC), atomic);
        Ok(())
    }

    /// Copies (`cp.async`) issued so far.
    pub(crate) fn copies_issued(&self) -> u64 {
        self.flights.issued()
    }

    /// Writes the target of an asynchronous copy that is done.
    pub(super) fn store_landed(&mut self, who: &Who, access: Access, words: &Words) {
        let shape = Shape::of(&access);
        self.put(&shape, &access, words);
        self.touch(&shape, who, access, Some(words), false);
        self.proxy.written(who, &access, false);
    }

    /// The fault of the lowest faulty lane.
    #[cold]
    fn check(&self, access: &Access, write: bool) -> Result<(), Fault> {
        let wrong = |lane: &usize| {
            let kind = wrong(&self.layout, Space::Shared, access.addr[*lane], access.bytes, write)?;
            Some(Fault { lane: *lane as u32, kind })
        };
        lanes(access.mask).find_map(|lane| wrong(&lane)).map_or(Ok(()), Err)
    }

    /// Loads. `out.word` is written for the lanes of the mask only.
    #[inline]
    pub(crate) fn load(&mut self, who: &Who, access: Access, out: &mut Words) -> Result<(), Fault> {
        out.undefined = 0;
        if access.mask == 0 {
            return Ok(());
        }
        let shape = self.shape(&access, false)?;
        match (shape.contiguous, access.bytes) {
            (true, 4) => self.load_whole::<1>(shape.low, out),
            (true, 8) => self.load_whole::<2>(shape.low, out),
            (true, 16) => self.load_whole::<4>(shape.low, out),
            _ => {
                lanes(access.mask).for_each(|lane| self.load_lane(lane, access.addr[lane], access.bytes, out))
            }
        }
        self.touch(&shape, who, access, None, false);
        Ok(())
    }

    #[inline]
    fn load_whole<const N: usize>(&self, offset: u64, out: &mut Words) {
        let first = (offset / 4) as usize;
        let source = &self.words[first..first + 32 * N];
        for (lane, words) in source.chunks_exact(N).enumerate() {
            for (w, &word) in words.iter().enumerate() {
                out.word[w][lane] = word;
            }
        }
        let len = 128 * N as u64;
        if bit_words(offset, len).any(|(index, bits)| self.defined[index] & bits != bits) {
            for lane in 0..32 {
                self.load_undefined(lane, offset + (lane * 4 * N) as u64, 4 * N as u32, out);
            }
        }
    }

    #[inline]
    pub(super) fn load_lane(&self, lane: usize, at: u64, bytes: u32, out: &mut Words) {
        let first = (at / 4) as usize;
        if bytes < 4 {
            out.word[0][lane] = self.words[first] >> (at % 4 * 8) & spread(byte_mask(bytes));
        } else {
            for w in 0..(bytes / 4) as usize {
                out.word[w & 7][lane] = self.words[first + w];
            }
        }
        self.load_undefined(lane, at, bytes, out);
    }

    #[inline]
    fn load_undefined(&self, lane: usize, at: u64, bytes: u32, out: &mut Words) {
        let missing = !(self.defined[(at / 32) as usize] >> (at % 32)) & byte_mask(bytes);
        if missing != 0 {
            out.undefined |= 1 << lane;
            out.undefined_bytes[lane] = missing;
        }
    }

    /// Stores.
    #[inline]
    pub(crate) fn store(&mut self, who: &Who, access: Access, words: &Words) -> Result<(), Fault> {
        if access.mask == 0 {
            return Ok(());
        }
        let shape = self.shape(&access, true)?;
        self.put(&shape, &access, words);
        self.touch(&shape, who, access, Some(words), false);
        self.proxy.written(who, &access, false);
        Ok(())
    }

    /// Stores without any check.
    #[inline]
    pub(super) fn put(&mut self, shape: &Shape, access: &Access, words: &Words) {
        match (shape.contiguous && words.undefined == 0, access.bytes) {
            (true, 4) => self.store_whole::<1>(shape.low, words),
            (true, 8) => self.store_whole::<2>(shape.low, words),
            (true, 16) => self.store_whole::<4>(shape.low, words),
            _ => lanes(access.mask)
                .for_each(|lane| self.store_lane(lane, access.addr[lane], access.bytes, words)),
        }
    }

    #[inline]
    fn store_whole<const N: usize>(&mut self, offset: u64, words: &Words) {
        let first = (offset / 4) as usize;
        let target = &mut self.words[first..first + 32 * N];
        for (lane, cells) in target.chunks_exact_mut(N).enumerate() {
            for (w, cell) in cells.iter_mut().enumerate() {
                *cell = words.word[w][lane];
            }
        }
        for (index, bits) in bit_words(offset, 128 * N as u64) {
            self.defined[index] |= bits;
        }
    }

    #[inline]
    fn store_lane(&mut self, lane: usize, at: u64, bytes: u32, words: &Words) {
        let first = (at / 4) as usize;
        if bytes < 4 {
            let shift = at % 4 * 8;
            let bits = spread(byte_mask(bytes)) << shift;
            let word = &mut self.words[first];
            *word = *word & !bits | words.word[0][lane] << shift & bits;
        } else {
            for w in 0..(bytes / 4) as usize {
                self.words[first + w] = words.word[w & 7][lane];
            }
        }
        let bad = words.undefined_bytes(lane) & byte_mask(bytes);
        let defined = &mut self.defined[(at / 32) as usize];
        *defined = *defined & !(byte_mask(bytes) << (at % 32)) | (byte_mask(bytes) & !bad) << (at % 32);
    }

    /// Replaces the `bytes` (1 to 16) bytes of one lane by a function of them: the old value, and its undefined
    /// bytes. The new value counts as defined.
    pub(crate) fn rmw(
        &mut self,
        who: &Who,
        target: Target,
        f: impl FnOnce(u128) -> u128,
    ) -> Result<(u128, u32), Fault> {
        let addr = &[target.address; 32];
        let Target { lane, bytes, line, .. } = target;
        let at = lane as usize & 31;
        let access = Access { mask: 1 << at, addr, bytes, kind: Kind::Strong(target.scope), line };
        let shape = self.shape(&access, true)?;
        let value = self.replace(target.address, bytes, f);
        self.touch(&shape, who, access, Some(&ATOMIC), true);
        self.proxy.written(who, &access, true);
        Ok(value)
    }

    fn replace(&mut self, at: u64, bytes: u32, f: impl FnOnce(u128) -> u128) -> (u128, u32) {
        let first = (at / 4) as usize;
        let defined = &mut self.defined[(at / 32) as usize];
        let undefined = !(*defined >> (at % 32)) & byte_mask(bytes);
        *defined |= byte_mask(bytes) << (at % 32);
        if bytes < 4 {
            let (shift, bits) = (at % 4 * 8, spread(byte_mask(bytes)));
            let word = &mut self.words[first];
            let old = u128::from(*word >> shift & bits);
            *word = *word & !(bits << shift) | (f(old) as u32 & bits) << shift;
            return (old, undefined);
        }
        let words = &mut self.words[first..first + (bytes / 4) as usize];
        let old = words.iter().rev().fold(0, |value, &word| value << 32 | u128::from(word));
        let new = f(old);
        for (w, word) in words.iter_mut().enumerate() {
            *word = (new >> (32 * w)) as u32;
        }
        (old, undefined)
    }
}

/// What is wrong with an access of one lane to the variables of a window.
pub(crate) fn wrong(
    layout: &Layout,
    space: Space,
    address: u64,
    bytes: u32,
    write: bool,
) -> Option<FindingKind> {
    let end = address.saturating_add(u64::from(bytes));
    if layout.find(address, end, usize::MAX).is_none() {
        let nearest = layout.nearest(address).map(|region| Object {
            base: region.start,
            bytes: region.end - region.start,
            name: Some(Arc::clone(&region.name)),
            freed: false,
        });
        return Some(FindingKind::OutOfBounds(OutOfBounds { write, bytes, space, address, nearest }));
    }
    let misaligned = !address.is_multiple_of(u64::from(bytes));
    misaligned.then_some(FindingKind::Misaligned { write, bytes, space, address })
}
