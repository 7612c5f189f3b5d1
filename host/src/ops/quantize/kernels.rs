//! The kernels' instances by element type and way.

use gpu_std::launch::{
    ContractError, DeviceSlice, DeviceSliceMut, Kernel, KernelArgs as _, LaunchShape, SpaceId, launch_unsafe,
};
use gpu_std::{bf16, f16};
use kernels_gpu::quantize::affine::AffineExtent;
use kernels_gpu::quantize::hadamard_quantize::{HadamardQuantize, HadamardQuantizeArgs};
use kernels_gpu::quantize::lanes::Lanes;
use kernels_gpu::quantize::quantize_affine::{QuantizeAffine, QuantizeAffineArgs};
use kernels_gpu::quantize::quantize_rows::{QuantizeRows, QuantizeRowsArgs};
use kernels_gpu::quantize::quantize_rows_i16::{QuantizeRowsI16, QuantizeRowsI16Args};
use kernels_gpu::quantize::rows::QuantizeExtent;
use kernels_gpu::quantize::{HELD, SINGLE, TWICE};

use super::config::Way;
use crate::backend::Device;
use crate::cpu::CpuScalar;
use crate::error::Error;

/// What a launch over rows takes beside its inputs; what is not asked for is empty.
pub struct RowsArgs<'a> {
    pub codes: DeviceSliceMut<'a, i8>,
    /// The lower bytes of 16-bit codes.
    pub low: DeviceSliceMut<'a, u8>,
    pub scales: DeviceSliceMut<'a, f32>,
    pub zeros: DeviceSliceMut<'a, i32>,
    pub sums: DeviceSliceMut<'a, i32>,
    pub not_finite: DeviceSliceMut<'a, u64>,
    pub extent: QuantizeExtent,
}

/// Which kernel quantizes rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowsKernel {
    /// `quantize_rows`, symmetric.
    Symmetric,
    /// `quantize_rows`, asymmetric.
    Asymmetric,
    /// `quantize_rows_i16`.
    Wide,
    /// `hadamard_quantize`, of two inputs.
    Product,
}

