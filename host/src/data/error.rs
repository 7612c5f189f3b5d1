//! Why a data file cannot be used.

use std::path::PathBuf;

use super::{Shown, ShownColumns};

/// A data file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum DataError {
    /// The file is not there.
    #[error("{} does not exist", file.display())]
    Missing { file: PathBuf },
    /// A file of the demo is not there.
    #[error("{} does not exist; give the folder that holds it with `--data DIR`", file.display())]
    MissingDemoFile { file: PathBuf },
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Unreadable { file: PathBuf, source: std::io::Error },
    /// The file holds no header.
    #[error("{} is empty; its first line must name the columns", file.display())]
    Empty { file: PathBuf },
    /// The file holds a header and no rows.
    #[error("{} has a header and no rows", file.display())]
    NoRows { file: PathBuf },
    /// A row is longer or shorter than the header.
    #[error("{}, line {line}: {got} columns; the header has {want}", file.display())]
    Ragged { file: PathBuf, line: u64, got: u64, want: u64 },
    /// Text that is not UTF-8, or quoting that does not end.
    #[error("{}, line {line}: {what}", file.display())]
    Malformed { file: PathBuf, line: u64, what: String },
    /// The header does not name a column.
    #[error("{}, line 1: no column {column}; it has {has}", file.display())]
    MissingColumn { file: PathBuf, column: Shown, has: ShownColumns },
    /// The header gives several columns the name that is asked for.
    #[error("{}, line 1: columns {first} and {second} are both named {column}; the name must be of one", file.display())]
    AmbiguousColumn { file: PathBuf, column: Shown, first: usize, second: usize },
    /// A cell holds no number.
    #[error("{}, line {line}, column {column}: {cell} is no number", file.display())]
    NotANumber { file: PathBuf, line: u64, column: Shown, cell: Shown },
    /// A cell that must hold a number above zero, such as a price, does not.
    #[error("{}, line {line}, column {column}: {value} is not above 0", file.display())]
    NotPositive { file: PathBuf, line: u64, column: Shown, value: f64 },
    /// A cell holds a number that no f32 is near to.
    #[error("{}, line {line}, column {column}: {cell} is beyond f32, which ends at {:e}", file.display(), f32::MAX)]
    BeyondF32 { file: PathBuf, line: u64, column: Shown, cell: Shown },
    /// A cell of a query is empty or NaN.
    #[error("{}, line {line}, column {column}: {cell} is no number; a query has no gaps", file.display())]
    QueryGap { file: PathBuf, line: u64, column: Shown, cell: Shown },
    /// Rows that the file does not have.
    #[error("{} has {rows} rows, counted from 0; {from}..{to} goes beyond them", file.display())]
    RowsOutOfRange { file: PathBuf, from: usize, to: usize, rows: usize },
    /// Rows in front of the first that has a mean.
    #[error(
        "{}: rows {from}..{to} over means of {points} points; row {first} is the first that has one",
        file.display()
    )]
    RowsBeforeMeans { file: PathBuf, from: usize, to: usize, points: usize, first: usize },
    /// An array that is no matrix.
    #[error("{} has {dimensions} dimensions; a matrix has 2", file.display())]
    NoMatrix { file: PathBuf, dimensions: usize },
    /// An array whose columns lie one after the other.
    #[error("{} is in Fortran order; it must be in C order", file.display())]
    FortranOrder { file: PathBuf },
    /// An array of other numbers.
    #[error("{} holds {dtype}; it must hold float32 ('<f4') or float64 ('<f8')", file.display())]
    NpyType { file: PathBuf, dtype: Shown },
    /// A file that does not begin as .npy files do.
    #[error("{} is no .npy file: {what}", file.display())]
    NpyHeader { file: PathBuf, what: Shown },
    /// A header that is longer than any array's.
    #[error("{} has a header of {bytes} bytes; at most {limit} are read", file.display())]
    NpyHeaderBytes { file: PathBuf, bytes: u64, limit: u64 },
    /// More elements than can be counted.
    #[error("{} has shape {shape}; its elements must be fewer than 2^63", file.display())]
    NpyShape { file: PathBuf, shape: Shown },
    /// A file that ends too soon.
    #[error("{} ends within its {rows} x {cols} numbers", file.display())]
    NpyCutOff { file: PathBuf, rows: u64, cols: u64 },
    /// A number that no f32 is near to, or none at all.
    #[error("{}, element ({row}, {col}): {value} is no finite float32", file.display())]
    NotFinite { file: PathBuf, row: u64, col: u64, value: f64 },
    /// Fewer rows than are needed.
    #[error("{} has {got} rows; {want} are needed", file.display())]
    TooFewRows { file: PathBuf, got: usize, want: usize },
}
