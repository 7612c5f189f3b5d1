//! Atomic operations, and what strong accesses tell the threads that see them.

use super::block::Block;
use super::distant::{Spot, shared_of};
use super::machine::{Fatal, Machine};
use super::regs::lanes;
use crate::arith::{Arith, Fun};
use crate::finding::{FindingKind, Use};
use crate::memory::{Access as MemAccess, Fault, Order, Scope, Space, Strong, Target, Who};
use crate::program::ir::{Atom, AtomKind, Reg};

impl Machine<'_> {
    pub(super) fn atom(
        &mut self,
        block: &mut Block,
        w: usize,
        atom: &Atom,
        mask: u32,
        line: u32,
    ) -> Result<(), Fatal> {
        let mut addr = self.addresses(block, w, &atom.addr, mask);
        let pc = block.warps[w].group().pc;
        for reg in atom.b.iter().chain(&atom.c) {
            self.undefined(block, w, *reg, mask, pc, Use::Store);
        }
        self.may_wait(block, w);
        let mut left = mask;
        while left != 0 {
            let Spot { space, rank, lanes: here } = self.spot(block, w, atom.window, left, &mut addr)?;
            left &= !here;
            if self.counters.is_some() {
                let kind = crate::memory::Kind::Strong(atom.scope);
                let request = MemAccess { mask: here, addr: &addr, bytes: atom.bytes, kind, line };
                self.count_access(block, w, space, &request);
            }
            for lane in lanes(here) {
                for at in 0..atom.b.len() {
                    let address = addr[lane].wrapping_add(at as u64 * u64::from(atom.bytes));
                    self.atom_lane(block, w, atom, (at, lane), (space, rank, address), line)?;
                }
            }
        }
        Ok(())
    }

    fn atom_lane(
        &mut self,
        block: &mut Block,
        w: usize,
        atom: &Atom,
        (at, lane): (usize, usize),
        (space, rank, address): (Space, u32, u64),
        line: u32,
    ) -> Result<(), Fatal> {
        let regs = &block.warps[w].regs;
        let b = value(regs, atom.b[at], lane);
        let c = atom.c.map_or(0, |reg| value(regs, reg, lane));
        let operation =
            Strong { warp: w as u32, lane: lane as u32, address, order: atom.order, scope: atom.scope };
        let target = Target { lane: lane as u32, address, bytes: atom.bytes, scope: atom.scope, line };
        let arith = atom.arith.map(|(shared, global)| if space == Space::Global { global } else { shared });
        let change = |old: u128| apply((atom.kind, atom.bytes), arith, old, b, c);
        let result = match space {
            Space::Global => {
                self.sync.strong_rmw(&mut block.clocks, operation);
                let who = Who { warp: w as u32, clocks: &block.clocks };
                self.view.rmw(&who, target, change)
            }
            Space::Shared => self.atom_shared(block, w, rank, operation, target, change),
            _ => {
                let request = MemAccess {
                    mask: 1 << lane,
                    addr: &[address; 32],
                    bytes: atom.bytes,
                    kind: crate::memory::Kind::Weak,
                    line,
                };
                Err(super::mem::no_memory(&request, space, true))
            }
        };
        let (old, undefined) = match result {
            Ok(result) => result,
            Err(fault) => return Err(self.fault(block, w, fault)),
        };
        if undefined != 0 && atom.kind != AtomKind::Exch {
            let pc = block.warps[w].group().pc;
            self.find(block, w as u32, lane as u32, pc, FindingKind::Undefined(Use::Store));
        }
        if let Some(Some(dst)) = atom.dst.get(at) {
            let regs = &mut block.warps[w].regs;
            regs.set(*dst, lane, old as u64);
            if let Reg::Q(row) = dst {
                regs.set(Reg::D(row + 1), lane, (old >> 64) as u64);
            }
            if undefined != 0 {
                regs.set_shadow(*dst, lane, u64::MAX);
            }
        }
        Ok(())
    }

    /// Of the shared memory of a rank: the old value and its undefined bytes.
    fn atom_shared(
        &mut self,
        block: &mut Block,
        w: usize,
        rank: u32,
        operation: Strong,
        target: Target,
        change: impl FnOnce(u128) -> u128,
    ) -> Result<(u128, u32), Fault> {
        let Target { lane, address, bytes, line, .. } = target;
        let addr = &[address; 32];
        let kind = crate::memory::Kind::Weak;
        let request = MemAccess { mask: 1 << lane, addr, bytes, kind, line };
        self.not_a_barrier(block, w, rank, &request);
        let Block { clocks, shared, sync, rank: own, .. } = block;
        let found = shared_of(&mut self.cluster.blocks, (*own, shared, sync), rank);
        let Some((shared, sync)) = found else {
            return Err(super::mem::no_memory(&request, Space::Shared, true));
        };
        sync.strong_rmw(clocks, operation);
        shared.rmw(&Who { warp: w as u32, clocks }, target, change)
    }

    /// What a strong load learns, or, if `writes`, what a strong store publishes.
    pub(super) fn strong_access(
        &mut self,
        block: &mut Block,
        w: usize,
        (space, rank, request): (Space, u32, &MemAccess),
        (order, scope): (Order, Scope),
        writes: bool,
    ) {
        if !writes {
            self.may_wait(block, w);
        }
        for lane in lanes(request.mask) {
            let address = request.addr[lane];
            let operation = Strong { warp: w as u32, lane: lane as u32, address, order, scope };
            let Block { clocks, shared, sync, rank: own, .. } = &mut *block;
            let known = match space {
                Space::Global => &mut self.sync,
                Space::Shared => match shared_of(&mut self.cluster.blocks, (*own, shared, sync), rank) {
                    Some((_, sync)) => sync,
                    None => return,
                },
                _ => return,
            };
            if writes {
                known.strong_store(clocks, operation);
            } else {
                known.strong_load(clocks, operation);
            }
        }
    }
}

fn value(regs: &super::regs::Regs, reg: Reg, lane: usize) -> u128 {
    let low = u128::from(regs.get(reg, lane));
    match reg {
        Reg::Q(row) => low | u128::from(regs.d[row as usize + 1][lane]) << 64,
        _ => low,
    }
}

/// The new value.
pub(super) fn apply(
    (kind, bytes): (AtomKind, u32),
    arith: Option<Arith>,
    old: u128,
    b: u128,
    c: u128,
) -> u128 {
    let bits = 8 * bytes;
    let all = if bits >= 128 { u128::MAX } else { (1 << bits) - 1 };
    let b = b & all;
    match kind {
        AtomKind::Exch => b,
        AtomKind::Cas if old == b => c & all,
        AtomKind::Cas => old,
        AtomKind::Inc => {
            if old >= b {
                0
            } else {
                old + 1
            }
        }
        AtomKind::Dec => {
            if old == 0 || old > b {
                b
            } else {
                old - 1
            }
        }
        AtomKind::And => old & b,
        AtomKind::Or => old | b,
        AtomKind::Xor => old ^ b,
        AtomKind::Fun => match arith.map(|arith| arith.f) {
            // In this order: of two NaNs in shared memory the old value's stays, as on an H200.
            Some(Fun::F2(f)) => u128::from(f(b as u64, old as u64)) & all,
            _ => old,
        },
    }
}
