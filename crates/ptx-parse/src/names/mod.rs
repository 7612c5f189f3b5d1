//! Whether every name of a module is declared, scope by scope.

mod check;
mod scope;

use std::sync::Arc;

use crate::ast::{Module, Pos};

/// A name without a declaration, or with two.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {}, column {}: {kind}{}", pos.line, pos.column, within(function))]
pub struct NameError {
    /// Where: the instruction or directive that names it.
    pub pos: Pos,
    /// The function around it; `None` at module scope.
    pub function: Option<Arc<str>>,
    /// What.
    pub kind: NameErrorKind,
}

fn within(function: &Option<Arc<str>>) -> String {
    function.as_ref().map_or_else(String::new, |function| format!(" in `{function}`"))
}

/// What is wrong with a name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameErrorKind {
    /// A register that is not declared before its use: a name with `%`, a guard, a register with a component.
    #[error("no register `{name}` is declared")]
    UndefinedRegister {
        /// The name.
        name: String,
    },
    /// A branch to what is no label, `.branchtargets` or `.callprototype` in scope.
    #[error("there is no label `{name}` in scope")]
    UndefinedLabel {
        /// The name.
        name: String,
    },
    /// A call of, or a list with, what is no function.
    #[error("there is no function `{name}`")]
    UndefinedFunction {
        /// The name.
        name: String,
    },
    /// Another name that is not declared.
    #[error("`{name}` is not declared")]
    Undefined {
        /// The name.
        name: String,
    },
    /// A `.loc` with a file that no `.file` has.
    #[error("there is no `.file {index}`")]
    UndefinedFile {
        /// The number.
        index: u64,
    },
    /// A name with two declarations in one scope.
    #[error("`{name}` is declared twice, first in line {}", first.line)]
    Duplicate {
        /// The name.
        name: String,
        /// Its first declaration.
        first: Pos,
    },
}

impl Module {
    /// Every name without a declaration or with two, in the order of the text, at most one per place.
    ///
    /// A `{ … }` is a scope and hides names of the scopes around it. Labels hold in their whole scope, registers and
    /// variables from their declaration on, module-scope names in the whole module.
    #[must_use]
    pub fn name_errors(&self) -> Vec<NameError> {
        let mut errors = check::check(self);
        errors.sort_by_key(|error| error.pos);
        errors
    }

    /// Whether every name is declared, and once.
    ///
    /// # Errors
    /// The first of [`Module::name_errors`].
    pub fn check_names(&self) -> Result<(), NameError> {
        self.name_errors().into_iter().next().map_or(Ok(()), Err)
    }
}

#[cfg(test)]
mod tests;
