//! The instruction loop.

use super::block::Block;
use super::distant::unmapped;
use super::machine::{Fatal, Machine};
use super::regs::{lanes, put32, width_mask};
use crate::arith::Arith;
use crate::finding::{FindingKind, Use};
use crate::memory::{Space, Who, pending_count, space};
use crate::program::ir::{Clock, Inst, Op, Operand, Reg, Row, Window};

/// What comes after an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Flow {
    /// The next instruction.
    Next,
    /// The groups of the warp have changed.
    Switch,
}

impl Machine<'_> {
    /// Runs a warp until all its groups wait or have ended, or for `quantum` instructions.
    pub(super) fn run_warp(&mut self, block: &mut Block, w: usize, quantum: u64) -> Result<(), Fatal> {
        let kernel = self.kernel;
        self.left = quantum;
        while block.warps[w].pick() {
            let warp = &mut block.warps[w];
            let current = warp.current;
            let limit = warp.limit;
            let mut pc = warp.groups[current].pc;
            let group_mask = warp.groups[current].mask;
            loop {
                let warp = &mut block.warps[w];
                if self.left == 0 {
                    warp.groups[current].pc = pc;
                    break;
                }
                self.left -= 1;
                warp.steps += 1;
                let inst = &kernel.code[pc as usize];
                let mask = match inst.guard {
                    None => group_mask,
                    Some(guard) => {
                        let holds =
                            warp.regs.p[guard.row as usize] ^ if guard.negated { u32::MAX } else { 0 };
                        if warp.regs.undefined_p[guard.row as usize] & group_mask != 0 {
                            self.undefined(block, w, Reg::P(guard.row), group_mask, pc, Use::Predicate);
                        }
                        holds & group_mask
                    }
                };
                self.executed += u64::from(mask.count_ones());
                if let Some(counters) = &mut self.counters {
                    counters.executed(pc, mask);
                }
                if mask != 0 && !kernel.words.is_empty() {
                    self.touch_registers(block, w, pc, mask);
                }
                if mask == 0 || block.warps[w].regs.arithmetic(&inst.op, mask) {
                    pc += 1;
                } else if let Op::Bra(target) = inst.op
                    && mask == group_mask
                    && limit == u32::MAX
                {
                    pc = target;
                } else {
                    block.warps[w].groups[current].pc = pc;
                    match self.step(block, w, inst, mask)? {
                        Flow::Next => pc += 1,
                        Flow::Switch => break,
                    }
                }
                if pc >= limit {
                    block.warps[w].groups[current].pc = pc;
                    break;
                }
            }
            if self.limit_reached(block.warps[w].steps) {
                return Err(self.over_the_limit(block, w));
            }
            if self.left == 0 {
                return Ok(());
            }
        }
        Ok(())
    }

    #[cold]
    fn over_the_limit(&mut self, block: &mut Block, w: usize) -> Fatal {
        let warp = &block.warps[w];
        let group = warp.groups.get(warp.current).or(warp.groups.first());
        let (pc, lane) = group.map_or((0, 0), |group| (group.pc, group.mask.trailing_zeros()));
        let limit = self.job.options.step_limit;
        self.fatal(block, w as u32, lane, pc, FindingKind::StepLimit { limit })
    }

    /// Reports an undefined operand.
    #[cold]
    pub(super) fn undefined(&mut self, block: &mut Block, w: usize, reg: Reg, mask: u32, pc: u32, into: Use) {
        let regs = &mut block.warps[w].regs;
        let lanes = regs.undefined(reg) & mask;
        if lanes != 0 {
            // Once is enough: what follows from it is no news.
            regs.define(reg, lanes);
            self.find(block, w as u32, lanes.trailing_zeros(), pc, FindingKind::Undefined(into));
        }
    }

    fn divide(&mut self, block: &mut Block, w: usize, scalar: &(Arith, Reg, Vec<Operand>), mask: u32) {
        let (arith, d, from) = scalar;
        if let Some(Operand::Reg(divisor)) = from.get(1) {
            let warp = &mut block.warps[w];
            let bits = width_mask(*divisor);
            let unknown = warp.regs.undefined(*divisor);
            let zero = |lane: &usize| unknown >> lane & 1 == 0 && warp.regs.get(*divisor, *lane) & bits == 0;
            if let Some(lane) = lanes(mask).find(zero) {
                let pc = warp.group().pc;
                self.find(block, w as u32, lane as u32, pc, FindingKind::DivisionByZero);
            }
        }
        block.warps[w].regs.scalar(&arith.f, *d, from, mask);
    }

    fn step(&mut self, block: &mut Block, w: usize, inst: &Inst, mask: u32) -> Result<Flow, Fatal> {
        // What a loop that waits for a barrier object is made of is no progress.
        if !matches!(inst.op, Op::Bra(_) | Op::Yield | Op::Warp(_) | Op::Mbar(_) | Op::Clock(..)) {
            self.progress += 1;
        }
        match &inst.op {
            Op::Load(access) => self.load(block, w, access, mask, inst.line)?,
            Op::Store(access) => self.store(block, w, access, mask, inst.line)?,
            Op::Atom(atom) => self.atom(block, w, atom, mask, inst.line)?,
            Op::Divide(scalar) => self.divide(block, w, scalar, mask),
            Op::Bra(target) => return Ok(branch(block, w, mask, *target)),
            Op::Brx(index, targets) => return self.branch_table(block, w, *index, targets, mask),
            Op::Bar(bar) => return self.bar(block, w, bar, mask),
            Op::ClusterArrive(bar) => return self.cluster_arrive(block, w, *bar, mask),
            Op::ClusterWait(bar) => return self.cluster_wait(block, w, *bar, mask),
            Op::WgmmaFence => return self.wgmma_fence(block, w, mask),
            Op::Wgmma(op) => return self.wgmma(block, w, op, mask),
            Op::WgmmaCommit => return self.wgmma_commit(block, w, mask),
            Op::WgmmaWait(left) => return self.wgmma_wait(block, w, *left, mask),
            Op::Warp(warp) => return self.warp_op(block, w, &warp.0, warp.1, mask),
            Op::ActiveMask(d) => {
                put32(&mut block.warps[w].regs.w[*d as usize], &[mask; 32], mask);
                block.warps[w].regs.define(Reg::W(*d), mask);
            }
            Op::Call(call) => return self.call(block, w, call, mask),
            Op::Ret => return Ok(self.ret(block, w, mask)),
            Op::Exit => {
                let pc = block.warps[w].group().pc;
                self.ends_with_wgmma(block, w, mask.trailing_zeros(), pc);
                return Ok(exit(block, w, mask));
            }
            Op::Trap => return Err(self.stop(block, w, mask, FindingKind::Trap)),
            Op::Breakpoint => return Err(self.stop(block, w, mask, FindingKind::Breakpoint)),
            Op::Discard(window, addr) => self.discard(block, w, *window, addr, mask, inst.line)?,
            Op::ToGeneric(window, d, a) => to_generic(block, w, *window, *d, *a, mask),
            Op::FromGeneric(window, d, a) => from_generic(block, w, *window, *d, *a, mask),
            Op::IsSpace(window, d, a) => is_space(block, w, *window, *d, *a, mask),
            Op::Fence(scope) => block.clocks.fence(w as u32, mask, *scope),
            Op::ProxyFence(cluster) => {
                let who = Who { warp: w as u32, clocks: &block.clocks };
                block.shared.proxy_fence(&who, mask);
                let others = self.cluster.blocks.iter_mut().flatten().filter(|_| *cluster);
                others.for_each(|other| other.shared.proxy_fence(&who, mask));
            }
            Op::AsyncCopy(copy) => self.async_copy(block, w, copy, mask, inst.line)?,
            Op::AsyncCommit => self.async_commit(block, w, mask),
            Op::AsyncWait(left) => self.async_wait(block, w, mask, *left)?,
            Op::Clock(clock, d) => self.clock(block, w, *clock, *d, mask),
            Op::Yield => {
                // A thread that sleeps lets the others of its warp go first.
                let warp = &mut block.warps[w];
                if warp.groups.len() > 1 {
                    warp.group().pc += 1;
                    warp.burst = 0;
                    return Ok(Flow::Switch);
                }
            }
            _ => return self.flight(block, w, inst, mask),
        }
        Ok(Flow::Next)
    }

    /// What has to do with asynchronous copies and clusters.
    fn flight(&mut self, block: &mut Block, w: usize, inst: &Inst, mask: u32) -> Result<Flow, Fatal> {
        match &inst.op {
            Op::Mbar(bar) => self.mbar(block, w, bar, mask, inst.line)?,
            Op::PendingCount(d, state) => pending_arrivals(block, w, *d, *state, mask),
            Op::Bulk(bulk) => self.bulk(block, w, bulk, mask)?,
            Op::BulkCommit => block.groups.commit(w as u32, mask),
            Op::BulkWait(left, read) => self.bulk_wait(block, w, mask, (*left, *read))?,
            Op::StAsync(store) => self.st_async(block, w, store, mask)?,
            Op::Mapa(generic, d, a, rank) => {
                self.map_address(block, w, (*generic, *d, *a, *rank), mask)?;
            }
            Op::CtaRank(generic, d, a) => self.rank_of_address(block, w, (*generic, *d, *a), mask),
            Op::SetMaxNReg => return self.set_registers(block, w, mask),
            _ => {}
        }
        Ok(Flow::Next)
    }

    /// The first lane ends the launch.
    pub(super) fn stop(&mut self, block: &mut Block, w: usize, mask: u32, kind: FindingKind) -> Fatal {
        let pc = block.warps[w].group().pc;
        self.fatal(block, w as u32, mask.trailing_zeros(), pc, kind)
    }

    fn clock(&mut self, block: &mut Block, w: usize, clock: Clock, d: Reg, mask: u32) {
        // Instructions of this worker stand for cycles.
        let now = self.executed / 32 + block.warps[w].steps;
        let value = match clock {
            Clock::Low | Clock::GlobalTimerLow => now & 0xffff_ffff,
            Clock::High | Clock::GlobalTimerHigh => now >> 32,
            Clock::Full | Clock::GlobalTimer => now,
        };
        for lane in lanes(mask) {
            block.warps[w].regs.set(d, lane, value);
        }
    }

    fn branch_table(
        &mut self,
        block: &mut Block,
        w: usize,
        index: Row,
        targets: &[u32],
        mask: u32,
    ) -> Result<Flow, Fatal> {
        let pc = block.warps[w].group().pc;
        self.undefined(block, w, Reg::W(index), mask, pc, Use::Control);
        let mut left = mask;
        while left != 0 {
            let lane = left.trailing_zeros() as usize;
            let values = &block.warps[w].regs.w[index as usize];
            let value = values[lane];
            let same = lanes(left).filter(|l| values[*l] == value).fold(0, |all, l| all | 1 << l);
            let Some(target) = targets.get(value as usize) else {
                let kind = FindingKind::BranchIndex { index: value, len: targets.len() };
                return Err(self.fatal(block, w as u32, lane as u32, pc, kind));
            };
            left &= !same;
            block.warps[w].split(same, *target);
            if left != 0 {
                block.warps[w].group().pc = pc;
            }
        }
        // Lanes whose predicate was false go on behind it.
        let warp = &mut block.warps[w];
        if warp.group().mask & !mask != 0 && warp.group().mask & mask == 0 {
            warp.group().pc = pc + 1;
        }
        warp.limit = 0;
        Ok(Flow::Switch)
    }
}

