//! Every op, element type and case against the naive reference: the CPU twin always, the PTX in the simulator always and on
//! the GPU where there is a driver.
//!
//! Names: `cpu::hadamard_f32::n_257`, `sim::hadamard_f32::n_257`, `gpu::hadamard_f32::n_257`. Outputs are poisoned before a
//! run, and what lies in front of, between and behind the rows must not change. `WARPSMITH_SIM_SEED` sets the simulator's
//! scheduling order, `WARPSMITH_SIM_ARCH` the architecture of its PTX.

#[path = "differential/checks.rs"]
mod checks;
#[path = "harness/mod.rs"]
mod harness;
#[path = "differential/lane.rs"]
mod lane;

use std::process::ExitCode;

use harness::{Stop, Test};
use lane::Lane;

fn main() -> ExitCode {
    let mut tests = Vec::new();
    for lane in Lane::ALL {
        let checks = checks::all(true).into_iter().filter(|check| check.on_cpu || lane != Lane::Cpu);
        tests.extend(checks.map(|check| {
            Test::new(format!("{}::{}", lane.name(), check.name), move || {
                lane.count(check.run(&lane.executor()?)?);
                Ok(())
            })
        }));
    }
    if let Err(Stop::Skipped(why)) = Lane::Gpu.executor() {
        println!("skipped: {why}");
    }
    harness::run(tests, 0, lane::notes)
}
