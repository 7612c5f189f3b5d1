//! Loads and stores.

use super::block::Block;
use super::distant::{Spot, shared_of};
use super::machine::{Fatal, Machine};
use super::regs::{Lanes64, Regs, lanes, put32, put64};
use crate::finding::{FindingKind, Use};
use crate::memory::{
    Access as MemAccess, Fault, Kind, OutOfBounds, Space, Who, Words, byte_mask, lanes_of_first_space,
    offsets,
};
use crate::program::ir::{Access, Addr, Base, Reg, Strength, Window};

/// Bytes of a cache line.
const LINE_BYTES: u32 = 128;

impl Machine<'_> {
    /// The addresses of an operand, by lane.
    pub(super) fn addresses(&mut self, block: &mut Block, w: usize, addr: &Addr, mask: u32) -> Lanes64 {
        let offset = addr.offset as u64;
        let reg = match addr.base {
            Base::None => return [offset; 32],
            Base::W(row) => Reg::W(row),
            Base::D(row) => Reg::D(row),
        };
        if block.warps[w].regs.undefined(reg) & mask != 0 {
            let pc = block.warps[w].group().pc;
            self.undefined(block, w, reg, mask, pc, Use::Address);
        }
        let regs = &block.warps[w].regs;
        match addr.base {
            Base::W(row) => regs.w[row as usize].map(|base| u64::from(base).wrapping_add(offset)),
            Base::D(row) => regs.d[row as usize].map(|base| base.wrapping_add(offset)),
            Base::None => [offset; 32],
        }
    }

    pub(super) fn fault(&mut self, block: &mut Block, w: usize, fault: Fault) -> Fatal {
        let pc = block.warps[w].group().pc;
        self.fatal(block, w as u32, fault.lane, pc, fault.kind)
    }

    pub(super) fn load(
        &mut self,
        block: &mut Block,
        w: usize,
        access: &Access,
        mask: u32,
        line: u32,
    ) -> Result<(), Fatal> {
        let mut addr = self.addresses(block, w, &access.addr, mask);
        let bytes = access.elem_bytes * access.regs.len() as u32;
        let mut left = mask;
        while left != 0 {
            let Spot { space, rank, lanes: here } = self.spot(block, w, access.window, left, &mut addr)?;
            left &= !here;
            let request = MemAccess { mask: here, addr: &addr, bytes, kind: kind_of(access.strength), line };
            if self.counters.is_some() {
                self.count_access(block, w, space, &request);
            }
            let result = match space {
                Space::Global => {
                    let who = Who { warp: w as u32, clocks: &block.clocks };
                    self.view.load(&who, request, &mut self.words)
                }
                Space::Shared => self.load_shared(block, w, rank, request),
                Space::Local => block.local[w].load(request, &mut self.words),
                Space::Param => load_params(&self.job.params, &request, &mut self.words),
                Space::Code => Err(no_memory(&request, space, false)),
            };
            if let Err(fault) = result {
                return Err(self.fault(block, w, fault));
            }
            if let Strength::Strong(order, scope) = access.strength {
                self.strong_access(block, w, (space, rank, &request), (order, scope), false);
            }
            take(&mut block.warps[w].regs, access, &self.words, here);
        }
        Ok(())
    }

    pub(super) fn store(
        &mut self,
        block: &mut Block,
        w: usize,
        access: &Access,
        mask: u32,
        line: u32,
    ) -> Result<(), Fatal> {
        let mut addr = self.addresses(block, w, &access.addr, mask);
        let bytes = access.elem_bytes * access.regs.len() as u32;
        give(&block.warps[w].regs, access, &mut self.words, mask);
        let mut left = mask;
        while left != 0 {
            let Spot { space, rank, lanes: here } = self.spot(block, w, access.window, left, &mut addr)?;
            left &= !here;
            if space != Space::Local && self.words.undefined & here != 0 {
                let lane = (self.words.undefined & here).trailing_zeros();
                let pc = block.warps[w].group().pc;
                self.find(block, w as u32, lane, pc, FindingKind::Undefined(Use::Store));
            }
            let request = MemAccess { mask: here, addr: &addr, bytes, kind: kind_of(access.strength), line };
            if self.counters.is_some() {
                self.count_access(block, w, space, &request);
            }
            if let Strength::Strong(order, scope) = access.strength {
                self.strong_access(block, w, (space, rank, &request), (order, scope), true);
            }
            let result = match space {
                Space::Global => {
                    let who = Who { warp: w as u32, clocks: &block.clocks };
                    self.view.store(&who, request, &self.words)
                }
                Space::Shared => self.store_shared(block, w, rank, request),
                Space::Local => block.local[w].store(request, &self.words),
                Space::Param | Space::Code => Err(no_memory(&request, space, false)),
            };
            if let Err(fault) = result {
                return Err(self.fault(block, w, fault));
            }
        }
        Ok(())
    }

    fn load_shared(
        &mut self,
        block: &mut Block,
        w: usize,
        rank: u32,
        request: MemAccess,
    ) -> Result<(), Fault> {
        self.not_a_barrier(block, w, rank, &request);
        let Block { clocks, shared, sync, rank: own, .. } = block;
        let found = shared_of(&mut self.cluster.blocks, (*own, shared, sync), rank);
        let Some((shared, _)) = found else { return Err(no_memory(&request, Space::Shared, false)) };
        shared.load(&Who { warp: w as u32, clocks }, request, &mut self.words)
    }

    fn store_shared(
        &mut self,
        block: &mut Block,
        w: usize,
        rank: u32,
        request: MemAccess,
    ) -> Result<(), Fault> {
        self.not_a_barrier(block, w, rank, &request);
        let Block { clocks, shared, sync, rank: own, .. } = block;
        let found = shared_of(&mut self.cluster.blocks, (*own, shared, sync), rank);
        let Some((shared, _)) = found else { return Err(no_memory(&request, Space::Shared, true)) };
        shared.store(&Who { warp: w as u32, clocks }, request, &self.words)
    }

    /// `discard`: the 128 bytes of each lane become undefined, in pieces of 16 (PTX ISA, `discard`).
    pub(super) fn discard(
        &mut self,
        block: &mut Block,
        w: usize,
        window: Window,
        addr: &Addr,
        mask: u32,
        line: u32,
    ) -> Result<(), Fatal> {
        let mut addr = self.addresses(block, w, addr, mask);
        let (space, here) = space_of(window, mask, &mut addr);
        let whole = MemAccess { mask, addr: &addr, bytes: LINE_BYTES, kind: Kind::Weak, line };
        if space != Space::Global || here != mask {
            return Err(self.fault(block, w, no_memory(&whole, space, true)));
        }
        if let Some(lane) = lanes(mask).find(|lane| !addr[*lane].is_multiple_of(LINE_BYTES.into())) {
            let (bytes, address) = (LINE_BYTES, addr[lane]);
            let kind = FindingKind::Misaligned { write: true, bytes, space, address };
            return Err(self.fault(block, w, Fault { lane: lane as u32, kind }));
        }
        *self.words = Words::ZERO;
        self.words.undefined = mask;
        lanes(mask).for_each(|lane| self.words.undefined_bytes[lane] = 0xffff);
        for piece in 0..u64::from(LINE_BYTES / 16) {
            let at = addr.map(|addr| addr.wrapping_add(16 * piece));
            let request = MemAccess { mask, addr: &at, bytes: 16, kind: Kind::Weak, line };
            let who = Who { warp: w as u32, clocks: &block.clocks };
            if let Err(fault) = self.view.store(&who, request, &self.words) {
                return Err(self.fault(block, w, fault));
            }
        }
        Ok(())
    }

    #[cold]
    pub(super) fn count_access(&mut self, block: &mut Block, w: usize, space: Space, request: &MemAccess) {
        let pc = block.warps[w].group().pc;
        if let Some(counters) = &mut self.counters {
            counters.accessed(pc, space, request);
        }
    }
}