fn branch(block: &mut Block, w: usize, mask: u32, target: u32) -> Flow {
    let warp = &mut block.warps[w];
    let group = warp.group();
    if target <= group.pc {
        warp.burst = warp.burst.saturating_sub(1);
    }
    let group = warp.group();
    if group.mask == mask {
        group.pc = target;
    } else {
        group.pc += 1;
        warp.split(mask, target);
    }
    Flow::Switch
}

/// The lanes of `mask` end.
pub(super) fn exit(block: &mut Block, w: usize, mask: u32) -> Flow {
    let warp = &mut block.warps[w];
    if warp.group().mask != mask {
        warp.group().pc += 1;
    }
    warp.exit(mask);
    Flow::Switch
}

/// The memory a window looks at.
fn space_of(window: Window) -> Space {
    match window {
        Window::Shared | Window::Cluster => Space::Shared,
        Window::Local => Space::Local,
        Window::Param => Space::Param,
        Window::Global | Window::Generic => Space::Global,
    }
}

fn to_generic(block: &mut Block, w: usize, window: Window, d: Reg, a: Reg, mask: u32) {
    let regs = &mut block.warps[w].regs;
    for lane in lanes(mask) {
        let (value, shadow) = (regs.get(a, lane), regs.shadow(a, lane));
        regs.set(d, lane, value.wrapping_add(space_of(window).window()));
        regs.set_shadow(d, lane, shadow);
    }
}

