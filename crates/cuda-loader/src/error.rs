//! Why there is no driver.

use std::fmt;
use std::path::PathBuf;

/// Why the driver library could not be opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// None of the names could be opened.
    #[error(
        "no CUDA driver found: {}; install the NVIDIA driver, or set {} to its libcuda.so.1",
        Attempts(attempts),
        crate::LIBRARY_VARIABLE
    )]
    NotFound {
        /// What was tried, in this order.
        attempts: Vec<Attempt>,
    },
    /// A library was opened, and it is not the CUDA driver.
    #[error(
        "{} is not a CUDA driver: it does not export `{symbol}`; set {} to the driver's libcuda.so.1",
        path.display(),
        crate::LIBRARY_VARIABLE
    )]
    NotADriver {
        /// The library that was opened.
        path: PathBuf,
        /// The entry point that every driver has and this library lacks.
        symbol: &'static str,
    },
}

/// One name that was tried, and what the dynamic linker said.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// A file name that the dynamic linker looks up, or a path.
    pub name: PathBuf,
    /// The dynamic linker's message.
    pub reason: String,
}

struct Attempts<'a>(&'a [Attempt]);

impl fmt::Display for Attempts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Attempt { name, reason }) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{} ({reason})", name.display())?;
        }
        Ok(())
    }
}
