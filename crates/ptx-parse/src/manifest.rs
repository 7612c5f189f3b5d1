//! The schema of `manifest.json`, which lies beside the PTX of one architecture.
//!
//! The builder writes it, the host and the simulator read it; this is its only definition.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::hash::{Hasher, content_hash};

/// The manifest version this crate writes and reads.
pub const VERSION: u32 = 2;

/// The file name of a manifest.
pub const FILE_NAME: &str = "manifest.json";

/// What was built for one architecture by one code generator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// Schema version, [`VERSION`].
    pub version: u32,
    /// `llvm` or `nvvm`.
    pub codegen: String,
    /// `sm_90`
    pub arch: String,
    /// `7.8`
    pub ptx_version: String,
    /// Hash over [`Manifest::sources`].
    pub source_hash: String,
    /// Hash over everything else that decides the result: compiler, flags, linker, profile, lock file.
    pub build_key: String,
    /// rustc's version.
    pub rustc: String,
    /// LLVM's version.
    pub llvm: String,
    /// The compiler flags.
    pub flags: Vec<String>,
    /// The workspace the sources were read from.
    pub source_root: PathBuf,
    /// Source files and the hash of their content; paths are relative to [`Manifest::source_root`] where they can be.
    pub sources: BTreeMap<String, String>,
    /// The PTX files, by family.
    pub families: BTreeMap<String, FamilyFile>,
    /// The kernels, by entry name.
    pub entries: BTreeMap<String, EntryInfo>,
}

/// The PTX file of a family.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FamilyFile {
    /// File name beside the manifest.
    pub file: String,
    /// Hash of its content.
    pub ptx_hash: String,
}

/// Who writes the PTX.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Backend {
    /// The LLVM inside rustc.
    #[default]
    Llvm,
    /// NVIDIA's libNVVM.
    Nvvm,
}

/// A word that names no back end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no back end: there are {} and {}", Backend::Llvm, Backend::Nvvm)]
pub struct UnknownBackend {
    /// What was read.
    pub text: String,
}

impl Backend {
    /// All there are.
    pub const ALL: [Self; 2] = [Self::Llvm, Self::Nvvm];

    /// The word in paths, manifests and options: `llvm` or `nvvm`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Llvm => "llvm",
            Self::Nvvm => "nvvm",
        }
    }

    /// The back end of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|backend| backend.name() == name)
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> Result<Self, UnknownBackend> {
        Self::from_name(text).ok_or_else(|| UnknownBackend { text: text.to_owned() })
    }
}

/// What is known of one kernel.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EntryInfo {
    /// The kernel's stem; the entry name for a kernel without a record.
    pub stem: String,
    /// Its instance; empty for a kernel that has none.
    pub instance: String,
    /// The family it is in.
    pub family: String,
    /// The back end whose PTX is taken unless another is asked for.
    pub default_backend: Backend,
    /// Signature hash, 16 hexadecimal digits; `None` for a kernel without a record.
    pub signature: Option<String>,
    /// The architecture the kernel is limited to.
    pub target: Option<String>,
    /// PTX parameters, in order.
    pub params: Vec<ParamInfo>,
    /// The block that must be launched.
    pub block: Option<[u32; 3]>,
    /// The largest number of threads of a block.
    pub max_block: Option<u32>,
    /// Blocks of a cluster.
    pub cluster: Option<u32>,
    /// The register limit.
    pub max_registers: Option<u32>,
    /// Static shared memory.
    pub static_shared_bytes: u64,
    /// Whether it uses dynamic shared memory.
    pub dynamic_shared: bool,
    /// `.local` memory of one thread, from the PTX.
    pub local_bytes: u64,
    /// What ptxas said; `None` where there was none.
    pub ptxas: Option<PtxasInfo>,
}

/// A PTX parameter of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ParamInfo {
    /// `a.addr`, `a.len`, `alpha`
    pub name: String,
    /// Byte offset in the parameter space.
    pub offset: u64,
    /// Bytes.
    pub size: u64,
    /// Alignment in bytes.
    pub align: u64,
    /// `u64`, `f32`, …
    #[serde(rename = "type")]
    pub ty: String,
}

/// What ptxas reports of a kernel.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PtxasInfo {
    /// ptxas's version.
    pub version: String,
    /// Registers of a thread.
    pub registers: u32,
    /// Bytes of spill stores.
    pub spill_stores: u64,
    /// Bytes of spill loads.
    pub spill_loads: u64,
    /// Stack of a thread in bytes.
    pub stack_bytes: u64,
}

/// Why a manifest cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ManifestError {
    /// There is none.
    #[error("no manifest at {}: run `cargo xtask build-ptx`", path.display())]
    Missing {
        /// Where it was looked for.
        path: PathBuf,
    },
    /// It cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// It is not a manifest.
    #[error("{} is no manifest: {source}; run `cargo xtask build-ptx`", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong, with line and column.
        source: serde_json::Error,
    },
    /// Another version of Warpsmith wrote it.
    #[error("{} has manifest version {found}, this program reads {wanted}: run `cargo xtask build-ptx`", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u64,
        /// The version this crate reads.
        wanted: u32,
    },
}

