//! `cargo xtask bundle`: what runs on a machine that has a driver and no Rust.

use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

use crate::error::Error;
use crate::{build_ptx, process, workspace};

/// Bytes the bundle may have.
const LIMIT: u64 = 60_000_000;

/// Programs of the bundle: how cargo is asked for each, and its name.
const PROGRAMS: [(&str, &str); 6] = [
    ("--bin", "warpsmith"),
    ("--test", "differential"),
    ("--test", "accurate"),
    ("--test", "gpu"),
    ("--test", "golden"),
    ("--bin", "bench"),
];

/// Release builds without symbols; a profile of its own, so that other release builds stay as they are.
const PROFILE: [&str; 3] =
    ["profile.dist.inherits=\"release\"", "profile.dist.strip=\"symbols\"", "profile.dist.debug=false"];

/// Folders that travel as they are, and where they go.
const FOLDERS: [(&str, &str); 2] = [("data", "data"), ("benches/baselines", "baselines")];

/// The PTX, packed: as text it is ten times as large. The script unpacks it beside the programs.
const PTX: &str = "ptx.tar.gz";

/// The script of the bundle.
const SCRIPT: &str = include_str!("bundle/run-gpu.sh");

/// Builds the bundle anew.
pub fn run() -> Result<(), Error> {
    build_ptx::default_set()?;
    let programs = build()?;
    let bundle = workspace::target().join("bundle");
    if bundle.exists() {
        fs::remove_dir_all(&bundle).map_err(Error::io("remove", &bundle))?;
    }
    fs::create_dir_all(&bundle).map_err(Error::io("create", &bundle))?;
    for (name, path) in programs {
        copy_file(&path, &bundle.join(name))?;
    }
    for (from, to) in FOLDERS {
        copy_folder(&workspace::root().join(from), &bundle.join(to))?;
    }
    pack_ptx(&bundle.join(PTX))?;
    let script = bundle.join("run-gpu.sh");
    fs::write(&script, SCRIPT).map_err(Error::io("write", &script))?;
    make_executable(&script)?;
    let commit = bundle.join("COMMIT");
    fs::write(&commit, commit_name()).map_err(Error::io("write", &commit))?;
    check_size(&bundle)
}

/// A line of cargo's `--message-format=json`.
#[derive(Deserialize)]
struct Message {
    target: Option<Target>,
    executable: Option<PathBuf>,
}

#[derive(Deserialize)]
struct Target {
    name: String,
}

fn build() -> Result<Vec<(&'static str, PathBuf)>, Error> {
    let mut command =
        process::cargo(["build", "--profile", "dist", "--message-format=json-render-diagnostics"]);
    command.args(PROFILE.iter().flat_map(|setting| ["--config", setting]));
    command.args(["--package", "host", "--package", "tests", "--package", "benches"]);
    command.args(PROGRAMS.iter().flat_map(|(kind, name)| [*kind, *name]));
    eprintln!("$ {}", process::line(&command));
    let output = process::output(&mut command)?;
    let mut built = Vec::new();
    for line in output.lines() {
        let message: Message = serde_json::from_str(line)
            .map_err(|source| Error::Output { command: process::line(&command), source })?;
        if let (Some(target), Some(executable)) = (message.target, message.executable) {
            built.push((target.name, executable));
        }
    }
    let find = |&(_, name): &(&str, &'static str)| {
        let found = built.iter().find(|(target, _)| target == name).map(|(_, path)| (name, path.clone()));
        found.ok_or_else(|| Error::NotBuilt { what: format!("program `{name}`") })
    };
    PROGRAMS.iter().map(find).collect()
}

/// The commit the bundle was built from, for records; `unknown` outside a git checkout.
fn commit_name() -> String {
    let mut command = std::process::Command::new("git");
    command.args(["describe", "--always", "--dirty", "--abbrev=12"]).current_dir(workspace::root());
    process::output(&mut command).unwrap_or_else(|_| "unknown\n".to_owned())
}

fn copy_file(from: &Path, to: &Path) -> Result<(), Error> {
    fs::copy(from, to).map_err(Error::io("copy", from))?;
    Ok(())
}

fn copy_folder(from: &Path, to: &Path) -> Result<(), Error> {
    fs::create_dir_all(to).map_err(Error::io("create", to))?;
    for entry in fs::read_dir(from).map_err(Error::io("read", from))? {
        let path = entry.map_err(Error::io("read", from))?.path();
        let target = to.join(path.file_name().unwrap_or_default());
        if path.is_dir() { copy_folder(&path, &target)? } else { copy_file(&path, &target)? }
    }
    Ok(())
}

/// Packs `target/ptx` without the builder's locks, which are hidden files.
fn pack_ptx(archive: &Path) -> Result<(), Error> {
    let mut command = std::process::Command::new("tar");
    command.arg("--exclude=.?*").arg("-C").arg(workspace::target()).arg("-czf").arg(archive).arg("ptx");
    process::run(&mut command)
}

fn make_executable(path: &Path) -> Result<(), Error> {
    use std::os::unix::fs::PermissionsExt as _;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).map_err(Error::io("make executable", path))
}

fn check_size(bundle: &Path) -> Result<(), Error> {
    let mut files = Vec::new();
    sizes(bundle, &mut files)?;
    files.sort_by_key(|(_, bytes)| std::cmp::Reverse(*bytes));
    let bytes: u64 = files.iter().map(|(_, bytes)| bytes).sum();
    if bytes > LIMIT {
        let largest = files.iter().take(5).map(|(path, bytes)| format!("{} ({bytes})", path.display()));
        let largest = largest.collect::<Vec<_>>().join(", ");
        return Err(Error::BundleTooLarge { bytes, limit: LIMIT, largest });
    }
    println!(
        "{}: {} files, {:.1} MB of at most {}",
        bundle.display(),
        files.len(),
        bytes as f64 / 1e6,
        LIMIT / 1_000_000
    );
    Ok(())
}

fn sizes(folder: &Path, files: &mut Vec<(PathBuf, u64)>) -> Result<(), Error> {
    for entry in fs::read_dir(folder).map_err(Error::io("read", folder))? {
        let entry = entry.map_err(Error::io("read", folder))?;
        let path = entry.path();
        if path.is_dir() {
            sizes(&path, files)?;
        } else {
            files.push((path.clone(), entry.metadata().map_err(Error::io("read", path))?.len()));
        }
    }
    Ok(())
}
