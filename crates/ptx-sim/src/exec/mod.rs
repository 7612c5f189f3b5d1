//! Running a launch: warps, blocks, grids.

mod alu;
mod async_copy;
mod atomics;
mod barrier;
mod block;
mod bulk;
mod call;
mod cluster;
mod deliver;
mod distant;
mod flying;
mod grid;
mod idle;
mod lanes;
mod machine;
mod matrix;
mod mbarrier;
mod mem;
pub(crate) mod regs;
mod special;
mod step;
mod tile;
mod warp;
mod warp_ops;
mod wgmma;

pub(crate) use grid::{Job, run};
