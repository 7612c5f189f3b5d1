//! The registers of a warp that `wgmma` uses, and those that were touched since the last `wgmma.fence`.

use super::super::block::Block;
use super::super::machine::Machine;
use crate::finding::{FindingKind, RegisterUse};
use crate::program::Kernel;
use crate::program::ir::{Op, Row, Wgmma};
use crate::program::wgmma::OperandA;

/// What a register is in use for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct InUse {
    by: RegisterUse,
    /// The instruction.
    pc: u32,
}

/// The registers of 32 bits of one warp; nothing where a kernel has no `wgmma`.
#[derive(Debug, Default)]
pub(in crate::exec) struct Registers {
    /// Whether there was a fence.
    fenced: bool,
    /// Touched by another instruction since the last fence.
    touched: Vec<bool>,
    in_use: Vec<Option<InUse>>,
    /// Whether some are in use.
    some: bool,
}

impl Registers {
    /// Nothing in use, for the registers of a kernel.
    pub(in crate::exec) fn new(kernel: &Kernel) -> Self {
        let rows = if kernel.words.is_empty() { 0 } else { kernel.rows.word as usize };
        Self { fenced: false, touched: vec![false; rows], in_use: vec![None; rows], some: false }
    }

    pub(super) fn fence(&mut self) {
        self.fenced = true;
        self.touched.fill(false);
    }

    pub(super) fn free(&mut self) {
        self.in_use.fill(None);
        self.some = false;
    }

    /// An instruction uses its registers from now on.
    pub(super) fn take(&mut self, op: &Wgmma, pc: u32) {
        self.some = true;
        for row in &op.d {
            self.in_use[*row as usize] = Some(InUse { by: RegisterUse::Accumulator, pc });
        }
        if let OperandA::Registers(rows) = op.a {
            for row in rows {
                let slot = &mut self.in_use[row as usize];
                slot.get_or_insert(InUse { by: RegisterUse::OperandA, pc });
            }
        }
    }
}

impl Machine<'_> {
    /// An instruction other than `wgmma` touches its registers.
    pub(in crate::exec) fn touch_registers(&mut self, block: &mut Block, w: usize, pc: u32, mask: u32) {
        let kernel = self.kernel;
        let registers = &mut block.warps[w].wgmma;
        let mut hit = None;
        for row in &kernel.words[pc as usize] {
            registers.touched[*row as usize] = true;
            if registers.some {
                hit = hit.or(registers.in_use[*row as usize]);
            }
        }
        if let Some(InUse { by, pc: issued }) = hit {
            let issued = kernel.code[issued as usize].line;
            let kind = FindingKind::RegisterInFlight { by, issued };
            self.find(block, w as u32, mask.trailing_zeros(), pc, kind);
        }
    }

    /// An instruction is issued: its registers must be free, or accumulators of the same shape, and fenced.
    pub(super) fn claim_registers(&mut self, block: &mut Block, w: usize, op: &Wgmma, pc: u32) {
        let kernel = self.kernel;
        let registers = &block.warps[w].wgmma;
        let rows_of_a: &[Row] = if let OperandA::Registers(rows) = &op.a { rows } else { &[] };
        let same = |other: u32| matches!(&kernel.code[other as usize].op, Op::Wgmma(before) if before.d == op.d && before.elements == op.elements);
        let wrong_d = |row: &Row| {
            registers.in_use[*row as usize]
                .filter(|use_| use_.by != RegisterUse::Accumulator || !same(use_.pc))
        };
        let wrong_a =
            |row: &Row| registers.in_use[*row as usize].filter(|use_| use_.by == RegisterUse::Accumulator);
        let hit = op.d.iter().find_map(wrong_d).or_else(|| rows_of_a.iter().find_map(wrong_a));
        let touched = |rows: &[Row]| rows.iter().any(|row| registers.touched[*row as usize]);
        let unfenced = match (registers.fenced, touched(&op.d), touched(rows_of_a)) {
            (false, ..) => Some("the first one of the warp"),
            (_, true, _) => Some("the accumulators were touched since the last one"),
            (_, _, true) => Some("the registers of A were touched since the last one"),
            _ => None,
        };
        if let Some(InUse { by, pc: issued }) = hit {
            let issued = kernel.code[issued as usize].line;
            self.find(block, w as u32, 0, pc, FindingKind::RegisterInFlight { by, issued });
        }
        if let Some(why) = unfenced {
            self.find(block, w as u32, 0, pc, FindingKind::MissingWgmmaFence { why });
        }
        block.warps[w].wgmma.take(op, pc);
    }
}
