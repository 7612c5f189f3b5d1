//! Streams, events, and buffers used on streams that are not their home.

use std::time::Duration;

use host::runtime::{DeviceBuffer, Event, Gpu, Stream};

use crate::harness::{Outcome, Test, expect_eq, fail};
use crate::{A_WHILE_NS, spin, test};

const N: usize = 1000;

pub fn tests() -> Vec<Test> {
    vec![
        test("order::work_of_one_stream_runs_in_order", work_of_one_stream_runs_in_order),
        test("order::streams_do_not_wait_for_each_other", streams_do_not_wait_for_each_other),
        test("order::a_stream_waits_for_an_event", a_stream_waits_for_an_event),
        test("order::a_stream_waits_for_a_stream", a_stream_waits_for_a_stream),
        test("order::timed_events_measure_the_work_between_them", timed_events_measure_the_work_between_them),
        test("order::events_refuse_what_they_cannot_do", events_refuse_what_they_cannot_do),
        test("order::a_reader_elsewhere_waits_for_the_home", a_reader_elsewhere_waits_for_the_home),
        test("order::the_home_waits_for_a_writer_elsewhere", the_home_waits_for_a_writer_elsewhere),
        test("order::a_forgotten_view_is_waited_for", a_forgotten_view_is_waited_for),
        test("order::the_home_writes_after_readers_elsewhere", the_home_writes_after_readers_elsewhere),
        test("order::memory_is_freed_after_readers_elsewhere", memory_is_freed_after_readers_elsewhere),
        test(
            "order::a_reader_elsewhere_waits_for_a_writer_elsewhere",
            a_reader_elsewhere_waits_for_a_writer_elsewhere,
        ),
        test("order::threads_share_a_stream_and_a_buffer", threads_share_a_stream_and_a_buffer),
    ]
}

fn filled(stream: &Stream, byte: u8) -> Result<DeviceBuffer<u32>, host::error::Error> {
    let mut buffer = stream.buffer(N as u64)?;
    stream.fill(buffer.as_mut_slice(), byte)?;
    Ok(buffer)
}

fn work_of_one_stream_runs_in_order(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut y = filled(&stream, 0)?;
    spin(&stream, y.as_mut_slice(), 1, 3, A_WHILE_NS)?;
    spin(&stream, y.as_mut_slice(), 10, 1, 0)?;
    spin(&stream, y.as_mut_slice(), 10, 2, 0)?;
    expect_eq("y", &stream.read(y.as_slice())?, &vec![312; N])
}

fn streams_do_not_wait_for_each_other(gpu: &Gpu) -> Outcome {
    let (slow, fast) = (gpu.stream()?, gpu.stream()?);
    let (mut a, mut b) = (filled(&slow, 0)?, filled(&fast, 0)?);
    // Both kernels are loaded before the time counts.
    spin(&fast, b.as_mut_slice(), 1, 0, 0)?;
    gpu.synchronize()?;
    spin(&slow, a.as_mut_slice(), 1, 1, 10 * A_WHILE_NS)?;
    spin(&fast, b.as_mut_slice(), 1, 1, 0)?;
    fast.synchronize()?;
    if slow.is_done()? {
        return fail("the fast stream's work was done only after the slow stream's");
    }
    slow.synchronize()?;
    if slow.is_done()? { Ok(()) } else { fail("the slow stream is not done after a wait for it") }
}

fn a_stream_waits_for_an_event(gpu: &Gpu) -> Outcome {
    let (first, second) = (gpu.stream()?, gpu.stream()?);
    let mut a = filled(&first, 0)?;
    spin(&first, a.as_mut_slice(), 1, 1, A_WHILE_NS)?;
    let (before, after) = (Event::new(gpu)?, Event::new(gpu)?);
    before.record(&first)?;
    second.wait(&before)?;
    after.record(&second)?;
    after.synchronize()?;
    if before.is_done()? { Ok(()) } else { fail("the second stream did not wait for the event") }
}

fn a_stream_waits_for_a_stream(gpu: &Gpu) -> Outcome {
    let (first, second) = (gpu.stream()?, gpu.stream()?);
    let mut a = filled(&first, 0)?;
    spin(&first, a.as_mut_slice(), 1, 1, A_WHILE_NS)?;
    second.wait_for(&first)?;
    second.synchronize()?;
    if first.is_done()? { Ok(()) } else { fail("the second stream did not wait for the first") }
}

fn timed_events_measure_the_work_between_them(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut a = filled(&stream, 0)?;
    spin(&stream, a.as_mut_slice(), 1, 1, 0)?;
    let (start, end) = (Event::timed(gpu)?, Event::timed(gpu)?);
    start.record(&stream)?;
    spin(&stream, a.as_mut_slice(), 1, 1, A_WHILE_NS)?;
    end.record(&stream)?;
    end.synchronize()?;
    let took = end.elapsed_since(&start)?;
    let (least, most) = (Duration::from_nanos(A_WHILE_NS / 10 * 9), Duration::from_nanos(A_WHILE_NS * 3));
    if (least..most).contains(&took) {
        Ok(())
    } else {
        fail(format!("{took:?} is not in {least:?}..{most:?}"))
    }
}

