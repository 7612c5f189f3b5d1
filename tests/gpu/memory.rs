//! Device memory, pinned memory, copies.

use host::error::Error;
use host::runtime::{ContractError, DeviceBuffer, DeviceSlice, Gpu, HostAccess, PinnedBuffer};

use crate::harness::{Outcome, Test, expect_eq, fail};
use crate::{A_WHILE_NS, spin, test};

const N: usize = 100_000;

pub fn tests() -> Vec<Test> {
    vec![
        test("memory::copies_go_there_and_back", copies_go_there_and_back),
        test("memory::empty_buffers_are_no_op", empty_buffers_are_no_op),
        test("memory::pinned_copies_are_waited_for", pinned_copies_are_waited_for),
        test("memory::pinned_memory_outlives_its_copies", pinned_memory_outlives_its_copies),
        test("memory::pinned_ranges_and_write_combined", pinned_ranges_and_write_combined),
        test("memory::pinned_copies_on_two_streams_are_ordered", pinned_copies_on_two_streams_are_ordered),
        test(
            "memory::wrong_lengths_overlap_and_owner_are_refused",
            wrong_lengths_overlap_and_owner_are_refused,
        ),
        test("memory::sizes_that_do_not_fit_are_refused", sizes_that_do_not_fit_are_refused),
        test("memory::any_drop_order_will_do", any_drop_order_will_do),
        test("memory::every_allocation_is_freed", every_allocation_is_freed),
    ]
}

fn numbers(n: usize) -> Vec<u32> {
    (0..n as u32).map(|i| i.wrapping_mul(2_654_435_761)).collect()
}

fn copies_go_there_and_back(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let data = numbers(N);
    let (mut a, mut b) = (stream.buffer(N as u64)?, stream.buffer(N as u64)?);
    stream.write(&data, a.as_mut_slice())?;
    stream.fill(b.as_mut_slice(), 0xff)?;
    stream.copy_dtod(a.as_slice().slice(1..N as u64 - 7)?, b.as_mut_slice().slice(8..N as u64)?)?;
    let mut want = vec![u32::MAX; 8];
    want.extend_from_slice(&data[1..N - 7]);
    expect_eq("b", &(stream.read(b.as_slice())? == want), &true)
}

fn empty_buffers_are_no_op(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let (mut a, mut b) = (stream.buffer::<u32>(0)?, stream.buffer::<u32>(0)?);
    stream.write(&[], a.as_mut_slice())?;
    stream.fill(a.as_mut_slice(), 1)?;
    stream.copy_dtod(a.as_slice(), b.as_mut_slice())?;
    spin(&stream, a.as_mut_slice(), 1, 1, 0)?;
    let mut pinned = PinnedBuffer::<u32>::new(gpu, 0)?;
    stream.copy_htod(&pinned, a.as_mut_slice())?;
    stream.copy_dtoh(a.as_slice(), &mut pinned)?;
    expect_eq("elements", &(stream.read(a.as_slice())?.len() + pinned.as_slice()?.len()), &0)
}

fn pinned_copies_are_waited_for(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let (mut up, mut down) = (PinnedBuffer::new(gpu, N)?, PinnedBuffer::new(gpu, N)?);
    let data = numbers(N);
    up.as_mut_slice()?.copy_from_slice(&data);
    let mut a = stream.buffer::<u32>(N as u64)?;
    let mut delay = stream.buffer::<u32>(1)?;
    spin(&stream, delay.as_mut_slice(), 1, 1, A_WHILE_NS)?;
    stream.copy_htod(&up, a.as_mut_slice())?;
    stream.copy_dtoh(a.as_slice(), &mut down)?;
    // Overwriting the source waits for its copy; reading the destination waits for its own.
    up.as_mut_slice()?.fill(0);
    expect_eq("down", &(down.as_slice()? == data), &true)?;
    expect_eq("up", &up.as_slice()?.iter().all(|v| *v == 0), &true)
}

fn pinned_memory_outlives_its_copies(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut a = stream.buffer::<u32>(N as u64)?;
    let mut delay = stream.buffer::<u32>(1)?;
    {
        let mut up = PinnedBuffer::new(gpu, N)?;
        up.as_mut_slice()?.fill(77);
        spin(&stream, delay.as_mut_slice(), 1, 1, A_WHILE_NS)?;
        stream.copy_htod(&up, a.as_mut_slice())?;
    }
    let mut other = PinnedBuffer::new(gpu, N)?;
    other.as_mut_slice()?.fill(0_u32);
    expect_eq("a", &stream.read(a.as_slice())?.iter().all(|v| *v == 77), &true)
}

fn pinned_ranges_and_write_combined(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut up = PinnedBuffer::with_access(gpu, 100, HostAccess::WriteCombined)?;
    up.as_mut_slice()?.copy_from_slice(&numbers(100));
    let mut a = stream.buffer::<u32>(10)?;
    stream.copy_htod_range(&up, 20..30, a.as_mut_slice())?;
    let mut down = PinnedBuffer::new(gpu, 100)?;
    stream.copy_dtoh_range(a.as_slice(), &mut down, 90..100)?;
    expect_eq("the range", &down.as_slice()?[90..].to_vec(), &numbers(100)[20..30].to_vec())?;
    expect_eq("the rest", &down.as_slice()?[..90].to_vec(), &vec![0; 90])?;
    match stream.copy_htod_range(&up, 95..105, a.as_mut_slice()) {
        Err(Error::Contract(ContractError::RangeOutOfBounds { end: 105, len: 100, .. })) => Ok(()),
        other => fail(format!("a range past the end: {other:?}")),
    }
}

