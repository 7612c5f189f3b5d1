//! What is to be computed, read from its files.

use std::ops::Range;
use std::path::{Path, PathBuf};

use super::super::find::BackendArguments;
use super::arguments::{NormalizationName, TaskArguments};
use super::compute;
use crate::data::{DataError, Table, one_line};
use crate::error::Error;
use crate::ops::Executor;
use crate::ops::dtw::{
    Aggregation, DtwError, Match, Profile, ProfileOptions, Queries, below_on, check_window, rolling_on,
    top_k_on,
};

/// One series and one query, which fit each other.
pub struct Task {
    table: Table,
    /// The column that the series is.
    pub column: String,
    /// The series; NaN in gaps.
    pub series: Vec<f32>,
    /// The query.
    pub query: Vec<f32>,
    query_name: String,
    query_file: PathBuf,
    normalization: NormalizationName,
    options: ProfileOptions,
    windows: usize,
}

impl Task {
    /// Reads the files.
    ///
    /// # Errors
    /// What is wrong with the files or with what they hold.
    pub fn read(arguments: &TaskArguments) -> Result<Self, Error> {
        let table = Table::read(&arguments.series)?;
        let column = arguments.column.clone();
        let series = table.series(&column)?;
        let options = arguments.options();
        let (query, query_name, query_file) = match (&arguments.query.query, &arguments.query.query_rows) {
            (Some(file), _) => {
                let table = Table::read(file)?;
                (table.query(&column, 0..table.rows())?, file.display().to_string(), file.clone())
            }
            (None, rows) => {
                let rows = rows.clone().unwrap_or(0..table.rows());
                let name = format!("rows {}..{}", rows.start, rows.end);
                (rows_of_means(&table, &column, rows, options.smoothing)?, name, table.file().to_owned())
            }
        };
        let warm_up =
            options.warm_up(series.len(), query.len()).map_err(|e| in_file(&arguments.series, e))?;
        let windows = series.len() - warm_up;
        let normalization = arguments.normalization;
        let task =
            Self { table, column, series, query, query_name, query_file, normalization, options, windows };
        task.queries()?;
        Ok(task)
    }

    fn queries(&self) -> Result<Queries<'_>, Error> {
        Queries::new(&self.query, self.query.len(), self.options.normalization)
            .map_err(|source| in_file(&self.query_file, source))
    }

    /// The distance of every window, and the aggregates that `aggregation` asks for.
    ///
    /// # Errors
    /// Aggregates over more points than the series has, or the back end's error.
    pub fn profile(&self, executor: &Executor, aggregation: Aggregation) -> Result<Profile, Error> {
        aggregation.check(self.series.len()).map_err(|e| in_file(self.table.file(), e))?;
        compute::profile(executor, &self.series, &self.queries()?, &self.options, aggregation)
    }

    /// The `k` windows with the smallest distances, their ends more than `exclusion` apart.
    ///
    /// # Errors
    /// The back end's.
    pub fn top_k(&self, executor: &Executor, k: usize, exclusion: usize) -> Result<Vec<Match>, Error> {
        let queries = self.queries()?;
        let mut lists = top_k_on(executor, &self.series, 1, &queries, &self.options, k, exclusion)?;
        Ok(lists.pop().unwrap_or_default())
    }

    /// Every window with a distance of at most `threshold`, by end.
    ///
    /// # Errors
    /// The back end's.
    pub fn below(&self, executor: &Executor, threshold: f32) -> Result<Vec<Match>, Error> {
        let mut lists = below_on(executor, &self.series, 1, &self.queries()?, &self.options, threshold)?;
        Ok(lists.pop().unwrap_or_default())
    }

    /// Windows of the series, those without a distance included.
    pub const fn windows(&self) -> usize {
        self.windows
    }

    /// The name of the first column, such as a date's, where that is not the series itself.
    pub fn label_column(&self) -> Option<&str> {
        self.table.header().first().map(String::as_str).filter(|name| *name != self.column)
    }

    /// What the first column says of a row.
    pub fn label(&self, row: usize) -> Option<&str> {
        self.label_column().map(|_| self.table.text(row, 0))
    }

    /// What was computed, in words.
    pub fn words(&self) -> String {
        let normalization = match self.normalization {
            NormalizationName::None => "raw",
            NormalizationName::Zscore => "z-normalised",
        };
        let smoothing = match self.options.smoothing {
            1 => String::new(),
            points => format!(", over means of {points}"),
        };
        format!(
            "{}, column {}, query {} of {} points, radius {}, {normalization}{smoothing}",
            self.table.file().display(),
            one_line(&self.column),
            self.query_name,
            self.query.len(),
            self.options.radius
        )
    }

    /// The same as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::json!({
            "series": self.table.file().display().to_string(), "column": self.column, "points": self.series.len(),
            "windows": self.windows, "query": self.query_name, "query_points": self.query.len(),
            "radius": self.options.radius, "normalization": self.normalization.name(),
            "smoothing": self.options.smoothing,
        })
    }
}

/// Some rows of the series that windows are taken of: of its means over `points`, the bits of the profile's. A mean needs the
/// `points - 1` rows in front of its own.
fn rows_of_means(table: &Table, column: &str, rows: Range<usize>, points: usize) -> Result<Vec<f32>, Error> {
    let raw = table.query(column, rows.clone())?;
    if points == 1 {
        return Ok(raw);
    }
    check_window(points, table.rows()).map_err(|source| in_file(table.file(), source))?;
    let (Range { start: from, end: to }, first) = (rows, points - 1);
    if from < first {
        return Err(
            DataError::RowsBeforeMeans { file: table.file().to_owned(), from, to, points, first }.into()
        );
    }
    let all = table.query(column, from - first..to)?;
    let mut means = rolling_on(&Executor::Cpu, &all, 1, points)?.mean;
    means.drain(..first);
    Ok(means)
}

fn in_file(file: &Path, source: DtwError) -> Error {
    Error::File { file: file.to_owned(), source }
}

/// Where a task runs, and how that is said.
pub struct Place {
    /// There.
    pub executor: Executor,
    /// What stands in the way of a GPU, on one line.
    pub reason: Option<String>,
}

impl Place {
    /// Opens the back end.
    ///
    /// # Errors
    /// One that was asked for and is not there.
    pub fn open(arguments: &BackendArguments) -> Result<Self, Error> {
        let selection = arguments.select()?;
        let reason = selection.reason.map(|reason| reason.to_string().replace('\n', " "));
        Ok(Self { executor: Executor::new(&selection.backend)?, reason })
    }

    /// `on cpu (why)`
    pub fn words(&self) -> String {
        let reason = self.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        format!("on {}{reason}", self.executor)
    }
}
