//! Runs a [`Task`] on data of its own, on any back end, and compares with the reference.

use std::marker::PhantomData;
use std::sync::Arc;

use rayon::prelude::*;

use super::content::Content;
use super::task::{Asked, OnDevice, OnHost, Task};
use crate::backend::{Buffer as _, Device, DeviceInfo};
use crate::error::Error;
use crate::ops::quantize::Quantizable;
use crate::ops::recorder::Recorder;
use crate::ops::{
    Case, Executor, HostMut, HostRef, Layout, MatrixMut, MatrixRef, OpError, Placement, Prepared,
};
use crate::reference::quantize::RowCodes;
use crate::validate::{Comparable, Comparison, POISON_BYTE, Tolerance, compare, poison};

/// Elements behind an operand, which nothing may touch.
const GUARD: usize = 8;

/// Every result has the bits of the reference.
pub const EXACT: Tolerance = Tolerance::exact("every operation is rounded alike");

const UNCHANGED: Tolerance = Tolerance::exact("an input stays what it was");

/// A matrix in a buffer: elements in front of it, and its layout.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: usize,
    layout: Layout,
}

impl Place {
    fn new(rows: u64, cols: u64, place: Placement) -> Result<Self, OpError> {
        let layout = Layout::new(rows, cols, place.stride.unwrap_or(cols))?;
        Ok(Self { offset: place.offset as usize, layout })
    }

    /// One row of `len` elements behind `offset` others; nothing where it is not asked for.
    fn vector(len: u64, offset: Option<u64>) -> Result<Self, OpError> {
        let len = if offset.is_some() { len } else { 0 };
        Self::new(u64::from(len > 0), len, Placement { stride: None, offset: offset.unwrap_or(0) })
    }

    fn matrix(rows: u64, cols: u64, place: Option<Placement>) -> Result<Self, OpError> {
        place.map_or(Self::vector(0, None), |place| Self::new(rows, cols, place))
    }

    /// Elements of the buffer.
    fn buffer(&self) -> usize {
        self.offset + self.layout.span() as usize + GUARD
    }

    /// The matrix's elements in the buffer.
    fn range(&self) -> std::ops::Range<usize> {
        self.offset..self.offset + self.layout.span() as usize
    }
}

/// Where the outputs lie.
#[derive(Clone, Copy, Debug)]
struct Places {
    codes: Place,
    low: Place,
    scales: Place,
    zeros: Place,
    sums: Place,
    count: Place,
}

impl Places {
    fn new(rows: u64, cols: u64, asked: Asked) -> Result<Self, OpError> {
        Ok(Self {
            codes: Place::matrix(rows, cols, asked.codes)?,
            low: Place::matrix(rows, cols, asked.low)?,
            scales: Place::vector(rows, asked.scales)?,
            zeros: Place::vector(rows, asked.zeros)?,
            sums: Place::vector(rows, asked.sums)?,
            count: Place::vector(1, asked.count.then_some(0))?,
        })
    }
}

/// The outputs' buffers in host memory.
#[derive(Clone)]
struct Outputs {
    codes: Vec<i8>,
    low: Vec<u8>,
    scales: Vec<f32>,
    zeros: Vec<i32>,
    sums: Vec<i32>,
    count: Vec<i64>,
}

fn poisoned<C: Comparable>(place: &Place) -> Vec<C> {
    vec![poison(); place.buffer()]
}

impl Outputs {
    fn poisoned(at: &Places) -> Self {
        Self {
            codes: poisoned(&at.codes),
            low: poisoned(&at.low),
            scales: poisoned(&at.scales),
            zeros: poisoned(&at.zeros),
            sums: poisoned(&at.sums),
            count: poisoned(&at.count),
        }
    }

