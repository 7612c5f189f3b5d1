//! Small kernels on the tensor cores and with asynchronous copies: built by both back ends from `tests/kernels/tensor`, run in
//! the simulator with warps in many orders, without a finding and with the results of plain loops.
//!
//! The program is its own linker (`ptx_builder::run_as_linker_if_asked`), so it has a `main`.

#[path = "tensor/built.rs"]
mod built;
#[path = "tensor/flights.rs"]
mod flights;
#[path = "harness/mod.rs"]
mod harness;
#[path = "tensor/mma.rs"]
mod mma;

use std::ops::Range;
use std::process::ExitCode;

use built::{TARGETS, Target};
use harness::{Outcome, Test, fail};

/// Orders of the warps in which a kernel runs.
pub const SEEDS: Range<u64> = 0..100;

fn main() -> ExitCode {
    ptx_builder::run_as_linker_if_asked();
    let mut tests = mma::tests(&TARGETS);
    tests.extend(flights::tests(&TARGETS));
    for target in TARGETS {
        let name = format!("nothing_is_in_local_memory::{}_{}", target.0.name(), target.1);
        tests.push(Test::new(name, move || nothing_is_in_local_memory(target)));
    }
    harness::run(tests, 0, Vec::new)
}

/// Accumulators are registers.
fn nothing_is_in_local_memory(target: Target) -> Outcome {
    let text = built::text(target)?;
    if text.contains(".local") { fail("`.local` stands in the PTX") } else { Ok(()) }
}
