//! Calls of functions.

use super::block::Block;
use super::machine::{Fatal, Machine};
use super::regs::lanes;
use super::step::{Flow, exit};
use crate::finding::{FindingKind, Use};
use crate::memory::{Access, Kind, Words};
use crate::program::ir::{Call, CallTarget, Op, Place, Reg};

/// Calls nested in one another, at most.
const MAX_CALLS: usize = 1024;

impl Machine<'_> {
    pub(super) fn call(
        &mut self,
        block: &mut Block,
        w: usize,
        call: &Call,
        mask: u32,
    ) -> Result<Flow, Fatal> {
        let pc = block.warps[w].group().pc;
        let (function, here) = match call.target {
            CallTarget::Direct(index) => (index, mask),
            CallTarget::Indirect(row) => {
                self.undefined(block, w, Reg::D(row), mask, pc, Use::Control);
                let addresses = &block.warps[w].regs.d[row as usize];
                let lane = mask.trailing_zeros() as usize & 31;
                let address = addresses[lane];
                let same = lanes(mask).filter(|l| addresses[*l] == address).fold(0, |all, l| all | 1 << l);
                let Some(index) = self.kernel.functions.iter().position(|f| f.address == address) else {
                    let kind = FindingKind::BadCall { address };
                    return Err(self.fatal(block, w as u32, lane as u32, pc, kind));
                };
                (index, same)
            }
        };
        if block.warps[w].group().frames.len() >= MAX_CALLS {
            let kind = FindingKind::CallDepth { limit: MAX_CALLS };
            return Err(self.fatal(block, w as u32, here.trailing_zeros(), pc, kind));
        }
        let info = &self.kernel.functions[function];
        let args: Vec<Held> = call.args.iter().map(|arg| hold(block, w, *arg, here)).collect();
        if !info.saved.is_empty() {
            let depth = block.warps[w].group().frames.len();
            for (index, place) in info.saved.iter().enumerate() {
                let held = hold(block, w, *place, here);
                block.warps[w].saved.entry((depth, function, index)).or_default().take(&held, here);
            }
        }
        for (arg, param) in args.iter().zip(&info.params) {
            put(block, w, *param, arg, here);
        }
        let (start, warp) = (info.start, &mut block.warps[w]);
        let whole = warp.group().mask;
        if whole & !mask != 0 {
            warp.split(whole & !mask, pc + 1);
        }
        // Lanes that call another function stay at the call for now.
        if mask & !here != 0 {
            warp.split(mask & !here, pc);
        }
        let group = warp.group();
        group.frames.push(pc);
        group.pc = start;
        Ok(Flow::Switch)
    }

    /// The lanes of `mask` leave a function, or end when they are in none.
    pub(super) fn ret(&mut self, block: &mut Block, w: usize, mask: u32) -> Flow {
        let group = block.warps[w].group();
        let (pc, whole) = (group.pc, group.mask);
        let Some(call_pc) = group.frames.last().copied() else {
            self.ends_with_wgmma(block, w, mask.trailing_zeros(), pc);
            return exit(block, w, mask);
        };
        let kernel = self.kernel;
        let function = kernel.functions.iter().rposition(|f| f.start <= pc);
        if let (Op::Call(call), Some(function)) = (&kernel.code[call_pc as usize].op, function) {
            let info = &kernel.functions[function];
            let results: Vec<Held> =
                info.returns.iter().map(|result| hold(block, w, *result, mask)).collect();
            let depth = block.warps[w].group().frames.len() - 1;
            for (index, place) in info.saved.iter().enumerate() {
                let held = block.warps[w].saved.get(&(depth, function, index)).cloned().unwrap_or_default();
                put(block, w, *place, &held, mask);
            }
            for (to, result) in call.returns.iter().zip(&results) {
                put(block, w, *to, result, mask);
            }
        }
        let warp = &mut block.warps[w];
        if mask != whole {
            warp.split(whole & !mask, pc + 1);
        }
        let group = warp.group();
        group.frames.pop();
        group.pc = call_pc + 1;
        Flow::Switch
    }
}

