//! A back end together with the order its work is done in.

use std::fmt;
use std::time::{Duration, Instant};

use crate::backend::{Backend, Device, DeviceInfo};
use crate::driver::{Event, Stream};
use crate::error::Error;
#[cfg(feature = "sim")]
use crate::sim::Sim;

/// Where ops run, in which order: a stream of a device, the calling thread, or the simulator. Ops, tests and benches take this and do not
/// know the difference; a new back end is a variant here and one line in [`prepare`](super::prepare).
#[derive(Debug)]
#[non_exhaustive]
pub enum Executor {
    /// A CUDA stream.
    Cuda(Stream),
    /// The fast CPU twins.
    Cpu,
    /// The simulator.
    #[cfg(feature = "sim")]
    Sim(Sim),
}

impl Executor {
    /// A new stream of the back end; the simulator has but one.
    ///
    /// # Errors
    /// The back end's.
    pub fn new(backend: &Backend) -> Result<Self, Error> {
        match backend {
            Backend::Cuda(gpu) => Ok(Self::Cuda(gpu.stream()?)),
            Backend::Cpu => Ok(Self::Cpu),
            #[cfg(feature = "sim")]
            Backend::Sim(sim) => Ok(Self::Sim(sim.clone())),
        }
    }

    /// Facts about the device; `None` for the CPU.
    pub fn info(&self) -> Option<&DeviceInfo> {
        match self {
            Self::Cuda(stream) => Some(Device::info(stream)),
            Self::Cpu => None,
            #[cfg(feature = "sim")]
            Self::Sim(sim) => Some(sim.info()),
        }
    }

    /// Whether this is the simulator, whose times say nothing of a GPU's.
    pub fn is_simulated(&self) -> bool {
        match self {
            Self::Cuda(_) | Self::Cpu => false,
            #[cfg(feature = "sim")]
            Self::Sim(_) => true,
        }
    }

    /// The time `work` takes once it runs: between two events on a device, on the clock of the host elsewhere.
    ///
    /// # Errors
    /// That of `work`, or the back end's.
    pub fn time(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<Duration, Error> {
        match self {
            Self::Cuda(stream) => {
                let gpu = stream.gpu();
                let (start, end) = (Event::timed(&gpu)?, Event::timed(&gpu)?);
                start.record(stream)?;
                work()?;
                end.record(stream)?;
                end.synchronize()?;
                end.elapsed_since(&start)
            }
            // What these do is done when the call returns.
            _ => {
                let start = Instant::now();
                work()?;
                Ok(start.elapsed())
            }
        }
    }
}

impl fmt::Display for Executor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.info() {
            Some(info) => write!(f, "{} ({})", info.name, info.arch),
            None => f.write_str("cpu"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cpu_is_timed_by_the_clock() {
        let pause = Duration::from_millis(2);
        let time = Executor::Cpu.time(|| {
            std::thread::sleep(pause);
            Ok(())
        });
        assert!(time.is_ok_and(|t| t >= pause));
    }
}
