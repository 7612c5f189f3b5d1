//! Instances of the kernels for 8-bit codes and 16-bit weights.

use std::marker::PhantomData;

use gpu_std::launch::{
    self, DeviceSlice, DeviceSliceMut, LaunchShape, TensorMapDesc, TensorMapDescMut, launch_unsafe,
};
use gpu_std::wgmma::{Columns, IntegerWidth};
use gpu_std::{bf16, f16};
use kernels_gpu::matmul::epilogue_hpq::Output as DeviceOutput;
use kernels_gpu::matmul::matmul_hpq::{MatmulHpq, MatmulHpqArgs};
use kernels_gpu::matmul::sm90_matmul_hpq::{Sm90MatmulHpq, Sm90MatmulHpqArgs};
use kernels_gpu::matmul::sm90_staged::Written;

use crate::backend::Device;
use crate::error::Error;
use crate::ops::matmul::launch::BesideArgs;
use crate::ops::matmul::{Output, Sm80Tile, Sm90Tile};

/// A type that products with 16-bit weights are stored in: f16, bf16, f32, or i64 for the sums themselves.
pub trait HpqOutput: Output {
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
        args: HpqArgs<'_, Self>,
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
        args: HpqMapArgs<'_>,
    ) -> Result<(), Error>;
}

/// The arguments of every instance of the kernel of sm_90a.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernel's")]
#[derive(Debug)]
pub struct HpqMapArgs<'a> {
    pub a: TensorMapDesc<'a>,
    pub b_hi: TensorMapDesc<'a>,
    pub b_lo: TensorMapDesc<'a>,
    pub c: TensorMapDescMut<'a>,
    pub beside: BesideArgs<'a>,
}

/// The arguments of every instance.
#[doc(hidden)]
#[allow(missing_docs, reason = "they are the kernel's")]
#[derive(Debug)]
pub struct HpqArgs<'a, T> {
    pub a: DeviceSlice<'a, i8>,
    pub b_hi: DeviceSlice<'a, i8>,
    pub b_lo: DeviceSlice<'a, u8>,
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
    args: HpqArgs<'_, T>,
) -> Result<(), Error>
where
    T: DeviceOutput,
    D: Device,
    MatmulHpq<T, MT, NT, STAGES, ANYWHERE>:
        for<'k> launch::Kernel<Args<'k> = MatmulHpqArgs<'k, T, MT, NT, STAGES, ANYWHERE>>,
{
    let HpqArgs { a, b_hi, b_lo, c, beside, parts, arrived } = args;
    let BesideArgs { row_scales, col_scales, col_zeros, row_sums, bias, extent, .. } = beside;
    let args = MatmulHpqArgs {
        a,
        b_hi,
        b_lo,
        c,
        row_scales,
        col_scales,
        col_zeros,
        row_sums,
        bias,
        extent,
        parts,
        arrived,
    };
    // SAFETY: promised by the caller.
    unsafe { launch_unsafe::<MatmulHpq<T, MT, NT, STAGES, ANYWHERE>, D>(device, shape, &args) }
}

/// Launches one instance of the kernel of sm_90a.
///
/// # Safety
/// What the kernel asks of its caller.
unsafe fn sm90<T, D, const N: usize>(
    device: &D,
    shape: LaunchShape,
    args: HpqMapArgs<'_>,
) -> Result<(), Error>
where
    T: Written<i64>,
    Columns<N>: IntegerWidth,
    D: Device,
    Sm90MatmulHpq<T, N>: for<'k> launch::Kernel<Args<'k> = Sm90MatmulHpqArgs<'k, T, N>>,
{
    let HpqMapArgs { a, b_hi, b_lo, c, beside } = args;
    let BesideArgs { row_scales, col_scales, col_zeros, row_sums, bias, extent, .. } = beside;
    let args = Sm90MatmulHpqArgs {
        a,
        b_hi,
        b_lo,
        c,
        row_scales,
        col_scales,
        col_zeros,
        row_sums,
        bias,
        extent,
        instance: PhantomData,
    };
    // SAFETY: promised by the caller.
    unsafe { launch_unsafe::<Sm90MatmulHpq<T, N>, D>(device, shape, &args) }
}

macro_rules! hpq_output {
    ($($ty:ty: $($tile:ident = $n:literal)*;)*) => {$(
        impl HpqOutput for $ty {
            unsafe fn launch<D: Device>(
                device: &D,
                tile: Sm80Tile,
                shape: LaunchShape,
                args: HpqArgs<'_, Self>,
            ) -> Result<(), Error> {
                // SAFETY: promised by the caller.
                unsafe {
                    match tile {
                        Sm80Tile::Large => sm80::<$ty, D, 4, 8, 3, false>(device, shape, args),
                        Sm80Tile::Small => sm80::<$ty, D, 2, 4, 4, false>(device, shape, args),
                        Sm80Tile::Any => sm80::<$ty, D, 4, 4, 3, true>(device, shape, args),
                    }
                }
            }

            #[allow(unused_variables, reason = "some types have no tile")]
            unsafe fn launch_sm90<D: Device>(
                device: &D,
                tile: Sm90Tile,
                shape: LaunchShape,
                args: HpqMapArgs<'_>,
            ) -> Result<(), Error> {
                // SAFETY: promised by the caller.
                #[allow(unused_unsafe, reason = "some types have no tile")]
                unsafe {
                    match tile {
                        $(Sm90Tile::$tile => sm90::<$ty, D, $n>(device, shape, args),)*
                        _ => unreachable!("`Sm90Tile::is_instance` says which tiles there are"),
                    }
                }
            }
        }
    )*};
}
hpq_output! {
    f16: M128N128 = 128 M128N64 = 64;
    bf16: M128N128 = 128 M128N64 = 64;
    f32: M128N128 = 128 M128N64 = 64;
    i64: ;
}
