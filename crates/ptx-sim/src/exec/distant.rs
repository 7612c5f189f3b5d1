//! Shared memory of the other blocks of a cluster: addresses, and whether those blocks are there.
//!
//! An address of `shared::cluster` that `mapa` gives has the block's rank, plus one, from bit 24 on; below it is the offset in
//! the block's memory. Without a rank it is the executing block's own.

use std::collections::BTreeMap;

use super::block::Block;
use super::machine::{Fatal, Machine};
use super::mem::space_of;
use super::regs::{Lanes64, lanes};
use crate::finding::{Finding, FindingKind, Place, Use};
use crate::memory::{Access as MemAccess, Kind, MBarriers, Shared, Space, Stamp, SyncVars};
use crate::program::ir::{Reg, Row, Window};

/// Where the rank starts in an address.
const RANK_SHIFT: u32 = 24;
/// The offset in an address.
const OFFSET: u64 = (1 << RANK_SHIFT) - 1;

/// The last access of each thread of another block, by block and thread, and its instruction.
pub(super) type Visits = BTreeMap<(u32, u32), (Stamp, u32)>;

/// The lanes of an access that go to one memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub space: Space,
    /// For shared memory, whose.
    pub rank: u32,
    pub lanes: u32,
}

/// An address in the memory of a rank.
fn mapped(offset: u64, rank: u32) -> u64 {
    offset | u64::from(rank + 1) << RANK_SHIFT
}

/// The rank and offset of an address in `shared::cluster`.
pub(super) fn unmapped(address: u64, own: u32) -> (u32, u64) {
    match (address >> RANK_SHIFT) as u32 {
        0 => (own, address),
        rank => (rank - 1, address & OFFSET),
    }
}

