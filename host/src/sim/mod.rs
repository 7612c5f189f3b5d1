//! The simulator as a device: ops and tests run on it as on a GPU, from the PTX that the driver would get, and every fault a
//! kernel commits is an error that names kernel, block, thread and line.
//!
//! | layer | what |
//! |---|---|
//! | [`Sim`] | the device: PTX chosen as for a GPU, launches checked as on one |
//! | [`SimBuffer`] | its memory, freed with the buffer |
//! | [`SimOptions`] | which PTX, which scheduling order; from the caller or the environment |
//!
//! A launch runs to its end before the call returns.

mod buffer;
mod device;
mod entry;
mod info;
mod options;
mod pack;
mod statistics;
mod tensor;
#[cfg(test)]
mod tests;

pub use buffer::SimBuffer;
pub use device::Sim;
pub use options::{ARCH_VARIABLE, SEED_VARIABLE, STATS_VARIABLE, SimOptions};
pub use ptx_sim::{Finding, FindingKind, Findings, LaunchError, LoadError, MemoryError, Place};
pub use statistics::KernelStatistics;
