//! Embedding: rows of tables looked up or pooled, feature beside feature, in one output row per sample.

pub mod bag;
pub mod columns;
pub mod embed;
pub mod embed_bags;
pub mod embed_check;
pub mod feature;
pub mod table;

/// Threads per block of the family's kernels.
pub const BLOCK: u32 = 256;

/// Output rows that a thread looks up at a time.
pub const ROWS: usize = 4;
