//! Runs a [`Task`] on any back end, and compares with the reference.

use std::sync::Arc;

use rayon::prelude::*;

use crate::backend::{Buffer as _, Device, DeviceInfo};
use crate::error::Error;
use crate::ops::matmul::Output;
use crate::ops::recorder::Recorder;
use crate::ops::{Executor, HostMut, Layout, MatrixMut, OpError, Prepared, mix};
use crate::validate::{Comparison, POISON_BYTE, Tolerance, compare, poison};

/// Elements behind the output, which nothing may touch.
const GUARD: u64 = 16;

/// Multiplications of the reference above which only [`SAMPLES`] elements are compared with it.
const SAMPLE_ABOVE: u64 = 1 << 26;

/// Elements that are compared where it would take too long to compare all: some in the first and the last rows, the others
/// anywhere.
const SAMPLES: u64 = 512;

/// A product with its numbers.
pub trait Task: Send + Sync + 'static {
    /// What its output holds.
    type Out: Output;
    /// The inputs on a device.
    type Inputs<D: Device>;

    /// The output, and elements in front of it.
    fn output(&self) -> (Layout, u64);

    /// Multiplications.
    fn terms(&self) -> u64;

    /// How far a result may be from the reference.
    fn tolerance(&self) -> Tolerance;

    /// Copies the inputs.
    ///
    /// # Errors
    /// The device's.
    fn upload<D: Device>(&self, device: &D) -> Result<Self::Inputs<D>, Error>;

    /// Launches once.
    ///
    /// # Errors
    /// What the call refuses, or the device's error.
    fn launch<D: Device>(
        &self,
        device: &D,
        inputs: &mut Self::Inputs<D>,
        c: MatrixMut<'_, Self::Out>,
    ) -> Result<(), Error>;

    /// Compares the inputs with what they were.
    ///
    /// # Errors
    /// The device's.
    fn unchanged<D: Device>(&self, device: &D, inputs: &Self::Inputs<D>) -> Result<Vec<Comparison>, Error>;

    /// Runs the CPU twin.
    ///
    /// # Errors
    /// What it refuses.
    fn cpu(&self, c: &mut HostMut<'_, Self::Out>) -> Result<(), OpError>;

    /// Element (i, j) by the reference.
    ///
    /// # Errors
    /// None for inputs that were made from one shape.
    fn expected(&self, i: u64, j: u64) -> Result<Self::Out, OpError>;
}

fn buffer_len<T: Task>(task: &T) -> u64 {
    let (layout, offset) = task.output();
    offset + layout.span() + GUARD
}

fn compare_output<T: Task>(task: &T, got: &[T::Out]) -> Result<Comparison, Error> {
    let (layout, offset) = task.output();
    let (rows, cols) = (layout.rows(), layout.cols());
    let sampled = task.terms() > SAMPLE_ABOVE && layout.elements() > SAMPLES;
    let mut want = vec![poison::<T::Out>(); got.len()];
    let at = |i: u64, j: u64| (offset + i * layout.stride() + j) as usize;
    if sampled {
        for i in 0..rows {
            want[at(i, 0)..][..cols as usize].copy_from_slice(&got[at(i, 0)..][..cols as usize]);
        }
    }
    let places: Vec<(u64, u64)> = if sampled {
        samples(rows, cols).collect()
    } else {
        (0..layout.elements()).map(|at| (at / cols, at % cols)).collect()
    };
    let values: Result<Vec<T::Out>, OpError> =
        places.par_iter().with_min_len(16).map(|(i, j)| task.expected(*i, *j)).collect();
    places.iter().zip(values?).for_each(|((i, j), value)| want[at(*i, *j)] = value);
    let mut found = compare("c", layout, offset, got, &want, &task.tolerance());
    if sampled {
        found.elements = SAMPLES;
    }
    Ok(found)
}

