//! Rolling aggregates on a device.

use std::ops::Range;

use gpu_std::launch::{DeviceSlice, Dim3, LaunchShape, launch_unsafe};
use kernels_gpu::dtw::BLOCK;
use kernels_gpu::dtw::rolling::{Rolling as RollingKernel, RollingArgs};

use super::{Aggregates, DtwError, Rolling, check_window};
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
    let [mean, min, max, var] = outputs.outputs(series.len() as usize)?;
    let most = BLOCKS_PER_SM * u64::from(device.info().sm_count.max(1));
    let blocks = series.len().div_ceil(BLOCK.into()).min(most) as u32;
    let args = RollingArgs { series, mean, min, max, var, n: points, window };
    let shape = LaunchShape::grid(Dim3::new(blocks, 1, 1));
    // SAFETY: the lengths, the rows and the window have just been checked; any grid covers everything.
    unsafe { launch_unsafe::<RollingKernel, D>(device, shape, &args) }
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

    /// The first `len` elements of each, to be written over windows of `window` points.
    ///
    /// # Errors
    /// Fewer elements.
    pub(super) fn first(&mut self, window: usize, len: u64) -> Result<Rolling<'_>, Error> {
        let Rolling { mean, min, max, variance, .. } = self.rolling(window);
        Ok(Rolling {
            window,
            mean: mean.slice(0..len)?,
            min: min.slice(0..len)?,
            max: max.slice(0..len)?,
            variance: variance.slice(0..len)?,
        })
    }

    /// A part of each, on the host, once the work ahead is done.
    ///
    /// # Errors
    /// As [`download`](Self::download), and a part that is not there.
    pub(super) fn download_part(&self, device: &D, part: Range<u64>) -> Result<Aggregates, Error> {
        let read = |buffer: &D::Buffer<f32>| device.download(buffer.as_slice().slice(part.clone())?);
        let [mean, min, max, variance] = &self.0;
        Ok(Aggregates { mean: read(mean)?, min: read(min)?, max: read(max)?, variance: read(variance)? })
    }

    /// On the host, once the work ahead is done.
    ///
    /// # Errors
    /// The device's, or what that work ran into.
    pub fn download(&self, device: &D) -> Result<Aggregates, Error> {
        self.download_part(device, 0..self.0[0].len())
    }
}
