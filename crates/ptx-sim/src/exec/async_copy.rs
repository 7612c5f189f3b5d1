//! `cp.async`: copies from global to shared memory that land when they are waited for.

use super::block::Block;
use super::flying::Work;
use super::machine::{Fatal, Machine};
use crate::finding::Use;
use crate::memory::{AsyncCopy as MemCopy, Who};
use crate::program::ir::{AsyncCopy, Reg};

impl Machine<'_> {
    pub(super) fn async_copy(
        &mut self,
        block: &mut Block,
        w: usize,
        copy: &AsyncCopy,
        mask: u32,
        line: u32,
    ) -> Result<(), Fatal> {
        let from = self.addresses(block, w, &copy.src, mask);
        let to = self.addresses(block, w, &copy.dst, mask);
        let pc = block.warps[w].group().pc;
        let mut from_bytes = [copy.bytes; 32];
        if let Some(row) = copy.src_bytes {
            self.undefined(block, w, Reg::W(row), mask, pc, Use::Control);
            from_bytes = block.warps[w].regs.w[row as usize].map(|bytes| bytes.min(copy.bytes));
        }
        if let Some(pred) = copy.ignore {
            self.undefined(block, w, Reg::P(pred.row), mask, pc, Use::Predicate);
            let ignored = block.warps[w].regs.pred(pred);
            for (_, bytes) in from_bytes.iter_mut().enumerate().filter(|(lane, _)| ignored >> lane & 1 == 1) {
                *bytes = 0;
            }
        }
        let request =
            MemCopy { mask, from: &from, to: &to, bytes: copy.bytes, from_bytes: &from_bytes, line };
        let who = Who { warp: w as u32, clocks: &block.clocks };
        match block.shared.async_copy(&mut self.view, &who, &request) {
            Ok(()) => Ok(()),
            Err(fault) => Err(self.fault(block, w, fault)),
        }
    }

    pub(super) fn async_commit(&mut self, block: &mut Block, w: usize, mask: u32) {
        block.shared.async_commit(w as u32, mask);
    }

    pub(super) fn async_wait(
        &mut self,
        block: &mut Block,
        w: usize,
        mask: u32,
        left: Option<u32>,
    ) -> Result<(), Fatal> {
        // Arrivals that wait for these copies come with them.
        let rank = block.rank;
        let theirs = |work: &Work| {
            let by = work.by();
            matches!(work, Work::Arrive { .. })
                && (by.rank, by.warp) == (rank, w as u32)
                && mask >> by.lane & 1 == 1
        };
        while let Some(work) = self.cluster.flying.take_if(theirs) {
            self.deliver(block, work)?;
        }
        let who = Who { warp: w as u32, clocks: &block.clocks };
        match left {
            Some(left) => block.shared.async_wait(&who, mask, left),
            None => block.shared.async_wait_all(&who, mask),
        }
        Ok(())
    }
}
