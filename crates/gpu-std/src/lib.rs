//! The GPU kernel DSL: kernels are plain Rust functions with `#[kernel]`, compiled by stock rustc to PTX.
//!
//! | where | what |
//! |---|---|
//! | [`kernel`] | makes a function a kernel entry and writes its typed launch |
//! | [`launch`] | what host and device agree on: descriptions, arguments, shapes, errors |
//! | [`GridMut`], [`DevicePtr`], [`rows`] | kernel parameters and safe views of them |
//! | [`thread`], [`shared`] | where a thread stands, what its block shares |
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

mod element;
mod grid;
mod half_types;
pub mod launch;
#[cfg(target_arch = "nvptx64")]
mod panic;
pub mod record;
pub mod rows;
pub mod shared;
pub mod thread;

pub use element::{DeviceRepr, Element, Real, Vec16};
pub use gpu_std_macros::{DeviceRepr, kernel};
pub use grid::{DevicePtr, GridMut};
pub use half_types::{bf16, f16};

/// Panics on the host for a function that only a GPU can execute.
#[cfg(not(target_arch = "nvptx64"))]
#[cold]
fn device_only(name: &str) -> ! {
    panic!("gpu_std: `{name}` runs on the device only")
}
