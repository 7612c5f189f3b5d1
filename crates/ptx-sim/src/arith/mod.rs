//! What the arithmetic instructions compute: bits in, bits out, one lane at a time.

pub(crate) mod approx;
pub(crate) mod bits;
pub(crate) mod compare;
mod convert;
mod double;
mod exact;
mod half;
mod int;
pub(crate) mod matrix;
mod packed;
pub(crate) mod single;
pub(crate) mod soft;
mod words;

use ptx_parse::ast::Instruction;

/// The width of a register operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    /// A predicate: 0 or 1.
    Pred,
    /// 8 or 16 bits.
    B16,
    /// 32 bits.
    B32,
    /// 64 bits.
    B64,
}

/// A function of 1 to 4 operands. Operands are the raw bits of the register or immediate, zero-extended; a function looks
/// only at the low bits of its type. The result is extended to 64 bits as the type of the destination says (sign for `s*`,
/// zeros otherwise); the caller cuts it to the width of the destination register.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Fun {
    /// One operand.
    F1(fn(u64) -> u64),
    /// Two.
    F2(fn(u64, u64) -> u64),
    /// Three.
    F3(fn(u64, u64, u64) -> u64),
    /// Four.
    F4(fn(u64, u64, u64, u64) -> u64),
}

/// An arithmetic instruction: what it computes, and the class of the value it writes and of those it reads.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arith {
    /// What it computes.
    pub f: Fun,
    /// The class of the result as the instruction's type says (the register may be wider).
    pub dst: Class,
    /// The class of each operand.
    pub src: &'static [Class],
    /// Whether the second operand is an integer divisor: zero is a finding.
    pub divides: bool,
}

/// What an instruction computes; `None` when it is no arithmetic instruction known here, or has a modifier that is not known
/// in this place.
pub(crate) fn find(instruction: &Instruction) -> Option<Arith> {
    int::find(instruction)
        .or_else(|| bits::find(instruction))
        .or_else(|| convert::find(instruction))
        .or_else(|| single::find(instruction))
        .or_else(|| double::find(instruction))
        .or_else(|| half::find(instruction))
        .or_else(|| approx::find(instruction))
        .or_else(|| compare::find(instruction))
}

#[cfg(test)]
mod oracle;
