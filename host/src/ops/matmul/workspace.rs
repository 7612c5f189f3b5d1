//! Device memory that products with several parts of k pass their sums through.

use gpu_std::DeviceRepr;
use gpu_std::launch::{DeviceSliceMut, SpaceId};

use crate::backend::{Buffer as _, Device};
use crate::error::Error;

/// Device memory that calls use in turn, in the order of one stream: made once, it grows to what the largest needs.
pub struct Workspace<D: Device> {
    /// Sums of parts.
    parts: Option<D::Buffer<i32>>,
    /// Counters of parts, zero between launches.
    arrived: Option<D::Buffer<u32>>,
}

impl<D: Device> Default for Workspace<D> {
    fn default() -> Self {
        Self { parts: None, arrived: None }
    }
}

impl<D: Device> Workspace<D> {
    /// No memory yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Room for so many sums of 4 bytes, and so many counters; what does not exist yet is made on `device`.
    pub(super) fn views<S: DeviceRepr>(
        &mut self,
        device: &D,
        space: SpaceId,
        parts: u64,
        arrived: u64,
    ) -> Result<(DeviceSliceMut<'_, S>, DeviceSliceMut<'_, u32>), Error> {
        const { assert!(size_of::<S>() == 4 && align_of::<S>() == 4) }
        if parts > 0 && self.parts.as_ref().is_none_or(|buffer| buffer.len() < parts) {
            self.parts = Some(device.alloc(parts)?);
        }
        if arrived > 0 && self.arrived.as_ref().is_none_or(|buffer| buffer.len() < arrived) {
            let mut counters = device.alloc(arrived)?;
            device.fill_bytes(counters.as_mut_slice(), 0)?;
            self.arrived = Some(counters);
        }
        let sums = match &mut self.parts {
            Some(buffer) if parts > 0 => {
                let view = buffer.as_mut_slice();
                // SAFETY: the buffer has at least so many elements of the same size and alignment, is borrowed as long, and what
                // is in it is nobody's.
                unsafe { DeviceSliceMut::from_raw(view.addr(), parts, view.space()) }
            }
            _ => DeviceSliceMut::empty(space),
        };
        let counters = match &mut self.arrived {
            Some(buffer) if arrived > 0 => buffer.as_mut_slice().slice(0..arrived)?,
            _ => DeviceSliceMut::empty(space),
        };
        Ok((sums, counters))
    }
}
