//! `wgmma`: matrix instructions of a warpgroup (PTX ISA, "Asynchronous Warpgroup Level Matrix Instructions").

use ptx_parse::ast::{Const, Instruction, Operand as Ast};

use super::builder::Builder;
use super::ir::{Op, PredSrc, Reg, Row};
use super::names::Reg2;
use super::operands::Operands;
use crate::error::CodeError;

type Found = Result<Option<Op>, CodeError>;

/// What the elements of A and B are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Elements {
    /// 8 bits, signed or not: A, B. Sums are of 32 bits.
    Integers(bool, bool),
    /// Sums are f32.
    F16,
    /// Sums are f32.
    Bf16,
}

/// Where A is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum OperandA {
    /// In shared memory; the row of its descriptor.
    Shared(Row),
    /// In registers.
    Registers([Row; 4]),
}

/// `wgmma.mma_async`
#[derive(Clone, Debug)]
pub(crate) struct Wgmma {
    /// Columns.
    pub(crate) n: usize,
    /// What is multiplied.
    pub(crate) elements: Elements,
    /// The accumulators.
    pub(crate) d: Vec<Row>,
    /// A.
    pub(crate) a: OperandA,
    /// The row of B's descriptor.
    pub(crate) b: Row,
    /// Whether D is added.
    pub(crate) scale_d: PredSrc,
    /// Whether A and B are negated, together.
    pub(crate) negated: bool,
    /// Whether A and B are MN-major.
    pub(crate) transposed: [bool; 2],
}

impl Builder<'_> {
    pub(super) fn wgmma(&mut self, instruction: &Instruction, scope: usize) -> Found {
        if instruction.opcode != "wgmma" {
            return Ok(None);
        }
        let o = Operands::new(instruction, scope);
        let modifiers: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
        match modifiers.as_slice() {
            ["fence", "sync", "aligned"] => o.count(0).map(|()| Some(Op::WgmmaFence)),
            ["commit_group", "sync", "aligned"] => o.count(0).map(|()| Some(Op::WgmmaCommit)),
            ["wait_group", "sync", "aligned"] => {
                o.count(1)?;
                let left = number(&o, 0)?;
                let left = u32::try_from(left).map_err(|_| o.wrong(0, "a number of groups"))?;
                Ok(Some(Op::WgmmaWait(left)))
            }
            ["mma_async", "sync", "aligned", shape, "s32", a @ ("s8" | "u8"), b @ ("s8" | "u8")] => {
                let elements = Elements::Integers(*a == "s8", *b == "s8");
                let n = columns(shape, "k32").filter(|n| *n <= 32 || n.is_multiple_of(16));
                self.mma_async(&o, n, elements)
            }
            ["mma_async", "sync", "aligned", shape, "f32", "f16", "f16"] => {
                self.mma_async(&o, columns(shape, "k16"), Elements::F16)
            }
            ["mma_async", "sync", "aligned", shape, "f32", "bf16", "bf16"] => {
                self.mma_async(&o, columns(shape, "k16"), Elements::Bf16)
            }
            _ => Ok(None),
        }
    }

    fn mma_async(&mut self, o: &Operands, n: Option<usize>, elements: Elements) -> Found {
        let Some(n) = n else { return Ok(None) };
        let d = self.destinations(o, 0)?;
        let rows = d.into_iter().map(|reg| match reg {
            Some(Reg::W(row)) => Ok(row),
            _ => Err(o.wrong(0, "registers of 32 bits")),
        });
        let d = rows.collect::<Result<Vec<Row>, _>>()?;
        if d.len() != n / 2 {
            return Err(o.wrong(0, "a list of one register for each two columns"));
        }
        let a = match o.get(1)? {
            Ast::Vector(_) => OperandA::Registers(self.four_words(o, 1)?),
            _ => OperandA::Shared(self.double(o, 1)?),
        };
        let (b, scale_d) = (self.double(o, 2)?, self.pred(o, 3)?);
        let mut wgmma = Wgmma { n, elements, d, a, b, scale_d, negated: false, transposed: [false; 2] };
        let in_registers = matches!(a, OperandA::Registers(_));
        match (elements, in_registers) {
            (Elements::Integers(..), _) => o.count(4)?,
            (_, true) => o.count(7)?,
            (_, false) => o.count(8)?,
        }
        if !matches!(elements, Elements::Integers(..)) {
            wgmma.negated = sign(o, 4)? != sign(o, 5)?;
            wgmma.transposed = if in_registers { [false, flag(o, 6)?] } else { [flag(o, 6)?, flag(o, 7)?] };
        }
        Ok(Some(Op::Wgmma(Box::new(wgmma))))
    }

    fn four_words(&mut self, o: &Operands, index: usize) -> Result<[Row; 4], CodeError> {
        let rows = self.values(o, index, Reg2::W)?.into_iter().map(|reg| match reg {
            Reg::W(row) => Ok(row),
            _ => Err(o.wrong(index, "four registers of 32 bits")),
        });
        let rows = rows.collect::<Result<Vec<Row>, _>>()?;
        rows.try_into().map_err(|_| o.wrong(index, "four registers of 32 bits"))
    }
}

/// The columns of `m64nNk…`.
fn columns(shape: &str, k: &str) -> Option<usize> {
    let n: usize = shape.strip_prefix("m64n")?.strip_suffix(k)?.parse().ok()?;
    ((8..=256).contains(&n) && n.is_multiple_of(8)).then_some(n)
}

fn number(o: &Operands, index: usize) -> Result<i64, CodeError> {
    match o.get(index)? {
        Ast::Const(Const::Int(n)) => i64::try_from(*n).map_err(|_| o.wrong(index, "a small number")),
        _ => Err(o.wrong(index, "a number")),
    }
}

/// 1 or -1: whether it is negative.
fn sign(o: &Operands, index: usize) -> Result<bool, CodeError> {
    match number(o, index)? {
        1 => Ok(false),
        -1 => Ok(true),
        _ => Err(o.wrong(index, "1 or -1")),
    }
}

/// 0 or 1.
fn flag(o: &Operands, index: usize) -> Result<bool, CodeError> {
    match number(o, index)? {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(o.wrong(index, "0 or 1")),
    }
}
