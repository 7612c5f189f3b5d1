//! The CUDA driver's entry points, opened when the program runs.
#[cfg(not(target_os = "linux"))]
compile_error!("cuda-loader supports Linux only: it opens libcuda.so.1 at run time");

mod codes;
mod driver;
mod error;
mod forward;
mod result;
mod symbol;

pub mod api;

pub use driver::{Driver, LIBRARY_VARIABLE, availability};
pub use error::{Attempt, LoadError};
pub use forward::link;
pub use result::{
    RawResult, error_name, error_string, last_missing_function, last_unmapped_code,
};
