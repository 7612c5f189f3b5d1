//! What each refusal of `tests/compile/fail` asks for instead: it must go on compiling.

use gpu_std::tma::{TensorMap, TensorMapMut};
use gpu_std::{DevicePtr, DeviceRepr, GridMut, Real, kernel};

/// Plain data by value.
#[derive(Clone, Copy, DeviceRepr)]
#[repr(C)]
pub struct Range {
    low: f32,
    high: f32,
    given: u32,
}

/// Safe, generic, one fixed block.
#[kernel(block = 256, instances(f32, f16 = gpu_std::f16), same_len(x, y))]
pub fn clamp<T: Real>(x: &[T], y: GridMut<T>, range: Range, stride: u64) {
    let _ = (x, y, range.low, range.high, range.given, stride);
}

/// Takes an address that only its caller knows.
///
/// # Safety
/// - `bins` points to 256 counters that no other launch uses.
#[kernel(max_block = 512)]
pub unsafe fn count(x: &[u32], bins: DevicePtr<u32>) {
    let _ = (x, bins);
}

/// Takes tensor maps, runs in clusters.
#[kernel(block = 128, cluster = 2, target = "sm_90")]
pub fn tiles(from: &TensorMap, to: &TensorMapMut) {
    let _ = (from.as_ptr(), to.as_ptr());
}

fn main() {
    use gpu_std::launch::Kernel;
    assert_eq!(<clamp_f16::Entry as Kernel>::ENTRY, "clamp_f16");
    assert_eq!(<tiles::Entry as Kernel>::CLUSTER, Some(2));
    assert_eq!(<count::Entry as Kernel>::PARAMS.len(), 2);
}
