//! Runs a list of named tests and reports on them: filters and flags as cargo's own tests have, a skip says why, and the last
//! line is `N passed, N failed, N skipped`.

use std::fmt;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Completion, Failed, Trial};

/// Turns a skipped test into a failed one: for machines that must have a GPU.
const REQUIRE_GPU: &str = "--require-gpu";

/// Why a test ended early.
#[derive(Debug)]
pub enum Stop {
    /// It cannot run here; the reason.
    Skipped(String),
    /// It is not for this back end, and another runs it; the reason. No failure on any machine.
    #[allow(dead_code, reason = "`tests/gpu.rs` has one back end")]
    Elsewhere(String),
    /// It found a fault.
    Failed(String),
}

/// What a test returns.
pub type Outcome = Result<(), Stop>;

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Skipped(why) | Self::Elsewhere(why) | Self::Failed(why)) = self;
        f.write_str(why)
    }
}

impl<E: std::error::Error> From<E> for Stop {
    fn from(error: E) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Stops the test as failed.
pub fn fail<T>(why: impl fmt::Display) -> Result<T, Stop> {
    Err(Stop::Failed(why.to_string()))
}

/// Stops the test as failed unless both are equal.
pub fn expect_eq<T: PartialEq + fmt::Debug>(what: &str, got: &T, want: &T) -> Outcome {
    if got == want { Ok(()) } else { fail(format!("{what}: got {got:?}, want {want:?}")) }
}

/// A named test.
pub struct Test {
    name: String,
    body: Box<dyn FnOnce() -> Outcome + Send>,
}

impl Test {
    /// The test `name`.
    pub fn new(name: impl Into<String>, body: impl FnOnce() -> Outcome + Send + 'static) -> Self {
        Self { name: name.into(), body: Box::new(body) }
    }

    fn into_trial(self, require_gpu: bool) -> Trial {
        Trial::ignorable_test(self.name, move || match (self.body)() {
            Ok(()) => Ok(Completion::Completed),
            Err(Stop::Skipped(why)) if require_gpu => {
                Err(Failed::from(format!("skipped: {why}, and {REQUIRE_GPU} was given")))
            }
            Err(Stop::Skipped(why) | Stop::Elsewhere(why)) => {
                Ok(Completion::ignored_with(format!("skipped: {why}")))
            }
            Err(Stop::Failed(why)) => Err(Failed::from(why)),
        })
    }
}

/// Runs the tests that the command line asks for, in `threads` threads unless it says otherwise (0: as many as processors),
/// and prints `notes()` in front of the last line. An empty list is a failure.
pub fn run(tests: Vec<Test>, threads: usize, notes: fn() -> Vec<String>) -> ExitCode {
    let (ours, rest): (Vec<String>, Vec<String>) = std::env::args().partition(|arg| arg == REQUIRE_GPU);
    let mut arguments = Arguments::from_iter(rest);
    if threads > 0 {
        arguments.test_threads = arguments.test_threads.or(Some(threads));
    }
    if tests.is_empty() {
        eprintln!("no tests: the list is empty");
        return ExitCode::FAILURE;
    }
    let trials = tests.into_iter().map(|test| test.into_trial(!ours.is_empty())).collect();
    let listing = arguments.list;
    let conclusion = libtest_mimic::run(&arguments, trials);
    if !listing {
        notes().iter().for_each(|note| println!("{note}"));
        let (passed, failed, skipped) =
            (conclusion.num_passed, conclusion.num_failed, conclusion.num_ignored);
        println!("{passed} passed, {failed} failed, {skipped} skipped");
    }
    conclusion.exit_code()
}