/// An element type that can be quantized.
#[allow(private_interfaces, reason = "the launches are for this family alone")]
pub trait Quantizable: CpuScalar + Lanes {
    /// Checks the arguments, sets the count to 0, and launches the instance.
    ///
    /// # Errors
    /// Operands that overlap, or the launch's; nothing has been written then.
    ///
    /// # Safety
    /// What the kernel asks. A kernel of one input does not use the second.
    #[doc(hidden)]
    unsafe fn rows<D: Device>(
        device: &D,
        shape: LaunchShape,
        instance: (RowsKernel, Way),
        inputs: [DeviceSlice<'_, Self>; 2],
        args: RowsArgs<'_>,
    ) -> Result<(), Error>;

    /// The same for `quantize_affine` to i8.
    ///
    /// # Errors
    /// As [`Quantizable::rows`].
    ///
    /// # Safety
    /// What the kernel asks.
    #[doc(hidden)]
    unsafe fn affine_i8<D: Device>(
        device: &D,
        shape: LaunchShape,
        x: DeviceSlice<'_, Self>,
        outputs: (DeviceSliceMut<'_, i8>, DeviceSliceMut<'_, u64>),
        extent: AffineExtent,
    ) -> Result<(), Error>;

    /// The same for `quantize_affine` to u8.
    ///
    /// # Errors
    /// As [`Quantizable::rows`].
    ///
    /// # Safety
    /// What the kernel asks.
    #[doc(hidden)]
    unsafe fn affine_u8<D: Device>(
        device: &D,
        shape: LaunchShape,
        x: DeviceSlice<'_, Self>,
        outputs: (DeviceSliceMut<'_, u8>, DeviceSliceMut<'_, u64>),
        extent: AffineExtent,
    ) -> Result<(), Error>;
}

/// Refuses operands of another space than the count, which is written before the launch looks at them.
fn check_spaces(
    entry: &'static str,
    count: SpaceId,
    params: &[(&'static str, SpaceId)],
) -> Result<(), ContractError> {
    let other = params.iter().find(|(_, space)| *space != count);
    other.map_or(Ok(()), |(param, space)| {
        Err(ContractError::WrongSpace { entry, param, got: space.get(), want: count.get() })
    })
}

/// Checks `$args`, of which `$operand` are the views, clears their count, launches.
macro_rules! launch {
    ($device:ident, $shape:ident, $kernel:ty, $args:expr, [$($operand:ident)*]) => {{
        let mut args = $args;
        args.check()?;
        if !args.not_finite.is_empty() {
            let operands = [$((stringify!($operand), args.$operand.space())),*];
            check_spaces(<$kernel as Kernel>::ENTRY, args.not_finite.space(), &operands)?;
            $device.fill_bytes(args.not_finite.reborrow(), 0)?;
        }
        // SAFETY: promised by the caller.
        unsafe { launch_unsafe::<$kernel, D>($device, $shape, &args) }
    }};
}

macro_rules! quantizable {
    ($($ty:ty)*) => {$(
        #[allow(private_interfaces, reason = "as in the trait")]
        impl Quantizable for $ty {
            unsafe fn rows<D: Device>(
                device: &D,
                shape: LaunchShape,
                (kernel, way): (RowsKernel, Way),
                [x, y]: [DeviceSlice<'_, Self>; 2],
                args: RowsArgs<'_>,
            ) -> Result<(), Error> {
                let RowsArgs { codes, low, scales, zeros, sums, not_finite, extent } = args;
                macro_rules! bytes {
                    ($symmetric:literal, $way:ident) => {
                        launch!(device, shape, QuantizeRows<$ty, $symmetric, $way>,
                            QuantizeRowsArgs { x, codes, scales, zeros, sums, not_finite, extent },
                            [x codes scales zeros sums])
                    };
                }
                macro_rules! wide {
                    ($way:ident) => {
                        launch!(device, shape, QuantizeRowsI16<$ty, $way>,
                            QuantizeRowsI16Args { x, high: codes, low, scales, zeros, sums, not_finite, extent },
                            [x high low scales zeros sums])
                    };
                }
                macro_rules! product {
                    ($way:ident) => {
                        launch!(device, shape, HadamardQuantize<$ty, $way>,
                            HadamardQuantizeArgs { a: x, b: y, codes, scales, zeros, sums, not_finite, extent },
                            [a b codes scales zeros sums])
                    };
                }
                match (kernel, way) {
                    (RowsKernel::Symmetric, Way::Held) => bytes!(true, HELD),
                    (RowsKernel::Symmetric, Way::Twice) => bytes!(true, TWICE),
                    (RowsKernel::Symmetric, Way::Single) => bytes!(true, SINGLE),
                    (RowsKernel::Asymmetric, Way::Held) => bytes!(false, HELD),
                    (RowsKernel::Asymmetric, Way::Twice) => bytes!(false, TWICE),
                    (RowsKernel::Asymmetric, Way::Single) => bytes!(false, SINGLE),
                    (RowsKernel::Wide, Way::Held) => wide!(HELD),
                    (RowsKernel::Wide, Way::Twice) => wide!(TWICE),
                    (RowsKernel::Wide, Way::Single) => wide!(SINGLE),
                    (RowsKernel::Product, Way::Held) => product!(HELD),
                    (RowsKernel::Product, Way::Twice) => product!(TWICE),
                    (RowsKernel::Product, Way::Single) => product!(SINGLE),
                }
            }

            unsafe fn affine_i8<D: Device>(
                device: &D,
                shape: LaunchShape,
                x: DeviceSlice<'_, Self>,
                (codes, not_finite): (DeviceSliceMut<'_, i8>, DeviceSliceMut<'_, u64>),
                extent: AffineExtent,
            ) -> Result<(), Error> {
                launch!(device, shape, QuantizeAffine<$ty, i8>, QuantizeAffineArgs { x, codes, not_finite, extent }, [x codes])
            }

            unsafe fn affine_u8<D: Device>(
                device: &D,
                shape: LaunchShape,
                x: DeviceSlice<'_, Self>,
                (codes, not_finite): (DeviceSliceMut<'_, u8>, DeviceSliceMut<'_, u64>),
                extent: AffineExtent,
            ) -> Result<(), Error> {
                launch!(device, shape, QuantizeAffine<$ty, u8>, QuantizeAffineArgs { x, codes, not_finite, extent }, [x codes])
            }
        }
    )*};
}
quantizable! { f32 f16 bf16 }