fn from_generic(block: &mut Block, w: usize, window: Window, d: Reg, a: Reg, mask: u32) {
    let regs = &mut block.warps[w].regs;
    for lane in lanes(mask) {
        let (value, shadow) = (regs.get(a, lane), regs.shadow(a, lane));
        regs.set(d, lane, value.wrapping_sub(space_of(window).window()));
        regs.set_shadow(d, lane, shadow);
    }
}

fn is_space(block: &mut Block, w: usize, window: Window, d: Row, a: Reg, mask: u32) {
    let own = block.rank;
    let regs = &mut block.warps[w].regs;
    let mut inside = 0;
    for lane in lanes(mask) {
        let address = regs.get(a, lane);
        let found = space::space_of(address) == space_of(window);
        // The memory of the block is a part of the cluster's.
        let offset = address.wrapping_sub(space_of(window).window());
        let elsewhere = window == Window::Shared && found && unmapped(offset, own).0 != own;
        inside |= u32::from(found && !elsewhere) << lane;
    }
    let undefined = regs.undefined(a);
    regs.set_pred(d, mask, inside, undefined);
}

/// `mbarrier.pending_count`
fn pending_arrivals(block: &mut Block, w: usize, d: Row, state: Row, mask: u32) {
    let regs = &mut block.warps[w].regs;
    for lane in lanes(mask) {
        let (value, shadow) = (regs.get(Reg::D(state), lane), regs.shadow(Reg::D(state), lane));
        regs.set(Reg::W(d), lane, pending_count(value).into());
        regs.set_shadow(Reg::W(d), lane, if shadow == 0 { 0 } else { u64::MAX });
    }
}
