//! Instructions on barrier objects.

use std::sync::Arc;

use super::block::Block;
use super::cluster::block_of;
use super::distant::Spot;
use super::flying::{By, Work};
use super::machine::{Fatal, Machine};
use super::regs::lanes;
use crate::finding::{FindingKind, Use};
use crate::memory::{
    Access as MemAccess, Arrival, Kind, Known, MBARRIER_BYTES, Phase, Scope, Space, Stamp, Who,
};
use crate::program::ir::{Arrive, Mbar, MbarKind, Reg, Row, WaitFor};

/// What is done with an object, by lane.
#[derive(Clone, Copy, Debug)]
enum Act<'a> {
    Init(Stamp, u32),
    Inval,
    ExpectTx(u32),
    CompleteTx(u32),
    Arrive(Arrival, Option<u32>, Option<&'a Arc<Known>>),
}

impl Machine<'_> {
    pub(super) fn mbar(
        &mut self,
        block: &mut Block,
        w: usize,
        bar: &Mbar,
        mask: u32,
        line: u32,
    ) -> Result<(), Fatal> {
        let mut addr = self.addresses(block, w, &bar.addr, mask);
        for row in operands(&bar.kind) {
            let pc = block.warps[w].group().pc;
            self.undefined(block, w, row, mask, pc, Use::Control);
        }
        let known = match bar.kind {
            MbarKind::Arrive(_) if bar.orders => Some(block.clocks.release_all(&[(w as u32, mask)])),
            _ => None,
        };
        let mut left = mask;
        let mut failed = 0;
        while left != 0 {
            let Spot { space, rank, lanes: here } = self.spot(block, w, bar.window, left, &mut addr)?;
            left &= !here;
            let plain = matches!(bar.kind, MbarKind::Init(_) | MbarKind::Inval);
            let kind = if plain { Kind::Weak } else { Kind::Strong(Scope::Cluster) };
            let request = MemAccess { mask: here, addr: &addr, bytes: MBARRIER_BYTES as u32, kind, line };
            self.touch_object(block, w, (space, rank), request)?;
            for lane in lanes(here) {
                let at = addr[lane];
                self.made_before(block, w, (rank, at), &bar.kind, lane);
                match bar.kind {
                    MbarKind::Wait(p, phase) => {
                        let done = self.wait_for(block, w, (rank, at), phase, bar, lane)?;
                        block.warps[w].regs.set(Reg::P(p), lane, done.into());
                        block.warps[w].regs.define(Reg::P(p), 1 << lane);
                        failed |= u32::from(!done) << lane;
                    }
                    MbarKind::AfterCopies(noinc) => self.after_copies(block, w, (rank, at), noinc, lane)?,
                    _ => {
                        // A fence before makes a release of a relaxed arrival.
                        let scope = bar.scope.unwrap_or(Scope::Cta);
                        let fenced = match bar.kind {
                            MbarKind::Arrive(_) if !bar.orders => {
                                block.clocks.fenced(w as u32, lane as u32, scope)
                            }
                            _ => None,
                        };
                        let known = known.clone().or(fenced.map(|(known, _)| known));
                        self.act(block, w, (rank, at), bar, lane, known.as_ref())?;
                    }
                }
            }
        }
        if matches!(bar.kind, MbarKind::Wait(..)) {
            self.waited(block, w, mask, failed, addr[mask.trailing_zeros() as usize & 31]);
        } else {
            self.progress += 1;
        }
        Ok(())
    }

    /// Reports a use of an object that nothing orders after its initialisation.
    fn made_before(
        &mut self,
        block: &mut Block,
        w: usize,
        (rank, at): (u32, u64),
        kind: &MbarKind,
        lane: usize,
    ) {
        let owner = block_of(&mut self.cluster.blocks, block, rank);
        let made = owner.and_then(|owner| owner.mbarriers.get(at).ok()).map(|found| found.made);
        let knows = |made| block.clocks.knows(w as u32, lane as u32, made);
        if matches!(kind, MbarKind::Init(_)) || made.is_none_or(knows) {
            return;
        }
        let pc = block.warps[w].group().pc;
        let what = "nothing orders this after mbarrier.init".to_owned();
        self.find(block, w as u32, lane as u32, pc, FindingKind::MBarrier { address: at, what });
    }

    /// A wait has found its phase complete or not: who has to wait ends its turn.
    fn waited(&mut self, block: &mut Block, w: usize, mask: u32, failed: u32, at: u64) {
        let pc = block.warps[w].group().pc;
        if failed == mask {
            self.looked_in_vain = true;
            block.polls.insert(w as u32, (mask.trailing_zeros(), pc, at));
            self.left = 0;
            block.warps[w].burst = 0;
        } else {
            block.polls.remove(&(w as u32));
            self.progress += 1;
            if failed != 0 {
                self.may_wait(block, w);
            }
        }
    }

    /// Bounds, alignment and races of the object itself.
    fn touch_object(
        &mut self,
        block: &mut Block,
        w: usize,
        (space, rank): (Space, u32),
        request: MemAccess,
    ) -> Result<(), Fatal> {
        let Block { clocks, shared, rank: own, .. } = &mut *block;
        let who = Who { warp: w as u32, clocks };
        let shared = match space {
            Space::Shared if rank == *own => Some(shared),
            Space::Shared => {
                let other = self.cluster.blocks.get_mut(rank as usize).and_then(|other| other.as_mut());
                other.map(|other| &mut other.shared)
            }
            _ => None,
        };
        let result = match shared {
            Some(shared) => shared.touch_object(&who, request),
            None => Err(super::mem::no_memory(&request, space, true)),
        };
        result.map_err(|fault| self.fault(block, w, fault))
    }

    /// Does something with the object of a rank.
    fn act(
        &mut self,
        block: &mut Block,
        w: usize,
        (rank, at): (u32, u64),
        bar: &Mbar,
        lane: usize,
        known: Option<&Arc<Known>>,
    ) -> Result<(), Fatal> {
        let value = |row: Row| block.warps[w].regs.w[row as usize][lane];
        let act = match bar.kind {
            MbarKind::Init(count) => {
                let (index, w) = (block.index as u32, w as u32);
                let stamp = Stamp::new(index, w, block.clocks.clock(w), Kind::Weak, false);
                Act::Init(stamp.lane(lane as u32), value(count))
            }
            MbarKind::Inval => Act::Inval,
            MbarKind::ExpectTx(bytes) => Act::ExpectTx(value(bytes)),
            MbarKind::CompleteTx(bytes) => Act::CompleteTx(value(bytes)),
            MbarKind::Arrive(Arrive { count, bytes, drops, no_complete, .. }) => {
                let arrival = Arrival { count: count.map_or(1, value), drops, no_complete };
                Act::Arrive(arrival, bytes.map(value), known)
            }
            MbarKind::Wait(..) | MbarKind::AfterCopies(_) => return Ok(()),
        };
        let own = block.rank == rank;
        let result = match block_of(&mut self.cluster.blocks, block, rank) {
            Some(owner) => act_on(owner, at, act, bar.scope, own),
            None => Err("the block is not there".to_owned()),
        };
        match result {
            Ok(state) => {
                if let MbarKind::Arrive(Arrive { state: Some(row), .. }) = bar.kind {
                    block.warps[w].regs.set(Reg::D(row), lane, state);
                    block.warps[w].regs.define(Reg::D(row), 1 << lane);
                }
                Ok(())
            }
            Err(what) => Err(self.bad_barrier(block, w, lane, at, what)),
        }
    }

    fn bad_barrier(&mut self, block: &mut Block, w: usize, lane: usize, at: u64, what: String) -> Fatal {
        let pc = block.warps[w].group().pc;
        self.fatal(block, w as u32, lane as u32, pc, FindingKind::MBarrier { address: at, what })
    }

    /// `test_wait`, `try_wait`: whether the phase is complete; who finds it so knows what was published.
    fn wait_for(
        &mut self,
        block: &mut Block,
        w: usize,
        (rank, at): (u32, u64),
        phase: WaitFor,
        bar: &Mbar,
        lane: usize,
    ) -> Result<bool, Fatal> {
        if rank != block.rank {
            let what = "a wait at an object of another block".to_owned();
            return Err(self.bad_barrier(block, w, lane, at, what));
        }
        let regs = &block.warps[w].regs;
        let phase = match phase {
            WaitFor::State(row) => Phase::Of(regs.d[row as usize][lane]),
            WaitFor::Parity(row) => Phase::Parity(regs.w[row as usize][lane]),
        };
        let found = block.mbarriers.get(at).and_then(|found| found.is_complete(phase));
        match found {
            Err(what) => Err(self.bad_barrier(block, w, lane, at, what)),
            Ok(false) => Ok(false),
            Ok(true) => {
                let known = block.mbarriers.get(at).ok().and_then(|found| found.found().cloned());
                if let Some(known) = known.filter(|_| bar.orders) {
                    block.clocks.acquire_lanes(w as u32, 1 << lane, &known);
                }
                Ok(true)
            }
        }
    }

    /// `cp.async.mbarrier.arrive`: arrives when the copies that the lane issued before are done.
    fn after_copies(
        &mut self,
        block: &mut Block,
        w: usize,
        (rank, at): (u32, u64),
        noinc: bool,
        lane: usize,
    ) -> Result<(), Fatal> {
        let result = match block.mbarriers.get(at) {
            Ok(_) if rank != block.rank => Err("an object of another block".to_owned()),
            Ok(found) if !noinc => found.expect_one(),
            other => other.map(drop),
        };
        if let Err(what) = result {
            return Err(self.bad_barrier(block, w, lane, at, what));
        }
        let by = self.by(block, w, lane as u32);
        let known = block.clocks.release(w as u32, lane as u32);
        let random = self.random.as_mut().map(super::machine::Random::next);
        let due = self.cluster.flying.due(random);
        let before = block.shared.copies_issued();
        self.cluster.flying.issue(Work::Arrive { due, by, before, at, known });
        Ok(())
    }

    /// The lane that issues something now.
    pub(super) fn by(&mut self, block: &mut Block, w: usize, lane: u32) -> By {
        let pc = block.warps[w].group().pc;
        let line = self.kernel.code[pc as usize].line;
        By { rank: block.rank, block: block.index as u32, warp: w as u32, lane, pc, line }
    }

    /// At the end of a block: objects that got more bytes than were expected.
    pub(super) fn surplus_at_the_end(&mut self, block: &mut Block) {
        let found: Vec<(u64, i64)> = block.mbarriers.surplus().collect();
        for (address, bytes) in found {
            let what = format!("{bytes} bytes came that no phase expects");
            let pc = (self.kernel.code.len() as u32).saturating_sub(1);
            self.find(block, 0, 0, pc, FindingKind::MBarrier { address, what });
        }
    }
}

