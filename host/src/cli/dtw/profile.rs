//! `warpsmith dtw profile`: the distance of every window, into a file.

use std::process::ExitCode;

use super::super::output;
use super::arguments::TaskArguments;
use super::export::{Columns, OutFile};
use super::task::{Place, Task};
use crate::error::Error;
use crate::ops::dtw::Aggregation;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    task: TaskArguments,
    /// File to write, .csv or .npy: one row per row of the series; a distance stands where its window ends, NaN where
    /// there is none
    #[arg(long, value_name = "FILE")]
    out: OutFile,
    /// Mean, minimum, maximum and variance of the series over the last W points, as further columns
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    rolling: Option<usize>,
    /// The same of the distances of the last W windows, as columns behind those
    #[arg(long, value_name = "W", allow_negative_numbers = true)]
    rolling_distances: Option<usize>,
}

/// Computes and writes.
///
/// # Errors
/// Files or options that cannot be used, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    output::check_writable(arguments.out.path())?;
    let task = Task::read(&arguments.task)?;
    let place = Place::open(&arguments.task.backend)?;
    let aggregation = Aggregation { series: arguments.rolling, distances: arguments.rolling_distances };
    let profile = task.profile(&place.executor, aggregation)?;
    arguments.out.write(&Columns { task: &task, profile: &profile })?;
    let (windows, out) = (task.windows(), &arguments.out);
    output::print(&format!("dtw: {windows} windows in {out}: {}, {}\n", task.words(), place.words()))?;
    Ok(ExitCode::SUCCESS)
}
