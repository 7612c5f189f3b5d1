//! From a parsed module to kernels that can be run.

mod alu;
mod atomics;
mod builder;
mod bulk;
mod control;
mod distant;
mod flights;
pub(crate) mod ir;
mod kernel;
mod lookup;
mod matrix;
mod mbarrier;
mod memory;
mod names;
mod operands;
mod reach;
mod together;
mod warp_ops;
pub(crate) mod wgmma;
mod words;

pub(crate) use builder::compile;
pub(crate) use bulk::tensor_reduction;
pub(crate) use kernel::{Kernel, Special};
pub(crate) use names::{MAX_SHARED_BYTES, code_address};
