//! Asynchronous copies from global to shared memory (`cp.async`): the source is read when the copy is issued, the
//! target is written when the thread waits for it, and nobody may touch the target in between.

use super::access::{Access, Who, Words, byte_mask, lanes};
use super::report::Earlier;
use super::reports::{Later, Problem, Reports};
use super::space::Space;

/// Copies of one instruction that are in flight.
#[derive(Debug)]
pub(crate) struct Batch {
    /// The warp.
    pub(crate) warp: u32,
    /// The lanes whose copies are not done.
    pub(crate) mask: u32,
    /// The offsets of the targets.
    pub(crate) to: [u64; 32],
    /// The bytes of each.
    pub(crate) bytes: u32,
    /// What was read.
    pub(crate) words: Words,
    /// The line.
    pub(crate) line: u32,
    /// The groups that the lane had committed when it issued the copy.
    group: [u32; 32],
    /// Its number, in the order in which they were issued.
    number: u64,
}

/// The copies of a block that are in flight.
#[derive(Debug)]
pub(crate) struct Flights {
    batches: Vec<Batch>,
    /// A bit for each byte of shared memory.
    flying: Vec<u32>,
    /// Groups committed, by warp and lane.
    committed: Vec<[u32; 32]>,
    /// Copies issued so far.
    issued: u64,
}

impl Flights {
    /// For `chunks` times 32 bytes.
    pub(crate) fn new(chunks: usize) -> Flights {
        Flights { batches: Vec::new(), flying: vec![0; chunks], committed: Vec::new(), issued: 0 }
    }

    /// Forgets everything.
    pub(crate) fn reset(&mut self) {
        if !self.batches.is_empty() {
            self.flying.fill(0);
        }
        self.batches.clear();
        self.committed.clear();
    }

    /// Whether nothing is in flight.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.batches.is_empty()
    }

    fn committed(&mut self, warp: u32) -> &mut [u32; 32] {
        let warp = warp as usize;
        if self.committed.len() <= warp {
            self.committed.resize(warp + 1, [0; 32]);
        }
        &mut self.committed[warp]
    }

    /// Issues copies: the targets are in flight from now on.
    pub(crate) fn issue(&mut self, warp: u32, access: &Access, words: Words) {
        let group = *self.committed(warp);
        for lane in lanes(access.mask) {
            let at = access.addr[lane];
            self.flying[(at / 32) as usize] |= byte_mask(access.bytes) << (at % 32);
        }
        let Access { mask, addr, bytes, line, .. } = *access;
        let number = self.issued;
        self.issued += 1;
        self.batches.push(Batch { warp, mask, to: *addr, bytes, words, line, group, number });
    }

    /// Closes the current group of lanes.
    pub(crate) fn commit(&mut self, warp: u32, mask: u32) {
        let committed = self.committed(warp);
        lanes(mask).for_each(|lane| committed[lane] += 1);
    }

    /// Takes the copies of lanes that are done when at most `pending` groups may remain; all with `None`, those of
    /// no group too. In the order they were issued.
    pub(crate) fn land(&mut self, warp: u32, mask: u32, pending: Option<u32>) -> Vec<Batch> {
        let committed = *self.committed(warp);
        self.land_if(warp, mask, |batch, lane| match pending {
            None => true,
            Some(pending) => u64::from(batch.group[lane]) + u64::from(pending) < u64::from(committed[lane]),
        })
    }

    /// Takes the copies of a lane that it issued before the one of number `number`.
    pub(crate) fn land_before(&mut self, warp: u32, lane: u32, number: u64) -> Vec<Batch> {
        self.land_if(warp, 1 << lane, |batch, _| batch.number < number)
    }

    /// Copies issued so far.
    pub(crate) fn issued(&self) -> u64 {
        self.issued
    }

    fn land_if(&mut self, warp: u32, mask: u32, is_done: impl Fn(&Batch, usize) -> bool) -> Vec<Batch> {
        let mut landed = Vec::new();
        for batch in self.batches.iter_mut().filter(|batch| batch.warp == warp) {
            let done = lanes(mask & batch.mask)
                .filter(|&lane| is_done(batch, lane))
                .fold(0, |all, lane| all | 1 << lane);
            if done != 0 {
                batch.mask &= !done;
                landed.push(Batch { mask: done, words: batch.words.clone(), ..*batch });
            }
        }
        self.batches.retain(|batch| batch.mask != 0);
        for batch in &landed {
            for at in lanes(batch.mask).map(|lane| batch.to[lane]) {
                self.flying[(at / 32) as usize] &= !(byte_mask(batch.bytes) << (at % 32));
            }
        }
        landed
    }

    /// Reports accesses of bytes in flight.
    pub(crate) fn check(&self, who: &Who, access: &Access, write: bool, reports: &mut Reports) {
        for lane in lanes(access.mask) {
            let at = access.addr[lane];
            let hit = self.flying[(at / 32) as usize] >> (at % 32) & byte_mask(access.bytes);
            if hit != 0 {
                let address = at + u64::from(hit.trailing_zeros());
                self.report(who, access, lane, address, write, reports);
            }
        }
    }

    #[cold]
    fn report(
        &self,
        who: &Who,
        access: &Access,
        lane: usize,
        address: u64,
        write: bool,
        reports: &mut Reports,
    ) {
        let block = who.clocks.block();
        let holds = |batch: &Batch, lane: usize| {
            (batch.to[lane]..batch.to[lane] + u64::from(batch.bytes)).contains(&address)
        };
        for batch in &self.batches {
            for other in lanes(batch.mask).filter(|&lane| holds(batch, lane)) {
                let (thread, line) = (who.warp * 32 + lane as u32, access.line);
                let later = Later { block, thread, line, write, space: Space::Shared, address };
                let thread = batch.warp * 32 + other as u32;
                let earlier = Earlier { block, thread, line: batch.line, write: true, atomic: false };
                reports.add(Problem::Early, later, earlier);
            }
        }
    }
}