    /// Writes what the reference gives for row `row`.
    fn set(&mut self, at: &Places, row: usize, want: &RowCodes) {
        let sum = want.codes.iter().fold(0, |sum: i32, code| sum.wrapping_add(*code));
        for (place, values, value) in
            [(&at.zeros, &mut self.zeros, want.zero), (&at.sums, &mut self.sums, sum)]
        {
            if let Some(slot) = values[place.range()].get_mut(row) {
                *slot = value;
            }
        }
        if let Some(slot) = self.scales[at.scales.range()].get_mut(row) {
            *slot = want.scale;
        }
        let wide = at.codes.layout.rows() > 0 && at.low.layout.rows() > 0;
        let shift = if wide { 8 } else { 0 };
        let start = |place: &Place| place.offset + row * place.layout.stride() as usize;
        for (col, code) in want.codes.iter().enumerate() {
            if at.codes.layout.rows() > 0 {
                self.codes[start(&at.codes) + col] = (code >> shift) as i8;
            }
            if at.low.layout.rows() > 0 {
                self.low[start(&at.low) + col] = *code as u8;
            }
        }
    }

    fn compare(&self, at: &Places, want: &Self) -> Vec<Comparison> {
        fn one<C: Comparable>(name: &'static str, at: &Place, got: &[C], want: &[C]) -> Comparison {
            compare(name, at.layout, at.offset as u64, got, want, &EXACT)
        }
        vec![
            one("codes", &at.codes, &self.codes, &want.codes),
            one("low", &at.low, &self.low, &want.low),
            one("scales", &at.scales, &self.scales, &want.scales),
            one("zeros", &at.zeros, &self.zeros, &want.zeros),
            one("sums", &at.sums, &self.sums, &want.sums),
            one("count", &at.count, &self.count, &want.count),
        ]
    }
}

/// A task with its inputs.
pub struct Work<T, K> {
    task: K,
    inputs: Vec<(Place, Vec<T>)>,
    rows: u64,
    at: Places,
}

impl<T: Quantizable, K: Task> Work<T, K> {
    /// The task over values as the case has them, inputs in these places.
    ///
    /// # Errors
    /// What a layout refuses.
    pub fn new(task: K, case: &Case, [rows, cols]: [u64; 2], inputs: &[Placement]) -> Result<Self, OpError> {
        let at = Places::new(rows, cols, task.asked())?;
        let fill = |(operand, place): (usize, &Placement)| {
            let place = Place::new(rows, cols, *place)?;
            let (len, stride) = (place.buffer(), place.layout.stride() as usize);
            let mut data: Vec<T> = vec![poison(); place.offset];
            data.extend(Content::fill::<T>(case, operand, len - place.offset, stride, cols as usize));
            Ok((place, data))
        };
        let inputs = inputs.iter().enumerate().map(fill).collect::<Result<_, OpError>>()?;
        Ok(Self { task, inputs, rows, at })
    }

    fn hosts(&self) -> Result<Vec<HostRef<'_, T>>, OpError> {
        self.inputs.iter().map(|(place, data)| HostRef::new(&data[place.offset..], place.layout)).collect()
    }

    fn compare(&self, got: &Outputs) -> Result<Vec<Comparison>, Error> {
        /// Rows whose reference is computed at a time.
        const ROWS: u64 = 256;
        let (inputs, mut want) = (self.hosts()?, Outputs::poisoned(&self.at));
        let mut count = 0;
        for first in (0..self.rows).step_by(ROWS as usize) {
            let expected = |row: u64| {
                let rows: Vec<&[T]> = inputs.iter().map(|input| input.row(row)).collect();
                self.task.expected(&rows)
            };
            let rows: Vec<RowCodes> =
                (first..self.rows.min(first + ROWS)).into_par_iter().map(expected).collect();
            for (row, codes) in rows.iter().enumerate() {
                want.set(&self.at, first as usize + row, codes);
                count += codes.not_finite as i64;
            }
        }
        let range = self.at.count.range();
        want.count[range].fill(count);
        Ok(got.compare(&self.at, &want))
    }
}

