//! PTX tokens to a [`Module`].

mod body;
mod cursor;
mod expression;
mod function;
mod item;
mod operand;
mod variable;

use crate::ast::{Module, Pos};
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::tokenize;
use cursor::Cursor;

/// Reads a whole PTX text.
///
/// # Errors
/// The first thing in the text that is not PTX as this crate knows it, with line and column.
pub fn parse(text: &str) -> Result<Module, ParseError> {
    let tokens = tokenize(text)?;
    let mut cursor = Cursor::new(&tokens);
    item::module(&mut cursor)
}

/// Reads a whole PTX text from bytes, as a file holds it; a NUL at the end is allowed.
///
/// # Errors
/// As [`parse`]; bytes that are not UTF-8.
pub fn parse_bytes(bytes: &[u8]) -> Result<Module, ParseError> {
    let bytes = bytes.strip_suffix(b"\0").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) => parse(text),
        Err(error) => {
            let good = &bytes[..error.valid_up_to()];
            let line = good.iter().filter(|b| **b == b'\n').count() + 1;
            let start = good.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
            let column = String::from_utf8_lossy(&good[start..]).chars().count() + 1;
            let clip = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
            let pos = Pos { line: clip(line), column: clip(column) };
            Err(ParseError::new(pos, ParseErrorKind::NotUtf8))
        }
    }
}

#[cfg(test)]
mod tests;
