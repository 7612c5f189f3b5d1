//! Where things lie.

use std::path::{Path, PathBuf};

use ptx_builder::Backend;
use ptx_builder::manifest::{self, Manifest};

use crate::error::Error;

/// The workspace's folder.
pub fn root() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// Where the builder, the setup and the bundle write.
pub fn target() -> PathBuf {
    root().join("target")
}

/// The folder of the kernel crate.
pub fn kernels() -> PathBuf {
    root().join("kernels-gpu")
}

/// The folders under `target/ptx` that hold a back end's PTX, the oldest architecture first.
pub fn artefact_dirs(backend: Backend) -> Vec<PathBuf> {
    let folder = target().join("ptx").join(backend.name());
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut dirs: Vec<_> = entries.filter(|dir| dir.join(manifest::FILE_NAME).is_file()).collect();
    dirs.sort_by_cached_key(|dir| arch_key(&dir.file_name().unwrap_or_default().to_string_lossy()));
    dirs
}

/// The manifests under `target/ptx`, by back end and architecture.
pub fn manifests() -> Result<Vec<Manifest>, Error> {
    let dirs = Backend::ALL.into_iter().flat_map(artefact_dirs);
    Ok(dirs.map(|dir| Manifest::read(&dir.join(manifest::FILE_NAME))).collect::<Result<_, _>>()?)
}

/// Orders architectures from old to new: `sm_90`, `sm_90a`, `sm_100`.
pub fn arch_key(arch: &str) -> (usize, String) {
    (arch.bytes().filter(u8::is_ascii_digit).count(), arch.to_owned())
}

/// Reads a text file.
pub fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(Error::io("read", path))
}

/// Writes a text file where its content differs; says so.
pub fn write_if_changed(path: &Path, text: &str) -> Result<(), Error> {
    let shown = path.strip_prefix(root()).unwrap_or(path).display();
    if std::fs::read_to_string(path).is_ok_and(|old| old == text) {
        println!("unchanged  {shown}");
        return Ok(());
    }
    std::fs::write(path, text).map_err(Error::io("write", path))?;
    println!("rewritten  {shown}");
    Ok(())
}
