//! The back ends that every case runs on.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use host::ops::Executor;
use host::runtime::{Backend, Error, Gpu, Sim};

use crate::harness::Stop;

/// A back end by its part of a test's name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Cpu,
    Sim,
    Gpu,
}

/// How many cases each lane ran.
static CASES: [AtomicU64; Lane::ALL.len()] = [const { AtomicU64::new(0) }; Lane::ALL.len()];

impl Lane {
    pub const ALL: [Self; 3] = [Self::Cpu, Self::Sim, Self::Gpu];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::Sim => "sim",
            Self::Gpu => "gpu",
        }
    }

    /// A stream of the back end, of the one context that all tests share.
    pub fn executor(self) -> Result<Executor, Stop> {
        match self {
            Self::Cpu => Ok(Executor::new(&Backend::Cpu)?),
            Self::Sim => Ok(Executor::Sim(sim()?.clone())),
            Self::Gpu => Ok(Executor::new(gpu()?)?),
        }
    }

    /// Notes that so many cases were run and compared.
    pub fn count(self, cases: u64) {
        CASES[self as usize].fetch_add(cases, Ordering::Relaxed);
    }

    fn cases(self) -> u64 {
        CASES[self as usize].load(Ordering::Relaxed)
    }

    /// Where it ran: which simulator, which GPU; or why it did not.
    fn place(self) -> String {
        match self.executor() {
            Ok(Executor::Sim(sim)) => format!(", {sim}"),
            Ok(Executor::Cuda(stream)) => format!(", {}", stream.info().name),
            Ok(_) => String::new(),
            Err(stop) => format!(", {stop}"),
        }
    }
}

/// The simulator, opened once.
fn sim() -> Result<&'static Sim, Stop> {
    static SIM: OnceLock<Result<Sim, Error>> = OnceLock::new();
    SIM.get_or_init(Sim::open).as_ref().map_err(|error| Stop::Failed(error.to_string()))
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

/// What every lane ran, for the end of the run, and the simulator's statistics where they were asked for.
pub fn notes() -> Vec<String> {
    let ran = |lane: &Lane| format!("cases: {} {}{}", lane.name(), lane.cases(), lane.place());
    let is_told = |lane: &&Lane| lane.cases() > 0 || lane.executor().is_err();
    let mut notes: Vec<String> = Lane::ALL.iter().filter(is_told).map(ran).collect();
    if let Ok(sim) = sim() {
        notes.extend(sim.statistics().iter().map(|kernel| format!("statistics of {kernel}")));
    }
    notes
}
