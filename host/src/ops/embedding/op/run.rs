//! Runs a case on any back end, and compares with the reference.

use std::sync::Arc;

use rayon::prelude::*;

use super::EXACT;
use super::data::{Data, OnDevice};
use super::shape::Shape;
use crate::backend::{Buffer as _, Device, DeviceInfo};
use crate::cpu::embedding as cpu;
use crate::error::Error;
use crate::ops::embedding::{Check, EmbedPlan, Embeddable, Invalid};
use crate::ops::recorder::Recorder;
use crate::ops::{Executor, HostMut, Layout, MatrixMut, OpError, Prepared, mix};
use crate::reference::embedding::embed_cpu;
use crate::validate::{Comparison, POISON_BYTE, Tolerance, compare, poison};

/// Elements behind the output, which nothing may touch.
const GUARD: u64 = 16;

/// Elements of the output above which only some rows are compared, and how many.
const SAMPLE_ABOVE: u64 = 1 << 24;
const SAMPLES: u64 = 4096;

const UNCHANGED: Tolerance = Tolerance::exact("an input stays what it was");

/// A case with its values.
pub struct Work<T> {
    data: Data,
    shape: Shape,
    output: std::marker::PhantomData<fn() -> T>,
}

impl<T: Embeddable> Work<T> {
    /// The case of these numbers and values.
    pub fn new(data: Data, shape: Shape) -> Self {
        Self { data, shape, output: std::marker::PhantomData }
    }

    fn buffer_len(&self) -> Result<u64, OpError> {
        buffer_len(&self.shape)
    }

    /// Compares an output and the number of what is not valid, where it was counted.
    fn compare(&self, got: &[T], count: Option<u64>) -> Result<Vec<Comparison>, Error> {
        let (layout, offset) = self.shape.output()?;
        let (features, dense) = self.data.host()?;
        let mut want = vec![poison::<T>(); got.len()];
        let start = |row: u64| (offset + row * layout.stride()) as usize;
        let cols = layout.cols() as usize;
        let is_sample = |row: u64| {
            layout.elements() <= SAMPLE_ABOVE
                || mix(row) % layout.rows() < SAMPLES
                || row + 1 == layout.rows()
        };
        let expected = |row: u64| is_sample(row).then(|| embed_cpu::<T>(&features, dense, row as usize));
        let rows: Vec<Option<(Vec<T>, u64)>> = (0..layout.rows()).into_par_iter().map(expected).collect();
        let (mut invalid, mut compared) = (0, 0);
        for (row, expected) in rows.into_iter().enumerate() {
            let place = start(row as u64)..start(row as u64) + cols;
            match expected {
                Some((columns, odd)) => {
                    want[place].copy_from_slice(&columns);
                    (invalid, compared) = (invalid + odd, compared + 1);
                }
                None => want[place.clone()].copy_from_slice(&got[place]),
            }
        }
        let mut found = compare("y", layout, offset, got, &want, &EXACT);
        found.elements = compared * layout.cols();
        let mut comparisons = vec![found];
        if let (Some(count), true) = (count, compared == layout.rows()) {
            let one = Layout::new(1, 1, 1)?;
            comparisons.push(compare("invalid", one, 0, &[count as i64], &[invalid as i64], &EXACT));
        }
        Ok(comparisons)
    }
}

fn buffer_len(shape: &Shape) -> Result<u64, OpError> {
    let (layout, offset) = shape.output()?;
    Ok(offset + layout.span() + GUARD)
}

/// Puts the work where each of `executors` computes.
///
/// # Errors
/// What the call refuses, or the back end's error.
pub fn prepare_each<'e, T: Embeddable>(
    executors: &[&'e Executor],
    work: Work<T>,
) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
    let work = Arc::new(work);
    let one = |executor: &&'e Executor| -> Result<Box<dyn Prepared + 'e>, Error> {
        match *executor {
            Executor::Cuda(stream) => Ok(Box::new(DeviceRun::new(stream, work.clone())?)),
            #[cfg(feature = "sim")]
            Executor::Sim(sim) => Ok(Box::new(DeviceRun::new(sim, work.clone())?)),
            Executor::Cpu => {
                let output = vec![poison(); work.buffer_len()? as usize];
                Ok(Box::new(CpuRun { work: work.clone(), output, count: 0 }))
            }
        }
    };
    executors.iter().map(one).collect()
}