/// The lanes that go to the same memory as the first, with their addresses made relative to it.
pub(super) fn space_of(window: Window, mask: u32, addr: &mut Lanes64) -> (Space, u32) {
    match window {
        Window::Global => (Space::Global, mask),
        Window::Shared | Window::Cluster => (Space::Shared, mask),
        Window::Local => (Space::Local, mask),
        Window::Param => (Space::Param, mask),
        Window::Generic => {
            let (space, here) = lanes_of_first_space(mask, addr);
            if space != Space::Global {
                let inside = offsets(addr, space);
                lanes(here).for_each(|lane| addr[lane] = inside[lane]);
            }
            (space, here)
        }
    }
}

pub(super) fn kind_of(strength: Strength) -> Kind {
    match strength {
        Strength::Weak => Kind::Weak,
        Strength::Nc => Kind::Nc,
        Strength::Strong(_, scope) => Kind::Strong(scope),
    }
}

pub(super) fn no_memory(request: &MemAccess, space: Space, write: bool) -> Fault {
    let lane = request.mask.trailing_zeros();
    let address = request.addr[lane as usize & 31];
    let kind = OutOfBounds { write, bytes: request.bytes, space, address, nearest: None };
    Fault { lane, kind: FindingKind::OutOfBounds(kind) }
}

pub(super) fn load_params(params: &[u8], request: &MemAccess, out: &mut Words) -> Result<(), Fault> {
    out.undefined = 0;
    let bytes = request.bytes as usize;
    for lane in lanes(request.mask) {
        let from = usize::try_from(request.addr[lane]).ok();
        let found = from.and_then(|from| params.get(from..from.checked_add(bytes)?));
        let Some(found) = found else {
            let (address, lane) = (request.addr[lane], lane as u32);
            let kind = OutOfBounds {
                write: false,
                bytes: request.bytes,
                space: Space::Param,
                address,
                nearest: None,
            };
            return Err(Fault { lane, kind: FindingKind::OutOfBounds(kind) });
        };
        for (at, four) in found.chunks(4).enumerate() {
            let mut word = [0; 4];
            word[..four.len()].copy_from_slice(four);
            out.word[at][lane] = u32::from_le_bytes(word);
        }
    }
    Ok(())
}

