//! `warpsmith dtw profile`: the distance of every window, into a file.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PathBufValueParser, TypedValueParser as _};

use super::super::output;
use super::arguments::{TaskArguments, points};
use super::export::{Columns, FormatError, OutFile};
use super::task::{Place, Task};
use crate::error::Error;
use crate::ops::dtw::Aggregation;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    task: TaskArguments,
    /// File to write, .csv or .npy: one row per row of the series; a distance stands where its window ends, NaN where
    /// there is none. CSV: columns row, the first one of the file as a label where that is not the series, distance, then
    /// those of --rolling and --rolling-distances. NPY: little-endian float32, C order, of shape [rows], or [rows, columns]
    /// where there are others beside the distance; the columns of the CSV from distance on
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().try_map(out_file))]
    out: OutFile,
    /// Further columns mean, min, max, variance (ddof 0): of the series over the last W points. NaN in the first W - 1 rows,
    /// over gaps, and where a point is further from the window's first than f32 holds
    #[arg(long, value_name = "W", allow_negative_numbers = true, value_parser = points())]
    rolling: Option<usize>,
    /// Behind those, columns distance_mean, distance_min, distance_max, distance_variance: the same of the distances of the
    /// last W windows
    #[arg(long, value_name = "W", allow_negative_numbers = true, value_parser = points())]
    rolling_distances: Option<usize>,
}

fn out_file(file: PathBuf) -> Result<OutFile, FormatError> {
    file.try_into()
}

/// Computes and writes.
///
/// # Errors
/// Files or options that cannot be used, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    output::check_is_another("--out", arguments.out.path(), &arguments.task.files())?;
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
