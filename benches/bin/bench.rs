//! One round of the benches, or the record of several; for machines with a driver and no cargo.

use std::path::PathBuf;
use std::process::ExitCode;

use benches::{BenchError, Stand, run_round, summarise, time_appends, write_records};
use clap::Parser;
use serde::Serialize;

/// Times every op, verified first; or makes the record of several rounds.
#[derive(Debug, Parser)]
#[command(name = "bench")]
struct Arguments {
    /// Time the ops whose name, such as hadamard_bwd_f16, contains this
    filter: Option<String>,
    /// Number of the round; the first verifies every case, later ones the small; large ones are timed in three
    #[arg(long, value_name = "N", default_value_t = 1)]
    round: u32,
    /// File for the round's measurements, JSON Lines [default: standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Time no op; time N appends of one point to a series that grows
    #[arg(long, value_name = "N", conflicts_with_all = ["filter", "round", "summary"])]
    appends: Option<usize>,
    /// Number of the device
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// Time nothing; make the record of the rounds in this folder
    #[arg(long, value_name = "DIR", requires = "record")]
    summary: Option<PathBuf>,
    /// File the record is appended to
    #[arg(long, value_name = "FILE", requires = "summary")]
    record: Option<PathBuf>,
    /// Commit the program was built from, for the record
    #[arg(long, value_name = "NAME", default_value = "unknown")]
    commit: String,
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> Result<(), BenchError> {
    if let (Some(folder), Some(record)) = (&arguments.summary, &arguments.record) {
        let records = summarise(folder, &arguments.commit)?;
        for r in &records {
            let ratio = r.ratio.map_or_else(String::new, |ratio| format!(", {ratio:.3} of the baseline"));
            let host::cli::Record { op, dtype, shape, codegen, us, value, unit, .. } = r;
            println!("{op}_{dtype} {shape} {codegen}: {us:.1} us, {value:.0} {unit}{ratio}");
        }
        return write_records(record, &records);
    }
    let stand = Stand::open(arguments.device)?;
    if let Some(appends) = arguments.appends {
        return write(&time_appends(&stand, appends)?, arguments);
    }
    write(&run_round(&stand, arguments.filter.as_deref().unwrap_or(""), arguments.round)?, arguments)
}

/// One line of JSON each, to the file that was asked for.
fn write(lines: &[impl Serialize], arguments: &Arguments) -> Result<(), BenchError> {
    let text: String =
        lines.iter().filter_map(|line| serde_json::to_string(line).ok()).map(|line| line + "\n").collect();
    match &arguments.out {
        Some(path) => std::fs::write(path, text).map_err(BenchError::io(path)),
        None => {
            print!("{text}");
            Ok(())
        }
    }
}
