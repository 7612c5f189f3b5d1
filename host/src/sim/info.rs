//! The device that is simulated.

use crate::artefacts::Arch;
use crate::backend::DeviceInfo;

/// Its memory in bytes: host memory, so less than a GPU has.
const MEMORY_BYTES: u64 = 8 << 30;

/// Shared memory in bytes that a block has without asking, on every supported architecture.
const SHARED_BYTES: u32 = 48 << 10;

/// A device that runs the PTX of `arch` and has the limits of its compute capability.
pub(super) fn of(arch: Arch) -> DeviceInfo {
    let compute = arch.compute();
    let (sm_count, l2_mib) = size(compute);
    DeviceInfo {
        ordinal: 0,
        name: "simulator".to_owned(),
        arch: arch.to_string(),
        compute,
        sm_count,
        total_bytes: MEMORY_BYTES,
        l2_bytes: l2_mib << 20,
        shared_bytes: SHARED_BYTES,
        shared_optin_bytes: shared_optin_kib(compute) << 10,
        driver: 0,
    }
}

/// Multiprocessors and MiB of L2 of a typical device, A100 and H100: what decides a launch decides as it would there.
fn size(compute: (u32, u32)) -> (u32, u64) {
    if compute < (9, 0) { (108, 40) } else { (132, 50) }
}

/// KiB of shared memory that a block may have when the launch asks (CUDA Programming Guide, "Compute Capabilities").
fn shared_optin_kib(compute: (u32, u32)) -> u32 {
    match compute {
        (8, 0 | 7) => 163,
        (8 | 12, _) => 99,
        _ => 227,
    }
}
