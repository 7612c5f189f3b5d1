//! `warpsmith dtw search`: the windows most like a query.

use std::path::PathBuf;
use std::process::ExitCode;

use super::super::output;
use super::arguments::TaskArguments;
use super::listing::Listing;
use super::plot;
use super::task::{Place, Task};
use crate::cpu::dtw::{at_most, smallest};
use crate::error::Error;
use crate::ops::dtw::{Match, check_threshold, default_exclusion};

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
    /// Print JSON Lines instead of a table
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
    let task = Task::read(&arguments.task)?;
    let place = Place::open(&arguments.task.backend)?;
    let distances = task.profile(&place.executor, None)?.distances;
    let found = arguments.choose(&distances, task.query.len());
    if let Some(file) = &arguments.plot {
        plot::write(file, &task, &distances, &found)?;
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
    fn choose(&self, distances: &[f32], m: usize) -> Vec<Match> {
        let threshold = self.threshold.unwrap_or(f32::INFINITY);
        let Some(k) = self.top else { return at_most(distances, threshold) };
        let mut found = smallest(distances, k as usize, self.exclude.unwrap_or(default_exclusion(m)));
        found.retain(|found| found.distance <= threshold);
        found
    }
}
