//! `wgmma`: four warps meet at the instruction, and each makes its 16 rows of the product, at some time before it waits for it.
//!
//! The operands in shared memory are read, and the accumulators written, when the seed says so: between the issue of the
//! instruction and the wait, one instruction of a warp after the other; with seed 0 at the wait. Until then the
//! registers and the memory are in use, and whatever else touches them is a finding whatever the seed. Accumulators that
//! one instruction after the other of the same shape adds to need no wait in between.

mod operands;
mod product;
mod registers;

use std::collections::VecDeque;

use super::block::Block;
use super::cluster::converge;
use super::machine::{Fatal, Machine};
use super::step::Flow;
use super::warp::Wait;
use crate::finding::{FindingKind, Use};
use crate::memory::{Ticket, Who};
use crate::program::ir::{Op, Reg, Row, Wgmma};
use crate::program::wgmma::OperandA;
use operands::Source;
pub(super) use registers::Registers;

/// Warps of a warpgroup.
const WARPS: usize = 4;

/// What a warp has issued and not waited for.
#[derive(Debug, Default)]
pub(super) struct Pending {
    queue: VecDeque<Issued>,
    /// Groups committed.
    committed: u32,
    /// The instructions of the queue's front that are done; they leave it at the wait.
    done: usize,
}

/// An instruction of a warp that is under way.
#[derive(Debug)]
struct Issued {
    /// Its place in the code.
    pc: u32,
    /// Groups committed before it.
    group: u32,
    /// Whether D is added.
    adds: bool,
    a: Option<Source>,
    b: Source,
    ticket: Ticket,
}

