//! Matrix instructions: `mma`, and `ldmatrix` and `stmatrix`, which move 8 x 8 elements of 16 bits.
//!
//! The lanes 8m to 8m + 7 give the addresses of the rows of matrix m. Lane t holds the elements 2(t % 4) and 2(t % 4) + 1 of
//! row t / 4, or with `.trans` of column t / 4. Bounds and alignment are those of the rows; a race is one of the lane whose
//! elements are concerned, since that is who needs what another thread wrote, or writes.

use super::block::Block;
use super::machine::{Fatal, Machine};
use super::mem::{give, no_memory, space_of, take};
use super::regs::{Lanes64, lanes, put32};
use crate::arith::matrix::{Fragments, MatrixProduct};
use crate::finding::{FindingKind, Use};
use crate::memory::{Access as MemAccess, Kind, Space, Who, Words};
use crate::program::ir::{Access, Addr, Base, Matrices, Mma, Reg, Row, Strength, Window};

/// Bytes of a row of a matrix.
const ROW_BYTES: u32 = 16;

impl Machine<'_> {
    /// `.aligned`: undefined in a warp some of whose lanes have ended or never were there.
    fn full_warp(&mut self, block: &mut Block, w: usize, mask: u32, pc: u32) -> Result<(), Fatal> {
        if mask == u32::MAX {
            return Ok(());
        }
        let lane = (!mask).trailing_zeros();
        let exists = block.warps[w].exists >> lane & 1 == 1;
        let state = if exists { "has ended" } else { "does not exist" }.to_owned();
        let kind = FindingKind::InactiveLane { mask: u32::MAX, lane, state };
        Err(self.fatal(block, w as u32, mask.trailing_zeros(), pc, kind))
    }

    pub(super) fn mma(
        &mut self,
        block: &mut Block,
        w: usize,
        mma: &Mma,
        mask: u32,
        pc: u32,
    ) -> Result<(), Fatal> {
        self.full_warp(block, w, mask, pc)?;
        let regs = &mut block.warps[w].regs;
        let Fragments { a, b, c } = mma.from;
        let values = |row: Row| &regs.w[row as usize];
        let d = mma.product.warp(&Fragments { a: a.map(values), b: b.map(values), c: c.map(values) });
        let lanes_of = |row: Row| regs.undefined(Reg::W(row));
        let undefined = MatrixProduct::undefined(&Fragments {
            a: a.map(lanes_of),
            b: b.map(lanes_of),
            c: c.map(lanes_of),
        });
        for ((row, value), undefined) in mma.d.into_iter().zip(&d).zip(undefined) {
            put32(&mut regs.w[row as usize], value, u32::MAX);
            regs.define(Reg::W(row), u32::MAX);
            lanes(undefined).for_each(|lane| regs.set_shadow(Reg::W(row), lane, u64::MAX));
        }
        Ok(())
    }

    /// The addresses of the rows of all matrices, by lane, as offsets in shared memory.
    fn rows(
        &mut self,
        block: &mut Block,
        w: usize,
        matrices: &Matrices,
        (pc, write): (u32, bool),
    ) -> Result<Lanes64, Fatal> {
        let mask = u32::MAX >> (32 - 8 * matrices.regs.len() as u32);
        let mut addr = self.addresses(block, w, &matrices.addr, mask);
        let (space, here) = space_of(matrices.window, mask, &mut addr);
        let line = self.kernel.code[pc as usize].line;
        let request = MemAccess { mask, addr: &addr, bytes: ROW_BYTES, kind: Kind::Weak, line };
        if space != Space::Shared || here != mask {
            let mask = if space == Space::Shared { mask & !here } else { mask };
            return Err(self.fault(block, w, no_memory(&MemAccess { mask, ..request }, space, write)));
        }
        if self.counters.is_some() {
            self.count_access(block, w, Space::Shared, &request);
        }
        match block.shared.check_rows(&request, write) {
            Ok(()) => Ok(addr),
            Err(fault) => Err(self.fault(block, w, fault)),
        }
    }

    pub(super) fn load_matrices(
        &mut self,
        block: &mut Block,
        w: usize,
        matrices: &Matrices,
        mask: u32,
        pc: u32,
    ) -> Result<(), Fatal> {
        self.full_warp(block, w, mask, pc)?;
        let rows = self.rows(block, w, matrices, (pc, false))?;
        let line = self.kernel.code[pc as usize].line;
        let mut loaded = Vec::with_capacity(matrices.regs.len());
        for matrix in rows.chunks(8).take(matrices.regs.len()) {
            let mut whole = Words::new();
            for part in 0..parts(matrices) {
                let (addr, bytes) = elements(matrix, matrices.transposed, part);
                let request = MemAccess { mask: u32::MAX, addr: &addr, bytes, kind: Kind::Weak, line };
                let who = Who { warp: w as u32, clocks: &block.clocks };
                if let Err(fault) = block.shared.load(&who, request, &mut self.words) {
                    return Err(self.fault(block, w, fault));
                }
                join(&mut whole, &self.words, part);
            }
            loaded.push(whole);
        }
        // An address register may be among those that are written.
        for (words, row) in loaded.iter().zip(&matrices.regs) {
            take(&mut block.warps[w].regs, &word(*row), words, u32::MAX);
        }
        Ok(())
    }

    pub(super) fn store_matrices(
        &mut self,
        block: &mut Block,
        w: usize,
        matrices: &Matrices,
        mask: u32,
        pc: u32,
    ) -> Result<(), Fatal> {
        self.full_warp(block, w, mask, pc)?;
        let rows = self.rows(block, w, matrices, (pc, true))?;
        let line = self.kernel.code[pc as usize].line;
        for (matrix, row) in rows.chunks(8).zip(&matrices.regs) {
            give(&block.warps[w].regs, &word(*row), &mut self.words, u32::MAX);
            if self.words.undefined != 0 {
                let lane = self.words.undefined.trailing_zeros();
                self.find(block, w as u32, lane, pc, FindingKind::Undefined(Use::Store));
            }
            for part in 0..parts(matrices) {
                let (addr, bytes) = elements(matrix, matrices.transposed, part);
                let words = if matrices.transposed { half(&self.words, part) } else { (*self.words).clone() };
                let request = MemAccess { mask: u32::MAX, addr: &addr, bytes, kind: Kind::Weak, line };
                let who = Who { warp: w as u32, clocks: &block.clocks };
                if let Err(fault) = block.shared.store(&who, request, &words) {
                    return Err(self.fault(block, w, fault));
                }
            }
        }
        Ok(())
    }
}

