//! Who writes the PTX, and where libNVVM is.

use std::path::{Path, PathBuf};

use ptx_linker::NvvmLibrary;
pub use ptx_parse::manifest::Backend;
use ptx_parse::{CudaVersion, PtxVersion};

use crate::error::BuildError;
use crate::setup;

/// The variable that names libNVVM's file.
pub const LIBNVVM_VAR: &str = ptx_linker::variables::LIBNVVM;

/// The back ends that can write PTX here: LLVM always, libNVVM where it is found.
///
/// # Errors
/// [`LIBNVVM_VAR`] names no file.
pub fn available(target_dir: &Path) -> Result<Vec<Backend>, BuildError> {
    let nvvm = find_libnvvm(target_dir)?.map(|_| Backend::Nvvm);
    Ok([Backend::Llvm].into_iter().chain(nvvm).collect())
}

/// The file of libNVVM, from the root on, because the linker runs in another folder: the first of [`LIBNVVM_VAR`], `CUDA_HOME`, what setup unpacked under `target_dir` (the newest),
/// and the places of a system's packages.
///
/// # Errors
/// [`LIBNVVM_VAR`] names no file, or there is no current folder for what is named from it.
pub fn find_libnvvm(target_dir: &Path) -> Result<Option<PathBuf>, BuildError> {
    if let Some(value) = std::env::var_os(LIBNVVM_VAR).filter(|value| !value.is_empty()) {
        if Path::new(&value).is_file() {
            return absolute(PathBuf::from(value)).map(Some);
        }
        return Err(BuildError::Variable {
            variable: LIBNVVM_VAR,
            value: value.to_string_lossy().into_owned(),
            what: "file of libNVVM",
        });
    }
    let mut folders = Vec::new();
    folders.extend(cuda_home().map(|home| home.join("nvvm/lib64")));
    folders.extend(setup::nvvm_folders(target_dir));
    folders.extend(
        ["/usr/local/cuda/nvvm/lib64", "/opt/cuda/nvvm/lib64", "/usr/lib/x86_64-linux-gnu"]
            .map(PathBuf::from),
    );
    folders.iter().find_map(|folder| libnvvm_in(folder)).map(absolute).transpose()
}

fn absolute(path: PathBuf) -> Result<PathBuf, BuildError> {
    std::path::absolute(&path).map_err(BuildError::io("resolve", path))
}

/// The toolkit that `CUDA_HOME` names; an empty value names none.
pub(crate) fn cuda_home() -> Option<PathBuf> {
    std::env::var_os("CUDA_HOME").filter(|home| !home.is_empty()).map(PathBuf::from)
}

/// `libnvvm.so.4` before `libnvvm.so`.
fn libnvvm_in(folder: &Path) -> Option<PathBuf> {
    ["libnvvm.so.4", "libnvvm.so"].iter().map(|name| folder.join(name)).find(|path| path.is_file())
}

/// libNVVM, or an error that lists the ways to get one.
pub(crate) fn need_libnvvm(target_dir: &Path) -> Result<PathBuf, BuildError> {
    find_libnvvm(target_dir)?
        .ok_or_else(|| BuildError::NoLibNvvm { tried: setup::nvvm_ways(target_dir, setup::NVVM_VERSION) })
}

/// What a libNVVM is good for: the version of the PTX that it writes for `arch`.
///
/// # Errors
/// The library does not open, or does not know the architecture.
pub fn nvvm_ptx_version(library: &Path, arch: &str) -> Result<String, String> {
    let library = NvvmLibrary::open(library).map_err(|error| error.to_string())?;
    library.ptx_version(arch).map_err(|error| error.to_string())
}

/// Why a driver of this CUDA version (1000 * major + 10 * minor) does not take PTX of version `ptx`, which a libNVVM
/// writes, and what to do; `None` where it does. The driver need not be the one of the machine that builds.
#[must_use]
pub fn too_new_for_driver(ptx: &str, driver: u32) -> Option<String> {
    let version: PtxVersion = ptx.parse().ok()?;
    let takes = PtxVersion::newest_for(driver);
    if takes >= Some(version) {
        return None;
    }
    let takes = takes.map_or_else(|| "none".to_owned(), |takes| format!("at most {takes}"));
    Some(format!(
        "this libNVVM writes PTX {version} and the driver here (CUDA {}) takes {takes}: update the driver, take an older libNVVM with `cargo xtask setup --nvvm VERSION`, or build with `--backend llvm`",
        CudaVersion(driver)
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ptx_that_is_newer_than_the_driver_is_told_with_both_versions() {
        assert_eq!(too_new_for_driver("9.0", 13_000), None);
        assert_eq!(too_new_for_driver("8.5", 12_060), None);
        let why = too_new_for_driver("9.5", 13_000).expect("too new");
        for word in ["PTX 9.5", "CUDA 13.0", "at most 9.0", "setup --nvvm VERSION"] {
            assert!(why.contains(word), "no `{word}` in {why}");
        }
        assert!(too_new_for_driver("9.0", 12_060).expect("too new").contains("CUDA 12.6"));
        assert!(too_new_for_driver("9.0", 10_020).expect("too new").contains("takes none"));
    }
}
