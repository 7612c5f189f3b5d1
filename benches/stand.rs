//! The test stand: a device, and a buffer to clear its cache with.

use std::cell::RefCell;
use std::time::Duration;

use host::ops::{Case, DType, Executor, Op, Prepared};
use host::runtime::{Backend, DeviceBuffer, Gpu, Stream};

use crate::BenchError;

/// Least bytes written to clear the cache. The baselines write as many.
const FLUSH_BYTES: u64 = 256 << 20;
/// Elements copied to measure the copy bandwidth: 1 GiB.
const COPY_ELEMS: u64 = 1 << 28;
const COPY_RUNS: usize = 11;
const WARM_UP: usize = 5;

/// A device with what timing needs.
#[derive(Debug)]
pub struct Stand {
    executor: Executor,
    stream: Stream,
    flush: RefCell<DeviceBuffer<u8>>,
}

impl Stand {
    /// The stand on one device.
    ///
    /// # Errors
    /// The device's.
    pub fn open(ordinal: u32) -> Result<Self, BenchError> {
        let gpu = Gpu::open(ordinal)?;
        let executor = Executor::new(&Backend::Cuda(gpu.clone()))?;
        // The flush goes through the ops' own stream, so that it is done when their run starts.
        let stream = match &executor {
            Executor::Cuda(stream) => stream.clone(),
            _ => gpu.stream()?,
        };
        let flush = RefCell::new(stream.buffer(FLUSH_BYTES.max(4 * gpu.info().l2_bytes))?);
        Ok(Self { executor, stream, flush })
    }

    /// The device.
    pub fn gpu(&self) -> Gpu {
        self.stream.gpu()
    }

    /// An op with its operands in place. With `verify` it is run once, and refused if the result is wrong.
    ///
    /// # Errors
    /// [`BenchError::Wrong`] or the device's.
    pub fn prepare(
        &self,
        op: &dyn Op,
        dtype: DType,
        case: &Case,
        verify: bool,
    ) -> Result<Box<dyn Prepared + '_>, BenchError> {
        let mut run = op.prepare(&self.executor, dtype, case)?;
        run.launch()?;
        if verify {
            let comparisons = run.verify()?;
            if let Some(wrong) = comparisons.iter().find(|c| !c.passed()) {
                let found = wrong.to_string();
                return Err(BenchError::Wrong { op: op.name(), dtype, shape: case.shape(), found });
            }
        }
        for _ in 0..WARM_UP {
            run.launch()?;
        }
        run.synchronize()?;
        Ok(run)
    }

    /// The time of one run, with nothing of it in the cache before.
    ///
    /// # Errors
    /// The device's.
    pub fn time(
        &self,
        work: impl FnOnce() -> Result<(), host::error::Error>,
    ) -> Result<Duration, BenchError> {
        self.stream.fill(self.flush.borrow_mut().as_mut_slice(), 0)?;
        Ok(self.executor.time(work)?)
    }

    /// Bandwidth of a copy within the device in GB/s, reading and writing counted: the median of several.
    ///
    /// # Errors
    /// The device's.
    pub fn copy_gbps(&self) -> Result<f64, BenchError> {
        let source = self.stream.buffer::<f32>(COPY_ELEMS)?;
        let mut target = self.stream.buffer::<f32>(COPY_ELEMS)?;
        let mut times = Vec::with_capacity(COPY_RUNS);
        for _ in 0..COPY_RUNS {
            times.push(self.time(|| self.stream.copy_dtod(source.as_slice(), target.as_mut_slice()))?);
        }
        times.sort_unstable();
        let bytes = 2 * COPY_ELEMS * size_of::<f32>() as u64;
        Ok(bytes as f64 / times[COPY_RUNS / 2].as_secs_f64() / 1e9)
    }
}