/// Puts the work where each of `executors` computes.
///
/// # Errors
/// What the task refuses, or the back end's error.
pub fn prepare_each<'e, T: Quantizable, K: Task>(
    executors: &[&'e Executor],
    work: Work<T, K>,
) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
    let work = Arc::new(work);
    let one = |executor: &&'e Executor| -> Result<Box<dyn Prepared + 'e>, Error> {
        match *executor {
            Executor::Cuda(stream) => Ok(Box::new(DeviceRun::new(stream, work.clone())?)),
            #[cfg(feature = "sim")]
            Executor::Sim(sim) => Ok(Box::new(DeviceRun::new(sim, work.clone())?)),
            Executor::Cpu => {
                Ok(Box::new(CpuRun { outputs: Outputs::poisoned(&work.at), work: work.clone() }))
            }
        }
    };
    executors.iter().map(one).collect()
}

/// The PTX entries that one run launches on a device like `info`, its inputs lying in these places.
///
/// # Errors
/// What the task refuses.
pub fn entries<T: Quantizable, K: Task>(
    info: &DeviceInfo,
    task: &K,
    [rows, cols]: [u64; 2],
    inputs: &[Placement],
) -> Result<Vec<&'static str>, Error> {
    let recorder = Recorder::new(info);
    let at = Places::new(rows, cols, task.asked())?;
    let places: Vec<Place> =
        inputs.iter().map(|place| Place::new(rows, cols, *place)).collect::<Result<_, _>>()?;
    let buffers: Vec<_> =
        places.iter().map(|place| recorder.alloc::<T>(place.buffer() as u64)).collect::<Result<_, _>>()?;
    let mut outputs = Buffers::new(&recorder, &at)?;
    launch_on::<T, K, _>(&recorder, task, &places, &buffers, &at, &mut outputs)?;
    Ok(recorder.launched())
}

/// The outputs' buffers on a device.
struct Buffers<D: Device> {
    codes: D::Buffer<i8>,
    low: D::Buffer<u8>,
    scales: D::Buffer<f32>,
    zeros: D::Buffer<i32>,
    sums: D::Buffer<i32>,
    count: D::Buffer<u64>,
}

impl<D: Device> Buffers<D> {
    fn new(device: &D, at: &Places) -> Result<Self, Error> {
        let mut buffers = Self {
            codes: device.alloc(at.codes.buffer() as u64)?,
            low: device.alloc(at.low.buffer() as u64)?,
            scales: device.alloc(at.scales.buffer() as u64)?,
            zeros: device.alloc(at.zeros.buffer() as u64)?,
            sums: device.alloc(at.sums.buffer() as u64)?,
            count: device.alloc(at.count.buffer() as u64)?,
        };
        buffers.poison(device)?;
        Ok(buffers)
    }

    fn poison(&mut self, device: &D) -> Result<(), Error> {
        device.poison(self.codes.as_mut_slice(), POISON_BYTE)?;
        device.poison(self.low.as_mut_slice(), POISON_BYTE)?;
        device.poison(self.scales.as_mut_slice(), POISON_BYTE)?;
        device.poison(self.zeros.as_mut_slice(), POISON_BYTE)?;
        device.poison(self.sums.as_mut_slice(), POISON_BYTE)?;
        device.poison(self.count.as_mut_slice(), POISON_BYTE)
    }

    fn views(&mut self, at: &Places) -> Result<OnDevice<'_>, Error> {
        let range = |place: &Place| place.range().start as u64..place.range().end as u64;
        let codes = self.codes.as_mut_slice().slice(range(&at.codes))?;
        let low = self.low.as_mut_slice().slice(range(&at.low))?;
        let (c, l) = (at.codes.layout, at.low.layout);
        Ok(OnDevice {
            codes: MatrixMut::with_stride(codes, c.rows(), c.cols(), c.stride())?,
            low: MatrixMut::with_stride(low, l.rows(), l.cols(), l.stride())?,
            scales: self.scales.as_mut_slice().slice(range(&at.scales))?,
            zeros: self.zeros.as_mut_slice().slice(range(&at.zeros))?,
            sums: self.sums.as_mut_slice().slice(range(&at.sums))?,
            count: self.count.as_mut_slice().slice(range(&at.count))?,
        })
    }

    fn download(&self, device: &D) -> Result<Outputs, Error> {
        Ok(Outputs {
            codes: device.download(self.codes.as_slice())?,
            low: device.download(self.low.as_slice())?,
            scales: device.download(self.scales.as_slice())?,
            zeros: device.download(self.zeros.as_slice())?,
            sums: device.download(self.sums.as_slice())?,
            count: device.download(self.count.as_slice())?.into_iter().map(u64::cast_signed).collect(),
        })
    }
}

