//! A block: its warps, its shared memory and its barriers, and the order in which its warps run.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::barrier::Barrier;
use super::bulk::Groups;
use super::distant::Visits;
use super::grid::Job;
use super::machine::{Fatal, Machine};
use super::warp::{Group, Wait, Warp};
use super::wgmma::{Pending, Registers};
use crate::memory::{AGENTS, Clocks, Local, MBarriers, Shared, SyncVars};

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
    /// What its threads published in shared memory.
    pub sync: SyncVars,
    /// The warps of each warpgroup that wait at `wgmma`, with the instruction.
    pub warpgroups: Vec<Vec<(usize, u32)>>,
    /// Its rank in the cluster.
    pub rank: u32,
    /// Whether all its threads have ended.
    pub done: bool,
    /// The barrier objects in its shared memory.
    pub mbarriers: MBarriers,
    /// The clocks of its agents.
    pub agents: [u32; AGENTS as usize],
    /// The groups of bulk copies of its threads.
    pub groups: Groups,
    /// Lanes, by warp, that have waited at the barrier of the cluster: they know that its blocks are there.
    pub met: Vec<u32>,
    /// The `setmaxnreg` that each warp executed.
    pub register_changes: Vec<Vec<u32>>,
    /// The last wait in vain of each warp: lane, instruction, object.
    pub polls: BTreeMap<u32, (u32, u32, u64)>,
    /// What other blocks of the cluster did to its shared memory.
    pub visits: Visits,
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
    pub fn new(job: &Job, index: u64, rank: u32) -> Self {
        let threads = job.threads();
        let kernel = &job.kernel;
        let warps: Vec<Warp> = (0..threads.div_ceil(32))
            .map(|warp| {
                let exists = u32::MAX >> (32 - (threads - 32 * warp).min(32));
                Warp::new(warp, exists, kernel)
            })
            .collect();
        let shared = Shared::new(Arc::clone(&job.shared), kernel.grain);
        let mut block = Self {
            index,
            at: job.block_at(index),
            clocks: Clocks::new(index as u32, threads),
            shared: if kernel.async_proxy { shared.with_async_proxy() } else { shared },
            local: warps.iter().map(|_| Local::new(Arc::clone(&job.local))).collect(),
            met: vec![0; warps.len()],
            warps,
            barriers: std::array::from_fn(|_| Barrier::default()),
            sync: SyncVars::new(),
            warpgroups: vec![Vec::new(); threads.div_ceil(128) as usize],
            rank,
            done: false,
            mbarriers: MBarriers::default(),
            agents: [0; AGENTS as usize],
            groups: Groups::default(),
            register_changes: Vec::new(),
            polls: BTreeMap::new(),
            visits: Visits::default(),
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
        self.warpgroups.iter_mut().for_each(Vec::clear);
        for barrier in &mut self.barriers {
            *barrier = Barrier::default();
        }
        self.done = false;
        self.mbarriers.clear();
        self.agents = [0; AGENTS as usize];
        self.groups.clear();
        self.met.fill(0);
        self.register_changes.clear();
        self.polls.clear();
        self.visits.clear();
        for (warp, local) in self.warps.iter_mut().zip(&mut self.local) {
            local.reset();
            warp.regs.reset(&job.kernel);
            warp.pending = Pending::default();
            warp.wgmma = Registers::new(&job.kernel);
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
    /// A turn of each warp of a block that can run; whether one could.
    pub(super) fn turn(&mut self, block: &mut Block) -> Result<bool, Fatal> {
        let mut order = std::mem::take(&mut self.order);
        order.clear();
        order.extend(0..block.warps.len());
        if let Some(random) = &mut self.random {
            random.shuffle(&mut order);
        }
        let mut ran = false;
        let mut result = Ok(());
        for &warp in &order {
            if !block.warps[warp].is_ready() {
                continue;
            }
            ran = true;
            self.looked_in_vain = false;
            let quantum = self.random.as_mut().map_or(QUANTUM, |random| 1 + random.next() % 64);
            result = self.run_warp(block, warp, quantum);
            if result.is_err() {
                break;
            }
            // A warp that did not look at a barrier object in this turn, nor waits at one, computes.
            self.computes |= !self.looked_in_vain && !block.polls.contains_key(&(warp as u32));
            result = self.deliver_due(block);
            if result.is_err() {
                break;
            }
        }
        self.order = order;
        result?;
        if block.warps.iter().all(|warp| warp.groups.is_empty()) {
            self.last_thread_ended(block);
        }
        Ok(ran)
    }

    /// Nothing of the block runs any more.
    fn last_thread_ended(&mut self, block: &mut Block) {
        self.complete_cluster(block);
        self.copies_at_the_end(block);
        self.visits_at_the_end(block);
        self.surplus_at_the_end(block);
        self.registers_at_the_end(block);
        block.done = true;
        self.end_of_block(block);
    }

    pub(super) fn end_of_block(&mut self, block: &mut Block) {
        self.notes.races(self.job, block.shared.take_reports());
    }
}
