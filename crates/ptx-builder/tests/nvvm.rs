//! The back end `nvvm`, as far as it goes without libNVVM.

mod common;

use std::path::{Path, PathBuf};
use std::process::Command;

use common::{ARCH, PROGRAM, fixture};

fn out(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("out").join(name)
}

/// Builds the fixture with libNVVM's file at `library`, and returns the error.
fn refusal(name: &str, library: &Path) -> String {
    let output = Command::new(PROGRAM)
        .arg(fixture(name))
        .args(["--out".as_ref(), out(name).as_os_str()])
        .args(["--backend", "nvvm", ARCH])
        .env("WARPSMITH_LIBNVVM", library)
        .output()
        .expect("the program starts");
    assert!(!output.status.success());
    assert!(!out(name).join("nvvm").join(ARCH).exists(), "a failed build left something behind");
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn a_library_that_is_not_there_is_named() {
    let error = refusal("plain", Path::new("/nonexistent/libnvvm.so.4"));
    assert!(error.contains("WARPSMITH_LIBNVVM is `/nonexistent/libnvvm.so.4`"), "{error}");
}

#[test]
fn a_file_that_is_no_library_fails_the_link() {
    let file = fixture("plain").join("Cargo.toml");
    let error = refusal("plain", &file);
    assert!(error.contains("cannot open libNVVM") && error.contains("setup --nvvm"), "{error}");
}

#[test]
fn what_libnvvm_cannot_be_told_names_kernel_and_instruction() {
    let error = refusal("atomics", &fixture("plain").join("Cargo.toml"));
    for word in ["function `counts` cannot be written for libNVVM", "gpu_std::atomic", "atomicrmw add"] {
        assert!(error.contains(word), "no `{word}` in {error}");
    }
}
