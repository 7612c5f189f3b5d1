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
    fetch(&place).map_err(|reason| BuildError::Setup {
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

fn fetch(place: &Path) -> Result<Ptxas, String> {
    let folder = place.parent().ok_or("the target folder has no parent")?;
    let work = folder.join("download");
    let text = |error: std::io::Error| format!("{}: {error}", work.display());
    fs::create_dir_all(&work).map_err(text)?;
    let wheel = format!("{PTXAS_PACKAGE}=={PTXAS_VERSION}");
    let download = ["-m", "pip", "download", "--no-deps", "--only-binary", ":all:", &wheel, "--dest", "."];
    python(&download, &work)?;
    let wheel = fs::read_dir(&work)
        .map_err(text)?
        .flatten()
        .map(|entry| entry.path())
        .find(|path| path.extension().is_some_and(|extension| extension == "whl"))
        .ok_or("pip left no wheel")?;
    let partial = folder.join("ptxas.part");
    python(&["-c", UNPACK, &wheel.display().to_string(), &partial.display().to_string()], &work)?;
    make_executable(&partial).map_err(text)?;
    fs::rename(&partial, place).map_err(text)?;
    fs::remove_dir_all(&work).map_err(text)?;
    Ptxas::at(place).ok_or_else(|| format!("{} does not run on this machine", place.display()))
}

/// Copies the one member that ends in `bin/ptxas` out of the wheel.
const UNPACK: &str = "
import shutil, sys, zipfile
wheel = zipfile.ZipFile(sys.argv[1])
names = [name for name in wheel.namelist() if name.endswith('bin/ptxas')]
if not names:
    sys.exit('the wheel holds no bin/ptxas')
with wheel.open(names[0]) as source, open(sys.argv[2], 'wb') as target:
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
