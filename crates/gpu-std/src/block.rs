//! Barriers of a block and of a cluster.
//!
//! A barrier also orders memory: what a thread wrote before it, the threads it waited for read after it. On the host all of
//! these panic with their name.

/// Waits until all threads of the block are here.
///
/// PTX: `bar.sync 0`, sm_80 and up; ISA, “bar, barrier”. On the host it panics.
///
/// # Safety
/// All threads of the block that have not returned arrive at this same call, whole warps together: no condition on the way
/// may differ within the block.
#[inline(always)]
pub unsafe fn bar_sync() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: promised by the caller.
    unsafe {
        core::arch::asm!("bar.sync 0;", options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("bar_sync")
}

macro_rules! named {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, " id, count`, sm_80 and up; ISA, “bar, barrier”. On the host it panics.")]
        ///
        /// # Safety
        /// - `id` is below 16 (0 is also [`bar_sync`]'s), `count` a multiple of 32 and the number of threads that take part.
        /// - So many threads arrive, with the same count.
        #[inline(always)]
        pub unsafe fn $name(id: u32, count: u32) {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: promised by the caller.
            unsafe {
                core::arch::asm!(concat!($op, " {}, {};"), in(reg32) id, in(reg32) count, options(nostack));
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (id, count);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

named! {
    /// Waits until `count` threads have arrived at barrier `id`, at this or another place in the code.
    pub unsafe fn barrier_sync = "barrier.sync";
    /// Counts as arrived at barrier `id` without waiting: the producer's half of [`barrier_sync`].
    pub unsafe fn barrier_arrive = "barrier.arrive";
    /// As [`barrier_sync`], where the threads of each warp arrive together.
    pub unsafe fn bar_sync_id = "bar.sync";
    /// As [`barrier_arrive`], where the threads of each warp arrive together.
    pub unsafe fn bar_arrive = "bar.arrive";
}

/// Waits as [`bar_sync`]; gives the number of threads in which the predicate holds.
///
/// PTX: `barrier.red.popc.u32`, sm_80 and up; ISA, “bar, barrier”. On the host it panics.
///
/// # Safety
/// All threads of the block that have not returned arrive.
#[inline(always)]
pub unsafe fn barrier_red_popc(predicate: bool) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let out: u32;
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("{{ .reg .pred p; setp.ne.u32 p, {}, 0; barrier.red.popc.u32 {}, 0, p; }}",
                in(reg32) u32::from(predicate), out(reg32) out, options(nostack));
        }
        out
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = predicate;
        crate::device_only("barrier_red_popc")
    }
}

macro_rules! reductions {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, ".pred`, sm_80 and up; ISA, “bar, barrier”. On the host it panics.")]
        ///
        /// # Safety
        /// All threads of the block that have not returned arrive.
        #[inline(always)]
        pub unsafe fn $name(predicate: bool) -> bool {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: u32;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!("{{ .reg .pred p, q; setp.ne.u32 p, {}, 0;",
                        concat!($op, ".pred q, 0, p; selp.u32 {}, 1, 0, q; }}"),
                        in(reg32) u32::from(predicate), out(reg32) out, options(nostack));
                }
                out != 0
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = predicate;
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

reductions! {
    /// Waits as [`bar_sync`]; tells whether the predicate holds in all threads.
    pub unsafe fn barrier_red_and = "barrier.red.and";
    /// Waits as [`bar_sync`]; tells whether the predicate holds in a thread.
    pub unsafe fn barrier_red_or = "barrier.red.or";
}

macro_rules! cluster {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “barrier.cluster”. On the host it panics.")]
        ///
        /// # Safety
        /// All threads of the cluster do each of arrive and wait in turn.
        #[inline(always)]
        pub unsafe fn $name() {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
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

cluster! {
    /// Counts as arrived at the cluster's barrier, releasing what the thread wrote.
    pub unsafe fn barrier_cluster_arrive = "barrier.cluster.arrive";
    /// Counts as arrived at the cluster's barrier, releasing nothing: tells alone that the thread is there.
    pub unsafe fn barrier_cluster_arrive_relaxed = "barrier.cluster.arrive.relaxed";
    /// Waits until all threads of the cluster have arrived, acquiring what they wrote.
    pub unsafe fn barrier_cluster_wait = "barrier.cluster.wait";
}
