//! Why there is no PTX to load.

use std::path::PathBuf;

use ptx_parse::manifest::{Backend, ManifestError, UnknownBackend};
use ptx_parse::{CudaVersion, PtxVersion};

use super::find::CODEGEN_VARIABLE;
use super::{Arch, Place};

/// Why there is no PTX for a device, or none that belongs to this program.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum ArtefactError {
    /// No place has any.
    #[error("no PTX found: looked in {}; run `cargo xtask build-ptx`", list(looked))]
    Missing { looked: Vec<Place> },
    /// A place has PTX, but none the device runs.
    #[error(
        "no PTX for {device} in {place}: it holds {}; run `cargo xtask build-ptx --arch {device}`",
        list(there)
    )]
    NoArchitecture { place: Place, device: Arch, there: Vec<Arch> },
    /// The architecture asked for is not there.
    #[error(
        "no PTX for {asked} in {place}: it holds {}; run `cargo xtask build-ptx --arch {asked}`",
        list(there)
    )]
    ArchNotThere { place: Place, asked: Arch, there: Vec<Arch> },
    /// The architecture asked for does not run on the device.
    #[error("PTX for {asked} does not run on this device, which is {device}; ask for {device} or older")]
    ArchDoesNotRun { asked: Arch, device: Arch },
    /// No architecture's name.
    #[error("`{text}` is no architecture; write it as `sm_90` or `sm_90a`")]
    UnknownArch { text: String },
    /// No back end's name.
    #[error("{0}; `--codegen` and {CODEGEN_VARIABLE} take one of these")]
    UnknownCodegen(#[from] UnknownBackend),
    /// The back end asked for has written none of the PTX that is there.
    #[error(
        "no PTX by {asked} in {place}: it holds PTX by {} alone; run `cargo xtask build-ptx --backend {asked}`",
        list(there)
    )]
    CodegenNotThere { place: Place, asked: Backend, there: Vec<Backend> },
    /// A manifest with a word that means nothing.
    #[error(
        "the manifest of PTX for {arch} by {codegen} in {place} says `{value}`, which is no {field}; run `cargo xtask build-ptx`"
    )]
    BadManifest { place: Place, arch: String, codegen: String, field: &'static str, value: String },
    /// The PTX is newer than the driver.
    #[error(
        "the PTX for {arch} by {backend} in {place} is version {ptx} and the driver (CUDA {}) takes at most {}: install a \
         driver for {}, or run `{}`, whose PTX is older",
        CudaVersion(*driver),
        takes.map_or_else(|| "an older one than 7.0".to_owned(), |v| v.to_string()),
        needed(*ptx),
        older(*backend)
    )]
    PtxTooNew {
        place: Place,
        backend: Backend,
        arch: Arch,
        ptx: PtxVersion,
        takes: Option<PtxVersion>,
        driver: u32,
    },
    /// A manifest that cannot be used.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// A folder or file that cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// No place has the entry.
    #[error(
        "{entry}: no such kernel in the PTX for {arch} in {}{}",
        list(looked),
        target.map_or_else(
            || "; run `cargo xtask build-ptx`".to_owned(),
            |t| format!("; it needs {t}: run `cargo xtask build-ptx --arch {t}` and use such a device")
        )
    )]
    EntryMissing { entry: &'static str, arch: Arch, looked: Vec<Place>, target: Option<&'static str> },
    /// The PTX was built from another signature of the kernel than this program.
    #[error(
        "{entry}: the PTX in {place} is stale: its signature is {} and this program's is {want:016x}; run `cargo xtask \
         build-ptx`",
        got.as_deref().unwrap_or("not recorded")
    )]
    StaleSignature { entry: &'static str, place: Place, got: Option<String>, want: u64 },
    /// A source has changed since the PTX was built.
    #[error(
        "the PTX for {arch} by {backend} in {place} is stale: {changed} has changed since it was built; run \
         `cargo xtask build-ptx`"
    )]
    StaleSource { place: Place, backend: Backend, arch: Arch, changed: String },
    /// The PTX is not what the builder wrote.
    #[error("{file} in {place} is not what its manifest describes; run `cargo xtask build-ptx`")]
    Damaged { place: Place, file: String },
}

fn list<T: std::fmt::Display>(items: &[T]) -> String {
    if items.is_empty() {
        return "nothing".to_owned();
    }
    items.iter().map(T::to_string).collect::<Vec<_>>().join(", ")
}

/// How to get PTX for older drivers: libNVVM writes one version for all architectures.
fn older(backend: Backend) -> &'static str {
    match backend {
        Backend::Llvm => "cargo xtask build-ptx --arch sm_80",
        Backend::Nvvm => "cargo xtask build-ptx --backend llvm",
    }
}

fn needed(ptx: PtxVersion) -> String {
    match ptx.oldest_driver() {
        Some(version) => format!("CUDA {} or newer", CudaVersion(version)),
        None => format!("PTX {ptx}"),
    }
}
