//! Runs one op on data of its own, on any back end, and compares with the reference.

use std::marker::PhantomData;
use std::sync::Arc;

use rayon::prelude::*;

use super::recorder::Recorder;
use super::{Executor, HostMut, HostRef, Layout, MatrixMut, MatrixRef, OpError, Prepared, Scalar};
use crate::backend::{Buffer, Device, DeviceInfo};
use crate::error::Error;
use crate::validate::{Comparison, POISON_BYTE, Tolerance, compare};

/// An op of `I` inputs and `O` outputs, all matrices of one element type: three implementations of one formula.
pub trait Elementwise<T: Scalar, const I: usize, const O: usize>: 'static {
    /// The safe call on a device.
    ///
    /// # Errors
    /// What the op refuses, or the back end's error.
    fn launch<D: Device>(
        device: &D,
        inputs: [MatrixRef<'_, T>; I],
        outputs: [MatrixMut<'_, T>; O],
    ) -> Result<(), Error>;

    /// The CPU twin.
    ///
    /// # Errors
    /// What the op refuses.
    fn cpu(inputs: [HostRef<'_, T>; I], outputs: [HostMut<'_, T>; O]) -> Result<(), OpError>;

    /// The naive reference.
    fn reference(inputs: [HostRef<'_, T>; I], outputs: [HostMut<'_, T>; O]);
}

/// One operand in host memory: a matrix inside a buffer.
#[derive(Clone, Debug)]
pub struct HostOperand<T> {
    /// Its name.
    pub name: &'static str,
    /// The buffer.
    pub data: Vec<T>,
    /// Elements of the buffer in front of the matrix.
    pub offset: u64,
    /// The matrix.
    pub layout: Layout,
}

impl<T> HostOperand<T> {
    fn as_ref(&self) -> Result<HostRef<'_, T>, OpError> {
        HostRef::new(self.data.get(self.offset as usize..).unwrap_or_default(), self.layout)
    }

    fn as_mut(&mut self) -> Result<HostMut<'_, T>, OpError> {
        HostMut::new(self.data.get_mut(self.offset as usize..).unwrap_or_default(), self.layout)
    }

    fn place(&self) -> Place {
        (self.offset, self.layout)
    }

    fn first_rows(mut self, rows: u64) -> Result<Self, OpError> {
        let Self { layout, offset, .. } = self;
        self.layout = Layout::new(layout.rows().min(rows), layout.cols(), layout.stride())?;
        self.data.truncate((offset + self.layout.span()) as usize);
        Ok(self)
    }
}

/// The operands of one run. Outputs hold what they hold before it: the poison, or what an op in place starts from.
#[derive(Clone, Debug)]
pub struct Operands<T, const I: usize, const O: usize> {
    /// Inputs.
    pub inputs: [HostOperand<T>; I],
    /// Outputs.
    pub outputs: [HostOperand<T>; O],
    /// How far a result may be from the reference.
    pub tolerance: Tolerance,
}

impl<T: Scalar, const I: usize, const O: usize> Operands<T, I, O> {
    /// The same, of the first `rows` rows alone.
    ///
    /// # Errors
    /// None for operands that were made from one [`Layout`] each.
    pub fn first_rows(self, rows: u64) -> Result<Self, OpError> {
        let Self { inputs, outputs, tolerance } = self;
        let inputs = all_ok(inputs.map(|operand| operand.first_rows(rows)))?;
        Ok(Self { inputs, outputs: all_ok(outputs.map(|operand| operand.first_rows(rows)))?, tolerance })
    }

    /// What the outputs' buffers must hold after one run.
    fn expected<K: Elementwise<T, I, O>>(&self) -> Result<[HostOperand<T>; O], Error> {
        let mut want = self.outputs.clone();
        let inputs = all_ok(self.inputs.each_ref().map(HostOperand::as_ref))?;
        in_halves::<T, K, I, O>(inputs, all_ok(want.each_mut().map(HostOperand::as_mut))?);
        Ok(want)
    }

    fn compare<K: Elementwise<T, I, O>>(&self, got: &[Vec<T>]) -> Result<Vec<Comparison>, Error> {
        let want = self.expected::<K>()?;
        let pairs = want.iter().zip(got);
        Ok(pairs
            .map(|(want, got)| compare(want.name, want.layout, want.offset, got, &want.data, &self.tolerance))
            .collect())
    }
}

/// Elements above which the reference works on both halves at once.
const HALVE_ABOVE: u64 = 1 << 18;

