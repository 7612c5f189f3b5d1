//! Warpsmith's kernels, one module per family, one file per kernel.
//!
//! For the device the crate is compiled to PTX (`cargo xtask build-ptx`); for the host it leaves the typed descriptions
//! that `host` launches them by.
#![no_std]
#![allow(
    rustdoc::broken_intra_doc_links,
    reason = "`[n]` and `y[i]` in a kernel's shapes and formula are no links"
)]
#![cfg_attr(target_arch = "nvptx64", feature(abi_ptx))]

pub mod cross;
pub mod dtw;
pub mod embedding;
pub mod matmul;
pub mod probe;
pub mod quantize;
