//! The async proxy (PTX ISA, "Proxies"): accesses of shared memory by `wgmma` and the bulk copies.
//!
//! What a thread writes by ordinary instructions is not sure to be seen by the async proxy until a `fence.proxy.async`. A bit
//! for each byte says "written by the generic proxy and not fenced since". A fence clears it for the bytes whose last write is
//! the fencing thread's own or happened before the fence. Copies are checked when they are issued, and when they land. That the
//! fence itself happens before the access is not checked.
//! Kernels that do not use the async proxy have no bits.

use std::ops::Range;

use super::access::{Access, Kind, Target, Who, Words, lanes};
use super::clocks::Clocks;
use super::report::Fault;
use super::reports::{Later, Problem, Reports, earlier};
use super::shared::Shared;
use super::space::Space;
use super::stamp::Stamp;

/// What the generic proxy wrote and nobody fenced.
#[derive(Debug, Default)]
pub(super) struct Proxy {
    /// A bit for each byte; none where nothing uses the async proxy.
    unfenced: Vec<u32>,
    /// By byte: who wrote it last through the generic proxy, and at which line.
    last: Vec<(Stamp, u32)>,
}

impl Proxy {
    /// For `chunks` times 32 bytes.
    fn new(chunks: usize) -> Proxy {
        Proxy { unfenced: vec![0; chunks], last: vec![(Stamp::default(), 0); 32 * chunks] }
    }

    /// Forgets everything.
    pub(super) fn reset(&mut self) {
        self.unfenced.fill(0);
    }

    /// The generic proxy has written.
    #[inline]
    pub(super) fn written(&mut self, who: &Who, access: &Access, atomic: bool) {
        if !self.unfenced.is_empty() && who.clocks.is_checked() {
            self.mark(who, access, atomic);
        }
    }

    fn mark(&mut self, who: &Who, access: &Access, atomic: bool) {
        let clock = who.clocks.clock(who.warp);
        let stamp = Stamp::new(who.clocks.block(), who.warp, clock, access.kind, atomic);
        for lane in lanes(access.mask) {
            let by = (stamp.lane(lane as u32), access.line);
            let first = access.addr[lane] as usize;
            for at in first..first + access.bytes as usize {
                self.unfenced[at / 32] |= 1 << (at % 32);
                self.last[at] = by;
            }
        }
    }

    /// Reports bytes that the async proxy may not see as they are.
    pub(super) fn check(&self, who: &Who, access: &Access, write: bool, reports: &mut Reports) {
        if self.unfenced.is_empty() {
            return;
        }
        for lane in lanes(access.mask) {
            let first = access.addr[lane] as usize;
            let is_unfenced = |at: &usize| self.unfenced[at / 32] >> (at % 32) & 1 == 1;
            if let Some(at) = (first..first + access.bytes as usize).find(is_unfenced) {
                let (block, thread) = (who.clocks.block(), who.warp * 32 + lane as u32);
                let (line, space, address) = (access.line, Space::Shared, at as u64);
                let (stamp, written) = self.last[at];
                let later = Later { block, thread, line, write, space, address };
                reports.add(Problem::Unfenced, later, earlier(stamp, written, true));
            }
        }
    }

    /// Reports bytes of a copy that is issued now and may not see them as they are: a fence that comes before it lands is too late.
    fn issued(
        &self,
        (block, thread, line): (u32, u32, u32),
        bytes: Range<u64>,
        write: bool,
        reports: &mut Reports,
    ) {
        let chunks = self.unfenced.iter().enumerate().skip((bytes.start / 32) as usize);
        for (chunk, bits) in chunks.take_while(|(chunk, _)| 32 * (*chunk as u64) < bytes.end) {
            let inside = |bit: &usize| bytes.contains(&((32 * chunk + bit) as u64));
            if let Some(bit) = lanes(*bits).find(inside) {
                let at = 32 * chunk + bit;
                let (stamp, written) = self.last[at];
                let later = Later { block, thread, line, write, space: Space::Shared, address: at as u64 };
                reports.add(Problem::Unfenced, later, earlier(stamp, written, true));
                return;
            }
        }
    }