/// The PTX entries that one run launches on a device like `info`.
///
/// # Errors
/// What the call refuses.
pub fn entries<T: Embeddable>(
    info: &DeviceInfo,
    shape: &Shape,
    data: &Data,
) -> Result<Vec<&'static str>, Error> {
    let recorder = Recorder::new(info);
    let inputs = data.upload(&recorder)?;
    let mut output = recorder.alloc::<T>(buffer_len(shape)?)?;
    let mut count = recorder.alloc::<u64>(1)?;
    // Nobody computes here what would be waited for.
    launch_on(&recorder, shape, data, &inputs, (&mut output, &mut count), |_| Ok(()))?;
    drop(inputs);
    Ok(recorder.launched())
}

fn launch_on<T: Embeddable, D: Device>(
    device: &D,
    shape: &Shape,
    data: &Data,
    inputs: &OnDevice<D>,
    (output, count): (&mut D::Buffer<T>, &mut D::Buffer<u64>),
    checked: impl FnOnce(Check<'_, '_, D>) -> Result<(), Error>,
) -> Result<(), Error> {
    let (features, dense) = data.views(inputs)?;
    let (layout, offset) = shape.output()?;
    let view = output.as_mut_slice().slice(offset..offset + layout.span())?;
    let y = MatrixMut::with_stride(view, layout.rows(), layout.cols(), layout.stride())?;
    let mut plan = EmbedPlan::new(device, &features, dense, shape.batch)?;
    match shape.policy {
        0 => plan.run(device, y, Invalid::Zero),
        1 => plan.run(device, y, Invalid::Count(count.as_mut_slice())),
        _ => checked(plan.run_checked(device, y)?),
    }
}

/// Work on a device.
struct DeviceRun<'b, T: Embeddable, D: Device> {
    device: &'b D,
    work: Arc<Work<T>>,
    inputs: OnDevice<D>,
    output: D::Buffer<T>,
    count: D::Buffer<u64>,
}

impl<'b, T: Embeddable, D: Device> DeviceRun<'b, T, D> {
    fn new(device: &'b D, work: Arc<Work<T>>) -> Result<Self, Error> {
        let inputs = work.data.upload(device)?;
        let (output, count) = (device.alloc(work.buffer_len()?)?, device.alloc(1)?);
        let mut run = Self { device, work, inputs, output, count };
        run.reset()?;
        Ok(run)
    }
}

impl<T: Embeddable, D: Device> Prepared for DeviceRun<'_, T, D> {
    fn launch(&mut self) -> Result<(), Error> {
        let Self { device, work, inputs, output, count } = self;
        launch_on(*device, &work.shape, &work.data, inputs, (output, count), |check| check.wait(*device))
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.device.poison(self.output.as_mut_slice(), POISON_BYTE)?;
        self.device.poison(self.count.as_mut_slice(), POISON_BYTE)
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        let is_small = self.work.shape.rows * self.work.shape.width <= SAMPLE_ABOVE;
        if is_small && !self.work.data.is_unchanged(self.device, &self.inputs)? {
            let one = Layout::new(1, 1, 1)?;
            return Ok(vec![compare("inputs", one, 0, &[0_i64], &[1], &UNCHANGED)]);
        }
        let got = self.device.download(self.output.as_slice())?;
        let count = self.device.download(self.count.as_slice())?[0];
        self.work.compare(&got, (self.work.shape.policy == 1).then_some(count))
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.device.synchronize()
    }
}

/// Work in host memory.
struct CpuRun<T> {
    work: Arc<Work<T>>,
    output: Vec<T>,
    count: u64,
}

impl<T: Embeddable> Prepared for CpuRun<T> {
    fn launch(&mut self) -> Result<(), Error> {
        let (features, dense) = self.work.data.host()?;
        if self.work.shape.policy == 2 {
            cpu::check(&features, self.work.shape.batch).map_err(OpError::from)?;
        }
        let (layout, offset) = self.work.shape.output()?;
        let mut y = HostMut::new(&mut self.output[offset as usize..], layout)?;
        self.count = cpu::embed(&features, dense, &mut y)?;
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.output.fill(poison());
        Ok(())
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        self.work.compare(&self.output, Some(self.count))
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
