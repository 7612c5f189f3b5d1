//! `cargo xtask bench`: verify, time, record.

use crate::error::Error;
use crate::{build_ptx, process};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Time the ops whose name contains this
    filter: Option<String>,
}

/// Builds the PTX and runs the benches.
pub fn run(options: &Options) -> Result<(), Error> {
    build_ptx::default_set()?;
    let mut command = process::cargo(["bench", "--package", "benches"]);
    if let Some(filter) = &options.filter {
        command.args(["--", filter]);
    }
    process::run(&mut command)
}
