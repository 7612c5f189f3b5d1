//! Dynamic time warping: plain loops.
//!
//! Two references. The one in `f32` does every operation in the order of the contract, so that kernels and CPU twin have
//! its very bits. The one in `f64` ([`exact_profile_cpu`]) takes the textbook's way and bounds the error of the first.
//! Operands are as the calls leave them: a query has points and all of them are finite, a rolling window is no longer
//! than its row.

mod distance;
mod exact;
mod matches;
mod profile;
mod rolling;
#[cfg(test)]
mod tests;
mod window;

pub use distance::{distance_cpu, pairs_cpu, subsequence_cpu};
pub use exact::{exact_distance_cpu, exact_profile_cpu, profile_tolerance, rolling_tolerance};
pub use matches::{below_cpu, top_k_cpu};
pub use profile::profile_cpu;
pub use rolling::rolling_cpu;
pub use window::normalized_cpu;
