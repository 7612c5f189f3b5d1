//! Runs a program on the GPU.

use std::marker::PhantomData;

use gpu_std::shared::DynamicShared;
use gpu_std::{DevicePtr, kernel};
use host::error::Error;
use host::runtime::{Dim3, Gpu, LaunchShape, Module, Stream};

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
    let args = GoldenArgs { input: input_at, output: output_at, instance: PhantomData };
    // SAFETY: the entry has these two parameters (the table writes them so), and both buffers are as large as the program needs.
    unsafe {
        module.prepare::<golden::Entry>(shape)?.launch_unsafe(stream, &args)?;
    }
    let mut written = stream.read(output.as_slice())?;
    written.truncate(program.output_bytes);
    Ok(written)
}
