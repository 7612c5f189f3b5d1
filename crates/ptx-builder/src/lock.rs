//! Files that several processes may touch: a lock on the output folder, and writes that are whole or not at all.

use std::fs::{self, File};
use std::io::Write;
use std::path::Path;

use crate::error::BuildError;

/// Holds the output folder until it is dropped.
#[derive(Debug)]
pub(crate) struct FolderLock {
    /// The system releases the lock when the file closes, also when the process dies.
    _file: File,
}

impl FolderLock {
    /// Waits until no other process builds into `dir`.
    pub fn acquire(dir: &Path) -> Result<Self, BuildError> {
        fs::create_dir_all(dir).map_err(BuildError::io("create", dir))?;
        let path = dir.join(".lock");
        let file = File::options().create(true).append(true).open(&path);
        let file = file.map_err(BuildError::io("open", &path))?;
        file.lock().map_err(BuildError::io("lock", &path))?;
        Ok(Self { _file: file })
    }
}

/// Writes `bytes` to `path` by way of a temporary file beside it: a reader sees the old file or the new one.
pub(crate) fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        fs::rename(&temporary, path)
    };
    write().map_err(|source| {
        // The write's own error is the one to report.
        drop(fs::remove_file(&temporary));
        BuildError::Io { action: "write", path: path.to_owned(), source }
    })
}
