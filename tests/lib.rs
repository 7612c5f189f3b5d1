//! Tests that cross crates. Each file beside this one is a test program; what several of them need is here.

pub mod described;
pub mod ulp;
