//! The kernel crate, as cargo sees it.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use crate::compile::clear_environment;
use crate::error::BuildError;
use crate::toolchain::Toolchain;

/// The kernel crate and its workspace.
#[derive(Debug, Clone)]
pub(crate) struct Package {
    /// Package name.
    pub name: String,
    /// Name of its library, as rustc has it.
    pub lib_name: String,
    /// Its folder.
    pub dir: PathBuf,
    /// The root of its workspace.
    pub workspace: PathBuf,
}

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<MetadataPackage>,
    workspace_root: PathBuf,
}

#[derive(Deserialize)]
struct MetadataPackage {
    name: String,
    manifest_path: PathBuf,
    targets: Vec<MetadataTarget>,
}

#[derive(Deserialize)]
struct MetadataTarget {
    kind: Vec<String>,
    name: String,
}

impl Package {
    /// Asks cargo about the crate in `dir`.
    pub fn read(dir: &Path, toolchain: &Toolchain) -> Result<Self, BuildError> {
        let refuse = |reason: String| BuildError::KernelCrate { dir: dir.to_owned(), reason };
        let manifest = dir.join("Cargo.toml");
        let manifest = manifest.canonicalize().map_err(|error| refuse(format!("Cargo.toml: {error}")))?;
        let mut command = Command::new(&toolchain.cargo);
        clear_environment(&mut command);
        command.args(["metadata", "--no-deps", "--format-version", "1", "--manifest-path"]).arg(&manifest);
        let program = toolchain.cargo.display().to_string();
        let output = command.output().map_err(|source| BuildError::Start { program, source })?;
        if !output.status.success() {
            return Err(refuse(String::from_utf8_lossy(&output.stderr).into_owned()));
        }
        let metadata: Metadata =
            serde_json::from_slice(&output.stdout).map_err(|error| refuse(error.to_string()))?;
        let package = metadata.packages.into_iter().find(|package| package.manifest_path == manifest);
        let package = package.ok_or_else(|| refuse("its Cargo.toml has no [package]".to_owned()))?;
        let is_lib = |target: &MetadataTarget| {
            target.kind.iter().any(|kind| matches!(kind.as_str(), "lib" | "rlib" | "cdylib" | "dylib"))
        };
        let lib = package.targets.iter().find(|target| is_lib(target));
        let lib = lib.ok_or_else(|| refuse("it has no library: put the kernels in src/lib.rs".to_owned()))?;
        Ok(Self {
            name: package.name,
            lib_name: lib.name.replace('-', "_"),
            dir: manifest.parent().unwrap_or(dir).to_owned(),
            workspace: metadata.workspace_root,
        })
    }

    /// Whether the workspace defines the profile `ptx` itself.
    pub fn defines_profile(&self) -> bool {
        let text = std::fs::read_to_string(self.workspace.join("Cargo.toml")).unwrap_or_default();
        text.lines().any(|line| line.trim() == "[profile.ptx]")
    }
}
