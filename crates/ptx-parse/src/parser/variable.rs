//! Declarations of variables and parameters, and initialisers.

use super::cursor::Cursor;
use super::expression::{self, WARP_SIZE};
use crate::ast::{Init, Linkage, PtrInfo, ScalarType, Space, Variable};
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::Token;

/// `.managed` and `.unified`.
const MAX_ATTRIBUTES: usize = 2;

/// `.space .align N .v4 .b8 name[..] = …, name2;`
pub(super) fn declaration(c: &mut Cursor, linkage: Linkage) -> Result<Vec<Variable>, ParseError> {
    let Token::Dotted(word) = c.peek() else { return Err(c.expected("a state space")) };
    let Some(space) = Space::from_name(word).filter(|space| *space != Space::Reg) else {
        return Err(c.error(ParseErrorKind::UnknownDirective { name: word.to_owned() }));
    };
    c.bump();
    let head = head(c, space, linkage)?;
    let mut variables = Vec::new();
    loop {
        let mut variable = named(c, head.clone())?;
        if c.eat('=') {
            variable.init = Some(init(c)?);
        }
        variables.push(variable);
        if c.eat(';') {
            return Ok(variables);
        }
        if !c.eat(',') {
            return Err(c.expected("`,`, `;` or `=`"));
        }
    }
}

/// One parameter: `.param .u64 .ptr .global .align 4 name`, or `.reg .b32 name` of a function.
pub(super) fn parameter(c: &mut Cursor) -> Result<Variable, ParseError> {
    let space = match c.peek() {
        Token::Dotted("param") => Space::Param,
        Token::Dotted("reg") => Space::Reg,
        _ => return Err(c.expected("`.param`")),
    };
    c.bump();
    let head = head(c, space, Linkage::Internal)?;
    named(c, head)
}

/// Everything between the space and the name.
fn head(c: &mut Cursor, space: Space, linkage: Linkage) -> Result<Variable, ParseError> {
    let mut ty = None;
    let mut variable = Variable {
        linkage,
        space,
        align: None,
        lanes: 1,
        ty: ScalarType::B8,
        ptr: None,
        attributes: Vec::new(),
        name: String::new(),
        extents: Vec::new(),
        init: None,
        pos: c.pos(),
    };
    while let Token::Dotted(word) = c.peek() {
        match word {
            "align" => {
                c.bump();
                let pos = c.pos();
                let align = c.int("an alignment")?;
                if !align.is_power_of_two() {
                    return Err(ParseError::new(pos, ParseErrorKind::Alignment { align }));
                }
                match &mut variable.ptr {
                    Some(ptr) => ptr.align = Some(align),
                    None => variable.align = Some(align),
                }
            }
            "v2" | "v4" | "v8" => {
                c.bump();
                variable.lanes = word[1..].parse().unwrap_or(1);
            }
            "ptr" => {
                c.bump();
                variable.ptr = Some(PtrInfo::default());
            }
            "attribute" => {
                c.bump();
                attributes(c, &mut variable.attributes)?;
            }
            _ => {
                if let Some(found) = ScalarType::from_name(word) {
                    ty = Some(found);
                } else if let (Some(ptr), Some(space)) = (&mut variable.ptr, Space::from_name(word)) {
                    ptr.space = Some(space);
                } else {
                    return Err(c.error(ParseErrorKind::UnknownDirective { name: word.to_owned() }));
                }
                c.bump();
            }
        }
    }
    variable.ty = ty.ok_or_else(|| c.expected("a type"))?;
    Ok(variable)
}

/// `.attribute(.managed, .unified(1, 2))`
///
/// What PTX knows, each once: a declaration of many names copies them to each.
pub(super) fn attributes(c: &mut Cursor, into: &mut Vec<String>) -> Result<(), ParseError> {
    c.expect('(')?;
    let found = c.list(')', |c| {
        let Token::Dotted(word) = c.peek() else { return Err(c.expected("an attribute")) };
        if !matches!(word, "managed" | "unified") {
            return Err(c.error(ParseErrorKind::UnknownDirective { name: word.to_owned() }));
        }
        c.bump();
        if !c.eat('(') {
            return Ok(word.to_owned());
        }
        let first = c.int("a number")?;
        c.expect(',')?;
        let second = c.int("a number")?;
        c.expect(')')?;
        Ok(format!("{word}({first}, {second})"))
    })?;
    if into.len() + found.len() > MAX_ATTRIBUTES {
        return Err(c.expected("each attribute once"));
    }
    into.extend(found);
    Ok(())
}

fn named(c: &mut Cursor, mut variable: Variable) -> Result<Variable, ParseError> {
    variable.pos = c.pos();
    variable.name = c.word("a name")?.to_owned();
    while c.eat('[') {
        if c.eat(']') {
            variable.extents.push(None);
        } else {
            variable.extents.push(Some(expression::unsigned(c, "an array size")?));
            c.expect(']')?;
        }
    }
    if variable.size_bytes().is_none() && variable.extents.iter().all(Option::is_some) {
        let kind = ParseErrorKind::TooLarge { name: variable.name };
        return Err(ParseError::new(variable.pos, kind));
    }
    Ok(variable)
}

fn init(c: &mut Cursor) -> Result<Init, ParseError> {
    if c.eat('{') {
        return c.list('}', init).map(Init::List);
    }
    match (c.peek(), c.peek_second()) {
        (Token::Word(word), _) if word != WARP_SIZE => symbol(c, None),
        (Token::Int(mask), Token::Punct('(')) => {
            c.bump();
            c.bump();
            let symbol = symbol(c, Some(mask))?;
            c.expect(')')?;
            Ok(symbol)
        }
        _ => expression::constant(c).map(Init::Value),
    }
}

/// `name+4`, `generic(name)+4`
fn symbol(c: &mut Cursor, mask: Option<u64>) -> Result<Init, ParseError> {
    let mut name = c.word("a name")?;
    let generic = name == "generic" && c.eat('(');
    if generic {
        name = c.word("a name")?;
        c.expect(')')?;
    }
    let offset = c.offset()?;
    Ok(Init::Symbol { name: name.to_owned(), offset, generic, mask })
}
