//! Runs a [`Task`] on data of its own, on any back end, and compares with the reference.

use std::sync::Arc;

use rayon::prelude::*;

use super::task::{Output, Task};
use crate::backend::{Buffer as _, Device, DeviceInfo};
use crate::error::Error;
use crate::ops::recorder::Recorder;
use crate::ops::run::all_ok;
use crate::ops::{Case, Executor, Layout, OpError, Prepared, fill, inputs};
use crate::validate::{Comparison, POISON_BYTE, Tolerance, compare, poison};

/// Elements behind an operand, which nothing may touch.
const GUARD: usize = 8;

/// Steps of the reference above which only [`SAMPLES`] elements are compared with it.
const SAMPLE_ABOVE: u64 = 1 << 24;

/// Elements of each output that are compared where it would take too long to compare all: the first and the last of
/// them, where the outputs begin and end, the others anywhere.
const SAMPLES: u64 = 64;

/// Every result has the bits of the reference.
pub const EXACT: Tolerance = Tolerance::exact("every operation is rounded alike, in the same order");

const UNCHANGED: Tolerance = Tolerance::exact("an input stays what it was");

/// A task with its series: what a case is once it is made.
pub struct Work<T> {
    task: T,
    series: Vec<f32>,
    /// Elements in front of the series and of each output.
    offsets: [usize; 6],
}

/// Elements in front of each operand: series, queries, outputs. Those of the queries are not used, which calls copy.
pub fn offsets<const N: usize>(op: &'static str, case: &Case) -> Result<[usize; N], OpError> {
    let offsets: Vec<usize> = case.operands.iter().map(|place| place.offset as usize).collect();
    let got = offsets.len();
    offsets.try_into().map_err(|_| super::case_shape(op, case, "operands", got, N))
}

impl<T: Task> Work<T> {
    /// The task over values as the case has them.
    pub fn new(task: T, case: &Case, offsets: [usize; 6]) -> Self {
        let mut series = fill(case.values, case.seed_of(0), offsets[0] + task.series_len() + GUARD);
        // What lies around it is no number, so that no result is one that uses it.
        series[..offsets[0]].fill(poison());
        series[offsets[0] + task.series_len()..].fill(poison());
        let gaps = (0..task.series_len()).filter(|at| task.is_gap(*at));
        gaps.for_each(|at| series[offsets[0] + at] = poison());
        Self { task, series, offsets }
    }

    fn series(&self) -> &[f32] {
        &self.series[self.offsets[0]..][..self.task.series_len()]
    }

    /// The buffer of an output, where it begins and how long it is.
    fn buffer(&self, output: usize) -> (usize, usize) {
        let offset = self.offsets[1 + output];
        (offset, offset + self.task.outputs()[output].len() + GUARD)
    }

    /// Compares a buffer that was poisoned before the run.
    fn compare(&self, output: usize, got: &[f32]) -> Result<Comparison, Error> {
        let Output { name, rows, cols } = self.task.outputs()[output];
        let (offset, len) = self.buffer(output);
        let elements = rows * cols;
        let sampled = self.task.steps() > SAMPLE_ABOVE && elements > SAMPLES;
        let mut want = if sampled { got.to_vec() } else { vec![poison(); len] };
        want[..offset].fill(poison());
        want[offset + elements as usize..].fill(poison());
        self.task.prepare_expected(self.series());
        let expected = |at: usize| self.task.expected(self.series(), output, at);
        if sampled {
            let places: Vec<u64> = samples(elements).collect();
            let values: Vec<f32> = places.par_iter().map(|at| expected(*at as usize)).collect();
            places.iter().zip(values).for_each(|(at, value)| want[offset + *at as usize] = value);
        } else {
            let inside = want[offset..offset + elements as usize].par_iter_mut();
            inside.enumerate().for_each(|(at, want)| *want = expected(at));
        }
        let mut found = compare(name, Layout::new(rows, cols, cols)?, offset as u64, got, &want, &EXACT);
        if sampled {
            found.elements = SAMPLES;
        }
        Ok(found)
    }
}

/// The elements that are compared of many.
fn samples(elements: u64) -> impl Iterator<Item = u64> {
    let quarter = SAMPLES / 4;
    (0..SAMPLES).map(move |i| match i / quarter {
        0 => i,
        1 => elements - 1 - (i - quarter),
        _ => inputs::mix(i) % elements,
    })
}

