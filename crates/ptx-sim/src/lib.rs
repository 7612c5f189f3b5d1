//! A SIMT simulator: runs the PTX text a driver would get, on the CPU, and checks it while it runs.
//!
//! A [`Device`] is the memory of a simulated GPU; a [`Module`] is PTX loaded on it; [`Module::launch`] runs a kernel to its end
//! and returns an error with everything it found wrong: kernel, block, thread, PTX line, and Rust line where the PTX has line
//! tables. [`Sim`] puts the three together for one file.
//!
//! Checked with every launch: accesses out of bounds of their allocation or variable, or misaligned; values that nothing wrote
//! and that reach an address, a predicate or a store; races by happens-before; barriers that a part of the block never reaches;
//! lane masks that name lanes which are not there, matrix instructions that a part of the warp does not execute; asynchronous
//! copies read too early, barrier objects misused, memory of blocks that have ended; registers and memory that `wgmma` still
//! uses; missing fences between the proxies, in shared memory; writes to what `ld.global.nc` reads; integer division by zero; endless loops.

mod arith;
mod device;
mod error;
mod exec;
mod finding;
mod initial;
mod memory;
mod options;
mod program;
mod sim;
mod stats;
mod tensor_map;

pub use arith::approx::bound::{ApproxBound, ApproxError, bound};
pub use arith::matrix::{MatrixBound, matrix_bound};
pub use device::{Device, LaunchConfig, Module, Report};
pub use error::{CodeError, LaunchError, LoadError};
pub use finding::{Finding, FindingKind, Findings, Place, RegisterUse, RustLine, Use};
pub use memory::{Conflict, Earlier, MemoryError, Object, OutOfBounds, Space};
pub use options::Options;
pub use sim::{Arg, Buffer, Sim, Value};
pub use stats::{AccessCount, LineCount, Stats};
pub use tensor_map::{
    TensorElement, TensorFill, TensorList, TensorMap, TensorMapError, TensorPromotion, TensorSpec,
    TensorSwizzle,
};
