//! The project's commands: `cargo xtask <command>`.

#[cfg(not(target_os = "linux"))]
compile_error!("Warpsmith builds and runs on Linux only (x86-64, or WSL2 on Windows)");

// Before the others: its macros hold for those that follow.
#[macro_use]
mod output;

mod bench;
mod bless;
mod budget;
mod build_ptx;
mod bundle;
mod ci;
mod demo;
mod doctor;
mod error;
mod generated;
mod lint;
mod mutants;
mod process;
mod sanitize;
mod setup;
mod summary;
mod test;
mod tidy;
mod workspace;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::error::Error;

#[derive(Parser)]
#[command(
    name = "cargo xtask",
    bin_name = "cargo xtask",
    about = "Warpsmith's commands",
    max_term_width = 100
)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Run the main job on the data in data/, checked: on the GPU if there is a driver, else on the CPU
    /// and a part of it in the simulator
    Demo(demo::Options),
    /// Build the PTX, run every test, and close with the numbers of passed, failed and skipped tests
    Test(test::Options),
    /// Compile the kernels to PTX under target/ptx and check them
    BuildPtx(build_ptx::Options),
    /// Show what a build and a run need, what is missing, and how to get it
    Doctor,
    /// Fetch the optional parts under target/
    Setup(setup::Options),
    /// Build the PTX, verify every op, time it, and write a record; needs a GPU
    Bench(bench::Options),
    /// Put executables, PTX and a script under target/bundle for a machine with a driver and no Rust
    Bundle,
    /// Run the differential tests under all checks: in the simulator, or under compute-sanitizer if there is a driver
    Sanitize(sanitize::Options),
    /// Plant faults in the PTX of every kernel and count those that the differential tests notice
    Mutants(mutants::Options),
    /// Check format, lints of host and device code, and documentation
    Lint,
    /// Check the arrows between crates, file sizes and the rules for files
    Tidy,
    /// Rewrite what is generated: tables of README and ARCHITECTURE, compiler messages in tests, budget.toml, backends.toml
    Bless,
    /// Compare registers, spills and shared memory of every kernel with budget.toml
    Budget,
    /// Run exactly what CI runs
    Ci,
}

impl Command {
    fn run(&self) -> Result<(), Error> {
        match self {
            Self::Demo(options) => demo::run(options),
            Self::Test(options) => test::run(options),
            Self::BuildPtx(options) => build_ptx::run(options),
            Self::Doctor => doctor::run(),
            Self::Setup(options) => setup::run(options),
            Self::Bench(options) => bench::run(options),
            Self::Bundle => bundle::run(),
            Self::Sanitize(options) => sanitize::run(options),
            Self::Mutants(options) => mutants::run(options),
            Self::Lint => lint::run(),
            Self::Tidy => tidy::run(),
            Self::Bless => bless::run(),
            Self::Budget => budget::run(),
            Self::Ci => ci::run(),
        }
    }
}

fn main() -> ExitCode {
    ptx_builder::run_as_linker_if_asked();
    match Cli::parse().command.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Error::Reported) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