/// The reference; in parallel where there is much to do. Halves are halves of the rows, or of a single one.
fn in_halves<T, K, const I: usize, const O: usize>(inputs: [HostRef<'_, T>; I], outputs: [HostMut<'_, T>; O])
where
    T: Scalar,
    K: Elementwise<T, I, O>,
{
    let Some(layout) = outputs.first().map(HostMut::layout) else { return };
    if layout.elements() <= HALVE_ABOVE {
        return K::reference(inputs, outputs);
    }
    let middle = layout.rows().max(2) / 2;
    let ((left_in, right_in), (left_out, right_out)) = if layout.rows() > 1 {
        (unzip(inputs.map(|i| i.split_rows(middle))), unzip(outputs.map(|o| o.split_rows(middle))))
    } else {
        let middle = layout.cols() / 2;
        (unzip(inputs.map(|i| i.split_row(middle))), unzip(outputs.map(|o| o.split_row(middle))))
    };
    rayon::join(
        || in_halves::<T, K, I, O>(left_in, left_out),
        || in_halves::<T, K, I, O>(right_in, right_out),
    );
}

/// Puts the operands of an op where `executor` computes.
///
/// # Errors
/// A layout that does not fit its buffer, or the back end's error.
pub fn prepare<'e, T, K, const I: usize, const O: usize>(
    executor: &'e Executor,
    operands: impl Into<Arc<Operands<T, I, O>>>,
) -> Result<Box<dyn Prepared + 'e>, Error>
where
    T: Scalar,
    K: Elementwise<T, I, O>,
{
    let operands = operands.into();
    match executor {
        Executor::Cuda(stream) => Ok(Box::new(DeviceRun::<_, T, K, I, O>::new(stream, operands)?)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => Ok(Box::new(DeviceRun::<_, T, K, I, O>::new(sim, operands)?)),
        Executor::Cpu => Ok(Box::new(CpuRun::<T, K, I, O>::new(operands))),
    }
}

/// Puts the same operands where each of `executors` computes.
///
/// # Errors
/// As [`prepare`].
pub fn prepare_each<'e, T, K, const I: usize, const O: usize>(
    executors: &[&'e Executor],
    operands: Operands<T, I, O>,
) -> Result<Vec<Box<dyn Prepared + 'e>>, Error>
where
    T: Scalar,
    K: Elementwise<T, I, O>,
{
    let operands = Arc::new(operands);
    executors.iter().map(|executor| prepare::<T, K, I, O>(executor, operands.clone())).collect()
}

/// The PTX entries that one run launches on a device like `info`, its operands lying in these places: elements in front of
/// each, and the matrix.
///
/// # Errors
/// What the op refuses.
pub(super) fn entries<T, K, const I: usize, const O: usize>(
    info: &DeviceInfo,
    inputs: [Place; I],
    outputs: [Place; O],
) -> Result<Vec<&'static str>, Error>
where
    T: Scalar,
    K: Elementwise<T, I, O>,
{
    let recorder = Recorder::new(info);
    let buffer = |(offset, layout): &Place| recorder.alloc::<T>(offset + layout.span());
    let (reads, mut writes) =
        (all_ok(inputs.each_ref().map(buffer))?, all_ok(outputs.each_ref().map(buffer))?);
    launch_on::<_, T, K, I, O>(&recorder, (&reads, inputs), (&mut writes, outputs))?;
    Ok(recorder.launched())
}

/// Elements in front of a matrix in its buffer, and the matrix.
pub(super) type Place = (u64, Layout);

/// The safe call on buffers.
fn launch_on<D, T, K, const I: usize, const O: usize>(
    device: &D,
    (inputs, read): (&[D::Buffer<T>; I], [Place; I]),
    (outputs, written): (&mut [D::Buffer<T>; O], [Place; O]),
) -> Result<(), Error>
where
    D: Device,
    T: Scalar,
    K: Elementwise<T, I, O>,
{
    let inputs = std::array::from_fn(|i| {
        let ((offset, layout), buffer) = (read[i], &inputs[i]);
        let view = buffer.as_slice().slice(offset..buffer.len())?;
        MatrixRef::with_stride(view, layout.rows(), layout.cols(), layout.stride())
    });
    let mut places = written.into_iter();
    let outputs = outputs.each_mut().map(|buffer| {
        let len = buffer.len();
        let (offset, layout) = places.next().unwrap_or((0, Layout::EMPTY));
        let view = buffer.as_mut_slice().slice(offset..len)?;
        MatrixMut::with_stride(view, layout.rows(), layout.cols(), layout.stride())
    });
    K::launch(device, all_ok(inputs)?, all_ok(outputs)?)
}

/// An op with its operands on a device.
pub(crate) struct DeviceRun<'b, D: Device, T: Scalar, K, const I: usize, const O: usize> {
    device: &'b D,
    operands: Arc<Operands<T, I, O>>,
    inputs: [D::Buffer<T>; I],
    outputs: [D::Buffer<T>; O],
    kernel: PhantomData<K>,
}

