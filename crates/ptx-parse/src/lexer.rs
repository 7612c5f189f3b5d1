//! PTX text to tokens.

use crate::ast::Pos;
use crate::error::{ParseError, ParseErrorKind};

/// One token. Text is borrowed from the source.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Token<'a> {
    /// An identifier, with `%` or `$` where it has one: `ld`, `%r1`, `$L__BB0_1`.
    Word(&'a str),
    /// A word after a dot, without the dot: `global`, `b32`, `shared::cluster`.
    Dotted(&'a str),
    /// A whole number; a sign is a token of its own.
    Int(u64),
    /// `0f3F800000`, as bits.
    F32(u32),
    /// `0d3FF0000000000000`, as bits.
    F64(u64),
    /// `1.5`.
    Decimal(f64),
    /// A string without its quotes; escapes are left as written.
    Str(&'a str),
    /// One character of `, ; : ( ) [ ] { } < > + - * / = ! | & ^ ~ ? @`.
    Punct(char),
    /// The end of the text.
    End,
}

impl std::fmt::Display for Token<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Word(text) => write!(f, "`{}`", clip(text)),
            Self::Dotted(text) => write!(f, "`.{}`", clip(text)),
            Self::Int(value) => write!(f, "`{value}`"),
            Self::F32(bits) => write!(f, "`0f{bits:08X}`"),
            Self::F64(bits) => write!(f, "`0d{bits:016X}`"),
            Self::Decimal(value) => write!(f, "`{value}`"),
            Self::Str(text) => write!(f, "\"{}\"", clip(text)),
            Self::Punct(c) => write!(f, "`{c}`"),
            Self::End => f.write_str("the end of the text"),
        }
    }
}

/// The start of a text, for messages.
fn clip(text: &str) -> impl std::fmt::Display + '_ {
    const CHARS: usize = 80;
    let end = text.char_indices().nth(CHARS).map_or(text.len(), |(at, _)| at);
    let more = if end < text.len() { "…" } else { "" };
    std::fmt::from_fn(move |f| write!(f, "{}{more}", &text[..end]))
}

/// A token and where it starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spanned<'a> {
    /// The token.
    pub token: Token<'a>,
    /// Where it starts.
    pub pos: Pos,
}

/// All tokens of `text`; the last is [`Token::End`].
///
/// # Errors
/// A character that starts no token, a number that PTX does not have, a string or comment without an end.
pub fn tokenize(text: &str) -> Result<Vec<Spanned<'_>>, ParseError> {
    let mut lexer = Lexer { text, at: 0, line: 1, counted_to: 0, column: 1 };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    loop {
        lexer.skip_blank()?;
        let pos = lexer.pos();
        let token = lexer.next()?;
        tokens.push(Spanned { token, pos });
        if token == Token::End {
            return Ok(tokens);
        }
    }
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    line: u32,
    /// `column` is that of this byte: counting on from here keeps long lines cheap.
    counted_to: usize,
    column: u32,
}

impl<'a> Lexer<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn pos(&mut self) -> Pos {
        let more = self.text[self.counted_to..self.at].chars().count();
        self.column = self.column.saturating_add(u32::try_from(more).unwrap_or(u32::MAX));
        self.counted_to = self.at;
        Pos { line: self.line, column: self.column }
    }

    fn error(&mut self, kind: ParseErrorKind) -> ParseError {
        ParseError::new(self.pos(), kind)
    }

    fn advance(&mut self, bytes: usize) {
        for (i, byte) in self.text.as_bytes()[self.at..self.at + bytes].iter().enumerate() {
            if *byte == b'\n' {
                self.line = self.line.saturating_add(1);
                self.counted_to = self.at + i + 1;
                self.column = 1;
            }
        }
        self.at += bytes;
    }

    fn skip_blank(&mut self) -> Result<(), ParseError> {
        loop {
            let rest = self.rest();
            if rest.starts_with("//") {
                self.advance(rest.find('\n').unwrap_or(rest.len()));
            } else if rest.starts_with("/*") {
                match rest.find("*/") {
                    Some(end) => self.advance(end + 2),
                    None => return Err(self.error(ParseErrorKind::Unterminated { what: "comment" })),
                }
            } else if self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
                self.advance(1);
            } else {
                return Ok(());
            }
        }
    }

    fn take_while(&mut self, keep: impl Fn(u8) -> bool) -> &'a str {
        let rest = self.rest();
        let len = rest.bytes().position(|b| !keep(b)).unwrap_or(rest.len());
        self.at += len;
        &rest[..len]
    }

    fn next(&mut self) -> Result<Token<'a>, ParseError> {
        let Some(byte) = self.peek() else { return Ok(Token::End) };
        match byte {
            b'0'..=b'9' => self.number(),
            b'"' => self.string(),
            b'.' => self.dotted(),
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'$' | b'%' => {
                self.at += 1;
                let len = self.take_while(is_word).len() + 1;
                Ok(Token::Word(&self.text[self.at - len..self.at]))
            }
            b',' | b';' | b':' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'<' | b'>' | b'+' | b'-'
            | b'*' | b'/' | b'=' | b'!' | b'|' | b'&' | b'^' | b'~' | b'?' | b'@' => {
                self.at += 1;
                Ok(Token::Punct(char::from(byte)))
            }
            _ => {
                let found = self.rest().chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
                Err(self.error(ParseErrorKind::Character { found }))
            }
        }
    }

    fn string(&mut self) -> Result<Token<'a>, ParseError> {
        let rest = &self.rest()[1..];
        match rest.find(['"', '\n']) {
            Some(len) if rest.as_bytes()[len] == b'"' => {
                self.at += len + 2;
                Ok(Token::Str(&rest[..len]))
            }
            _ => Err(self.error(ParseErrorKind::Unterminated { what: "string" })),
        }
    }

    fn dotted(&mut self) -> Result<Token<'a>, ParseError> {
        let start = self.at + 1;
        if !self.text.as_bytes().get(start).is_some_and(|b| is_word(*b)) {
            return Err(self.error(ParseErrorKind::Character { found: '.' }));
        }
        self.at = start;
        loop {
            self.take_while(is_word);
            let follows = self.rest().strip_prefix("::").and_then(|rest| rest.bytes().next());
            if follows.is_some_and(is_word) {
                self.at += 2;
            } else {
                return Ok(Token::Dotted(&self.text[start..self.at]));
            }
        }
    }

    fn number(&mut self) -> Result<Token<'a>, ParseError> {
        let start = self.at;
        let pos = self.pos();
        let word = self.take_while(|b| b.is_ascii_alphanumeric());
        if !self.decimal_goes_on(word) {
            return parse_number(word).ok_or_else(|| bad_number(pos, word));
        }
        if self.peek() == Some(b'.') {
            self.at += 1;
            self.take_while(|b| b.is_ascii_alphanumeric());
        }
        if self.text[start..self.at].ends_with(['e', 'E']) && matches!(self.peek(), Some(b'-' | b'+')) {
            self.at += 1;
            self.take_while(|b| b.is_ascii_digit());
        }
        let text = &self.text[start..self.at];
        match text.parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(Token::Decimal(value)),
            _ => Err(bad_number(pos, text)),
        }
    }

    /// Whether `word`, just read, is the start of a decimal: `1` of `1.5` or `1.`, `1e5`, `1e` of `1e-5`.
    fn decimal_goes_on(&self, word: &str) -> bool {
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let mut rest = self.rest().bytes();
        match digits.as_bytes() {
            [] => {
                rest.next() == Some(b'.') && !rest.next().is_some_and(|b| is_word(b) && !b.is_ascii_digit())
            }
            [b'e' | b'E'] => matches!(rest.next(), Some(b'-' | b'+')),
            [b'e' | b'E', exponent @ ..] => exponent.iter().all(u8::is_ascii_digit),
            _ => false,
        }
    }
}

