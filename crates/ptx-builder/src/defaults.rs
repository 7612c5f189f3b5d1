//! `backends.toml` in the kernel crate's folder: the back end of each kernel that is the faster one.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use ptx_parse::manifest::{Backend, EntryInfo};
use serde::Deserialize;

use crate::arch::DEFAULT_ARCHS;
use crate::error::BuildError;

/// The file's name.
pub const FILE_NAME: &str = "backends.toml";

/// Which back end each kernel's PTX is taken from unless another is asked for; LLVM for a kernel that is not named.
#[derive(Debug, Default)]
pub(crate) struct Defaults {
    path: PathBuf,
    kernels: BTreeMap<String, Backend>,
}

/// What is read of the file; the record and the figures beside the back end are for people.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default, rename = "record")]
    _record: String,
    #[serde(default)]
    kernels: BTreeMap<String, Kernel>,
}

#[derive(Deserialize)]
struct Kernel {
    backend: String,
}

impl Defaults {
    /// Reads the file in `dir`; without one all kernels are LLVM's.
    pub fn read(dir: &Path) -> Result<Self, BuildError> {
        let path = dir.join(FILE_NAME);
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(error) => return Err(BuildError::io("read", path)(error)),
        };
        let file: File = toml::from_str(&text)
            .map_err(|source| BuildError::Toml { path: path.clone(), source: Box::new(source) })?;
        let kernels = file.kernels.into_iter().map(|(entry, kernel)| match kernel.backend.parse() {
            Ok(backend) => Ok((entry, backend)),
            Err(source) => Err(BuildError::DefaultBackend { path: path.clone(), entry, source }),
        });
        let kernels = kernels.collect::<Result<_, _>>()?;
        Ok(Self { path, kernels })
    }

    /// Writes each entry's default into it; tells whether any was another.
    pub fn apply(&self, entries: &mut BTreeMap<String, EntryInfo>) -> bool {
        let mut changed = false;
        for (entry, info) in entries {
            let backend = self.kernels.get(entry).copied().unwrap_or_default();
            changed |= info.default_backend != backend;
            info.default_backend = backend;
        }
        changed
    }

    /// Refuses lines for kernels that none of `archs` has, where these hold all that are built by default: a kernel with a
    /// `target` is missing in a build of others.
    pub fn check(&self, archs: &BTreeSet<&str>, entries: &BTreeSet<&str>) -> Result<(), BuildError> {
        if !DEFAULT_ARCHS.iter().all(|arch| archs.contains(arch)) {
            return Ok(());
        }
        let gone = self.kernels.keys().filter(|entry| !entries.contains(entry.as_str()));
        let gone: Vec<String> = gone.cloned().collect();
        if gone.is_empty() {
            return Ok(());
        }
        Err(BuildError::DefaultOfNoKernel { path: self.path.clone(), entries: gone })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Defaults, BuildError> {
        let dir = tempfile::tempdir().expect("a folder");
        std::fs::write(dir.path().join(FILE_NAME), text).expect("it is writable");
        Defaults::read(dir.path())
    }

    #[test]
    fn a_kernel_that_is_not_named_is_llvms() {
        let text = "record = \"r\"\n[kernels]\n\
                    a = { backend = \"nvvm\", llvm_us = 7.5, nvvm_us = 7.0, shape = \"1x8\", gpu = \"G\" }\n";
        let defaults = read(text).expect("it is right");
        let mut entries = ["a", "b"].map(|name| (name.to_owned(), EntryInfo::default())).into();
        assert!(defaults.apply(&mut entries));
        assert!(!defaults.apply(&mut entries), "nothing changes twice");
        assert_eq!(entries["a"].default_backend, Backend::Nvvm);
        assert_eq!(entries["b"].default_backend, Backend::Llvm);
        let nothing = Defaults::read(Path::new("/nonexistent")).expect("the file is optional");
        assert!(nothing.apply(&mut entries), "without the file all are LLVM's again");
        assert_eq!(entries["a"].default_backend, Backend::Llvm);
    }

    #[test]
    fn what_is_wrong_names_file_and_entry() {
        let error = read("[kernels]\na = { backend = \"gcc\" }").expect_err("no such back end").to_string();
        for part in [FILE_NAME, "`a`", "`gcc`", "llvm and nvvm"] {
            assert!(error.contains(part), "no {part} in {error}");
        }
        let text = "[kernels]\ngone = { backend = \"llvm\" }\nhere = { backend = \"llvm\" }\nlost = { backend = \"nvvm\" }";
        let defaults = read(text).expect("it is right");
        let (all, here) = (BTreeSet::from(DEFAULT_ARCHS), BTreeSet::from(["here"]));
        assert!(defaults.check(&all, &BTreeSet::from(["gone", "here", "lost"])).is_ok());
        assert!(
            defaults.check(&BTreeSet::from(["sm_90"]), &here).is_ok(),
            "another architecture may have it"
        );
        let error = defaults.check(&all, &here).expect_err("no such kernel").to_string();
        assert!(error.contains(FILE_NAME) && error.contains("no kernel `gone`, `lost` on"), "{error}");
        for text in
            ["kernels = 3", "[kernel]\na = { backend = \"nvvm\" }", "a = { backend = \"nvvm\" }", "\u{0}"]
        {
            assert!(matches!(read(text), Err(BuildError::Toml { .. })), "{text}");
        }
    }
}
