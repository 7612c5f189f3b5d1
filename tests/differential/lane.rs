//! The back ends that every case runs on, and whose PTX they run.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use host::artefacts::Place;
use host::ops::Executor;
use host::runtime::{ArtefactError, Backend, Error, Gpu, Options, Sim, SimOptions};

use crate::harness::Stop;

/// A back end and a code generator, by their part of a test's name.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    Cpu,
    SimLlvm,
    SimNvvm,
    GpuLlvm,
    GpuNvvm,
}

/// How many cases each lane ran.
static CASES: [AtomicU64; Lane::ALL.len()] = [const { AtomicU64::new(0) }; Lane::ALL.len()];

impl Lane {
    pub const ALL: [Self; 5] = [Self::Cpu, Self::SimLlvm, Self::SimNvvm, Self::GpuLlvm, Self::GpuNvvm];

    pub fn name(self) -> &'static str {
        match self {
            Self::Cpu => "cpu",
            Self::SimLlvm => "sim_llvm",
            Self::SimNvvm => "sim_nvvm",
            Self::GpuLlvm => "gpu_llvm",
            Self::GpuNvvm => "gpu_nvvm",
        }
    }

    /// Who wrote the PTX that the lane runs.
    fn codegen(self) -> &'static str {
        match self {
            Self::SimNvvm | Self::GpuNvvm => "nvvm",
            _ => "llvm",
        }
    }

    /// A stream of the back end, of the one context that all tests share.
    pub fn executor(self) -> Result<Executor, Stop> {
        match self {
            Self::Cpu => Ok(Executor::new(&Backend::Cpu)?),
            Self::SimLlvm | Self::SimNvvm => Ok(Executor::Sim(self.sim()?.clone())),
            Self::GpuLlvm | Self::GpuNvvm => Ok(Executor::new(self.gpu()?)?),
        }
    }

    /// The simulator over this lane's PTX, opened once.
    fn sim(self) -> Result<&'static Sim, Stop> {
        static SIMS: [OnceLock<Result<Sim, Error>>; Lane::ALL.len()] = [const { OnceLock::new() }; 5];
        let open = || {
            let mut options = SimOptions::from_environment()?;
            options.ptx.codegen = Some(self.codegen().to_owned());
            Sim::open_with(options)
        };
        SIMS[self as usize].get_or_init(open).as_ref().map_err(|error| self.stop(error))
    }

    /// The GPU with this lane's PTX, opened once.
    fn gpu(self) -> Result<&'static Backend, Stop> {
        static GPUS: [OnceLock<Result<Backend, Error>>; Lane::ALL.len()] = [const { OnceLock::new() }; 5];
        let open = || {
            let codegen = Some(self.codegen().to_owned());
            let gpu = Gpu::open_with(0, Options { codegen, ..Options::default() })?;
            gpu.artefacts()?;
            Ok(Backend::Cuda(gpu))
        };
        GPUS[self as usize].get_or_init(open).as_ref().map_err(|error| self.stop(error))
    }

    /// Why there is no device. PTX of libNVVM is optional, that of LLVM is not.
    fn stop(self, error: &Error) -> Stop {
        match error {
            Error::NoDriver { .. } => Stop::Skipped("no CUDA driver".to_owned()),
            Error::NoDevice { .. } => Stop::Skipped(format!("no CUDA device: {error}")),
            // `WARPSMITH_PTX` names the PTX of one code generator, which is then the other lane's.
            Error::Artefact(ArtefactError::CodegenNotThere {
                place: Place::Environment(_), there, ..
            }) => {
                let there: Vec<String> = there.iter().map(ToString::to_string).collect();
                Stop::Elsewhere(format!("the PTX that was asked for is {}'s", there.join(" and ")))
            }
            Error::Artefact(ArtefactError::CodegenNotThere { .. }) if self.codegen() == "nvvm" => {
                Stop::Skipped(
                    "no PTX of libNVVM; `cargo xtask build-ptx --backend nvvm` builds it".to_owned(),
                )
            }
            error => Stop::Failed(error.to_string()),
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

impl fmt::Display for Lane {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Why lanes are left out, each lane once.
pub fn skips() -> Vec<String> {
    let why = |lane: &Lane| match lane.executor() {
        Err(Stop::Skipped(why)) => Some(format!("skipped: {lane}: {why}")),
        _ => None,
    };
    Lane::ALL.iter().filter_map(why).collect()
}

/// What every lane ran, for the end of the run, and the simulator's statistics where they were asked for.
pub fn notes() -> Vec<String> {
    let ran = |lane: &Lane| format!("cases: {lane} {}{}", lane.cases(), lane.place());
    let is_told = |lane: &&Lane| lane.cases() > 0 || lane.executor().is_err();
    let mut notes: Vec<String> = Lane::ALL.iter().filter(is_told).map(ran).collect();
    for lane in [Lane::SimLlvm, Lane::SimNvvm] {
        if let Ok(sim) = lane.sim() {
            notes.extend(sim.statistics().iter().map(|kernel| format!("statistics, {lane}: {kernel}")));
        }
    }
    notes
}
