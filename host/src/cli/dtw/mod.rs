//! `warpsmith dtw`: where a query is found in a series from a file, and how far each window is from it.

mod arguments;
mod compute;
mod export;
mod listing;
mod plot;
mod profile;
mod progress;
mod search;
mod task;

use std::process::ExitCode;

pub use task::Place;

use crate::error::Error;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Finds the windows of a series that are most like a query
    ///
    /// A distance is the sum of squared differences along the best path; the root is not taken.
    Search(search::Arguments),
    /// Writes the distance of every window of a series to a query
    ///
    /// A distance is the sum of squared differences along the best path; the root is not taken.
    Profile(profile::Arguments),
}

/// Runs the subcommand.
///
/// # Errors
/// Files or options that cannot be used, a back end that was asked for and is not there, or the back end's error.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    match &arguments.command {
        Command::Search(arguments) => search::run(arguments),
        Command::Profile(arguments) => profile::run(arguments),
    }
}
