//! `warpsmith dtw search`: the windows most like a query.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::builder::{PathBufValueParser, RangedI64ValueParser, TypedValueParser as _};

use super::super::output;
use super::arguments::TaskArguments;
use super::listing::Listing;
use super::plot;
use super::task::{Place, Task};
use crate::error::Error;
use crate::ops::Executor;
use crate::ops::dtw::{Aggregation, Match, check_threshold, default_exclusion};

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    task: TaskArguments,
    #[command(flatten)]
    asked: Asked,
    /// With --top: windows that end at most E points apart from a better one are left out [default: a quarter of the query]
    #[arg(long, value_name = "E", requires = "top", allow_negative_numbers = true,
        value_parser = RangedI64ValueParser::<usize>::new().range(0..=i64::from(u32::MAX)))]
    exclude: Option<usize>,
    /// Print JSON Lines instead of a table; a distance beyond f32, +inf, is null
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
    /// Draw series, matches and distances into this SVG file
    #[arg(long, value_name = "OUT.svg", value_parser = PathBufValueParser::new().try_map(plot::file_name))]
    plot: Option<PathBuf>,
}

/// Which windows: at least one of these.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = true)]
struct Asked {
    /// The K windows with the smallest distances, smallest first, the earlier one first among equals
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// Only windows with a distance of at most T; without --top all of them, in the order of the series. The rank is that of
    /// the distance in either order
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    threshold: Option<f32>,
}

/// Searches and prints.
///
/// # Errors
/// Files or options that cannot be used, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    check_threshold(arguments.asked.threshold.unwrap_or(0.0))?;
    if let Some(file) = &arguments.plot {
        output::check_is_another("--plot", file, &arguments.task.files())?;
        output::check_writable(file)?;
    }
    let task = Task::read(&arguments.task)?;
    let place = Place::open(&arguments.task.backend)?;
    let found = arguments.find(&task, &place.executor)?;
    if let Some(file) = &arguments.plot {
        plot::write(file, &task, &task.profile(&place.executor, Aggregation::NONE)?.distances, &found)?;
    }
    let listing = Listing { task: &task, place: &place, found: &found };
    output::print(&match (arguments.json, arguments.csv) {
        (true, _) => listing.json(),
        (_, true) => listing.csv(),
        _ => listing.text(),
    })?;
    Ok(ExitCode::SUCCESS)
}

impl Arguments {
    fn find(&self, task: &Task, executor: &Executor) -> Result<Vec<Match>, Error> {
        let threshold = self.asked.threshold.unwrap_or(f32::INFINITY);
        let Some(k) = self.asked.top else { return task.below(executor, threshold) };
        let exclusion = self.exclude.unwrap_or(default_exclusion(task.query.len()));
        let mut found = task.top_k(executor, k as usize, exclusion)?;
        found.retain(|found| found.distance <= threshold);
        Ok(found)
    }
}