impl Manifest {
    /// Reads `path`.
    ///
    /// # Errors
    /// Missing, unreadable, malformed, or of another version.
    pub fn read(path: &Path) -> Result<Self, ManifestError> {
        let text = std::fs::read_to_string(path).map_err(|source| match source.kind() {
            std::io::ErrorKind::NotFound => ManifestError::Missing { path: path.to_owned() },
            _ => ManifestError::Unreadable { path: path.to_owned(), source },
        })?;
        Self::from_json(&text, path)
    }

    /// Reads the text of a manifest; `path` is for errors.
    ///
    /// # Errors
    /// Malformed, or of another version.
    pub fn from_json(text: &str, path: &Path) -> Result<Self, ManifestError> {
        /// The one field that every version has.
        #[derive(Deserialize)]
        struct Head {
            version: u64,
        }
        let malformed = |source| ManifestError::Malformed { path: path.to_owned(), source };
        let head: Head = serde_json::from_str(text).map_err(malformed)?;
        if head.version != u64::from(VERSION) {
            let (found, wanted) = (head.version, VERSION);
            return Err(ManifestError::Version { path: path.to_owned(), found, wanted });
        }
        serde_json::from_str(text).map_err(malformed)
    }

    /// The text of the file, with a newline at its end.
    ///
    /// # Panics
    /// Never: every field is representable in JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        let mut text = serde_json::to_string_pretty(self).expect("a manifest is plain data");
        text.push('\n');
        text
    }

    /// The hash that [`Manifest::source_hash`] holds, over files and their hashes.
    #[must_use]
    pub fn hash_sources(sources: &BTreeMap<String, String>) -> String {
        let mut hasher = Hasher::default();
        for (path, hash) in sources {
            hasher.field(path).field(hash);
        }
        hasher.finish()
    }

    /// The first source that no longer is what was built; `None` when all are, or when [`Manifest::source_root`] holds none
    /// of them (an installed program, another machine).
    #[must_use]
    pub fn changed_source(&self) -> Option<&str> {
        let local = || self.sources.iter().filter(|(path, _)| Path::new(path).is_relative());
        if !local().any(|(path, _)| self.source_root.join(path).is_file()) {
            return None;
        }
        local()
            .find(|(path, hash)| {
                let now = std::fs::read(self.source_root.join(path)).map(|bytes| content_hash(&bytes));
                now.ok().as_ref() != Some(hash)
            })
            .map(|(path, _)| path.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample() -> Manifest {
        let sources = BTreeMap::from([("src/lib.rs".to_owned(), content_hash(b"fn f() {}"))]);
        Manifest {
            version: VERSION,
            codegen: "llvm".to_owned(),
            arch: "sm_90".to_owned(),
            ptx_version: "7.8".to_owned(),
            source_hash: Manifest::hash_sources(&sources),
            build_key: String::new(),
            rustc: "1.95.0".to_owned(),
            llvm: "22.1.2".to_owned(),
            flags: vec![],
            source_root: PathBuf::new(),
            sources,
            families: BTreeMap::new(),
            entries: BTreeMap::new(),
        }
    }

    #[test]
    fn what_is_written_is_read_back() {
        let manifest = sample();
        let read = Manifest::from_json(&manifest.to_json(), Path::new("m")).expect("it is valid");
        assert_eq!(read, manifest);
    }

    #[test]
    fn back_ends_are_written_as_their_names_and_unknown_ones_are_refused() {
        for backend in Backend::ALL {
            assert_eq!(backend.name().parse(), Ok(backend));
            assert_eq!(serde_json::to_string(&backend).ok(), Some(format!("\"{backend}\"")));
        }
        let error = "ptx".parse::<Backend>().expect_err("it is none");
        assert_eq!(error.to_string(), "`ptx` is no back end: there are llvm and nvvm");
    }

    #[test]
    fn missing_malformed_and_foreign_versions_are_told_apart() {
        let dir = tempfile::tempdir().expect("a folder");
        let path = dir.path().join(FILE_NAME);
        assert!(matches!(Manifest::read(&path), Err(ManifestError::Missing { .. })));
        assert!(matches!(Manifest::read(dir.path()), Err(ManifestError::Unreadable { .. })));
        std::fs::write(&path, "{").expect("it is writable");
        assert!(matches!(Manifest::read(&path), Err(ManifestError::Malformed { .. })));
        for foreign in [u64::from(VERSION) - 1, u64::from(VERSION) + 1] {
            std::fs::write(&path, format!("{{\"version\": {foreign}}}")).expect("it is writable");
            let error = Manifest::read(&path).expect_err("the version is not ours");
            assert!(
                matches!(error, ManifestError::Version { found, wanted: VERSION, .. } if found == foreign),
                "{error}"
            );
        }
    }

    #[test]
    fn a_changed_source_is_stale_and_an_absent_tree_is_not() {
        let dir = tempfile::tempdir().expect("a folder");
        let manifest = Manifest { source_root: dir.path().to_owned(), ..sample() };
        assert_eq!(manifest.changed_source(), None);
        std::fs::create_dir(dir.path().join("src")).expect("it is writable");
        std::fs::write(dir.path().join("src/lib.rs"), "fn f() {}").expect("it is writable");
        assert_eq!(manifest.changed_source(), None);
        std::fs::write(dir.path().join("src/lib.rs"), "fn g() {}").expect("it is writable");
        assert_eq!(manifest.changed_source(), Some("src/lib.rs"));
    }
}
