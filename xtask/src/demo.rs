//! `cargo xtask demo`: the main job on real data, checked.

use crate::error::Error;
use crate::{build_ptx, process};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Arguments for `warpsmith demo`
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<String>,
}

/// Builds the PTX and runs `warpsmith demo`.
pub fn run(options: &Options) -> Result<(), Error> {
    build_ptx::default_set()?;
    let args = ["run", "--release", "--quiet", "--package", "host", "--bin", "warpsmith", "--", "demo"];
    process::run(process::cargo(args).args(&options.args))
}
