//! `cargo xtask doctor`: what a build and a run need, what is here, and how to get the rest.

use std::process::Command;

use cuda_loader::{Driver, LoadError};
use ptx_builder::doctor::State;
use ptx_builder::manifest::Manifest;
use ptx_builder::{Backend, CudaVersion, PtxVersion};

use crate::error::Error;
use crate::workspace;

/// A line of the table.
struct Line {
    name: &'static str,
    required: bool,
    state: State,
}

/// Prints the table. Fails where something is missing that a build needs.
pub fn run() -> Result<(), Error> {
    println!(
        "Warpsmith needs rustc {} or newer with LLVM {}.",
        rustc_range(),
        ptx_builder::toolchain::LLVM_MAJOR
    );
    let mut lines: Vec<Line> = ptx_builder::doctor::facts(workspace::root())
        .into_iter()
        .map(|fact| Line { name: fact.name, required: fact.required, state: fact.state })
        .collect();
    let manifests = workspace::manifests();
    let driver = cuda_loader::availability();
    lines.extend([
        system(),
        optional("python and pip", pip()),
        optional("driver", describe_driver(driver.as_deref())),
    ]);
    match manifests {
        Ok(manifests) => {
            lines.extend(Backend::ALL.map(|backend| {
                let name = match backend {
                    Backend::Llvm => "PTX by llvm",
                    Backend::Nvvm => "PTX by nvvm",
                };
                optional(name, artefacts(backend, &manifests))
            }));
            lines.extend(
                driver
                    .ok()
                    .and_then(Driver::version)
                    .map(|version| optional("driver and PTX", driver_takes(version, &manifests))),
            );
        }
        Err(error) => lines.push(optional("PTX", missing(error.to_string(), "run `cargo xtask build-ptx`"))),
    }
    lines.push(optional("disk", disk()));
    lines.iter().for_each(print);
    let needed = |line: &&Line| line.required && matches!(line.state, State::Missing { .. });
    if lines.iter().any(|line| needed(&line)) { Err(Error::Reported) } else { Ok(()) }
}

fn rustc_range() -> String {
    let (major, minor) = ptx_builder::toolchain::MIN_RUSTC;
    format!("{major}.{minor}")
}

fn print(line: &Line) {
    match &line.state {
        State::Found(what) => println!("found    {:<15} {what}", line.name),
        State::Missing { reason, next_step } => {
            let word = if line.required { "MISSING" } else { "missing" };
            println!("{word}  {:<15} {reason}\n{:25}→ {next_step}", line.name, "");
        }
    }
}

fn optional(name: &'static str, state: State) -> Line {
    Line { name, required: false, state }
}

fn missing(reason: impl Into<String>, next_step: impl Into<String>) -> State {
    State::Missing { reason: reason.into(), next_step: next_step.into() }
}

fn is_wsl() -> bool {
    std::fs::read_to_string("/proc/version").is_ok_and(|text| text.to_ascii_lowercase().contains("microsoft"))
}

fn system() -> Line {
    let arch = std::env::consts::ARCH;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let wsl = if is_wsl() { ", WSL2: the driver is the one installed in Windows" } else { "" };
    Line {
        name: "system",
        required: true,
        state: State::Found(format!("Linux on {arch}, {cores} cores{wsl}")),
    }
}

/// What goes without pip.
const NEEDS_PIP: &str = "only `cargo xtask setup --ptxas` and `--nvvm` use it; their errors name other ways";

fn pip() -> State {
    let output = Command::new("python3").args(["-m", "pip", "--version"]).output();
    match output {
        Ok(output) if output.status.success() => {
            let text = String::from_utf8_lossy(&output.stdout);
            State::Found(text.split(" from ").next().unwrap_or("pip").trim().to_owned())
        }
        Ok(_) => missing("python3 has no pip", NEEDS_PIP),
        Err(_) => missing("no python3", NEEDS_PIP),
    }
}

fn describe_driver(driver: Result<&Driver, &LoadError>) -> State {
    let reason = match driver {
        Ok(driver) => {
            let version = driver.version().map_or_else(|| "of an unknown version".to_owned(), cuda_name);
            return State::Found(format!("{}, {version}", driver.path().display()));
        }
        Err(LoadError::NotFound { attempts }) => {
            let names: Vec<_> = attempts.iter().map(|attempt| attempt.name.display().to_string()).collect();
            format!("cannot open any of {}", names.join(", "))
        }
        Err(error) => error.to_string(),
    };
    let place = if is_wsl() { "in Windows, not in WSL2" } else { "470 or newer" };
    missing(reason, format!("install NVIDIA's driver, {place}; without one everything runs on the CPU"))
}

fn cuda_name(version: u32) -> String {
    format!("CUDA {}", CudaVersion(version))
}

