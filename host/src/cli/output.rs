//! Writes to standard output that fail with an error, where `println!` would panic; files that are there whole or not at all.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::os::fd::AsFd as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};

use crate::error::Error;

/// Links that are followed to a file that is not there, as many as Linux follows.
const MOST_LINKS: usize = 40;

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

/// Refuses a file of the option `output` that one of `others`, options and their files, names too, in whatever way, or that
/// standard output goes to: written, it would be the end of what is there. Pipes and devices may be both.
///
/// # Errors
/// [`Error::SameFile`].
pub fn check_is_another(
    output: &'static str,
    file: &Path,
    others: &[(&'static str, &Path)],
) -> Result<(), Error> {
    let identity = |data: Metadata| data.is_file().then(|| (data.dev(), data.ino()));
    let Some(ours) = fs::metadata(file).ok().and_then(identity) else { return Ok(()) };
    let refused = |other: &'static str| Error::SameFile { output, file: file.to_owned(), other };
    let mut named = others.iter();
    let same = |(_, path): &&(_, &Path)| fs::metadata(path).ok().and_then(identity) == Some(ours);
    if let Some((other, _)) = named.find(same) {
        return Err(refused(other));
    }
    let stdout = io::stdout().as_fd().try_clone_to_owned().and_then(|fd| File::from(fd).metadata());
    if stdout.ok().and_then(identity) == Some(ours) { Err(refused("standard output")) } else { Ok(()) }
}

/// Refuses a file that cannot be written, before anything is computed for it. One that is there stays as it is, and none is
/// left where there was none. Pipes and devices are not tried: whoever reads there would see it.
///
/// # Errors
/// [`Error::Write`].
pub fn check_writable(file: &Path) -> Result<(), Error> {
    let tried = match fs::metadata(file) {
        Ok(data) if data.is_file() || data.is_dir() => OpenOptions::new().append(true).open(file).map(|_| ()),
        Ok(_) => Ok(()),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let target = target(file);
            let made = OpenOptions::new().write(true).create_new(true).open(&target);
            made.and_then(|_| fs::remove_file(&target))
        }
        Err(error) => Err(error),
    };
    tried.map_err(|source| Error::Write { file: file.to_owned(), source })
}

/// Writes a file, over one that is there: at once, when `content` has been written beside it, so that a write that fails leaves
/// the old one. Pipes and devices are written as they are, and so is a file in a folder that takes no new one.
///
/// # Errors
/// [`Error::Write`].
pub fn write(file: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), Error> {
    put(file, content).map_err(|source| Error::Write { file: file.to_owned(), source })
}

fn put(file: &Path, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let old = match fs::metadata(file) {
        Ok(data) if !data.is_file() => {
            return fill(&OpenOptions::new().write(true).open(file)?, content);
        }
        Ok(data) => Some(data.permissions()),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let target = target(file);
    let folder = target.parent().filter(|folder| !folder.as_os_str().is_empty());
    // As any new file: what the process' mask leaves of it.
    let permissions = fs::Permissions::from_mode(0o666);
    let beside = tempfile::Builder::new()
        .prefix(".warpsmith-")
        .permissions(permissions)
        .tempfile_in(folder.unwrap_or(Path::new(".")));
    let beside = match beside {
        Err(_) if old.is_some() => return fill(&File::create(file)?, content),
        other => other?,
    };
    fill(beside.as_file(), content)?;
    // Some file systems tell only now that they are full.
    beside.as_file().sync_all()?;
    old.map_or(Ok(()), |permissions| beside.as_file().set_permissions(permissions))?;
    beside.persist(target).map(|_| ()).map_err(|error| error.error)
}

fn fill(file: &File, content: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    content(&mut out)?;
    out.flush()
}

/// Where `file` leads: to what a link names, also where that is not there yet.
fn target(file: &Path) -> PathBuf {
    let mut target = file.to_owned();
    for _ in 0..MOST_LINKS {
        let Ok(next) = fs::read_link(&target) else { break };
        target = target.parent().unwrap_or(Path::new("")).join(next);
    }
    target
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    fn text(file: &Path) -> String {
        fs::read_to_string(file).expect("it is there")
    }

    fn names(folder: &Path) -> Vec<String> {
        let all = fs::read_dir(folder).expect("it is there");
        let mut all: Vec<_> =
            all.map(|one| one.expect("it is there").file_name().to_string_lossy().into_owned()).collect();
        all.sort();
        all
    }

    #[test]
    fn a_file_that_can_be_written_stays_as_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let (new, old) = (folder.path().join("new"), folder.path().join("old"));
        check_writable(&new).expect("the folder is writable");
        assert!(!new.exists());
        fs::write(&old, "text").expect("it is writable");
        check_writable(&old).expect("it is writable");
        assert_eq!(text(&old), "text");
        check_writable(Path::new("/dev/null")).expect("it takes all");
    }

    #[test]
    fn a_file_that_cannot_be_written_is_named() {
        let folder = tempfile::tempdir().expect("a folder");
        let ring = folder.path().join("ring");
        symlink(&ring, &ring).expect("links are possible");
        for file in [folder.path().to_owned(), folder.path().join("no/such"), ring] {
            let error = check_writable(&file).expect_err("it cannot be written").to_string();
            assert!(error.starts_with(&format!("cannot write {}: ", file.display())), "{error}");
            let error =
                write(&file, |out| out.write_all(b"x")).expect_err("it cannot be written").to_string();
            assert!(error.starts_with(&format!("cannot write {}: ", file.display())), "{error}");
        }
        assert_eq!(names(folder.path()), ["ring"]);
    }

    #[test]
    fn a_link_to_nothing_is_tried_and_nothing_left_behind_it() {
        let folder = tempfile::tempdir().expect("a folder");
        fs::create_dir(folder.path().join("far")).expect("it is writable");
        let link = folder.path().join("link");
        symlink("far/one", &link).expect("links are possible");
        check_writable(&link).expect("the folder is writable");
        assert!(names(&folder.path().join("far")).is_empty() && link.is_symlink());
        write(&link, |out| out.write_all(b"new")).expect("it is writable");
        assert!(link.is_symlink() && text(&folder.path().join("far/one")) == "new");
        write(&link, |out| out.write_all(b"newer")).expect("it is writable");
        assert!(link.is_symlink() && text(&folder.path().join("far/one")) == "newer");
        symlink("no/such", folder.path().join("lost")).expect("links are possible");
        check_writable(&folder.path().join("lost")).expect_err("there is no folder");
    }

    #[test]
    fn a_write_that_fails_leaves_the_old_file_and_nothing_beside_it() {
        let folder = tempfile::tempdir().expect("a folder");
        let (old, new) = (folder.path().join("old"), folder.path().join("new"));
        fs::write(&old, "text").expect("it is writable");
        fs::set_permissions(&old, fs::Permissions::from_mode(0o640)).expect("it is ours");
        for file in [&old, &new] {
            let failed = write(file, |out| {
                out.write_all(&[0; 100_000])?;
                Err(io::Error::other("full"))
            });
            let want = format!("cannot write {}: full", file.display());
            assert_eq!(failed.err().map(|error| error.to_string()), Some(want));
        }
        assert_eq!((text(&old), names(folder.path())), ("text".to_owned(), vec!["old".to_owned()]));
        write(&old, |out| out.write_all(b"other")).expect("it is writable");
        let mode = fs::metadata(&old).expect("it is there").permissions().mode();
        assert_eq!((text(&old).as_str(), mode & 0o777), ("other", 0o640));
    }

    #[test]
    fn devices_are_written_as_they_are() {
        write(Path::new("/dev/null"), |out| out.write_all(b"x")).expect("it takes all");
        let full = write(Path::new("/dev/full"), |out| out.write_all(b"x"));
        assert!(full.is_err_and(|error| error.to_string().starts_with("cannot write /dev/full: ")));
    }

    #[test]
    fn one_file_under_two_names_is_one_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let [read, link, hard, other] =
            ["read", "link", "hard", "other"].map(|name| folder.path().join(name));
        fs::write(&read, "text").expect("it is writable");
        fs::write(&other, "text").expect("it is writable");
        symlink("read", &link).expect("links are possible");
        fs::hard_link(&read, &hard).expect("links are possible");
        let check =
            |file: &Path| check_is_another("--out", file, &[("--query", &other), ("--series", &read)]);
        for file in [&read, &link, &hard, &folder.path().join("../").join(&read)] {
            let want = format!("--out {} is the file of --series; it would be lost", file.display());
            assert_eq!(check(file).err().map(|error| error.to_string()), Some(want));
        }
        check(&folder.path().join("new")).expect("it is not there");
        check_is_another("--out", Path::new("/dev/null"), &[("--series", Path::new("/dev/null"))])
            .expect("it holds nothing");
    }
}
