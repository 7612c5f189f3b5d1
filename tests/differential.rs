//! Every op, element type and case against the naive reference: the CPU twin always, the PTX of each code generator in the
//! simulator always and on the GPU where there is a driver.
//!
//! Names: `cpu::hadamard_f32::n_257`, `sim_llvm::…`, `sim_nvvm::…`, `gpu_llvm::…`, `gpu_nvvm::…`. Outputs are poisoned before a
//! run, and what lies in front of, between and behind the rows must not change. `WARPSMITH_SIM_SEED` sets the simulator's
//! scheduling order, `WARPSMITH_SIM_ARCH` the architecture of its PTX.
//!
//! Where there is no PTX of libNVVM its lanes are skipped, and say so. `WARPSMITH_PTX` may name a folder of one code
//! generator or architecture: the lanes of its code generator run, and the tests of the others are no failures even where
//! every skip is one, since what they would run was not asked for.

#[path = "differential/checks.rs"]
mod checks;
#[path = "harness/mod.rs"]
mod harness;
#[path = "differential/lane.rs"]
mod lane;

use std::process::ExitCode;

use harness::Test;
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
    lane::skips().iter().for_each(|skip| println!("{skip}"));
    harness::run(tests, 0, lane::notes)
}
