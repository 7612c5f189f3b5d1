//! `cargo xtask mutants`: whether the differential tests notice a fault planted in the PTX.

use crate::error::Error;
use crate::{build_ptx, process, test};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Judge the kernels of the ops whose name and element type contain this, such as hadamard_f32
    filter: Option<String>,
}

/// Judges every mutant of every kernel in the simulator; fails where fewer than 95 % of those without a committed explanation are
/// noticed, and on an explanation that fits no survivor.
pub fn run(options: &Options) -> Result<(), Error> {
    build_ptx::default_set()?;
    // Thousands of runs: the optimised build is worth its time.
    let mut command = process::cargo(["test", "--release", "--package", "tests", "--test", "mutation", "--"]);
    command.args(&options.filter).env("WARPSMITH_MUTANTS", "all");
    let (summary, status) = test::counted(&mut command, |_| true)?;
    if !status.success() && summary.failed == 0 {
        return Err(Error::Failed { command: process::line(&command), status });
    }
    if summary.passed + summary.failed == 0 {
        return Err(Error::NoTests { filter: options.filter.clone().unwrap_or_default() });
    }
    if summary.failed == 0 { Ok(()) } else { Err(Error::Reported) }
}
