//! The launch of the kernel that a configuration names.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut, LaunchShape, launch_unsafe};
use kernels_gpu::dtw::dtw_band::{DtwBand, DtwBandArgs};
use kernels_gpu::dtw::dtw_band_lanes::{DtwBandLanes, DtwBandLanesArgs};
use kernels_gpu::dtw::dtw_band_warps::{DtwBandWarps, DtwBandWarpsArgs};
use kernels_gpu::dtw::dtw_band_wide::{DtwBandWide, DtwBandWideArgs};
use kernels_gpu::dtw::dtw_profile::{DtwProfile, DtwProfileArgs};
use kernels_gpu::dtw::dtw_profile_broad::{DtwProfileBroad, DtwProfileBroadArgs};
use kernels_gpu::dtw::dtw_small::{DtwSmall, DtwSmallArgs};
use kernels_gpu::dtw::dtw_strips::{DtwStrips, DtwStripsArgs};
use kernels_gpu::dtw::extent::Extent;

use super::Kernel;
use crate::backend::Device;
use crate::error::Error;

/// Operands of every kernel of the profile.
pub(super) struct Arguments<'a> {
    /// `[rows, n]`
    pub series: DeviceSlice<'a, f32>,
    /// As the kernel reads them.
    pub queries: DeviceSlice<'a, f32>,
    /// `[rows, queries, n]`
    pub out: DeviceSliceMut<'a, f32>,
    /// `[rows, n]` or empty, each.
    pub aggregates: [DeviceSliceMut<'a, f32>; 4],
    /// What is covered.
    pub extent: Extent,
}

/// Launches an instance of a kernel: `launch!(device, shape, arguments, Kernel<instance>, KernelArgs)`.
macro_rules! launch {
    ($device:ident, $shape:ident, $arguments:ident, $kernel:ty, $args:ident) => {{
        let Arguments { series, queries, out, aggregates: [mean, min, max, var], extent } = $arguments;
        let args = $args { series, queries, out, mean, min, max, var, extent };
        // SAFETY: promised by the caller of `launch`; `Config::choose` names this instance for lengths that it holds.
        unsafe { launch_unsafe::<$kernel, D>($device, $shape, &args) }
    }};
}

/// The instance with these constants, or none.
macro_rules! instance {
    ($device:ident, $shape:ident, $arguments:ident, $key:expr, $kernel:ident, $args:ident: $($pattern:pat => $($constant:literal)+;)+) => {
        match $key {
            $($pattern => launch!($device, $shape, $arguments, $kernel<$($constant),+>, $args),)+
            _ => unreachable!("`Config::choose` names no other instance"),
        }
    };
}

/// Launches `kernel`, as [`ProfilePlan`](super::ProfilePlan) does.
///
/// # Errors
/// The back end's.
///
/// # Safety
/// - Extent and shape are those of one [`Config`](super::Config) for one [`Problem`](super::Problem), and `kernel` is that
///   configuration's; but the extent's `stride` is that of the series, and its `rolling` the aggregates' window, at most
///   `points`.
/// - The series has the problem's rows, of `points` points and `stride` elements apart.
/// - There are [`Kernel::query_floats`] floats for each query: +inf in front, then the query.
/// - The output has `rows · queries · results` elements, the aggregates `rows · results` each, or none where `rolling` is 0.
pub(super) unsafe fn launch<D: Device>(
    device: &D,
    kernel: Kernel,
    shape: LaunchShape,
    arguments: Arguments<'_>,
) -> Result<(), Error> {
    match kernel {
        Kernel::Small => instance!(device, shape, arguments, arguments.extent.m, DtwSmall, DtwSmallArgs:
            1 => 1; 2 => 2; 3 => 3; 4 => 4; 5 => 5; 6 => 6; 7 => 7; 8 => 8; 9 => 9; 10 => 10; 11 => 11; 12 => 12; 13 => 13;
            14 => 14; 15 => 15; 16 => 16;),
        Kernel::Lanes { columns, .. } if columns > 32 => {
            instance!(device, shape, arguments, columns, DtwProfileBroad, DtwProfileBroadArgs:
                36 => 36; 40 => 40; 44 => 44; 48 => 48;)
        }
        Kernel::Lanes { columns, rows, .. } => {
            instance!(device, shape, arguments, (columns, rows), DtwProfile, DtwProfileArgs:
                (18, 4) => 18 4; (20, 4) => 20 4; (22, 4) => 22 4; (24, 4) => 24 4; (28, 4) => 28 4; (32, 4) => 32 4;
                (24, 8) => 24 8; (26, 8) => 26 8; (28, 8) => 28 8; (30, 8) => 30 8; (32, 8) => 32 8;)
        }
        Kernel::Strips { columns, .. } => {
            instance!(device, shape, arguments, columns, DtwStrips, DtwStripsArgs:
                22 => 22; 24 => 24; 26 => 26; 28 => 28; 30 => 30; 32 => 32;)
        }
        Kernel::Band { radius } => instance!(device, shape, arguments, radius, DtwBand, DtwBandArgs:
            0 => 1 9 0; 1 => 3 11 0; 2 => 5 13 1; 4 => 9 17 2; 6 => 13 21 4; 8 => 17 25 6; 12 => 25 33 8; 16 => 33 41 12;
            24 => 49 57 16; 32 => 65 73 24; 36 => 73 81 32; 42 => 85 93 36;),
        Kernel::BandLanes { columns, .. } => {
            instance!(device, shape, arguments, columns, DtwBandLanes, DtwBandLanesArgs:
                14 => 14 21; 16 => 16 23; 18 => 18 25; 20 => 20 27; 22 => 22 29; 24 => 24 31;)
        }
        Kernel::BandWarps { columns, .. } => {
            instance!(device, shape, arguments, columns, DtwBandWarps, DtwBandWarpsArgs:
                16 => 16 23; 20 => 20 27; 24 => 24 31;)
        }
        Kernel::BandWide { columns, .. } => {
            instance!(device, shape, arguments, columns, DtwBandWide, DtwBandWideArgs:
                16 => 16; 24 => 24; 32 => 32;)
        }
    }
}
