//! Names and labels, looked up from a scope outwards.

use super::builder::Builder;
use super::names::{Meaning, Reg2};
use crate::error::CodeError;

impl Builder<'_> {
    /// What a name means in a scope.
    pub(super) fn meaning(&mut self, name: &str, scope: usize) -> Option<Meaning> {
        let mut at = Some(scope);
        while let Some(index) = at {
            if let Some(meaning) = self.scopes[index].names.get(name) {
                return Some(*meaning);
            }
            if let Some(reg) = self.counted(name, index) {
                return Some(Meaning::Reg(reg));
            }
            at = self.scopes[index].parent;
        }
        if let Some(addr) = self.globals.get(name) {
            return Some(Meaning::Global(*addr));
        }
        self.shared_names.get(name).map(|at| Meaning::Shared(*at))
    }

    /// The register `name` of a declaration with a count in this scope, given a row when it is first named.
    fn counted(&mut self, name: &str, scope: usize) -> Option<super::ir::Reg> {
        let digits = name.bytes().rev().take_while(u8::is_ascii_digit).count();
        for cut in name.len() - digits..name.len() {
            let (stem, number) = name.split_at(cut);
            if number.len() > 1 && number.starts_with('0') {
                continue;
            }
            if let Some((count, ty, _)) = self.scopes[scope].ranges.get(stem)
                && number.parse::<u64>().is_ok_and(|n| n < *count)
            {
                let reg = self.rows.take(Reg2::of(*ty), 1);
                self.scopes[scope].names.insert(name.to_owned(), Meaning::Reg(reg));
                return Some(reg);
            }
        }
        None
    }

    /// The instruction behind a label.
    pub(super) fn label(&self, name: &str, scope: usize) -> Result<u32, CodeError> {
        let mut at = Some(scope);
        while let Some(index) = at {
            if let Some(target) = self.scopes[index].labels.get(name) {
                return Ok(*target);
            }
            at = self.scopes[index].parent;
        }
        Err(CodeError::NoLabel(name.to_owned()))
    }

    /// The labels that a `.branchtargets` lists.
    pub(super) fn targets(&self, name: &str, scope: usize) -> Result<Vec<String>, CodeError> {
        let mut at = Some(scope);
        while let Some(index) = at {
            if let Some(targets) = self.scopes[index].targets.get(name) {
                return Ok(targets.clone());
            }
            at = self.scopes[index].parent;
        }
        Err(CodeError::NoLabel(name.to_owned()))
    }
}
