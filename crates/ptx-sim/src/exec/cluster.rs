//! A cluster: its blocks, which run turn by turn, and its barrier (PTX ISA, `barrier.cluster`).
//!
//! A phase of the barrier is complete when all threads of the cluster that have not exited have arrived in it. A thread arrives
//! and waits in turn; what else it does is reported.

use std::sync::Arc;

use super::block::{Block, Progress};
use super::flying::Flying;
use super::grid::Job;
use super::machine::{Fatal, Machine};
use super::step::Flow;
use super::warp::Wait;
use crate::finding::FindingKind;
use crate::memory::Known;
use crate::program::ir::ClusterBar;

/// A cluster of blocks.
#[derive(Default)]
pub(super) struct Cluster {
    /// Its blocks by rank; the one that runs is not there.
    pub blocks: Vec<Option<Box<Block>>>,
    barrier: ClusterBarrier,
    /// Asynchronous work that is not done.
    pub flying: Flying,
    /// Turns in which nobody got on.
    pub idle: u32,
}

/// The state of the barrier; lanes by rank and warp.
#[derive(Debug, Default)]
struct ClusterBarrier {
    /// Lanes that have arrived in the phase that is not complete.
    arrived: Vec<Vec<u32>>,
    /// Lanes that arrived in a complete phase and have not waited for it yet.
    passed: Vec<Vec<u32>>,
    /// Who waits: rank, warp, lanes, instruction.
    waiters: Vec<(usize, u32, u32, u32)>,
    /// What those who arrived did before.
    published: Vec<Arc<Known>>,
    /// The same of the phase that was completed last.
    complete: Vec<Arc<Known>>,
}

impl ClusterBarrier {
    /// The lanes of a warp that have arrived, and those that may go on.
    fn of(&self, rank: usize, w: usize) -> (u32, u32) {
        let lanes = |all: &[Vec<u32>]| all.get(rank).and_then(|warps| warps.get(w)).copied().unwrap_or(0);
        (lanes(&self.arrived), lanes(&self.passed))
    }

    fn lanes(all: &mut Vec<Vec<u32>>, rank: usize, w: usize) -> &mut u32 {
        if all.len() <= rank {
            all.resize(rank + 1, Vec::new());
        }
        if all[rank].len() <= w {
            all[rank].resize(w + 1, 0);
        }
        &mut all[rank][w]
    }
}

impl Cluster {
    /// Cluster `index` of a launch, before its first instruction.
    pub fn new(job: &Job, index: u64) -> Self {
        let block = |rank| Some(Box::new(Block::new(job, job.block_of(index, rank), rank)));
        Self { blocks: (0..job.cluster_blocks()).map(block).collect(), ..Self::default() }
    }

    /// Becomes cluster `index`, before its first instruction.
    pub fn restart(&mut self, job: &Job, index: u64) {
        self.barrier = ClusterBarrier::default();
        self.flying.clear();
        self.idle = 0;
        for (block, rank) in self.blocks.iter_mut().flatten().zip(0..) {
            block.restart(job, job.block_of(index, rank));
        }
    }
}

/// The block of a rank: the one that runs, or another.
pub(super) fn block_of<'a>(
    blocks: &'a mut [Option<Box<Block>>],
    block: &'a mut Block,
    rank: u32,
) -> Option<&'a mut Block> {
    if block.rank == rank { Some(block) } else { blocks.get_mut(rank as usize)?.as_deref_mut() }
}

impl Machine<'_> {
    /// Runs the machine's cluster to its end, or, when `share` is given, for so many turns of its warps.
    pub fn run_cluster(&mut self, share: Option<u32>) -> Result<Progress, Fatal> {
        let mut order: Vec<usize> = (0..self.cluster.blocks.len()).collect();
        let mut left = share;
        loop {
            if order.len() > 1
                && let Some(random) = &mut self.random
            {
                random.shuffle(&mut order);
            }
            let before = self.progress;
            self.computes = false;
            let (mut ran, mut running) = (false, false);
            for &rank in &order {
                let Some(mut block) = self.cluster.blocks[rank].take() else { continue };
                if !block.done {
                    let turn = self.turn(&mut block);
                    ran |= turn.is_ok_and(|ran| ran);
                    running |= !block.done;
                    self.cluster.blocks[rank] = Some(block);
                    turn?;
                } else {
                    self.cluster.blocks[rank] = Some(block);
                }
            }
            if !running {
                return Ok(Progress::Done);
            }
            let idles = self.progress == before && !self.computes;
            self.cluster.idle = if idles { self.cluster.idle + 1 } else { 0 };
            if !ran || self.cluster.idle > 0 {
                self.all_wait(ran)?;
            }
            if let Some(left) = &mut left {
                *left -= 1;
                if *left == 0 {
                    return Ok(Progress::Running);
                }
            }
        }
    }

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
        let rank = block.rank as usize;
        let (arrived, passed) = self.cluster.barrier.of(rank, w);
        let again = (arrived | passed) & mask;
        if again != 0 {
            return Err(self.misuse(block, w, again, "a thread arrives again without having waited"));
        }
        let barrier = &mut self.cluster.barrier;
        *ClusterBarrier::lanes(&mut barrier.arrived, rank, w) |= mask;
        if bar.orders {
            barrier.published.push(block.clocks.release_all(&[(w as u32, mask)]));
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
        let rank = block.rank as usize;
        let (arrived, passed) = self.cluster.barrier.of(rank, w);
        let wrong = mask & !(arrived | passed);
        if wrong != 0 {
            return Err(self.misuse(block, w, wrong, "a thread waits without having arrived"));
        }
        let barrier = &mut self.cluster.barrier;
        if passed & mask != 0 {
            *ClusterBarrier::lanes(&mut barrier.passed, rank, w) &= !mask;
            pass(block, w as u32, passed & mask, &barrier.complete);
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
        barrier.waiters.push((rank, w as u32, pending, pc));
        Ok(Flow::Switch)
    }

    /// Ends the phase if all have arrived; whether it did. `block` is the one that runs.
    pub(super) fn complete_cluster(&mut self, block: &mut Block) -> bool {
        let Cluster { blocks, barrier, .. } = &mut self.cluster;
        let missing = |block: &Block| {
            let arrived = |w: usize| barrier.of(block.rank as usize, w).0;
            block.warps.iter().enumerate().any(|(w, warp)| warp.live & !arrived(w) != 0)
        };
        if missing(block) || blocks.iter().flatten().any(|block| missing(block)) {
            return false;
        }
        if barrier.arrived.iter().flatten().all(|arrived| *arrived == 0) {
            return false;
        }
        barrier.passed = std::mem::take(&mut barrier.arrived);
        barrier.complete = std::mem::take(&mut barrier.published);
        for (rank, w, mask, pc) in std::mem::take(&mut barrier.waiters) {
            *ClusterBarrier::lanes(&mut barrier.passed, rank, w as usize) &= !mask;
            let Some(block) = block_of(blocks, block, rank as u32) else { continue };
            pass(block, w, mask, &barrier.complete);
            for group in &mut block.warps[w as usize].groups {
                if group.wait == Wait::Cluster && group.pc == pc && group.mask & mask != 0 {
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

/// Lanes have waited for a complete phase: they know what those did who arrived, and that all blocks are there.
fn pass(block: &mut Block, w: u32, mask: u32, complete: &[Arc<Known>]) {
    block.met[w as usize] |= mask;
    for known in complete {
        block.clocks.acquire_lanes(w, mask, known);
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
