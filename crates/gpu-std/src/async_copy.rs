//! Copies from global to shared memory that a thread starts and waits for later: `cp.async`.
//!
//! A thread starts copies, closes them to a group with [`cp_async_commit_group`], goes on, and waits with
//! [`cp_async_wait_group`] until at most so many of its youngest groups are under way. What it waited for it may read; other
//! threads may after a barrier. On the host all of these panic with their name.
//!
//! ```text
//! cp_async_cg(stage 0); cp_async_commit_group();
//! for step in 0..steps {
//!     if step + 1 < steps { cp_async_cg(stage of step + 1) }
//!     cp_async_commit_group();                  // an empty group counts too
//!     cp_async_wait_group::<1>(); bar_sync();   // the stage of `step` is there, for all threads
//!     …
//!     bar_sync();                               // nobody reads it any more
//! }
//! ```

use crate::DeviceRepr;
#[cfg(target_arch = "nvptx64")]
use crate::mem::cvta_to_shared;

/// `asm!` with the number of bytes as text.
#[cfg(target_arch = "nvptx64")]
macro_rules! copy_asm {
    ($op:literal, $bytes:literal, $to:ident, $from:ident) => {
        core::arch::asm!(concat!($op, " [{}], [{}], ", $bytes, ";"), in(reg64) cvta_to_shared($to), in(reg64) $from,
            options(nostack))
    };
    ($op:literal, $bytes:literal, $to:ident, $from:ident, $size:ident) => {
        core::arch::asm!(concat!($op, " [{}], [{}], ", $bytes, ", {};"), in(reg64) cvta_to_shared($to), in(reg64) $from,
            in(reg32) $size, options(nostack))
    };
}

macro_rules! copies {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident($($size:ident)?) = $op:literal, [$($bytes:tt)*], $which:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “cp.async”. `T` has ", $which, " bytes. On the host it panics.")]
        ///
        /// # Safety
        /// - `to` addresses the block's shared memory, `from` global memory; both are multiples of the size of `T`.
        /// - Nobody writes the source, and nobody uses the target, before the copy was waited for.
        #[doc = copies!(@doc $($size)?)]
        #[inline(always)]
        pub unsafe fn $name<T: DeviceRepr>(to: *mut T, from: *const T $(, $size: u32)?) {
            const { assert!($(size_of::<T>() == $bytes)||*, concat!("gpu_std: `", stringify!($name), "` copies ", $which, " bytes")) }
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: promised by the caller.
            unsafe {
                copies!(@by_size T $op, [$($bytes)*], to, from $(, $size)?);
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (to, from $(, $size)?);
                crate::device_only(stringify!($name))
            }
        }
    )*};
    (@doc) => { "" };
    (@doc $size:ident) => { "- `src_bytes` is at most the size of `T`, and so many bytes may be read at `from`." };
    (@by_size $T:ident $op:literal, [16], $($operands:tt)*) => { copy_asm!($op, 16, $($operands)*) };
    (@by_size $T:ident $op:literal, [4 8 16], $($operands:tt)*) => {
        match size_of::<$T>() {
            4 => copy_asm!($op, 4, $($operands)*),
            8 => copy_asm!($op, 8, $($operands)*),
            _ => copy_asm!($op, 16, $($operands)*),
        }
    };
}

copies! {
    /// Starts a copy through L1.
    pub unsafe fn cp_async_ca() = "cp.async.ca.shared.global", [4 8 16], "4, 8 or 16";
    /// Starts a copy of `src_bytes` bytes through L1; the rest of the target becomes zero.
    pub unsafe fn cp_async_ca_zfill(src_bytes) = "cp.async.ca.shared.global", [4 8 16], "4, 8 or 16";
    /// Starts a copy through L2 alone.
    pub unsafe fn cp_async_cg() = "cp.async.cg.shared.global", [16], "16";
    /// Starts a copy of `src_bytes` bytes through L2 alone; the rest of the target becomes zero.
    pub unsafe fn cp_async_cg_zfill(src_bytes) = "cp.async.cg.shared.global", [16], "16";
    /// As [`cp_async_cg`], and 128 bytes come to L2.
    pub unsafe fn cp_async_cg_l2_128b() = "cp.async.cg.shared.global.L2::128B", [16], "16";
    /// As [`cp_async_cg`], and 256 bytes come to L2.
    pub unsafe fn cp_async_cg_l2_256b() = "cp.async.cg.shared.global.L2::256B", [16], "16";
}

/// Closes the copies that the thread started since the last call to a group; there may be none.
///
/// PTX: `cp.async.commit_group`, sm_80 and up; ISA, “cp.async.commit_group”. On the host it panics.
#[inline(always)]
pub fn cp_async_commit_group() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: a count of groups; the memory that it concerns is that of the copies, whose contract covers it.
    unsafe {
        core::arch::asm!("cp.async.commit_group;", options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("cp_async_commit_group")
}

/// Waits until at most the `N` youngest groups of the thread are under way.
///
/// PTX: `cp.async.wait_group`, sm_80 and up; ISA, “cp.async.wait_group”. On the host it panics.
#[inline(always)]
pub fn cp_async_wait_group<const N: u32>() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: it waits, and changes nothing but what the copies, whose contract covers it, write.
    unsafe {
        core::arch::asm!("cp.async.wait_group {};", const N, options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("cp_async_wait_group")
}

/// Waits until all copies of the thread are done, those of no group too.
///
/// PTX: `cp.async.wait_all`, sm_80 and up; ISA, “cp.async.wait_all”. On the host it panics.
#[inline(always)]
pub fn cp_async_wait_all() {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: it waits, and changes nothing but what the copies, whose contract covers it, write.
    unsafe {
        core::arch::asm!("cp.async.wait_all;", options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("cp_async_wait_all")
}