impl Machine<'_> {
    /// The lanes that go to the same memory as the first, with their addresses made relative to it. A block that is not the
    /// own one must be there.
    pub(super) fn spot(
        &mut self,
        block: &mut Block,
        w: usize,
        window: Window,
        left: u32,
        addr: &mut Lanes64,
    ) -> Result<Spot, Fatal> {
        let spot = self.spot_of_copy(block, w, window, left, addr)?;
        if let Some(other) = self.cluster.blocks.get_mut(spot.rank as usize).and_then(|other| other.as_mut())
            && spot.space == Space::Shared
            && spot.rank != block.rank
        {
            let (pc, clock) = (block.warps[w].group().pc, block.clocks.clock(w as u32));
            let stamp = Stamp::new(block.index as u32, w as u32, clock, Kind::Weak, false);
            for lane in lanes(spot.lanes) {
                let by = (block.index as u32, w as u32 * 32 + lane as u32);
                other.visits.insert(by, (stamp.lane(lane as u32), pc));
            }
        }
        Ok(spot)
    }

    /// The same for an end of a copy: that the block stays until it is done is found out in another way.
    pub(super) fn spot_of_copy(
        &mut self,
        block: &mut Block,
        w: usize,
        window: Window,
        left: u32,
        addr: &mut Lanes64,
    ) -> Result<Spot, Fatal> {
        let (space, here) = space_of(window, left, addr);
        let own = block.rank;
        if space != Space::Shared || !self.kernel.maps_shared {
            return Ok(Spot { space, rank: own, lanes: here });
        }
        if window == Window::Shared {
            // An address of another block is outside the window of this one.
            for lane in lanes(here) {
                let (rank, offset) = unmapped(addr[lane], own);
                addr[lane] = if rank == own { offset } else { addr[lane] };
            }
            return Ok(Spot { space, rank: own, lanes: here });
        }
        let rank = unmapped(addr[here.trailing_zeros() as usize & 31], own).0;
        let mut same = 0;
        for lane in lanes(here) {
            let (other, offset) = unmapped(addr[lane], own);
            if other == rank {
                same |= 1 << lane;
                addr[lane] = offset;
            }
        }
        if rank != own {
            self.visit(block, w, rank, same)?;
        }
        Ok(Spot { space, rank, lanes: same })
    }

    /// Lanes of a warp use the memory of another block: it must have started, and not ended.
    pub(super) fn visit(&mut self, block: &mut Block, w: usize, rank: u32, mask: u32) -> Result<(), Fatal> {
        let (pc, lane) = (block.warps[w].group().pc, mask.trailing_zeros());
        let distant = |what| FindingKind::DistantShared { rank, what };
        let Some(other) = self.cluster.blocks.get_mut(rank as usize).and_then(|other| other.as_mut()) else {
            return Err(self.fatal(block, w as u32, lane, pc, distant("the cluster has no such block")));
        };
        if other.done {
            return Err(self.fatal(block, w as u32, lane, pc, distant("the block has ended")));
        }
        let mut unmet = mask & !block.met[w];
        for lane in lanes(unmet) {
            if block.clocks.knows_of(w as u32, lane as u32, other.index as u32) {
                unmet &= !(1 << lane);
            }
        }
        if unmet != 0 {
            let kind = distant("nothing tells that the block has started");
            self.find(block, w as u32, unmet.trailing_zeros(), pc, kind);
        }
        Ok(())
    }

    /// At the end of a block: what others did to its memory must lie before it.
    pub(super) fn visits_at_the_end(&mut self, block: &mut Block) {
        for ((of, thread), (stamp, pc)) in std::mem::take(&mut block.visits) {
            let mut all = block.warps.iter().flat_map(|w| lanes(w.exists).map(|lane| (w.index, lane as u32)));
            if all.any(|(w, lane)| block.clocks.knows(w, lane, stamp)) {
                continue;
            }
            let Some(inst) = self.kernel.code.get(pc as usize) else { continue };
            let place = Place {
                kernel: self.kernel.name.to_string(),
                block: self.job.block_at(of.into()),
                thread: self.job.thread_at(thread),
                line: inst.line,
                rust: self.kernel.sources.get(inst.source as usize).cloned(),
            };
            let what = "nothing tells that the block has not ended";
            self.notes
                .note(Finding { place, kind: FindingKind::DistantShared { rank: block.rank, what } }, 0);
        }
    }

    /// An ordinary access of a barrier object.
    pub(super) fn not_a_barrier(&mut self, block: &mut Block, w: usize, rank: u32, request: &MemAccess) {
        let found = self.mbarriers(block, rank).and_then(|bars| bars.plain_access(request));
        if let Some((lane, address)) = found {
            let pc = block.warps[w].group().pc;
            let what = "read or written by an instruction that is none of mbarrier's".to_owned();
            self.find(block, w as u32, lane, pc, FindingKind::MBarrier { address, what });
        }
    }

    fn mbarriers<'a>(&'a self, block: &'a Block, rank: u32) -> Option<&'a MBarriers> {
        if rank == block.rank {
            return Some(&block.mbarriers);
        }
        Some(&self.cluster.blocks.get(rank as usize)?.as_ref()?.mbarriers)
    }

    /// `mapa`
    pub(super) fn map_address(
        &mut self,
        block: &mut Block,
        w: usize,
        (generic, d, a, rank): (bool, Reg, Reg, Row),
        mask: u32,
    ) -> Result<(), Fatal> {
        let pc = block.warps[w].group().pc;
        self.undefined(block, w, a, mask, pc, Use::Address);
        self.undefined(block, w, Reg::W(rank), mask, pc, Use::Address);
        for lane in lanes(mask) {
            let regs = &mut block.warps[w].regs;
            let (address, to) = (regs.get(a, lane), regs.w[rank as usize][lane]);
            if to >= self.job.cluster_blocks() {
                let kind = FindingKind::DistantShared { rank: to, what: "the cluster has no such block" };
                return Err(self.fatal(block, w as u32, lane as u32, pc, kind));
            }
            let window = if generic { Space::Shared.window() } else { 0 };
            let (_, offset) = unmapped(address.wrapping_sub(window), block.rank);
            regs.set(d, lane, mapped(offset, to).wrapping_add(window));
            regs.define(d, 1 << lane);
        }
        Ok(())
    }

    /// `getctarank`
    pub(super) fn rank_of_address(
        &mut self,
        block: &mut Block,
        w: usize,
        (generic, d, a): (bool, Row, Reg),
        mask: u32,
    ) {
        let pc = block.warps[w].group().pc;
        self.undefined(block, w, a, mask, pc, Use::Address);
        for lane in lanes(mask) {
            let regs = &mut block.warps[w].regs;
            let window = if generic { Space::Shared.window() } else { 0 };
            let (rank, _) = unmapped(regs.get(a, lane).wrapping_sub(window), block.rank);
            regs.set(Reg::W(d), lane, rank.into());
            regs.define(Reg::W(d), 1 << lane);
        }
    }
}

/// The shared memory of a rank, and what was published in it.
pub(super) fn shared_of<'a>(
    blocks: &'a mut [Option<Box<Block>>],
    (own, shared, sync): (u32, &'a mut Shared, &'a mut SyncVars),
    rank: u32,
) -> Option<(&'a mut Shared, &'a mut SyncVars)> {
    if rank == own {
        return Some((shared, sync));
    }
    let other = blocks.get_mut(rank as usize)?.as_deref_mut()?;
    Some((&mut other.shared, &mut other.sync))
}
