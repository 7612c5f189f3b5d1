//! Fetches the optional parts under `target/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BuildError;
use crate::ptxas::{PTXAS_VAR, Ptxas};

/// The ptxas that [`ptxas`] fetches; it takes PTX up to 9.0, as a driver of the 580 line does.
pub const PTXAS_VERSION: &str = "13.0.88";
/// The PyPI package that holds it.
pub const PTXAS_PACKAGE: &str = "nvidia-cuda-nvcc";
/// The libNVVM that is fetched unless another is asked for; it writes PTX 9.0, which a driver of the 580 line takes.
pub const NVVM_VERSION: &str = "13.0.88";
/// The PyPI package that holds it.
pub const NVVM_PACKAGE: &str = "nvidia-nvvm";

/// Where [`ptxas`] leaves the program.
#[must_use]
pub fn ptxas_path(target_dir: &Path) -> PathBuf {
    target_dir.join(format!("tools/ptxas-{PTXAS_VERSION}/ptxas"))
}

/// Downloads NVIDIA's wheel with pip and unpacks ptxas from it. Does nothing when it is there.
///
/// # Errors
/// No python3 or pip, no network, a wheel without ptxas; the message lists the other ways.
pub fn ptxas(target_dir: &Path) -> Result<Ptxas, BuildError> {
    let place = ptxas_path(target_dir);
    if let Some(found) = Ptxas::at(&place) {
        return Ok(found);
    }
    let checked = fetch(PTXAS_PACKAGE, PTXAS_VERSION, "bin/ptxas", &place).and_then(|()| {
        make_executable(&place).map_err(|error| format!("{}: {error}", place.display()))?;
        Ptxas::at(&place).ok_or_else(|| format!("{} does not run on this machine", place.display()))
    });
    checked.map_err(|reason| BuildError::Setup {
        what: format!("ptxas {PTXAS_VERSION}"),
        reason,
        other_ways: other_ways(&place),
    })
}

/// How else ptxas can come here.
#[must_use]
pub fn other_ways(place: &Path) -> Vec<String> {
    vec![
        "other ways:".to_owned(),
        "  - install the CUDA toolkit and put its bin folder on PATH, or set CUDA_HOME".to_owned(),
        format!("  - set {PTXAS_VAR} to a ptxas of version 12.0 or newer"),
        format!(
            "  - on a machine with pip, run `python3 -m pip download --no-deps {PTXAS_PACKAGE}=={PTXAS_VERSION}`, unzip the wheel, and copy bin/ptxas to {}",
            place.display()
        ),
        "  - go without: kernels build, and registers and spills are not checked".to_owned(),
    ]
}

/// Where [`nvvm`] leaves the library.
#[must_use]
pub fn nvvm_path(target_dir: &Path, version: &str) -> PathBuf {
    target_dir.join(format!("tools/nvvm-{version}/libnvvm.so.4"))
}

/// The folders that [`nvvm`] has filled, the newest version first.
pub(crate) fn nvvm_folders(target_dir: &Path) -> Vec<PathBuf> {
    let version = |path: &PathBuf| -> Option<Vec<u32>> {
        let name = path.file_name()?.to_str()?.strip_prefix("nvvm-")?;
        name.split('.').map(|part| part.parse().ok()).collect()
    };
    let entries = fs::read_dir(target_dir.join("tools")).into_iter().flatten().flatten();
    let mut found: Vec<_> =
        entries.map(|entry| entry.path()).filter_map(|path| Some((version(&path)?, path))).collect();
    found.sort();
    found.into_iter().rev().map(|(_, path)| path).collect()
}

/// Downloads NVIDIA's wheel with pip and unpacks libNVVM from it. Does nothing when it is there.
///
/// # Errors
/// A version that is no version, no python3 or pip, no network, a wheel without libNVVM; the message lists the
/// other ways.
pub fn nvvm(target_dir: &Path, version: &str) -> Result<PathBuf, BuildError> {
    let refused = |reason, other: &str| BuildError::Setup {
        what: format!("libNVVM {version}"),
        reason,
        other_ways: nvvm_ways(target_dir, other),
    };
    if !version.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit())) {
        return Err(refused(format!("`{version}` is no version such as {NVVM_VERSION}"), NVVM_VERSION));
    }
    let place = nvvm_path(target_dir, version);
    if place.is_file() {
        return Ok(place);
    }
    let fetched = fetch(NVVM_PACKAGE, version, "lib[^/]*/libnvvm[.]so[.][0-9]+", &place);
    let opened = fetched.and_then(|()| keep_if_it_opens(&place));
    opened.map(|()| place).map_err(|reason| refused(reason, version))
}

