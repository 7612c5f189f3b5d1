//! What search and profile are told alike.

use std::ops::Range;
use std::path::PathBuf;

use clap::ValueEnum;

use super::super::find::BackendArguments;
use crate::ops::dtw::{Normalization, ProfileOptions};

/// Series, query, and what a distance is.
#[derive(Debug, clap::Args)]
pub struct TaskArguments {
    /// CSV file with a header that holds the series; an empty cell or NaN is a gap, and windows with one have no distance;
    /// empty lines are skipped
    #[arg(long, value_name = "FILE")]
    pub series: PathBuf,
    /// Column of the series, and of the query in its file
    #[arg(long, value_name = "NAME")]
    pub column: String,
    #[command(flatten)]
    pub query: QueryArguments,
    /// Points that a path may stray from the diagonal; from the query's length less 1 on, no limit
    #[arg(long, value_name = "R", allow_negative_numbers = true)]
    pub radius: u32,
    /// What is done to the query and to each window before they are compared
    #[arg(long, value_enum, default_value = "zscore")]
    pub normalization: NormalizationName,
    /// Take windows of the mean over the last W points; 1 is the series itself
    #[arg(long, value_name = "W", default_value_t = 1, allow_negative_numbers = true)]
    pub smoothing: usize,
    #[command(flatten)]
    pub backend: BackendArguments,
}

impl TaskArguments {
    /// The options of the profile.
    pub fn options(&self) -> ProfileOptions {
        ProfileOptions::new(self.normalization.into()).radius(self.radius).smoothing(self.smoothing)
    }
}

/// Where the query is.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct QueryArguments {
    /// CSV file with a header that holds the query
    #[arg(long, value_name = "FILE")]
    pub query: Option<PathBuf>,
    /// Rows of the series that are the query: A to B - 1, counted from 0 below the header
    #[arg(long, value_name = "A..B", value_parser = parse_rows)]
    pub query_rows: Option<Range<usize>>,
}

/// What is done to each window, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NormalizationName {
    /// Nothing
    None,
    /// Mean 0 and standard deviation 1; a constant window becomes zeros
    Zscore,
}

impl NormalizationName {
    /// As it is given on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Zscore => "zscore",
        }
    }
}

impl From<NormalizationName> for Normalization {
    fn from(name: NormalizationName) -> Self {
        match name {
            NormalizationName::None => Self::None,
            NormalizationName::Zscore => Self::ZScore,
        }
    }
}

/// What is no range of rows.
#[derive(Debug, thiserror::Error)]
enum RowsError {
    #[error("rows are given as A..B, such as 4000..4032")]
    Form,
    #[error("rows {0}..{1} are none; B must be above A")]
    Empty(usize, usize),
}

fn parse_rows(text: &str) -> Result<Range<usize>, RowsError> {
    let (from, to) = text.split_once("..").ok_or(RowsError::Form)?;
    let number = |text: &str| text.parse::<usize>().map_err(|_| RowsError::Form);
    let (from, to) = (number(from)?, number(to)?);
    if from < to { Ok(from..to) } else { Err(RowsError::Empty(from, to)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_two_numbers_the_second_above_the_first() {
        assert_eq!(parse_rows("4000..4032").ok(), Some(4000..4032));
        assert_eq!(parse_rows("0..1").ok(), Some(0..1));
        let refusal = |text| parse_rows(text).err().map(|e| e.to_string()).unwrap_or_default();
        for text in ["4000", "a..b", "1..", "..2", "-1..2", "1..=2", ""] {
            assert_eq!(refusal(text), "rows are given as A..B, such as 4000..4032", "{text}");
        }
        assert_eq!(refusal("5..5"), "rows 5..5 are none; B must be above A");
        assert_eq!(refusal("5..3"), "rows 5..3 are none; B must be above A");
    }
}
