//! Writes to standard output that fail with an error, where `println!` would panic, and files that can be written later.

use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::Path;

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

/// Refuses a file that cannot be written, before anything is computed for it. One that is there stays as it is, and none is
/// left where there was none. Pipes and devices are not tried: whoever reads there would see it.
///
/// # Errors
/// [`Error::Write`].
pub fn check_writable(file: &Path) -> Result<(), Error> {
    let failed = |source| Error::Write { file: file.to_owned(), source };
    match OpenOptions::new().write(true).create_new(true).open(file) {
        Ok(_) => fs::remove_file(file).map_err(failed),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => {
            let is_special = fs::metadata(file).is_ok_and(|data| !data.is_file() && !data.is_dir());
            let open = || OpenOptions::new().append(true).create(true).open(file);
            if is_special { Ok(()) } else { open().map(|_| ()).map_err(failed) }
        }
        Err(error) => Err(failed(error)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_can_be_written_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        check_writable(&new).expect("the folder is writable");
        assert!(!new.exists());
        fs::write(&old, "text").expect("it is writable");
        check_writable(&old).expect("it is writable");
        assert_eq!(fs::read_to_string(old).expect("it is there"), "text");
        check_writable(Path::new("/dev/null")).expect("it takes all");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        for file in [folder.path().to_owned(), folder.path().join("no/such")] {
            let error = check_writable(&file).expect_err("it cannot be written").to_string();
            assert!(error.starts_with(&format!("cannot write {}: ", file.display())), "{error}");
        }
    }
}
