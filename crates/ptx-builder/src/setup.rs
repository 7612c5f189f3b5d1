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
    let place = nvvm_path(target_dir, version);
    if place.is_file() {
        return Ok(place);
    }
    let is_version =
        version.split('.').all(|part| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit()));
    let fetched = if is_version {
        fetch(NVVM_PACKAGE, version, "lib[^/]*/libnvvm[.]so[.][0-9]+", &place)
    } else {
        Err(format!("`{version}` is no version such as {NVVM_VERSION}"))
    };
    let opened = fetched
        .and_then(|()| ptx_linker::NvvmLibrary::open(&place).map(drop).map_err(|error| error.to_string()));
    opened.map(|()| place.clone()).map_err(|reason| BuildError::Setup {
        what: format!("libNVVM {version}"),
        reason,
        other_ways: nvvm_ways(&place),
    })
}

/// How libNVVM can come here.
pub(crate) fn nvvm_ways(place: &Path) -> Vec<String> {
    vec![
        "ways to get one:".to_owned(),
        "  - run `cargo xtask setup --nvvm`, which fetches it from PyPI".to_owned(),
        "  - install the CUDA toolkit and set CUDA_HOME".to_owned(),
        format!("  - set {} to the file libnvvm.so.4", crate::backend::LIBNVVM_VAR),
        format!(
            "  - on a machine with pip, run `python3 -m pip download --no-deps {NVVM_PACKAGE}=={NVVM_VERSION}`, unzip the wheel, and copy libnvvm.so.4 to {}",
            place.display()
        ),
        "  - go without: the back end `llvm` needs none".to_owned(),
    ]
}

/// Downloads the wheel of `package`, and unpacks the member whose path ends as the pattern `member` says to `place`.
fn fetch(package: &str, version: &str, member: &str, place: &Path) -> Result<(), String> {
    let folder = place.parent().ok_or("the target folder has no parent")?;
    let work = folder.join("download");
    let text = |error: std::io::Error| format!("{}: {error}", work.display());
    fs::create_dir_all(&work).map_err(text)?;
    let wheel = format!("{package}=={version}");
    let download = ["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", &wheel, "--dest", "."];
    python(&download, &work)?;
    let wheel = fs::read_dir(&work)
        .map_err(text)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or("pip left no wheel")?;
    let partial = place.with_extension("part");
    python(&["-c", UNPACK, &wheel.display().to_string(), member, &partial.display().to_string()], &work)?;
    fs::rename(&partial, place).map_err(text)?;
    fs::remove_dir_all(&work).map_err(text)
}

/// Copies the first member that ends as the pattern says out of the wheel.
const UNPACK: &str = "
import re, shutil, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = [name for name in wheel.namelist() if re.search('(^|/)' + sys.argv[2] + '$', name)]
if not names:
    sys.exit('the wheel holds no ' + sys.argv[2])
with wheel.open(names[0]) as source, open(sys.argv[3], 'wb') as target:
    shutil.copyfileobj(source, target)
";

fn python(args: &[&str], dir: &Path) -> Result<(), String> {
    let mut command = Command::new("python3");
    command.args(args).current_dir(dir);
    let output = command.output().map_err(|error| format!("cannot start python3: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let log = String::from_utf8_lossy(&output.stderr);
    Err(format!("python3 {}: {}", args[..args.len().min(3)].join(" "), log.trim()))
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
