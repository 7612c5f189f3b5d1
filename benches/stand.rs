//! The test stand: a device, once with the PTX of each back end, and buffers to clear its cache with.

use std::cell::RefCell;
use std::time::Duration;

use host::artefacts::{Backend as PtxBackend, CudaVersion};
use host::error::Error;
use host::ops::{Case, DType, Executor, Op, Prepared};
use host::runtime::{ArtefactError, Artefacts, Backend, DeviceBuffer, Gpu, Options, Stream};

use crate::BenchError;

/// What writes PTX, by its name in manifests.
const CODEGENS: [&str; PtxBackend::ALL.len()] = {
    let [llvm, nvvm] = PtxBackend::ALL;
    [llvm.name(), nvvm.name()]
};
/// Least bytes written to clear the cache. The baselines write as many.
const FLUSH_BYTES: u64 = 256 << 20;
/// Elements copied to measure the copy bandwidth: 1 GiB.
const COPY_ELEMS: u64 = 1 << 28;
const COPY_RUNS: usize = 11;
const WARM_UP: usize = 5;

/// A device with what timing needs.
#[derive(Debug)]
pub struct Stand {
    lanes: Vec<Lane>,
}

/// The device with the PTX of one back end.
#[derive(Debug)]
pub struct Lane {
    /// What wrote the PTX.
    pub codegen: String,
    /// Architecture of the PTX.
    pub arch: String,
    /// The device's name.
    pub gpu: String,
    /// The CUDA version of its driver.
    pub driver: String,
    executor: Executor,
    cache: Option<Cache>,
}

/// What the cache is cleared with.
#[derive(Debug)]
struct Cache {
    stream: Stream,
    flush: RefCell<DeviceBuffer<u8>>,
}

impl Stand {
    /// The stand on one device, with every back end whose PTX is there; says which is not.
    ///
    /// # Errors
    /// The device's, PTX that cannot be used, or none at all.
    pub fn open(ordinal: u32) -> Result<Self, BenchError> {
        let mut lanes = Vec::new();
        for codegen in CODEGENS {
            match Lane::open(ordinal, codegen)? {
                Some(lane) => lanes.push(lane),
                None => eprintln!("bench: there is no PTX of the back end {codegen}; going on without it"),
            }
        }
        Self::of(lanes)
    }

    pub(crate) fn of(lanes: Vec<Lane>) -> Result<Self, BenchError> {
        if lanes.is_empty() {
            return Err(BenchError::NoPtx { codegens: CODEGENS.join(" or ") });
        }
        Ok(Self { lanes })
    }

    /// The back ends, in the order of their turns: other rounds, other order, so that none always has the memory that was
    /// taken first.
    pub fn lanes(&self, round: u32) -> Vec<&Lane> {
        let mut lanes: Vec<&Lane> = self.lanes.iter().collect();
        if round.is_multiple_of(2) {
            lanes.reverse();
        }
        lanes
    }

    /// The device's name.
    pub fn gpu(&self) -> &str {
        self.lanes.first().map_or("", |lane| &lane.gpu)
    }

    /// Bandwidth of a copy within the device in GB/s, reading and writing counted: the median of several.
    ///
    /// # Errors
    /// The device's.
    pub fn copy_gbps(&self) -> Result<f64, BenchError> {
        let Some((lane, Cache { stream, .. })) =
            self.lanes.iter().find_map(|lane| Some((lane, lane.cache.as_ref()?)))
        else {
            return Ok(0.0);
        };
        let source = stream.buffer::<f32>(COPY_ELEMS)?;
        let mut target = stream.buffer::<f32>(COPY_ELEMS)?;
        let mut times = Vec::with_capacity(COPY_RUNS);
        for _ in 0..COPY_RUNS {
            times.push(lane.time(|| stream.copy_dtod(source.as_slice(), target.as_mut_slice()))?);
        }
        times.sort_unstable();
        let bytes = 2 * COPY_ELEMS * size_of::<f32>() as u64;
        Ok(bytes as f64 / times[COPY_RUNS / 2].as_secs_f64() / 1e9)
    }
}

