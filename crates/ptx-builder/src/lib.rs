//! Kernel crate to PTX and manifest, with stock rustc.
//!
//! [`PtxBuilder`] finds the toolchain and the source of `core`, calls cargo for `nvptx64-nvidia-cuda` once per back end
//! and architecture with this very program as linker, checks what came out, and writes
//! `target/ptx/<back end>/<arch>/<family>.ptx` with a `manifest.json`. Nothing changed means nothing is called. The file
//! `backends.toml` beside the kernel crate's `Cargo.toml`, where there is one, says which back end's PTX a program takes
//! for each kernel; see [`mod@defaults`].
//!
//! In a program's `main` (it is the linker too, so it asks first):
//!
//! ```no_run
//! fn main() -> Result<(), ptx_builder::BuildError> {
//!     ptx_builder::run_as_linker_if_asked();
//!     let report = ptx_builder::PtxBuilder::new("kernels-gpu").arch("sm_90").build()?;
//!     println!("{report}");
//!     Ok(())
//! }
//! ```
//!
//! In a `build.rs`, [`PtxBuilder::build`] alone is enough; it also tells cargo what to watch and writes
//! `$OUT_DIR/warpsmith_ptx.rs` for `include_ptx!` (its shape: [`mod@include`]).

mod arch;
mod artefact;
pub mod backend;
mod builder;
mod checks;
mod compile;
pub mod core_source;
mod debian;
pub mod defaults;
mod depinfo;
pub mod doctor;
mod error;
mod fault;
pub mod include;
mod lock;
mod package;
pub mod ptxas;
mod record;
mod report;
mod role;
pub mod setup;
pub mod toolchain;

pub use arch::{DEFAULT_ARCHS, known_archs};
pub use backend::Backend;
pub use builder::PtxBuilder;
pub use compile::TARGET;
pub use error::BuildError;
pub use fault::{Fault, FaultKind, SHARED_LIMIT_BYTES};
pub use ptx_parse::{CudaVersion, PtxVersion, manifest};
pub use report::{ArchReport, BuildReport};
pub use role::run_as_linker_if_asked;
