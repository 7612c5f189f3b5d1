//! Tensor maps as arguments: a tensor over device memory and the box that one copy moves, within the limits of
//! `cuTensorMapEncodeTiled` (CUDA Driver API, "Tensor Map Object Management") without interleaving.
//!
//! Lists are innermost dimension first. Each back end encodes the description its own way.

mod error;
mod map;
mod tiles;
mod types;

pub use error::{TensorList, TensorMapError};
pub use map::{TensorMapArg, TensorMapDesc, TensorMapDescMut};
pub use tiles::{MAX_TENSOR_RANK, TensorShape, TensorTiles};
pub use types::{TensorElement, TensorFill, TensorPromotion, TensorSwizzle, TensorType};
