//! What an embedding refuses.

use super::MAX_WIDTH;

/// A call that is refused: nothing has been launched or written. What is found in indices and offsets on a device is reported
/// when the call is waited for: nothing has been written then either.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum EmbeddingError {
    /// Nothing to look up.
    #[error("embed: there are no features; there must be 1 to {limit}")]
    NoFeatures { limit: usize },
    /// More features than the kernels count.
    #[error("embed: there are {got} features; there must be 1 to {limit}")]
    TooManyFeatures { got: usize, limit: usize },
    /// A table without rows, in which no index is valid.
    #[error("embed: the table of feature {feature} has no rows")]
    EmptyTable { feature: usize },
    /// Rows too short or too long.
    #[error("embed: rows of feature {feature} have {width} elements; they must have 1 to {MAX_WIDTH}")]
    Width { feature: usize, width: u64 },
    /// Rows of bytes that have no room for scale and bias.
    #[error("embed: rows of {got} bytes have no codes before the {steps} bytes of scale and bias")]
    FusedWidth { got: u64, steps: u64 },
    /// Scales and biases that are not those of the rows.
    #[error(
        "embed: scales and biases are {rows} x {cols}; {codes} rows of codes need {codes} x 2, a scale and a bias each"
    )]
    StepsShape { rows: u64, cols: u64, codes: u64 },
    /// Indices or offsets of another number than the output's rows ask for.
    #[error("embed: feature {feature} has {got} {what}; {batch} rows of the output need {want}")]
    Length { feature: usize, what: &'static str, got: u64, batch: u64, want: u64 },
    /// Weights of another number than there are indices.
    #[error("embed: feature {feature} has {got} weights and {want} indices; they must be as many")]
    Weights { feature: usize, got: u64, want: u64 },
    /// Indices or offsets of 32 bits beside others of 64.
    #[error(
        "embed: {what} of feature {feature} have {got} bits and the indices of feature 0 {want}; all must have as many"
    )]
    IndexBits { feature: usize, what: &'static str, got: u32, want: u32 },
    /// Dense features of another number of rows.
    #[error(
        "embed: there are {got} rows of dense features and {batch} rows of the output; they must be as many"
    )]
    DenseRows { got: u64, batch: u64 },
    /// An output of another number of rows than the plan has samples.
    #[error("embed: the output has {got} rows; the plan is for {batch} samples")]
    Rows { got: u64, batch: u64 },
    /// A view to count in that is not of one element.
    #[error("embed: the view to count in has {got} elements; it must have 1")]
    Count { got: u64 },
    /// An output that is not as wide as the features together.
    #[error("embed: the output has {got} columns; the features have {want} together")]
    Columns { got: u64, want: u64 },
    /// An output too wide for the kernels.
    #[error("embed: the features have {got} columns together; at most {limit} are possible")]
    TooWide { got: u64, limit: u64 },
    /// An index of a row that is not there.
    #[error("embed: index {position} of feature {feature} is {index}; its table has {rows} rows")]
    Index { feature: usize, position: u64, index: i64, rows: u64 },
    /// A bag that does not lie within its list.
    #[error(
        "embed: the bag of row {row} of feature {feature} is from {start} to {end}; it must be in order and within {len} indices"
    )]
    Bag { feature: usize, row: u64, start: i64, end: i64, len: u64 },
}
