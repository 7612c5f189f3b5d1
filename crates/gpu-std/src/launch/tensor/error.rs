//! What no tensor map can describe.

use core::fmt;

use super::tiles::GRANULE;
use super::{MAX_TENSOR_RANK, TensorType};
use crate::launch::ContractError;

/// One of the lists of [`TensorTiles`](super::TensorTiles).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the list of that name")]
pub enum TensorList {
    Dims,
    Strides,
    BoxDims,
    ElementStrides,
}

impl fmt::Display for TensorList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Dims => "dims",
            Self::Strides => "strides",
            Self::BoxDims => "box_dims",
            Self::ElementStrides => "element_strides",
        })
    }
}

/// A tensor or box that no tensor map can describe.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum TensorMapError {
    /// No dimensions, or more than five.
    Rank { rank: usize },
    /// A list of another length than the tensor needs.
    Length { list: TensorList, got: usize, want: usize },
    /// A number outside its range.
    Range { list: TensorList, index: usize, value: u64, min: u64, max: u64 },
    /// A stride that is no multiple of 16 bytes.
    Stride { index: usize, bytes: u64 },
    /// A first element that is not aligned to 16 bytes.
    Address { addr: u64 },
    /// A row of the box that is no multiple of 16 bytes.
    Row { bytes: u64 },
    /// A row of the box that is longer than the swizzle takes.
    RowOverSwizzle { bytes: u64, span: u64 },
    /// NaN outside a tensor of integers.
    NanFill { ty: TensorType },
    /// A type of another size than the elements of the view.
    TypeSize { ty: TensorType, bytes: usize },
    /// A tensor that reaches past the view.
    Extent { bytes: u64, view_bytes: u64 },
}

impl fmt::Display for TensorMapError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Rank { rank } => {
                write!(f, "a tensor of {rank} dimensions; 1 to {MAX_TENSOR_RANK} are possible")
            }
            Self::Length { list, got, want } => {
                write!(f, "{list} has {got} numbers; a tensor of this rank needs {want}")
            }
            Self::Range { list, index, value, min, max } => {
                write!(f, "{list}[{index}] is {value}; it must be {min} to {max}")
            }
            Self::Stride { index, bytes } => {
                write!(f, "strides[{index}] is {bytes} bytes, no multiple of {GRANULE}; pad the rows")
            }
            Self::Address { addr } => {
                write!(f, "the tensor begins at {addr:#x}, which is no multiple of {GRANULE}")
            }
            Self::Row { bytes } => write!(f, "a row of the box has {bytes} bytes, no multiple of {GRANULE}"),
            Self::RowOverSwizzle { bytes, span } => {
                write!(f, "a row of the box has {bytes} bytes; the swizzle takes at most {span}")
            }
            Self::NanFill { ty } => {
                write!(f, "NaN outside a tensor of {ty:?}, which is no floating-point type")
            }
            Self::TypeSize { ty, bytes } => {
                write!(f, "{ty:?} has {} bytes and the view's elements have {bytes}", ty.bytes())
            }
            Self::Extent { bytes, view_bytes } => {
                write!(f, "the tensor reaches over {bytes} bytes and the view has {view_bytes}")
            }
        }
    }
}

impl core::error::Error for TensorMapError {}

impl From<TensorMapError> for ContractError {
    fn from(error: TensorMapError) -> Self {
        Self::TensorMap(error)
    }
}
