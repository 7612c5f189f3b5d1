//! Module scope: header, variables, functions, debug sections.

use super::cursor::Cursor;
use super::{function, variable};
use crate::ast::{Linkage, Module, ScalarType, Section, SectionItem, SectionValue};
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::Token;

pub(super) fn module(c: &mut Cursor) -> Result<Module, ParseError> {
    let mut module = Module { address_size: 64, ..Module::default() };
    if !c.eat_dotted("version") {
        return Err(c.error(ParseErrorKind::MissingHeader { directive: "version" }));
    }
    module.version = version(c)?;
    if !c.eat_dotted("target") {
        return Err(c.error(ParseErrorKind::MissingHeader { directive: "target" }));
    }
    module.target.push(c.word("an architecture")?.to_owned());
    while c.eat(',') {
        module.target.push(c.word("a target option")?.to_owned());
    }
    while c.peek() != Token::End {
        item(c, &mut module)?;
    }
    Ok(module)
}

fn version(c: &mut Cursor) -> Result<(u32, u32), ParseError> {
    let error = c.expected("a version like `7.8`");
    let Token::Decimal(value) = c.bump() else { return Err(error) };
    let text = format!("{value:?}");
    let (major, minor) = text.split_once('.').ok_or_else(|| error.clone())?;
    match (major.parse(), minor.parse()) {
        (Ok(major), Ok(minor)) => Ok((major, minor)),
        _ => Err(error),
    }
}

fn item(c: &mut Cursor, module: &mut Module) -> Result<(), ParseError> {
    let Token::Dotted(word) = c.peek() else { return Err(c.expected("a directive")) };
    match word {
        "address_size" => {
            c.bump();
            module.address_size = c.int_u32("32 or 64")?;
        }
        "file" => {
            c.bump();
            let index = c.int("a file number")?;
            let path = c.string()?;
            while c.eat(',') {
                c.int("a time or size")?;
            }
            c.eat(';');
            module.files.push((index, path));
        }
        "pragma" => {
            c.bump();
            module.pragmas.append(&mut function::pragma(c)?);
            c.expect(';')?;
        }
        "section" => {
            let section = section(c)?;
            module.sections.push(section);
        }
        "alias" => {
            c.bump();
            let name = c.word("a function name")?.to_owned();
            c.expect(',')?;
            module.aliases.push((name, c.word("a function name")?.to_owned()));
            c.expect(';')?;
        }
        _ => linked_item(c, module)?,
    }
    Ok(())
}

/// An item that may have a linkage in front: an entry, a function or a variable.
fn linked_item(c: &mut Cursor, module: &mut Module) -> Result<(), ParseError> {
    let linkage = match c.peek() {
        Token::Dotted("visible") => Linkage::Visible,
        Token::Dotted("extern") => Linkage::Extern,
        Token::Dotted("weak") => Linkage::Weak,
        Token::Dotted("common") => Linkage::Common,
        _ => Linkage::Internal,
    };
    if linkage != Linkage::Internal {
        c.bump();
    }
    match c.peek() {
        Token::Dotted("entry" | "func") => {
            let is_entry = c.bump() == Token::Dotted("entry");
            module.functions.push(function::function(c, is_entry, linkage)?);
        }
        _ => {
            module.variables.extend(variable::declaration(c, linkage)?);
        }
    }
    Ok(())
}

/// `.section .debug_x { label: .b8 1, 2 … }`
fn section(c: &mut Cursor) -> Result<Section, ParseError> {
    let pos = c.pos();
    c.bump();
    let name = symbol_name(c)?;
    let mut section = Section { name, items: Vec::new(), pos };
    c.expect('{')?;
    while !c.eat('}') {
        match c.peek() {
            Token::Word(label) => {
                c.bump();
                c.expect(':')?;
                section.items.push(SectionItem::Label(label.to_owned()));
            }
            Token::Dotted(word @ ("b8" | "b16" | "b32" | "b64")) => {
                let ty = ScalarType::from_name(word).ok_or_else(|| c.expected("a type"))?;
                c.bump();
                let mut values = vec![section_value(c)?];
                while c.eat(',') {
                    values.push(section_value(c)?);
                }
                c.eat(';');
                section.items.push(SectionItem::Data(ty, values));
            }
            _ => return Err(c.expected("a label, `.b8`, `.b16`, `.b32`, `.b64` or `}`")),
        }
    }
    Ok(section)
}

fn section_value(c: &mut Cursor) -> Result<SectionValue, ParseError> {
    if !matches!(c.peek(), Token::Word(_) | Token::Dotted(_)) {
        return c.constant().map(SectionValue::Const);
    }
    let name = symbol_name(c)?;
    if c.peek() == Token::Punct('-') && matches!(c.peek_second(), Token::Word(_) | Token::Dotted(_)) {
        c.bump();
        return Ok(SectionValue::Difference(name, symbol_name(c)?));
    }
    Ok(SectionValue::Symbol(name, c.offset()?))
}

/// A label, or the name of a section with its dot.
fn symbol_name(c: &mut Cursor) -> Result<String, ParseError> {
    let name = match c.peek() {
        Token::Dotted(name) => format!(".{name}"),
        Token::Word(name) => name.to_owned(),
        _ => return Err(c.expected("a label or a section name")),
    };
    c.bump();
    Ok(name)
}