/// A file that is no libNVVM goes again: the next run would take it for one.
fn keep_if_it_opens(place: &Path) -> Result<(), String> {
    let opened = ptx_linker::NvvmLibrary::open(place).map(drop).map_err(|error| error.to_string());
    if opened.is_err() {
        fs::remove_file(place).map_err(|error| format!("{}: {error}", place.display()))?;
    }
    opened
}

/// How libNVVM of this version can come here.
pub(crate) fn nvvm_ways(target_dir: &Path, version: &str) -> Vec<String> {
    vec![
        "ways to get one:".to_owned(),
        "  - run `cargo xtask setup --nvvm`, which fetches it from PyPI".to_owned(),
        "  - install the CUDA toolkit and set CUDA_HOME".to_owned(),
        format!("  - set {} to the file libnvvm.so.4", crate::backend::LIBNVVM_VAR),
        format!(
            "  - on a machine with pip, run `python3 -m pip download --no-deps {NVVM_PACKAGE}=={version}`, unzip the wheel, and copy libnvvm.so.4 to {}",
            nvvm_path(target_dir, version).display()
        ),
        "  - go without: the back end `llvm` needs none".to_owned(),
    ]
}

/// Downloads the wheel of `package`, and unpacks the member whose path ends as the pattern `member` says to `place`.
/// Nothing else stays, whatever goes wrong.
fn fetch(package: &str, version: &str, member: &str, place: &Path) -> Result<(), String> {
    let folder = place.parent().ok_or("the target folder has no parent")?;
    let work = folder.join("download");
    let text = |error: std::io::Error| format!("{}: {error}", work.display());
    fs::create_dir_all(&work).map_err(text)?;
    let fetched = download(package, version, &work).and_then(|wheel| unpack(&wheel, member, place));
    fs::remove_dir_all(&work).map_err(text)?;
    fetched
}

/// The wheel that pip leaves in `work`.
fn download(package: &str, version: &str, work: &Path) -> Result<PathBuf, String> {
    let wheel = format!("{package}=={version}");
    python(&["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", &wheel, "--dest", "."], work)?;
    let entries = fs::read_dir(work).map_err(|error| format!("{}: {error}", work.display()))?;
    let mut paths = entries.flatten().map(|entry| entry.path());
    let wheel = paths.find(|path| path.extension().is_some_and(|extension| extension == "whl"));
    wheel.ok_or_else(|| "pip left no wheel".to_owned())
}

/// Takes the member out of the wheel. `place` is written whole or not at all.
fn unpack(wheel: &Path, member: &str, place: &Path) -> Result<(), String> {
    let partial = wheel.with_extension("part");
    let work = wheel.parent().ok_or("the wheel has no folder")?;
    python(&["-c", UNPACK, &wheel.display().to_string(), member, &partial.display().to_string()], work)?;
    fs::rename(&partial, place).map_err(|error| format!("{}: {error}", place.display()))
}

/// Copies the first member that ends as the pattern says out of the wheel.
const UNPACK: &str = "
import re, shutil, sys, zipfile, zlib
try:
    wheel = zipfile.ZipFile(sys.argv[1])
except zipfile.BadZipFile as error:
    sys.exit('the wheel ' + sys.argv[1] + ' is broken: ' + str(error))
names = [name for name in wheel.namelist() if re.search('(^|/)' + sys.argv[2] + '$', name)]
if not names:
    sys.exit('the wheel holds no ' + sys.argv[2])
try:
    with wheel.open(names[0]) as source, open(sys.argv[3], 'wb') as target:
        shutil.copyfileobj(source, target)
except (zipfile.BadZipFile, zlib.error, EOFError) as error:
    sys.exit('the wheel ' + sys.argv[1] + ' is broken: ' + str(error))
