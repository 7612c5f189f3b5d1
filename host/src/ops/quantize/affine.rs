//! Codes by a scale and a zero point that are given.

use std::marker::PhantomData;

use gpu_std::launch::{DeviceSlice, DeviceSliceMut, LaunchShape, MAX_GRID};
use kernels_gpu::quantize::BLOCK;
use kernels_gpu::quantize::affine::{AffineExtent, Code};

use super::config::{Place, parts};
use super::rows::{NonFinite, counted, is_done};
use super::{Quantizable, QuantizeError};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::{Layout, MatrixMut, MatrixRef, check_shapes};
use crate::validate::Comparable;

const OP: &str = "quantize_affine";

/// A scale and a zero point for codes of type `C`, checked.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Affine<C> {
    scale: f32,
    zero: i32,
    codes: PhantomData<C>,
}

impl<C: CodeType> Affine<C> {
    /// `x ≈ (code - zero) * scale`.
    ///
    /// # Errors
    /// [`QuantizeError::Scale`] where `scale` or its inverse is not finite or not above 0, [`QuantizeError::ZeroPoint`] where
    /// `zero` is no code.
    pub fn new(scale: f32, zero: i32) -> Result<Self, QuantizeError> {
        let inverse = 1.0 / scale;
        if !(scale > 0.0 && scale.is_finite() && inverse.is_finite()) {
            return Err(QuantizeError::Scale { scale: scale.into() });
        }
        if !(C::FIRST..=C::LAST).contains(&zero) {
            return Err(QuantizeError::ZeroPoint { zero, first: C::FIRST, last: C::LAST });
        }
        Ok(Self { scale, zero, codes: PhantomData })
    }

    /// The value of one step.
    pub const fn scale(&self) -> f32 {
        self.scale
    }

    /// 1 / scale, rounded to nearest even.
    pub fn inverse(&self) -> f32 {
        1.0 / self.scale
    }

    /// The code of 0.
    pub const fn zero(&self) -> i32 {
        self.zero
    }
}

/// A type of codes: i8 or u8.
pub trait CodeType: Code + Comparable {
    /// The code with this value, which it has.
    fn of(value: i32) -> Self;

    /// Launches the instance of `quantize_affine`.
    ///
    /// # Errors
    /// As [`Quantizable::rows`].
    ///
    /// # Safety
    /// What the kernel asks.
    #[doc(hidden)]
    unsafe fn launch<T: Quantizable, D: Device>(
        device: &D,
        shape: LaunchShape,
        x: DeviceSlice<'_, T>,
        outputs: (DeviceSliceMut<'_, Self>, DeviceSliceMut<'_, u64>),
        extent: AffineExtent,
    ) -> Result<(), Error>;
}

impl CodeType for i8 {
    fn of(value: i32) -> Self {
        value as Self
    }

    unsafe fn launch<T: Quantizable, D: Device>(
        device: &D,
        shape: LaunchShape,
        x: DeviceSlice<'_, T>,
        outputs: (DeviceSliceMut<'_, Self>, DeviceSliceMut<'_, u64>),
        extent: AffineExtent,
    ) -> Result<(), Error> {
        // SAFETY: promised by the caller.
        unsafe { T::affine_i8(device, shape, x, outputs, extent) }
    }
}

impl CodeType for u8 {
    fn of(value: i32) -> Self {
        value as Self
    }

    unsafe fn launch<T: Quantizable, D: Device>(
        device: &D,
        shape: LaunchShape,
        x: DeviceSlice<'_, T>,
        outputs: (DeviceSliceMut<'_, Self>, DeviceSliceMut<'_, u64>),
        extent: AffineExtent,
    ) -> Result<(), Error> {
        // SAFETY: promised by the caller.
        unsafe { T::affine_u8(device, shape, x, outputs, extent) }
    }
}

