//! One program, two roles: builder, and linker when rustc calls it.

use std::ffi::OsString;
use std::path::Path;

use ptx_linker::{LinkError, LinkOptions};

use crate::backend::Backend;
use crate::fault::{Fault, FaultKind};

/// The environment variable that names the role.
pub(crate) const ROLE_VAR: &str = "WARPSMITH_ROLE";
/// Its value for the linker.
pub(crate) const LINKER_ROLE: &str = "linker";
/// What the linker role leaves in its output folder when kernels, not circumstances, are at fault.
pub(crate) const FAULTS_FILE: &str = "faults.json";

/// Does nothing in an ordinary run. When rustc called this program as its linker, links and ends the process.
///
/// Call it first in `main`. [`crate::PtxBuilder::build`] calls it too, which is enough in a `build.rs`.
pub fn run_as_linker_if_asked() {
    if std::env::var_os(ROLE_VAR).is_some_and(|role| role == LINKER_ROLE) {
        std::process::exit(link());
    }
}

/// Links as `ptx_linker::main_from_env` does, and writes what is wrong with which kernel for the builder to read.
fn link() -> i32 {
    ptx_linker::report_crashes();
    let variable = |name: &str| std::env::var_os(name);
    let args: Vec<OsString> = std::env::args_os().skip(1).collect();
    let error = match LinkOptions::parse(args, &variable) {
        Ok(options) => match ptx_linker::link(&options) {
            Ok(_) => return 0,
            Err(error) => {
                if let Some(dir) = &options.out_dir {
                    leave_faults(dir, &options.target_cpu, &error);
                }
                error
            }
        },
        Err(error) => error,
    };
    let text = error.to_string();
    eprintln!("ptx-linker: error: {}", text.split_whitespace().collect::<Vec<_>>().join(" "));
    1
}

/// Without the file the builder still has the linker's message, so a failure to write it is no failure.
fn leave_faults(dir: &Path, arch: &str, error: &LinkError) {
    let faults = faults_of(arch, error);
    if let (false, Ok(json)) = (faults.is_empty(), serde_json::to_vec(&faults)) {
        drop(std::fs::write(dir.join(FAULTS_FILE), json));
    }
}

fn faults_of(arch: &str, error: &LinkError) -> Vec<Fault> {
    let fault = |family: &str, entry: &str, kind| Fault {
        // The builder, which knows it, sets it.
        backend: Backend::default(),
        arch: arch.to_owned(),
        family: family.to_owned(),
        entry: entry.to_owned(),
        kind,
    };
    match error {
        LinkError::DuplicateEntry { entry, first, .. } => {
            vec![fault(first, entry, FaultKind::Duplicate { count: 2 })]
        }
        LinkError::MissingEntry { entry, module } => vec![fault(module, entry, FaultKind::Missing)],
        LinkError::UnrecordedEntry { entry } => vec![fault("", entry, FaultKind::NoRecord)],
        LinkError::Name { name, .. } => vec![fault("", name, FaultKind::BadName)],
        LinkError::Undefined { symbols } => symbols
            .iter()
            .flat_map(|symbol| {
                let kind = || FaultKind::UnresolvedExtern { symbol: symbol.name.clone() };
                symbol.users.iter().map(move |user| fault("", user, kind()))
            })
            .collect(),
        _ => Vec::new(),
    }
}
