//! `cp.async` from global to shared memory, as the executor calls it.

use super::access::{Access, Kind, Who, Words, lanes};
use super::flight::Batch;
use super::report::Fault;
use super::shared::Shared;
use super::view::View;

/// An asynchronous copy of the lanes in `mask`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AsyncCopy<'a> {
    /// The lanes that take part.
    pub(crate) mask: u32,
    /// Where from: generic addresses in global memory.
    pub(crate) from: &'a [u64; 32],
    /// Where to: offsets in the shared window.
    pub(crate) to: &'a [u64; 32],
    /// The bytes written by a lane: 4, 8 or 16; both addresses are multiples of it.
    pub(crate) bytes: u32,
    /// The bytes read by each lane, at most `bytes`; the rest is written as zero.
    pub(crate) from_bytes: &'a [u32; 32],
    /// The line of the PTX text.
    pub(crate) line: u32,
}

impl Shared {
    /// Issues a copy. The source is read now; the target is in flight until the thread waits for it.
    pub(crate) fn async_copy(&mut self, view: &mut View, who: &Who, copy: &AsyncCopy) -> Result<(), Fault> {
        let AsyncCopy { mask, from, to, bytes, from_bytes, line } = *copy;
        let target = Access { mask, addr: to, bytes, kind: Kind::Weak, line };
        if mask == 0 {
            return Ok(());
        }
        let shape = self.shape(&target, true)?;
        let mut words = Words::new();
        let whole =
            lanes(mask).filter(|&lane| from_bytes[lane] >= bytes).fold(0, |all, lane| all | 1 << lane);
        view.load(who, Access { mask: whole, addr: from, bytes, kind: Kind::Weak, line }, &mut words)?;
        for lane in lanes(mask & !whole) {
            part(view, who, copy, lane, &mut words)?;
        }
        self.touch_target(&shape, who, target, &words);
        self.flights.issue(who.warp, &target, words);
        Ok(())
    }

    /// Closes the group of copies that lanes issued since their last call.
    pub(crate) fn async_commit(&mut self, warp: u32, mask: u32) {
        self.flights.commit(warp, mask);
    }

    /// Lanes wait until at most `pending` of their last groups are in flight.
    pub(crate) fn async_wait(&mut self, who: &Who, mask: u32, pending: u32) {
        let landed = self.flights.land(who.warp, mask, Some(pending));
        self.land(who, landed);
    }

    /// Lanes wait for all their copies, those of no group too.
    pub(crate) fn async_wait_all(&mut self, who: &Who, mask: u32) {
        let landed = self.flights.land(who.warp, mask, None);
        self.land(who, landed);
    }

    /// The copies that a lane issued before the one of number `number` are done, and written by `who`; whether there were any.
    pub(crate) fn land_before(&mut self, who: &Who, warp: u32, lane: u32, number: u64) -> bool {
        let landed = self.flights.land_before(warp, lane, number);
        let any = !landed.is_empty();
        self.land(who, landed);
        any
    }

    /// What was copied counts as written now by the thread that waited.
    fn land(&mut self, who: &Who, landed: Vec<Batch>) {
        for batch in landed {
            let Batch { mask, bytes, line, .. } = batch;
            let access = Access { mask, addr: &batch.to, bytes, kind: Kind::Weak, line };
            self.store_landed(who, access, &batch.words);
        }
    }
}

/// Reads the source of a lane that reads less than it writes.
fn part(view: &mut View, who: &Who, copy: &AsyncCopy, lane: usize, out: &mut Words) -> Result<(), Fault> {
    let mut one = Words::new();
    let count = copy.from_bytes[lane].min(copy.bytes);
    let mut at = 0;
    while at < count {
        let bytes = if count - at >= 4 { 4 } else { 1 };
        let addr = &[copy.from[lane].wrapping_add(u64::from(at)); 32];
        view.load(who, Access { mask: 1 << lane, addr, bytes, kind: Kind::Weak, line: copy.line }, &mut one)?;
        out.word[(at / 4) as usize & 7][lane] |= one.word[0][lane] << (at % 4 * 8);
        if one.undefined != 0 {
            let before = out.undefined_bytes(lane);
            out.undefined_bytes[lane] = before | one.undefined_bytes(lane) << at;
            out.undefined |= 1 << lane;
        }
        at += bytes;
    }
    Ok(())
}
