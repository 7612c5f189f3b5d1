//! Where things lie.

use std::path::{Path, PathBuf};

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

/// The manifests under `target/ptx`, by architecture.
pub fn manifests() -> Result<Vec<Manifest>, Error> {
    let folder = target().join("ptx/llvm");
    let Ok(entries) = std::fs::read_dir(&folder) else { return Ok(Vec::new()) };
    let paths = entries.flatten().map(|entry| entry.path().join(manifest::FILE_NAME));
    let mut manifests = paths
        .filter(|path| path.is_file())
        .map(|path| Manifest::read(&path))
        .collect::<Result<Vec<_>, _>>()?;
    manifests.sort_by(|a, b| a.arch.cmp(&b.arch));
    Ok(manifests)
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