    /// The async proxy has written: nothing is left of what the generic one wrote.
    fn overwritten(&mut self, access: &Access) {
        if self.unfenced.is_empty() {
            return;
        }
        for lane in lanes(access.mask) {
            let first = access.addr[lane] as usize;
            for at in first..first + access.bytes as usize {
                self.unfenced[at / 32] &= !(1 << (at % 32));
            }
        }
    }

    /// A fence of the lanes of a warp.
    fn fence(&mut self, who: &Who, mask: u32) {
        let mut before: Option<(Stamp, bool)> = None;
        for (chunk, bits) in self.unfenced.iter_mut().enumerate().filter(|(_, bits)| **bits != 0) {
            for bit in lanes(*bits) {
                let (stamp, _) = self.last[32 * chunk + bit];
                let known = match before {
                    Some((same, known)) if same == stamp => known,
                    _ => knows(who.clocks, who.warp, mask, stamp),
                };
                before = Some((stamp, known));
                if known {
                    *bits &= !(1 << bit);
                }
            }
        }
    }
}

/// Whether a write is one lane's own or happened before what it does now.
fn knows(clocks: &Clocks, warp: u32, mask: u32, stamp: Stamp) -> bool {
    // The floor is that of the block's threads, and says nothing of other blocks and of agents.
    let of_threads = stamp.block() == clocks.block() && !stamp.is_agent();
    of_threads && stamp.clock() <= clocks.floor()
        || lanes(mask).any(|lane| clocks.knows(warp, lane as u32, stamp))
}

impl Shared {
    /// With a watch over what the async proxy sees.
    pub(crate) fn with_async_proxy(mut self) -> Shared {
        self.proxy = Proxy::new(self.chunks());
        self
    }

    /// A copy of these bytes, from or to this memory, has been issued by a block's thread at a line.
    pub(crate) fn proxy_issued(&mut self, by: (u32, u32, u32), bytes: Range<u64>, write: bool) {
        self.proxy.issued(by, bytes, write, &mut self.reports);
    }

    /// A read by the async proxy. `out.word` is written for the lanes of the mask only.
    pub(crate) fn proxy_load(&mut self, who: &Who, access: Access, out: &mut Words) -> Result<(), Fault> {
        self.load(who, access, out)?;
        self.proxy.check(who, &access, false, &mut self.reports);
        Ok(())
    }

    /// A write by the async proxy.
    pub(crate) fn proxy_store(&mut self, who: &Who, access: Access, words: &Words) -> Result<(), Fault> {
        if access.mask == 0 {
            return Ok(());
        }
        let shape = self.shape(&access, true)?;
        self.put(&shape, &access, words);
        self.touch(&shape, who, access, Some(words), false);
        self.proxy.check(who, &access, true, &mut self.reports);
        self.proxy.overwritten(&access);
        Ok(())
    }

    /// A read-modify-write by the async proxy, as [`rmw`](Self::rmw).
    pub(crate) fn proxy_rmw(
        &mut self,
        who: &Who,
        target: Target,
        f: impl FnOnce(u128) -> u128,
    ) -> Result<(u128, u32), Fault> {
        let addr = &[target.address; 32];
        let Target { lane, bytes, line, scope, .. } = target;
        let access = Access { mask: 1 << (lane & 31), addr, bytes, kind: Kind::Strong(scope), line };
        self.shape(&access, true)?;
        self.proxy.check(who, &access, true, &mut self.reports);
        let value = self.rmw(who, target, f)?;
        self.proxy.overwritten(&access);
        Ok(value)
    }

    /// `fence.proxy.async` of the lanes in `mask`.
    pub(crate) fn proxy_fence(&mut self, who: &Who, mask: u32) {
        self.proxy.fence(who, mask);
    }
}
