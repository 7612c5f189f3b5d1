//! Is the result right? Element by element against the reference, what lies between the rows included.

mod comparable;
mod compare;
mod tolerance;

pub use comparable::Comparable;
pub use compare::{Comparison, Mismatch, POISON_BYTE, compare, poison};
pub use tolerance::Tolerance;
