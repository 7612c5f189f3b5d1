//! The modifiers of an instruction, taken one by one, so that none is passed over.

use super::soft::Round;
use ptx_parse::ast::{Instruction, ScalarType};

/// The modifiers not yet taken.
pub(crate) struct Words<'a>(Vec<&'a str>);

impl<'a> Words<'a> {
    pub(crate) fn of(instruction: &'a Instruction) -> Self {
        Self(instruction.modifiers.iter().map(String::as_str).collect())
    }

    /// Takes the type at the end.
    pub(crate) fn last_type(&mut self) -> Option<ScalarType> {
        ScalarType::from_name(self.0.pop()?)
    }

    /// Takes the modifier in front.
    pub(crate) fn first(&mut self) -> Option<&'a str> {
        (!self.0.is_empty()).then(|| self.0.remove(0))
    }

    /// Takes `word` where it stands; whether it was there.
    pub(crate) fn take(&mut self, word: &str) -> bool {
        let at = self.0.iter().position(|w| *w == word);
        at.map(|at| self.0.remove(at)).is_some()
    }

    /// Takes `rn`, `rz`, `rm` or `rp`.
    pub(crate) fn round(&mut self) -> Option<Round> {
        let modes = [("rn", Round::Nearest), ("rz", Round::Zero), ("rm", Round::Down), ("rp", Round::Up)];
        modes.into_iter().find(|(word, _)| self.take(word)).map(|(_, mode)| mode)
    }

    /// `Some` when all are taken.
    pub(crate) fn done(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}
