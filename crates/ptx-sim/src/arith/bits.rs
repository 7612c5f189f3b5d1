//! Logic, shifts, bit fields and selection (PTX ISA 9.7.1, 9.7.6, 9.7.8).

mod field;
mod logic;
mod permute;
#[cfg(test)]
mod tests;

use ptx_parse::ast::Instruction;

use super::Arith;
use super::compare::Combine;
use super::int::{takes, words};

pub(crate) use logic::lop3;

/// The operator of `lop3.BoolOp.b32 d|p, a, b, c, table, q`: p is whether d is not zero, joined with q. `None` for other
/// instructions.
pub(crate) fn lop3_combine(instruction: &Instruction) -> Option<Combine> {
    match (instruction.opcode.as_str(), words(instruction).as_slice()) {
        ("lop3", ["and", "b32"]) => Some(Combine::And),
        ("lop3", ["or", "b32"]) => Some(Combine::Or),
        _ => None,
    }
}

/// What an instruction on bits computes.
pub(super) fn find(instruction: &Instruction) -> Option<Arith> {
    let words = words(instruction);
    let opcode = instruction.opcode.as_str();
    logic::find(opcode, &words)
        .or_else(|| field::find(opcode, &words))
        .or_else(|| permute::find(opcode, &words))
        .filter(|arith| takes(instruction, arith))
}
