//! Runs GPU kernels written in Rust and checks them against the CPU.
//!
//! [`runtime`] is what most programs name: devices, streams, memory, launches. [`artefacts`] finds the kernels' PTX,
//! [`driver`] talks to CUDA, `sim` (a feature, on unless it is turned off) to the simulator.

pub mod artefacts;
pub mod backend;
pub mod cli;
pub mod cpu;
pub mod data;
pub mod driver;
pub mod error;
mod host_memory;
pub mod ops;
mod params;
pub mod reference;
pub mod runtime;
#[cfg(feature = "sim")]
pub mod sim;
pub mod validate;
