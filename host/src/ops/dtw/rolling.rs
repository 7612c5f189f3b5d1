//! Rolling aggregates on a device.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut, Dim3, LaunchShape, launch_unsafe};
use kernels_gpu::dtw::BLOCK;
use kernels_gpu::dtw::rolling::{Rolling as RollingKernel, RollingArgs};

use super::{Aggregates, DtwError, Rolling, check_output, check_window};
use crate::backend::{Buffer as _, Device};
use crate::error::Error;

/// Blocks of a launch per multiprocessor.
const BLOCKS_PER_SM: u64 = 16;

/// Enqueues mean, minimum, maximum and variance of the last points, at every point of every row of `points`. The rows are
/// series, or the distances of a profile.
///
/// Shapes `series`: `[R, N]`; each output: `[R, N]`. Formula and NaN as in [`crate::cpu::dtw::rolling`], bit for bit.
///
/// # Errors
/// [`DtwError::Window`], [`DtwError::SeriesRows`] for elements that are no whole number of rows,
/// [`DtwError::OutputLength`], or the device's error; nothing has been written then.
pub fn rolling<D: Device>(
    device: &D,
    series: DeviceSlice<'_, f32>,
    points: u64,
    outputs: Rolling<'_>,
) -> Result<(), Error> {
    check_window(outputs.window, points as usize)?;
    if series.is_empty() || !series.len().is_multiple_of(points) {
        let rows = (series.len() / points) as usize;
        return Err(DtwError::SeriesRows { elements: series.len() as usize, rows }.into());
    }
    let window = outputs.window_points()?;
    let outputs = outputs.outputs(series.len() as usize)?;
    // SAFETY: the lengths, the rows and the window have just been checked.
    unsafe { launch(device, series, points, window, outputs) }
}

/// Enqueues the rolling mean of one row, over `window` points.
///
/// # Errors
/// As [`rolling`].
pub(super) fn means<D: Device>(
    device: &D,
    series: DeviceSlice<'_, f32>,
    window: usize,
    mean: DeviceSliceMut<'_, f32>,
) -> Result<(), Error> {
    check_window(window, series.len() as usize)?;
    check_output("mean", mean.len() as usize, series.len() as usize)?;
    let mut nothing = [device.alloc::<f32>(0)?, device.alloc(0)?, device.alloc(0)?];
    let [min, max, var] = nothing.each_mut().map(|buffer| buffer.as_mut_slice());
    // SAFETY: the lengths and the window have just been checked; a row is a whole number of rows.
    unsafe { launch(device, series, series.len(), window as u32, [mean, min, max, var]) }
}

/// # Safety
/// As for the kernel.
unsafe fn launch<D: Device>(
    device: &D,
    series: DeviceSlice<'_, f32>,
    n: u64,
    window: u32,
    [mean, min, max, var]: [DeviceSliceMut<'_, f32>; 4],
) -> Result<(), Error> {
    let shape = shape(device, series.len());
    let args = RollingArgs { series, mean, min, max, var, n, window };
    // SAFETY: promised by the caller; any grid covers everything.
    unsafe { launch_unsafe::<RollingKernel, D>(device, shape, &args) }
}

/// A grid for `elements` threads, or for some elements each where they are many.
pub(super) fn shape<D: Device>(device: &D, elements: u64) -> LaunchShape {
    let most = BLOCKS_PER_SM * u64::from(device.info().sm_count.max(1));
    LaunchShape::grid(Dim3::new(elements.div_ceil(BLOCK.into()).min(most) as u32, 1, 1))
}

/// Four outputs on a device.
pub struct DeviceAggregates<D: Device>([D::Buffer<f32>; 4]);

impl<D: Device> DeviceAggregates<D> {
    /// Room for `len` elements each.
    ///
    /// # Errors
    /// The device's.
    pub fn alloc(device: &D, len: u64) -> Result<Self, Error> {
        let one = || device.alloc(len);
        Ok(Self([one()?, one()?, one()?, one()?]))
    }

    /// To be written, over windows of `window` points.
    pub fn rolling(&mut self, window: usize) -> Rolling<'_> {
        let [mean, min, max, variance] = self.0.each_mut().map(|buffer| buffer.as_mut_slice());
        Rolling { window, mean, min, max, variance }
    }

    /// On the host, once the work ahead is done.
    ///
    /// # Errors
    /// The device's, or what that work ran into.
    pub fn download(&self, device: &D) -> Result<Aggregates, Error> {
        let read = |buffer: &D::Buffer<f32>| device.download(buffer.as_slice());
        let [mean, min, max, variance] = &self.0;
        Ok(Aggregates { mean: read(mean)?, min: read(min)?, max: read(max)?, variance: read(variance)? })
    }
}