";

fn python(args: &[&str], dir: &Path) -> Result<(), String> {
    let mut command = Command::new("python3");
    command.args(args).current_dir(dir);
    let output = command.output().map_err(|error| format!("cannot start python3: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let log = String::from_utf8_lossy(&output.stderr);
    let what = if args[0] == "-c" {
        "unpacking with python3".to_owned()
    } else {
        format!("python3 {}", args[..3].join(" "))
    };
    Err(format!("{what}: {}", log.trim()))
}

#[cfg(unix)]
fn make_executable(path: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_path: &Path) -> std::io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const MEMBER: &str = "lib[^/]*/libnvvm[.]so[.][0-9]+";

    /// A wheel with one member, in a folder that goes away with the test.
    fn wheel(member: &str) -> (tempfile::TempDir, PathBuf) {
        let dir = tempfile::tempdir().expect("a folder");
        let code = "import sys, zipfile; w = zipfile.ZipFile('w.whl', 'w', zipfile.ZIP_DEFLATED); w.writestr(sys.argv[1], 'no ELF' * 999)";
        python(&["-c", code, member], dir.path()).expect("python3 writes a wheel");
        let path = dir.path().join("w.whl");
        (dir, path)
    }

    fn files(dir: &Path) -> Vec<String> {
        let entries = fs::read_dir(dir).expect("a folder").flatten();
        let mut names: Vec<_> = entries.map(|e| e.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    #[test]
    fn a_version_that_is_none_fetches_nothing_and_leads_to_one_that_is() {
        let dir = tempfile::tempdir().expect("a folder");
        let there = dir.path().join("tools/nvvm-1/libnvvm.so.4");
        fs::create_dir_all(there.parent().expect("a folder")).expect("it is writable");
        fs::write(&there, "").expect("it is writable");
        for version in ["", "13.", "13.x", "1/../nvvm-1"] {
            let error = nvvm(dir.path(), version).expect_err("no version").to_string();
            assert!(error.contains(&format!("`{version}` is no version")), "{error}");
            assert!(error.contains(&format!("tools/nvvm-{NVVM_VERSION}/libnvvm.so.4")), "{error}");
        }
    }

    #[test]
    fn a_wheel_gives_its_library() {
        let (dir, path) = wheel("nvidia/cu13/lib/libnvvm.so.4");
        let place = dir.path().join("libnvvm.so.4");
        unpack(&path, MEMBER, &place).expect("it is there");
        assert_eq!(files(dir.path()), ["libnvvm.so.4", "w.whl"]);
    }

    #[test]
    fn a_wheel_without_the_library_says_so() {
        let (dir, path) = wheel("nvidia/cu13/lib/libother.so.4");
        let error = unpack(&path, MEMBER, &dir.path().join("libnvvm.so.4")).expect_err("no library");
        assert!(error.contains("the wheel holds no lib"), "{error}");
        assert_eq!(files(dir.path()), ["w.whl"]);
    }

    #[test]
    fn a_broken_wheel_is_told_and_leaves_no_library() {
        let (dir, path) = wheel("nvidia/cu13/lib/libnvvm.so.4");
        let whole = fs::read(&path).expect("the wheel");
        let mut damaged = whole.clone();
        damaged[80] ^= 0x55;
        for bytes in [&whole[..whole.len() / 2], &[][..], &damaged] {
            fs::write(&path, bytes).expect("a file");
            let error = unpack(&path, MEMBER, &dir.path().join("libnvvm.so.4")).expect_err("broken");
            assert!(error.contains("w.whl is broken"), "{error}");
            assert!(!files(dir.path()).contains(&"libnvvm.so.4".to_owned()));
        }
    }

    #[test]
    fn a_file_that_is_no_libnvvm_is_not_kept() {
        let (dir, path) = wheel("nvidia/cu13/lib/libnvvm.so.4");
        let place = dir.path().join("libnvvm.so.4");
        unpack(&path, MEMBER, &place).expect("it is there");
        let error = keep_if_it_opens(&place).expect_err("no ELF");
        assert!(error.contains("cannot open libNVVM"), "{error}");
        assert!(!place.exists());
    }
}
