//! Every op, element type and case against the naive reference: the CPU twin always, the PTX where there is a driver.
//!
//! Names: `cpu::hadamard_f32::n_257`, `gpu::hadamard_f32::n_257`. Outputs are poisoned before a run, and what lies in front
//! of, between and behind the rows must not change.

#[path = "differential/cross.rs"]
mod cross;
#[path = "harness/mod.rs"]
mod harness;
#[path = "differential/random.rs"]
mod random;

use std::process::ExitCode;
use std::sync::OnceLock;

use harness::{Outcome, Stop, Test, fail};
use host::ops::{self, Case, DType, Executor, Op};
use host::runtime::{Backend, Error, Gpu};

/// A back end by its part of a test's name.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lane {
    Cpu,
    Gpu,
}

impl Lane {
    const ALL: [Self; 2] = [Self::Cpu, Self::Gpu];

    fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Gpu => "gpu",
        }
    }

    /// A stream of the back end, of the one context that all tests share.
    fn executor(self) -> Result<Executor, Stop> {
        match self {
            Self::Cpu => Ok(Executor::new(&Backend::Cpu)?),
            Self::Gpu => Ok(Executor::new(gpu()?)?),
        }
    }
}

/// The GPU, opened once.
fn gpu() -> Result<&'static Backend, Stop> {
    static GPU: OnceLock<Result<Backend, Error>> = OnceLock::new();
    match GPU.get_or_init(|| Gpu::open(0).map(Backend::Cuda)) {
        Ok(backend) => Ok(backend),
        Err(Error::NoDriver { .. }) => Err(Stop::Skipped("no CUDA driver".to_owned())),
        Err(error @ Error::NoDevice { .. }) => Err(Stop::Skipped(format!("no CUDA device: {error}"))),
        Err(error) => Err(Stop::Failed(error.to_string())),
    }
}

fn main() -> ExitCode {
    let mut tests = Vec::new();
    for lane in Lane::ALL {
        for op in ops::all() {
            for &dtype in op.dtypes() {
                let prefix = format!("{}::{}_{dtype}", lane.name(), op.name());
                for case in op.cases() {
                    let name = format!("{prefix}::{}", case.name);
                    tests.push(Test::new(name, move || check(op, dtype, &case, &lane.executor()?)));
                }
                tests.push(Test::new(format!("{prefix}::random"), move || random::check(op, dtype, lane)));
            }
        }
    }
    tests.extend(cross::tests());
    if let Err(Stop::Skipped(why)) = gpu() {
        println!("skipped: {why}");
    }
    harness::run(tests, 0)
}

/// Runs one case and compares every output.
fn check(op: &dyn Op, dtype: DType, case: &Case, executor: &Executor) -> Outcome {
    let mut run = op.prepare(executor, dtype, case)?;
    run.launch()?;
    let comparisons = run.verify()?;
    if comparisons.is_empty() {
        return fail("nothing was compared");
    }
    match comparisons.iter().find(|c| !c.passed()) {
        Some(wrong) => fail(format!("{wrong}\n{case:?}")),
        None => Ok(()),
    }
}
