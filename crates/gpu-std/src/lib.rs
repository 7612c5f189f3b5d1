//! The GPU kernel DSL: kernels are plain Rust functions with `#[kernel]`, compiled by stock rustc to PTX.
//!
//! | where | what |
//! |---|---|
//! | [`kernel`] | makes a function a kernel entry and writes its typed launch |
//! | [`launch`] | what host and device agree on: descriptions, arguments, shapes, errors |
//! | [`GridMut`], [`DevicePtr`], [`rows`] | kernel parameters and safe views of them |
//! | [`thread`], [`shared`] | where a thread stands, what its block shares |
//! | [`warp`], [`block`], [`atomic`] | what threads do together: shuffles, votes, barriers, atomics, fences |
//! | [`wgmma`], [`swizzle`] | tensor cores of sm_90a, and how their operands lie in shared memory |
//! | [`mem`] | loads and stores of 16 bytes, cache hints, prefetches |
//! | [`mbarrier`], [`bulk`], [`tma`] | asynchronous copies, and what tells that they are done |
//! | [`cluster`] | the shared memory of the other blocks of a cluster |
//! | [`mma`] | products of matrices on the tensor cores, and matrices between registers and shared memory |
//! | [`async_copy`] | copies to shared memory that a thread waits for later |
//! | [`math`], [`packed`], [`int`], [`convert`] | arithmetic and conversions under the instructions' own names |
//! | [`math::accurate`] | `exp`, `log`, `sin` and so on, with the same bits on host and device |
//! | [`mod@unroll`], [`clock`], [`control`] | unrolled loops, clocks, trap |
//! | [`porting`] | what stands for what in `cuda_std` |
//!
//! The crate compiles for the device (`nvptx64-nvidia-cuda`) and for the host. On the host, functions of pure arithmetic
//! compute the same result in plain Rust, so that helpers can be tested there; functions that need a GPU panic with their
//! name.
//!

#![no_std]
#![cfg_attr(
    target_arch = "nvptx64",
    feature(asm_experimental_arch, f16, stdarch_nvptx, core_intrinsics),
    allow(internal_features, reason = "the device half runs on the kernel build's own, pinned rustc")
)]

#[cfg(not(target_arch = "nvptx64"))]
extern crate std;

// What the macros write names the crate so.
extern crate self as gpu_std;

#[macro_use]
mod macros;

pub mod async_copy;
pub mod atomic;
pub mod block;
pub mod bulk;
pub mod clock;
pub mod cluster;
pub mod control;
pub mod convert;
mod element;
mod grid;
mod half_types;
pub mod int;
pub mod launch;
pub mod math;
pub mod mbarrier;
pub mod mem;
pub mod mma;
pub mod packed;
#[cfg(target_arch = "nvptx64")]
mod panic;
pub mod porting;
pub mod record;
#[cfg(target_arch = "nvptx64")]
mod reg;
pub mod rows;
pub mod shared;
#[cfg(not(target_arch = "nvptx64"))]
mod soft;
pub mod swizzle;
pub mod thread;
pub mod tma;
pub mod unroll;
pub mod warp;
pub mod wgmma;

pub use element::{DeviceRepr, Element, Real, Vec16};
pub use gpu_std_macros::{DeviceRepr, kernel, unroll};
pub use grid::{DevicePtr, GridMut};
pub use half_types::{bf16, f16};

/// Panics on the host for a function that only a GPU can execute.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
fn device_only(name: &str) -> ! {
    panic!("gpu_std: `{name}` runs on the device only")
}
