//! What the family tells of itself: its ops, the cases they are tested and timed by.

mod cases;
mod data;
mod float;
mod hpq;
mod q8;
mod run;
mod shape;

pub use cases::{SWEEP_SIZES, sweep};
pub use float::FloatOp;
pub(crate) use float::tolerance_of_sums;
pub use hpq::HpqOp;
pub use q8::Q8Op;

use crate::ops::Op;

/// The family's ops.
pub const OPS: &[&dyn Op] = &[&Q8Op, &HpqOp, &FloatOp];

#[cfg(test)]
mod tests;
