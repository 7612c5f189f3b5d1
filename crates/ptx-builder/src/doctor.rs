//! What a build needs, and whether it is here.

use std::path::Path;

use ptx_parse::{CudaVersion, PtxVersion};

use crate::arch::DEFAULT_ARCHS;
use crate::backend;
use crate::core_source::{CoreSource, SOURCE_VAR};
use crate::ptxas::{PTXAS_VAR, Ptxas};
use crate::toolchain::{LLVM_MAJOR, MIN_RUSTC, Toolchain};

/// One line of the doctor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Fact {
    /// `rustc`, `LLVM`, `core source`, `linker`, `ptxas`, `libNVVM`
    pub name: &'static str,
    /// Whether a build fails without it.
    pub required: bool,
    /// What was found, or what is missing and what to do about it.
    pub state: State,
}

/// Found or missing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Found: version and place.
    Found(String),
    /// Missing or unusable.
    Missing {
        /// Why.
        reason: String,
        /// What to do.
        next_step: String,
    },
}

impl Fact {
    fn found(name: &'static str, required: bool, what: String) -> Self {
        Self { name, required, state: State::Found(what) }
    }

    fn missing(name: &'static str, required: bool, reason: String, next_step: String) -> Self {
        Self { name, required, state: State::Missing { reason, next_step } }
    }
}

/// Looks for everything a build of the workspace at `workspace` needs. Fetches nothing, works with nothing there.
#[must_use]
pub fn facts(workspace: &Path) -> Vec<Fact> {
    let target = workspace.join("target");
    let (major, minor) = MIN_RUSTC;
    let mut facts = Vec::new();
    match Toolchain::find(workspace) {
        Ok(toolchain) => {
            facts.extend([
                rustc(&toolchain),
                llvm(&toolchain),
                core(&toolchain, &target),
                linker(&toolchain),
            ]);
        }
        Err(error) => facts.push(Fact::missing(
            "rustc",
            true,
            error.to_string(),
            format!("install rustup, then run `rustup toolchain install {major}.{minor}.0`"),
        )),
    }
    facts.push(ptxas(&target));
    facts.push(libnvvm(&target));
    facts
}

fn rustc(toolchain: &Toolchain) -> Fact {
    let what = format!("{} at {}", toolchain.version, toolchain.rustc.display());
    if crate::toolchain::numbers(&toolchain.version) >= MIN_RUSTC {
        return Fact::found("rustc", true, what);
    }
    let (major, minor) = MIN_RUSTC;
    let next =
        format!("run `rustup toolchain install {major}.{minor}.0`; kernels need {major}.{minor} or newer");
    Fact::missing("rustc", true, format!("{what} is too old"), next)
}

fn llvm(toolchain: &Toolchain) -> Fact {
    if crate::toolchain::numbers(&toolchain.llvm).0 == LLVM_MAJOR {
        return Fact::found(
            "LLVM",
            true,
            format!("{} inside rustc; writes {}", toolchain.llvm, ptx_versions()),
        );
    }
    let (major, minor) = MIN_RUSTC;
    Fact::missing(
        "LLVM",
        true,
        format!("rustc carries LLVM {}, kernels need {LLVM_MAJOR}", toolchain.llvm),
        format!("use a rustc with LLVM {LLVM_MAJOR}, such as {major}.{minor}.0"),
    )
}

/// The PTX versions that LLVM writes for the architectures that are built by default.
fn ptx_versions() -> String {
    let version =
        |arch: &str| crate::arch::ptx_version(arch).map(|(major, minor)| format!("{major}.{minor}"));
    by_version(DEFAULT_ARCHS.into_iter().filter_map(|arch| Some((arch, version(arch)?))))
}

/// `PTX 7.4 for sm_80; PTX 9.0 for sm_90, sm_90a`
fn by_version<'a>(versions: impl Iterator<Item = (&'a str, String)>) -> String {
    let mut groups: Vec<(String, Vec<&str>)> = Vec::new();
    for (arch, version) in versions {
        match groups.last_mut() {
            Some((same, archs)) if *same == version => archs.push(arch),
            _ => groups.push((version, vec![arch])),
        }
    }
    let texts = groups.into_iter().map(|(version, archs)| format!("PTX {version} for {}", archs.join(", ")));
    texts.collect::<Vec<_>>().join("; ")
}

