//! Why a bench cannot be run or recorded.

use std::path::PathBuf;

/// Why a bench cannot be run or recorded.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum BenchError {
    /// The back end's error.
    #[error(transparent)]
    Host(#[from] host::error::Error),
    /// An op gave a wrong result, so it was not timed.
    #[error("{op}_{dtype} {shape} by {codegen} is wrong and was not timed: {found}")]
    Wrong { op: &'static str, dtype: host::ops::DType, shape: String, codegen: String, found: String },
    /// No PTX for the device.
    #[error("no PTX of {codegens} for the device; run `cargo xtask build-ptx`")]
    NoPtx { codegens: String },
    /// No op has a name that contains the filter.
    #[error("no op has `{filter}` in its name; there are {has}")]
    NoSuchOp { filter: String, has: String },
    /// A file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: std::io::Error },
    /// A line of a round's file is not what it must be.
    #[error("{}, line {line}: {source}", path.display())]
    Malformed { path: PathBuf, line: usize, source: serde_json::Error },
    /// There is nothing to summarise.
    #[error("{} holds no ours-*.json with measurements", path.display())]
    NoRounds { path: PathBuf },
}

impl BenchError {
    /// Turns an error of the system into one that names the file.
    pub fn io(path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { path, source }
    }
}
