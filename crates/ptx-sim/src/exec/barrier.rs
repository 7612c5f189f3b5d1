//! Barriers of a block, and what happens when nobody can go on.

use std::sync::Arc;

use super::block::Block;
use super::cluster::converge;
use super::machine::{Fatal, Machine};
use super::regs::lanes;
use super::step::Flow;
use super::warp::Wait;
use crate::finding::{FindingKind, Use};
use crate::memory::Known;
use crate::program::ir::{Bar, BarKind, Op, Reg};

/// A barrier on its way to being complete.
#[derive(Clone, Debug, Default)]
pub(super) struct Barrier {
    /// Threads it waits for; 0 when nobody has arrived.
    expected: u32,
    /// Threads that have arrived, whole warps as 32.
    arrived: u32,
    /// Who arrived.
    arrivers: Vec<(u32, u32)>,
    /// Who waits: warp, lanes, instruction.
    waiters: Vec<(u32, u32, u32)>,
    /// What those did before who arrived without waiting.
    published: Vec<Arc<Known>>,
    /// True predicates, and predicates.
    holds: u32,
    asked: u32,
}

impl Machine<'_> {
    /// The lanes of `mask` reach a barrier.
    pub(super) fn bar(&mut self, block: &mut Block, w: usize, bar: &Bar, mask: u32) -> Result<Flow, Fatal> {
        let warp = &mut block.warps[w];
        let (pc, live) = (warp.group().pc, warp.live);
        if bar.aligned && mask != live {
            return Ok(converge(block, w, mask));
        }
        let (id, count) = self.barrier_operands(block, w, bar, mask, pc)?;
        let default = 32 * block.warps.len() as u32;
        let count = count.unwrap_or(default);
        if id > 15 || count == 0 || count % 32 != 0 || count > default {
            let lane = mask.trailing_zeros();
            return Err(self.fatal(
                block,
                w as u32,
                lane,
                pc,
                FindingKind::BadBarrier { barrier: id, count },
            ));
        }
        let earlier = block.barriers[id as usize].expected;
        if earlier != 0 && earlier != count {
            let kind = FindingKind::BarrierCount { barrier: id, count, earlier };
            return Err(self.fatal(block, w as u32, mask.trailing_zeros(), pc, kind));
        }
        let warp = &mut block.warps[w];
        let holds = bar.pred.map_or(0, |pred| warp.regs.pred(pred) & mask);
        let arrived = if mask == warp.exists { 32 } else { mask.count_ones() };
        let barrier = &mut block.barriers[id as usize];
        barrier.expected = count;
        barrier.arrived += arrived;
        barrier.arrivers.push((w as u32, mask));
        barrier.holds += holds.count_ones();
        barrier.asked += mask.count_ones();
        if bar.kind == BarKind::Arrive {
            let known = block.clocks.release_all(&[(w as u32, mask)]);
            barrier.published.push(known);
            self.complete_if_full(block, id);
            return Ok(Flow::Next);
        }
        barrier.waiters.push((w as u32, mask, pc));
        let rest = warp.group().mask & !mask;
        if rest != 0 {
            warp.split(rest, pc + 1);
        }
        warp.group().wait = Wait::Barrier(id);
        self.complete_if_full(block, id);
        Ok(Flow::Switch)
    }

    fn barrier_operands(
        &mut self,
        block: &mut Block,
        w: usize,
        bar: &Bar,
        mask: u32,
        pc: u32,
    ) -> Result<(u32, Option<u32>), Fatal> {
        let regs = &block.warps[w].regs;
        let lane = mask.trailing_zeros() as usize;
        let mut undefined = regs.undefined(Reg::W(bar.id)) & mask;
        undefined |= bar.count.map_or(0, |row| regs.undefined(Reg::W(row)) & mask);
        undefined |= bar.pred.map_or(0, |pred| regs.undefined_p[pred.row as usize] & mask);
        let id = regs.w[bar.id as usize][lane];
        let count = bar.count.map(|row| regs.w[row as usize][lane]);
        if undefined != 0 {
            let lane = undefined.trailing_zeros();
            self.find(block, w as u32, lane, pc, FindingKind::Undefined(Use::Control));
        }
        Ok((id, count))
    }

    fn complete_if_full(&mut self, block: &mut Block, id: u32) {
        let barrier = &block.barriers[id as usize];
        if barrier.arrived >= barrier.expected {
            self.complete(block, id);
        }
    }

    /// Lets everybody go on who waits at a barrier.
    fn complete(&mut self, block: &mut Block, id: u32) {
        let barrier = std::mem::take(&mut block.barriers[id as usize]);
        let threads: u32 = barrier.arrivers.iter().map(|(_, mask)| mask.count_ones()).sum();
        let waiting: u32 = barrier.waiters.iter().map(|(_, mask, _)| mask.count_ones()).sum();
        if threads == self.job.threads() && waiting == threads {
            block.clocks.block_barrier();
        } else {
            let waiters: Vec<(u32, u32)> =
                barrier.waiters.iter().map(|(warp, mask, _)| (*warp, *mask)).collect();
            block.clocks.barrier(&waiters, &waiters);
            for known in &barrier.published {
                waiters.iter().for_each(|(warp, mask)| block.clocks.acquire_lanes(*warp, *mask, known));
            }
        }
        for (w, mask, pc) in barrier.waiters {
            let warp = &mut block.warps[w as usize];
            if let Op::Bar(bar) = &self.kernel.code[pc as usize].op
                && let Some(dst) = bar.dst
            {
                let result = match bar.kind {
                    BarKind::RedAnd => u64::from(barrier.holds == barrier.asked),
                    BarKind::RedOr => u64::from(barrier.holds > 0),
                    _ => u64::from(barrier.holds),
                };
                for lane in lanes(mask) {
                    warp.regs.set(dst, lane, result);
                }
            }
            for group in &mut warp.groups {
                if group.wait == Wait::Barrier(id) && group.pc == pc && group.mask & mask != 0 {
                    group.wait = Wait::None;
                    group.pc = pc + 1;
                }
            }
        }
    }

    /// No warp of a cluster can go on: frees those that wait for threads that have ended; whether there were any.
    pub(super) fn free_stuck(&mut self, block: &mut Block) -> bool {
        let mut freed = self.complete_cluster(block);
        for id in 0..16_u32 {
            let barrier = &block.barriers[id as usize];
            let Some(&(w, mask, pc)) = barrier.waiters.first() else { continue };
            let ended: u32 = block.warps.iter().map(|warp| (warp.exists & !warp.live).count_ones()).sum();
            let parked: u32 = block.warps.iter().map(|warp| 32 - warp.exists.count_ones()).sum();
            let (arrived, expected) = (barrier.arrived, barrier.expected);
            let missing = expected.saturating_sub(arrived);
            if missing > ended + parked {
                continue;
            }
            let missing = format!("{ended} threads have ended before it");
            let (lane, warp) = self.first_missing(block, id).unwrap_or((mask.trailing_zeros(), w));
            let kind = FindingKind::DivergentBarrier { barrier: id, arrived, expected, missing };
            self.find(block, warp, lane, pc, kind);
            self.complete(block, id);
            freed = true;
        }
        freed
    }

    /// A thread that has ended and did not reach barrier `id`.
    fn first_missing(&self, block: &Block, id: u32) -> Option<(u32, u32)> {
        let arrivers = &block.barriers[id as usize].arrivers;
        block.warps.iter().find_map(|warp| {
            let here = arrivers.iter().filter(|(w, _)| *w == warp.index).fold(0, |all, (_, mask)| all | mask);
            let gone = warp.exists & !warp.live & !here;
            (gone != 0).then(|| (gone.trailing_zeros(), warp.index))
        })
    }

    /// Everybody waits for somebody: one finding for each group that does.
    pub(super) fn deadlock(&mut self, block: &mut Block) {
        let mut waiting = Vec::new();
        for warp in &block.warps {
            for group in &warp.groups {
                waiting.push((warp.index, group.mask, group.pc, group.wait, warp.live, warp.exists));
            }
        }
        let described: Vec<String> = waiting
            .iter()
            .map(|(warp, mask, pc, ..)| {
                let line = self.kernel.code[*pc as usize].line;
                format!("{} threads of warp {warp} wait at line {line}", mask.count_ones())
            })
            .collect();
        for (at, &(w, mask, pc, wait, live, exists)) in waiting.iter().enumerate() {
            let others: Vec<&str> = described
                .iter()
                .enumerate()
                .filter(|(i, _)| *i != at)
                .map(|(_, text)| text.as_str())
                .collect();
            let missing =
                if others.is_empty() { "the others have ended".to_owned() } else { others.join(", ") };
            let lane = mask.trailing_zeros();
            let kind = match wait {
                Wait::Converge => {
                    let barrier = self.barrier_number(block, w, mask, pc);
                    FindingKind::DivergentBarrier {
                        barrier,
                        arrived: mask.count_ones(),
                        expected: exists.count_ones(),
                        missing,
                    }
                }
                Wait::Lanes(wanted) => {
                    let absent = (wanted & live & !mask).trailing_zeros() & 31;
                    let state = format!("does not execute it: {missing}");
                    FindingKind::InactiveLane { mask: wanted, lane: absent, state }
                }
                Wait::Barrier(id) => {
                    let barrier = &block.barriers[id as usize];
                    let (arrived, expected) = (barrier.arrived, barrier.expected);
                    FindingKind::DivergentBarrier { barrier: id, arrived, expected, missing }
                }
                Wait::Cluster => {
                    FindingKind::ClusterBarrier { what: format!("the others do not arrive: {missing}") }
                }
                Wait::Warpgroup => {
                    FindingKind::Warpgroup { what: format!("the other warps do not execute it: {missing}") }
                }
                Wait::None => continue,
            };
            self.find(block, w, lane, pc, kind);
        }
    }

    fn barrier_number(&self, block: &Block, w: u32, mask: u32, pc: u32) -> u32 {
        match &self.kernel.code[pc as usize].op {
            Op::Bar(bar) => {
                block.warps[w as usize].regs.w[bar.id as usize][mask.trailing_zeros() as usize & 31]
            }
            _ => 0,
        }
    }
}
