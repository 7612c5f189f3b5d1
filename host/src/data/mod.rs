//! Real input: CSV files with a header, columns by name.

mod error;
mod shown;
mod table;

pub use error::DataError;
pub(crate) use shown::one_line;
pub use shown::{Shown, ShownColumns};
pub use table::Table;
