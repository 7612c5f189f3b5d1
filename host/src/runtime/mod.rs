//! What a program that uses the GPU names: devices, streams, memory, launches.
//!
//! ```no_run
//! use host::runtime::Gpu;
//!
//! let stream = Gpu::open(0)?.stream()?;
//! let mut y = stream.buffer::<f32>(1024)?;
//! stream.fill(y.as_mut_slice(), 0)?;
//! assert_eq!(stream.read(y.as_slice())?, vec![0.0; 1024]);
//! # Ok::<(), host::error::Error>(())
//! ```

pub use gpu_std::launch::{
    ContractError, DeviceSlice, DeviceSliceMut, Dim3, LaunchShape, Launcher, SpaceId, TensorMapDesc,
    TensorMapDescMut, TensorTiles,
};

pub use crate::artefacts::{Arch, ArtefactError, Artefacts, EmbeddedPtx, Options, PtxVersion};
pub use crate::backend::{Backend, Buffer, Device, DeviceInfo, Selection, Staging};
pub use crate::driver::{
    DeviceBuffer, Event, FunctionAttributes, Gpu, HostAccess, MemoryUse, Module, PinnedBuffer,
    PreparedLaunch, Stream,
};
pub use crate::error::{DriverCode, Error, GpuLost};
#[cfg(feature = "sim")]
pub use crate::sim::{Sim, SimBuffer, SimOptions};
