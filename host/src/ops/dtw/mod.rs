//! Dynamic time warping (DTW): what the calls, the reference and the CPU twin have in common. Types and checks, no
//! arithmetic.
//!
//! A *window* of length m of a series s, ending at t, is `s[t-m+1..=t]`. Its distance to a query q is D(m-1, m-1) of
//! `D(i, j) = (q[i] - z[j])^2 + min(D(i-1, j-1), D(i-1, j), D(i, j-1))`, z the window, raw or normalised; the root is not
//! taken. Everything is stamped with the window's end, so no value depends on what comes after it.

mod aggregates;
mod call;
mod config;
mod error;
mod growing;
mod host_call;
mod launch;
mod matches;
mod op;
mod options;
mod pairs;
mod plan;
mod queries;
mod rolling;
mod search;
mod stream;
mod subsequence;

pub use aggregates::{Aggregates, AggregatesMut};
pub use call::profile;
pub use config::{Config, Kernel, MAX_QUERY, Problem};
pub use error::{DtwError, ShownF32};
pub use growing::GrowingRows;
pub use host_call::{Profile, by_start, profile_on, rolling_on};
pub use matches::{Match, check_threshold, default_exclusion};
pub use op::{BelowOp, OPS, PairsOp, ProfileOp, RollingOp, SubsequenceOp, TopKOp};
pub use options::{Aggregation, Normalization, ProfileOptions, band, cells, check_output, check_window};
pub(crate) use pairs::check_sequences;
pub use pairs::{pairs, pairs_on};
pub use plan::{ProfilePlan, ProfileRolling, Rolling};
pub use queries::Queries;
pub use rolling::{DeviceAggregates, rolling};
pub use search::{SearchPlan, Tuning, below_on, top_k_on};
pub use stream::{Stream, StreamOptions, stream_on};
pub use subsequence::{SubsequencePlan, subsequence, subsequence_on};
