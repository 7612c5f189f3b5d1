//! Real input: CSV files with a header, columns by name.

mod error;
mod table;

pub use error::DataError;
pub use table::Table;
