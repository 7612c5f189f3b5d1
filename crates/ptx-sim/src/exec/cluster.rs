//! The barrier of a cluster (PTX ISA, `barrier.cluster`), for clusters of one block: launches of larger ones are refused.
//!
//! A phase is complete when all threads of the block that have not exited have arrived in it. A thread arrives and waits in turn;
//! what else it does is reported.

use std::sync::Arc;

use super::block::Block;
use super::machine::{Fatal, Machine};
use super::step::Flow;
use super::warp::Wait;
use crate::finding::FindingKind;
use crate::memory::Known;
use crate::program::ir::ClusterBar;

/// The state of the barrier.
#[derive(Debug, Default)]
pub(super) struct ClusterBarrier {
    /// Lanes that have arrived in the phase that is not complete, by warp.
    arrived: Vec<u32>,
    /// Lanes that arrived in a complete phase and have not waited for it yet, by warp.
    passed: Vec<u32>,
    /// Who waits: warp, lanes, instruction.
    waiters: Vec<(u32, u32, u32)>,
    /// What those who arrived did before.
    published: Vec<Arc<Known>>,
    /// The same of the phase that was completed last.
    complete: Vec<Arc<Known>>,
}

impl ClusterBarrier {
    /// The lanes of a warp that have arrived, and those that may go on.
    fn of(&self, w: usize) -> (u32, u32) {
        (self.arrived.get(w).copied().unwrap_or(0), self.passed.get(w).copied().unwrap_or(0))
    }
}

impl Machine<'_> {
    /// `barrier.cluster.arrive`
    pub(super) fn cluster_arrive(
        &mut self,
        block: &mut Block,
        w: usize,
        bar: ClusterBar,
        mask: u32,
    ) -> Result<Flow, Fatal> {
        if bar.aligned && mask != block.warps[w].live {
            return Ok(converge(block, w, mask));
        }
        block.cluster.arrived.resize(block.warps.len(), 0);
        let (arrived, passed) = block.cluster.of(w);
        let again = (arrived | passed) & mask;
        if again != 0 {
            return Err(self.misuse(block, w, again, "a thread arrives again without having waited"));
        }
        block.cluster.arrived[w] |= mask;
        if bar.orders {
            let published = block.clocks.release_all(&[(w as u32, mask)]);
            block.cluster.published.push(published);
        }
        self.complete_cluster(block);
        Ok(Flow::Next)
    }

    /// `barrier.cluster.wait`
    pub(super) fn cluster_wait(
        &mut self,
        block: &mut Block,
        w: usize,
        bar: ClusterBar,
        mask: u32,
    ) -> Result<Flow, Fatal> {
        if bar.aligned && mask != block.warps[w].live {
            return Ok(converge(block, w, mask));
        }
        let (arrived, passed) = block.cluster.of(w);
        let wrong = mask & !(arrived | passed);
        if wrong != 0 {
            return Err(self.misuse(block, w, wrong, "a thread waits without having arrived"));
        }
        if passed & mask != 0 {
            block.cluster.passed[w] &= !mask;
            for known in &block.cluster.complete {
                block.clocks.acquire_lanes(w as u32, passed & mask, known);
            }
        }
        let pending = mask & !passed;
        if pending == 0 {
            return Ok(Flow::Next);
        }
        let warp = &mut block.warps[w];
        let pc = warp.group().pc;
        let rest = warp.group().mask & !pending;
        if rest != 0 {
            warp.split(rest, pc + 1);
        }
        warp.group().wait = Wait::Cluster;
        block.cluster.waiters.push((w as u32, pending, pc));
        Ok(Flow::Switch)
    }

    /// Ends the phase if all have arrived; whether it did.
    pub(super) fn complete_cluster(&mut self, block: &mut Block) -> bool {
        let cluster = &mut block.cluster;
        let missing =
            block.warps.iter().zip(&cluster.arrived).any(|(warp, arrived)| warp.live & !arrived != 0);
        if missing || cluster.arrived.iter().all(|arrived| *arrived == 0) {
            return false;
        }
        cluster.passed = std::mem::take(&mut cluster.arrived);
        cluster.complete = std::mem::take(&mut cluster.published);
        for (w, mask, pc) in std::mem::take(&mut cluster.waiters) {
            cluster.passed[w as usize] &= !mask;
            for known in &cluster.complete {
                block.clocks.acquire_lanes(w, mask, known);
            }
            let waits = |wait| wait == Wait::Cluster;
            for group in &mut block.warps[w as usize].groups {
                if waits(group.wait) && group.pc == pc && group.mask & mask != 0 {
                    group.wait = Wait::None;
                    group.pc = pc + 1;
                }
            }
        }
        true
    }

    #[cold]
    fn misuse(&mut self, block: &mut Block, w: usize, lanes: u32, what: &str) -> Fatal {
        self.stop(block, w, lanes, FindingKind::ClusterBarrier { what: what.to_owned() })
    }
}

/// The lanes that do not execute an aligned barrier go on; the others wait for them.
pub(super) fn converge(block: &mut Block, w: usize, mask: u32) -> Flow {
    let warp = &mut block.warps[w];
    let pc = warp.group().pc;
    let rest = warp.group().mask & !mask;
    if rest != 0 {
        warp.split(rest, pc + 1);
    }
    warp.group().wait = Wait::Converge;
    Flow::Switch
}
