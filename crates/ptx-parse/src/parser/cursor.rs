//! Reading tokens one after the other.

use super::expression;
use crate::ast::{Const, Pos};
use crate::error::{ParseError, ParseErrorKind};
use crate::lexer::{Spanned, Token};

/// Braces, brackets and lists may nest this deep.
const DEPTH_LIMIT: usize = 64;

pub(super) struct Cursor<'t, 'a> {
    tokens: &'t [Spanned<'a>],
    at: usize,
    depth: usize,
}

impl<'t, 'a> Cursor<'t, 'a> {
    /// `tokens` ends with [`Token::End`].
    pub fn new(tokens: &'t [Spanned<'a>]) -> Self {
        Self { tokens, at: 0, depth: 0 }
    }

    fn spanned(&self, ahead: usize) -> Spanned<'a> {
        let end = Spanned { token: Token::End, pos: Pos::default() };
        let last = self.tokens.last().copied().unwrap_or(end);
        self.tokens.get(self.at + ahead).copied().unwrap_or(last)
    }

    pub fn peek(&self) -> Token<'a> {
        self.spanned(0).token
    }

    pub fn peek_second(&self) -> Token<'a> {
        self.ahead(1)
    }

    /// The token after so many others.
    pub fn ahead(&self, tokens: usize) -> Token<'a> {
        self.spanned(tokens).token
    }

    pub fn pos(&self) -> Pos {
        self.spanned(0).pos
    }

    pub fn bump(&mut self) -> Token<'a> {
        let token = self.peek();
        self.at += 1;
        token
    }

    pub fn error(&self, kind: ParseErrorKind) -> ParseError {
        ParseError::new(self.pos(), kind)
    }

    pub fn expected(&self, what: &str) -> ParseError {
        self.error(ParseErrorKind::Expected { expected: what.to_owned(), found: self.peek().to_string() })
    }

    pub fn eat(&mut self, punct: char) -> bool {
        let found = self.peek() == Token::Punct(punct);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn eat_dotted(&mut self, word: &str) -> bool {
        let found = self.peek() == Token::Dotted(word);
        if found {
            self.at += 1;
        }
        found
    }

    pub fn expect(&mut self, punct: char) -> Result<(), ParseError> {
        if self.eat(punct) { Ok(()) } else { Err(self.expected(&format!("`{punct}`"))) }
    }

    pub fn word(&mut self, what: &str) -> Result<&'a str, ParseError> {
        match self.peek() {
            Token::Word(word) => {
                self.at += 1;
                Ok(word)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn int(&mut self, what: &str) -> Result<u64, ParseError> {
        match self.peek() {
            Token::Int(value) => {
                self.at += 1;
                Ok(value)
            }
            _ => Err(self.expected(what)),
        }
    }

    pub fn int_u32(&mut self, what: &str) -> Result<u32, ParseError> {
        let Token::Int(value) = self.peek() else { return Err(self.expected(what)) };
        let value = u32::try_from(value).map_err(|_| self.expected(&format!("{what} below 2^32")))?;
        self.at += 1;
        Ok(value)
    }

    pub fn string(&mut self) -> Result<String, ParseError> {
        match self.peek() {
            Token::Str(text) => {
                self.at += 1;
                Ok(text.to_owned())
            }
            _ => Err(self.expected("a string")),
        }
    }

    /// A number with an optional sign.
    pub fn constant(&mut self) -> Result<Const, ParseError> {
        let negative = self.eat('-');
        let value = match self.peek() {
            Token::Int(value) if negative => Const::Int(-i128::from(value)),
            Token::Int(value) => Const::Int(i128::from(value)),
            Token::F32(bits) => Const::F32(if negative { bits ^ (1 << 31) } else { bits }),
            Token::F64(bits) => Const::F64(if negative { bits ^ (1 << 63) } else { bits }),
            Token::Decimal(value) => Const::Decimal(if negative { -value } else { value }),
            _ => return Err(self.expected("a number")),
        };
        self.at += 1;
        Ok(value)
    }

    /// `+4`, `-4`, `+-4`, `+4*8-2`, or nothing: the bytes added to an address.
    pub fn offset(&mut self) -> Result<i64, ParseError> {
        match self.peek() {
            Token::Punct('+') => self.at += 1,
            Token::Punct('-') => {}
            _ => return Ok(0),
        }
        let pos = self.pos();
        match expression::constant(self)? {
            Const::Int(value) => i64::try_from(value).ok(),
            _ => None,
        }
        .ok_or_else(|| {
            let (expected, found) =
                ("an offset that fits in 64 bits".to_owned(), "another number".to_owned());
            ParseError::new(pos, ParseErrorKind::Expected { expected, found })
        })
    }

    /// Runs `inner` one level deeper.
    pub fn nested<T>(
        &mut self,
        inner: impl FnOnce(&mut Self) -> Result<T, ParseError>,
    ) -> Result<T, ParseError> {
        if self.depth >= DEPTH_LIMIT {
            return Err(self.error(ParseErrorKind::TooDeep { limit: DEPTH_LIMIT }));
        }
        self.depth += 1;
        let result = inner(self);
        self.depth -= 1;
        result
    }

    /// `item, item, …` up to and including `end`; may be empty.
    pub fn list<T>(
        &mut self,
        end: char,
        mut item: impl FnMut(&mut Self) -> Result<T, ParseError>,
    ) -> Result<Vec<T>, ParseError> {
        let mut items = Vec::new();
        if self.eat(end) {
            return Ok(items);
        }
        loop {
            items.push(self.nested(&mut item)?);
            if self.eat(end) {
                return Ok(items);
            }
            if !self.eat(',') {
                return Err(self.expected(&format!("`,` or `{end}`")));
            }
        }
    }
}
