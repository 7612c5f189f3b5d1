//! A block: its warps, its shared memory and its barriers, and the order in which its warps run.

use std::sync::Arc;

use super::barrier::Barrier;
use super::cluster::ClusterBarrier;
use super::grid::Job;
use super::machine::{Fatal, Machine};
use super::regs::Regs;
use super::warp::{Group, Wait, Warp};
use crate::memory::{Clocks, Local, Shared, SyncVars};

/// Instructions a warp runs before the next one gets its turn.
const QUANTUM: u64 = 1000;

/// A block.
pub(super) struct Block {
    /// Its number: x first, then y, then z.
    pub index: u64,
    /// Its three indices.
    pub at: [u32; 3],
    /// What its threads know of one another.
    pub clocks: Clocks,
    /// Shared memory.
    pub shared: Shared,
    /// Its warps.
    pub warps: Vec<Warp>,
    /// Local memory, by warp.
    pub local: Vec<Local>,
    /// Its barriers.
    pub barriers: [Barrier; 16],
    /// The barrier of its cluster, of which it is the only block.
    pub cluster: ClusterBarrier,
    /// What its threads published in shared memory.
    pub sync: SyncVars,
}

/// How far a block has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Progress {
    /// All its threads have ended.
    Done,
    /// Its turn is over.
    Running,
}

impl Block {
    /// Block `index` of a launch, before its first instruction.
    pub fn new(job: &Job, index: u64) -> Self {
        let threads = job.threads();
        let kernel = &job.kernel;
        let warps: Vec<Warp> = (0..threads.div_ceil(32))
            .map(|warp| {
                let exists = u32::MAX >> (32 - (threads - 32 * warp).min(32));
                Warp::new(warp, exists, Regs::new(kernel))
            })
            .collect();
        let mut block = Self {
            index,
            at: job.block_at(index),
            clocks: Clocks::new(index as u32, threads),
            shared: Shared::new(Arc::clone(&job.shared), kernel.grain),
            local: warps.iter().map(|_| Local::new(Arc::clone(&job.local))).collect(),
            warps,
            barriers: std::array::from_fn(|_| Barrier::default()),
            cluster: ClusterBarrier::default(),
            sync: SyncVars::new(),
        };
        block.set_specials(job);
        block
    }

    /// Becomes block `index`, before its first instruction.
    pub fn restart(&mut self, job: &Job, index: u64) {
        self.index = index;
        self.at = job.block_at(index);
        self.clocks = Clocks::new(index as u32, job.threads());
        self.shared.reset();
        self.sync.clear();
        for barrier in &mut self.barriers {
            *barrier = Barrier::default();
        }
        self.cluster = ClusterBarrier::default();
        for (warp, local) in self.warps.iter_mut().zip(&mut self.local) {
            local.reset();
            warp.regs.reset(&job.kernel);
            warp.live = warp.exists;
            warp.steps = 0;
            warp.groups.clear();
            warp.groups.push(Group {
                pc: 0,
                mask: warp.exists,
                frames: Vec::new(),
                wait: Wait::None,
                ran: 0,
            });
            warp.current = 0;
        }
        self.set_specials(job);
    }

    fn set_specials(&mut self, job: &Job) {
        for warp in &mut self.warps {
            super::special::set(&mut warp.regs, job, self.index, self.at, warp.index);
        }
    }
}

impl Machine<'_> {
    /// Runs a block to its end, or, when `share` is given, for so many turns of its warps.
    pub fn run_block(&mut self, block: &mut Block, share: Option<u32>) -> Result<Progress, Fatal> {
        let mut order: Vec<usize> = (0..block.warps.len()).collect();
        let mut left = share;
        loop {
            if let Some(random) = &mut self.random {
                random.shuffle(&mut order);
            }
            let mut ran = false;
            for &warp in &order {
                if !block.warps[warp].is_ready() {
                    continue;
                }
                ran = true;
                let quantum = self.random.as_mut().map_or(QUANTUM, |random| 1 + random.next() % 64);
                self.run_warp(block, warp, quantum)?;
            }
            if block.warps.iter().all(|warp| warp.groups.is_empty()) {
                self.end_of_block(block);
                return Ok(Progress::Done);
            }
            if !ran {
                self.stuck(block)?;
            }
            if let Some(left) = &mut left {
                *left -= 1;
                if *left == 0 {
                    return Ok(Progress::Running);
                }
            }
        }
    }

    pub(super) fn end_of_block(&mut self, block: &mut Block) {
        self.notes.races(self.job, block.shared.take_reports());
    }
}
