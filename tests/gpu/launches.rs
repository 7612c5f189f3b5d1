//! Launches: what they refuse, what they need.

use gpu_std::launch::{DeviceSlice, launch};
use host::error::Error;
use host::runtime::{ContractError, Gpu, LaunchShape, Stream};
use kernels_gpu::probe::shared_copy::{SharedCopy, SharedCopyArgs, shared_copy};
use kernels_gpu::probe::spin::{Spin, SpinArgs};

use crate::harness::{Outcome, Test, expect_eq, fail};
use crate::{spin, test};

pub fn tests() -> Vec<Test> {
    vec![
        test("launches::memory_of_another_stream_is_refused", memory_of_another_stream_is_refused),
        test("launches::lengths_that_differ_are_refused", lengths_that_differ_are_refused),
        test("launches::overlap_is_refused", overlap_is_refused),
        test("launches::a_prepared_launch_runs_on_any_stream", a_prepared_launch_runs_on_any_stream),
        test("launches::more_than_48_kib_of_shared_memory", more_than_48_kib_of_shared_memory),
        test("launches::more_shared_memory_than_there_is", more_shared_memory_than_there_is),
        test("launches::two_opens_share_a_device", two_opens_share_a_device),
    ]
}

fn memory_of_another_stream_is_refused(gpu: &Gpu) -> Outcome {
    let (stream, other) = (gpu.stream()?, gpu.stream()?);
    let mut y = stream.buffer::<u32>(4)?;
    stream.fill(y.as_mut_slice(), 0)?;
    match spin(&other, y.as_mut_slice(), 1, 1, 0) {
        Err(Error::Contract(ContractError::WrongSpace { entry: "spin", param: "y", got, want })) => {
            expect_eq("the streams named", &(got, want), &(stream.space().get(), other.space().get()))?;
        }
        got => return fail(format!("memory of another stream: {got:?}")),
    }
    spin(&other, y.on_mut(&other)?, 1, 2, 0)?;
    expect_eq("y", &stream.read(y.as_slice())?, &vec![2; 4])
}

fn lengths_that_differ_are_refused(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let (x, mut y) = (stream.buffer::<u32>(10)?, stream.buffer::<u32>(11)?);
    stream.fill(y.as_mut_slice(), 0xee)?;
    let args = SharedCopyArgs { x: x.as_slice(), y: y.as_mut_slice() };
    // SAFETY: the shared memory holds 10 elements; the launch is refused anyway.
    let got = unsafe { shared_copy::launch(&stream, LaunchShape::grid(1).with_shared_bytes(64), &args) };
    match got {
        Err(Error::Contract(ContractError::LengthMismatch { left_len: 10, right_len: 11, .. })) => {}
        got => return fail(format!("lengths 10 and 11: {got:?}")),
    }
    expect_eq("y", &stream.read(y.as_slice())?, &vec![0xeeee_eeee; 11])
}

fn overlap_is_refused(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut y = stream.buffer::<u32>(10)?;
    stream.fill(y.as_mut_slice(), 0xee)?;
    let (addr, space) = (y.as_slice().addr(), y.as_slice().space());
    // SAFETY: the memory lives on, and the launch that would use it beside the exclusive view is refused.
    let x = unsafe { DeviceSlice::from_raw(addr + 4, 5, space) };
    let args = SharedCopyArgs { x, y: y.as_mut_slice().slice(5..10)? };
    // SAFETY: the shared memory holds 5 elements; the launch is refused anyway.
    let got = unsafe { shared_copy::launch(&stream, LaunchShape::grid(1).with_shared_bytes(64), &args) };
    match got {
        Err(Error::Contract(ContractError::Overlap { left: "x", right: "y", .. })) => {}
        got => return fail(format!("slices that share one element: {got:?}")),
    }
    expect_eq("y", &stream.read(y.as_slice())?, &vec![0xeeee_eeee; 10])
}

fn a_prepared_launch_runs_on_any_stream(gpu: &Gpu) -> Outcome {
    let prepared = gpu.prepare::<Spin>(LaunchShape::grid(2))?;
    let attributes = prepared.attributes();
    if attributes.registers == 0 || attributes.local_bytes != 0 || attributes.max_block < 256 {
        return fail(format!("{attributes:?}"));
    }
    for _ in 0..2 {
        let stream = gpu.stream()?;
        let mut y = stream.buffer::<u32>(1000)?;
        stream.fill(y.as_mut_slice(), 0)?;
        for add in 1..=3 {
            prepared.launch(&stream, &SpinArgs { y: y.as_mut_slice(), factor: 10, add, ns: 0 })?;
        }
        expect_eq("y", &stream.read(y.as_slice())?, &vec![123; 1000])?;
    }
    Ok(())
}

fn more_than_48_kib_of_shared_memory(gpu: &Gpu) -> Outcome {
    let bytes = gpu.info().shared_optin_bytes;
    if bytes <= 48 << 10 {
        return fail(format!("the device gives a block at most {bytes} bytes"));
    }
    let n = u64::from(bytes / 4);
    let data: Vec<u32> = (0..n as u32).collect();
    let stream = gpu.stream()?;
    let (mut x, mut y) = (stream.buffer(n)?, stream.buffer(n)?);
    stream.write(&data, x.as_mut_slice())?;
    let shape = LaunchShape::grid(3).with_shared_bytes(bytes);
    // SAFETY: the shared memory holds n elements.
    unsafe { shared_copy::launch(&stream, shape, &SharedCopyArgs { x: x.as_slice(), y: y.as_mut_slice() })? };
    let want: Vec<u32> = data.into_iter().rev().collect();
    expect_eq("y is x reversed", &(stream.read(y.as_slice())? == want), &true)
}

fn more_shared_memory_than_there_is(gpu: &Gpu) -> Outcome {
    let limit = gpu.info().shared_optin_bytes;
    match gpu.prepare::<SharedCopy>(LaunchShape::grid(1).with_shared_bytes(limit + 1)).err() {
        Some(Error::SharedTooLarge { entry: "shared_copy", asked, limit: said, .. }) => {
            expect_eq("the numbers named", &(asked, said), &(limit + 1, limit))
        }
        got => fail(format!("one byte more than there is: {got:?}")),
    }
}

fn two_opens_share_a_device(gpu: &Gpu) -> Outcome {
    let again = Gpu::open(0)?;
    let (home, other) = (gpu.stream()?, again.stream()?);
    let mut y = home.buffer::<u32>(10)?;
    home.fill(y.as_mut_slice(), 0)?;
    launch::<Spin, Stream>(
        &other,
        LaunchShape::grid(1),
        &SpinArgs { y: y.on_mut(&other)?, factor: 1, add: 4, ns: 0 },
    )?;
    expect_eq("y", &home.read(y.as_slice())?, &vec![4; 10])
}