impl<'b, D: Device, T: Scalar, K, const I: usize, const O: usize> DeviceRun<'b, D, T, K, I, O> {
    pub(crate) fn new(device: &'b D, operands: impl Into<Arc<Operands<T, I, O>>>) -> Result<Self, Error> {
        let operands = operands.into();
        let inputs = all_ok(operands.inputs.each_ref().map(|o| device.upload(&o.data)))?;
        let outputs = all_ok(operands.outputs.each_ref().map(|o| place_output(device, o)))?;
        Ok(Self { device, operands, inputs, outputs, kernel: PhantomData })
    }
}

/// The output's buffer on the device, with what it holds before the run.
fn place_output<D: Device, T: Scalar>(device: &D, output: &HostOperand<T>) -> Result<D::Buffer<T>, Error> {
    let holds = |x: &T| x.bits() != crate::validate::poison::<T>().bits();
    if output.data.par_chunks(HALVE_ABOVE as usize).any(|chunk| chunk.iter().any(holds)) {
        return device.upload(&output.data);
    }
    let mut buffer = device.alloc(output.data.len() as u64)?;
    device.poison(buffer.as_mut_slice(), POISON_BYTE)?;
    Ok(buffer)
}

impl<D, T, K, const I: usize, const O: usize> Prepared for DeviceRun<'_, D, T, K, I, O>
where
    D: Device,
    T: Scalar,
    K: Elementwise<T, I, O>,
{
    fn launch(&mut self) -> Result<(), Error> {
        let read = self.operands.inputs.each_ref().map(HostOperand::place);
        let written = self.operands.outputs.each_ref().map(HostOperand::place);
        launch_on::<_, T, K, I, O>(self.device, (&self.inputs, read), (&mut self.outputs, written))
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.outputs = all_ok(self.operands.outputs.each_ref().map(|o| place_output(self.device, o)))?;
        Ok(())
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        let got = all_ok(self.outputs.each_ref().map(|buffer| self.device.download(buffer.as_slice())))?;
        // Inputs are read-only to the kernel; a write through them shows here.
        for (buffer, operand) in self.inputs.iter().zip(&self.operands.inputs) {
            let now = self.device.download(buffer.as_slice())?;
            let whole = Layout::new(1, now.len() as u64, now.len() as u64)?;
            let changed = compare(operand.name, whole, 0, &now, &operand.data, &UNCHANGED);
            if !changed.passed() {
                return Ok(vec![changed]);
            }
        }
        self.operands.compare::<K>(&got)
    }

    fn synchronize(&self) -> Result<(), Error> {
        self.device.synchronize()
    }
}

const UNCHANGED: Tolerance = Tolerance::exact("an input stays what it was");

/// An op with its operands in host memory.
struct CpuRun<T, K, const I: usize, const O: usize> {
    operands: Arc<Operands<T, I, O>>,
    outputs: [HostOperand<T>; O],
    kernel: PhantomData<K>,
}

impl<T: Scalar, K, const I: usize, const O: usize> CpuRun<T, K, I, O> {
    fn new(operands: Arc<Operands<T, I, O>>) -> Self {
        let outputs = operands.outputs.clone();
        Self { operands, outputs, kernel: PhantomData }
    }
}

impl<T: Scalar, K: Elementwise<T, I, O>, const I: usize, const O: usize> Prepared for CpuRun<T, K, I, O> {
    fn launch(&mut self) -> Result<(), Error> {
        let inputs = all_ok(self.operands.inputs.each_ref().map(HostOperand::as_ref))?;
        Ok(K::cpu(inputs, all_ok(self.outputs.each_mut().map(HostOperand::as_mut))?)?)
    }

    fn reset(&mut self) -> Result<(), Error> {
        self.outputs = self.operands.outputs.clone();
        Ok(())
    }

    fn verify(&mut self) -> Result<Vec<Comparison>, Error> {
        let got = self.outputs.each_ref().map(|o| o.data.clone());
        self.operands.compare::<K>(&got)
    }

    fn synchronize(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// All values, or the first error.
pub(crate) fn all_ok<T, E, const N: usize>(results: [Result<T, E>; N]) -> Result<[T; N], E> {
    Ok(array(results.into_iter().collect::<Result<_, _>>()?))
}

fn unzip<A, B, const N: usize>(pairs: [(A, B); N]) -> ([A; N], [B; N]) {
    let mut rights = Vec::with_capacity(N);
    let lefts = pairs.map(|(left, right)| {
        rights.push(right);
        left
    });
    (lefts, array(rights))
}

/// The array of `N` values that came out of one.
fn array<T, const N: usize>(values: Vec<T>) -> [T; N] {
    match values.try_into() {
        Ok(array) => array,
        Err(_) => unreachable!("they come from an array of {N}"),
    }
}
