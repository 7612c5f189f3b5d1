//! Random shapes, strides, alignments and values.

use host::ops::{Case, DType, Executor, Op};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use super::{Checked, compare_case};
use crate::harness::{Stop, fail};

/// Seed of every run; another one by `WARPSMITH_SEED`.
const SEED: u64 = 20_261_129;

/// Cases per op and element type. CPU twin and simulator are also run by unoptimised builds.
fn cases(executor: &Executor) -> u32 {
    if matches!(executor, Executor::Cuda(_)) { 200 } else { 64 }
}

/// Random cases of one op; a failure is printed with the seed, and made smaller where `explain` asks for it.
pub fn check(op: &'static dyn Op, dtype: DType, executor: &Executor, explain: bool) -> Checked {
    let seed = match std::env::var("WARPSMITH_SEED") {
        Ok(text) => text.parse().map_err(|_| Stop::Failed(format!("WARPSMITH_SEED={text} is no number")))?,
        Err(_) => SEED,
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut config = Config { cases: cases(executor), failure_persistence: None, ..Config::default() };
    if !explain {
        config.max_shrink_iters = 0;
    }
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let draws = proptest::collection::vec(any::<u64>(), 48);
    let result = runner.run(&draws, |draws| match compare_case(op, dtype, &case(op, &draws), executor) {
        Ok(_) => Ok(()),
        Err(Stop::Failed(why) | Stop::Skipped(why) | Stop::Elsewhere(why)) => Err(TestCaseError::fail(why)),
    });
    match result {
        Ok(()) => Ok(u64::from(cases(executor))),
        Err(TestError::Fail(why, draws)) => {
            fail(format!("seed {seed}: {why}\nsmallest: {:?}", case(op, &draws)))
        }
        Err(TestError::Abort(why)) => fail(format!("seed {seed}: given up: {why}")),
    }
}

/// The case these numbers stand for; zeros follow when they are used up.
fn case(op: &dyn Op, draws: &[u64]) -> Case {
    let mut draws = draws.iter().copied();
    op.random_case(&mut |below| draws.next().unwrap_or(0) % below.max(1))
}
