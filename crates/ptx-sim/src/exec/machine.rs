//! One worker of a launch: what it shares with nobody, and how it reports.

use std::collections::{HashMap, HashSet};
use std::mem::discriminant;

use super::block::Block;
use super::cluster::Cluster;
use super::grid::Job;
use crate::finding::{Finding, FindingKind, Place};
use crate::memory::{Conflict, Earlier, FIRST_AGENT, RaceReport, SyncVars, View, Words};
use crate::program::Kernel;
use crate::stats::Counters;

/// More findings than these are not kept.
const MAX_FINDINGS: usize = 64;

/// Instructions that a strong access counts as: it may be one of a loop that waits.
const WAIT_COST: u64 = 128;

/// The launch cannot go on; the reason is among the findings.
#[derive(Clone, Copy, Debug)]
pub(super) struct Fatal;

/// A worker.
pub(super) struct Machine<'a> {
    pub job: &'a Job,
    pub kernel: &'a Kernel,
    pub view: View,
    /// What threads published in global memory.
    pub sync: SyncVars,
    pub notes: Notes,
    /// Instructions executed, by thread.
    pub executed: u64,
    /// The cluster that runs.
    pub cluster: Cluster,
    /// Instructions so far that were no attempts to go on.
    pub progress: u64,
    /// Whether the warp that runs has looked at a barrier object in vain in its turn.
    pub looked_in_vain: bool,
    /// Whether a warp of the cluster did something else than wait in this turn.
    pub computes: bool,
    /// A place for the order of warps.
    pub order: Vec<usize>,
    /// Instructions left of the turn of the warp that runs.
    pub left: u64,
    /// The scheduling order, when it is a random one.
    pub random: Option<Random>,
    /// What is counted, when it is.
    pub counters: Option<Box<Counters>>,
    /// A place for the values of one access.
    pub words: Box<Words>,
}

impl<'a> Machine<'a> {
    pub fn new(job: &'a Job, view: View, stream: u64) -> Self {
        let seed = job.options.seed;
        let counters = job.options.stats.then(|| Box::new(Counters::new(job.kernel.code.len())));
        Self {
            job,
            kernel: &job.kernel,
            view,
            sync: SyncVars::new(),
            notes: Notes::default(),
            executed: 0,
            cluster: Cluster::default(),
            progress: 0,
            looked_in_vain: false,
            computes: false,
            order: Vec::new(),
            left: 0,
            random: (seed != 0).then(|| Random::new(seed, stream)),
            counters,
            words: Box::new(Words::new()),
        }
    }

    /// Notes something found at instruction `pc`, once for each instruction and kind.
    pub fn find(&mut self, block: &Block, warp: u32, lane: u32, pc: u32, kind: FindingKind) {
        let Some(inst) = self.kernel.code.get(pc as usize) else { return };
        let (line, source) = (inst.line, inst.source);
        let rust = self.kernel.sources.get(source as usize).cloned();
        let thread = self.job.thread_at(warp * 32 + lane);
        let place = Place { kernel: self.kernel.name.to_string(), block: block.at, thread, line, rust };
        self.notes.note(Finding { place, kind }, 0);
    }

    /// As [`find`](Self::find), and ends the launch.
    pub fn fatal(&mut self, block: &Block, warp: u32, lane: u32, pc: u32, kind: FindingKind) -> Fatal {
        self.find(block, warp, lane, pc, kind);
        Fatal
    }

    /// A strong access: the warp may be waiting for another one, so its turn, and that of its group, ends sooner.
    #[inline]
    pub fn may_wait(&mut self, block: &mut Block, w: usize) {
        self.left = self.left.saturating_sub(WAIT_COST);
        let warp = &mut block.warps[w];
        warp.burst = warp.burst.saturating_sub(WAIT_COST as u32 / 4);
    }

    /// Counts one step of a warp against the limit.
    #[inline]
    pub fn limit_reached(&self, steps: u64) -> bool {
        steps > self.job.options.step_limit
    }
}

/// What was found, each thing once.
#[derive(Default)]
pub(super) struct Notes {
    pub findings: Vec<Finding>,
    seen: HashSet<(u32, u32, std::mem::Discriminant<FindingKind>)>,
    /// The thread, block and number, for which each agent, block and number, worked last.
    pub employers: HashMap<(u32, u32), (u32, u32)>,
}

impl Notes {
    /// Notes a finding, once for each line (and line of the other access) and kind. Where there is no more room, another kind
    /// takes the place of an undefined value: that is often what it led to, in a kernel of many stores.
    pub fn note(&mut self, finding: Finding, other_line: u32) {
        let key = (finding.place.line, other_line, discriminant(&finding.kind));
        let undefined = |finding: &Finding| matches!(finding.kind, FindingKind::Undefined(_));
        let full = self.findings.len() >= MAX_FINDINGS;
        let last = if full { self.findings.iter().rposition(undefined) } else { None };
        if full && (undefined(&finding) || last.is_none()) || !self.seen.insert(key) {
            return;
        }
        if let Some(last) = last {
            self.findings.remove(last);
        }
        self.findings.push(finding);
    }

    /// The thread that an agent worked for; a thread is its own.
    fn employer(&self, block: u32, thread: u32) -> (u32, u32) {
        match (thread / 32).checked_sub(FIRST_AGENT) {
            None => (block, thread),
            Some(agent) => self.employers.get(&(block, agent)).copied().unwrap_or((block, 0)),
        }
    }

    fn employed(&self, mut conflict: Conflict) -> Conflict {
        let Earlier { block, thread, .. } = conflict.earlier;
        (conflict.earlier.block, conflict.earlier.thread) = self.employer(block, thread);
        conflict
    }

    /// Notes races, once for each pair of lines.
    pub fn races(&mut self, job: &Job, reports: Vec<RaceReport>) {
        for mut report in reports {
            let (block, thread) = self.employer(report.block, report.thread);
            (report.block, report.thread) = (block, thread);
            report.kind = match report.kind {
                FindingKind::Race(conflict) => FindingKind::Race(self.employed(conflict)),
                FindingKind::EarlyAsyncRead(conflict) => FindingKind::EarlyAsyncRead(self.employed(conflict)),
                FindingKind::AsyncSourceWritten(conflict) => {
                    FindingKind::AsyncSourceWritten(self.employed(conflict))
                }
                FindingKind::MissingProxyFence(conflict) => {
                    FindingKind::MissingProxyFence(self.employed(conflict))
                }
                FindingKind::WriteOfNcRead(conflict) => FindingKind::WriteOfNcRead(self.employed(conflict)),
                other => other,
            };
            let at = job.kernel.code.iter().find(|inst| inst.line == report.line);
            let rust = at.and_then(|inst| job.kernel.sources.get(inst.source as usize).cloned());
            let place = Place {
                kernel: job.kernel.name.to_string(),
                block: job.block_at(u64::from(report.block)),
                thread: job.thread_at(report.thread),
                line: report.line,
                rust,
            };
            self.note(Finding { place, kind: report.kind }, report.earlier.line);
        }
    }
}

/// Random numbers for the scheduling order: the same seed and stream give the same order.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    fn new(seed: u64, stream: u64) -> Self {
        Self(seed ^ stream.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    /// The next number (SplitMix64).
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ z >> 31
    }

    /// A number below `limit`.
    pub fn below(&mut self, limit: usize) -> usize {
        (self.next() % limit.max(1) as u64) as usize
    }

    /// Puts a list in random order.
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for at in (1..list.len()).rev() {
            list.swap(at, self.below(at + 1));
        }
    }
}
