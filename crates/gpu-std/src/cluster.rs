//! The blocks of a cluster and their shared memory.
//!
//! [`mapa`] gives the address that a variable of this block's shared memory has in another block of the cluster. A block's memory is
//! there from its first instruction to its last: a barrier of the cluster before the first access tells that all blocks have
//! started, one after the last access that none has ended. On the host all of these panic with their name.

use core::marker::PhantomData;

use crate::DeviceRepr;
use crate::mbarrier::Mbarrier;

/// A place in the shared memory of a block of the cluster.
#[derive(Debug)]
pub struct ClusterPtr<T> {
    address: u32,
    element: PhantomData<*mut T>,
}

impl<T> Clone for ClusterPtr<T> {
    #[inline(always)]
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for ClusterPtr<T> {}

impl<T> ClusterPtr<T> {
    /// Its address in the window of the cluster's shared memory.
    #[inline(always)]
    pub const fn address(self) -> u32 {
        self.address
    }

    /// The place `count` elements further on.
    ///
    /// # Safety
    /// It lies in the same variable.
    #[inline(always)]
    pub const unsafe fn add(self, count: usize) -> Self {
        Self { address: self.address + (count * size_of::<T>()) as u32, element: PhantomData }
    }
}

/// The place in block `rank` of the cluster where the variable of this block at `ptr` lies.
///
/// PTX: `mapa.shared::cluster.u32`, sm_90 and up; ISA, “mapa”. On the host it panics.
///
/// # Safety
/// - `ptr` addresses the block's shared memory.
/// - `rank` is below the number of blocks of the cluster.
#[inline(always)]
pub unsafe fn mapa<T>(ptr: *const T, rank: u32) -> ClusterPtr<T> {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, mapa);
        let address: u32;
        let own = crate::mbarrier::shared_address(ptr);
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("mapa.shared::cluster.u32 {}, {}, {};", out(reg32) address, in(reg32) own, in(reg32) rank,
                options(nostack));
        }
        ClusterPtr { address, element: PhantomData }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (ptr, rank);
        crate::device_only("mapa")
    }
}

/// As [`mapa`], as a generic address: for atomics and whatever else takes one.
///
/// PTX: `mapa.u64`, sm_90 and up; ISA, “mapa”. On the host it panics.
///
/// # Safety
/// As [`mapa`].
#[inline(always)]
pub unsafe fn mapa_generic<T>(ptr: *mut T, rank: u32) -> *mut T {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, mapa_generic);
        let address: u64;
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("mapa.u64 {}, {}, {};", out(reg64) address, in(reg64) ptr as u64, in(reg32) rank, options(nostack));
        }
        address as *mut T
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (ptr, rank);
        crate::device_only("mapa_generic")
    }
}

/// The rank of the block in whose shared memory a generic address lies.
///
/// PTX: `getctarank.u64`, sm_90 and up; ISA, “getctarank”. On the host it panics.
///
/// # Safety
/// `ptr` addresses the shared memory of a block of the cluster.
#[inline(always)]
pub unsafe fn getctarank<T>(ptr: *const T) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, getctarank);
        let rank: u32;
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("getctarank.u64 {}, {};", out(reg32) rank, in(reg64) ptr as u64, options(nostack));
        }
        rank
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = ptr;
        crate::device_only("getctarank")
    }
}

/// Whether a generic address lies in the shared memory of a block of the cluster.
///
/// PTX: `isspacep.shared::cluster`, sm_90 and up; ISA, “isspacep”. On the host it panics.
#[inline(always)]
pub fn isspacep_shared_cluster<T>(ptr: *const T) -> bool {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, isspacep_shared_cluster);
        let inside: u32;
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!("{{ .reg .pred p; isspacep.shared::cluster p, {}; selp.u32 {}, 1, 0, p; }}", in(reg64) ptr as u64,
                out(reg32) inside, options(pure, nomem, nostack));
        }
        inside != 0
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = ptr;
        crate::device_only("isspacep_shared_cluster")
    }
}

