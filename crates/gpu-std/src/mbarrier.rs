//! Barrier objects in shared memory: threads and asynchronous copies arrive, threads wait for a phase.
//!
//! A phase is complete when all expected arrivals and all expected bytes have come; the next one begins at once. Who waits names
//! the phase by its parity: 0 for the first, 1 for the second, then 0 again; a wait for parity 1 passes at once in the first
//! phase. What a thread did before it arrived, and what a copy wrote, is seen by those who find the phase complete.
//!
//! One thread makes the object ([`mbarrier_init`]), calls [`fence_mbarrier_init`] if other blocks or copies use it, and a barrier
//! of the block or cluster follows before anybody else touches it. On the host all of these panic with their name.

use crate::cluster::ClusterPtr;

/// A barrier object, for a place in shared memory: `#[shared] full: SharedArray<Mbarrier, 4>`. Only the functions of this
/// module may touch it.
#[derive(Clone, Copy)]
#[repr(C, align(8))]
pub struct Mbarrier(#[allow(dead_code, reason = "the hardware's")] u64);

/// An object's address in the window of shared memory.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
pub(crate) fn shared_address<T>(ptr: *const T) -> u32 {
    crate::mem::cvta_to_shared(ptr) as u32
}

/// Wrappers on an object: `operands` are the instruction's behind the address; a result stands in front of it. `sm` is the least
/// architecture beyond sm_80.
macro_rules! objects {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident($bar:ident $(, $arg:ident: $class:ident $ty:ty)*) $(-> $ret:ident)? = $op:literal $(, sm $sm:tt)?;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_", objects!(@sm $($sm)?), " and up; ISA, “mbarrier”. On the host it panics.")]
        ///
        /// # Safety
        /// - `bar` addresses an object in the block's shared memory, made by [`mbarrier_init`] (or to be made by it) in a way that
        ///   this thread knows of.
        /// - No more arrive in a phase, and no more bytes come, than it expects.
        #[inline(always)]
        pub unsafe fn $name($bar: *mut Mbarrier $(, $arg: $ty)*) $(-> $ret)? {
            #[cfg(target_arch = "nvptx64")]
            {
                $(requires_sm!($sm, $name);)?
                let address = shared_address($bar);
                // SAFETY: promised by the caller.
                unsafe { objects!(@asm [$($ret)?] $op, address $(, $class $arg)*) }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = ($bar, $($arg,)*);
                crate::device_only(stringify!($name))
            }
        }
    )*};
    (@sm) => { "80" };
    (@sm $sm:tt) => { stringify!($sm) };
    (@asm [] $op:literal, $address:ident $(, $class:ident $arg:ident)*) => {
        core::arch::asm!(concat!($op, " [{bar}]", $(", {", stringify!($arg), "}",)* ";"), bar = in(reg32) $address,
            $($arg = in($class) $arg,)* options(nostack))
    };
    (@asm [u64] $op:literal, $address:ident $(, $class:ident $arg:ident)*) => {{
        let state: u64;
        core::arch::asm!(concat!($op, " {state}, [{bar}]", $(", {", stringify!($arg), "}",)* ";"), state = out(reg64) state,
            bar = in(reg32) $address, $($arg = in($class) $arg,)* options(nostack));
        state
    }};
    (@asm [bool] $op:literal, $address:ident $(, $class:ident $arg:ident)*) => {{
        let done: u32;
        core::arch::asm!(concat!("{{ .reg .pred p; ", $op, " p, [{bar}]", $(", {", stringify!($arg), "}",)*
            "; selp.u32 {done}, 1, 0, p; }}"), done = out(reg32) done, bar = in(reg32) $address,
            $($arg = in($class) $arg,)* options(nostack));
        done != 0
    }};
}

