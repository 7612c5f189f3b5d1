//! Weights of 16 bits as two planes of 8: `w = 256 hi + lo`.

use gpu_std::DeviceRepr;

use crate::backend::{Buffer as _, Device};
use crate::error::Error;
use crate::host_memory;
use crate::ops::{HostRef, Layout, MatrixRef, OpError};

/// Elements from row to row of planes are a multiple of this, so that rows start at multiples of 16 bytes.
const ALIGNMENT: u64 = 16;

/// High and low byte of a weight: the high one has the sign.
pub const fn split(weight: i16) -> (i8, u8) {
    ((weight >> 8) as i8, weight as u8)
}

/// Both planes of weights in host memory, `[n, k]`, with rows padded by zeros to multiples of 16 bytes. Made once, offline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HostSplitWeights {
    hi: Vec<i8>,
    lo: Vec<u8>,
    layout: Layout,
}

impl HostSplitWeights {
    /// The planes of `weights`.
    ///
    /// # Errors
    /// [`OpError::HostMemory`], [`OpError::SizeOverflow`].
    pub fn new(weights: HostRef<'_, i16>) -> Result<Self, OpError> {
        let (rows, cols) = (weights.layout().rows(), weights.layout().cols());
        let stride = cols.checked_next_multiple_of(ALIGNMENT);
        let stride = stride.ok_or(OpError::SizeOverflow { rows, cols, stride: u64::MAX })?;
        let layout = Layout::new(rows, cols, stride)?;
        let len = layout.span() as usize;
        let (mut hi, mut lo) = (host_memory::filled(0_i8, len)?, host_memory::filled(0_u8, len)?);
        for row in 0..rows {
            let start = (row * stride) as usize;
            for (at, weight) in weights.row(row).iter().enumerate() {
                (hi[start + at], lo[start + at]) = split(*weight);
            }
        }
        Ok(Self { hi, lo, layout })
    }

    /// The high bytes.
    pub fn hi(&self) -> &[i8] {
        &self.hi
    }

    /// The low bytes.
    pub fn lo(&self) -> &[u8] {
        &self.lo
    }

    /// Where the weights lie in each plane.
    pub const fn layout(&self) -> Layout {
        self.layout
    }

    /// A copy on the device.
    ///
    /// # Errors
    /// The device's.
    pub fn upload<D: Device>(&self, device: &D) -> Result<SplitWeights<D>, Error> {
        Ok(SplitWeights { hi: device.upload(&self.hi)?, lo: device.upload(&self.lo)?, layout: self.layout })
    }
}

/// Both planes of weights on a device.
pub struct SplitWeights<D: Device> {
    hi: D::Buffer<i8>,
    lo: D::Buffer<u8>,
    layout: Layout,
}

impl<D: Device> SplitWeights<D> {
    /// Splits `weights` on the host and copies both planes.
    ///
    /// # Errors
    /// As [`HostSplitWeights::new`], or the device's.
    pub fn new(device: &D, weights: HostRef<'_, i16>) -> Result<Self, Error> {
        HostSplitWeights::new(weights)?.upload(device)
    }

    /// The planes as calls take them.
    ///
    /// # Errors
    /// None: the buffers are as long as the layout.
    pub fn planes(&self) -> Result<SplitRef<'_>, Error> {
        SplitRef::new(plane::<D, i8>(&self.hi, self.layout)?, plane::<D, u8>(&self.lo, self.layout)?)
    }
}

fn plane<D: Device, T: DeviceRepr>(buffer: &D::Buffer<T>, layout: Layout) -> Result<MatrixRef<'_, T>, Error> {
    MatrixRef::with_stride(buffer.as_slice(), layout.rows(), layout.cols(), layout.stride())
}

/// A view of both planes, rows as far apart in both.
#[derive(Clone, Copy, Debug)]
pub struct SplitRef<'a> {
    hi: MatrixRef<'a, i8>,
    lo: MatrixRef<'a, u8>,
}

impl<'a> SplitRef<'a> {
    /// The weights with these high and low bytes.
    ///
    /// # Errors
    /// [`OpError::ShapeMismatch`]; [`super::MatmulError::PlaneStrides`] where rows are not as far apart in both.
    pub fn new(hi: MatrixRef<'a, i8>, lo: MatrixRef<'a, u8>) -> Result<Self, Error> {
        let layouts = (hi.layout(), lo.layout());
        crate::ops::check_shapes("matmul_hpq", &[("hi", layouts.0), ("lo", layouts.1)])?;
        let (hi_stride, lo_stride) = (layouts.0.stride(), layouts.1.stride());
        if layouts.0.rows() > 1 && hi_stride != lo_stride {
            return Err(super::MatmulError::PlaneStrides { hi: hi_stride, lo: lo_stride }.into());
        }
        Ok(Self { hi, lo })
    }

    /// The high bytes.
    pub const fn hi(&self) -> MatrixRef<'a, i8> {
        self.hi
    }

    /// The low bytes.
    pub const fn lo(&self) -> MatrixRef<'a, u8> {
        self.lo
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_of_every_weight_make_the_weight() {
        for weight in i16::MIN..=i16::MAX {
            let (hi, lo) = split(weight);
            assert_eq!(i32::from(hi) * 256 + i32::from(lo), i32::from(weight));
        }
    }

    #[test]
    fn rows_of_planes_start_at_16_bytes() {
        let layout = Layout::new(2, 3, 5).expect("it is right");
        let weights = [1_i16, -1, 256, 0, 0, i16::MIN, i16::MAX, -256];
        let planes = HostSplitWeights::new(HostRef::new(&weights, layout).expect("it is there"));
        let planes = planes.expect("there is room");
        assert_eq!((planes.layout().stride(), planes.layout().span()), (16, 19));
        assert_eq!((&planes.hi()[..3], &planes.lo()[..3]), (&[0, -1, 1][..], &[1, 255, 0][..]));
        assert_eq!((&planes.hi()[16..], &planes.lo()[16..]), (&[-128, 127, -1][..], &[0, 255, 0][..]));
    }
}
