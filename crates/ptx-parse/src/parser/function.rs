//! Entries, functions and their launch bounds.

use super::cursor::Cursor;
use super::{body, variable};
use crate::ast::{Bounds, Function, Linkage, Variable};
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::Token;

/// What follows `.entry` or `.func`.
pub(super) fn function(c: &mut Cursor, is_entry: bool, linkage: Linkage) -> Result<Function, ParseError> {
    let mut attributes = Vec::new();
    while let Token::Dotted(word) = c.peek() {
        if word != "attribute" {
            return Err(c.error(ParseErrorKind::UnknownDirective { name: word.to_owned() }));
        }
        c.bump();
        variable::attributes(c, &mut attributes)?;
    }
    let returns = if !is_entry && c.eat('(') { c.list(')', variable::parameter)? } else { Vec::new() };
    let pos = c.pos();
    let name = c.word("a function name")?.to_owned();
    let params = parameters(c)?;
    let bounds = bounds(c)?;
    let body = if c.eat(';') {
        None
    } else if c.eat('{') {
        Some(c.nested(body::block)?)
    } else {
        return Err(c.expected("`{`, `;` or a directive"));
    };
    Ok(Function { is_entry, linkage, attributes, name, returns, params, bounds, body, pos })
}

/// `( .param …, … )`, or nothing at all.
pub(super) fn parameters(c: &mut Cursor) -> Result<Vec<Variable>, ParseError> {
    let params = if c.eat('(') { c.list(')', variable::parameter)? } else { Vec::new() };
    Ok(params)
}

/// Strings of a `.pragma`, after the word.
pub(super) fn pragma(c: &mut Cursor) -> Result<Vec<String>, ParseError> {
    let mut pragmas = vec![c.string()?];
    while c.eat(',') {
        pragmas.push(c.string()?);
    }
    Ok(pragmas)
}

fn bounds(c: &mut Cursor) -> Result<Bounds, ParseError> {
    let mut bounds = Bounds::default();
    while let Token::Dotted(word) = c.peek() {
        let unknown = c.error(ParseErrorKind::UnknownDirective { name: word.to_owned() });
        c.bump();
        match word {
            "reqntid" => bounds.reqntid = Some(extents(c)?),
            "maxntid" => bounds.maxntid = Some(extents(c)?),
            "reqnctapercluster" => bounds.reqnctapercluster = Some(extents(c)?),
            "minnctapersm" => bounds.minnctapersm = Some(c.int_u32("a number of blocks")?),
            "maxnreg" => bounds.maxnreg = Some(c.int_u32("a number of registers")?),
            "maxclusterrank" => bounds.maxclusterrank = Some(c.int_u32("a number of blocks")?),
            "explicitcluster" => bounds.explicitcluster = true,
            "blocksareclusters" => bounds.blocksareclusters = true,
            "abi_preserve" => bounds.abi_preserve = Some(c.int_u32("a number of registers")?),
            "abi_preserve_control" => {
                bounds.abi_preserve_control = Some(c.int_u32("a number of registers")?);
            }
            "noreturn" => bounds.noreturn = true,
            "pragma" => {
                bounds.pragmas.append(&mut pragma(c)?);
                c.expect(';')?;
            }
            _ => return Err(unknown),
        }
    }
    Ok(bounds)
}

/// `256`, `16, 16`, `8, 8, 4`; what is missing is 1.
fn extents(c: &mut Cursor) -> Result<[u32; 3], ParseError> {
    let mut extents = [1; 3];
    for (i, extent) in extents.iter_mut().enumerate() {
        if i > 0 && !c.eat(',') {
            break;
        }
        *extent = c.int_u32("a number of threads or blocks")?;
    }
    Ok(extents)
}
