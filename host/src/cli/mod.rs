//! The `warpsmith` command: arguments and dispatch; one module per command.

mod choice;
mod closes;
mod demo;
mod dtw;
mod find;
mod info;
mod inputs;
mod matmul;
mod output;
mod record;
mod report;
mod scorecard;
mod tables;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

pub use record::{Record, RecordError, RecordFile, read_records};

/// GPU kernels written in Rust, checked against the CPU.
#[derive(Debug, Parser)]
#[command(name = "warpsmith", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Lists devices, driver and PTX
    Info(info::Arguments),
    /// Runs the ops on the data in data/ and checks every element
    Demo(demo::Arguments),
    /// Dynamic time warping: finds patterns in a series from a CSV file
    Dtw(dtw::Arguments),
    /// Multiplies two matrices from files, as quantized codes or as floats
    Matmul(matmul::Arguments),
    /// Prints the tables of the README that are generated
    #[command(hide = true)]
    Tables(tables::Arguments),
}

/// Runs the command the process was started with. Exit code 0: done and right; 1: an error or a wrong result; 2: usage.
pub fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Info(arguments) => info::run(&arguments),
        Command::Demo(arguments) => demo::run(&arguments),
        Command::Dtw(arguments) => dtw::run(&arguments),
        Command::Matmul(arguments) => matmul::run(&arguments),
        Command::Tables(arguments) => tables::run(&arguments),
    };
    done.unwrap_or_else(|error| {
        eprintln!("warpsmith: {error}");
        ExitCode::FAILURE
    })
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        Arguments::command().debug_assert();
    }

    #[test]
    fn demo_takes_its_options() {
        let line =
            "warpsmith demo --backend cpu --device 1 --ptx p --arch sm_80 --codegen nvvm --data d --json";
        assert!(Arguments::try_parse_from(line.split(' ')).is_ok());
        assert!(Arguments::try_parse_from(["warpsmith", "demo", "--backend", "tpu"]).is_err());
        let simulator = Arguments::try_parse_from(["warpsmith", "demo", "--backend", "sim"]);
        assert_eq!(simulator.is_ok(), cfg!(feature = "sim"));
        assert!(Arguments::try_parse_from(["warpsmith", "demo", "--arch", "gfx90a"]).is_err());
        let error =
            Arguments::try_parse_from(["warpsmith", "info", "--codegen", "gcc"]).expect_err("none of ours");
        assert!(error.to_string().contains("`gcc` is no back end: there are llvm and nvvm"), "{error}");
    }
}
