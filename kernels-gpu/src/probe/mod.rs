//! Probes: kernels that tests of the runtime launch. They belong to no op.

pub mod math_f32;
pub mod shared_copy;
pub mod spin;
pub mod trap_at;

/// Threads per block of the family's kernels.
pub const BLOCK: u32 = 256;
