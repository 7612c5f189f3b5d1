//! Operands of instructions.

use super::cursor::Cursor;
use super::expression::{self, WARP_SIZE};
use crate::ast::Operand;
use crate::error::ParseError;
use crate::lexer::Token;

pub(super) fn operand(c: &mut Cursor) -> Result<Operand, ParseError> {
    let first = single(c)?;
    if c.eat('|') {
        let second = c.nested(single)?;
        return Ok(Operand::Pair(Box::new(first), Box::new(second)));
    }
    Ok(first)
}

fn single(c: &mut Cursor) -> Result<Operand, ParseError> {
    match c.peek() {
        Token::Punct('[') => {
            c.bump();
            bracket(c)
        }
        Token::Punct('{') => {
            c.bump();
            c.list('}', operand).map(Operand::Vector)
        }
        Token::Punct('(') if expression::goes_on_after_parenthesis(c) => {
            expression::constant(c).map(Operand::Const)
        }
        Token::Punct('(') => {
            c.bump();
            c.list(')', operand).map(Operand::Group)
        }
        Token::Punct('!') => {
            c.bump();
            Ok(Operand::Not(Box::new(c.nested(single)?)))
        }
        Token::Punct('-') if matches!(c.peek_second(), Token::Word(word) if word != WARP_SIZE) => {
            c.bump();
            Ok(Operand::Neg(Box::new(name(c)?)))
        }
        Token::Word(word) if word != WARP_SIZE => name(c),
        Token::Word(_)
        | Token::Int(_)
        | Token::F32(_)
        | Token::F64(_)
        | Token::Decimal(_)
        | Token::Punct('-' | '~') => expression::constant(c).map(Operand::Const),
        _ => Err(c.expected("an operand")),
    }
}

fn name(c: &mut Cursor) -> Result<Operand, ParseError> {
    let name = c.word("a name")?.to_owned();
    if let Token::Dotted(component) = c.peek() {
        c.bump();
        return Ok(Operand::Component(name, component.to_owned()));
    }
    match c.peek() {
        Token::Punct('+' | '-') => Ok(Operand::Offset(name, c.offset()?)),
        _ => Ok(Operand::Name(name)),
    }
}

/// After `[`: an address, or the several parts of a texture or tensor operand.
fn bracket(c: &mut Cursor) -> Result<Operand, ParseError> {
    let first = match c.peek() {
        Token::Word(_) => match name(c)? {
            Operand::Offset(base, offset) => Operand::Address { base: Box::new(Operand::Name(base)), offset },
            other => Operand::Address { base: Box::new(other), offset: c.offset()? },
        },
        Token::Int(_) => {
            let base = c.constant()?;
            Operand::Address { base: Box::new(Operand::Const(base)), offset: c.offset()? }
        }
        _ => return Err(c.expected("an address")),
    };
    if c.eat(']') {
        return Ok(first);
    }
    let first = match first {
        Operand::Address { base, offset: 0 } => *base,
        other => other,
    };
    if !c.eat(',') {
        return Err(c.expected("`,` or `]`"));
    }
    if c.peek() == Token::Punct(']') {
        return Err(c.expected("an operand"));
    }
    let mut parts = vec![first];
    parts.extend(c.list(']', operand)?);
    Ok(Operand::Bracket(parts))
}
