//! The life of a build: fresh, unchanged, edited, broken; inside cargo, and two at once.

mod common;

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use common::{ARCH, PROGRAM, build, builder, fixture};
use ptx_builder::manifest::Manifest;
use ptx_builder::{Backend, BuildError};

fn tmp(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name)
}

/// The builder as a program of its own, for tests of its environment.
fn program(name: &str, out: &Path) -> Command {
    let mut command = Command::new(PROGRAM);
    command.arg(fixture(name)).arg("--out").arg(out).arg(ARCH);
    let here = build_tools();
    command.envs(here);
    command
}

/// Programs take the source of `core` from where the library calls take it.
fn build_tools() -> Option<(&'static str, PathBuf)> {
    let fetched =
        fs::read_dir(common::tools()).ok()?.flatten().map(|entry| entry.path()).find(|path| {
            path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rust-src-1"))
        })?;
    let library = fs::read_dir(fetched.join("usr/src")).ok()?.flatten().next()?.path().join("library");
    (std::env::var_os("WARPSMITH_RUST_SRC").is_none()).then_some(("WARPSMITH_RUST_SRC", library))
}

#[test]
fn the_manifest_describes_what_was_built() {
    let report = build("plain");
    let arch = &report.archs[0];
    let read = Manifest::read(&arch.dir.join("manifest.json")).expect("it was written");
    assert_eq!(read, arch.manifest);
    assert_eq!((read.arch.as_str(), read.ptx_version.as_str(), read.codegen.as_str()), (ARCH, "8.1", "llvm"));
    let entry = &read.entries["plain"];
    assert_eq!((entry.block, entry.params.len(), entry.local_bytes), (Some([64, 1, 1]), 1, 0));
    assert_eq!(entry.signature.as_ref().map(String::len), Some(16));
    assert_eq!(read.source_hash, Manifest::hash_sources(&read.sources));
    let files: Vec<_> = read.sources.keys().map(String::as_str).collect();
    assert_eq!(files, ["plain/Cargo.toml", "plain/src/lib.rs"]);
    let ptx = fs::read_to_string(arch.dir.join(&read.families["f"].file)).expect("it was written");
    assert!(ptx.contains(".reqntid 64"), "{ptx}");
    assert!(report.to_string().contains("plain"), "{report}");
}

#[test]
fn unchanged_is_quick_and_an_edit_is_stale() {
    let source = fixture("edited").join("src/lib.rs");
    let text = fs::read_to_string(&source).expect("it is there");
    let report = build("edited");
    let start = Instant::now();
    let again = build("edited");
    assert!(again.archs[0].fresh);
    assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
    assert_eq!(again.archs[0].manifest, report.archs[0].manifest);

    assert_eq!(report.archs[0].manifest.changed_source(), None);
    fs::write(&source, text.replace("*o = 1;", "*o = 77;")).expect("it is writable");
    assert_eq!(report.archs[0].manifest.changed_source(), Some("edited/src/lib.rs"));
    let rebuilt = build("edited");
    fs::write(&source, &text).expect("it is writable");
    assert!(!rebuilt.archs[0].fresh);
    let ptx = fs::read_to_string(rebuilt.archs[0].dir.join("f.ptx")).expect("it was written");
    assert!(ptx.contains("77"), "{ptx}");
}

#[test]
fn another_flag_and_damaged_ptx_build_again() {
    build("flags");
    let with_cfg = builder("flags").cfg("other").build().unwrap_or_else(|error| panic!("{error}"));
    assert!(!with_cfg.archs[0].fresh);
    assert!(!build("flags").archs[0].fresh);
    let file = with_cfg.archs[0].dir.join("f.ptx");
    fs::write(&file, "cut of").expect("it is writable");
    let stray = with_cfg.archs[0].dir.join("stray.ptx");
    fs::write(&stray, "").expect("it is writable");
    assert!(!build("flags").archs[0].fresh);
    assert!(fs::read_to_string(&file).is_ok_and(|text| text.contains(".entry flags")));
    assert!(!stray.exists());
}

