//! Constant expressions, PTX ISA 4.5: evaluated where they stand.

use super::cursor::Cursor;
use crate::ast::Const;
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::Token;

/// The only name that stands for a number: the lanes of a warp, 32.
pub(super) const WARP_SIZE: &str = "WARP_SZ";

/// The lexer takes a lone `%` for a name.
const REMAINDER: &str = "%";

/// A value of an expression. PTX knows `.s64` and `.u64`; an operator between both works on `.u64`.
#[derive(Clone, Copy)]
enum Value {
    Signed(i64),
    Unsigned(u64),
    Float(f64),
    /// `0f…`: PTX has no operator for it but the sign.
    Single(u32),
}

/// Tokens of an expression in parentheses, at most, where an operand begins with one.
const PARENTHESIS_TOKENS: usize = 64;

/// A number or an expression of numbers. What has no operator is kept as written (`-18446744073709551615` too).
pub(super) fn constant(c: &mut Cursor) -> Result<Const, ParseError> {
    if is_plain(c) {
        return c.constant();
    }
    Ok(match c.nested(|c| ternary(c))? {
        Value::Signed(value) => Const::Int(i128::from(value)),
        Value::Unsigned(value) => Const::Int(i128::from(value)),
        Value::Float(value) => Const::F64(value.to_bits()),
        Value::Single(bits) => Const::F32(bits),
    })
}

/// An expression that is a whole number from 0.
pub(super) fn unsigned(c: &mut Cursor, what: &str) -> Result<u64, ParseError> {
    let (pos, found) = (c.pos(), c.peek());
    let value = match constant(c)? {
        Const::Int(value) => u64::try_from(value).ok(),
        _ => None,
    };
    value.ok_or_else(|| {
        ParseError::new(pos, ParseErrorKind::Expected { expected: what.to_owned(), found: found.to_string() })
    })
}

/// Whether a number with an optional minus stands here and nothing that goes on.
fn is_plain(c: &Cursor) -> bool {
    let sign = usize::from(c.peek() == Token::Punct('-'));
    let number = matches!(c.ahead(sign), Token::Int(_) | Token::F32(_) | Token::F64(_) | Token::Decimal(_));
    number && !is_operator(c.ahead(sign + 1))
}

/// Whether an expression goes on with this token.
fn is_operator(token: Token) -> bool {
    match token {
        Token::Punct(p) => "+-*/<>=!&|^?".contains(p),
        Token::Word(word) => word == REMAINDER,
        _ => false,
    }
}

/// Whether the parenthesis that opens here is the first part of an expression, and not a list of arguments: an operator follows
/// the one that closes it.
pub(super) fn goes_on_after_parenthesis(c: &Cursor) -> bool {
    let mut depth = 0_usize;
    for ahead in 0..PARENTHESIS_TOKENS {
        match c.ahead(ahead) {
            Token::Punct('(') => depth += 1,
            Token::Punct(')') if depth == 1 => return is_operator(c.ahead(ahead + 1)),
            Token::Punct(')') => depth -= 1,
            Token::Punct(';' | ',' | '{' | '[') | Token::End => return false,
            _ => {}
        }
    }
    false
}

fn ternary(c: &mut Cursor) -> Result<Value, ParseError> {
    let condition = binary(c, 0)?;
    if !c.eat('?') {
        return Ok(condition);
    }
    let yes = c.nested(ternary)?;
    c.expect(':')?;
    let no = c.nested(ternary)?;
    let condition = integer(c, condition, "?")?;
    Ok(if condition.bits() == 0 { no } else { yes })
}

/// Operators by precedence, lowest first; two characters before one.
const OPERATORS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<=", ">=", "<", ">"],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

fn binary(c: &mut Cursor, level: usize) -> Result<Value, ParseError> {
    let Some(operators) = OPERATORS.get(level) else { return unary(c) };
    let mut left = binary(c, level + 1)?;
    while let Some(operator) = operators.iter().find(|operator| stands_here(c, operator)) {
        for _ in 0..operator.len() {
            c.bump();
        }
        let right = binary(c, level + 1)?;
        left = apply(c, operator, left, right)?;
    }
    Ok(left)
}

/// Whether this operator comes next, and not a longer one that begins like it.
fn stands_here(c: &Cursor, operator: &str) -> bool {
    let next = |ahead: usize| match c.ahead(ahead) {
        Token::Punct(p) => Some(p),
        Token::Word(REMAINDER) => Some('%'),
        _ => None,
    };
    let mut chars = operator.chars();
    let (first, second) = (chars.next(), chars.next());
    if next(0) != first {
        return false;
    }
    match second {
        Some(_) => next(1) == second,
        None => match first {
            Some('<') => !matches!(next(1), Some('<' | '=')),
            Some('>') => !matches!(next(1), Some('>' | '=')),
            Some(p @ ('|' | '&')) => next(1) != Some(p),
            _ => true,
        },
    }
}

