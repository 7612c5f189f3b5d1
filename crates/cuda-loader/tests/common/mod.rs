//! Runs a test again in a process of its own, with a driver library of the test's choice.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

const CHILD: &str = "CUDA_LOADER_TEST_CHILD";

/// True in the child, where the test goes on. In the parent: starts the child with `library` as its driver, asserts
/// that it passed, and returns false.
pub fn child_with_library(test: &str, library: impl AsRef<OsStr>) -> bool {
    if env::var_os(CHILD).is_some() {
        return true;
    }
    let program = env::current_exe().expect("a test knows its program");
    let output = Command::new(program)
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, "1")
        .env(cuda_loader::LIBRARY_VARIABLE, library)
        .output()
        .expect("the test program starts again");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}\n{stderr}");
    false
}
