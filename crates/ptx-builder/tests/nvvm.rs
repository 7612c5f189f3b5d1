//! The back end `nvvm`, as far as it goes without libNVVM.

mod common;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use common::{ARCH, PROGRAM, fixture};

fn out(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("out").join(name)
}

/// Builds the fixture for `arch` with libNVVM's file at `library`, and returns the error. What an earlier build left
/// for this architecture is still there.
fn refusal(name: &str, arch: &str, library: &Path) -> String {
    let old = out(name).join("nvvm").join(arch).join("f.ptx");
    common::write(&old, OLD_PTX);
    let output = Command::new(PROGRAM)
        .arg(fixture(name))
        .args(["--out".as_ref(), out(name).as_os_str()])
        .args(["--backend", "nvvm", arch])
        .env("WARPSMITH_LIBNVVM", library)
        .output()
        .expect("the program starts");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(fs::read_to_string(&old).expect("the old PTX"), OLD_PTX);
    let left = fs::read_dir(old.parent().expect("a folder")).expect("a folder").count();
    assert_eq!(left, 1, "a failed build left something behind");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

const OLD_PTX: &str = "// PTX of the last build\n";

#[test]
fn a_library_that_is_not_there_is_named() {
    let error = refusal("plain", ARCH, Path::new("/nonexistent/libnvvm.so.4"));
    assert!(error.contains("WARPSMITH_LIBNVVM is `/nonexistent/libnvvm.so.4`"), "{error}");
}

#[test]
fn a_file_that_is_no_library_fails_the_link() {
    let file = fixture("plain").join("Cargo.toml");
    let error = refusal("plain", ARCH, &file);
    assert!(error.contains("cannot open libNVVM") && error.contains("setup --nvvm"), "{error}");
}

#[test]
fn what_libnvvm_cannot_be_told_names_function_and_instruction() {
    let error = refusal("sine", ARCH, &fixture("plain").join("Cargo.toml"));
    for word in
        ["function `sine::sine` cannot be written for libNVVM", "`llvm.sin.f32`", "call float @llvm.sin"]
    {
        assert!(error.contains(word), "no `{word}` in {error}");
    }
}

#[test]
fn an_architecture_that_rustc_does_not_know_is_named() {
    let error = refusal("plain", "sm_93", &fixture("plain").join("Cargo.toml"));
    assert!(error.contains("no architecture `sm_93`") && error.contains("sm_90a"), "{error}");
}

/// What a build says that runs in a folder with `nvvm/lib64/libnvvm.so.4`, a file that is no library.
fn said_beside_a_library(variable: &str, value: &str) -> String {
    let here = tempfile::tempdir().expect("a folder");
    common::write(&here.path().join("nvvm/lib64/libnvvm.so.4"), "no ELF");
    let mut command = Command::new(PROGRAM);
    command.arg(fixture("plain")).args(["--out".as_ref(), out(variable).as_os_str()]);
    command.args(["--backend", "nvvm", ARCH]).current_dir(here.path());
    command.env_remove("CUDA_HOME").env_remove("WARPSMITH_LIBNVVM");
    let output = command.env(variable, value).output().expect("the program starts");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn an_empty_cuda_home_is_not_the_folder_one_is_in() {
    let text = said_beside_a_library("CUDA_HOME", "");
    assert!(!text.contains("nvvm/lib64/libnvvm.so.4: file too short"), "{text}");
}

#[test]
fn a_library_named_from_the_folder_one_is_in_is_found_by_the_linker() {
    for (variable, value) in [("CUDA_HOME", "."), ("WARPSMITH_LIBNVVM", "nvvm/lib64/libnvvm.so.4")] {
        let text = said_beside_a_library(variable, value);
        assert!(text.contains("nvvm/lib64/libnvvm.so.4: file too short"), "{text}");
    }
}
