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

/// The end of the dynamic linker's message for a file that is not there (`strerror(ENOENT)`).
const ABSENT: &str = "No such file or directory";

struct Attempts<'a>(&'a [Attempt]);

impl fmt::Display for Attempts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, Attempt { name, reason }) in self.0.iter().enumerate() {
            let separator = if index == 0 { "" } else { ", " };
            write!(f, "{separator}{}", name.display())?;
            // That a file is not there is what "not found" says already; any other reason is news.
            if !reason.ends_with(ABSENT) {
                write!(f, " ({reason})")?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_reason_that_tells_something_is_printed() {
        let attempt = |name: &str, reason: &str| Attempt { name: name.into(), reason: reason.to_owned() };
        let absent = attempt(
            "libcuda.so.1",
            "libcuda.so.1: cannot open shared object file: No such file or directory",
        );
        let broken = attempt("libcuda.so", "libcuda.so: file too short");
        let text = LoadError::NotFound { attempts: vec![absent, broken] }.to_string();
        assert!(
            text.starts_with("no CUDA driver found: libcuda.so.1, libcuda.so (libcuda.so: file too short); "),
            "{text}"
        );
    }
}
