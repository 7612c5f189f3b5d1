//! Times every op against named baselines: verified first, the cache cleared before each run, kept as records.
//!
//! | who | does |
//! |---|---|
//! | `cargo bench --package benches` | criterion over all ops; a record at the end |
//! | program `bench --round N --out FILE` | one round, as JSON Lines; for machines without cargo |
//! | `baselines/*.py --out FILE` | one round of what a user would pick instead |
//! | program `bench --appends N` | latency of N appends to a series that grows, as JSON Lines |
//! | program `bench --summary DIR --record FILE` | medians over all rounds in DIR, as records |

mod append;
mod criteria;
mod error;
mod peaks;
mod round;
mod stand;
mod summary;

pub use append::{AppendLine, time_appends};
pub use criteria::{Criteria, Work};
pub use error::BenchError;
pub use peaks::peak;
pub use round::{BaselineLine, OwnLine, read_lines, run_round};
pub use stand::{Lane, Stand, prepare};
pub use summary::{gpu_folder, summarise, today, write_records};
