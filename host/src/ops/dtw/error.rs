//! What a DTW call refuses.

use std::fmt;

/// A call that is refused. Nothing has been launched or written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum DtwError {
    /// Queries without points.
    #[error("a query has 0 points; it must have at least 1")]
    EmptyQuery,
    /// No query.
    #[error("there are 0 queries; there must be at least 1")]
    NoQueries,
    /// Queries that do not have one length.
    #[error("{elements} elements are no whole number of queries of {len} points")]
    RaggedQueries { elements: usize, len: usize },
    /// A query with a NaN or an infinity.
    #[error("query {query} has {value} at point {point}; every point must be finite")]
    QueryNotFinite { query: usize, point: usize, value: ShownF32 },
    /// A query that cannot be normalised: its differences have no f32.
    #[error(
        "query {query}: point {point} ({value}) minus point 0 ({first}) is beyond f32; a normalised query needs every \
         such difference"
    )]
    QueryTooWide { query: usize, point: usize, value: ShownF32, first: ShownF32 },
    /// A query that cannot be normalised: the distance of a point from the mean has no f32.
    #[error(
        "query {query}: point {point} ({value}) is more than f32 holds away from the query's mean; a normalised query needs \
         every such difference"
    )]
    QueryFarFromMean { query: usize, point: usize, value: ShownF32 },
    /// A rolling window without points, or longer than the row.
    #[error("a rolling window of {window} points; {}", WindowLimit(*limit))]
    Window { window: usize, limit: usize },
    /// A rolling window without points, where it may be longer than what there is so far.
    #[error("a rolling window of 0 points; it must have at least 1")]
    EmptyWindow,
    /// A rolling window of other points than the plan's.
    #[error("a rolling window of {window} points; the plan is for {planned}")]
    OtherWindow { window: usize, planned: usize },
    /// A series shorter than the first window with a distance.
    #[error(
        "a series of {len} points is too short: queries of {query} points over means of {smoothing} need at least {needed}"
    )]
    SeriesTooShort { len: usize, query: usize, smoothing: usize, needed: usize },
    /// An output of another length than the result.
    #[error("output `{output}` has {got} elements; the result has {want}")]
    OutputLength { output: &'static str, got: usize, want: usize },
    /// A query longer than the kernels take.
    #[error(
        "a query has {len} points; the kernels take at most {limit}, the CPU any number (`--backend cpu`)"
    )]
    QueryTooLong { len: usize, limit: usize },
    /// More of something than can be counted.
    #[error("{count} {what}; at most {limit} are possible")]
    TooMany { what: &'static str, count: u64, limit: u64 },
    /// Distances that cannot be counted.
    #[error(
        "{rows} rows, {queries} queries and {points} points have too many distances; at most {limit} are possible"
    )]
    OutputTooLarge { rows: u64, queries: u64, points: u64, limit: u64 },
    /// A series of another shape than the plan's.
    #[error("the series has {got} points; the plan is for {rows} rows of {points}")]
    SeriesLength { got: u64, rows: u64, points: u64 },
    /// A series with other rows than the plan's.
    #[error("the series has {got_rows} rows of {got_points} points; the plan is for {rows} rows of {points}")]
    SeriesShape { got_rows: u64, got_points: u64, rows: u64, points: u64 },
    /// Rows that lie over each other.
    #[error("rows of {points} points start {stride} elements apart; they must start at least {points} apart")]
    RowStride { points: u64, stride: u64 },
    /// Fewer elements than the rows reach.
    #[error(
        "{got} elements; {rows} rows of {points} points that start {stride} elements apart need {needed}"
    )]
    RowsTooShort { got: u64, rows: u64, points: u64, stride: u64, needed: u64 },
    /// Elements that are no whole number of series, or no series.
    #[error("{elements} elements in {rows} rows; there must be at least 1 row, and as many elements in each")]
    SeriesRows { elements: usize, rows: usize },
    /// A stream that takes no points.
    #[error("a stream takes 0 points at a time; it must take at least 1")]
    NoCapacity,
    /// A threshold that no distance can be compared with.
    #[error("the threshold is NaN; it must be a number")]
    ThresholdNan,
}

/// How many points a rolling window may have over a series of so many.
struct WindowLimit(usize);

impl fmt::Display for WindowLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("the series has 0 points, and no window"),
            limit => write!(f, "it must have 1 to {limit}, the length of the series"),
        }
    }
}

/// The bits of an `f32` that a message shows.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct ShownF32(pub u32);

impl From<f32> for ShownF32 {
    fn from(value: f32) -> Self {
        Self(value.to_bits())
    }
}

impl fmt::Display for ShownF32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:e}", f32::from_bits(self.0))
    }
}

impl fmt::Debug for ShownF32 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
