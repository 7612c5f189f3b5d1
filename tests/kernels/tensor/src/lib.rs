//! Small whole kernels of the tensor cores and of asynchronous copies, one file per path; `tests/tensor.rs` and `tests/wgmma.rs`
//! run them.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx, f16))]

#[cfg(target_feature = "sm_90")]
mod copies;
#[cfg(target_arch = "nvptx64")]
mod mma;
#[cfg(target_feature = "sm_90")]
mod sums;
#[cfg(all(target_arch = "nvptx64", target_feature = "sm_90a"))]
pub mod wgmma;
