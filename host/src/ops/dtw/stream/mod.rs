//! A series that grows: append points, get their distances.

mod call;
mod device;
mod history;
mod in_memory;
mod options;

pub use call::{Stream, stream_on};
#[cfg(test)]
pub(super) use device::DeviceStream;
pub use options::StreamOptions;
