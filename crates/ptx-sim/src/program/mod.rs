//! From a parsed module to kernels that can be run.

mod alu;
mod atomics;
mod builder;
mod control;
pub(crate) mod ir;
mod kernel;
mod lookup;
mod memory;
mod names;
mod operands;
mod reach;
mod together;
mod warp_ops;

pub(crate) use builder::compile;
pub(crate) use kernel::{Kernel, Special};
pub(crate) use names::{MAX_SHARED_BYTES, code_address};
