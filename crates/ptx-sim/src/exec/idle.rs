//! When nobody of a cluster gets on: asynchronous work that is not done yet, threads that have ended, or a deadlock.

use super::block::Block;
use super::machine::{Fatal, Machine};
use crate::finding::FindingKind;

/// Turns of a cluster in which all who run look in vain for something to happen, before something does (with seed 0).
const PATIENCE: u32 = 4;
/// The same before it counts as a deadlock.
const DEADLOCK: u32 = 20_000;

impl Machine<'_> {
    /// Nobody of the cluster got on in its last turn; `ran` tells whether somebody looked.
    pub(super) fn all_wait(&mut self, ran: bool) -> Result<(), Fatal> {
        if ran && self.cluster.idle < PATIENCE {
            return Ok(());
        }
        if let Some(work) = self.cluster.flying.take_oldest() {
            self.cluster.idle = 0;
            return self.with_some_block(|machine, block| machine.deliver(block, work));
        }
        if ran {
            if self.cluster.idle > DEADLOCK {
                self.for_each_block(|machine, block| {
                    machine.vain_polls(block);
                    true
                });
                return Err(Fatal);
            }
            return Ok(());
        }
        let freed = self.for_each_block(|machine, block| machine.free_stuck(block));
        if freed {
            return Ok(());
        }
        self.for_each_block(|machine, block| {
            machine.deadlock(block);
            true
        });
        Err(Fatal)
    }

    /// With a block that has not ended.
    fn with_some_block<T>(
        &mut self,
        act: impl FnOnce(&mut Self, &mut Block) -> Result<T, Fatal>,
    ) -> Result<T, Fatal> {
        let running = |block: &Option<Box<Block>>| block.as_ref().is_some_and(|block| !block.done);
        let Some(rank) = self.cluster.blocks.iter().position(running) else { return Err(Fatal) };
        let Some(mut block) = self.cluster.blocks[rank].take() else { return Err(Fatal) };
        let result = act(self, &mut block);
        self.cluster.blocks[rank] = Some(block);
        result
    }

    /// With each block that has not ended; whether one said yes.
    fn for_each_block(&mut self, mut act: impl FnMut(&mut Self, &mut Block) -> bool) -> bool {
        let mut any = false;
        for rank in 0..self.cluster.blocks.len() {
            let Some(mut block) = self.cluster.blocks[rank].take() else { continue };
            if !block.done {
                any |= act(self, &mut block);
            }
            self.cluster.blocks[rank] = Some(block);
        }
        any
    }

    /// What is over for the cluster.
    pub(super) fn end_of_cluster(&mut self) {
        for rank in 0..self.cluster.blocks.len() {
            if let Some(mut block) = self.cluster.blocks[rank].take() {
                self.end_of_block(&mut block);
                self.cluster.blocks[rank] = Some(block);
            }
        }
    }

    /// Warps that wait in vain at a barrier object.
    fn vain_polls(&mut self, block: &mut Block) {
        for (w, (lane, pc, address)) in std::mem::take(&mut block.polls) {
            let missing = block.mbarriers.get(address).map_or_else(|why| why, |bar| bar.missing());
            let what = format!("the phase that is waited for does not end: {missing}");
            self.find(block, w, lane, pc, FindingKind::MBarrier { address, what });
        }
        self.deadlock(block);
    }
}
