//! What stands beside the matrices of a product: scales, zero points with sums, a bias.

use gpu_std::launch::{DeviceSlice, SpaceId};
use gpu_std::{bf16, f16};
use kernels_gpu::matmul::epilogue::Bias;

use super::MatmulError;
use crate::backend::Device;
use crate::error::Error;

/// The zero points that codes of 8 bits have.
pub const ZERO_POINTS_I8: (i32, i32) = (i8::MIN as i32, i8::MAX as i32);
/// The zero points that codes of 16 bits have.
pub const ZERO_POINTS_I16: (i32, i32) = (i16::MIN as i32, i16::MAX as i32);

/// Refuses scales that are NaN, infinite, zero or negative. No quantizer gives them, and each hides a fault: NaN and infinity
/// spread over the output, zero makes whole rows vanish, a sign belongs to the codes.
///
/// # Errors
/// [`MatmulError::Scale`] with the first of them.
pub fn check_scales(scales: &[f32]) -> Result<(), MatmulError> {
    let wrong = scales.iter().position(|scale| !(scale.is_finite() && *scale > 0.0));
    wrong.map_or(Ok(()), |at| Err(MatmulError::Scale { index: at as u64, value: scales[at].into() }))
}

/// Refuses zero points outside `(min, max)`: the limits of k suppose that they lie there.
///
/// # Errors
/// [`MatmulError::ZeroPoint`] with the first of them.
pub fn check_zero_points(zeros: &[i32], (min, max): (i32, i32)) -> Result<(), MatmulError> {
    let wrong = zeros.iter().position(|zero| !(min..=max).contains(zero));
    let error = |at: usize| MatmulError::ZeroPoint { index: at as u64, value: zeros[at], min, max };
    wrong.map_or(Ok(()), |at| Err(error(at)))
}

/// Scales on the device: one for all rows, or one for each.
#[derive(Clone, Copy, Debug)]
pub struct Scales<'a>(DeviceSlice<'a, f32>);

impl<'a> Scales<'a> {
    /// Scales whose values have been checked, here and now: waits for the work on `device` and copies them.
    ///
    /// # Errors
    /// [`MatmulError::Scale`], see [`check_scales`]; or the device's error.
    pub fn checked<D: Device>(device: &D, scales: DeviceSlice<'a, f32>) -> Result<Self, Error> {
        check_scales(&device.download(scales)?)?;
        Ok(Self(scales))
    }

    /// Scales whose values nobody checks: they go into the products as they are.
    pub const fn trusted(scales: DeviceSlice<'a, f32>) -> Self {
        Self(scales)
    }

    /// The scales.
    pub const fn data(&self) -> DeviceSlice<'a, f32> {
        self.0
    }
}

/// Zero points of one side of a product, on the device: one for all of its rows, or one for each. With them go the sums of the
/// other side's rows, by which they are taken out of the sums of products.
#[derive(Clone, Copy, Debug)]
pub struct ZeroPoints<'a> {
    values: DeviceSlice<'a, i32>,
    sums: DeviceSlice<'a, i32>,
    /// Whether they may lie outside those of 8-bit codes.
    is_wide: bool,
}

impl<'a> ZeroPoints<'a> {
    /// Zero points of 8-bit codes, from −128 to 127, which is checked here and now: waits for the work on `device` and copies
    /// them. `sums` holds the sum of each row of the other side, see [`super::row_sums`]; quantizers give them, too.
    ///
    /// # Errors
    /// [`MatmulError::ZeroPoint`], or the device's error.
    pub fn checked<D: Device>(
        device: &D,
        values: DeviceSlice<'a, i32>,
        sums: DeviceSlice<'a, i32>,
    ) -> Result<Self, Error> {
        check_zero_points(&device.download(values)?, ZERO_POINTS_I8)?;
        Ok(Self { values, sums, is_wide: false })
    }

    /// The same for 16-bit codes, from −32768 to 32767: for the weights of [`super::matmul_hpq`] alone.
    ///
    /// # Errors
    /// As [`checked`](Self::checked).
    pub fn checked_i16<D: Device>(
        device: &D,
        values: DeviceSlice<'a, i32>,
        sums: DeviceSlice<'a, i32>,
    ) -> Result<Self, Error> {
        check_zero_points(&device.download(values)?, ZERO_POINTS_I16)?;
        Ok(Self { values, sums, is_wide: true })
    }