/// The elements that are compared of many.
fn samples(rows: u64, cols: u64) -> impl Iterator<Item = (u64, u64)> {
    (0..SAMPLES).map(move |at| {
        let (i, j) = (mix(2 * at) % rows, mix(2 * at + 1) % cols);
        match at % 8 {
            0 => (0, j),
            1 => (rows - 1, j),
            2 => (i, 0),
            3 => (i, cols - 1),
            _ => (i, j),
        }
    })
}

/// Puts the work where each of `executors` computes.
///
/// # Errors
/// What the task refuses, or the back end's error.
pub fn prepare_each<'e, T: Task>(
    executors: &[&'e Executor],
    task: T,
) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
    let task = Arc::new(task);
    let one = |executor: &&'e Executor| -> Result<Box<dyn Prepared + 'e>, Error> {
        match *executor {
            Executor::Cuda(stream) => Ok(Box::new(DeviceRun::new(stream, task.clone())?)),
            #[cfg(feature = "sim")]
            Executor::Sim(sim) => Ok(Box::new(DeviceRun::new(sim, task.clone())?)),
            Executor::Cpu => Ok(Box::new(CpuRun::new(task.clone()))),
        }
    };
    executors.iter().map(one).collect()
}

/// The PTX entries that one run launches on a device like `info`.
///
/// # Errors
/// What the task refuses.
pub fn entries<T: Task>(info: &DeviceInfo, task: &T) -> Result<Vec<&'static str>, Error> {
    let recorder = Recorder::new(info);
    let mut inputs = task.upload(&recorder)?;
    let mut output = recorder.alloc::<T::Out>(buffer_len(task))?;
    task.launch(&recorder, &mut inputs, output_view::<_, T>(task, &mut output)?)?;
    drop(inputs);
    Ok(recorder.launched())
}

/// The output in its buffer.
fn output_view<'a, B: crate::backend::Buffer<T::Out>, T: Task>(
    task: &T,
    buffer: &'a mut B,
) -> Result<MatrixMut<'a, T::Out>, Error> {
    let (layout, offset) = task.output();
    let view = buffer.as_mut_slice().slice(offset..offset + layout.span())?;
    MatrixMut::with_stride(view, layout.rows(), layout.cols(), layout.stride())
}

/// Work on a device.
struct DeviceRun<'b, D: Device, T: Task> {
    device: &'b D,
    task: Arc<T>,
    inputs: T::Inputs<D>,
    output: D::Buffer<T::Out>,
}

impl<'b, D: Device, T: Task> DeviceRun<'b, D, T> {
    fn new(device: &'b D, task: Arc<T>) -> Result<Self, Error> {
        let inputs = task.upload(device)?;
        let output = device.alloc(buffer_len(&*task))?;
        let mut run = Self { device, task, inputs, output };
        run.reset()?;
        Ok(run)
    }
}

impl<D: Device, T: Task> Prepared for DeviceRun<'_, D, T> {
    fn launch(&mut self) -> Result<(), Error> {
        let Self { device, task, inputs, output } = self;
        let c = output_view::<_, T>(task, output)?;
        task.launch(*device, inputs, c)
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.device.poison(self.output.as_mut_slice(), POISON_BYTE)
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        let changed = self.task.unchanged(self.device, &self.inputs)?;
        if let Some(changed) = changed.into_iter().find(|input| !input.passed()) {
            return Ok(vec![changed]);
        }
        Ok(vec![compare_output(&*self.task, &self.device.download(self.output.as_slice())?)?])
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.device.synchronize()
    }
}

/// Work in host memory.
struct CpuRun<T: Task> {
    task: Arc<T>,
    output: Vec<T::Out>,
}

impl<T: Task> CpuRun<T> {
    fn new(task: Arc<T>) -> Self {
        let output = vec![poison(); buffer_len(&*task) as usize];
        Self { task, output }
    }
}

impl<T: Task> Prepared for CpuRun<T> {
    fn launch(&mut self) -> Result<(), Error> {
        let (layout, offset) = self.task.output();
        let mut c = HostMut::new(&mut self.output[offset as usize..], layout)?;
        Ok(self.task.cpu(&mut c)?)
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.output.fill(poison());
        Ok(())
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        Ok(vec![compare_output(&*self.task, &self.output)?])
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
