//! Feature cross: element-wise products of feature matrices.

pub mod hadamard;
pub mod hadamard_assign;
pub mod hadamard_assign_rows;
pub mod hadamard_bwd;
pub mod hadamard_bwd_rows;
pub mod hadamard_rows;

/// Threads per block of the family's kernels.
pub const BLOCK: u32 = 256;
