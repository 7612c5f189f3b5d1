//! Writes to standard output that fail with an error, where `println!` would panic.

use std::io::{self, ErrorKind, Write as _};

use crate::error::Error;

/// Prints `text`. A reader that has left, as in `| head -1`, has what it wanted: that is no error.
///
/// # Errors
/// [`Error::Output`], such as on a full disk.
pub fn print(text: &str) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(source) if source.kind() != ErrorKind::BrokenPipe => Err(Error::Output { source }),
        _ => Ok(()),
    }
}
