//! Mutation check of the differential tests: kernels with one instruction changed must not pass them.
//!
//! For every op the checks of `differential.rs` are run on its kernels' PTX as it is (no finding, no difference) and on mutants of
//! it, in the simulator. A mutant is killed when a check fails: a wrong result, a finding, an endless loop. `cargo test` judges
//! a sample per kernel; `cargo xtask mutants` sets `WARPSMITH_MUTANTS=all` and judges every mutant of every kernel. What is
//! known to survive is in `mutation/survivors/`, with the reason.

#[path = "mutation/changes.rs"]
mod changes;
#[path = "differential/checks.rs"]
mod checks;
#[path = "harness/mod.rs"]
mod harness;
#[path = "mutation/judge.rs"]
mod judge;
#[path = "mutation/memory.rs"]
mod memory;
#[path = "mutation/mutant.rs"]
mod mutant;
#[path = "mutation/planted.rs"]
mod planted;
#[path = "mutation/score.rs"]
mod score;
#[path = "mutation/subject.rs"]
mod subject;
#[path = "mutation/survivors.rs"]
mod survivors;
#[path = "mutation/tensor.rs"]
mod tensor;

use std::process::ExitCode;

use harness::Test;
use host::ops;

/// Which mutants are judged: `all`, else a sample.
const VARIABLE: &str = "WARPSMITH_MUTANTS";

fn main() -> ExitCode {
    let all = std::env::var(VARIABLE).is_ok_and(|value| value == "all");
    let mut tests = planted::tests();
    for op in ops::all() {
        if all {
            for &dtype in op.dtypes() {
                let name = format!("mutants::{}_{dtype}", op.name());
                tests.push(Test::new(name, move || subject::check_all(op, dtype)));
            }
        } else {
            tests.push(Test::new(format!("mutants::{}", op.name()), move || subject::check_sample(op)));
        }
    }
    if all {
        let kernels = ops::all().iter().map(|op| op.stems().len() * op.dtypes().len()).sum();
        let stale = move || subject::explanations_fit(kernels);
        tests.push(Test::new("explanations_fit", stale));
    }
    // Each test judges its mutants in parallel.
    harness::run(tests, 1, score::notes)
}
