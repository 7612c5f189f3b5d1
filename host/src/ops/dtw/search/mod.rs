//! The windows most like a query, without the distances of all.
//!
//! Two ways. The *narrow* one ([`narrow`]) asks a lower bound of every window and computes distances of those alone that it
//! does not rule out, and of these no more rows than needed: for narrow bands, many windows, and data on which bounds tell.
//! The *whole* one ([`whole`]) computes the profile and selects on the device: for everything else, wide bands and no band
//! among it, where a bound rules out little. Both end with the greedy selection of the CPU twin among windows whose exact
//! distances are known, so that the answer has the bits of the sorted profile, whatever the order of the launches' blocks.

mod call;
mod found;
mod known;
mod launch;
mod narrow;
mod plan;
mod tuning;
mod whole;

pub use call::{below_on, top_k_on};
pub(in crate::ops::dtw) use launch::RADII;
pub use plan::SearchPlan;
pub use tuning::Tuning;
