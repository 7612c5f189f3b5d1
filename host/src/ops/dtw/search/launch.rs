//! Launches of a search, safe once their operands are described.

use gpu_std::launch::{DeviceSlice, DeviceSliceMut, Dim3, LaunchShape, launch_unsafe};
use kernels_gpu::dtw::bound_tile;
use kernels_gpu::dtw::dtw_at_most::{DtwAtMost, DtwAtMostArgs};
use kernels_gpu::dtw::dtw_bound::{Bounds, DtwBound, DtwBoundArgs};
use kernels_gpu::dtw::dtw_least::{CHUNK, DtwLeast, DtwLeastArgs};
use kernels_gpu::dtw::dtw_search::{DtwSearch, DtwSearchArgs, Hunt};

use crate::backend::Device;
use crate::error::Error;
use crate::ops::dtw::config;

/// Radii that `dtw_search` has instances for: those of `dtw_band` but for the broadest.
pub(in crate::ops::dtw) const RADII: &[u32] = config::RADII.split_at(10).0;

/// Blocks of a launch per multiprocessor: as many as are resident, or more.
const BLOCKS_PER_SM: u64 = 16;

/// Largest radius of the instance for a radius.
pub(super) fn instance(radius: u32) -> Option<u32> {
    RADII.iter().copied().find(|largest| *largest >= radius)
}

/// A grid of one dimension for `threads` threads, or for as many as the device runs at a time.
fn grid<D: Device>(device: &D, threads: u64) -> LaunchShape {
    let most = BLOCKS_PER_SM * u64::from(device.info().sm_count.max(1));
    let blocks = threads.div_ceil(kernels_gpu::dtw::BLOCK.into()).clamp(1, most);
    LaunchShape::grid(Dim3::new(blocks as u32, 1, 1))
}

/// Enqueues bounds of the windows of `tiles` tiles.
///
/// # Safety
/// As for the kernel; `tiles` is at least 1 and as many as `bounds` name.
pub(super) unsafe fn bound<D: Device>(
    device: &D,
    tiles: u32,
    [series, envelope]: [DeviceSlice<'_, f32>; 2],
    [list, seeds, found]: [DeviceSliceMut<'_, u64>; 3],
    bounds: Bounds,
) -> Result<(), Error> {
    let bytes = 4 * bound_tile::floats(bounds.m);
    let shape = LaunchShape::grid(Dim3::new(tiles, 1, 1)).with_shared_bytes(bytes);
    let args = DtwBoundArgs { series, envelope, list, seeds, found, bounds };
    // SAFETY: promised by the caller; the shape is the kernel's.
    unsafe { launch_unsafe::<DtwBound, D>(device, shape, &args) }
}

/// The instance with these constants, or none.
macro_rules! instances {
    ($radius:expr, $device:ident, $shape:ident, $args:expr; $($pattern:pat => $($constant:literal)+;)+) => {
        match instance($radius) {
            $(Some($pattern) => {
                let args = $args;
                // SAFETY: promised by the caller; any grid covers everything.
                unsafe { launch_unsafe::<DtwSearch<$($constant),+>, D>($device, $shape, &args) }
            })+
            _ => unreachable!("bands that are wider are not searched by bounds"),
        }
    };
}

/// Enqueues the search of some of `entries`, by about as many threads.
///
/// # Safety
/// As for the kernel.
pub(super) unsafe fn search<D: Device>(
    device: &D,
    threads: u64,
    [series, query, envelope]: [DeviceSlice<'_, f32>; 3],
    entries: DeviceSlice<'_, u64>,
    found: DeviceSliceMut<'_, u64>,
    hunt: Hunt,
) -> Result<(), Error> {
    let shape = grid(device, threads);
    instances!(hunt.radius, device, shape, DtwSearchArgs { series, query, envelope, entries, found, hunt };
        0 => 1 9 0; 1 => 3 11 0; 2 => 5 13 1; 4 => 9 17 2; 6 => 13 21 4; 8 => 17 25 6; 12 => 25 33 8; 16 => 33 41 12;
        24 => 49 57 16; 32 => 65 73 24;)
}

/// Chunks of a list of `n` distances.
pub(super) const fn chunks(n: u32) -> u32 {
    n.div_ceil(CHUNK)
}

/// Enqueues the least distance of every chunk of lists of `n`.
///
/// # Safety
/// As for the kernel.
pub(super) unsafe fn least<D: Device>(
    device: &D,
    distances: DeviceSlice<'_, f32>,
    least: DeviceSliceMut<'_, u64>,
    n: u32,
) -> Result<(), Error> {
    let shape = grid(device, 32 * least.len());
    // SAFETY: promised by the caller; any grid covers everything.
    unsafe { launch_unsafe::<DtwLeast, D>(device, shape, &DtwLeastArgs { distances, least, n }) }
}

/// Enqueues the selection of distances that are small enough, of lists of `n`.
///
/// # Safety
/// As for the kernel.
pub(super) unsafe fn at_most<D: Device>(
    device: &D,
    [distances, thresholds]: [DeviceSlice<'_, f32>; 2],
    found: DeviceSliceMut<'_, u64>,
    n: u32,
) -> Result<(), Error> {
    let shape = grid(device, distances.len());
    let args = DtwAtMostArgs { distances, thresholds, found, n };
    // SAFETY: promised by the caller; any grid covers everything.
    unsafe { launch_unsafe::<DtwAtMost, D>(device, shape, &args) }
}