fn bad_number(pos: Pos, text: &str) -> ParseError {
    ParseError::new(pos, ParseErrorKind::Number { text: clip(text).to_string() })
}

fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$'
}

fn parse_number<'a>(word: &str) -> Option<Token<'a>> {
    let hex = |digits: &str, len: usize| {
        (digits.len() == len && digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .then(|| u64::from_str_radix(digits, 16).ok())
            .flatten()
    };
    let prefix = word.get(..2).map(str::to_ascii_lowercase);
    let rest = word.get(2..).unwrap_or_default();
    match prefix.as_deref() {
        Some("0f") => return hex(rest, 8).and_then(|bits| u32::try_from(bits).ok()).map(Token::F32),
        Some("0d") => return hex(rest, 16).map(Token::F64),
        _ => {}
    }
    let digits = word.trim_end_matches(['U', 'u']);
    let value = match prefix.as_deref() {
        Some("0x") => u64::from_str_radix(digits.get(2..)?, 16),
        Some("0b") => u64::from_str_radix(digits.get(2..)?, 2),
        _ if digits.len() > 1 && digits.starts_with('0') => u64::from_str_radix(&digits[1..], 8),
        _ => digits.parse(),
    };
    value.ok().map(Token::Int)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<Token<'_>> {
        tokenize(text).expect("it lexes").into_iter().map(|s| s.token).collect()
    }

    #[test]
    fn numbers_in_every_spelling() {
        assert_eq!(
            tokens("7 0x1F 0b101 017 0 5U 0f3F800000 0d3FF0000000000000 1.5 2.5e-3 2. 1e5 1e-5"),
            [
                Token::Int(7),
                Token::Int(31),
                Token::Int(5),
                Token::Int(15),
                Token::Int(0),
                Token::Int(5),
                Token::F32(0x3f80_0000),
                Token::F64(0x3ff0_0000_0000_0000),
                Token::Decimal(1.5),
                Token::Decimal(2.5e-3),
                Token::Decimal(2.0),
                Token::Decimal(1e5),
                Token::Decimal(1e-5),
                Token::End
            ]
        );
    }

    #[test]
    fn dotted_words_keep_their_scopes() {
        assert_eq!(
            tokens("cp.async.bulk.shared::cluster %tid.x"),
            [
                Token::Word("cp"),
                Token::Dotted("async"),
                Token::Dotted("bulk"),
                Token::Dotted("shared::cluster"),
                Token::Word("%tid"),
                Token::Dotted("x"),
                Token::End
            ]
        );
    }

    #[test]
    fn an_error_tells_line_and_column() {
        let error = tokenize("ret;\n  /* é */ `").expect_err("a backtick is no token");
        assert_eq!(error.to_string(), "line 2, column 11: unexpected character '`'");
    }

    #[test]
    fn a_very_long_line_is_read_in_linear_time() {
        let text = "1,".repeat(500_000);
        let tokens = tokenize(&text).expect("it lexes");
        assert_eq!(tokens.last().map(|token| token.pos), Some(Pos { line: 1, column: 1_000_001 }));
    }

    #[test]
    fn a_number_that_does_not_fit_is_an_error() {
        for text in ["18446744073709551616", "0x1ffffffffffffffff", "0f12", "9z", "08", "1.0e400", "1.5z"] {
            assert!(tokenize(text).is_err(), "{text}");
        }
    }
}
