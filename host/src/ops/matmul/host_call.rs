//! Products of matrices in host memory, on whatever back end there is.

use std::time::Duration;

use gpu_std::DeviceRepr;

use super::beside::{DeviceBias, DeviceVectors};
use super::vectors::{ZERO_POINTS_I8, ZERO_POINTS_I16, check_scales, check_zero_points};
use super::{
    FloatInput, FloatOutput, HostFloat, HostHpq, HostQ8, HpqOutput, MatmulError, Output, Q8Output,
    SplitWeights, matmul, matmul_hpq, matmul_q8,
};
use crate::backend::{Buffer, Device};
use crate::cpu::matmul as cpu;
use crate::error::Error;
use crate::host_memory;
use crate::ops::{Executor, HostMut, Layout, MatrixMut, MatrixRef, OpError};
use crate::validate::poison;

/// The product of codes in host memory, `[m, n]` without gaps; see [`matmul_q8`]. Returns when all is computed; the same bits on
/// every back end. Scales and zero points are checked.
///
/// # Errors
/// As [`matmul_q8`]; [`MatmulError::Scale`], [`MatmulError::ZeroPoint`], [`OpError::HostMemory`].
pub fn matmul_q8_on<T: Q8Output>(executor: &Executor, asked: &HostQ8<'_>) -> Result<Vec<T>, Error> {
    Ok(q8_on(executor, asked, false)?.0)
}

/// [`matmul_q8_on`], and the time of a run without copies: of a second one on a device, of the only one on the CPU.
///
/// # Errors
/// As [`matmul_q8_on`].
pub fn matmul_q8_timed_on<T: Q8Output>(
    executor: &Executor,
    asked: &HostQ8<'_>,
) -> Result<(Vec<T>, Duration), Error> {
    q8_on(executor, asked, true)
}

