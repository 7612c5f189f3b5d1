//! The runtime on a real device: order, memory, launches, faults. Without a driver every test says that it was skipped;
//! `--require-gpu` makes that a failure.

mod harness;

#[path = "gpu/faults.rs"]
mod faults;
#[path = "gpu/images.rs"]
mod images;
#[path = "gpu/launches.rs"]
mod launches;
#[path = "gpu/memory.rs"]
mod memory;
#[path = "gpu/order.rs"]
mod order;

use std::process::ExitCode;
use std::sync::OnceLock;

use gpu_std::launch::launch;
use harness::{Outcome, Stop, Test};
use host::error::Error;
use host::runtime::{DeviceSliceMut, Gpu, LaunchShape, Stream};
use kernels_gpu::probe::spin::{Spin, SpinArgs};

/// Long enough for the host to enqueue all that a test enqueues.
const A_WHILE_NS: u64 = 30_000_000;

fn main() -> ExitCode {
    if let Some(code) = faults::child() {
        return code;
    }
    let tests = [order::tests(), memory::tests(), launches::tests(), images::tests(), faults::tests()];
    // One at a time: some look at the memory in use and at what runs side by side.
    harness::run(tests.into_iter().flatten().collect(), 1, Vec::new)
}

/// Device 0, or why there is none.
fn open() -> Result<Gpu, Stop> {
    Gpu::open(0).map_err(|error| match error {
        Error::NoDriver { .. } => Stop::Skipped("no CUDA driver".to_owned()),
        Error::NoDevice { .. } => Stop::Skipped("no CUDA device".to_owned()),
        other => Stop::Failed(other.to_string()),
    })
}

/// The test `name` of a device, which all tests share: they would each load the kernels anew.
fn test(name: &str, body: fn(&Gpu) -> Outcome) -> Test {
    static SHARED: OnceLock<Gpu> = OnceLock::new();
    Test::new(name, move || match SHARED.get() {
        Some(gpu) => body(gpu),
        None => body(SHARED.get_or_init({
            let gpu = open()?;
            || gpu
        })),
    })
}

/// `y = factor * y + add` after `ns` nanoseconds, in one block.
fn spin(stream: &Stream, y: DeviceSliceMut<'_, u32>, factor: u32, add: u32, ns: u64) -> Result<(), Error> {
    launch::<Spin, Stream>(stream, LaunchShape::grid(1), &SpinArgs { y, factor, add, ns })
}