    /// Zero points that nobody checks: with others than those above, sums may wrap around.
    pub const fn trusted(values: DeviceSlice<'a, i32>, sums: DeviceSlice<'a, i32>) -> Self {
        Self { values, sums, is_wide: false }
    }

    /// The zero points.
    pub const fn values(&self) -> DeviceSlice<'a, i32> {
        self.values
    }

    /// Whether they are those of 16-bit codes.
    pub(super) const fn is_wide(&self) -> bool {
        self.is_wide
    }

    /// The sums of the other side's rows.
    pub const fn sums(&self) -> DeviceSlice<'a, i32> {
        self.sums
    }
}

/// A bias on the device: one number for each column of the product.
#[derive(Clone, Copy, Debug)]
pub enum BiasRef<'a> {
    /// In f32.
    F32(DeviceSlice<'a, f32>),
    /// In f16.
    F16(DeviceSlice<'a, f16>),
    /// In bf16.
    Bf16(DeviceSlice<'a, bf16>),
}

impl BiasRef<'_> {
    /// Number of elements.
    pub const fn len(&self) -> u64 {
        match self {
            Self::F32(bias) => bias.len(),
            Self::F16(bias) => bias.len(),
            Self::Bf16(bias) => bias.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub(super) const fn space(&self) -> SpaceId {
        match self {
            Self::F32(bias) => bias.space(),
            Self::F16(bias) => bias.space(),
            Self::Bf16(bias) => bias.space(),
        }
    }

    /// First byte and the byte after the last.
    pub(super) fn bounds(&self) -> (u64, u64) {
        let (Bias { address, ty, .. }, len) = (self.argument(), self.len());
        (address, address + len * if ty == Bias::F32 { 4 } else { 2 })
    }

    /// The bias as kernels take it.
    pub(super) const fn argument(&self) -> Bias {
        let (address, ty) = match self {
            Self::F32(bias) => (bias.addr(), Bias::F32),
            Self::F16(bias) => (bias.addr(), Bias::F16),
            Self::Bf16(bias) => (bias.addr(), Bias::BF16),
        };
        Bias { address, ty, reserved: 0 }
    }
}

/// A bias in host memory: one number for each column of the product.
#[derive(Clone, Copy, Debug)]
pub enum HostBias<'a> {
    /// In f32.
    F32(&'a [f32]),
    /// In f16.
    F16(&'a [f16]),
    /// In bf16.
    Bf16(&'a [bf16]),
}

impl HostBias<'_> {
    /// Number of elements.
    pub const fn len(&self) -> usize {
        match self {
            Self::F32(bias) => bias.len(),
            Self::F16(bias) => bias.len(),
            Self::Bf16(bias) => bias.len(),
        }
    }

    /// Whether there are none.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Element `j`, exactly.
    pub fn at(&self, j: usize) -> f32 {
        match self {
            Self::F32(bias) => bias[j],
            Self::F16(bias) => bias[j].to_f32(),
            Self::Bf16(bias) => bias[j].to_f32(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_that_no_quantizer_gives_are_refused_with_their_place() {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 0.0, -0.0, -1.5] {
            let error = check_scales(&[1.0, 2.0, bad, f32::NAN]).expect_err("it is refused");
            assert_eq!(error, MatmulError::Scale { index: 2, value: bad.into() }, "{bad}");
        }
        assert_eq!(
            check_scales(&[0.0]).expect_err("it is refused").to_string(),
            "scale 0 is 0e0; every scale must be finite and above 0"
        );
        let smallest = f32::from_bits(1);
        check_scales(&[1.0, smallest, f32::MAX, 1e-40]).expect("they are finite and above 0");
        check_scales(&[]).expect("there is none");
    }

    #[test]
    fn zero_points_outside_the_codes_are_refused_with_their_place() {
        check_zero_points(&[-128, 0, 127], ZERO_POINTS_I8).expect("they are codes");
        let error = check_zero_points(&[0, 128], ZERO_POINTS_I8).expect_err("no code");
        assert_eq!(error.to_string(), "zero point 1 is 128; every zero point must be from -128 to 127");
        check_zero_points(&[-32768, 32767], ZERO_POINTS_I16).expect("they are codes");
        let error = check_zero_points(&[-32769], ZERO_POINTS_I16).expect_err("no code");
        assert_eq!(error, MatmulError::ZeroPoint { index: 0, value: -32769, min: -32768, max: 32767 });
    }
}
