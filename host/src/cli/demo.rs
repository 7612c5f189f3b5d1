//! `warpsmith demo`: the ops on real data, every element checked.

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use super::closes::Closes;
use super::find::{BackendArguments, data_folder};
use super::inputs::{self, Input};
use super::output;
use super::report::{Line, Report};
use super::scorecard::Scorecards;
use crate::error::Error;
use crate::ops::cross::HadamardOp;
use crate::ops::{DType, Executor, Prepared, RowKernel, prepare};

/// Timed runs; the median counts.
const RUNS: usize = 21;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    backend: BackendArguments,
    /// Folder with the data [default: data here, beside the program, or in the workspace]
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON Lines instead of a table
    #[arg(long)]
    json: bool,
}

/// Runs, checks, times and prints. Where there is no GPU and none was refused, a slice of everything runs in the simulator
/// too.
///
/// # Errors
/// Data that cannot be used, a back end that was asked for and is not there, no PTX, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let folder = data_folder(arguments.data.as_deref());
    let (inputs, closes) = (inputs::read(&folder)?, Closes::read(&folder)?);
    let scorecards = Scorecards::read(&folder)?;
    let selection = arguments.backend.select()?;
    let executor = Executor::new(&selection.backend)?;
    #[cfg(feature = "sim")]
    let no_gpu = selection.reason.is_some();
    let mut report = Report::new(executor.to_string(), selection.reason.map(|reason| reason.to_string()));
    #[cfg(feature = "sim")]
    if no_gpu {
        report.simulated = simulated::lines(&inputs, &closes, &scorecards, &arguments.backend.ptx)?;
    }
    for input in inputs {
        report.lines.push(cross(&executor, input)?);
    }
    report.lines.push(closes.line(&executor, |search| median_time(&executor, search))?);
    for (line, score) in scorecards.lines(&executor)? {
        report.lines.push(line);
        report.scores.push(score);
    }
    output::print(&if arguments.json { report.json() } else { report.text() })?;
    Ok(if report.passed() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn cross(executor: &Executor, input: Input) -> Result<Line, Error> {
    let layout = input.operands.outputs[0].layout;
    let shape = format!("{}x{}", layout.rows(), layout.cols());
    let mut run = prepare::<f32, HadamardOp, 2, 1>(executor, input.operands)?;
    line(executor, (HadamardOp::NAME, DType::F32), input.what, shape, run.as_mut())
}

/// Runs what is prepared, checks it and times it.
fn line(
    executor: &Executor,
    (op, dtype): (&'static str, DType),
    input: &'static str,
    shape: String,
    run: &mut dyn Prepared,
) -> Result<Line, Error> {
    run.launch()?;
    let comparisons = run.verify()?;
    let time = median_time(executor, &mut || run.launch())?;
    Ok(Line { op, dtype, input, shape, place: executor.to_string(), time, comparisons })
}

fn median_time(executor: &Executor, run: &mut dyn FnMut() -> Result<(), Error>) -> Result<Duration, Error> {
    let runs = if executor.is_simulated() { 1 } else { RUNS };
    let mut times = Vec::with_capacity(runs);
    for _ in 0..runs {
        times.push(executor.time(&mut *run)?);
    }
    times.sort_unstable();
    Ok(times[runs / 2])
}

/// What the demo runs in the simulator where there is no GPU.
#[cfg(feature = "sim")]
mod simulated {
    use super::{
        Closes, Error, Executor, HadamardOp, Input, Line, RowKernel as _, Scorecards, cross, line,
        median_time,
    };
    use crate::cli::find::PtxArguments;
    use crate::ops::{self, Case, Op};
    use crate::sim::Sim;

    /// Rows of each input.
    const ROWS: u64 = 64;

    /// The most elements of a case of an op that has no input.
    const ELEMENTS: u64 = 10_000;

    /// The first rows of every input, a few days of the search, and one case of every other op.
    pub fn lines(
        inputs: &[Input],
        closes: &Closes,
        scorecards: &Scorecards,
        ptx: &PtxArguments,
    ) -> Result<Vec<Line>, Error> {
        let executor = Executor::Sim(Sim::open_with(ptx.sim_options()?)?);
        let mut lines = Vec::new();
        for input in inputs {
            let operands = input.operands.clone().first_rows(ROWS)?;
            lines.push(cross(&executor, Input { what: input.what, operands })?);
        }
        lines.push(closes.slice().line(&executor, |search| median_time(&executor, search))?);
        lines.extend(scorecards.slice().lines(&executor)?.into_iter().map(|(line, _)| line));
        for op in ops::all().into_iter().filter(|op| op.name() != HadamardOp::NAME) {
            lines.extend(largest_case(&executor, op).transpose()?);
        }
        Ok(lines)
    }

    /// The op's largest case that is small enough, in its first element type.
    fn largest_case(executor: &Executor, op: &dyn Op) -> Option<Result<Line, Error>> {
        let elements = |case: &Case| case.dims.iter().product::<u64>();
        let case = op.cases().into_iter().filter(|c| elements(c) <= ELEMENTS).max_by_key(elements)?;
        let &dtype = op.dtypes().first()?;
        let prepared = op.prepare(executor, dtype, &case);
        Some(prepared.and_then(|mut run| {
            line(executor, (op.name(), dtype), "random numbers", case.shape(), run.as_mut())
        }))
    }
}
