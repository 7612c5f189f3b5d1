//! What the threads of a warp do together.

use super::block::Block;
use super::machine::{Fatal, Machine};
use super::regs::{BIT, Lanes32, Regs, lanes, put32};
use super::step::Flow;
use super::warp::Wait;
use crate::arith::{Arith, Fun};
use crate::finding::{FindingKind, Use};
use crate::program::ir::{PredSrc, Reg, Row, ShflMode, VoteKind, WarpOp};

impl Machine<'_> {
    /// The lanes of `mask` reach a warp-wide instruction: those that name the same lanes execute it together, once all that are
    /// named and have not ended are there; the others wait for them.
    pub(super) fn warp_op(
        &mut self,
        block: &mut Block,
        w: usize,
        op: &WarpOp,
        members: Row,
        mask: u32,
    ) -> Result<Flow, Fatal> {
        let pc = block.warps[w].group().pc;
        self.undefined(block, w, Reg::W(members), mask, pc, Use::Control);
        let named = block.warps[w].regs.w[members as usize];
        let live = block.warps[w].live;
        let mut waiting = Vec::new();
        let mut left = mask;
        while left != 0 {
            let first = named[left.trailing_zeros() as usize & 31];
            let same = lanes(left).filter(|lane| named[*lane] == first).fold(0, |all, lane| all | BIT[lane]);
            left &= !same;
            if let outside @ 1.. = same & !first {
                let lane = outside.trailing_zeros();
                let kind = FindingKind::LaneNotInMask { mask: first, lane };
                return Err(self.fatal(block, w as u32, lane, pc, kind));
            }
            if first & live & !same == 0 {
                self.together(block, w, op, same, first)?;
            } else {
                waiting.push((same, first));
            }
        }
        if waiting.is_empty() {
            return Ok(Flow::Next);
        }
        // Lanes that executed it, or skip it, go on.
        let warp = &mut block.warps[w];
        let stay = waiting.iter().fold(0, |all, (lanes, _)| all | lanes);
        let on = warp.group().mask & !stay;
        if on != 0 {
            warp.split(on, pc + 1);
        }
        for (at, (same, first)) in waiting.iter().enumerate() {
            if at + 1 < waiting.len() {
                warp.split(*same, pc);
                if let Some(group) = warp.groups.last_mut() {
                    group.wait = Wait::Lanes(*first);
                }
            } else {
                warp.group().wait = Wait::Lanes(*first);
            }
        }
        Ok(Flow::Switch)
    }

    fn together(
        &mut self,
        block: &mut Block,
        w: usize,
        op: &WarpOp,
        mask: u32,
        members: u32,
    ) -> Result<(), Fatal> {
        let pc = block.warps[w].group().pc;
        match op {
            WarpOp::Shfl { .. } => self.shfl(block, w, op, mask, pc)?,
            WarpOp::Sync => block.clocks.warp_sync(w as u32, mask),
            WarpOp::Ballot { d, a } => {
                let value = self.vote_operand(block, w, *a, mask, pc);
                self.all_lanes(block, w, *d, value, mask);
            }
            WarpOp::Vote { kind, d, a } => {
                let value = self.vote_operand(block, w, *a, mask, pc);
                let holds = match kind {
                    VoteKind::All => value == mask,
                    VoteKind::Any => value != 0,
                    VoteKind::Uni => value == mask || value == 0,
                };
                block.warps[w].regs.set_pred(*d, mask, if holds { u32::MAX } else { 0 }, 0);
            }
            WarpOp::MatchAny { d, a } => {
                self.undefined(block, w, *a, mask, pc, Use::Control);
                let regs = &mut block.warps[w].regs;
                let mut value = [0; 32];
                for lane in lanes(mask) {
                    let equal = |other: &usize| regs.get(*a, *other) == regs.get(*a, lane);
                    value[lane] = lanes(mask).filter(equal).fold(0, |all, l| all | BIT[l]);
                }
                put32(&mut regs.w[*d as usize], &value, mask);
                regs.define(Reg::W(*d), mask);
            }
            WarpOp::MatchAll { d, p, a } => {
                self.undefined(block, w, *a, mask, pc, Use::Control);
                let regs = &mut block.warps[w].regs;
                let first = regs.get(*a, mask.trailing_zeros() as usize);
                let all = lanes(mask).all(|lane| regs.get(*a, lane) == first);
                if let Some(p) = p {
                    regs.set_pred(*p, mask, if all { u32::MAX } else { 0 }, 0);
                }
                if let Some(d) = d {
                    self.all_lanes(block, w, *d, if all { members } else { 0 }, mask);
                }
            }
            WarpOp::Redux { d, a, arith } => {
                self.undefined(block, w, Reg::W(*a), mask, pc, Use::Control);
                let value = reduce(&block.warps[w].regs.w[*a as usize], arith, mask);
                self.all_lanes(block, w, *d, value, mask);
            }
            WarpOp::Elect { d, p } => {
                let leader = mask.trailing_zeros();
                if let Some(d) = d {
                    self.all_lanes(block, w, *d, leader, mask);
                }
                block.warps[w].regs.set_pred(*p, mask, 1 << leader, 0);
            }
            WarpOp::Mma(mma) => self.mma(block, w, mma, mask, pc)?,
            WarpOp::LoadMatrix(matrices) => self.load_matrices(block, w, matrices, mask, pc)?,
            WarpOp::StoreMatrix(matrices) => self.store_matrices(block, w, matrices, mask, pc)?,
        }
        Ok(())
    }

    fn shfl(&mut self, block: &mut Block, w: usize, op: &WarpOp, mask: u32, pc: u32) -> Result<(), Fatal> {
        let WarpOp::Shfl { mode, d, p, a, b, c } = op else { return Ok(()) };
        for row in [*b, *c] {
            self.undefined(block, w, Reg::W(row), mask, pc, Use::Control);
        }
        let exists = block.warps[w].exists;
        let regs = &mut block.warps[w].regs;
        let source = sources(*mode, &regs.w[*b as usize], &regs.w[*c as usize]);
        if let Some((lane, from)) = lanes(mask)
            .map(|lane| (lane, source[lane].0))
            .find(|(_, from)| mask & BIT[*from] == 0 && exists & BIT[*from] != 0)
        {
            let kind = FindingKind::ReadsInactiveLane { lane: from as u32 };
            return Err(self.fatal(block, w as u32, lane as u32, pc, kind));
        }
        shuffle(regs, *d, *p, *a, mask, &source);
        Ok(())
    }

    fn all_lanes(&mut self, block: &mut Block, w: usize, d: Row, value: u32, mask: u32) {
        let regs = &mut block.warps[w].regs;
        put32(&mut regs.w[d as usize], &[value; 32], mask);
        regs.define(Reg::W(d), mask);
    }

    /// The lanes where the predicate holds.
    fn vote_operand(&mut self, block: &mut Block, w: usize, a: PredSrc, mask: u32, pc: u32) -> u32 {
        self.undefined(block, w, Reg::P(a.row), mask, pc, Use::Control);
        block.warps[w].regs.pred(a) & mask
    }
}

