//! Instances of the kernels for 8-bit codes.

use std::marker::PhantomData;

use gpu_std::launch::{
    self, DeviceSlice, DeviceSliceMut, LaunchShape, TensorMapDesc, TensorMapDescMut, launch_unsafe,
};
use gpu_std::wgmma::{Columns, IntegerWidth};
use gpu_std::{bf16, f16};
use kernels_gpu::matmul::epilogue::Output as DeviceOutput;
use kernels_gpu::matmul::matmul_q8::{MatmulQ8, MatmulQ8Args};
use kernels_gpu::matmul::sm90_matmul_q8::{Sm90MatmulQ8, Sm90MatmulQ8Args};
use kernels_gpu::matmul::sm90_staged::Written;

use crate::backend::Device;
use crate::error::Error;
use crate::ops::matmul::launch::BesideArgs;
use crate::ops::matmul::{Output, Sm80Tile, Sm90Tile};

/// A type that products of 8-bit codes are stored in: f16, bf16, f32, i8 saturated, or i32 for the sums themselves.
pub trait Q8Output: Output {
    /// Launches the kernel's instance for the type.
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
        args: Q8Args<'_, Self>,
    ) -> Result<(), Error>;

    /// Launches the instance of the kernel of sm_90a for the type, which the tile has.
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
        args: Q8MapArgs<'_>,
    ) -> Result<(), Error>;
}

/// The arguments of every instance of the kernel of sm_90a.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernel's")]
#[derive(Debug)]
pub struct Q8MapArgs<'a> {
    pub a: TensorMapDesc<'a>,
    pub b: TensorMapDesc<'a>,
    pub c: TensorMapDescMut<'a>,
    pub beside: BesideArgs<'a>,
    pub width: u32,
}

/// The arguments of every instance.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernel's")]
#[derive(Debug)]
pub struct Q8Args<'a, T> {
    pub a: DeviceSlice<'a, i8>,
    pub b: DeviceSlice<'a, i8>,
    pub c: DeviceSliceMut<'a, T>,
    pub beside: BesideArgs<'a>,
    pub parts: DeviceSliceMut<'a, i32>,
    pub arrived: DeviceSliceMut<'a, u32>,
}

/// Launches one instance.
///
/// # Safety
/// What the kernel asks of its caller.
unsafe fn sm80<T, D, const MT: usize, const NT: usize, const STAGES: usize, const ANYWHERE: bool>(
    device: &D,
    shape: LaunchShape,
    args: Q8Args<'_, T>,
) -> Result<(), Error>
where
    T: DeviceOutput,
    D: Device,
    MatmulQ8<T, MT, NT, STAGES, ANYWHERE>:
        for<'k> launch::Kernel<Args<'k> = MatmulQ8Args<'k, T, MT, NT, STAGES, ANYWHERE>>,
{
    let Q8Args { a, b, c, beside, parts, arrived } = args;
    let BesideArgs { row_scales, col_scales, row_zeros, col_zeros, row_sums, col_sums, bias, extent } =
        beside;
    let args = MatmulQ8Args {
        a,
        b,
        c,
        row_scales,
        col_scales,
        row_zeros,
        col_zeros,
        row_sums,
        col_sums,
        bias,
        extent,
        parts,
        arrived,
    };
    // SAFETY: promised by the caller.
    unsafe { launch_unsafe::<MatmulQ8<T, MT, NT, STAGES, ANYWHERE>, D>(device, shape, &args) }
}

/// Launches one instance of the kernel of sm_90a.
///
/// # Safety
/// What the kernel asks of its caller.
unsafe fn sm90<T, D, const C: usize, const N: usize, const TURNED: bool>(
    device: &D,
    shape: LaunchShape,
    args: Q8MapArgs<'_>,
) -> Result<(), Error>
where
    T: Written<i32>,
    Columns<N>: IntegerWidth,
    D: Device,
    Sm90MatmulQ8<T, C, N, TURNED>: for<'k> launch::Kernel<Args<'k> = Sm90MatmulQ8Args<'k, T, C, N, TURNED>>,
{
    let Q8MapArgs { a, b, c, beside, width } = args;
    let BesideArgs { row_scales, col_scales, row_zeros, col_zeros, row_sums, col_sums, bias, extent } =
        beside;
    let args = Sm90MatmulQ8Args {
        a,
        b,
        c,
        row_scales,
        col_scales,
        row_zeros,
        col_zeros,
        row_sums,
        col_sums,
        bias,
        extent,
        width,
        instance: PhantomData,
    };
    // SAFETY: promised by the caller.
    unsafe { launch_unsafe::<Sm90MatmulQ8<T, C, N, TURNED>, D>(device, shape, &args) }
}

macro_rules! q8_output {
    ($($ty:ty: $($tile:ident = ($c:literal, $n:literal, $turned:literal))*;)*) => {$(
        impl Q8Output for $ty {
            unsafe fn launch<D: Device>(
                device: &D,
                tile: Sm80Tile,
                shape: LaunchShape,
                args: Q8Args<'_, Self>,
            ) -> Result<(), Error> {
                // SAFETY: promised by the caller.
                unsafe {
                    match tile {
                        Sm80Tile::Large => sm80::<$ty, D, 4, 8, 3, false>(device, shape, args),
                        Sm80Tile::Small => sm80::<$ty, D, 2, 2, 4, false>(device, shape, args),
                        Sm80Tile::Any => sm80::<$ty, D, 4, 4, 3, true>(device, shape, args),
                    }
                }
            }

            unsafe fn launch_sm90<D: Device>(
                device: &D,
                tile: Sm90Tile,
                shape: LaunchShape,
                args: Q8MapArgs<'_>,
            ) -> Result<(), Error> {
                // SAFETY: promised by the caller.
                unsafe {
                    match tile {
                        $(Sm90Tile::$tile => sm90::<$ty, D, $c, $n, $turned>(device, shape, args),)*
                        #[allow(unreachable_patterns, reason = "some types have all tiles")]
                        _ => unreachable!("`Sm90Tile::is_instance` says which tiles there are"),
                    }
                }
            }
        }
    )*};
}
q8_output! {
    f16: M128N256 = (2, 256, false) M128N128 = (2, 128, false) M128N64 = (2, 64, false) M16 = (1, 16, true) M32 = (1, 32, true)
        M64 = (1, 64, true) M128 = (1, 128, true) M160 = (1, 160, true) M192 = (1, 192, true) M224 = (1, 224, true)
        M256 = (1, 256, true) M128Wide = (2, 128, true) M160Wide = (2, 160, true);
    bf16: M128N256 = (2, 256, false) M128N128 = (2, 128, false) M128N64 = (2, 64, false) M16 = (1, 16, true) M32 = (1, 32, true)
        M64 = (1, 64, true) M128 = (1, 128, true) M160 = (1, 160, true) M192 = (1, 192, true) M224 = (1, 224, true)
        M256 = (1, 256, true) M128Wide = (2, 128, true) M160Wide = (2, 160, true);
    f32: M128N256 = (2, 256, false) M128N128 = (2, 128, false) M128N64 = (2, 64, false) M16 = (1, 16, true) M64 = (1, 64, true)
        M128 = (1, 128, true);
    i8: M128N256 = (2, 256, false) M128N128 = (2, 128, false) M128N64 = (2, 64, false) M16 = (1, 16, true) M64 = (1, 64, true)
        M128 = (1, 128, true);
    i32: M128N256 = (2, 256, false) M128N128 = (2, 128, false) M128N64 = (2, 64, false) M16 = (1, 16, true) M64 = (1, 64, true)
        M128 = (1, 128, true);
}
