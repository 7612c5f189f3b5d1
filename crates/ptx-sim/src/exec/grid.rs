//! A whole grid: its blocks in parallel, or turn by turn when they may talk to one another.

use std::sync::Arc;

use rayon::prelude::*;

use super::block::Progress;
use super::cluster::Cluster;
use super::machine::{Machine, Notes};
use super::special::SM_COUNT;
use crate::finding::Finding;
use crate::memory::{Global, Layout, View, merge};
use crate::options::Options;
use crate::program::Kernel;
use crate::stats::Counters;

/// Parts into which the blocks of a grid are dealt out; the same on every machine, so that reports are too.
const PARTS: u64 = 16;
/// Turns of a cluster's warps before the next cluster gets its turn.
const SHARE: u32 = 4;
/// Clusters that are begun before those that are under way have had another turn.
const RESIDENT: usize = 64;

/// Bytes of the host for blocks that are under way together.
const RESIDENT_BYTES: u64 = 2 << 30;
/// Blocks and threads of a multiprocessor, at most (sm_90).
const SM_BLOCKS: u64 = 32;
const SM_THREADS: u64 = 2048;

/// A launch.
#[derive(Debug)]
pub(crate) struct Job {
    pub kernel: Arc<Kernel>,
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub cluster: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// The parameters, laid out.
    pub params: Vec<u8>,
    pub shared: Arc<Layout>,
    pub local: Arc<Layout>,
    pub options: Options,
    pub grid_id: u64,
}

/// What a launch came to.
#[derive(Debug, Default)]
pub(crate) struct Outcome {
    /// Instructions executed, by thread.
    pub executed: u64,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// What was counted.
    pub counters: Option<Box<Counters>>,
}

impl Job {
    /// Threads of a block.
    pub fn threads(&self) -> u32 {
        self.block.iter().product()
    }

    /// Blocks of the grid.
    pub fn blocks(&self) -> u64 {
        self.grid.iter().map(|n| u64::from(*n)).product()
    }

    /// Blocks of a cluster.
    pub fn cluster_blocks(&self) -> u32 {
        self.cluster.iter().product()
    }

    /// Clusters of the grid.
    pub fn clusters(&self) -> u64 {
        self.blocks() / u64::from(self.cluster_blocks())
    }

    /// The number of the block of rank `rank` of a cluster.
    pub fn block_of(&self, cluster: u64, rank: u32) -> u64 {
        if self.cluster == [1; 3] {
            return cluster;
        }
        let along = |axis: usize| u64::from(self.grid[axis] / self.cluster[axis]);
        let first = [cluster % along(0), cluster / along(0) % along(1), cluster / along(0) / along(1)];
        let [x, y, _] = self.cluster;
        let inside = [rank % x, rank / x % y, rank / x / y];
        let at: [u64; 3] =
            std::array::from_fn(|axis| first[axis] * u64::from(self.cluster[axis]) + u64::from(inside[axis]));
        at[0] + u64::from(self.grid[0]) * (at[1] + u64::from(self.grid[1]) * at[2])
    }

    /// Clusters that may be under way together: as many as the device holds, so that a wait for later ones is found out, and no
    /// more than there is room for.
    fn most_resident(&self) -> usize {
        let warps = u64::from(self.threads().div_ceil(32));
        let held = SM_COUNT * SM_BLOCKS.min(SM_THREADS / (32 * warps)).max(1);
        let rows = self.kernel.rows;
        let registers = 128 * u64::from(rows.word) + 256 * u64::from(rows.double);
        let bytes = warps * (registers + 36 * self.local.end()) + 2 * self.shared.end();
        let blocks = held.min(RESIDENT_BYTES / bytes.max(1));
        (blocks / u64::from(self.cluster_blocks())).max(1) as usize
    }

    /// The indices of block number `index`.
    pub fn block_at(&self, index: u64) -> [u32; 3] {
        let (x, y) = (u64::from(self.grid[0]), u64::from(self.grid[1]));
        [(index % x) as u32, (index / x % y) as u32, (index / x / y) as u32]
    }

    /// The indices of thread number `thread` of a block.
    pub fn thread_at(&self, thread: u32) -> [u32; 3] {
        let [x, y, _] = self.block;
        [thread % x, thread / x % y, thread / x / y]
    }
}

