//! What host and device agree on about a launch: the description of a kernel, its arguments, its shape.
//!
//! `#[kernel]` writes one [`Kernel`] per entry from the very signature the device code is compiled from, so
//! arguments can be neither swapped nor of another type. A back end implements [`Launcher`]; everything a
//! launch can get wrong without knowing the back end is checked here, before it is reached, and reported as
//! a [`ContractError`].

mod args;
mod error;
mod kernel;
mod shape;
mod tensor;

pub use args::{ArgSink, DevicePtrArg, DeviceSlice, DeviceSliceMut, KernelArgs, SliceArg, SpaceId};
pub use error::ContractError;
pub use kernel::{BlockRule, Kernel, Launcher, ParamDesc, ParamKind, SafeKernel, launch, launch_unsafe};
pub use shape::{CheckedShape, Dim3, LaunchShape, MAX_GRID};
pub use tensor::{
    MAX_TENSOR_RANK, TensorElement, TensorFill, TensorList, TensorMapArg, TensorMapDesc, TensorMapDescMut,
    TensorMapError, TensorPromotion, TensorShape, TensorSwizzle, TensorTiles, TensorType,
};
