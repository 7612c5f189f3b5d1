//! Fast CPU twins of the kernels: threads over chunks, and the widest vectors the processor has, chosen at run time.
//!
//! A twin gives the bits of the naive reference, except that a NaN may be another NaN.

pub mod cross;
pub mod dtw;
pub mod embedding;
mod isa;
pub mod matmul;
mod mul;
pub mod quantize;

pub use isa::vector_instructions;
pub use mul::CpuScalar;

/// Elements a thread works on at a time: small enough that the chunks of five operands stay in a second-level cache.
const CHUNK: usize = 1 << 14;
