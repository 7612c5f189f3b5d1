//! Feature cross: element-wise products of feature matrices.

pub mod hadamard;
pub mod hadamard_assign;
pub mod hadamard_bwd;

/// Threads per block of the family's kernels.
pub const BLOCK: u32 = 256;