/// Enqueues `codes[r, c] = clamp(rne(x[r, c] * (1 / scale)) + zero)`.
///
/// Shapes `x`, `codes`: `[rows, cols]`, rows any number of elements apart; no elements launch nothing. Types f32, f16, bf16 in,
/// i8 or u8 out. The inverse of the scale is rounded to f32, then the product, then the integer, ties to even: the codes of
/// torch's `quantize_per_tensor` on a CPU (its CUDA version divides in f64 and differs where that crosses a tie). NaN has the
/// code `zero`, infinities have the first and the last code. Alignment as for [`quantize_rows`](super::quantize_rows).
///
/// # Errors
/// [`OpError::ShapeMismatch`](crate::ops::OpError::ShapeMismatch), operands that overlap, or the device's error; nothing has
/// been written then. [`QuantizeError::NotFinite`] where that is asked for.
pub fn quantize_affine<T: Quantizable, C: CodeType, D: Device>(
    device: &D,
    x: MatrixRef<'_, T>,
    codes: MatrixMut<'_, C>,
    affine: Affine<C>,
    non_finite: NonFinite<'_>,
) -> Result<(), Error> {
    let (codes, layout) = parts(codes);
    check_shapes(OP, &[("x", x.layout()), ("codes", layout)])?;
    let aligned = Place::read(&x).is_aligned(16) && Place::codes(&codes, layout).is_aligned(T::LANES as u64);
    let (shape, extent) = choose::<T, C>(x.layout(), layout, aligned, affine);
    counted(device, (OP, layout.elements()), non_finite, |mut count| {
        if is_done(device, layout.elements(), &mut count)? {
            return Ok(());
        }
        let not_finite = count.unwrap_or_else(|| DeviceSliceMut::empty(codes.space()));
        // SAFETY: the views hold the matrices, the extent has their strides and alignment.
        unsafe { C::launch(device, shape, x.data(), (codes, not_finite), extent) }
    })
}

/// Grid and extent; operands without gaps are one row.
fn choose<T: Quantizable, C: CodeType>(
    x: Layout,
    codes: Layout,
    aligned: bool,
    affine: Affine<C>,
) -> (LaunchShape, AffineExtent) {
    let flat = x.is_contiguous() && codes.is_contiguous();
    let (rows, cols) = if flat { (1, codes.elements()) } else { (codes.rows(), codes.cols()) };
    // Chunks, and the elements behind them, which have a thread each.
    let lanes = if aligned { T::LANES as u64 } else { 1 };
    let units = (cols / lanes).max(cols % lanes).max(1);
    let log2_side = units.next_power_of_two().ilog2().min(BLOCK.ilog2());
    let grid = (
        units.div_ceil(1 << log2_side).min(u64::from(MAX_GRID[0])) as u32,
        rows.div_ceil(u64::from(BLOCK >> log2_side)).clamp(1, u64::from(MAX_GRID[1])) as u32,
    );
    let extent = AffineExtent {
        rows,
        cols,
        stride_x: x.stride(),
        stride_codes: codes.stride(),
        inverse: affine.inverse(),
        zero: affine.zero(),
        log2_side,
        aligned: aligned.into(),
    };
    (LaunchShape::grid(grid), extent)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_without_an_inverse_and_zero_points_that_are_no_codes_are_refused() {
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY, 1e-45, 2.9e-39, -0.0] {
            let error = Affine::<u8>::new(scale, 128).expect_err("it is refused");
            assert_eq!(error, QuantizeError::Scale { scale: scale.into() });
        }
        let error = Affine::<u8>::new(0.02, 256).expect_err("it is refused");
        assert_eq!(error.to_string(), "the zero point is 256; it must be from 0 to 255");
        assert!(Affine::<i8>::new(0.02, 128).is_err() && Affine::<i8>::new(0.02, -128).is_ok());
        let smallest = Affine::<i8>::new(3e-39, 0).expect("it has an inverse");
        assert!(smallest.inverse().is_finite());
    }
}
