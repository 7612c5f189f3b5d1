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
mod host_call;
mod launch;
mod matches;
mod op;
mod options;
mod plan;
mod queries;
mod rolling;
mod stream;

pub use aggregates::{Aggregates, AggregatesMut};
pub use call::profile;
pub use config::{Config, Kernel, MAX_QUERY, Problem};
pub use error::{DtwError, ShownF32};
pub use host_call::{Profile, by_start, profile_on, rolling_on};
pub use matches::{Match, check_threshold, default_exclusion};
pub use op::{OPS, ProfileOp, RollingOp};
pub use options::{Normalization, ProfileOptions, band, cells, check_output, check_window};
pub use plan::{ProfilePlan, Rolling};
pub use queries::Queries;
pub use rolling::{DeviceAggregates, rolling};
pub use stream::{Stream, StreamOptions, stream_on};