/// Puts the work where each of `executors` computes.
///
/// # Errors
/// What the task refuses, or the back end's error.
pub fn prepare_each<'e, T: Task>(
    executors: &[&'e Executor],
    work: Work<T>,
) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
    let work = Arc::new(work);
    let one = |executor: &&'e Executor| -> Result<Box<dyn Prepared + 'e>, Error> {
        match *executor {
            Executor::Cuda(stream) => Ok(Box::new(DeviceRun::new(stream, work.clone())?)),
            #[cfg(feature = "sim")]
            Executor::Sim(sim) => Ok(Box::new(DeviceRun::new(sim, work.clone())?)),
            Executor::Cpu => Ok(Box::new(CpuRun::new(work.clone()))),
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
    let series = recorder.alloc::<f32>(task.series_len() as u64)?;
    let mut outputs = all_ok(task.outputs().map(|output| recorder.alloc::<f32>(output.len() as u64)))?;
    let mut plan = task.plan(&recorder)?;
    task.launch(
        &recorder,
        &mut plan,
        series.as_slice(),
        outputs.each_mut().map(|buffer| buffer.as_mut_slice()),
    )?;
    Ok(recorder.launched())
}

/// Work on a device.
struct DeviceRun<'b, D: Device, T: Task> {
    device: &'b D,
    work: Arc<Work<T>>,
    plan: T::Plan<D>,
    series: D::Buffer<f32>,
    outputs: [D::Buffer<f32>; 5],
}

impl<'b, D: Device, T: Task> DeviceRun<'b, D, T> {
    fn new(device: &'b D, work: Arc<Work<T>>) -> Result<Self, Error> {
        let plan = work.task.plan(device)?;
        let series = device.upload(&work.series)?;
        let buffers = std::array::from_fn(|output| device.alloc(work.buffer(output).1 as u64));
        let mut run = Self { device, work, plan, series, outputs: all_ok(buffers)? };
        run.reset()?;
        Ok(run)
    }
}

impl<D: Device, T: Task> Prepared for DeviceRun<'_, D, T> {
    fn launch(&mut self) -> Result<(), Error> {
        let Self { device, work, plan, series, outputs } = self;
        let start = work.offsets[0] as u64;
        let series = series.as_slice().slice(start..start + work.task.series_len() as u64)?;
        let mut output = 0;
        let views = outputs.each_mut().map(|buffer| {
            let (offset, len) = work.buffer(output);
            output += 1;
            buffer.as_mut_slice().slice(offset as u64..(len - GUARD) as u64)
        });
        work.task.launch(*device, plan, series, all_ok(views)?)
    }

    fn reset(&mut self) -> Result<(), Error> {
        let poison = |buffer: &mut D::Buffer<f32>| self.device.poison(buffer.as_mut_slice(), POISON_BYTE);
        self.outputs.iter_mut().try_for_each(poison)
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        let series = self.device.download(self.series.as_slice())?;
        let whole = Layout::new(1, series.len() as u64, series.len() as u64)?;
        // Poison around the series would count as not written.
        let bits = |x: &[f32]| -> Vec<f32> {
            x.iter().map(|x| if x.to_bits() == u32::MAX { 0.0 } else { *x }).collect()
        };
        let unchanged = compare("series", whole, 0, &bits(&series), &bits(&self.work.series), &UNCHANGED);
        if !unchanged.passed() {
            return Ok(vec![unchanged]);
        }
        let compare = |(output, buffer): (usize, &D::Buffer<f32>)| {
            self.work.compare(output, &self.device.download(buffer.as_slice())?)
        };
        self.outputs.iter().enumerate().map(compare).collect()
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.device.synchronize()
    }
}

/// Work in host memory.
struct CpuRun<T> {
    work: Arc<Work<T>>,
    outputs: [Vec<f32>; 5],
}

impl<T: Task> CpuRun<T> {
    fn new(work: Arc<Work<T>>) -> Self {
        let outputs = std::array::from_fn(|output| vec![poison(); work.buffer(output).1]);
        Self { work, outputs }
    }
}

impl<T: Task> Prepared for CpuRun<T> {
    fn launch(&mut self) -> Result<(), Error> {
        let mut output = 0;
        let views = self.outputs.each_mut().map(|buffer| {
            let (offset, len) = self.work.buffer(output);
            output += 1;
            &mut buffer[offset..len - GUARD]
        });
        self.work.task.cpu(self.work.series(), views)
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.outputs.iter_mut().for_each(|buffer| buffer.fill(poison()));
        Ok(())
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        self.outputs.iter().enumerate().map(|(output, got)| self.work.compare(output, got)).collect()
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