fn pinned_copies_on_two_streams_are_ordered(gpu: &Gpu) -> Outcome {
    let (first, second) = (gpu.stream()?, gpu.stream()?);
    let mut a = first.buffer::<u32>(N as u64)?;
    let mut b = second.buffer::<u32>(N as u64)?;
    let mut between = PinnedBuffer::new(gpu, N)?;
    first.fill(a.as_mut_slice(), 0)?;
    spin(&first, a.as_mut_slice(), 1, 3, A_WHILE_NS)?;
    first.copy_dtoh(a.as_slice(), &mut between)?;
    second.copy_htod(&between, b.as_mut_slice())?;
    expect_eq("b", &second.read(b.as_slice())?.iter().all(|v| *v == 3), &true)
}

fn wrong_lengths_overlap_and_owner_are_refused(gpu: &Gpu) -> Outcome {
    let (stream, other) = (gpu.stream()?, gpu.stream()?);
    let mut a = stream.buffer::<u32>(10)?;
    match stream.write(&[1, 2, 3], a.as_mut_slice()) {
        Err(Error::CopyLength { src_len: 3, dst_len: 10 }) => {}
        got => return fail(format!("3 elements to 10: {got:?}")),
    }
    match other.read(a.as_slice()) {
        Err(Error::CopySpace { .. }) => {}
        got => return fail(format!("a read on a stream that does not own the memory: {got:?}")),
    }
    let (addr, space) = (a.as_slice().addr(), a.as_slice().space());
    // SAFETY: the memory lives on, and the copy that would use it beside the exclusive view is refused.
    let same: DeviceSlice<'_, u32> = unsafe { DeviceSlice::from_raw(addr, 9, space) };
    match stream.copy_dtod(same, a.as_mut_slice().slice(1..10)?) {
        Err(Error::CopyOverlap { len: 9, .. }) => Ok(()),
        got => fail(format!("a copy onto itself: {got:?}")),
    }
}

fn sizes_that_do_not_fit_are_refused(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    match stream.buffer::<u64>(u64::MAX / 4).err() {
        Some(Error::SizeOverflow { elem_bytes: 8, .. }) => {}
        got => return fail(format!("a size that overflows: {got:?}")),
    }
    let bytes = gpu.info().total_bytes * 2;
    match stream.buffer::<u8>(bytes).err() {
        Some(Error::OutOfMemory { bytes: asked, total_bytes, .. }) if asked == bytes && total_bytes > 0 => {}
        got => return fail(format!("twice the memory there is: {got:?}")),
    }
    // The refusal leaves everything usable.
    let mut a = stream.buffer::<u32>(3)?;
    stream.fill(a.as_mut_slice(), 0)?;
    expect_eq("a", &stream.read(a.as_slice())?, &vec![0; 3])
}

fn any_drop_order_will_do(gpu: &Gpu) -> Outcome {
    for order in 0..4 {
        let own = Gpu::open(0)?;
        let (stream, other) = (own.stream()?, own.stream()?);
        let mut a: DeviceBuffer<u32> = stream.buffer(N as u64)?;
        stream.fill(a.as_mut_slice(), 0)?;
        let mut pinned = PinnedBuffer::new(&own, N)?;
        spin(&stream, a.as_mut_slice(), 1, 8, A_WHILE_NS)?;
        other.copy_dtoh(a.on(&other)?, &mut pinned)?;
        match order {
            0 => {
                drop((own, stream, other));
                drop(a);
            }
            1 => {
                drop(a);
                drop((stream, own, other));
            }
            2 => {
                drop(other);
                drop(own);
                drop(a);
                drop(stream);
            }
            _ => {
                drop(stream);
                drop(a);
                drop((other, own));
            }
        }
        expect_eq("what was copied", &pinned.as_slice()?.iter().all(|v| *v == 8), &true)?;
    }
    gpu.synchronize()?;
    Ok(())
}

fn every_allocation_is_freed(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    gpu.trim()?;
    let before = gpu.memory()?;
    for round in 1..=20_u64 {
        let other = gpu.stream()?;
        let mut a: DeviceBuffer<u32> = stream.buffer(round * 1_000_003)?;
        let b: DeviceBuffer<u64> = other.buffer(round * 1_000_003)?;
        stream.fill(a.as_mut_slice(), 0)?;
        let _ = (a.on(&other)?, b.on(&stream)?);
        let pinned = PinnedBuffer::<u32>::new(gpu, 1_000_003)?;
        other.copy_htod(&pinned, a.on_mut(&other)?.slice(0..1_000_003)?)?;
    }
    gpu.trim()?;
    let after = gpu.memory()?;
    expect_eq("bytes in buffers", &after.used_bytes, &before.used_bytes)?;
    expect_eq("bytes kept for buffers", &after.reserved_bytes, &before.reserved_bytes)?;
    // The driver itself may keep a little; 20 rounds took 2.5 GB in all.
    let missing = before.free_bytes.saturating_sub(after.free_bytes);
    if missing <= 64 << 20 { Ok(()) } else { fail(format!("{missing} bytes of the device are gone")) }
}
