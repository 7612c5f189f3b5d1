//! The source of `core`, which every kernel build compiles for the GPU.
//!
//! Looked for in this order: rustc's own sysroot (rustup's `rust-src`), `WARPSMITH_RUST_SRC`, Debian's
//! `rust-src` package of exactly the same version.

use std::path::{Path, PathBuf};

use crate::debian;
use crate::error::BuildError;
use crate::toolchain::Toolchain;

/// The variable that names a folder with the library sources.
pub const SOURCE_VAR: &str = "WARPSMITH_RUST_SRC";

/// Where the source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum CoreSource {
    /// In the sysroot, where cargo looks by itself.
    Sysroot(PathBuf),
    /// Named by [`SOURCE_VAR`].
    Variable(PathBuf),
    /// Unpacked from Debian's package.
    Debian(PathBuf),
}

impl CoreSource {
    /// Finds it; `tools` is a folder for what has to be fetched.
    ///
    /// # Errors
    /// It is nowhere: each place, why it failed, and what to do.
    pub fn find(toolchain: &Toolchain, tools: &Path) -> Result<Self, BuildError> {
        if let Some(found) = Self::find_present(toolchain, tools)? {
            return Ok(found);
        }
        let version = &toolchain.version;
        debian::fetch(version, tools).map(|path| Self::Debian(canonical(path))).map_err(|reason| BuildError::CoreSource {
            rustc: version.clone(),
            tried: vec![
                format!(
                    "  {}: not there; with rustup, run `rustup component add rust-src`",
                    in_sysroot(toolchain).display()
                ),
                format!(
                    "  {SOURCE_VAR}: not set; set it to the `library` folder of the source of rustc {version}"
                ),
                format!("  Debian's rust-src package: {reason}"),
            ],
        })
    }

    /// As [`CoreSource::find`], and fetches nothing.
    ///
    /// # Errors
    /// [`SOURCE_VAR`] names a folder without `core`.
    pub fn find_present(toolchain: &Toolchain, tools: &Path) -> Result<Option<Self>, BuildError> {
        let sysroot = in_sysroot(toolchain);
        if has_core(&sysroot) {
            return Ok(Some(Self::Sysroot(sysroot)));
        }
        if let Some(value) = std::env::var_os(SOURCE_VAR) {
            let folder = PathBuf::from(&value);
            let found = [folder.clone(), folder.join("library")].into_iter().find(|folder| has_core(folder));
            return found.map(|path| Some(Self::Variable(canonical(path)))).ok_or_else(|| {
                BuildError::Variable {
                    variable: SOURCE_VAR,
                    value: value.to_string_lossy().into_owned(),
                    what: "folder with core/src/lib.rs and Cargo.lock",
                }
            });
        }
        let unpacked = debian::library(&toolchain.version, tools);
        Ok(has_core(&unpacked).then(|| Self::Debian(canonical(unpacked))))
    }

    /// The folder: `library` of the Rust sources.
    #[must_use]
    pub fn path(&self) -> &Path {
        match self {
            Self::Sysroot(path) | Self::Variable(path) | Self::Debian(path) => path,
        }
    }

    /// The folder to tell cargo of; it finds the sysroot's by itself.
    pub(crate) fn outside_sysroot(&self) -> Option<&Path> {
        (!matches!(self, Self::Sysroot(_))).then(|| self.path())
    }
}

/// Without `..` and links: cargo compares paths of the library's workspace as text.
fn canonical(path: PathBuf) -> PathBuf {
    path.canonicalize().unwrap_or(path)
}

fn in_sysroot(toolchain: &Toolchain) -> PathBuf {
    toolchain.sysroot.join("lib/rustlib/src/rust/library")
}

/// cargo needs the lock file beside the sources too.
pub(crate) fn has_core(library: &Path) -> bool {
    library.join("core/src/lib.rs").is_file() && library.join("Cargo.lock").is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_found_folder_has_no_detours() {
        let dir = tempfile::tempdir().expect("a temporary folder");
        let library = dir.path().join("library");
        std::fs::create_dir_all(&library).expect("create");
        let detour = dir.path().join("library/../library");
        assert_eq!(canonical(detour), library.canonicalize().expect("it exists"));
    }
}
