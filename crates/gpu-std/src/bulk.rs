//! Bulk copies: stretches of memory that the hardware moves while the thread goes on.
//!
//! One thread issues a copy; sizes are multiples of 16 bytes and addresses aligned to 16. A copy to shared memory tells an
//! [`Mbarrier`] how many bytes came; a copy from shared to global memory belongs to a group of the issuing
//! thread, which [`cp_async_bulk_commit_group`] closes and [`cp_async_bulk_wait_group`] waits for.
//!
//! The copies are of the async proxy: what threads wrote to shared memory by ordinary stores is seen by a copy only after a
//! `fence.proxy.async` by who wrote it and a barrier; what a copy wrote is seen after the wait for its barrier object, without a
//! fence. On the host all of these panic with their name.

use crate::cluster::ClusterPtr;
use crate::mbarrier::Mbarrier;
#[cfg(target_arch = "nvptx64")]
use crate::mbarrier::shared_address;
use crate::mem::CachePolicy;
use crate::{bf16, f16};

macro_rules! loads {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident($($more:ident: $class:ident $ty:ty),*) = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “cp.async.bulk”. On the host it panics.")]
        ///
        /// # Safety
        /// - `bytes` is a multiple of 16; `to` (shared memory) and `from` (global memory) are aligned to 16 and have so many bytes.
        /// - `bar` is an object of this block whose phase expects these bytes; the block does not end before they are there.
        /// - Until then nobody uses the target or writes the source. With a mask: the same holds in each block whose bit is set,
        ///   at the same places of its shared memory, and these blocks have started.
        #[inline(always)]
        pub unsafe fn $name<T>(to: *mut T, from: *const T, bytes: u32, bar: *mut Mbarrier $(, $more: $ty)*) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                let (target, object) = (shared_address(to), shared_address(bar));
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " [{to}], [{from}], {bytes}, [{bar}]", $(", {", stringify!($more), "}",)* ";"),
                        to = in(reg32) target, from = in(reg64) from, bytes = in(reg32) bytes, bar = in(reg32) object,
                        $($more = in($class) crate::reg::Reg::to_raw($more),)* options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (to, from, bytes, bar, $($more,)*);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

loads! {
    /// Copies from global memory to the block's shared memory.
    pub unsafe fn cp_async_bulk_load() = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    /// The same, L2 by `policy`.
    pub unsafe fn cp_async_bulk_load_l2_cache_hint(policy: reg64 CachePolicy)
        = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint";
    /// Copies from global memory to the shared memory of the blocks of the cluster whose bit in `ranks` is set; the object of
    /// each is told.
    pub unsafe fn cp_async_bulk_load_multicast(ranks: reg16 u16)
        = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster";
    /// The same, L2 by `policy`.
    pub unsafe fn cp_async_bulk_load_multicast_l2_cache_hint(ranks: reg16 u16, policy: reg64 CachePolicy)
        = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint";
}

macro_rules! stores {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident<$T:ty>($($more:ident: $class:ident $ty:ty),*) = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “cp.async.bulk”, “cp.reduce.async.bulk”. On the host it panics.")]
        ///
        /// # Safety
        /// - `bytes` is a multiple of 16; `to` (global memory) and `from` (the block's shared memory) are aligned to 16 and have so
        ///   many bytes.
        /// - Nobody writes the source before the wait for the group (`_read` is enough), and the block does not end before it;
        ///   nobody uses the target before the wait for the group, but for other reductions.
        #[inline(always)]
        pub unsafe fn $name(to: *mut $T, from: *const $T, bytes: u32 $(, $more: $ty)*) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                let source = shared_address(from);
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " [{to}], [{from}], {bytes}", $(", {", stringify!($more), "}",)* ";"),
                        to = in(reg64) to, from = in(reg32) source, bytes = in(reg32) bytes,
                        $($more = in($class) crate::reg::Reg::to_raw($more),)* options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (to, from, bytes, $($more,)*);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

stores! {
    /// Copies bytes from shared to global memory.
    pub unsafe fn cp_async_bulk_store<u8>() = "cp.async.bulk.global.shared::cta.bulk_group";
    /// The same, L2 by `policy`.
    pub unsafe fn cp_async_bulk_store_l2_cache_hint<u8>(policy: reg64 CachePolicy)
        = "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint";
    /// Adds each element to the one in global memory, atomically.
    pub unsafe fn cp_reduce_async_bulk_add_u32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_add_s32<i32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_add_u64<u64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64";
    /// The same; subnormal numbers count as zeros.
    pub unsafe fn cp_reduce_async_bulk_add_f32<f32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_add_f64<f64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_add_f16<f16>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_add_bf16<bf16>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16";
    /// Leaves the smaller of each two elements in global memory.
    pub unsafe fn cp_reduce_async_bulk_min_u32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_min_s32<i32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_min_u64<u64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_min_s64<i64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_min_f16<f16>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_min_bf16<bf16>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16";
    /// Leaves the larger of each two elements in global memory.
    pub unsafe fn cp_reduce_async_bulk_max_u32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_max_s32<i32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_max_u64<u64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_max_s64<i64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_max_f16<f16>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_max_bf16<bf16>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16";
    /// Counts up each element of global memory, to 0 behind the limit that lies in shared memory.
    pub unsafe fn cp_reduce_async_bulk_inc_u32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32";
    /// Counts down each element of global memory, to the limit that lies in shared memory behind 0.
    pub unsafe fn cp_reduce_async_bulk_dec_u32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32";
    /// Leaves the bits that both have.
    pub unsafe fn cp_reduce_async_bulk_and_b32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_and_b64<u64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64";
    /// Leaves the bits that either has.
    pub unsafe fn cp_reduce_async_bulk_or_b32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_or_b64<u64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64";
    /// Leaves the bits that one has.
    pub unsafe fn cp_reduce_async_bulk_xor_b32<u32>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_xor_b64<u64>() = "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64";
}

