//! Statements of a body.

use super::cursor::Cursor;
use super::{function, operand, variable};
use crate::ast::{Guard, Instruction, Linkage, Loc, RegDecl, ScalarType, Statement, TargetKind};
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::Token;
use crate::opcodes;

/// Statements up to and including `}`.
pub(super) fn block(c: &mut Cursor) -> Result<Vec<Statement>, ParseError> {
    let mut statements = Vec::new();
    loop {
        match c.peek() {
            Token::Punct('}') => {
                c.bump();
                return Ok(statements);
            }
            Token::Punct('{') => {
                c.bump();
                statements.push(Statement::Block(c.nested(block)?));
            }
            // rustc and hand-written assembly leave empty statements behind.
            Token::Punct(';') => {
                c.bump();
            }
            Token::Dotted(word) => directive(c, word, &mut statements)?,
            Token::Punct('@') => statements.push(Statement::Instruction(guarded(c)?)),
            Token::Word(_) if c.peek_second() == Token::Punct(':') => statements.push(labelled(c)?),
            Token::Word(_) => statements.push(Statement::Instruction(instruction(c, None)?)),
            _ => return Err(c.expected("a statement or `}`")),
        }
    }
}

fn directive(c: &mut Cursor, word: &str, statements: &mut Vec<Statement>) -> Result<(), ParseError> {
    match word {
        "reg" => {
            let registers = registers(c)?;
            statements.push(Statement::Reg(registers));
        }
        "loc" => {
            let loc = loc(c)?;
            statements.push(Statement::Loc(loc));
        }
        "pragma" => {
            c.bump();
            statements.extend(function::pragma(c)?.into_iter().map(Statement::Pragma));
            c.expect(';')?;
        }
        _ => {
            let variables = variable::declaration(c, Linkage::Internal)?;
            statements.extend(variables.into_iter().map(Statement::Variable));
        }
    }
    Ok(())
}

fn registers(c: &mut Cursor) -> Result<RegDecl, ParseError> {
    let pos = c.pos();
    c.bump();
    let mut lanes = 1;
    let mut ty = None;
    while let Token::Dotted(word) = c.peek() {
        match (word, ScalarType::from_name(word)) {
            ("v2", _) => lanes = 2,
            ("v4", _) => lanes = 4,
            (_, Some(found)) => ty = Some(found),
            _ => return Err(c.error(ParseErrorKind::UnknownDirective { name: word.to_owned() })),
        }
        c.bump();
    }
    let ty = ty.ok_or_else(|| c.expected("a type"))?;
    let names = c.list(';', |c| {
        let name = c.word("a register name")?.to_owned();
        let count = if c.eat('<') {
            let count = c.int("a number of registers")?;
            c.expect('>')?;
            Some(count)
        } else {
            None
        };
        Ok((name, count))
    })?;
    Ok(RegDecl { ty, lanes, names, pos })
}

/// `.loc file line column`, with `, function_name label, inlined_at file line column`.
fn loc(c: &mut Cursor) -> Result<Loc, ParseError> {
    let pos = c.pos();
    c.bump();
    let [file, line, column] = three_ints(c)?;
    let (mut inlined, mut name_offset) = (None, 0);
    if c.eat(',') {
        keyword(c, "function_name")?;
        let label = c.word("a label")?.to_owned();
        name_offset = c.offset()?;
        c.expect(',')?;
        keyword(c, "inlined_at")?;
        inlined = Some((label, three_ints(c)?));
    }
    c.eat(';');
    Ok(Loc { file, line, column, inlined, name_offset, pos })
}

fn keyword(c: &mut Cursor, word: &str) -> Result<(), ParseError> {
    if c.peek() != Token::Word(word) {
        return Err(c.expected(&format!("`{word}`")));
    }
    c.bump();
    Ok(())
}

fn three_ints(c: &mut Cursor) -> Result<[u64; 3], ParseError> {
    Ok([c.int("a file number")?, c.int("a line")?, c.int("a column")?])
}

/// `name:`, and what may carry a name: branch targets, call targets, prototypes.
fn labelled(c: &mut Cursor) -> Result<Statement, ParseError> {
    let pos = c.pos();
    let name = c.word("a label")?.to_owned();
    c.expect(':')?;
    match c.peek() {
        Token::Dotted(word @ ("branchtargets" | "calltargets")) => {
            let kind = if word == "calltargets" { TargetKind::Call } else { TargetKind::Branch };
            c.bump();
            let targets = c.list(';', |c| c.word("a label").map(str::to_owned))?;
            Ok(Statement::Targets { kind, name, targets, pos })
        }
        Token::Dotted("callprototype") => {
            c.bump();
            let returns = if c.eat('(') { c.list(')', variable::parameter)? } else { Vec::new() };
            c.word("`_`")?;
            let params = function::parameters(c)?;
            let noreturn = c.eat_dotted("noreturn");
            c.expect(';')?;
            Ok(Statement::Prototype { name, returns, params, noreturn, pos })
        }
        _ => Ok(Statement::Label { name, pos }),
    }
}

fn guarded(c: &mut Cursor) -> Result<Instruction, ParseError> {
    c.expect('@')?;
    let negated = c.eat('!');
    let register = c.word("a predicate register")?.to_owned();
    instruction(c, Some(Guard { register, negated }))
}

fn instruction(c: &mut Cursor, guard: Option<Guard>) -> Result<Instruction, ParseError> {
    let pos = c.pos();
    let opcode = c.word("an instruction")?;
    let mut name = opcode.to_owned();
    let mut modifiers = Vec::new();
    let mut unknown = None;
    while let Token::Dotted(modifier) = c.peek() {
        if unknown.is_none() && !opcodes::is_modifier(modifier) {
            unknown = Some((c.pos(), modifier.to_owned()));
        }
        c.bump();
        name.push('.');
        name.push_str(modifier);
        modifiers.push(modifier.to_owned());
    }
    if !opcodes::is_opcode(opcode) {
        return Err(ParseError::new(pos, ParseErrorKind::UnknownInstruction { name }));
    }
    if let Some((pos, modifier)) = unknown {
        return Err(ParseError::new(pos, ParseErrorKind::UnknownModifier { instruction: name, modifier }));
    }
    let operands = c.list(';', operand::operand)?;
    Ok(Instruction { guard, opcode: opcode.to_owned(), modifiers, operands, pos })
}