fn unary(c: &mut Cursor) -> Result<Value, ParseError> {
    let operator = match c.peek() {
        Token::Punct('-') => "-",
        Token::Punct('+') => "+",
        Token::Punct('~') => "~",
        Token::Punct('!') => "!",
        Token::Punct('(') => {
            c.bump();
            return parenthesis(c);
        }
        Token::Word(WARP_SIZE) => {
            c.bump();
            return Ok(Value::Signed(32));
        }
        _ => return number(c),
    };
    c.bump();
    let value = c.nested(unary)?;
    Ok(match (operator, value) {
        ("+", value) => value,
        ("-", Value::Float(value)) => Value::Float(-value),
        ("-", Value::Single(bits)) => Value::Single(bits ^ (1 << 31)),
        ("-", Value::Unsigned(value)) => Value::Unsigned(value.wrapping_neg()),
        ("-", Value::Signed(value)) => Value::Signed(value.wrapping_neg()),
        ("~", Value::Unsigned(value)) => Value::Unsigned(!value),
        ("~", Value::Signed(value)) => Value::Signed(!value),
        (operator, value) => {
            let value = integer(c, value, operator)?;
            Value::Signed(i64::from(value.bits() == 0))
        }
    })
}

/// After `(`: an expression, or a cast `(.s64)`, `(.u64)`.
fn parenthesis(c: &mut Cursor) -> Result<Value, ParseError> {
    let cast = match c.peek() {
        Token::Dotted(cast @ ("s64" | "u64")) => cast,
        _ => {
            let value = c.nested(ternary)?;
            c.expect(')')?;
            return Ok(value);
        }
    };
    c.bump();
    c.expect(')')?;
    let value = c.nested(unary)?;
    let bits = integer(c, value, "(.s64)")?.bits();
    Ok(if cast == "u64" { Value::Unsigned(bits) } else { Value::Signed(bits.cast_signed()) })
}

fn number(c: &mut Cursor) -> Result<Value, ParseError> {
    Ok(match c.constant()? {
        // A literal is `.s64` where it fits.
        Const::Int(value) => match i64::try_from(value) {
            Ok(value) => Value::Signed(value),
            Err(_) => Value::Unsigned(u64::try_from(value).unwrap_or(u64::MAX)),
        },
        Const::F32(bits) => Value::Single(bits),
        Const::F64(bits) => Value::Float(f64::from_bits(bits)),
        Const::Decimal(value) => Value::Float(value),
    })
}

impl Value {
    fn bits(self) -> u64 {
        match self {
            Self::Signed(value) => value.cast_unsigned(),
            Self::Unsigned(value) => value,
            Self::Float(_) | Self::Single(_) => 0,
        }
    }
}

fn integer(c: &Cursor, value: Value, operator: &'static str) -> Result<Value, ParseError> {
    match value {
        Value::Signed(_) | Value::Unsigned(_) => Ok(value),
        _ => Err(c.error(ParseErrorKind::Expression { operator })),
    }
}

fn apply(c: &Cursor, operator: &'static str, left: Value, right: Value) -> Result<Value, ParseError> {
    let error = || c.error(ParseErrorKind::Expression { operator });
    match (left, right) {
        (Value::Float(a), Value::Float(b)) => floats(operator, a, b).ok_or_else(error),
        (Value::Signed(a), Value::Signed(b)) => signed(operator, a, b).ok_or_else(error),
        (Value::Signed(_) | Value::Unsigned(_), Value::Signed(_) | Value::Unsigned(_)) => {
            // A shift takes the type of its first operand.
            match (operator, left) {
                ("<<" | ">>", Value::Signed(a)) => signed(operator, a, right.bits().cast_signed()),
                _ => unsigned_pair(operator, left.bits(), right.bits()),
            }
            .ok_or_else(error)
        }
        _ => Err(error()),
    }
}

fn truth(value: bool) -> Value {
    Value::Signed(i64::from(value))
}

fn compare<T: PartialOrd>(operator: &str, a: T, b: T) -> Option<Value> {
    Some(truth(match operator {
        "==" => a == b,
        "!=" => a != b,
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        ">=" => a >= b,
        _ => return None,
    }))
}

fn floats(operator: &str, a: f64, b: f64) -> Option<Value> {
    let value = match operator {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" => a / b,
        _ => return compare(operator, a, b),
    };
    Some(Value::Float(value))
}

/// A shift by 64 or more leaves nothing, or the sign.
fn shift(b: u64) -> u32 {
    u32::try_from(b).unwrap_or(u32::MAX)
}

fn signed(operator: &str, a: i64, b: i64) -> Option<Value> {
    let value = match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => (b != 0).then(|| a.wrapping_div(b))?,
        "%" => (b != 0).then(|| a.wrapping_rem(b))?,
        "<<" => a.checked_shl(shift(b.cast_unsigned())).unwrap_or(0),
        ">>" => a >> shift(b.cast_unsigned()).min(63),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "&&" => i64::from(a != 0 && b != 0),
        "||" => i64::from(a != 0 || b != 0),
        _ => return compare(operator, a, b),
    };
    Some(Value::Signed(value))
}

fn unsigned_pair(operator: &str, a: u64, b: u64) -> Option<Value> {
    let value = match operator {
        "+" => a.wrapping_add(b),
        "-" => a.wrapping_sub(b),
        "*" => a.wrapping_mul(b),
        "/" => a.checked_div(b)?,
        "%" => a.checked_rem(b)?,
        "<<" => a.checked_shl(shift(b)).unwrap_or(0),
        ">>" => a.checked_shr(shift(b)).unwrap_or(0),
        "&" => a & b,
        "|" => a | b,
        "^" => a ^ b,
        "&&" => return Some(truth(a != 0 && b != 0)),
        "||" => return Some(truth(a != 0 || b != 0)),
        _ => return compare(operator, a, b),
    };
    Some(Value::Unsigned(value))
}
