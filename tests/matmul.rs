//! The `mma.sync` products in the simulator: every instance against plain loops, bit by bit.
//!
//! Operands lie in larger buffers whose other elements must neither count nor change.

#[path = "matmul/case.rs"]
mod case;
#[path = "matmul/floats.rs"]
mod floats;
#[path = "matmul/golden.rs"]
mod golden;
#[path = "matmul/hybrid.rs"]
mod hybrid;
#[path = "matmul/precision.rs"]
mod precision;
#[path = "matmul/quantized.rs"]
mod quantized;

use host::error::Error;
use host::runtime::{Arch, ArtefactError, Sim, SimOptions};

/// The instances of a kernel that differ in the tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Instance {
    /// The tile of large products.
    Large,
    /// The tile of small products.
    Small,
    /// Operands that lie anywhere.
    Any,
}

/// Sizes around those of tiles, stages and copies.
pub const SIZES: [u32; 26] =
    [1, 2, 3, 4, 5, 7, 8, 9, 11, 13, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 192, 255, 256, 257];

/// A device for each PTX of sm_80 and sm_90a that is there; that of libNVVM need not be.
pub fn devices() -> Vec<Sim> {
    let mut devices = Vec::new();
    for (codegen, arch) in [("llvm", "sm_80"), ("llvm", "sm_90a"), ("nvvm", "sm_80"), ("nvvm", "sm_90a")] {
        let mut options = SimOptions::default();
        options.ptx.arch = Some(arch.parse::<Arch>().expect("an architecture"));
        options.ptx.codegen = Some(codegen.to_owned());
        options.run.seed = devices.len() as u64;
        match Sim::open_with(options) {
            Ok(sim) => devices.push(sim),
            Err(error @ Error::Artefact(ArtefactError::CodegenNotThere { .. })) if codegen == "nvvm" => {
                println!("skipped: nvvm, {arch}: {error}")
            }
            Err(error) => panic!("`cargo xtask build-ptx` has not run: {error}"),
        }
    }
    devices
}