fn launch_on<T: Quantizable, K: Task, D: Device>(
    device: &D,
    task: &K,
    places: &[Place],
    inputs: &[D::Buffer<T>],
    at: &Places,
    outputs: &mut Buffers<D>,
) -> Result<(), Error> {
    let views = places.iter().zip(inputs).map(|(place, buffer)| {
        let (range, layout) = (place.range(), place.layout);
        let data = buffer.as_slice().slice(range.start as u64..range.end as u64)?;
        MatrixRef::with_stride(data, layout.rows(), layout.cols(), layout.stride())
    });
    let inputs = views.collect::<Result<Vec<_>, Error>>()?;
    task.launch(device, &inputs, outputs.views(at)?)
}

/// Work on a device.
struct DeviceRun<'b, D: Device, T: Quantizable, K> {
    device: &'b D,
    work: Arc<Work<T, K>>,
    places: Vec<Place>,
    inputs: Vec<D::Buffer<T>>,
    outputs: Buffers<D>,
    kernel: PhantomData<K>,
}

impl<'b, D: Device, T: Quantizable, K: Task> DeviceRun<'b, D, T, K> {
    fn new(device: &'b D, work: Arc<Work<T, K>>) -> Result<Self, Error> {
        let inputs = work.inputs.iter().map(|(_, data)| device.upload(data)).collect::<Result<_, _>>()?;
        let places = work.inputs.iter().map(|(place, _)| *place).collect();
        let outputs = Buffers::new(device, &work.at)?;
        Ok(Self { device, work, places, inputs, outputs, kernel: PhantomData })
    }
}

impl<D: Device, T: Quantizable, K: Task> Prepared for DeviceRun<'_, D, T, K> {
    fn launch(&mut self) -> Result<(), Error> {
        let Self { device, work, places, inputs, outputs, .. } = self;
        launch_on::<T, K, D>(device, &work.task, places, inputs, &work.at, outputs)
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.outputs.poison(self.device)
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        for (name, (buffer, (_, data))) in K::INPUTS.iter().zip(self.inputs.iter().zip(&self.work.inputs)) {
            let now = self.device.download(buffer.as_slice())?;
            let whole = Layout::new(1, now.len() as u64, now.len() as u64)?;
            // Poison in front of the input would count as not written.
            let bits = |x: &[T]| -> Vec<i64> { x.iter().map(|x| x.bits() as i64).collect() };
            let changed = compare(name, whole, 0, &bits(&now), &bits(data), &UNCHANGED);
            if !changed.passed() {
                return Ok(vec![changed]);
            }
        }
        self.work.compare(&self.outputs.download(self.device)?)
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.device.synchronize()
    }
}

/// Work in host memory.
struct CpuRun<T, K> {
    work: Arc<Work<T, K>>,
    outputs: Outputs,
}

impl<T: Quantizable, K: Task> Prepared for CpuRun<T, K> {
    fn launch(&mut self) -> Result<(), Error> {
        let (at, out) = (&self.work.at, &mut self.outputs);
        let outputs = OnHost {
            codes: HostMut::new(&mut out.codes[at.codes.offset..], at.codes.layout)?,
            low: HostMut::new(&mut out.low[at.low.offset..], at.low.layout)?,
            scales: &mut out.scales[at.scales.range()],
            zeros: &mut out.zeros[at.zeros.range()],
            sums: &mut out.sums[at.sums.range()],
        };
        let count = self.work.task.cpu(&self.work.hosts()?, outputs)?;
        out.count[at.count.range()].fill(count as i64);
        Ok(())
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.outputs = Outputs::poisoned(&self.work.at);
        Ok(())
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        self.work.compare(&self.outputs)
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}
