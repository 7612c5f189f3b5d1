//! Runs a program on the GPU.

use std::marker::PhantomData;

use gpu_std::launch::{Kernel, LaunchShape};
use gpu_std::shared::DynamicShared;
use gpu_std::{DevicePtr, kernel};
use host::error::Error;
use host::runtime::{Dim3, Gpu, Module, Stream};

use super::map::Over;
use super::program::Program;

/// The entry of every program, as the host sees it.
///
/// # Safety
/// - `input` and `output` point to what the program reads and writes.
#[kernel]
#[expect(dead_code, reason = "the host needs its description alone: what runs is the text")]
pub unsafe fn golden(input: DevicePtr<u8>, output: DevicePtr<u8>, #[shared] dynamic: DynamicShared<u8>) {
    let _ = (input, output, dynamic);
}

/// The entry of programs with a tensor map.
mod mapped {
    use gpu_std::shared::DynamicShared;
    use gpu_std::tma::TensorMap;
    use gpu_std::{DevicePtr, kernel};

    /// As [`super::golden`].
    ///
    /// # Safety
    /// - `input` and `output` point to what the program reads and writes, and `map` lies over one of them.
    #[kernel]
    #[expect(dead_code, reason = "the host needs its description alone: what runs is the text")]
    pub unsafe fn golden(
        input: DevicePtr<u8>,
        output: DevicePtr<u8>,
        map: &TensorMap,
        #[shared] dynamic: DynamicShared<u8>,
    ) {
        let _ = (input, output, map, dynamic);
    }
}

/// What `program` writes on `gpu`.
///
/// # Errors
/// PTX that the driver refuses, or a fault.
pub fn run(gpu: &Gpu, stream: &Stream, program: &Program) -> Result<Vec<u8>, Error> {
    let module = Module::load(gpu, &program.name, &program.text)?;
    let [gx, gy, gz] = program.grid;
    let [bx, by, bz] = program.block;
    let shape = LaunchShape::grid(Dim3 { x: gx, y: gy, z: gz })
        .with_block(Dim3 { x: bx, y: by, z: bz })
        .with_shared_bytes(program.shared_bytes);
    let mut input = stream.buffer::<u8>(program.input.len().max(1) as u64)?;
    stream.write(&program.input, input.as_mut_slice().slice(0..program.input.len() as u64)?)?;
    let mut output = stream.buffer::<u8>((program.output_bytes + program.scratch_bytes) as u64)?;
    stream.fill(output.as_mut_slice(), 0)?;
    let (input_at, output_at) = (input.as_slice().addr(), output.as_slice().addr());
    match &program.map {
        None => {
            let args = GoldenArgs { input: input_at, output: output_at, instance: PhantomData };
            launch::<golden::Entry>(&module, stream, shape, &args)?;
        }
        Some(map) => {
            let over = match map.over {
                Over::Input => (input_at, program.input.len()),
                Over::Output => (output_at, program.output_bytes),
            };
            let map = map.argument(over.0, over.1 as u64, stream.space())?;
            let args = mapped::GoldenArgs { input: input_at, output: output_at, map };
            launch::<mapped::golden::Entry>(&module, stream, shape, &args)?;
        }
    }
    let mut written = stream.read(output.as_slice())?;
    written.truncate(program.output_bytes);
    Ok(written)
}

fn launch<K: Kernel>(
    module: &Module,
    stream: &Stream,
    shape: LaunchShape,
    args: &K::Args<'_>,
) -> Result<(), Error> {
    // SAFETY: the entry has these parameters (the table writes them so), and both buffers are as large as the program needs.
    unsafe { module.prepare::<K>(shape)?.launch_unsafe(stream, args) }
}
