//! Ordered loads and stores, and fences.

use super::words::*;
use crate::DeviceRepr;

#[cfg(target_arch = "nvptx64")]
use super::words::ordered_asm;

/// Loads 1, 2, 4 or 8 bytes at once, with an order.
///
/// PTX: `ld.acquire` or `ld.relaxed` with scope and space, `.b8` to `.b64`, sm_80 and up; ISA, “ld”. On the host it panics.
///
/// # Safety
/// - `ptr` is aligned to its size and addresses a value in the named space (global or shared) that lives.
/// - Whoever writes it meanwhile does so by operations that are atomic in a scope covering both.
#[inline(always)]
#[allow(unused_variables, reason = "the words are types")]
pub unsafe fn ld<T: DeviceRepr, O: LoadOrder, S: Scope, P: Space>(
    ptr: *const T,
    order: O,
    scope: S,
    space: P,
) -> T {
    #[cfg(target_arch = "nvptx64")]
    {
        const {
            assert!(
                matches!(size_of::<T>(), 1 | 2 | 4 | 8),
                "gpu_std: `ld` with an order takes 1, 2, 4 or 8 bytes"
            )
        }
        let address = P::address(ptr);
        // SAFETY: promised by the caller; the bytes copied are those of a T.
        unsafe {
            match size_of::<T>() {
                1 => {
                    let out: u16;
                    ordered_asm!(ld [".b8 {}, [{}];"] O S P (out(reg16) out, in(reg64) address));
                    core::mem::transmute_copy(&out)
                }
                2 => {
                    let out: u16;
                    ordered_asm!(ld [".b16 {}, [{}];"] O S P (out(reg16) out, in(reg64) address));
                    core::mem::transmute_copy(&out)
                }
                4 => {
                    let out: u32;
                    ordered_asm!(ld [".b32 {}, [{}];"] O S P (out(reg32) out, in(reg64) address));
                    core::mem::transmute_copy(&out)
                }
                _ => {
                    let out: u64;
                    ordered_asm!(ld [".b64 {}, [{}];"] O S P (out(reg64) out, in(reg64) address));
                    core::mem::transmute_copy(&out)
                }
            }
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("ld")
}

/// Stores 1, 2, 4 or 8 bytes at once, with an order.
///
/// PTX: `st.release` or `st.relaxed` with scope and space, `.b8` to `.b64`, sm_80 and up; ISA, “st”. On the host it panics.
///
/// # Safety
/// - `ptr` is aligned to its size and addresses a place in the named space (global or shared) that may be written.
/// - Whoever uses it meanwhile does so by operations that are atomic in a scope covering both.
#[inline(always)]
#[allow(unused_variables, reason = "the words are types")]
pub unsafe fn st<T: DeviceRepr, O: StoreOrder, S: Scope, P: Space>(
    ptr: *mut T,
    value: T,
    order: O,
    scope: S,
    space: P,
) {
    #[cfg(target_arch = "nvptx64")]
    {
        const {
            assert!(
                matches!(size_of::<T>(), 1 | 2 | 4 | 8),
                "gpu_std: `st` with an order takes 1, 2, 4 or 8 bytes"
            )
        }
        let address = P::address(ptr);
        // SAFETY: promised by the caller; the bytes copied are those of a T.
        unsafe {
            match size_of::<T>() {
                1 => {
                    let value = u16::from(core::mem::transmute_copy::<T, u8>(&value));
                    ordered_asm!(st [".b8 [{}], {};"] O S P (in(reg64) address, in(reg16) value));
                }
                2 => {
                    let value = core::mem::transmute_copy::<T, u16>(&value);
                    ordered_asm!(st [".b16 [{}], {};"] O S P (in(reg64) address, in(reg16) value));
                }
                4 => {
                    let value = core::mem::transmute_copy::<T, u32>(&value);
                    ordered_asm!(st [".b32 [{}], {};"] O S P (in(reg64) address, in(reg32) value));
                }
                _ => {
                    let value = core::mem::transmute_copy::<T, u64>(&value);
                    ordered_asm!(st [".b64 [{}], {};"] O S P (in(reg64) address, in(reg64) value));
                }
            }
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("st")
}

#[cfg(target_arch = "nvptx64")]
macro_rules! fence_asm {
    ($O:ident $S:ident; $(($order:ident, $scope:ident) = $text:literal;)*) => {
        match ($O::WORD, $S::WORD) {
            $((OrderWord::$order, ScopeWord::$scope) => core::arch::asm!($text, options(nostack)),)*
            // The bound on the order's type admits the two alone.
            _ => core::hint::unreachable_unchecked(),
        }
    };
}

/// Orders the thread's memory accesses before it with those after it, for the threads of the scope.
///
/// PTX: `fence.acq_rel` or `fence.sc` with scope, sm_80 and up; ISA, “membar / fence”. On the host it panics.
#[inline(always)]
#[allow(unused_variables, reason = "the words are types")]
pub fn fence<O: FenceOrder, S: Scope>(order: O, scope: S) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: a fence touches no memory of its own.
    unsafe {
        S::check();
        fence_asm! { O S;
            (AcqRel, Cta) = "fence.acq_rel.cta;";
            (AcqRel, Cluster) = "fence.acq_rel.cluster;";
            (AcqRel, Gpu) = "fence.acq_rel.gpu;";
            (AcqRel, Sys) = "fence.acq_rel.sys;";
            (SeqCst, Cta) = "fence.sc.cta;";
            (SeqCst, Cluster) = "fence.sc.cluster;";
            (SeqCst, Gpu) = "fence.sc.gpu;";
            (SeqCst, Sys) = "fence.sc.sys;";
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("fence")
}
