//! Instances of the kernels for floats of 16 bits.

use std::marker::PhantomData;

use gpu_std::launch::{
    self, DeviceSlice, DeviceSliceMut, LaunchShape, TensorElement, TensorMapDesc, TensorMapDescMut,
    launch_unsafe,
};
use gpu_std::{Real, bf16, f16};
use kernels_gpu::matmul::epilogue::{Bias, Extent};
use kernels_gpu::matmul::matmul::{Matmul, MatmulArgs};
use kernels_gpu::matmul::products::Float;
use kernels_gpu::matmul::sm90_matmul::{Sm90Matmul, Sm90MatmulArgs};
use kernels_gpu::matmul::sm90_product::{Brain, Half, Product};
use kernels_gpu::matmul::sm90_staged::Written;

use crate::backend::Device;
use crate::error::Error;
use crate::ops::Scalar;
use crate::ops::matmul::{Output, Sm80Tile, Sm90Tile};

/// A type of the inputs of products of floats: f16, bf16.
pub trait FloatInput: Scalar + TensorElement {}

impl FloatInput for f16 {}
impl FloatInput for bf16 {}

/// A type that products of `I` are stored in: `I` itself or f32.
pub trait FloatOutput<I: FloatInput>: Output + Scalar {
    /// Launches the kernel's instance for the types.
    ///
    /// # Errors
    /// The contract's, or the device's.
    ///
    /// # Safety
    /// What the kernel asks of its caller.
    #[doc(hidden)]
    unsafe fn launch<D: Device>(
        device: &D,
        tile: Sm80Tile,
        shape: LaunchShape,
        args: FloatArgs<'_, I, Self>,
    ) -> Result<(), Error>;

    /// Launches the instance of the kernel of sm_90a for the types, which the tile has.
    ///
    /// # Errors
    /// The contract's, or the device's.
    ///
    /// # Safety
    /// What the kernel asks of its caller.
    #[doc(hidden)]
    unsafe fn launch_sm90<D: Device>(
        device: &D,
        tile: Sm90Tile,
        shape: LaunchShape,
        args: FloatMapArgs<'_>,
    ) -> Result<(), Error>;
}

/// The arguments of every instance of the kernel of sm_90a.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernel's")]
#[derive(Debug)]
pub struct FloatMapArgs<'a> {
    pub a: TensorMapDesc<'a>,
    pub b: TensorMapDesc<'a>,
    pub c: TensorMapDescMut<'a>,
    pub bias: Bias,
    pub extent: Extent,
    pub width: u32,
}

/// The arguments of every instance.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernel's")]
#[derive(Debug)]
pub struct FloatArgs<'a, I, T> {
    pub a: DeviceSlice<'a, I>,
    pub b: DeviceSlice<'a, I>,
    pub c: DeviceSliceMut<'a, T>,
    pub bias: Bias,
    pub extent: Extent,
    pub parts: DeviceSliceMut<'a, f32>,
    pub arrived: DeviceSliceMut<'a, u32>,
}

/// Launches one instance.
///
/// # Safety
/// What the kernel asks of its caller.
unsafe fn sm80<I, T, D, const MT: usize, const NT: usize, const STAGES: usize, const ANYWHERE: bool>(
    device: &D,
    shape: LaunchShape,
    args: FloatArgs<'_, I, T>,
) -> Result<(), Error>
where
    I: Float,
    T: Real,
    D: Device,
    Matmul<I, T, MT, NT, STAGES, ANYWHERE>:
        for<'k> launch::Kernel<Args<'k> = MatmulArgs<'k, I, T, MT, NT, STAGES, ANYWHERE>>,
{
    let FloatArgs { a, b, c, bias, extent, parts, arrived } = args;
    let args = MatmulArgs { a, b, c, bias, extent, parts, arrived };
    // SAFETY: promised by the caller.
    unsafe { launch_unsafe::<Matmul<I, T, MT, NT, STAGES, ANYWHERE>, D>(device, shape, &args) }
}

/// Launches one instance of the kernel of sm_90a.
///
/// # Safety
/// What the kernel asks of its caller.
unsafe fn sm90<P, T, D, const C: usize, const N: usize, const TURNED: bool>(
    device: &D,
    shape: LaunchShape,
    args: FloatMapArgs<'_>,
) -> Result<(), Error>
where
    P: Product<N, Sum = f32>,
    T: Written<f32>,
    D: Device,
    Sm90Matmul<P, T, C, N, TURNED>: for<'k> launch::Kernel<Args<'k> = Sm90MatmulArgs<'k, P, T, C, N, TURNED>>,
{
    let FloatMapArgs { a, b, c, bias, extent, width } = args;
    let args = Sm90MatmulArgs { a, b, c, bias, extent, width, instance: PhantomData };
    // SAFETY: promised by the caller.
    unsafe { launch_unsafe::<Sm90Matmul<P, T, C, N, TURNED>, D>(device, shape, &args) }
}

macro_rules! float_output {
    ($($input:ty => $ty:ty, $product:ident;)*) => {$(
        impl FloatOutput<$input> for $ty {
            unsafe fn launch<D: Device>(
                device: &D,
                tile: Sm80Tile,
                shape: LaunchShape,
                args: FloatArgs<'_, $input, Self>,
            ) -> Result<(), Error> {
                // SAFETY: promised by the caller.
                unsafe {
                    match tile {
                        Sm80Tile::Large => sm80::<$input, $ty, D, 4, 8, 3, false>(device, shape, args),
                        Sm80Tile::Small => sm80::<$input, $ty, D, 2, 2, 4, false>(device, shape, args),
                        Sm80Tile::Any => sm80::<$input, $ty, D, 4, 4, 3, true>(device, shape, args),
                    }
                }
            }

            unsafe fn launch_sm90<D: Device>(
                device: &D,
                tile: Sm90Tile,
                shape: LaunchShape,
                args: FloatMapArgs<'_>,
            ) -> Result<(), Error> {
                // SAFETY: promised by the caller.
                unsafe {
                    match tile {
                        Sm90Tile::M128N256 => sm90::<$product<256>, $ty, D, 2, 256, false>(device, shape, args),
                        Sm90Tile::M128N128 => sm90::<$product<128>, $ty, D, 2, 128, false>(device, shape, args),
                        Sm90Tile::M128N64 => sm90::<$product<64>, $ty, D, 2, 64, false>(device, shape, args),
                        Sm90Tile::M64 => sm90::<$product<64>, $ty, D, 1, 64, true>(device, shape, args),
                        _ => unreachable!("`Sm90Tile::is_instance` says which tiles there are"),
                    }
                }
            }
        }
    )*};
}
float_output! { f16 => f16, Half; f16 => f32, Half; bf16 => bf16, Brain; bf16 => f32, Brain; }