impl Lane {
    /// `None` where no place has PTX of `codegen`.
    fn open(ordinal: u32, codegen: &str) -> Result<Option<Self>, BenchError> {
        let options = Options { codegen: Some(codegen.to_owned()), ..Options::default() };
        let gpu = Gpu::open_with(ordinal, options.clone())?;
        if !is_there(codegen, &options)? {
            return Ok(None);
        }
        let chosen = gpu.artefacts()?.iter().find(|artefact| artefact.manifest().codegen == codegen);
        let Some(arch) = chosen.map(|artefact| artefact.arch().to_string()) else { return Ok(None) };
        let executor = Executor::new(&Backend::Cuda(gpu.clone()))?;
        // The flush goes through the ops' own stream, so that it is done when their run starts.
        let stream = match &executor {
            Executor::Cuda(stream) => stream.clone(),
            _ => gpu.stream()?,
        };
        let info = gpu.info();
        let flush = RefCell::new(stream.buffer(FLUSH_BYTES.max(4 * info.l2_bytes))?);
        Ok(Some(Self {
            codegen: codegen.to_owned(),
            arch,
            gpu: info.name.clone(),
            driver: CudaVersion(info.driver).to_string(),
            executor,
            cache: Some(Cache { stream, flush }),
        }))
    }

    /// Where it computes.
    pub(crate) const fn executor(&self) -> &Executor {
        &self.executor
    }

    /// The PTX entries that a run of the case launches; none on the CPU.
    ///
    /// # Errors
    /// What the op refuses.
    pub fn entries(&self, op: &dyn Op, dtype: DType, case: &Case) -> Result<Vec<String>, BenchError> {
        let Some(info) = self.executor.info() else { return Ok(Vec::new()) };
        Ok(op.entries(info, dtype, case)?.into_iter().map(str::to_owned).collect())
    }

    /// The time of one run, with nothing of it in the cache before.
    ///
    /// # Errors
    /// The device's.
    pub fn time(&self, work: impl FnOnce() -> Result<(), Error>) -> Result<Duration, BenchError> {
        if let Some(Cache { stream, flush }) = &self.cache {
            stream.fill(flush.borrow_mut().as_mut_slice(), 0)?;
        }
        Ok(self.executor.time(work)?)
    }

    #[cfg(test)]
    pub(crate) fn on_cpu(codegen: &str) -> Self {
        let [codegen, arch, gpu, driver] = [codegen, "none", "a CPU", "none"].map(str::to_owned);
        Self { codegen, arch, gpu, driver, executor: Executor::Cpu, cache: None }
    }
}

/// Whether a place has PTX of `codegen`. A folder with the files of one architecture is read whatever is asked for.
fn is_there(codegen: &str, options: &Options) -> Result<bool, Error> {
    match Artefacts::all(options) {
        Ok(found) => Ok(found.iter().any(|artefact| artefact.manifest().codegen == codegen)),
        Err(ArtefactError::Missing { .. }) => Ok(false),
        Err(error) => Err(error.into()),
    }
}

/// An op with its operands in place for each of `lanes`, one set of values for all. With `verify` each is run once, and
/// refused if the result is wrong.
///
/// # Errors
/// [`BenchError::Wrong`] or the device's.
pub fn prepare<'s>(
    lanes: &[&'s Lane],
    op: &dyn Op,
    dtype: DType,
    case: &Case,
    verify: bool,
) -> Result<Vec<Box<dyn Prepared + 's>>, BenchError> {
    let executors: Vec<&Executor> = lanes.iter().map(|lane| &lane.executor).collect();
    let mut runs = op.prepare_each(&executors, dtype, case)?;
    for (run, lane) in runs.iter_mut().zip(lanes) {
        run.launch()?;
        if verify {
            let comparisons = run.verify()?;
            if let Some(wrong) = comparisons.iter().find(|c| !c.passed()) {
                let (codegen, found) = (lane.codegen.clone(), wrong.to_string());
                return Err(BenchError::Wrong { op: op.name(), dtype, shape: case.shape(), codegen, found });
            }
        }
        for _ in 0..WARM_UP {
            run.launch()?;
        }
        run.synchronize()?;
    }
    Ok(runs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_back_end_without_ptx_is_left_out_and_damaged_ptx_is_an_error() {
        let dir = tempfile::tempdir().expect("a folder");
        let options = |codegen: &str| {
            let (ptx, codegen) = (Some(dir.path().to_owned()), Some(codegen.to_owned()));
            Options { ptx, codegen, ..Options::default() }
        };
        assert!(CODEGENS.iter().all(|codegen| matches!(is_there(codegen, &options(codegen)), Ok(false))));
        let arch = dir.path().join("nvvm/sm_80");
        std::fs::create_dir_all(&arch).expect("it is writable");
        std::fs::write(arch.join("manifest.json"), "{").expect("it is writable");
        assert!(is_there("nvvm", &options("nvvm")).is_err());
    }
}
