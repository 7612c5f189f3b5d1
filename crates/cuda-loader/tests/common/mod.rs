//! Runs a test again in a process of its own, with a driver library of the test's choice.

use std::env;
use std::ffi::OsStr;
use std::process::Command;

const CHILD: &str = "CUDA_LOADER_TEST_CHILD";

/// True in the child, where the test goes on.
pub fn in_child() -> bool {
    env::var_os(CHILD).is_some()
}

/// Starts the child with `library` as its driver, and asserts that the test passes there.
pub fn run_in_child(test: &str, library: impl AsRef<OsStr>) {
    let program = env::current_exe().expect("a test knows its program");
    let output = Command::new(program)
        .args([test, "--exact", "--nocapture"])
        .env(CHILD, "1")
        .env(cuda_loader::LIBRARY_VARIABLE, library)
        .output()
        .expect("the test program starts again");
    let (stdout, stderr) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success() && stdout.contains("1 passed"), "{stdout}\n{stderr}");
}