/// Where each lane reads, and whether that is in range (PTX ISA 9.7.9.6, `shfl.sync`).
fn sources(mode: ShflMode, b: &Lanes32, c: &Lanes32) -> [(usize, bool); 32] {
    std::array::from_fn(|lane| {
        let (value, segment, clamp) =
            (b[lane] as usize & 31, c[lane] as usize >> 8 & 31, c[lane] as usize & 31);
        let most = lane & segment | clamp & !segment;
        let least = lane & segment;
        let (from, inside) = match mode {
            ShflMode::Up => (lane.wrapping_sub(value), lane as isize - value as isize >= most as isize),
            ShflMode::Down => (lane + value, lane + value <= most),
            ShflMode::Bfly => (lane ^ value, lane ^ value <= most),
            ShflMode::Idx => {
                let from = least | value & !segment;
                (from, from <= most)
            }
        };
        if inside { (from & 31, true) } else { (lane, false) }
    })
}

fn shuffle(regs: &mut Regs, d: Row, p: Option<Row>, a: Row, mask: u32, source: &[(usize, bool); 32]) {
    let from = regs.w[a as usize];
    let shadows: [u64; 32] = if regs.undefined(Reg::W(a)) == 0 {
        [0; 32]
    } else {
        std::array::from_fn(|lane| regs.shadow(Reg::W(a), lane))
    };
    let value = source.map(|(lane, _)| from[lane]);
    put32(&mut regs.w[d as usize], &value, mask);
    regs.define(Reg::W(d), mask);
    for lane in lanes(mask) {
        if let shadow @ 1.. = shadows[source[lane].0] {
            regs.set_shadow(Reg::W(d), lane, shadow);
        }
    }
    if let Some(p) = p {
        let inside = (0..32).filter(|lane| source[*lane].1).fold(0, |all, lane| all | BIT[lane]);
        regs.set_pred(p, mask, inside, 0);
    }
}

fn reduce(values: &Lanes32, arith: &Arith, mask: u32) -> u32 {
    let Fun::F2(f) = arith.f else { return 0 };
    lanes(mask).map(|lane| u64::from(values[lane])).reduce(|a, b| f(a, b) & 0xffff_ffff).unwrap_or(0) as u32
}
