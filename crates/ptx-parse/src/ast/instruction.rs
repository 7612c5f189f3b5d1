//! Instructions and their operands.

use super::{Const, Pos};

/// One instruction.
#[derive(Debug, Clone, PartialEq)]
pub struct Instruction {
    /// `@%p` or `@!%p` in front.
    pub guard: Option<Guard>,
    /// The first word: `ld`.
    pub opcode: String,
    /// The words after it, without dots: `global`, `v4`, `b32`.
    pub modifiers: Vec<String>,
    /// Operands, in order.
    pub operands: Vec<Operand>,
    /// Where the opcode is.
    pub pos: Pos,
}

impl Instruction {
    /// The whole name: `ld.global.v4.b32`.
    #[must_use]
    pub fn full_name(&self) -> String {
        let mut name = self.opcode.clone();
        for modifier in &self.modifiers {
            name.push('.');
            name.push_str(modifier);
        }
        name
    }

    /// Whether it has this modifier (no dot).
    #[must_use]
    pub fn has(&self, modifier: &str) -> bool {
        self.modifiers.iter().any(|m| m == modifier)
    }
}

/// The predicate in front of an instruction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Guard {
    /// The predicate register.
    pub register: String,
    /// Whether it is written with `!`.
    pub negated: bool,
}

/// An operand.
#[derive(Debug, Clone, PartialEq)]
pub enum Operand {
    /// A register, special register, label, variable or function; `_` too.
    Name(String),
    /// `%tid.x`, `%v.y`: a name and its component.
    Component(String, String),
    /// `name+4`: an address with an offset, outside brackets.
    Offset(String, i64),
    /// A number.
    Const(Const),
    /// `!%p`
    Not(Box<Operand>),
    /// `-%r`
    Neg(Box<Operand>),
    /// `%p|%q`
    Pair(Box<Operand>, Box<Operand>),
    /// `[base+offset]`; the base is a name or, absolute, a number.
    Address {
        /// Register, variable or number.
        base: Box<Operand>,
        /// Bytes added to it.
        offset: i64,
    },
    /// `[a, {b, c}]`: a texture or tensor coordinate.
    Bracket(Vec<Operand>),
    /// `{a, b}`
    Vector(Vec<Operand>),
    /// `(a, b)`: call arguments and results.
    Group(Vec<Operand>),
}

impl Operand {
    /// Calls `visit` with every name in it.
    pub fn names<'a>(&'a self, visit: &mut impl FnMut(&'a str)) {
        match self {
            Self::Name(name) | Self::Component(name, _) | Self::Offset(name, _) => visit(name),
            Self::Const(_) => {}
            Self::Not(inner) | Self::Neg(inner) | Self::Address { base: inner, .. } => inner.names(visit),
            Self::Pair(a, b) => {
                a.names(visit);
                b.names(visit);
            }
            Self::Bracket(list) | Self::Vector(list) | Self::Group(list) => {
                for operand in list {
                    operand.names(visit);
                }
            }
        }
    }
}