impl Machine<'_> {
    /// `wgmma.mma_async`: waits for the other warps of the warpgroup, then all four issue it.
    pub(super) fn wgmma(
        &mut self,
        block: &mut Block,
        w: usize,
        op: &Wgmma,
        mask: u32,
    ) -> Result<Flow, Fatal> {
        if let Some(flow) = self.whole_warp(block, w, mask)? {
            return Ok(flow);
        }
        let first = w / WARPS * WARPS;
        if block.warps.len() < first + WARPS {
            let what = "the block has no four warps here: a warpgroup begins at a multiple of 128 threads";
            return Err(self.misused(block, w, what));
        }
        let pc = block.warps[w].group().pc;
        let others = &mut block.warpgroups[w / WARPS];
        if let Some((_, other)) = others.iter().find(|(_, other)| *other != pc) {
            let line = self.kernel.code[*other as usize].line;
            let what = format!("another warp of the warpgroup is at that of PTX line {line}");
            return Err(self.misused(block, w, &what));
        }
        others.push((w, pc));
        if others.len() < WARPS {
            block.warps[w].group().wait = Wait::Warpgroup;
            return Ok(Flow::Switch);
        }
        others.clear();
        for member in first..first + WARPS {
            self.issue_product(block, member, first, op, pc)?;
            if member != w {
                let group = block.warps[member].group();
                (group.wait, group.pc) = (Wait::None, pc + 1);
            }
        }
        Ok(Flow::Next)
    }

    /// All of a warp executes it together; `Some` while lanes are missing.
    fn whole_warp(&mut self, block: &mut Block, w: usize, mask: u32) -> Result<Option<Flow>, Fatal> {
        if mask != block.warps[w].live {
            return Ok(Some(converge(block, w, mask)));
        }
        if mask != u32::MAX {
            return Err(self.misused(block, w, "not all 32 lanes of the warp are there"));
        }
        Ok(None)
    }

    fn issue_product(
        &mut self,
        block: &mut Block,
        w: usize,
        first: usize,
        op: &Wgmma,
        pc: u32,
    ) -> Result<(), Fatal> {
        let line = self.kernel.code[pc as usize].line;
        let adds = self.scale_of_d(block, w, first, op)?;
        self.claim_registers(block, w, op, pc);
        let a = match op.a {
            OperandA::Shared(row) => {
                let descriptor = self.descriptor(block, w, first, row)?;
                let rows = 16 * (w % WARPS)..16 * (w % WARPS) + 16;
                Some(Source::new(descriptor, op.transposed[0], rows))
            }
            OperandA::Registers(_) => None,
        };
        let b = Source::new(self.descriptor(block, w, first, op.b)?, op.transposed[1], 0..op.n);
        let mut pieces: Vec<u64> = a.iter().flat_map(|a| &a.pieces).copied().collect();
        pieces.extend(&b.pieces);
        let who = Who { warp: w as u32, clocks: &block.clocks };
        let ticket = match block.shared.begin_read(&who, &pieces, line) {
            Ok(ticket) => ticket,
            Err(fault) => {
                return Err(self.fatal(block, w as u32, fault.lane, pc, fault.kind));
            }
        };
        let pending = &mut block.warps[w].pending;
        let group = pending.committed;
        pending.queue.push_back(Issued { pc, group, adds, a, b, ticket });
        self.some_get_done(block, w);
        Ok(())
    }

    /// Whether the predicate says that D is added.
    fn scale_of_d(&mut self, block: &mut Block, w: usize, first: usize, op: &Wgmma) -> Result<bool, Fatal> {
        let pc = block.warps[w].group().pc;
        self.undefined(block, w, Reg::P(op.scale_d.row), u32::MAX, pc, Use::Control);
        let all = [w, first].map(|warp| block.warps[warp].regs.pred(op.scale_d));
        match all {
            [0, 0] => Ok(false),
            [u32::MAX, u32::MAX] => Ok(true),
            _ => Err(self.misused(block, w, "scale-d is not the same in all threads of the warpgroup")),
        }
    }

    /// A descriptor, the same in all threads of the warpgroup.
    fn descriptor(&mut self, block: &mut Block, w: usize, first: usize, row: Row) -> Result<u64, Fatal> {
        let pc = block.warps[w].group().pc;
        self.undefined(block, w, Reg::D(row), u32::MAX, pc, Use::Address);
        let want = block.warps[first].regs.d[row as usize][0];
        if block.warps[w].regs.d[row as usize].iter().any(|value| *value != want) {
            return Err(self.misused(
                block,
                w,
                "a descriptor is not the same in all threads of the warpgroup",
            ));
        }
        if want >> 49 & 7 != 0 {
            return Err(self.misused(block, w, "a descriptor has a base offset, which is not simulated"));
        }
        Ok(want)
    }

    /// `wgmma.fence`
    pub(super) fn wgmma_fence(&mut self, block: &mut Block, w: usize, mask: u32) -> Result<Flow, Fatal> {
        if let Some(flow) = self.whole_warp(block, w, mask)? {
            return Ok(flow);
        }
        block.warps[w].wgmma.fence();
        Ok(Flow::Next)
    }

    /// `wgmma.commit_group`
    pub(super) fn wgmma_commit(&mut self, block: &mut Block, w: usize, mask: u32) -> Result<Flow, Fatal> {
        if let Some(flow) = self.whole_warp(block, w, mask)? {
            return Ok(flow);
        }
        block.warps[w].pending.committed += 1;
        self.some_get_done(block, w);
        Ok(Flow::Next)
    }

    /// `wgmma.wait_group`
    pub(super) fn wgmma_wait(
        &mut self,
        block: &mut Block,
        w: usize,
        left: u32,
        mask: u32,
    ) -> Result<Flow, Fatal> {
        if let Some(flow) = self.whole_warp(block, w, mask)? {
            return Ok(flow);
        }
        let pending = &block.warps[w].pending;
        let is_over =
            |issued: &Issued| u64::from(issued.group) + u64::from(left) < u64::from(pending.committed);
        let over = pending.queue.iter().take_while(|issued| is_over(issued)).count();
        while block.warps[w].pending.done < over {
            self.get_done(block, w);
        }
        for _ in 0..over {
            let warp = &mut block.warps[w];
            let Some(issued) = warp.pending.queue.pop_front() else { break };
            warp.pending.done -= 1;
            let who = Who { warp: w as u32, clocks: &block.clocks };
            block.shared.end_read(&who, issued.ticket);
        }
        self.free_registers(block, w);
        Ok(Flow::Next)
    }

    /// Registers that what is still under way does not use are free.
    fn free_registers(&mut self, block: &mut Block, w: usize) {
        let kernel = self.kernel;
        let warp = &mut block.warps[w];
        warp.wgmma.free();
        for issued in &warp.pending.queue {
            if let Op::Wgmma(op) = &kernel.code[issued.pc as usize].op {
                warp.wgmma.take(op, issued.pc);
            }
        }
    }

    /// As many of the instructions under way get done as chance has it.
    fn some_get_done(&mut self, block: &mut Block, w: usize) {
        while block.warps[w].pending.done < block.warps[w].pending.queue.len()
            && self.random.as_mut().is_some_and(|random| random.below(3) == 0)
        {
            self.get_done(block, w);
        }
    }

    /// The next instruction of a warp reads its operands and writes its accumulators.
    fn get_done(&mut self, block: &mut Block, w: usize) {
        let kernel = self.kernel;
        let warp = &mut block.warps[w];
        let Some(issued) = warp.pending.queue.get(warp.pending.done) else { return };
        if let Op::Wgmma(op) = &kernel.code[issued.pc as usize].op {
            let a = match (&issued.a, op.a) {
                (Some(source), _) => source.read(&block.shared),
                (None, OperandA::Registers(rows)) => operands::from_registers(&warp.regs, rows),
                (None, OperandA::Shared(_)) => operands::Matrix::default(),
            };
            let b = issued.b.read(&block.shared);
            product::accumulate(&mut warp.regs, op, issued.adds, &a, &b);
        }
        warp.pending.done += 1;
    }

    /// A warp ends: nothing of it may be under way.
    pub(super) fn ends_with_wgmma(&mut self, block: &mut Block, w: usize, lane: u32, pc: u32) {
        if let Some(issued) = block.warps[w].pending.queue.front() {
            let line = self.kernel.code[issued.pc as usize].line;
            self.find(block, w as u32, lane, pc, FindingKind::WgmmaNotWaited { issued: line });
        }
    }

    #[cold]
    fn misused(&mut self, block: &mut Block, w: usize, what: &str) -> Fatal {
        let pc = block.warps[w].group().pc;
        self.fatal(block, w as u32, 0, pc, FindingKind::Warpgroup { what: what.to_owned() })
    }
}