/// Bytes taken from a place, by lane, and the lanes where each is undefined.
#[derive(Clone, Debug, Default)]
pub(super) struct Held(Vec<([u8; 32], u32)>);

impl Held {
    /// Takes the lanes of `mask` over from another.
    fn take(&mut self, other: &Self, mask: u32) {
        self.0.resize(other.0.len(), ([0; 32], 0));
        for ((to, unknown), (from, undefined)) in self.0.iter_mut().zip(&other.0) {
            lanes(mask).for_each(|lane| to[lane] = from[lane]);
            *unknown = *unknown & !mask | undefined & mask;
        }
    }
}

/// The register that holds byte `at` of another, and which byte of it that is.
fn part(reg: Reg, at: usize) -> (Reg, usize) {
    match reg {
        Reg::Q(row) => (Reg::D(row + (at / 8) as u32), at % 8),
        other => (other, at),
    }
}

fn bytes_of(reg: Reg) -> usize {
    match reg {
        Reg::P(_) => 1,
        Reg::H(_) => 2,
        Reg::W(_) => 4,
        Reg::D(_) => 8,
        Reg::Q(_) => 16,
    }
}

/// What a place holds in the lanes of `mask`.
fn hold(block: &mut Block, w: usize, place: Place, mask: u32) -> Held {
    match place {
        Place::Reg(whole) => {
            let regs = &block.warps[w].regs;
            let byte = |at: usize| {
                let (reg, at) = part(whole, at);
                let (mut bytes, mut undefined) = ([0; 32], 0);
                for lane in lanes(mask) {
                    bytes[lane] = (regs.get(reg, lane) >> (8 * at)) as u8;
                    undefined |= u32::from(regs.shadow(reg, lane) >> (8 * at) & 0xff != 0) << lane;
                }
                (bytes, undefined)
            };
            Held((0..bytes_of(whole)).map(byte).collect())
        }
        Place::Memory(from, bytes) => {
            let mut words = Words::new();
            let mut byte = |at: u64| {
                let addr = [from + at; 32];
                let access = Access { mask, addr: &addr, bytes: 1, kind: Kind::Weak, line: 0 };
                // The place comes from a declaration: it is there.
                let _ = block.local[w].load(access, &mut words);
                (words.word[0].map(|word| word as u8), words.undefined & mask)
            };
            Held((0..bytes).map(&mut byte).collect())
        }
    }
}

/// Writes what was held to a place.
fn put(block: &mut Block, w: usize, place: Place, held: &Held, mask: u32) {
    match place {
        Place::Reg(whole) => {
            let regs = &mut block.warps[w].regs;
            for first in (0..bytes_of(whole)).step_by(8) {
                let (reg, _) = part(whole, first);
                for lane in lanes(mask) {
                    let (mut value, mut shadow) = (0, 0);
                    for (at, (bytes, undefined)) in held.0.iter().skip(first).take(8).enumerate() {
                        value |= u64::from(bytes[lane]) << (8 * at);
                        shadow |= if undefined >> lane & 1 == 1 { 0xff << (8 * at) } else { 0 };
                    }
                    regs.set(reg, lane, value);
                    regs.set_shadow(reg, lane, shadow);
                }
            }
        }
        Place::Memory(to, bytes) => {
            let mut words = Words::new();
            words.undefined_bytes = [1; 32];
            for (at, (values, undefined)) in (0..bytes).zip(&held.0) {
                words.word[0] = values.map(u32::from);
                words.undefined = *undefined;
                let addr = [to + at; 32];
                let access = Access { mask, addr: &addr, bytes: 1, kind: Kind::Weak, line: 0 };
                let _ = block.local[w].store(access, &words);
            }
        }
    }
}
