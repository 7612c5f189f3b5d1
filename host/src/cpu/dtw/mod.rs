//! Dynamic time warping: the fast twin. What the calls compute, and in which order, says [`crate::ops::dtw`] and the
//! plain [reference](crate::reference::dtw).
//!
//! Cells depend on their neighbours, windows do not: a lane of a vector is a window (a pair, a query), and every loop goes
//! over rows that hold one element of each lane.

mod matches;
mod matrix;
mod pairs;
mod portable;
mod profile;
mod rolling;
mod subsequence;
#[cfg(test)]
mod tests;
mod vector;
mod window;
#[cfg(target_arch = "x86_64")]
mod x86;

pub use matches::{at_most, below, separated, smallest, top_k};
pub use pairs::pairs;
pub use profile::{prepared as prepared_queries, profile};
pub use rolling::rolling;
pub use subsequence::subsequence;