macro_rules! between {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident<$T:ty> = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “cp.async.bulk”, “cp.reduce.async.bulk”. On the host it panics.")]
        ///
        /// # Safety
        /// - `bytes` is a multiple of 16; `to` and `from` (the block's shared memory) are aligned to 16 and have so many bytes.
        /// - `bar` is an object of the block that `to` lies in, whose phase expects these bytes. That block has started; neither
        ///   block ends before they are there.
        /// - Until then nobody uses the target or writes the source; of the target, other reductions may.
        #[inline(always)]
        pub unsafe fn $name(to: ClusterPtr<$T>, from: *const $T, bytes: u32, bar: ClusterPtr<Mbarrier>) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                let source = shared_address(from);
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " [{}], [{}], {}, [{}];"), in(reg32) to.address(), in(reg32) source,
                        in(reg32) bytes, in(reg32) bar.address(), options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (to, from, bytes, bar);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

between! {
    /// Copies bytes to the shared memory of a block of the cluster.
    pub unsafe fn cp_async_bulk_to_cluster<u8> = "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
    /// Adds each element to the one there.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_add_u32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_add_s32<i32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_add_u64<u64>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64";
    /// Leaves the smaller of each two elements there.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_min_u32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.u32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_min_s32<i32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32";
    /// Leaves the larger of each two elements there.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_max_u32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32";
    /// The same.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_max_s32<i32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32";
    /// Counts up each element there, to 0 behind the limit.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_inc_u32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32";
    /// Counts down each element there, to the limit behind 0.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_dec_u32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.dec.u32";
    /// Leaves the bits that both have.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_and_b32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32";
    /// Leaves the bits that either has.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_or_b32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32";
    /// Leaves the bits that one has.
    pub unsafe fn cp_reduce_async_bulk_to_cluster_xor_b32<u32>
        = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32";
}

/// Fetches bytes of global memory to L2.
///
/// PTX: `cp.async.bulk.prefetch.L2.global`, sm_90 and up; ISA, “cp.async.bulk.prefetch”. On the host it panics.
///
/// # Safety
/// `bytes` is a multiple of 16; `from` is aligned to 16 and has so many bytes of global memory.
#[inline(always)]
pub unsafe fn cp_async_bulk_prefetch_l2<T>(from: *const T, bytes: u32) {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, cp_async_bulk_prefetch_l2);
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("cp.async.bulk.prefetch.L2.global [{}], {};", in(reg64) from, in(reg32) bytes, options(nostack));
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (from, bytes);
        crate::device_only("cp_async_bulk_prefetch_l2")
    }
}

macro_rules! groups {
    ($($(#[$meta:meta])* pub fn $name:ident $(<const $n:ident>)? = $op:literal, $section:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “", $section, "”. On the host it panics.")]
        #[inline(always)]
        pub fn $name $(<const $n: u32>)? () {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                // SAFETY: it moves nothing; what it waits for was promised where it was issued.
                unsafe {
                    core::arch::asm!(concat!($op, $(" {", stringify!($n), "}",)? ";"), $($n = const $n,)? options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            crate::device_only(stringify!($name))
        }
    )*};
}

groups! {
    /// Makes a group of the copies to global memory that the thread issued since the last one.
    pub fn cp_async_bulk_commit_group = "cp.async.bulk.commit_group", "cp.async.bulk.commit_group";
    /// Waits until all but the last `N` groups of the thread are done.
    pub fn cp_async_bulk_wait_group<const N> = "cp.async.bulk.wait_group", "cp.async.bulk.wait_group";
    /// Waits until all but the last `N` groups of the thread have read their sources.
    pub fn cp_async_bulk_wait_group_read<const N> = "cp.async.bulk.wait_group.read", "cp.async.bulk.wait_group";
    /// Makes what this thread wrote to the shared memory of its block, or knows of, visible to `wgmma` and to bulk copies.
    pub fn fence_proxy_async = "fence.proxy.async.shared::cta", "membar, fence";
    /// Orders ordinary accesses of the thread and those of the async proxy, in all memories.
    pub fn fence_proxy_async_all = "fence.proxy.async", "membar, fence";
    /// The same in global memory.
    pub fn fence_proxy_async_global = "fence.proxy.async.global", "membar, fence";
    /// The same in the shared memory of the cluster.
    pub fn fence_proxy_async_shared_cluster = "fence.proxy.async.shared::cluster", "membar, fence";
}
