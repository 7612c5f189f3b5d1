//! Random shapes, strides, alignments and values.

use host::ops::{Case, DType, Op};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::harness::{Outcome, Stop, fail};
use crate::{Lane, check as check_case};

/// Seed of every run; another one by `WARPSMITH_SEED`.
const SEED: u64 = 20_261_129;

/// Cases per op and element type. The CPU twin is also run by unoptimised builds.
fn cases(lane: Lane) -> u32 {
    match lane {
        Lane::Cpu => 64,
        Lane::Gpu => 200,
    }
}

/// Random cases of one op; a failure is made smaller and printed with the seed.
pub fn check(op: &'static dyn Op, dtype: DType, lane: Lane) -> Outcome {
    let executor = lane.executor()?;
    let seed = match std::env::var("WARPSMITH_SEED") {
        Ok(text) => text.parse().map_err(|_| Stop::Failed(format!("WARPSMITH_SEED={text} is no number")))?,
        Err(_) => SEED,
    };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: cases(lane), failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let draws = proptest::collection::vec(any::<u64>(), 48);
    let result = runner.run(&draws, |draws| match check_case(op, dtype, &case(op, &draws), &executor) {
        Ok(()) => Ok(()),
        Err(Stop::Failed(why) | Stop::Skipped(why)) => Err(TestCaseError::fail(why)),
    });
    match result {
        Ok(()) => Ok(()),
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