/// The registers that an instruction reads.
fn operands(kind: &MbarKind) -> impl Iterator<Item = Reg> {
    let (first, second) = match kind {
        MbarKind::Init(row) | MbarKind::ExpectTx(row) | MbarKind::CompleteTx(row) => {
            (Some(Reg::W(*row)), None)
        }
        MbarKind::Arrive(arrive) => (arrive.count.map(Reg::W), arrive.bytes.map(Reg::W)),
        MbarKind::Wait(_, WaitFor::State(row)) => (Some(Reg::D(*row)), None),
        MbarKind::Wait(_, WaitFor::Parity(row)) => (Some(Reg::W(*row)), None),
        MbarKind::Inval | MbarKind::AfterCopies(_) => (None, None),
    };
    first.into_iter().chain(second)
}

fn act_on(
    owner: &mut Block,
    at: u64,
    act: Act,
    scope: Option<Scope>,
    same_block: bool,
) -> Result<u64, String> {
    match act {
        Act::Init(made, count) => owner.mbarriers.init(at, made, count)?,
        Act::Inval => owner.mbarriers.inval(at)?,
        Act::ExpectTx(bytes) => owner.mbarriers.get(at)?.expect_tx(bytes)?,
        Act::CompleteTx(bytes) => owner.mbarriers.get(at)?.complete_tx(bytes)?,
        Act::Arrive(arrival, bytes, known) => {
            let found = owner.mbarriers.get(at)?;
            if let Some(bytes) = bytes {
                found.expect_tx(bytes)?;
            }
            if let Some(known) = known {
                found.publish(known, scope, same_block);
            }
            return found.arrive(arrival);
        }
    }
    Ok(0)
}
