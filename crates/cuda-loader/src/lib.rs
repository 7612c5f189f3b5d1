//! The CUDA driver's entry points, opened when the program runs.
//!
//! A program that uses cust asks the linker for libcuda, so it needs a CUDA toolkit to build and a driver to
//! start. With this crate it needs neither: the functions that cust asks for are defined here, and each
//! passes its call on to the driver's library, which is opened at the first call. Without a driver
//! `cust::init` returns `NoDevice`, and [`availability`] says what was tried.
//!
//! # Use
//!
//! In the program's `.cargo/config.toml`, for cust's build script, which looks for a library to link and must
//! find an empty one:
//!
//! ```toml
//! [env]
//! CUDA_LIBRARY_PATH = { value = "<folder of this crate>/stub", force = true }
//! ```
//!
//! `force` overrides a variable that the machine may have set; `relative = true` makes the path relative to
//! the folder that holds `.cargo`. All that counts in the folder is `lib64/libcuda.a`, an archive without
//! members, as `printf '!<arch>\n'` writes it, so a project can have a copy of its own.
//!
//! In the program's code, since rustc links only crates that are named:
//!
//! ```
//! cuda_loader::link();
//! ```
//!
//! # What gets lost on the way to cust, and where it is kept
//!
//! - cust's enum of result codes ends with CUDA 11.4; a number outside of it would be undefined behaviour. Such
//!   a code becomes `CUDA_ERROR_UNKNOWN`, and [`last_unmapped_code`] keeps it.
//! - A function that an older driver lacks returns `CUDA_ERROR_NOT_FOUND`, and [`last_missing_function`] names
//!   it.
//! - Functions newer than CUDA 11.4, and all those where no code may be lost, are in [`api`] with raw codes.
//!
//! # Cost
//!
//! A call costs two compares and one indirect call more than a direct one: a few nanoseconds. The library is
//! opened once and never closed; each function is looked up once, at its first call.
//!
//! # The library
//!
//! Tried in this order: `libcuda.so.1`, `/usr/lib/wsl/lib/libcuda.so.1` (WSL2),
//! `/run/opengl-driver/lib/libcuda.so.1` (NixOS), `libcuda.so`; or, alone, what the environment variable
//! [`LIBRARY_VARIABLE`] names.
//!
//! A shared library (`cdylib`) that contains this crate exports the driver's names too. Load it with
//! `RTLD_LOCAL`, which is what Python and most plugin hosts do, so that other libraries in the process go on
//! finding the driver itself.

#[cfg(not(target_os = "linux"))]
compile_error!("cuda-loader supports Linux only: it opens libcuda.so.1 when the program runs");

pub mod api;
mod codes;
mod driver;
mod error;
mod forward;
mod result;
mod symbol;

pub use driver::{Driver, LIBRARY_VARIABLE, availability};
pub use error::{Attempt, LoadError};
pub use result::{RawResult, error_name, error_string, last_missing_function, last_unmapped_code};

/// Makes sure that the entry points are linked into the program. Does nothing when called.
///
/// rustc links only the crates that a program names. A program that uses nothing else of this crate calls
/// this once, anywhere.
pub fn link() {}