#[test]
fn flags_of_other_builds_are_ignored_and_cargo_is_told() {
    let out = tmp("out/script");
    let out_dir = tmp("script-out-dir");
    fs::create_dir_all(&out_dir).expect("it is writable");
    let output = program("script", &out)
        .env("RUSTFLAGS", "--no-such-flag")
        .env("CARGO_ENCODED_RUSTFLAGS", "--no-such-flag")
        .env("CARGO_TARGET_DIR", "/nonexistent/target")
        .env("CARGO_BUILD_TARGET", "no-such-target")
        .env("RUSTC_WRAPPER", "/nonexistent/wrapper")
        .env("MAKEFLAGS", "-j --jobserver-auth=97,98")
        .env("OUT_DIR", &out_dir)
        .output()
        .expect("the program starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let told = String::from_utf8_lossy(&output.stdout);
    let source = fixture("script").join("src/lib.rs");
    assert!(
        told.lines().any(|line| line == format!("cargo:rerun-if-changed={}", source.display())),
        "{told}"
    );
    let include = fs::read_to_string(out_dir.join("warpsmith_ptx.rs")).expect("it was written");
    let ptx = out.join("llvm").join(ARCH).join("f.ptx");
    assert!(include.starts_with("&[\n    (\"llvm\", \"sm_90\", \"f\", include_str!("), "{include}");
    assert!(include.contains(&format!("include_str!({:?})", ptx.display().to_string())), "{include}");
}

/// A program that answers as ptxas does.
fn fake_ptxas(name: &str, script: &str) -> PathBuf {
    let path = tmp(name);
    let text = format!(
        "#!/bin/sh\nif [ \"$1\" = --version ]; then echo 'release 9.9, V9.9.9'; exit 0; fi\n{script}\n"
    );
    fs::write(&path, text).expect("it is writable");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("it is ours");
    path
}

#[test]
fn a_spill_that_is_not_declared_fails_the_build() {
    let script = "echo \"ptxas info    : Compiling entry function 'spilling' for 'sm_90'\"
echo 'ptxas info    : Function properties for spilling'
echo '    8 bytes stack frame, 12 bytes spill stores, 8 bytes spill loads'
echo 'ptxas info    : Used 255 registers'";
    let ptxas = fake_ptxas("ptxas-spill", script);
    let output = program("spilling", &tmp("out/spilling")).env("WARPSMITH_PTXAS", ptxas).output();
    let output = output.expect("the program starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success(), "{told}");
    assert!(
        told.contains("`spilling`: spills 12 bytes of stores and 8 of loads (ptxas), 0 declared"),
        "{told}"
    );
    assert!(told.contains("`spill_bytes = 12`"), "{told}");
}

#[test]
fn a_ptxas_that_is_too_old_is_a_warning() {
    let script =
        "echo 'ptxas k.ptx, line 5; fatal   : Unsupported .version 7.8; current version is 7.0' >&2; exit 1";
    let ptxas = fake_ptxas("ptxas-old", script);
    let output = program("oldptxas", &tmp("out/oldptxas")).env("WARPSMITH_PTXAS", ptxas).output();
    let output = output.expect("the program starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{told}");
    let fresh = told.contains("unchanged");
    assert!(fresh || told.contains("warning: ptxas 9.9.9 cannot check sm_90: "), "{told}");
}

#[test]
fn a_variable_that_names_no_ptxas_is_an_error() {
    let mut command = program("plain", &tmp("out/no-ptxas"));
    let output = command.env("WARPSMITH_PTXAS", "/nonexistent/ptxas").output().expect("the program starts");
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("WARPSMITH_PTXAS is `/nonexistent/ptxas`, which is no working ptxas"), "{told}");
}

#[test]
fn two_builds_at_once_leave_whole_files() {
    let out = tmp("out/together");
    if out.exists() {
        fs::remove_dir_all(&out).expect("it is ours");
    }
    let start = |_| {
        let mut command = program("together", &out);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the program starts")
    };
    let children: Vec<_> = (0..2).map(start).collect();
    for mut child in children {
        assert!(child.wait().expect("it ends").success());
    }
    let dir = out.join("llvm").join(ARCH);
    Manifest::read(&dir.join("manifest.json")).expect("it is whole");
    let mut names: Vec<_> =
        fs::read_dir(&dir).expect("it is there").flatten().map(|entry| entry.file_name()).collect();
    names.sort();
    assert_eq!(names, ["f.ptx", "manifest.json"]);
}

#[test]
fn a_compile_error_carries_command_flags_and_log_and_keeps_the_old_artefact() {
    let source = fixture("broken").join("src/lib.rs");
    let text = fs::read_to_string(&source).expect("it is there");
    let good = build("broken");
    fs::write(&source, format!("{text}\nfn broken() -> u32 {{ missing_name }}\n")).expect("it is writable");
    let result = builder("broken").build();
    fs::write(&source, &text).expect("it is writable");
    let Err(BuildError::Compile { arch, command, flags, log }) = result else { panic!("{result:?}") };
    assert_eq!(arch, ARCH);
    assert!(command.contains("-Zbuild-std=core") && command.contains("RUSTC_BOOTSTRAP"), "{command}");
    assert!(flags.contains(&"no-prepopulate-passes".to_owned()), "{flags:?}");
    assert!(log.contains("missing_name"), "{log}");
    let kept = Manifest::read(&good.archs[0].dir.join("manifest.json")).expect("the old one is whole");
    assert_eq!(kept, good.archs[0].manifest);
}

#[test]
fn an_unknown_architecture_lists_the_known_ones() {
    let result = builder("plain").arch("sm_91").build();
    let Err(BuildError::UnknownArch { arch, known }) = result else { panic!("{result:?}") };
    assert_eq!(arch, "sm_91");
    assert!(known.contains(&"sm_90a".to_owned()), "{known:?}");
}

#[test]
fn a_folder_without_a_crate_is_refused() {
    let result = ptx_builder::PtxBuilder::new("/nonexistent").build();
    assert!(matches!(result, Err(BuildError::KernelCrate { .. } | BuildError::Start { .. })), "{result:?}");
}

#[test]
fn the_doctor_names_every_part() {
    let facts = ptx_builder::doctor::facts(&fixture("plain"));
    let names: Vec<_> = facts.iter().map(|fact| fact.name).collect();
    assert_eq!(names, ["rustc", "LLVM", "core source", "linker", "ptxas", "libNVVM"]);
}

/// Writes `backends.toml` of a fixture, or takes it away.
fn defaults(name: &str, text: Option<&str>) {
    let path = fixture(name).join("backends.toml");
    match text {
        Some(text) => common::write(&path, text),
        None => drop(fs::remove_file(&path)),
    }
}

#[test]
fn another_default_back_end_rewrites_the_manifest_and_compiles_nothing() {
    let default =
        |report: &ptx_builder::BuildReport| report.archs[0].manifest.entries["defaults"].default_backend;
    defaults("defaults", None);
    assert_eq!(default(&build("defaults")), Backend::Llvm);
    defaults(
        "defaults",
        Some("[kernels]\ndefaults = { backend = \"nvvm\", llvm_us = 2.0, nvvm_us = 1.0 }\n"),
    );
    let report = build("defaults");
    assert!(report.archs[0].fresh);
    assert_eq!(default(&report), Backend::Nvvm);
    let written = Manifest::read(&report.archs[0].dir.join("manifest.json")).expect("it was written");
    assert_eq!(written, report.archs[0].manifest);
    defaults("defaults", None);
    assert_eq!(default(&build("defaults")), Backend::Llvm);
}

#[test]
fn a_default_that_is_wrong_names_file_and_kernel() {
    defaults("wrongdefault", Some("[kernels]\nwrongdefault = { backend = \"gcc\" }\n"));
    let error = builder("wrongdefault").build().expect_err("no such back end");
    assert!(matches!(&error, BuildError::DefaultBackend { entry, .. } if entry == "wrongdefault"), "{error}");
    assert!(error.to_string().contains("wrongdefault/backends.toml"), "{error}");
}