fn q8_on<T: Q8Output>(
    executor: &Executor,
    asked: &HostQ8<'_>,
    timed: bool,
) -> Result<(Vec<T>, Duration), Error> {
    let (m, n) = (asked.a.layout().rows(), asked.b.layout().rows());
    let layout = Layout::new(m, n, n)?;
    asked.problem(layout, T::DTYPE)?;
    check([asked.row_scales, asked.col_scales], [asked.row_zeros, asked.col_zeros], ZERO_POINTS_I8)?;
    match executor {
        Executor::Cuda(stream) => q8_on_device(executor, stream, asked, (layout, timed)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => q8_on_device(executor, sim, asked, (layout, timed)),
        Executor::Cpu => on_cpu(executor, layout, |c| cpu::matmul_q8(asked, c)),
    }
}

/// The product of codes and 16-bit weights in host memory; see [`matmul_hpq`] and [`matmul_q8_on`].
///
/// # Errors
/// As [`matmul_q8_on`].
pub fn matmul_hpq_on<T: HpqOutput>(executor: &Executor, asked: &HostHpq<'_>) -> Result<Vec<T>, Error> {
    Ok(hpq_on(executor, asked, false)?.0)
}

/// [`matmul_hpq_on`], and the time of a second run without copies.
///
/// # Errors
/// As [`matmul_hpq_on`].
pub fn matmul_hpq_timed_on<T: HpqOutput>(
    executor: &Executor,
    asked: &HostHpq<'_>,
) -> Result<(Vec<T>, Duration), Error> {
    hpq_on(executor, asked, true)
}

fn hpq_on<T: HpqOutput>(
    executor: &Executor,
    asked: &HostHpq<'_>,
    timed: bool,
) -> Result<(Vec<T>, Duration), Error> {
    let (m, n) = (asked.a.layout().rows(), asked.weights.layout().rows());
    let layout = Layout::new(m, n, n)?;
    asked.problem(layout, T::DTYPE)?;
    check([asked.row_scales, asked.col_scales], [None, asked.col_zeros], ZERO_POINTS_I16)?;
    match executor {
        Executor::Cuda(stream) => hpq_on_device(executor, stream, asked, (layout, timed)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => hpq_on_device(executor, sim, asked, (layout, timed)),
        Executor::Cpu => on_cpu(executor, layout, |c| cpu::matmul_hpq(asked, c)),
    }
}

/// The product of floats in host memory; see [`matmul`] for what its values are.
///
/// # Errors
/// As [`matmul`]; [`OpError::HostMemory`].
pub fn matmul_on<I: FloatInput, T: FloatOutput<I>>(
    executor: &Executor,
    asked: &HostFloat<'_, I>,
) -> Result<Vec<T>, Error> {
    Ok(float_on(executor, asked, false)?.0)
}

/// [`matmul_on`], and the time of a second run without copies.
///
/// # Errors
/// As [`matmul_on`].
pub fn matmul_timed_on<I: FloatInput, T: FloatOutput<I>>(
    executor: &Executor,
    asked: &HostFloat<'_, I>,
) -> Result<(Vec<T>, Duration), Error> {
    float_on(executor, asked, true)
}

fn float_on<I: FloatInput, T: FloatOutput<I>>(
    executor: &Executor,
    asked: &HostFloat<'_, I>,
    timed: bool,
) -> Result<(Vec<T>, Duration), Error> {
    let (m, n) = (asked.a.layout().rows(), asked.b.layout().rows());
    let layout = Layout::new(m, n, n)?;
    asked.problem(layout, <T as Output>::DTYPE)?;
    match executor {
        Executor::Cuda(stream) => float_on_device(executor, stream, asked, (layout, timed)),
        #[cfg(feature = "sim")]
        Executor::Sim(sim) => float_on_device(executor, sim, asked, (layout, timed)),
        Executor::Cpu => on_cpu(executor, layout, |c| cpu::matmul(asked, c)),
    }
}

fn check(
    scales: [Option<&[f32]>; 2],
    zeros: [Option<&[i32]>; 2],
    range: (i32, i32),
) -> Result<(), MatmulError> {
    scales.into_iter().flatten().try_for_each(check_scales)?;
    zeros.into_iter().flatten().try_for_each(|zeros| check_zero_points(zeros, range))
}

/// The output, and whether a second run is timed.
type Run = (Layout, bool);

fn on_cpu<T: Output>(
    executor: &Executor,
    layout: Layout,
    product: impl FnOnce(&mut HostMut<'_, T>) -> Result<(), OpError>,
) -> Result<(Vec<T>, Duration), Error> {
    let mut c = host_memory::filled(poison::<T>(), layout.elements() as usize)?;
    let mut view = HostMut::new(&mut c, layout)?;
    let time = executor.time(|| Ok(product(&mut view)?))?;
    Ok((c, time))
}

fn q8_on_device<T: Q8Output, D: Device>(
    executor: &Executor,
    device: &D,
    asked: &HostQ8<'_>,
    run: Run,
) -> Result<(Vec<T>, Duration), Error> {
    let (a, b) = (device.upload(asked.a.data())?, device.upload(asked.b.data())?);
    let vectors = DeviceVectors::new(device, &asked.beside())?;
    let product = vectors.q8(view(&a, asked.a.layout())?, view(&b, asked.b.layout())?);
    into_host(executor, device, run, |c| matmul_q8(device, &product, c))
}

fn hpq_on_device<T: HpqOutput, D: Device>(
    executor: &Executor,
    device: &D,
    asked: &HostHpq<'_>,
    run: Run,
) -> Result<(Vec<T>, Duration), Error> {
    let (a, weights) = (device.upload(asked.a.data())?, SplitWeights::new(device, asked.weights)?);
    let vectors = DeviceVectors::new(device, &asked.beside())?;
    let product = vectors.hpq(view(&a, asked.a.layout())?, weights.planes()?);
    into_host(executor, device, run, |c| matmul_hpq(device, &product, c))
}

fn float_on_device<I: FloatInput, T: FloatOutput<I>, D: Device>(
    executor: &Executor,
    device: &D,
    asked: &HostFloat<'_, I>,
    run: Run,
) -> Result<(Vec<T>, Duration), Error> {
    let (a, b) = (device.upload(asked.a.data())?, device.upload(asked.b.data())?);
    let bias = asked.bias.map(|bias| DeviceBias::new(device, bias)).transpose()?;
    let (a, b) = (view(&a, asked.a.layout())?, view(&b, asked.b.layout())?);
    into_host(executor, device, run, |c| matmul(device, a, b, bias.as_ref().map(DeviceBias::view), c))
}

/// The output of `product`, and the time of its second run.
fn into_host<T: Output, D: Device>(
    executor: &Executor,
    device: &D,
    (layout, timed): Run,
    product: impl Fn(MatrixMut<'_, T>) -> Result<(), Error>,
) -> Result<(Vec<T>, Duration), Error> {
    let mut c = device.alloc::<T>(layout.elements())?;
    let mut run = || product(MatrixMut::new(c.as_mut_slice(), layout.rows(), layout.cols())?);
    run()?;
    let time = if timed { executor.time(run)? } else { Duration::ZERO };
    Ok((device.download(c.as_slice())?, time))
}

/// The matrix in a buffer that begins with it.
fn view<T: DeviceRepr>(buffer: &impl Buffer<T>, layout: Layout) -> Result<MatrixRef<'_, T>, Error> {
    MatrixRef::with_stride(buffer.as_slice(), layout.rows(), layout.cols(), layout.stride())
}