/// Accesses of a lane to a matrix: its two elements lie side by side, or in two rows.
fn parts(matrices: &Matrices) -> usize {
    if matrices.transposed { 2 } else { 1 }
}

/// Where each lane's elements lie, and their bytes, in a matrix whose rows have these addresses.
fn elements(rows: &[u64], transposed: bool, part: usize) -> (Lanes64, u32) {
    if transposed {
        (std::array::from_fn(|lane| rows[2 * (lane % 4) + part] + 2 * (lane / 4) as u64), 2)
    } else {
        (std::array::from_fn(|lane| rows[lane / 4] + 4 * (lane % 4) as u64), 4)
    }
}

/// Puts what was read to the lower or upper half of a word, or to all of it.
fn join(whole: &mut Words, read: &Words, part: usize) {
    for lane in 0..32 {
        whole.word[0][lane] |= read.word[0][lane] << (16 * part);
    }
    for lane in lanes(read.undefined) {
        let before = whole.undefined_bytes(lane);
        whole.undefined_bytes[lane] = before | read.undefined_bytes[lane] << (2 * part);
        whole.undefined |= 1 << lane;
    }
}

/// The lower or upper half of each word.
fn half(words: &Words, part: usize) -> Words {
    let mut half = Words::new();
    half.word[0] = words.word[0].map(|word| word >> (16 * part) & 0xffff);
    for lane in lanes(words.undefined) {
        half.undefined_bytes[lane] = words.undefined_bytes[lane] >> (2 * part) & 3;
        half.undefined |= u32::from(half.undefined_bytes[lane] != 0) << lane;
    }
    half
}

/// A register as one loaded or stored whole.
fn word(row: Row) -> Access {
    Access {
        window: Window::Shared,
        addr: Addr { base: Base::None, offset: 0 },
        elem_bytes: 4,
        signed: false,
        strength: Strength::Weak,
        regs: vec![Some(Reg::W(row))],
    }
}
