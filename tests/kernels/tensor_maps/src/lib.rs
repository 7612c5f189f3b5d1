//! Kernels that take tensor maps or run in clusters. `tests/tensor_maps.rs` includes the same module for their descriptions, under
//! the same path, which is a part of their records.

#![no_std]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod maps;
