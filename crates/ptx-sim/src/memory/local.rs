//! The local memory of a warp's threads: 32 memories of the same layout, word by word beside one another.

use std::sync::Arc;

use super::access::{Access, Words, byte_mask, lanes};
use super::allocation::spread;
use super::report::Fault;
use super::shape::Shape;
use super::shared::wrong;
use super::space::{Layout, Space};

/// One word of each lane.
#[derive(Clone, Copy, Debug)]
struct Word {
    value: [u32; 32],
    /// The lanes in which byte `b` is defined.
    defined: [u32; 4],
}

/// The local memory of one warp. Addresses are offsets in the window.
#[derive(Debug)]
pub(crate) struct Local {
    layout: Arc<Layout>,
    region: usize,
    words: Vec<Word>,
}

impl Local {
    /// Memory for the variables of `layout`, undefined.
    pub(crate) fn new(layout: Arc<Layout>) -> Local {
        let word = Word { value: [0; 32], defined: [0; 4] };
        let words = vec![word; layout.end().div_ceil(4) as usize];
        Local { layout, region: 0, words }
    }

    /// Makes everything undefined again, for the next block.
    pub(crate) fn reset(&mut self) {
        for word in &mut self.words {
            word.defined = [0; 4];
        }
    }

    #[inline]
    fn shape(&mut self, access: &Access, write: bool) -> Result<Shape, Fault> {
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

    /// The fault of the lowest faulty lane.
    #[cold]
    fn check(&self, access: &Access, write: bool) -> Result<(), Fault> {
        let wrong = |lane| {
            let kind = wrong(&self.layout, Space::Local, access.addr[lane], access.bytes, write)?;
            Some(Fault { lane: lane as u32, kind })
        };
        lanes(access.mask).find_map(wrong).map_or(Ok(()), Err)
    }

    /// Loads. `out.word` is written for the lanes of the mask (for others with anything).
    #[inline]
    pub(crate) fn load(&mut self, access: Access, out: &mut Words) -> Result<(), Fault> {
        out.undefined = 0;
        if access.mask == 0 {
            return Ok(());
        }
        let shape = self.shape(&access, false)?;
        if !shape.uniform || access.bytes < 4 {
            lanes(access.mask).for_each(|lane| self.load_lane(lane, access.addr[lane], access.bytes, out));
            return Ok(());
        }
        let first = (shape.low / 4) as usize;
        let words = &self.words[first..first + (access.bytes / 4) as usize];
        let mut defined = u32::MAX;
        for (word, out) in words.iter().zip(&mut out.word) {
            if access.mask == u32::MAX {
                *out = word.value;
            } else {
                lanes(access.mask).for_each(|lane| out[lane] = word.value[lane]);
            }
            defined &= word.defined.iter().fold(u32::MAX, |all, byte| all & byte);
        }
        for lane in lanes(access.mask & !defined) {
            self.load_undefined(lane, shape.low, access.bytes, out);
        }
        Ok(())
    }

    fn load_lane(&self, lane: usize, at: u64, bytes: u32, out: &mut Words) {
        let first = (at / 4) as usize;
        if bytes < 4 {
            out.word[0][lane] = self.words[first].value[lane] >> (at % 4 * 8) & spread(byte_mask(bytes));
        } else {
            for w in 0..(bytes / 4) as usize {
                out.word[w & 7][lane] = self.words[first + w].value[lane];
            }
        }
        self.load_undefined(lane, at, bytes, out);
    }

    fn load_undefined(&self, lane: usize, at: u64, bytes: u32, out: &mut Words) {
        let is_defined = |byte: u64| self.words[(byte / 4) as usize].defined[byte as usize % 4] >> lane & 1;
        let missing = (0..bytes).fold(0, |bits, byte| bits | (is_defined(at + u64::from(byte)) ^ 1) << byte);
        if missing != 0 {
            out.undefined |= 1 << lane;
            out.undefined_bytes[lane] = missing;
        }
    }

    /// Stores.
    #[inline]
    pub(crate) fn store(&mut self, access: Access, words: &Words) -> Result<(), Fault> {
        if access.mask == 0 {
            return Ok(());
        }
        let shape = self.shape(&access, true)?;
        if !shape.uniform || access.bytes < 4 || words.undefined & access.mask != 0 {
            lanes(access.mask).for_each(|lane| self.store_lane(lane, access.addr[lane], access.bytes, words));
            return Ok(());
        }
        let first = (shape.low / 4) as usize;
        let targets = &mut self.words[first..first + (access.bytes / 4) as usize];
        for (target, value) in targets.iter_mut().zip(&words.word) {
            if access.mask == u32::MAX {
                target.value = *value;
            } else {
                lanes(access.mask).for_each(|lane| target.value[lane] = value[lane]);
            }
            target.defined.iter_mut().for_each(|byte| *byte |= access.mask);
        }
        Ok(())
    }

    fn store_lane(&mut self, lane: usize, at: u64, bytes: u32, words: &Words) {
        let first = (at / 4) as usize;
        if bytes < 4 {
            let shift = at % 4 * 8;
            let bits = spread(byte_mask(bytes)) << shift;
            let word = &mut self.words[first].value[lane];
            *word = *word & !bits | words.word[0][lane] << shift & bits;
        } else {
            for w in 0..(bytes / 4) as usize {
                self.words[first + w].value[lane] = words.word[w & 7][lane];
            }
        }
        let undefined = words.undefined_bytes(lane);
        for byte in 0..bytes {
            let place = at + u64::from(byte);
            let defined = &mut self.words[(place / 4) as usize].defined[place as usize % 4];
            *defined = *defined & !(1 << lane) | (!(undefined >> byte) & 1) << lane;
        }
    }
}