/// One element of an access, of up to 64 bits.
#[inline]
fn element(words: &Words, at: usize, bytes: usize, lane: usize) -> u64 {
    let first = at * bytes / 4;
    match bytes {
        8 => u64::from(words.word[first & 7][lane]) | u64::from(words.word[(first + 1) & 7][lane]) << 32,
        4 => u64::from(words.word[first & 7][lane]),
        _ => {
            let shift = at * bytes % 4 * 8;
            u64::from(words.word[first & 7][lane] >> shift) & ((1 << (8 * bytes)) - 1)
        }
    }
}

/// Loaded values to registers.
pub(super) fn take(regs: &mut Regs, access: &Access, words: &Words, mask: u32) {
    let bytes = access.elem_bytes as usize;
    for (at, reg) in access.regs.iter().enumerate() {
        let Some(reg) = reg else { continue };
        match (reg, bytes) {
            (Reg::W(row), 4) => put32(&mut regs.w[*row as usize], &words.word[at & 7], mask),
            (Reg::D(row), 8) => {
                let value: Lanes64 = std::array::from_fn(|lane| element(words, at, 8, lane));
                put64(&mut regs.d[*row as usize], &value, mask);
            }
            (Reg::Q(row), 16) => {
                for half in 0..2 {
                    let value: Lanes64 = std::array::from_fn(|lane| element(words, 2 * at + half, 8, lane));
                    put64(&mut regs.d[*row as usize + half], &value, mask);
                }
            }
            _ => {
                let unused = 64 - 8 * bytes.min(8) as u32;
                for lane in lanes(mask) {
                    let value = element(words, at, bytes, lane);
                    let value =
                        if access.signed { ((value << unused) as i64 >> unused) as u64 } else { value };
                    regs.set(*reg, lane, value);
                    if let Reg::Q(row) = reg {
                        let sign = if access.signed { (value as i64 >> 63) as u64 } else { 0 };
                        regs.set(Reg::D(row + 1), lane, sign);
                    }
                }
            }
        }
        regs.define(*reg, mask);
        for lane in lanes(words.undefined & mask) {
            let undefined = words.undefined_bytes[lane] >> (at * bytes) & byte_mask(bytes as u32);
            for (half, first) in halves(*reg) {
                if undefined >> first != 0 {
                    regs.set_shadow(half, lane, byte_bits(undefined >> first));
                }
            }
        }
    }
}

/// Registers to the values of a store.
pub(super) fn give(regs: &Regs, access: &Access, words: &mut Words, mask: u32) {
    let bytes = access.elem_bytes as usize;
    words.undefined = 0;
    for (at, reg) in access.regs.iter().enumerate() {
        let Some(reg) = reg else { continue };
        match (reg, bytes) {
            (Reg::W(row), 4) => words.word[at & 7] = regs.w[*row as usize],
            (Reg::D(row) | Reg::Q(row), 8) => split(&regs.d[*row as usize], words, 2 * at),
            (Reg::Q(row), 16) => {
                split(&regs.d[*row as usize], words, 4 * at);
                split(&regs.d[*row as usize + 1], words, 4 * at + 2);
            }
            _ => {
                let (first, shift) = (at * bytes / 4, at * bytes % 4 * 8);
                for lane in lanes(mask) {
                    let value = regs.get(*reg, lane) as u32;
                    let keep = if bytes >= 4 { 0 } else { !(((1 << (8 * bytes)) - 1) << shift) };
                    let old = if shift == 0 { 0 } else { words.word[first][lane] };
                    words.word[first][lane] = old & keep | (value << shift) & !keep;
                }
            }
        }
        for lane in lanes(regs.undefined(*reg) & mask) {
            let in_half = |(half, first): (Reg, u32)| {
                let shadow = regs.shadow(half, lane);
                (0..8).filter(|b| shadow >> (8 * b) & 0xff != 0).fold(0, |all, b| all | 1_u32 << (first + b))
            };
            let undefined =
                halves(*reg).map(in_half).fold(0, |all, half| all | half) & byte_mask(bytes as u32);
            if undefined != 0 {
                let old = if words.undefined >> lane & 1 == 1 { words.undefined_bytes[lane] } else { 0 };
                words.undefined |= 1 << lane;
                words.undefined_bytes[lane] = old | undefined << (at * bytes);
            }
        }
    }
}

/// The registers of up to 64 bits that a register is made of, each with its first byte.
fn halves(reg: Reg) -> impl Iterator<Item = (Reg, u32)> {
    let (first, second) = match reg {
        Reg::Q(row) => (Reg::D(row), Some((Reg::D(row + 1), 8))),
        other => (other, None),
    };
    std::iter::once((first, 0)).chain(second)
}

#[inline]
fn split(from: &Lanes64, words: &mut Words, first: usize) {
    for (lane, value) in from.iter().enumerate() {
        words.word[first & 7][lane] = *value as u32;
        words.word[(first + 1) & 7][lane] = (value >> 32) as u32;
    }
}

/// Eight bits for each bit.
fn byte_bits(bytes: u32) -> u64 {
    (0..8).filter(|b| bytes >> b & 1 == 1).fold(0, |all, b| all | 0xff << (8 * b))
}
