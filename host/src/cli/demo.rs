//! `warpsmith demo`: the ops on real data, every element checked.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use super::find::{BackendName, PtxArguments, data_folder, select};
use super::inputs::{self, Input};
use super::output;
use super::report::{Line, Report};
use crate::error::Error;
use crate::ops::cross::HadamardOp;
use crate::ops::{DType, Executor, Prepared, RowKernel, prepare};

/// Timed runs; the median counts.
const RUNS: usize = 21;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Where to compute
    #[arg(long, value_enum, default_value = "auto")]
    backend: BackendName,
    /// Number of the device
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    #[command(flatten)]
    ptx: PtxArguments,
    /// Folder with the data [default: data here, beside the program, or in the workspace]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON Lines instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs, checks, times and prints.
///
/// # Errors
/// Data that cannot be used, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let inputs = inputs::read(&data_folder(arguments.data.as_deref()))?;
    let selection = select(arguments.backend, arguments.device, arguments.ptx.options())?;
    let executor = Executor::new(&selection.backend)?;
    let mut report = Report::new(executor.to_string(), selection.reason.map(|reason| reason.to_string()));
    for input in inputs {
        report.lines.push(cross(&executor, input)?);
    }
    output::print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cross(executor: &Executor, input: Input) -> Result<Line, Error> {
    let layout = input.operands.outputs[0].layout;
    let mut run = prepare::<f32, HadamardOp, 2, 1>(executor, input.operands)?;
    run.launch()?;
    let comparisons = run.verify()?;
    let time = median_time(executor, run.as_mut())?;
    let shape = format!("{}x{}", layout.rows(), layout.cols());
    Ok(Line { op: HadamardOp::NAME, dtype: DType::F32, input: input.what, shape, time, comparisons })
}

fn median_time(executor: &Executor, run: &mut dyn Prepared) -> Result<Duration, Error> {
    let mut times = Vec::with_capacity(RUNS);
    for _ in 0..RUNS {
        times.push(executor.time(|| run.launch())?);
    }
    times.sort_unstable();
    Ok(times[RUNS / 2])
}
