//! The program rustc calls as linker for `nvptx64-nvidia-cuda`: bitcode in, PTX out.
//!
//! It opens the libLLVM inside the Rust toolchain, links what rustc hands over, and makes of it what the GPU
//! needs: shared statics in shared memory, barriers that stay where they are, launch bounds and parameter facts from
//! the section `.warpsmith.kernels`, one PTX file per kernel family.
//!
//! As a program: `ptx-linker` takes rustc's arguments for a linker of the `llbc` flavour and the environment [`variables`].
//!
//! As a library: [`link`] with [`LinkOptions`], or [`main_from_env`] for a program that plays the linker itself
//! ([`report_crashes`] where it reads its options otherwise).
//! LLVM ends the process (one line on stderr, exit 1) where it finds code it cannot translate at all; everything
//! else is a [`LinkError`].

mod archive;
mod args;
mod error;
mod inputs;
mod link;
mod llvm;
mod names;
mod nvvm;
mod passes;
mod program;
mod records;
mod report;
mod target_options;
pub mod variables;

pub use args::{Backend, LinkOptions};
pub use error::LinkError;
pub use link::link;
pub use llvm::load::LLVM_MAJOR;
pub use nvvm::library::NvvmLibrary;
pub use program::{main_from_env, report_crashes};
pub use report::{FamilyReport, LinkReport, Unresolved};