fn events_refuse_what_they_cannot_do(gpu: &Gpu) -> Outcome {
    use host::error::Error;
    let stream = gpu.stream()?;
    let (plain, timed, late) = (Event::new(gpu)?, Event::timed(gpu)?, Event::timed(gpu)?);
    if !matches!(stream.wait(&plain), Err(Error::EventNotRecorded)) {
        return fail("a wait for an event that was not recorded");
    }
    plain.record(&stream)?;
    timed.record(&stream)?;
    if !matches!(plain.elapsed_since(&timed), Err(Error::EventWithoutTiming)) {
        return fail("the time at an event without timing");
    }
    let mut a = filled(&stream, 0)?;
    spin(&stream, a.as_mut_slice(), 1, 1, A_WHILE_NS)?;
    late.record(&stream)?;
    if !matches!(late.elapsed_since(&timed), Err(Error::EventNotDone)) {
        return fail("the time at an event that is not done");
    }
    Ok(())
}

fn a_reader_elsewhere_waits_for_the_home(gpu: &Gpu) -> Outcome {
    let (home, other) = (gpu.stream()?, gpu.stream()?);
    let mut a = filled(&home, 0)?;
    spin(&home, a.as_mut_slice(), 1, 5, A_WHILE_NS)?;
    expect_eq("a", &other.read(a.on(&other)?)?, &vec![5; N])
}

fn the_home_waits_for_a_writer_elsewhere(gpu: &Gpu) -> Outcome {
    let (home, other) = (gpu.stream()?, gpu.stream()?);
    let mut a = filled(&home, 0)?;
    spin(&other, a.on_mut(&other)?, 1, 6, A_WHILE_NS)?;
    expect_eq("a", &home.read(a.as_slice())?, &vec![6; N])
}

fn a_forgotten_view_is_waited_for(gpu: &Gpu) -> Outcome {
    let (home, other) = (gpu.stream()?, gpu.stream()?);
    let mut a = filled(&home, 0)?;
    let mut view = a.on_mut(&other)?;
    spin(&other, view.reborrow(), 1, 7, A_WHILE_NS)?;
    Box::leak(Box::new(view));
    expect_eq("a", &home.read(a.as_slice())?, &vec![7; N])
}

/// A copy of `a` made on `other`, which first spins, so that the copy comes late.
fn late_copy(other: &Stream, a: &DeviceBuffer<u32>) -> Result<DeviceBuffer<u32>, host::error::Error> {
    let mut copy = filled(other, 0)?;
    spin(other, copy.as_mut_slice(), 1, 0, A_WHILE_NS)?;
    other.copy_dtod(a.on(other)?, copy.as_mut_slice())?;
    Ok(copy)
}

fn the_home_writes_after_readers_elsewhere(gpu: &Gpu) -> Outcome {
    let (home, other) = (gpu.stream()?, gpu.stream()?);
    let mut a = filled(&home, 0x11)?;
    let copy = late_copy(&other, &a)?;
    home.fill(a.as_mut_slice(), 0xff)?;
    expect_eq("copy", &other.read(copy.as_slice())?, &vec![0x1111_1111; N])?;
    expect_eq("a", &home.read(a.as_slice())?, &vec![u32::MAX; N])
}

fn memory_is_freed_after_readers_elsewhere(gpu: &Gpu) -> Outcome {
    let (home, other) = (gpu.stream()?, gpu.stream()?);
    let a = filled(&home, 0x22)?;
    let copy = late_copy(&other, &a)?;
    drop(a);
    // The pool gives the same memory again, to whoever may have it now.
    let again: Vec<_> = (0..8).map(|_| filled(&home, 0xff)).collect::<Result<_, _>>()?;
    expect_eq("copy", &other.read(copy.as_slice())?, &vec![0x2222_2222; N])?;
    drop(again);
    Ok(())
}

fn a_reader_elsewhere_waits_for_a_writer_elsewhere(gpu: &Gpu) -> Outcome {
    let (home, writer, reader) = (gpu.stream()?, gpu.stream()?, gpu.stream()?);
    let mut a = filled(&home, 0)?;
    spin(&writer, a.on_mut(&writer)?, 1, 9, A_WHILE_NS)?;
    expect_eq("a", &reader.read(a.on(&reader)?)?, &vec![9; N])
}

fn threads_share_a_stream_and_a_buffer(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut y = filled(&stream, 0)?;
    spin(&stream, y.as_mut_slice(), 1, 4, A_WHILE_NS)?;
    let read = || {
        let own = gpu.stream()?;
        let here = stream.read(y.as_slice())?;
        Ok::<_, host::error::Error>(here == vec![4; N] && own.read(y.on(&own)?)? == here)
    };
    let all = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(read)).collect();
        threads.into_iter().map(|t| t.join()).collect::<Vec<_>>()
    });
    for one in all {
        let Ok(right) = one else { return fail("a thread panicked") };
        if !right? {
            return fail("a thread read something else than 4");
        }
    }
    Ok(())
}