/// Runs a launch over the memory of a device.
pub(crate) fn run(job: &Job, global: &Global) -> Outcome {
    let clusters = job.clusters();
    if job.kernel.coupled {
        return finish(vec![turns(job, global)]);
    }
    let parts = PARTS.min(clusters);
    let part = |index: u64| (clusters * index / parts, clusters * (index + 1) / parts);
    let view = View::new(global, job.kernel.grain);
    if job.options.threads == 1 || parts == 1 {
        return finish(vec![in_order(job, view, (0, clusters), 0)]);
    }
    let views: Vec<View> = (0..parts).map(|_| view.fork()).collect();
    let machines = views.into_par_iter().enumerate().map(|(index, view)| {
        let index = index as u64;
        in_order(job, view, part(index), index)
    });
    finish(machines.collect())
}

/// Runs clusters one after the other.
fn in_order(job: &Job, view: View, (first, end): (u64, u64), stream: u64) -> Machine<'_> {
    let mut machine = Machine::new(job, view, stream);
    let mut order: Vec<u64> = (first..end).collect();
    if let Some(random) = &mut machine.random {
        random.shuffle(&mut order);
    }
    for index in order {
        if machine.cluster.blocks.is_empty() {
            machine.cluster = Cluster::new(job, index);
        } else {
            let mut cluster = std::mem::take(&mut machine.cluster);
            cluster.restart(job, index);
            machine.cluster = cluster;
        }
        if machine.run_cluster(None).is_err() {
            machine.end_of_cluster();
            break;
        }
    }
    machine
}

/// Runs clusters turn by turn: those that wait for one another make progress, however many there are.
fn turns<'a>(job: &'a Job, global: &Global) -> Machine<'a> {
    let mut machine = Machine::new(job, View::new(global, job.kernel.grain), 0);
    let mut order: Vec<u64> = (0..job.clusters()).collect();
    if let Some(random) = &mut machine.random {
        random.shuffle(&mut order);
    }
    let mut next = order.into_iter();
    let mut running: Vec<Cluster> = Vec::new();
    let mut spare: Vec<Cluster> = Vec::new();
    let most = job.most_resident();
    loop {
        let begun = running.len();
        // Ever more while those that are under way do not end: they may wait for the last one.
        let more = RESIDENT.saturating_sub(begun).max(1 + begun / 8).min(most - begun);
        for index in next.by_ref().take(more) {
            running.push(match spare.pop() {
                Some(mut cluster) => {
                    cluster.restart(job, index);
                    cluster
                }
                None => Cluster::new(job, index),
            });
        }
        if running.is_empty() {
            return machine;
        }
        if let Some(random) = &mut machine.random {
            random.shuffle(&mut running);
        }
        let mut at = 0;
        while at < running.len() {
            std::mem::swap(&mut machine.cluster, &mut running[at]);
            let progress = machine.run_cluster(Some(SHARE));
            if progress.is_err() {
                machine.end_of_cluster();
            }
            std::mem::swap(&mut machine.cluster, &mut running[at]);
            match progress {
                Err(_) => {
                    for cluster in running {
                        machine.cluster = cluster;
                        machine.end_of_cluster();
                    }
                    return machine;
                }
                Ok(Progress::Done) => spare.push(running.swap_remove(at)),
                Ok(Progress::Running) => at += 1,
            }
        }
    }
}

/// Puts together what the workers found.
fn finish(machines: Vec<Machine>) -> Outcome {
    let mut outcome = Outcome::default();
    for machine in &machines {
        outcome.executed += machine.executed;
        if let Some(counters) = &machine.counters {
            match &mut outcome.counters {
                Some(all) => all.add(counters),
                none => *none = Some(counters.clone()),
            }
        }
    }
    let mut notes = Notes::default();
    let mut views = Vec::new();
    let mut job = None;
    for machine in machines {
        machine.notes.findings.into_iter().for_each(|finding| notes.note(finding, 0));
        notes.employers.extend(machine.notes.employers);
        views.push(machine.view);
        job = Some(machine.job);
    }
    if let Some(job) = job {
        notes.races(job, merge(views));
    }
    outcome.findings = notes.findings;
    outcome
}
