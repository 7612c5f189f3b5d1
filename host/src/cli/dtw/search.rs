//! `warpsmith dtw search`: the windows most like a query.

use std::path::PathBuf;
use std::process::ExitCode;

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
    /// The K windows with the smallest distances, smallest first, the earlier one first among equals
    #[arg(long, value_name = "K", required_unless_present = "threshold", allow_negative_numbers = true,
        value_parser = clap::value_parser!(u32).range(1..))]
    top: Option<u32>,
    /// With --top: windows that end at most E points apart from a better one are left out [default: a quarter of the query]
    #[arg(long, value_name = "E", requires = "top", allow_negative_numbers = true)]
    exclude: Option<usize>,
    /// Only windows with a distance of at most T; without --top all of them, by place
    #[arg(long, value_name = "T", allow_negative_numbers = true)]
    threshold: Option<f32>,
    /// Print JSON Lines instead of a table; a distance beyond f32, +inf, is null
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Print CSV instead of a table
    #[arg(long)]
    csv: bool,
    /// Draw series, matches and distances into this SVG file
    #[arg(long, value_name = "OUT.svg")]
    plot: Option<PathBuf>,
}

/// Searches and prints.
///
/// # Errors
/// Files or options that cannot be used, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    check_threshold(arguments.threshold.unwrap_or(0.0))?;
    arguments.plot.as_deref().map_or(Ok(()), output::check_writable)?;
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
        let Some(k) = self.top else {
            return task.below(executor, self.threshold.unwrap_or(f32::INFINITY));
        };
        let exclusion = self.exclude.unwrap_or(default_exclusion(task.query.len()));
        let mut found = task.top_k(executor, k as usize, exclusion)?;
        let threshold = self.threshold.unwrap_or(f32::INFINITY);
        found.retain(|found| found.distance <= threshold);
        Ok(found)
    }
}
