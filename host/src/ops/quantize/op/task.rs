//! What a case asks of a device, of the CPU twin and of the reference, so that one runner serves the whole family.

use gpu_std::launch::DeviceSliceMut;

use crate::backend::Device;
use crate::error::Error;
use crate::ops::quantize::Quantizable;
use crate::ops::{HostMut, HostRef, MatrixMut, MatrixRef, Placement};
use crate::reference::quantize::RowCodes;

/// The outputs a case asks for, and where they lie. Scales, zero points and sums have one element per row.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Signed bytes: 8-bit codes, or the upper bytes of wider ones.
    pub codes: Option<Placement>,
    /// Unsigned bytes: 8-bit codes, or the lower bytes of wider ones.
    pub low: Option<Placement>,
    /// Elements in front of the scales.
    pub scales: Option<u64>,
    /// Elements in front of the zero points.
    pub zeros: Option<u64>,
    /// Elements in front of the sums.
    pub sums: Option<u64>,
    /// Whether values that are not finite are counted.
    pub count: bool,
}

/// The outputs on a device; those that are not asked for are empty.
pub struct OnDevice<'a> {
    pub codes: MatrixMut<'a, i8>,
    pub low: MatrixMut<'a, u8>,
    pub scales: DeviceSliceMut<'a, f32>,
    pub zeros: DeviceSliceMut<'a, i32>,
    pub sums: DeviceSliceMut<'a, i32>,
    pub count: DeviceSliceMut<'a, u64>,
}

/// The outputs in host memory; those that are not asked for are empty.
pub struct OnHost<'a> {
    pub codes: HostMut<'a, i8>,
    pub low: HostMut<'a, u8>,
    pub scales: &'a mut [f32],
    pub zeros: &'a mut [i32],
    pub sums: &'a mut [i32],
}

/// Work on rows of one or two inputs of one shape.
pub trait Task: Send + Sync + 'static {
    /// Names of the inputs.
    const INPUTS: &'static [&'static str];

    /// The outputs that are asked for.
    fn asked(&self) -> Asked;

    /// Launches once.
    ///
    /// # Errors
    /// What the call refuses, or the device's error.
    fn launch<T: Quantizable, D: Device>(
        &self,
        device: &D,
        inputs: &[MatrixRef<'_, T>],
        outputs: OnDevice<'_>,
    ) -> Result<(), Error>;

    /// Runs the CPU twin; gives how many values are not finite.
    ///
    /// # Errors
    /// What it refuses.
    fn cpu<T: Quantizable>(&self, inputs: &[HostRef<'_, T>], outputs: OnHost<'_>) -> Result<u64, Error>;

    /// One row by the reference, from the row of each input.
    fn expected<T: Quantizable>(&self, rows: &[&[T]]) -> RowCodes;
}