fn core(toolchain: &Toolchain, target: &Path) -> Fact {
    let next = format!(
        "run `rustup component add rust-src`, or set {SOURCE_VAR} to the `library` folder of the source of rustc {}; on Debian the build fetches its rust-src package by itself",
        toolchain.version
    );
    match CoreSource::find_present(toolchain, target) {
        Ok(Some(source)) => Fact::found("core source", true, source.path().display().to_string()),
        Ok(None) => {
            let reason = "neither in the sysroot nor fetched before".to_owned();
            Fact::missing("core source", true, reason, next)
        }
        Err(error) => Fact::missing("core source", true, error.to_string(), next),
    }
}

/// The linker is part of this program; what it needs is rustc's own libLLVM.
fn linker(toolchain: &Toolchain) -> Fact {
    let folder = toolchain.sysroot.join("lib");
    let is_llvm = |name: &str| name.starts_with("libLLVM") && name.contains(".so");
    let found = std::fs::read_dir(&folder).ok().and_then(|entries| {
        entries
            .flatten()
            .map(|entry| entry.path())
            .find(|path| path.file_name().is_some_and(|name| is_llvm(&name.to_string_lossy())))
    });
    match found {
        Some(path) => Fact::found("linker", true, format!("built in, with {}", path.display())),
        None => Fact::missing(
            "linker",
            true,
            format!("no libLLVM in {}", folder.display()),
            "use a rustc from rustup or the project's tarballs: its libLLVM is a shared library".to_owned(),
        ),
    }
}

/// libNVVM and the PTX it writes: one newer than the driver knows is of no use.
fn libnvvm(target: &Path) -> Fact {
    let next = format!("run `cargo xtask setup --nvvm`, or set {} or CUDA_HOME", backend::LIBNVVM_VAR);
    let path = match backend::find_libnvvm(target) {
        Ok(Some(path)) => path,
        Ok(None) => {
            let reason = "not found; `build-ptx --backend nvvm` needs it".to_owned();
            return Fact::missing("libNVVM", false, reason, next);
        }
        Err(error) => return Fact::missing("libNVVM", false, error.to_string(), next),
    };
    let version = |arch| Ok((arch, backend::nvvm_ptx_version(&path, arch)?));
    match DEFAULT_ARCHS.into_iter().map(version).collect::<Result<Vec<_>, String>>() {
        Ok(versions) => {
            let newest = versions.iter().filter_map(|(_, version)| version.parse::<PtxVersion>().ok()).max();
            let drivers = newest.map_or_else(String::new, |newest| format!(", {}", drivers_for(newest)));
            let what = format!("writes {}{drivers}; at {}", by_version(versions.into_iter()), path.display());
            Fact::found("libNVVM", false, what)
        }
        Err(reason) => Fact::missing("libNVVM", false, reason, next),
    }
}

/// Which drivers take PTX of this version.
fn drivers_for(ptx: PtxVersion) -> String {
    match ptx.oldest_driver() {
        Some(driver) => format!("for drivers of CUDA {} and newer", CudaVersion(driver)),
        None => "for drivers newer than any known here".to_owned(),
    }
}

fn ptxas(target: &Path) -> Fact {
    let next = format!("run `cargo xtask setup --ptxas`, or set {PTXAS_VAR} or CUDA_HOME");
    match Ptxas::find(target) {
        Ok(Some(ptxas)) => {
            Fact::found("ptxas", false, format!("{} at {}", ptxas.version, ptxas.path.display()))
        }
        Ok(None) => {
            let reason = "not found; registers and spills are not checked".to_owned();
            Fact::missing("ptxas", false, reason, next)
        }
        Err(error) => Fact::missing("ptxas", false, error.to_string(), next),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_driver_for_libnvvms_ptx_is_told() {
        let text = |ptx: &str| drivers_for(ptx.parse().expect("a version"));
        assert_eq!(text("9.0"), "for drivers of CUDA 13.0 and newer");
        assert_eq!(text("8.5"), "for drivers of CUDA 12.5 and newer");
        assert_eq!(text("99.0"), "for drivers newer than any known here");
    }

    #[test]
    fn neighbours_of_one_version_are_named_together() {
        let versions = [("sm_80", "7.4"), ("sm_90", "9.0"), ("sm_90a", "9.0")];
        let text = by_version(versions.into_iter().map(|(arch, version)| (arch, version.to_owned())));
        assert_eq!(text, "PTX 7.4 for sm_80; PTX 9.0 for sm_90, sm_90a");
    }
}
