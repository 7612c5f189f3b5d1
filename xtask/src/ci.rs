//! `cargo xtask ci`: exactly what CI runs, because it is the script that CI runs.

use std::process::Command;

use crate::error::Error;
use crate::{process, workspace};

/// Runs `.ci/run`.
pub fn run() -> Result<(), Error> {
    let mut command = Command::new("bash");
    process::run(command.arg(workspace::root().join(".ci/run")).env("CI", "true"))
}
