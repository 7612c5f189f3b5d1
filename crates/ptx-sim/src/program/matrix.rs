//! Matrix instructions of a warp: `mma`, `ldmatrix`, `stmatrix`.

use ptx_parse::ast::Instruction;

use super::builder::Builder;
use super::ir::{Matrices, Mma, Op, Reg, Row, WarpOp, Window};
use super::names::Reg2;
use super::operands::Operands;
use crate::arith::matrix::{self, Fragments};
use crate::error::CodeError;

type Found = Result<Option<Op>, CodeError>;

impl Builder<'_> {
    pub(super) fn matrix_op(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        let op = match instruction.opcode.as_str() {
            "mma" => self.mma(&o)?,
            "ldmatrix" => self.matrices(&o, 1)?.map(|matrices| WarpOp::LoadMatrix(Box::new(matrices))),
            "stmatrix" => self.matrices(&o, 0)?.map(|matrices| WarpOp::StoreMatrix(Box::new(matrices))),
            _ => None,
        };
        // `.aligned`: all lanes of the warp.
        let Reg::W(members) = self.rows.constant(Reg2::W, u32::MAX.into()) else { return Ok(None) };
        Ok(op.map(|op| Op::Warp(Box::new((op, members)))))
    }

    fn mma(&mut self, o: &Operands) -> Result<Option<WarpOp>, CodeError> {
        let Some(product) = matrix::find(o.instruction) else { return Ok(None) };
        o.count(4)?;
        let d = self.words_to(o, 0)?.try_into().map_err(|_| o.wrong(0, "four registers of 32 bits"))?;
        let a = self.words_of(o, 1)?.try_into().map_err(|_| o.wrong(1, "four registers of 32 bits"))?;
        let b = self.words_of(o, 2)?.try_into().map_err(|_| o.wrong(2, "two registers of 32 bits"))?;
        let c = self.words_of(o, 3)?.try_into().map_err(|_| o.wrong(3, "four registers of 32 bits"))?;
        Ok(Some(WarpOp::Mma(Box::new(Mma { product, d, from: Fragments { a, b, c } }))))
    }

    /// `{ld, st}matrix.sync.aligned.m8n8.num{.trans}{.shared{::cta}}.b16`, with the address at operand `address`.
    fn matrices(&mut self, o: &Operands, address: usize) -> Result<Option<Matrices>, CodeError> {
        let modifiers: Vec<&str> = o.instruction.modifiers.iter().map(String::as_str).collect();
        let ["sync", "aligned", "m8n8", num, rest @ .., "b16"] = modifiers.as_slice() else {
            return Ok(None);
        };
        let count = match *num {
            "x1" => 1,
            "x2" => 2,
            "x4" => 4,
            _ => return Ok(None),
        };
        let (transposed, space) = match rest {
            ["trans", space @ ..] => (true, space),
            space => (false, space),
        };
        let window = match space {
            [] => Window::Generic,
            ["shared" | "shared::cta"] => Window::Shared,
            _ => return Ok(None),
        };
        o.count(2)?;
        let (addr, named) = self.address(o, address)?;
        let window = if named == Some(Window::Shared) { Window::Shared } else { window };
        let regs = if address == 1 { self.words_to(o, 0)? } else { self.words_of(o, 1)? };
        if regs.len() != count {
            return Err(o.wrong(1 - address, "a register of 32 bits for each matrix"));
        }
        Ok(Some(Matrices { window, addr, transposed, regs }))
    }

    /// Registers of 32 bits to write.
    fn words_to(&mut self, o: &Operands, index: usize) -> Result<Vec<Row>, CodeError> {
        self.destinations(o, index)?.into_iter().map(|reg| row_of_word(reg, o, index)).collect()
    }

    /// Registers or numbers of 32 bits to read.
    fn words_of(&mut self, o: &Operands, index: usize) -> Result<Vec<Row>, CodeError> {
        self.values(o, index, Reg2::W)?.into_iter().map(|reg| row_of_word(Some(reg), o, index)).collect()
    }
}

fn row_of_word(reg: Option<Reg>, o: &Operands, index: usize) -> Result<Row, CodeError> {
    match reg {
        Some(Reg::W(row)) => Ok(row),
        _ => Err(o.wrong(index, "a list of registers of 32 bits")),
    }
}