/// The artefacts of one back end.
fn artefacts(backend: Backend, manifests: &[Manifest]) -> State {
    let ours: Vec<&Manifest> = manifests.iter().filter(|m| m.codegen == backend.name()).collect();
    let next_step = format!("run `cargo xtask build-ptx --backend {backend}`");
    if ours.is_empty() {
        return missing(format!("no PTX under target/ptx/{backend}"), next_step);
    }
    let describe = |m: &&Manifest| {
        let by_default = m.entries.values().filter(|info| info.default_backend == backend).count();
        let Manifest { arch, ptx_version, entries, .. } = m;
        format!("{arch} (PTX {ptx_version}, default of {by_default} of {} kernels)", entries.len())
    };
    let list = ours.iter().map(describe).collect::<Vec<_>>().join(", ");
    let changed =
        |m: &&Manifest| m.changed_source().map(|source| format!("{}: {source} has changed", m.arch));
    let stale: Vec<String> = ours.iter().filter_map(changed).collect();
    if stale.is_empty() {
        State::Found(list)
    } else {
        missing(format!("stale: {}", stale.join(", ")), next_step)
    }
}

/// Which of the artefacts the driver takes.
fn driver_takes(version: u32, manifests: &[Manifest]) -> State {
    let takes = PtxVersion::newest_for(version);
    let too_new = |m: &&Manifest| m.ptx_version.parse().map_or(true, |ptx: PtxVersion| Some(ptx) > takes);
    let refused: Vec<_> = manifests
        .iter()
        .filter(too_new)
        .map(|m| format!("{} by {} (PTX {})", m.arch, m.codegen, m.ptx_version))
        .collect();
    if refused.is_empty() {
        return State::Found(format!("a driver of {} takes all of them", cuda_name(version)));
    }
    let reason = format!("a driver of {} does not take {}", cuda_name(version), refused.join(", "));
    missing(
        reason,
        "update the driver; until then the other back end's PTX, or an older architecture's, is used where the GPU runs it",
    )
}

/// What a fresh build of everything takes, in GiB.
const DISK_GIB: u64 = 6;

fn disk() -> State {
    let output = Command::new("df").args(["-Pk", "."]).current_dir(workspace::root()).output();
    let text = output.map(|o| String::from_utf8_lossy(&o.stdout).into_owned()).unwrap_or_default();
    let free = text
        .lines()
        .nth(1)
        .and_then(|line| line.split_whitespace().nth(3))
        .and_then(|kib| kib.parse::<u64>().ok());
    match free.map(|kib| kib >> 20) {
        Some(gib) if gib >= DISK_GIB => {
            State::Found(format!("{gib} GiB free, a full build takes up to {DISK_GIB}"))
        }
        Some(gib) => missing(
            format!("{gib} GiB free, a full build takes up to {DISK_GIB}"),
            "make room, or `cargo clean`",
        ),
        None => {
            missing("`df` does not say how much is free", format!("a full build takes up to {DISK_GIB} GiB"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn manifest(codegen: &str, arch: &str) -> Manifest {
        let text = format!(
            r#"{{"version": {version}, "codegen": "{codegen}", "arch": "{arch}", "ptx_version": "9.0",
            "source_hash": "", "build_key": "", "rustc": "", "llvm": "", "flags": [], "source_root": "", "sources": {{}},
            "families": {{}}, "entries": {{}}}}"#,
            version = ptx_builder::manifest::VERSION
        );
        Manifest::from_json(&text, std::path::Path::new("m")).expect("it is a manifest")
    }

    #[test]
    fn stale_artefacts_are_named_with_their_back_end_and_what_to_run() {
        let mut stale = manifest("nvvm", "sm_90");
        stale.source_root = workspace::root().to_owned();
        stale.sources.insert("Cargo.toml".to_owned(), "another hash".to_owned());
        let manifests = [manifest("llvm", "sm_80"), stale];
        assert!(
            matches!(artefacts(Backend::Llvm, &manifests), State::Found(list) if list.contains("sm_80 (PTX 9.0"))
        );
        let State::Missing { reason, next_step } = artefacts(Backend::Nvvm, &manifests) else {
            panic!("stale")
        };
        assert_eq!(reason, "stale: sm_90: Cargo.toml has changed");
        assert_eq!(next_step, "run `cargo xtask build-ptx --backend nvvm`");
        let State::Missing { reason, .. } = artefacts(Backend::Nvvm, &manifests[..1]) else { panic!("none") };
        assert_eq!(reason, "no PTX under target/ptx/nvvm");
    }

    #[test]
    fn ptx_that_the_driver_does_not_take_is_named_with_its_back_end() {
        let mut newer = manifest("nvvm", "sm_90");
        newer.ptx_version = "9.5".to_owned();
        assert!(matches!(driver_takes(13_000, &[manifest("llvm", "sm_90")]), State::Found(_)));
        let State::Missing { reason, .. } = driver_takes(13_000, &[newer]) else { panic!("it is too new") };
        assert_eq!(reason, "a driver of CUDA 13.0 does not take sm_90 by nvvm (PTX 9.5)");
    }
}
