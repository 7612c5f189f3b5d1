//! One scope: what its names stand for.

use std::collections::HashMap;

use crate::ast::Pos;

/// What a name stands for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Register,
    Label,
    Variable,
    Function,
    Targets,
    Prototype,
}

/// The names of a `{ … }`, a function or a module. `%r<40>` is kept as a range: a count costs nothing.
#[derive(Default)]
pub(super) struct Scope<'a> {
    names: HashMap<&'a str, (Kind, Pos)>,
    /// By prefix: how many registers, and where they are declared.
    ranges: HashMap<&'a str, (u64, Pos)>,
    /// By prefix: the lowest number behind it among the names above, to see a range that reaches over one.
    lowest: HashMap<String, (u64, Pos)>,
}

impl<'a> Scope<'a> {
    pub fn get(&self, name: &str) -> Option<(Kind, Pos)> {
        let plain = self.names.get(name).copied();
        plain.or_else(|| self.in_range(name).map(|pos| (Kind::Register, pos)))
    }

    fn in_range(&self, name: &str) -> Option<Pos> {
        if self.ranges.is_empty() {
            return None;
        }
        splits(name).find_map(|(prefix, number)| {
            self.ranges.get(prefix).filter(|(count, _)| number < *count).map(|(_, pos)| *pos)
        })
    }

    /// # Errors
    /// Where the name is declared already in this scope.
    pub fn add(&mut self, name: &'a str, kind: Kind, pos: Pos) -> Result<(), Pos> {
        if let Some((_, first)) = self.get(name) {
            return Err(first);
        }
        self.names.insert(name, (kind, pos));
        self.note_lowest(name, pos);
        Ok(())
    }

    /// `prefix<count>`.
    ///
    /// # Errors
    /// Where one of the names is declared already in this scope.
    pub fn add_range(&mut self, prefix: &'a str, count: u64, pos: Pos) -> Result<(), Pos> {
        let first = format!("{prefix}0");
        let taken = self.ranges.get(prefix).map(|(_, pos)| *pos);
        let below = self.lowest.get(prefix).filter(|(number, _)| *number < count).map(|(_, pos)| *pos);
        if let Some(pos) = taken.or(below).or_else(|| self.get(&first).map(|(_, pos)| pos)) {
            return Err(pos);
        }
        if count > 0 {
            self.ranges.insert(prefix, (count, pos));
            // `%r1<5>` holds `%r10`: the lowest of its names that `%r<20>` could reach over.
            self.note_lowest(&first, pos);
        }
        Ok(())
    }

    fn note_lowest(&mut self, name: &str, pos: Pos) {
        for (prefix, number) in splits(name) {
            match self.lowest.get_mut(prefix) {
                Some(lowest) if lowest.0 <= number => {}
                Some(lowest) => *lowest = (number, pos),
                None => {
                    self.lowest.insert(prefix.to_owned(), (number, pos));
                }
            }
        }
    }
}

/// The ways to read a name as a prefix and a number without leading zeros: `%r12` is `%r1` and 2, `%r` and 12.
fn splits(name: &str) -> impl Iterator<Item = (&str, u64)> {
    const MAX_DIGITS: usize = 20;
    let digits = name.bytes().rev().take(MAX_DIGITS).take_while(u8::is_ascii_digit).count();
    (1..=digits).filter_map(move |count| {
        let (prefix, number) = name.split_at(name.len() - count);
        let canonical = count == 1 || !number.starts_with('0');
        (canonical && !prefix.is_empty())
            .then(|| number.parse().ok().map(|number| (prefix, number)))
            .flatten()
    })
}
