//! A kernel that traps. The device is lost to the process that launched it, so that process is a child of the test.

use std::env;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use gpu_std::launch::launch;
use host::cpu::cross::hadamard;
use host::error::{Error, GpuLost};
use host::ops::{HostMut, HostRef, Layout};
use host::runtime::{Backend, Event, Gpu, LaunchShape, PinnedBuffer, Stream};
use kernels_gpu::probe::trap_at::{TrapAt, TrapAtArgs};

use crate::harness::{Outcome, Test, expect_eq, fail};
use crate::{open, spin, test};

/// Names the scenario that this process is to run instead of the tests.
const CHILD: &str = "WARPSMITH_GPU_TEST_CHILD";

/// What the child says when all went as it should.
const VERDICT: &str = "all went as it should";

/// More than any call takes that does not reach the driver.
const AT_ONCE: Duration = Duration::from_millis(20);

pub fn tests() -> Vec<Test> {
    vec![
        test("faults::a_kernel_that_could_trap_and_does_not", a_kernel_that_could_trap_and_does_not),
        test("faults::a_device_can_be_opened_again", |_| run_child("open")),
        test("faults::after_a_trap_the_process_lives_and_the_cpu_answers", after_a_trap),
    ]
}

/// Runs the scenario that the environment names, if it names one.
pub fn child() -> Option<ExitCode> {
    let scenario = env::var_os(CHILD)?;
    match if scenario == "trap" { trap_and_go_on() } else { open_again() } {
        Ok(()) => {
            println!("{VERDICT}");
            Some(ExitCode::SUCCESS)
        }
        Err(stop) => {
            eprintln!("{stop}");
            Some(ExitCode::FAILURE)
        }
    }
}

fn a_kernel_that_could_trap_and_does_not(gpu: &Gpu) -> Outcome {
    let stream = gpu.stream()?;
    let mut y = stream.buffer::<u32>(1000)?;
    launch::<TrapAt, Stream>(&stream, LaunchShape::grid(1), &TrapAtArgs { y: y.as_mut_slice(), at: 1000 })?;
    let want: Vec<u32> = (0..1000).collect();
    if stream.read(y.as_slice())? == want { Ok(()) } else { fail("y[i] is not i") }
}

fn after_a_trap(gpu: &Gpu) -> Outcome {
    run_child("trap")?;
    // Another process is not touched by it.
    gpu.synchronize()?;
    Ok(())
}

fn run_child(scenario: &str) -> Outcome {
    let output = Command::new(env::current_exe()?).env(CHILD, scenario).output()?;
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    if !output.status.success() || !out.contains(VERDICT) {
        return fail(format!("the child ended with {}: {out}{err}", output.status));
    }
    Ok(())
}

/// The last handle of a device gives the device back, and it can be opened again.
fn open_again() -> Outcome {
    for add in 1..=3 {
        let stream = open()?.stream()?;
        let mut y = stream.buffer::<u32>(10)?;
        stream.fill(y.as_mut_slice(), 0)?;
        spin(&stream, y.as_mut_slice(), 1, add, 0)?;
        expect_eq("y", &stream.read(y.as_slice())?, &vec![add; 10])?;
    }
    Ok(())
}

fn trap_and_go_on() -> Outcome {
    let gpu = open()?;
    let (stream, other) = (gpu.stream()?, gpu.stream()?);
    let mut y = stream.buffer::<u32>(1000)?;
    let elsewhere = other.buffer::<u32>(1000)?;
    let mut pinned = PinnedBuffer::new(&gpu, 1000)?;
    let event = Event::timed(&gpu)?;
    stream.fill(y.as_mut_slice(), 0)?;
    spin(&stream, y.as_mut_slice(), 1, 1, 0)?;
    launch::<TrapAt, Stream>(&stream, LaunchShape::grid(1), &TrapAtArgs { y: y.as_mut_slice(), at: 3 })?;
    // These may already see the fault; whatever they say, the wait must name the kernel.
    let _ = event.record(&stream);
    let _ = stream.copy_dtoh(y.as_slice(), &mut pinned);
    match stream.synchronize() {
        Err(Error::GpuLost(lost)) => names_the_kernel(&lost)?,
        got => return fail(format!("a wait for a kernel that traps: {got:?}")),
    }
    everything_fails_at_once(&gpu, &stream, &other, &event, &mut pinned)?;
    let started = Instant::now();
    drop((y, elsewhere, pinned, event, stream, other, gpu));
    if started.elapsed() > AT_ONCE {
        return fail(format!("the drops took {:?}", started.elapsed()));
    }
    the_cpu_answers()
}

fn names_the_kernel(lost: &GpuLost) -> Outcome {
    let text = lost.to_string();
    if lost.kernel == Some("trap_at")
        && lost.before == ["spin"]
        && text.contains("`trap_at`")
        && text.contains("CUDA_ERROR")
    {
        Ok(())
    } else {
        fail(format!("the error does not name the kernel: {text}"))
    }
}

fn everything_fails_at_once(
    gpu: &Gpu,
    stream: &Stream,
    other: &Stream,
    event: &Event,
    pinned: &mut PinnedBuffer<u32>,
) -> Outcome {
    let started = Instant::now();
    let results = [
        ("synchronize", stream.synchronize()),
        ("another stream", other.synchronize()),
        ("the device", gpu.synchronize()),
        ("a new stream", gpu.stream().map(drop)),
        ("a new buffer", other.buffer::<u32>(10).map(drop)),
        ("an event", event.record(other)),
        ("pinned memory", pinned.as_slice().map(drop)),
        ("new pinned memory", PinnedBuffer::<u32>::new(gpu, 10).map(drop)),
        ("a launch ahead", gpu.prepare::<TrapAt>(LaunchShape::grid(1)).map(drop)),
        ("the device, opened again", Gpu::open(0).map(drop)),
    ];
    let took = started.elapsed();
    for (what, result) in results {
        let expected = match (&result, what) {
            // What is loaded already needs no driver to be prepared.
            (Ok(()), "a launch ahead") => true,
            (Err(Error::GpuLost(lost)), _) => lost.kernel == Some("trap_at"),
            _ => false,
        };
        if !expected {
            return fail(format!("{what}, after the trap: {result:?}"));
        }
    }
    if took < AT_ONCE { Ok(()) } else { fail(format!("the calls after the trap took {took:?}")) }
}

fn the_cpu_answers() -> Outcome {
    let selection = Backend::auto();
    if !matches!((&selection.backend, &selection.reason), (Backend::Cpu, Some(Error::GpuLost(_)))) {
        return fail(format!("the back end after a trap: {selection}"));
    }
    let (a, b, mut y) = (vec![3.0_f32; 100], vec![0.5_f32; 100], vec![0.0_f32; 100]);
    let layout = Layout::new(1, 100, 100)?;
    hadamard(HostRef::new(&a, layout)?, HostRef::new(&b, layout)?, &mut HostMut::new(&mut y, layout)?)?;
    if y == vec![1.5; 100] { Ok(()) } else { fail("the CPU's answer is wrong") }
}
