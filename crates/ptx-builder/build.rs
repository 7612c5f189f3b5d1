//! Hashes the sources of the linker and of this crate into `PTX_BUILDER_SOURCE_HASH`, so that kernels are built
//! again when the tools that build them change, and not when another program that contains them is linked.

use std::path::{Path, PathBuf};

fn main() {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for folder in ["src", "../ptx-linker/src", "../ptx-parse/src"] {
        let folder = root.join(folder);
        println!("cargo:rerun-if-changed={}", folder.display());
        add_folder(&folder, &mut hash);
    }
    println!("cargo:rustc-env=PTX_BUILDER_SOURCE_HASH={hash:016x}");
}

/// A published crate lies alone: a folder that is not there adds nothing.
fn add_folder(folder: &Path, hash: &mut u64) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            add_folder(&path, hash);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            for byte in std::fs::read(&path).unwrap_or_default() {
                *hash = (*hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
    }
}
