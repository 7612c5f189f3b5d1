//! Running a launch: warps, blocks, grids.

mod alu;
mod async_copy;
mod atomics;
mod barrier;
mod block;
mod call;
mod cluster;
mod grid;
mod lanes;
mod machine;
mod mem;
pub(crate) mod regs;
mod special;
mod step;
mod warp;
mod warp_ops;

pub(crate) use grid::{Job, run};
