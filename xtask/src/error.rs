//! What a command can fail with.

use std::path::PathBuf;
use std::process::ExitStatus;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum Error {
    /// The command has printed everything there is to say.
    #[error("see above")]
    Reported,
    #[error("cannot {what} {}: {source}", path.display())]
    Io { what: &'static str, path: PathBuf, source: std::io::Error },
    #[error("cannot start `{program}`: {source}; is it installed and on PATH?")]
    Start { program: String, source: std::io::Error },
    #[error("{status}: `{command}`")]
    Failed { command: String, status: ExitStatus },
    #[error("`{command}` wrote what cannot be read: {source}")]
    Output { command: String, source: serde_json::Error },
    #[error(transparent)]
    Build(Box<ptx_builder::BuildError>),
    #[error(transparent)]
    Manifest(#[from] ptx_builder::manifest::ManifestError),
    #[error("{}: {source}", path.display())]
    Toml { path: PathBuf, source: Box<toml::de::Error> },
    #[error("{count} broken rules, listed above")]
    Tidy { count: usize },
    #[error("the check `{check}` did not find the violation planted for it: mend the check")]
    BlindCheck { check: &'static str },
    #[error(
        "{count} kernels are over their budget, listed above; mend them, or run `cargo xtask bless` and review the difference"
    )]
    Budget { count: usize },
    #[error("no test matches `{filter}`")]
    NoTests { filter: String },
    #[error("{}: no `<!-- generated: {name} -->` with a `<!-- end -->` after it", path.display())]
    NoMarker { path: PathBuf, name: String },
    #[error("the bundle has {bytes} bytes; the limit is {limit}. Largest files: {largest}")]
    BundleTooLarge { bytes: u64, limit: u64, largest: String },
    #[error("cargo built no {what}")]
    NotBuilt { what: String },
}

impl From<ptx_builder::BuildError> for Error {
    fn from(error: ptx_builder::BuildError) -> Self {
        Self::Build(Box::new(error))
    }
}

impl Error {
    /// For `map_err` on a file operation.
    pub fn io(what: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(std::io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { what, path, source }
    }
}
