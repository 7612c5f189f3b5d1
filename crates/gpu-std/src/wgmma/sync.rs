//! Fences, groups and waits.

use super::acc::Fragments;

macro_rules! plain {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal, $section:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90a; ISA, “", $section, "”. On the host it panics.")]
        ///
        /// # Safety
        /// All threads of a warp, and of the warpgroup, arrive together.
        #[inline(always)]
        pub unsafe fn $name() {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm_90a!($name);
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, ";"), options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

plain! {
    /// Makes a group of the instructions issued since the last one: what [`wgmma_wait_group`] counts.
    pub unsafe fn wgmma_commit_group = "wgmma.commit_group.sync.aligned", "wgmma.commit_group";
}

/// Orders what was done to the registers of `acc` before the instructions that follow: accumulators, and fragments of A.
///
/// Needed before the first instruction of a kernel, and whenever something else than an instruction that accumulates into
/// the same registers read or wrote them. A fragment of A that is not among `acc` may still be on its way to its registers.
///
/// PTX: `wgmma.fence.sync.aligned`, sm_90a; ISA, “wgmma.fence”. On the host it panics.
///
/// # Safety
/// All threads of the warpgroup arrive together.
#[inline(always)]
pub unsafe fn wgmma_fence(acc: &mut impl Fragments) {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm_90a!(wgmma_fence);
        acc.pin_all();
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("wgmma.fence.sync.aligned;", options(nostack));
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = acc;
        crate::device_only("wgmma_fence")
    }
}

/// Waits until at most `PENDING` (0 to 7) of the groups last committed are still at work.
///
/// It takes all accumulators whose instructions are then done, so that the compiler leaves what reads them behind it.
///
/// PTX: `wgmma.wait_group.sync.aligned`, sm_90a; ISA, “wgmma.wait_group”. On the host it panics.
///
/// # Safety
/// - All threads of the warpgroup arrive together.
/// - `acc` has every accumulator that is read, written or dropped before the next wait.
#[inline(always)]
pub unsafe fn wgmma_wait_group<const PENDING: u32>(acc: &mut impl Fragments) {
    const { assert!(PENDING < 8, "gpu_std: `wgmma_wait_group` leaves at most 7 groups") }
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm_90a!(wgmma_wait_group);
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("wgmma.wait_group.sync.aligned {};", const PENDING, options(nostack));
        }
        acc.pin_all();
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = acc;
        crate::device_only("wgmma_wait_group")
    }
}
