//! Quantizers: floats become integer codes with a scale, and a zero point where asked for.

pub mod affine;
pub mod group;
pub mod hadamard_quantize;
pub mod held;
pub mod lanes;
pub mod quantize_affine;
pub mod quantize_rows;
pub mod quantize_rows_i16;
pub mod rows;
pub mod sink;
pub mod source;
pub mod steps;

/// Threads per block of the family's kernels.
pub const BLOCK: u32 = 256;

/// The row stays in registers: at most [`held::CHUNKS`] chunks of 16 bytes per thread; rows and codes are aligned.
pub const HELD: u32 = 0;
/// The row is read twice, 16 bytes at a time; rows and codes are aligned.
pub const TWICE: u32 = 1;
/// The row is read twice, element by element; any place and stride.
pub const SINGLE: u32 = 2;
