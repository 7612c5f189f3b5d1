//! What search and profile are told alike.

use std::ops::Range;
use std::path::{Path, PathBuf};

use clap::ValueEnum;
use clap::builder::RangedI64ValueParser;

use super::super::find::BackendArguments;
use crate::ops::dtw::{Normalization, ProfileOptions};

/// Series, query, and what a distance is.
#[derive(Debug, clap::Args)]
pub struct TaskArguments {
    /// CSV file with a header that holds the series; an empty cell or NaN is a gap, and windows with one have no distance;
    /// empty lines are skipped. Rows count from 0 below the header
    #[arg(long, value_name = "FILE")]
    pub series: PathBuf,
    /// Column of the series, and of the query in its file; no other may have its name
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
    /// Take windows of the mean over the last W points; 1 is the series itself. The rows of --query-rows are taken of the
    /// means too, and the query of a file as it is there. A window starts at the row of its first mean, which reaches W - 1
    /// rows further back
    #[arg(long, value_name = "W", default_value_t = 1, allow_negative_numbers = true, value_parser = points())]
    pub smoothing: usize,
    #[command(flatten)]
    pub backend: BackendArguments,
}

impl TaskArguments {
    /// The files that are read, with the options that name them.
    pub fn files(&self) -> Vec<(&'static str, &Path)> {
        let query = self.query.query.as_deref().map(|file| ("--query", file));
        [("--series", self.series.as_path())].into_iter().chain(query).collect()
    }

    /// The options of the profile.
    pub fn options(&self) -> ProfileOptions {
        ProfileOptions::new(self.normalization.into()).radius(self.radius).smoothing(self.smoothing)
    }
}

/// A number of points, at least one: refused with the range, as a radius is.
pub fn points() -> RangedI64ValueParser<usize> {
    RangedI64ValueParser::new().range(1..=i64::from(u32::MAX))
}

/// Where the query is.
#[derive(Debug, clap::Args)]
#[group(required = true, multiple = false)]
pub struct QueryArguments {
    /// CSV file with a header that holds the query: at most 4096 points on a GPU and in the simulator, any number with
    /// --backend cpu
    #[arg(long, value_name = "FILE")]
    pub query: Option<PathBuf>,
    /// Rows of the series that are the query: A to B - 1; as many as --query may have
    #[arg(long, value_name = "A..B", value_parser = parse_rows)]
    pub query_rows: Option<Range<usize>>,
}

/// What is done to each window, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum NormalizationName {
    /// Nothing
    None,
    /// Mean 0 and standard deviation 1; a constant window becomes zeros. The factor ends at 3.4e38, so a window that deviates
    /// by less than 2.94e-39 stays smaller
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
