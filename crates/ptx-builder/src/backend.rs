//! Who writes the PTX, and where libNVVM is.

use std::path::{Path, PathBuf};

use ptx_linker::NvvmLibrary;

use crate::error::BuildError;
use crate::setup;

/// The variable that names libNVVM's file.
pub const LIBNVVM_VAR: &str = ptx_linker::variables::LIBNVVM;

/// Who writes the PTX.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Backend {
    /// The LLVM inside rustc.
    #[default]
    Llvm,
    /// NVIDIA's libNVVM.
    Nvvm,
}

impl Backend {
    /// The word in paths, manifests and options: `llvm` or `nvvm`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Llvm => "llvm",
            Self::Nvvm => "nvvm",
        }
    }

    /// The back end of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Llvm, Self::Nvvm].into_iter().find(|backend| backend.name() == name)
    }
}

/// The file of libNVVM: the first of [`LIBNVVM_VAR`], `CUDA_HOME`, what setup unpacked under `target_dir` (the newest),
/// and the places of a system's packages.
///
/// # Errors
/// [`LIBNVVM_VAR`] names no file.
pub fn find_libnvvm(target_dir: &Path) -> Result<Option<PathBuf>, BuildError> {
    if let Some(value) = std::env::var_os(LIBNVVM_VAR).filter(|value| !value.is_empty()) {
        let path = PathBuf::from(&value);
        if path.is_file() {
            return Ok(Some(path));
        }
        return Err(BuildError::Variable {
            variable: LIBNVVM_VAR,
            value: value.to_string_lossy().into_owned(),
            what: "file of libNVVM",
        });
    }
    let mut folders = Vec::new();
    if let Some(home) = std::env::var_os("CUDA_HOME") {
        folders.push(PathBuf::from(home).join("nvvm/lib64"));
    }
    folders.extend(setup::nvvm_folders(target_dir));
    folders.extend(
        ["/usr/local/cuda/nvvm/lib64", "/opt/cuda/nvvm/lib64", "/usr/lib/x86_64-linux-gnu"]
            .map(PathBuf::from),
    );
    Ok(folders.iter().find_map(|folder| libnvvm_in(folder)))
}

/// `libnvvm.so.4` before `libnvvm.so`.
fn libnvvm_in(folder: &Path) -> Option<PathBuf> {
    ["libnvvm.so.4", "libnvvm.so"].iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// libNVVM, or an error that lists the ways to get one.
pub(crate) fn need_libnvvm(target_dir: &Path) -> Result<PathBuf, BuildError> {
    find_libnvvm(target_dir)?.ok_or_else(|| BuildError::NoLibNvvm {
        tried: setup::nvvm_ways(&setup::nvvm_path(target_dir, setup::NVVM_VERSION)),
    })
}

/// What a libNVVM is good for: the version of the PTX that it writes for `arch`.
///
/// # Errors
/// The library does not open, or does not know the architecture.
pub fn nvvm_ptx_version(library: &Path, arch: &str) -> Result<String, String> {
    let library = NvvmLibrary::open(library).map_err(|error| error.to_string())?;
    library.ptx_version(arch).map_err(|error| error.to_string())
}
