//! What a case asks of a device, of the CPU twin and of the reference, so that one runner serves the whole family.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut};

use crate::backend::Device;
use crate::error::Error;

/// An output: `rows` rows of `cols` elements without gaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Output {
    /// Its name.
    pub name: &'static str,
    /// Rows; 0 where the case does not ask for it.
    pub rows: u64,
    /// Elements of a row.
    pub cols: u64,
}

impl Output {
    /// Elements.
    pub const fn len(&self) -> usize {
        (self.rows * self.cols) as usize
    }
}

/// Work on one series.
pub trait Task: Send + Sync + 'static {
    /// What is made once per device.
    type Plan<D: Device>;

    /// Elements of the series, from the first of its first row to the last of its last.
    fn series_len(&self) -> usize;

    /// Whether element `at` of the series lies between two rows.
    fn is_gap(&self, _at: usize) -> bool {
        false
    }

    /// The outputs, always as many.
    fn outputs(&self) -> [Output; 5];

    /// About how many steps the reference takes.
    fn steps(&self) -> u64;

    /// Prepares launches.
    ///
    /// # Errors
    /// What the call refuses, or the device's error.
    fn plan<D: Device>(&self, device: &D) -> Result<Self::Plan<D>, Error>;

    /// Launches once.
    ///
    /// # Errors
    /// What the call refuses, or the device's error.
    fn launch<D: Device>(
        &self,
        device: &D,
        plan: &mut Self::Plan<D>,
        series: DeviceSlice<'_, f32>,
        outputs: [DeviceSliceMut<'_, f32>; 5],
    ) -> Result<(), Error>;

    /// Runs the CPU twin.
    ///
    /// # Errors
    /// What it refuses.
    fn cpu(&self, series: &[f32], outputs: [&mut [f32]; 5]) -> Result<(), Error>;

    /// Makes what [`expected`](Self::expected) looks up, where the reference makes all elements together. Called once or more
    /// before, and never from a thread of rayon's pool that others of the comparison wait for: the reference may use the pool,
    /// and a thread that waits for its own part there takes up the next element, which waits for the same reference.
    fn prepare_expected(&self, _series: &[f32]) {}

    /// Element `at` of output number `output`, by the reference.
    fn expected(&self, series: &[f32], output: usize, at: usize) -> f32;
}
