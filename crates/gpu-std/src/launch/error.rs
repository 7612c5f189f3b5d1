//! What a launch can get wrong before any back end is asked.

use core::fmt;

use super::{Dim3, TensorMapError};

/// A launch that breaks the kernel's contract. Nothing has been enqueued or written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum ContractError {
    /// Slices that must be of one length are not.
    LengthMismatch {
        entry: &'static str,
        left: &'static str,
        left_len: u64,
        right: &'static str,
        right_len: u64,
    },
    /// A slice the launch writes shares memory with another of its slices.
    Overlap { entry: &'static str, left: &'static str, right: &'static str },
    /// A range that reaches past the view.
    RangeOutOfBounds { start: u64, end: u64, len: u64 },
    /// No blocks along an axis.
    EmptyGrid { axis: char },
    /// More blocks than the hardware takes.
    GridTooLarge { axis: char, blocks: u64, limit: u32 },
    /// Blocks that do not fill the clusters.
    GridNotMultipleOfCluster { entry: &'static str, blocks: u32, cluster: u32 },
    /// Another block than the kernel was compiled for.
    BlockNotAllowed { entry: &'static str, asked: Dim3, required: Dim3 },
    /// More threads than the kernel or the hardware takes, or none.
    BlockTooLarge { entry: &'static str, asked: Dim3, limit: u32 },
    /// A kernel without `block = …`, and no block given.
    BlockMissing { entry: &'static str },
    /// Dynamic shared memory for a kernel that has no use for it.
    NoDynamicShared { entry: &'static str, bytes: u32 },
    /// A tensor or box that no tensor map can describe.
    TensorMap(TensorMapError),
    /// A view of memory that another stream or back end owns.
    WrongSpace { entry: &'static str, param: &'static str, got: u64, want: u64 },
}

impl fmt::Display for ContractError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LengthMismatch { entry, left, left_len, right, right_len } => write!(
                f,
                "{entry}: `{left}` has {left_len} elements and `{right}` has {right_len}; they must be equal"
            ),
            Self::Overlap { entry, left, right } => {
                write!(f, "{entry}: `{left}` and `{right}` share memory and one of them is written")
            }
            Self::RangeOutOfBounds { start, end, len } => {
                write!(f, "range {start}..{end} reaches past a view of {len} elements")
            }
            Self::EmptyGrid { axis } => write!(f, "grid.{axis} is 0; a launch needs at least one block"),
            Self::GridTooLarge { axis, blocks, limit } => {
                write!(f, "grid.{axis} is {blocks}; the limit is {limit}")
            }
            Self::GridNotMultipleOfCluster { entry, blocks, cluster } => {
                write!(f, "{entry}: grid.x is {blocks}, which is no multiple of the cluster size {cluster}")
            }
            Self::BlockNotAllowed { entry, asked, required } => {
                write!(f, "{entry}: block {asked} asked, but it is compiled for {required}")
            }
            Self::BlockTooLarge { entry, asked, limit } => {
                write!(f, "{entry}: block {asked} has no threads or more than {limit}")
            }
            Self::BlockMissing { entry } => {
                write!(f, "{entry}: it has no block size of its own; add `.with_block(…)` to the shape")
            }
            Self::NoDynamicShared { entry, bytes } => {
                write!(f, "{entry}: {bytes} bytes of dynamic shared memory, but it declares none")
            }
            Self::TensorMap(error) => write!(f, "tensor map: {error}"),
            Self::WrongSpace { entry, param, got, want } => write!(
                f,
                "{entry}: `{param}` belongs to stream {got} and the launch goes to stream {want}; use `buf.on(&stream)`"
            ),
        }
    }
}

impl core::error::Error for ContractError {}