/// Loads a value of 4 or 8 bytes; other sizes do not compile.
///
/// PTX: `ld.shared::cluster` with the type's size, sm_90 and up; ISA, “ld”. On the host it panics.
///
/// # Safety
/// - `ptr` is aligned to its size and addresses an initialised value; its block has started and not ended, in a way that this
///   thread knows of.
/// - Nobody writes it meanwhile.
#[inline(always)]
pub unsafe fn ld_shared_cluster<T: DeviceRepr>(ptr: ClusterPtr<T>) -> T {
    const { assert!(matches!(size_of::<T>(), 4 | 8), "gpu_std: `ld_shared_cluster` loads 4 or 8 bytes") }
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, ld_shared_cluster);
        // SAFETY: promised by the caller; the bytes copied are those of a T.
        unsafe {
            if size_of::<T>() == 4 {
                let out: u32;
                core::arch::asm!("ld.shared::cluster.b32 {}, [{}];", out(reg32) out, in(reg32) ptr.address, options(nostack));
                core::mem::transmute_copy(&out)
            } else {
                let out: u64;
                core::arch::asm!("ld.shared::cluster.b64 {}, [{}];", out(reg64) out, in(reg32) ptr.address, options(nostack));
                core::mem::transmute_copy(&out)
            }
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = ptr;
        crate::device_only("ld_shared_cluster")
    }
}

/// Stores a value of 4 or 8 bytes; other sizes do not compile.
///
/// PTX: `st.shared::cluster` with the type's size, sm_90 and up; ISA, “st”. On the host it panics.
///
/// # Safety
/// `ptr` is aligned to its size; its block has started and not ended, in a way that this thread knows of; nobody else uses the
/// place meanwhile.
#[inline(always)]
pub unsafe fn st_shared_cluster<T: DeviceRepr>(ptr: ClusterPtr<T>, value: T) {
    const { assert!(matches!(size_of::<T>(), 4 | 8), "gpu_std: `st_shared_cluster` stores 4 or 8 bytes") }
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, st_shared_cluster);
        // SAFETY: promised by the caller; the bytes copied are those of a T.
        unsafe {
            if size_of::<T>() == 4 {
                let raw: u32 = core::mem::transmute_copy(&value);
                core::arch::asm!("st.shared::cluster.b32 [{}], {};", in(reg32) ptr.address, in(reg32) raw, options(nostack));
            } else {
                let raw: u64 = core::mem::transmute_copy(&value);
                core::arch::asm!("st.shared::cluster.b64 [{}], {};", in(reg32) ptr.address, in(reg64) raw, options(nostack));
            }
        }
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (ptr, value);
        crate::device_only("st_shared_cluster")
    }
}

macro_rules! sent {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident($class:ident $ty:ty) = $op:literal, $section:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_90 and up; ISA, “", $section, "”. On the host it panics.")]
        ///
        /// # Safety
        /// - `ptr` is aligned, and `bar` an object in the same block, which has started and does not end before the value is there.
        /// - Nobody else uses the place until who waits at `bar` knows that it is there; what combines may meet other operations that
        ///   do.
        #[inline(always)]
        pub unsafe fn $name(ptr: ClusterPtr<$ty>, value: $ty, bar: ClusterPtr<Mbarrier>) {
            #[cfg(target_arch = "nvptx64")]
            {
                requires_sm!(90, $name);
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " [{}], {}, [{}];"), in(reg32) ptr.address, in($class) value,
                        in(reg32) bar.address, options(nostack));
                }
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (ptr, value, bar);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

sent! {
    /// Stores without waiting; `bar` gets 4 bytes when the value is there.
    pub unsafe fn st_async_u32(reg32 u32) = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32", "st.async";
    /// The same of an `f32`.
    pub unsafe fn st_async_f32(reg32 f32) = "st.async.shared::cluster.mbarrier::complete_tx::bytes.f32", "st.async";
    /// The same of 8 bytes.
    pub unsafe fn st_async_u64(reg64 u64) = "st.async.shared::cluster.mbarrier::complete_tx::bytes.u64", "st.async";
    /// Adds without waiting; `bar` gets 4 bytes when it is done.
    pub unsafe fn red_async_add_u32(reg32 u32)
        = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32", "red.async";
    /// Takes the smaller one without waiting.
    pub unsafe fn red_async_min_u32(reg32 u32)
        = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32", "red.async";
    /// Takes the larger one without waiting.
    pub unsafe fn red_async_max_u32(reg32 u32)
        = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32", "red.async";
}