objects! {
    /// Makes an object whose phases expect `count` arrivals (1 to 2^20 - 1).
    pub unsafe fn mbarrier_init(bar, count: reg32 u32) = "mbarrier.init.shared.b64";
    /// Ends the object: its bytes are ordinary memory again.
    pub unsafe fn mbarrier_inval(bar) = "mbarrier.inval.shared.b64";
    /// Arrives; the state is that of the phase it arrived in.
    pub unsafe fn mbarrier_arrive(bar) -> u64 = "mbarrier.arrive.shared.b64";
    /// Arrives `count` times at once.
    pub unsafe fn mbarrier_arrive_count(bar, count: reg32 u32) -> u64 = "mbarrier.arrive.shared.b64", sm 90;
    /// Arrives `count` times without completing the phase, which others must do.
    pub unsafe fn mbarrier_arrive_no_complete(bar, count: reg32 u32) -> u64 = "mbarrier.arrive.noComplete.shared.b64";
    /// Arrives for the last time: later phases expect one arrival less.
    pub unsafe fn mbarrier_arrive_drop(bar) -> u64 = "mbarrier.arrive_drop.shared.b64";
    /// As [`mbarrier_arrive_drop`], `count` times without completing the phase.
    pub unsafe fn mbarrier_arrive_drop_no_complete(bar, count: reg32 u32) -> u64
        = "mbarrier.arrive_drop.noComplete.shared.b64";
    /// Has the phase expect `bytes` bytes more, and arrives.
    pub unsafe fn mbarrier_arrive_expect_tx(bar, bytes: reg32 u32) -> u64 = "mbarrier.arrive.expect_tx.shared.b64", sm 90;
    /// Has the phase expect `bytes` bytes more.
    pub unsafe fn mbarrier_expect_tx(bar, bytes: reg32 u32) = "mbarrier.expect_tx.relaxed.cta.shared.b64", sm 90;
    /// Counts `bytes` bytes as come, as a copy does when it is done.
    pub unsafe fn mbarrier_complete_tx(bar, bytes: reg32 u32) = "mbarrier.complete_tx.relaxed.cta.shared.b64", sm 90;
    /// Whether the phase of `state` is complete.
    pub unsafe fn mbarrier_test_wait(bar, state: reg64 u64) -> bool = "mbarrier.test_wait.shared.b64";
    /// Whether the phase of this parity, the current or the last one, is complete.
    pub unsafe fn mbarrier_test_wait_parity(bar, parity: reg32 u32) -> bool = "mbarrier.test_wait.parity.shared.b64";
    /// As [`mbarrier_test_wait`], and waits for a time that the hardware chooses if it is not.
    pub unsafe fn mbarrier_try_wait(bar, state: reg64 u64) -> bool = "mbarrier.try_wait.shared.b64", sm 90;
    /// As [`mbarrier_test_wait_parity`], and waits for a time that the hardware chooses if it is not.
    pub unsafe fn mbarrier_try_wait_parity(bar, parity: reg32 u32) -> bool = "mbarrier.try_wait.parity.shared.b64", sm 90;
    /// As [`mbarrier_try_wait_parity`], and sees what threads of other blocks did before they arrived.
    pub unsafe fn mbarrier_try_wait_parity_cluster(bar, parity: reg32 u32) -> bool
        = "mbarrier.try_wait.parity.acquire.cluster.shared.b64", sm 90;
    /// Arrives when the thread's earlier `cp.async` are done; the phase expects one arrival more for it.
    pub unsafe fn cp_async_mbarrier_arrive(bar) = "cp.async.mbarrier.arrive.shared.b64";
    /// As [`cp_async_mbarrier_arrive`], as one of the arrivals that the phase expects anyway.
    pub unsafe fn cp_async_mbarrier_arrive_noinc(bar) = "cp.async.mbarrier.arrive.noinc.shared.b64";
}

/// Waits until the phase of this parity is complete.
///
/// PTX: `mbarrier.try_wait.parity.shared.b64` in a loop, sm_90 and up; ISA, “mbarrier”. On the host it panics.
///
/// # Safety
/// As [`mbarrier_try_wait_parity`].
#[inline(always)]
pub unsafe fn mbarrier_wait_parity(bar: *mut Mbarrier, parity: u32) {
    // SAFETY: promised by the caller.
    while !unsafe { mbarrier_try_wait_parity(bar, parity) } {}
}

/// The arrivals that were pending before the one that gave `state`.
///
/// PTX: `mbarrier.pending_count.b64`, sm_80 and up; ISA, “mbarrier”. On the host it panics.
///
/// # Safety
/// A function of this module gave `state`.
#[inline(always)]
pub unsafe fn mbarrier_pending_count(state: u64) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let count: u32;
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("mbarrier.pending_count.b64 {}, {};", out(reg32) count, in(reg64) state, options(nostack));
        }
        count
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = state;
        crate::device_only("mbarrier_pending_count")
    }
}

macro_rules! distant {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident($bar:ident $(, $arg:ident: u32)?) = $op:literal, $text:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “mbarrier”. On the host it panics.")]
        ///
        /// # Safety
        /// - `bar` is an object of a block of the cluster that has made it, in a way that this thread knows of, and that has not
        ///   ended.
        /// - No more arrive in a phase, and no more bytes come, than it expects.
        #[inline(always)]
        pub unsafe fn $name($bar: ClusterPtr<Mbarrier> $(, $arg: u32)?) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, $text), bar = in(reg32) $bar.address(), $($arg = in(reg32) $arg,)? options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = ($bar, $($arg)?);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

distant! {
    /// Arrives at an object of any block of the cluster; what the thread did before is seen by who waits there with
    /// [`mbarrier_try_wait_parity_cluster`].
    pub unsafe fn mbarrier_arrive_cluster(bar) = "mbarrier.arrive.release.cluster.shared::cluster.b64", " _, [{bar}];";
    /// Arrives at an object of any block of the cluster; threads of other blocks do not see by it what this one did before: for
    /// objects that say no more than that memory may be filled again. The release to the cluster costs a fence of the whole GPU.
    pub unsafe fn mbarrier_arrive_shared_cluster(bar) = "mbarrier.arrive.shared::cluster.b64", " _, [{bar}];";
    /// As [`mbarrier_arrive_cluster`], `count` times.
    pub unsafe fn mbarrier_arrive_count_cluster(bar, count: u32)
        = "mbarrier.arrive.release.cluster.shared::cluster.b64", " _, [{bar}], {count};";
    /// Has the phase expect `bytes` bytes more, and arrives.
    pub unsafe fn mbarrier_arrive_expect_tx_cluster(bar, bytes: u32)
        = "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64", " _, [{bar}], {bytes};";
}

/// Makes earlier [`mbarrier_init`] of this thread known to the cluster, before a barrier of the cluster.
///
/// PTX: `fence.mbarrier_init.release.cluster`, sm_90 and up; ISA, “membar, fence”. On the host it panics.
#[inline(always)]
pub fn fence_mbarrier_init() {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, fence_mbarrier_init);
        // SAFETY: a fence.
        unsafe { core::arch::asm!("fence.mbarrier_init.release.cluster;", options(nostack)) }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("fence_mbarrier_init")
}
