//! The copies: one function for each number of dimensions. Coordinates are in elements, innermost first, and may lie outside the
//! tensor: loads then get what the map says, stores leave those elements out.

use super::TensorMap;
use crate::mbarrier::Mbarrier;
#[cfg(target_arch = "nvptx64")]
use crate::mbarrier::shared_address;
use crate::mem::CachePolicy;

macro_rules! loads {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident($($at:ident),+) $([$more:ident: $class:ident $ty:ty])? = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “cp.async.bulk.tensor”. On the host it panics.")]
        ///
        /// # Safety
        /// - `map` addresses a map of this number of dimensions, a parameter of the kernel or in global memory.
        /// - `at[0]` times the bytes of an element is a multiple of 16 (an H200 traps as at an illegal instruction otherwise).
        /// - `to` (shared memory) is aligned to 128 bytes and has room for the box: where its rows are narrower than the swizzle, they lie
        ///   the swizzle's width apart.
        /// - `bar` is an object of this block whose phase expects the bytes of the box; the block does not end before they are
        ///   there. Until then nobody uses the target or writes the tensor. With a mask: the same holds in each block whose
        ///   bit is set, at the same places of its shared memory, and these blocks have started.
        #[inline(always)]
        pub unsafe fn $name<T>(
            to: *mut T, map: *const TensorMap, at: [i32; loads!(@count $($at)+)], bar: *mut Mbarrier $(, $more: $ty)?
        ) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                let (target, object) = (shared_address(to), shared_address(bar));
                let [$($at),+] = at;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(
                        concat!($op, " [{to}], [{map}, {{", loads!(@list $($at)+), "}}], [{bar}]", $(", {", stringify!($more), "}",)? ";"),
                        to = in(reg32) target, map = in(reg64) map, bar = in(reg32) object, $($at = in(reg32) $at,)+
                        $($more = in($class) crate::reg::Reg::to_raw($more),)? options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (to, map, at, bar, $($more)?);
                crate::device_only(stringify!($name))
            }
        }
    )*};
    (@count $($at:ident)+) => { [$(loads!(@one $at)),+].len() };
    (@one $at:ident) => { () };
    (@list a) => { "{a}" };
    (@list a b) => { "{a}, {b}" };
    (@list a b c) => { "{a}, {b}, {c}" };
    (@list a b c d) => { "{a}, {b}, {c}, {d}" };
    (@list a b c d e) => { "{a}, {b}, {c}, {d}, {e}" };
}

loads! {
    /// Copies a box of a tensor of one dimension to shared memory.
    pub unsafe fn cp_async_bulk_tensor_load_1d(a)
        = "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    /// The same of two dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_2d(a, b)
        = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    /// The same, L2 by `policy`.
    pub unsafe fn cp_async_bulk_tensor_load_2d_l2_cache_hint(a, b) [policy: reg64 CachePolicy]
        = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint";
    /// The same of three dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_3d(a, b, c)
        = "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    /// The same of four dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_4d(a, b, c, d)
        = "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    /// The same of five dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_5d(a, b, c, d, e)
        = "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    /// Copies a box of a tensor of one dimension to the shared memory of the blocks of the cluster whose bit in `ranks` is set.
    pub unsafe fn cp_async_bulk_tensor_load_1d_multicast(a) [ranks: reg16 u16]
        = "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    /// The same of two dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_2d_multicast(a, b) [ranks: reg16 u16]
        = "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    /// The same of three dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_3d_multicast(a, b, c) [ranks: reg16 u16]
        = "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    /// The same of four dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_4d_multicast(a, b, c, d) [ranks: reg16 u16]
        = "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    /// The same of five dimensions.
    pub unsafe fn cp_async_bulk_tensor_load_5d_multicast(a, b, c, d, e) [ranks: reg16 u16]
        = "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
}

macro_rules! stores {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident($($at:ident),+) = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “cp.async.bulk.tensor”, “cp.reduce.async.bulk.tensor”. On the host it panics.")]
        ///
        /// # Safety
        /// - `map` addresses a map of this number of dimensions, a parameter of the kernel or in global memory.
        /// - `at[0]` times the bytes of an element is a multiple of 16 and no coordinate is negative (an H200 traps as at an illegal
        ///   instruction otherwise).
        /// - Rows of the tensor are multiples of 16 bytes, or what lies behind each up to the next may be written: an H200 copies whole
        ///   pieces of 16 bytes.
        /// - The map may be written through: a [`TensorMapMut`](super::TensorMapMut), as it was given to the launch.
        /// - `from` (shared memory) is aligned to 128 bytes and holds the box: where its rows are narrower than the swizzle, they lie the
        ///   swizzle's width apart.
        /// - Nobody writes the source before the wait for the group (`_read` is enough), and the block does not end before it;
        ///   nobody uses these elements of the tensor before the wait for the group, but for other reductions.
        #[inline(always)]
        pub unsafe fn $name<T>(map: *const TensorMap, at: [i32; loads!(@count $($at)+)], from: *const T) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                let source = shared_address(from);
                let [$($at),+] = at;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " [{map}, {{", loads!(@list $($at)+), "}}], [{from}];"),
                        map = in(reg64) map, from = in(reg32) source, $($at = in(reg32) $at,)+ options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (map, at, from);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

stores! {
    /// Copies a box from shared memory to a tensor of one dimension.
    pub unsafe fn cp_async_bulk_tensor_store_1d(a) = "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group";
    /// The same of two dimensions.
    pub unsafe fn cp_async_bulk_tensor_store_2d(a, b) = "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group";
    /// The same of three dimensions.
    pub unsafe fn cp_async_bulk_tensor_store_3d(a, b, c) = "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group";
    /// The same of four dimensions.
    pub unsafe fn cp_async_bulk_tensor_store_4d(a, b, c, d) = "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group";
    /// The same of five dimensions.
    pub unsafe fn cp_async_bulk_tensor_store_5d(a, b, c, d, e) = "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group";
    /// Adds the box in shared memory to a tensor of one dimension, element by element, in the tensor's type.
    pub unsafe fn cp_reduce_async_bulk_tensor_add_1d(a) = "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group";
    /// The same of two dimensions.
    pub unsafe fn cp_reduce_async_bulk_tensor_add_2d(a, b) = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group";
    /// The same of three dimensions.
    pub unsafe fn cp_reduce_async_bulk_tensor_add_3d(a, b, c)
        = "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group";
    /// Leaves the smaller of each two elements in a tensor of two dimensions.
    pub unsafe fn cp_reduce_async_bulk_tensor_min_2d(a, b) = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group";
    /// Leaves the larger of each two elements in a tensor of two dimensions.
    pub unsafe fn cp_reduce_async_bulk_tensor_max_2d(a, b) = "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group";
}

/// Fetches a box of a tensor of two dimensions to L2.
///
/// PTX: `cp.async.bulk.prefetch.tensor.2d.L2.global.tile`, sm_90 and up; ISA, “cp.async.bulk.prefetch.tensor”. On the host it
/// panics.
///
/// # Safety
/// `map` addresses a map of two dimensions, a parameter of the kernel or in global memory.
#[inline(always)]
pub unsafe fn cp_async_bulk_prefetch_tensor_2d(map: *const TensorMap, at: [i32; 2]) {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, cp_async_bulk_prefetch_tensor_2d);
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("cp.async.bulk.prefetch.tensor.2d.L2.global.tile [{}, {{{}, {}}}];", in(reg64) map,
                in(reg32) at[0], in(reg32) at[1], options(nostack));
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (map, at);
        crate::device_only("cp_async_bulk_prefetch_tensor_2d")
    }
}
