//! Text of a file as a message shows it: on one line, and not all of it where it is long.

use std::borrow::Cow;
use std::fmt;

/// Characters of a text that are shown.
const MOST_CHARS: usize = 60;
/// Names of a list that are shown.
const MOST_NAMES: usize = 10;

/// `text` with line breaks and other control characters as escapes.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    if !text.contains(char::is_control) {
        return Cow::Borrowed(text);
    }
    let escape = |c: char| if c.is_control() { c.escape_debug().collect() } else { String::from(c) };
    Cow::Owned(text.chars().map(escape).collect())
}

/// A cell or a column's name, between backticks in a message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// The first characters.
    start: String,
    /// Characters of the whole.
    chars: usize,
}

impl From<&str> for Shown {
    fn from(text: &str) -> Self {
        let start: String = text.chars().take(MOST_CHARS).collect();
        let chars = if start.len() < text.len() { text.chars().count() } else { start.chars().count() };
        Self { start: one_line(&start).into_owned(), chars }
    }
}

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { start, chars } = self;
        match *chars {
            ..=MOST_CHARS => write!(f, "`{start}`"),
            _ => write!(f, "`{start}…` ({chars} characters)"),
        }
    }
}

/// The columns of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownColumns {
    /// The first names.
    names: Vec<Shown>,
    /// How many there are.
    count: usize,
}

impl From<&[String]> for ShownColumns {
    fn from(names: &[String]) -> Self {
        let first = names.iter().take(MOST_NAMES).map(|name| Shown::from(name.as_str()));
        Self { names: first.collect(), count: names.len() }
    }
}

impl fmt::Display for ShownColumns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, name) in self.names.iter().enumerate() {
            write!(f, "{}{name}", if index == 0 { "" } else { ", " })?;
        }
        match self.count - self.names.len() {
            0 => Ok(()),
            more => write!(f, " and {more} more"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> String {
        Shown::from(text).to_string()
    }

    #[test]
    fn short_text_is_shown_as_it_is() {
        assert_eq!(shown(""), "``");
        assert_eq!(shown("größer"), "`größer`");
        assert_eq!(shown(&"ä".repeat(60)), format!("`{}`", "ä".repeat(60)));
    }

    #[test]
    fn long_text_is_cut_with_its_length() {
        assert_eq!(shown(&"ä".repeat(61)), format!("`{}…` (61 characters)", "ä".repeat(60)));
        assert!(shown(&"1".repeat(2_000_000)).ends_with("…` (2000000 characters)"));
    }

    #[test]
    fn what_would_break_the_line_is_escaped() {
        assert_eq!(shown("a\r\n\u{1b}[0m"), "`a\\r\\n\\u{1b}[0m`");
        assert_eq!(one_line("a \\ 'b' \"c\""), "a \\ 'b' \"c\"");
        assert_eq!(one_line("a\n'b'"), "a\\n'b'");
    }

    #[test]
    fn of_many_columns_the_first_are_named_and_the_others_counted() {
        let names = |count: usize| (0..count).map(|i| format!("c{i}")).collect::<Vec<_>>();
        assert_eq!(ShownColumns::from(&names(2)[..]).to_string(), "`c0`, `c1`");
        let ten = ShownColumns::from(&names(10)[..]).to_string();
        assert!(ten.ends_with(", `c9`"), "{ten}");
        let many = ShownColumns::from(&names(20_000)[..]).to_string();
        assert_eq!(many, format!("{ten} and 19990 more"));
    }
}
