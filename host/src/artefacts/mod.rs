//! Finds the PTX for a device, and makes sure that it belongs to this program.
//!
//! Looked for in this order:
//!
//! 1. the path the caller gives ([`Options::ptx`], `--ptx`); then nowhere else;
//! 2. the path in the environment variable `WARPSMITH_PTX`; then nowhere else;
//! 3. the folder `ptx` beside the executable;
//! 4. the workspace's `target/ptx`, where `cargo xtask build-ptx` writes;
//! 5. the PTX embedded in the program: [`include_ptx!`](crate::include_ptx) and [`EmbeddedPtx`].
//!
//! Each place holds `<codegen>/<arch>/manifest.json` with the PTX files beside it; the code generators are the back ends
//! `llvm` and `nvvm`. Of each back end's architectures in a place the newest is taken that the device runs and whose PTX
//! version the driver takes; [`Options::arch`] asks for another. An entry comes from the first place that has it: there
//! from the newest architecture, and where both back ends have that, from the entry's default back end, which its manifest
//! names. [`Options::codegen`], `--codegen` or the environment variable `WARPSMITH_CODEGEN` ask for one back end. An entry
//! whose signature is not the one this program was compiled with, and PTX whose sources have changed since, are errors and
//! never a reason to look further.

mod arch;
mod choose;
mod embedded;
mod error;
mod find;

pub use arch::Arch;
#[cfg(test)]
pub(crate) use choose::tests::backends::folder;
pub use choose::{Artefact, Artefacts, Target};
pub use embedded::EmbeddedPtx;
pub use error::ArtefactError;
#[cfg(feature = "sim")]
pub(crate) use find::variable;
pub use find::{CODEGEN_VARIABLE, Options, PATH_VARIABLE, Place};
pub use ptx_parse::manifest::Backend;
pub use ptx_parse::{CudaVersion, PtxVersion};
