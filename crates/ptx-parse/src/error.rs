//! What can be wrong with a PTX text.

use crate::ast::Pos;

/// A place in a PTX text and what is wrong there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {kind}", pos.line, pos.column)]
pub struct ParseError {
    /// Where.
    pub pos: Pos,
    /// What.
    pub kind: ParseErrorKind,
}

impl ParseError {
    pub(crate) fn new(pos: Pos, kind: ParseErrorKind) -> Self {
        Self { pos, kind }
    }
}

/// What is wrong at that place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseErrorKind {
    /// A character that starts no PTX token.
    #[error("unexpected character {found:?}")]
    Character {
        /// The character.
        found: char,
    },
    /// The text is not UTF-8.
    #[error("the text is not UTF-8")]
    NotUtf8,
    /// A string or comment without an end.
    #[error("{what} without an end")]
    Unterminated {
        /// "string" or "comment".
        what: &'static str,
    },
    /// A number that PTX does not have or that does not fit in 64 bits.
    #[error("`{text}` is not a PTX number of at most 64 bits")]
    Number {
        /// The text.
        text: String,
    },
    /// Something else was needed here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What was needed.
        expected: String,
        /// What is there.
        found: String,
    },
    /// An instruction that this parser does not know.
    #[error("unknown instruction `{name}`")]
    UnknownInstruction {
        /// Its opcode.
        name: String,
    },
    /// A modifier that this parser does not know, with its instruction.
    #[error("unknown modifier `.{modifier}` of instruction `{instruction}`")]
    UnknownModifier {
        /// The whole instruction name.
        instruction: String,
        /// The modifier, without its dot.
        modifier: String,
    },
    /// A directive that this parser does not know.
    #[error("unknown directive `.{name}`")]
    UnknownDirective {
        /// Its name, without its dot.
        name: String,
    },
    /// Braces or brackets nested deeper than the limit.
    #[error("nested deeper than {limit} levels")]
    TooDeep {
        /// The limit.
        limit: usize,
    },
    /// An array whose size does not fit in 64 bits.
    #[error("`{name}` is larger than 2^64 bytes")]
    TooLarge {
        /// The variable.
        name: String,
    },
    /// An alignment that is no power of two.
    #[error("{align} is not an alignment: a power of two is needed")]
    Alignment {
        /// The number.
        align: u64,
    },
    /// A constant expression without a value: a division by zero, an integer operator between floats.
    #[error("`{operator}` has no value here")]
    Expression {
        /// The operator.
        operator: &'static str,
    },
    /// One of `.version`, `.target` is missing at the top.
    #[error("the module has no `.{directive}`")]
    MissingHeader {
        /// Which one.
        directive: &'static str,
    },
}
