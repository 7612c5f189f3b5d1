//! Loads and stores of up to 16 bytes with cache hints, volatile access, prefetches, address conversions.
//!
//! Each moves one value of 1, 2, 4, 8 or 16 bytes in one instruction (16 bytes, e.g. [`crate::Vec16`], as `.v4.b32`); other
//! sizes do not compile. Hints change the time alone, never the result. On the host the plain ones load and store, the
//! conversions and prefetches panic with their name.

use crate::DeviceRepr;

/// 16 bytes as four words, aligned like anything they may become.
#[cfg(target_arch = "nvptx64")]
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Words([u32; 4]);

/// A load by size: the opcode, `.b8` … `.v4.b32`, the address, what follows it, then operands and options of `asm!`.
#[cfg(target_arch = "nvptx64")]
macro_rules! load_asm {
    (@one $raw:ident $class:ident [$($text:literal)*] $ptr:ident ($($rest:tt)*)) => {{
        let out: $raw;
        core::arch::asm!(concat!($($text),*), out($class) out, in(reg64) $ptr, $($rest)*);
        core::mem::transmute_copy(&out)
    }};
    ($T:ident $op:literal $tail:literal $ptr:ident $rest:tt) => {{
        const { assert!(matches!(size_of::<$T>(), 1 | 2 | 4 | 8 | 16), "gpu_std: one load moves 1, 2, 4, 8 or 16 bytes") }
        match size_of::<$T>() {
            1 => load_asm!(@one u16 reg16 [$op ".b8 {}, [{}]" $tail] $ptr $rest),
            2 => load_asm!(@one u16 reg16 [$op ".b16 {}, [{}]" $tail] $ptr $rest),
            4 => load_asm!(@one u32 reg32 [$op ".b32 {}, [{}]" $tail] $ptr $rest),
            8 => load_asm!(@one u64 reg64 [$op ".b64 {}, [{}]" $tail] $ptr $rest),
            _ => load_asm!(@four [$op ".v4.b32 {{{}, {}, {}, {}}}, [{}]" $tail] $ptr $rest),
        }
    }};
    (@four [$($text:literal)*] $ptr:ident ($($rest:tt)*)) => {{
        let (a, b, c, d): (u32, u32, u32, u32);
        core::arch::asm!(concat!($($text),*), out(reg32) a, out(reg32) b, out(reg32) c, out(reg32) d, in(reg64) $ptr,
            $($rest)*);
        core::mem::transmute_copy(&Words([a, b, c, d]))
    }};
}

/// A store by size.
#[cfg(target_arch = "nvptx64")]
macro_rules! store_asm {
    (@one $raw:ident as $wide:ident $class:ident [$($text:literal)*] $ptr:ident $value:ident ($($rest:tt)*)) => {{
        let raw = $wide::from(core::mem::transmute_copy::<_, $raw>(&$value));
        core::arch::asm!(concat!($($text),*), in(reg64) $ptr, in($class) raw, $($rest)*);
    }};
    ($T:ident $op:literal $tail:literal $ptr:ident $value:ident $rest:tt) => {{
        const { assert!(matches!(size_of::<$T>(), 1 | 2 | 4 | 8 | 16), "gpu_std: one store moves 1, 2, 4, 8 or 16 bytes") }
        match size_of::<$T>() {
            1 => store_asm!(@one u8 as u16 reg16 [$op ".b8 [{}], {}" $tail] $ptr $value $rest),
            2 => store_asm!(@one u16 as u16 reg16 [$op ".b16 [{}], {}" $tail] $ptr $value $rest),
            4 => store_asm!(@one u32 as u32 reg32 [$op ".b32 [{}], {}" $tail] $ptr $value $rest),
            8 => store_asm!(@one u64 as u64 reg64 [$op ".b64 [{}], {}" $tail] $ptr $value $rest),
            _ => store_asm!(@four [$op ".v4.b32 [{}], {{{}, {}, {}, {}}}" $tail] $ptr $value $rest),
        }
    }};
    (@four [$($text:literal)*] $ptr:ident $value:ident ($($rest:tt)*)) => {{
        let [a, b, c, d] = core::mem::transmute_copy::<_, [u32; 4]>(&$value);
        core::arch::asm!(concat!($($text),*), in(reg64) $ptr, in(reg32) a, in(reg32) b, in(reg32) c, in(reg32) d, $($rest)*);
    }};
}

/// Loads are `pure`: two of the same place without a store between may become one, as plain loads do.
macro_rules! loads {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident $(($policy:ident))? = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "` with the type's size, sm_80 and up; ISA, “ld”. On the host a plain load.")]
        ///
        /// # Safety
        /// - `ptr` is aligned to its size and addresses an initialised value in global memory.
        /// - Nobody else writes it meanwhile (for `nc`: during the whole launch).
        #[inline(always)]
        pub unsafe fn $name<T: DeviceRepr>(ptr: *const T $(, $policy: CachePolicy)?) -> T {
            // SAFETY: promised by the caller; the bytes copied are those of a T.
            unsafe {
                #[cfg(target_arch = "nvptx64")]
                {
                    loads!(@asm T $op ptr $($policy)?)
                }
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    $(let _ = $policy;)?
                    ptr.read()
                }
            }
        }
    )*};
    (@asm $T:ident $op:literal $ptr:ident) => { load_asm!($T $op ";" $ptr (options(pure, readonly, nostack))) };
    (@asm $T:ident $op:literal $ptr:ident $policy:ident) => {
        load_asm!($T $op ", {};" $ptr (in(reg64) $policy.0, options(pure, readonly, nostack)))
    };
}

macro_rules! stores {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident $(($policy:ident))? = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "` with the type's size, sm_80 and up; ISA, “st”. On the host a plain store.")]
        ///
        /// # Safety
        /// `ptr` is aligned to its size and addresses a place in global memory that nobody else uses meanwhile.
        #[inline(always)]
        pub unsafe fn $name<T: DeviceRepr>(ptr: *mut T, value: T $(, $policy: CachePolicy)?) {
            // SAFETY: promised by the caller; the bytes copied are those of a T.
            unsafe {
                #[cfg(target_arch = "nvptx64")]
                {
                    stores!(@asm T $op ptr value $($policy)?)
                }
                #[cfg(not(target_arch = "nvptx64"))]
                {
                    $(let _ = $policy;)?
                    ptr.write(value);
                }
            }
        }
    )*};
    (@asm $T:ident $op:literal $ptr:ident $value:ident) => { store_asm!($T $op ";" $ptr $value (options(nostack))) };
    (@asm $T:ident $op:literal $ptr:ident $value:ident $policy:ident) => {
        store_asm!($T $op ", {};" $ptr $value (in(reg64) $policy.0, options(nostack)))
    };
}

/// What the L2 cache shall do with the lines of an access: made by the `createpolicy_*` functions, which cost an instruction
/// each, so make it once before the loop.
#[derive(Clone, Copy, Debug)]
pub struct CachePolicy(
    #[cfg_attr(not(target_arch = "nvptx64"), allow(dead_code, reason = "the device reads it"))] u64,
);

#[cfg(target_arch = "nvptx64")]
impl crate::reg::Reg for CachePolicy {
    type Raw = u64;

    #[inline(always)]
    fn to_raw(self) -> u64 {
        self.0
    }

    #[inline(always)]
    fn from_raw(raw: u64) -> Self {
        Self(raw)
    }
}

loads! {
    /// Through the read-only path: for data that nothing writes during the whole launch.
    pub unsafe fn ld_global_nc = "ld.global.nc";
    /// As [`ld_global_nc`], without a line in L1: for data read once.
    pub unsafe fn ld_global_nc_l1_no_allocate = "ld.global.nc.L1::no_allocate";
    /// As [`ld_global_nc`], first to leave L1.
    pub unsafe fn ld_global_nc_l1_evict_first = "ld.global.nc.L1::evict_first";
    /// As [`ld_global_nc`], last to leave L1.
    pub unsafe fn ld_global_nc_l1_evict_last = "ld.global.nc.L1::evict_last";
    /// As [`ld_global_nc`], and 128 bytes come to L2.
    pub unsafe fn ld_global_nc_l2_128b = "ld.global.nc.L2::128B";
    /// As [`ld_global_nc`], and 256 bytes come to L2.
    pub unsafe fn ld_global_nc_l2_256b = "ld.global.nc.L2::256B";
    /// As [`ld_global_nc_l1_no_allocate`], and 256 bytes come to L2.
    pub unsafe fn ld_global_nc_l1_no_allocate_l2_256b = "ld.global.nc.L1::no_allocate.L2::256B";
    /// As [`ld_global_nc`], L2 by `policy`.
    pub unsafe fn ld_global_nc_l2_cache_hint(policy) = "ld.global.nc.L2::cache_hint";
    /// As [`ld_global_nc_l1_no_allocate`], L2 by `policy`.
    pub unsafe fn ld_global_nc_l1_no_allocate_l2_cache_hint(policy) = "ld.global.nc.L1::no_allocate.L2::cache_hint";
    /// Cached at all levels.
    pub unsafe fn ld_global_ca = "ld.global.ca";
    /// Cached in L2 alone.
    pub unsafe fn ld_global_cg = "ld.global.cg";
    /// Streaming: read once, first to leave.
    pub unsafe fn ld_global_cs = "ld.global.cs";
    /// Last use of the line.
    pub unsafe fn ld_global_lu = "ld.global.lu";
    /// Without a line in L1.
    pub unsafe fn ld_global_l1_no_allocate = "ld.global.L1::no_allocate";
    /// First to leave L1.
    pub unsafe fn ld_global_l1_evict_first = "ld.global.L1::evict_first";
    /// Last to leave L1.
    pub unsafe fn ld_global_l1_evict_last = "ld.global.L1::evict_last";
    /// L2 by `policy`.
    pub unsafe fn ld_global_l2_cache_hint(policy) = "ld.global.L2::cache_hint";
}

stores! {
    /// Written back when the line leaves.
    pub unsafe fn st_global_wb = "st.global.wb";
    /// Cached in L2 alone.
    pub unsafe fn st_global_cg = "st.global.cg";
    /// Streaming: first to leave.
    pub unsafe fn st_global_cs = "st.global.cs";
    /// Written through L2 to memory.
    pub unsafe fn st_global_wt = "st.global.wt";
    /// Without a line in L1.
    pub unsafe fn st_global_l1_no_allocate = "st.global.L1::no_allocate";
    /// First to leave L1.
    pub unsafe fn st_global_l1_evict_first = "st.global.L1::evict_first";
    /// Last to leave L1.
    pub unsafe fn st_global_l1_evict_last = "st.global.L1::evict_last";
    /// L2 by `policy`.
    pub unsafe fn st_global_l2_cache_hint(policy) = "st.global.L2::cache_hint";
}

/// A load that happens exactly where it stands, once: neither removed nor joined with others.
///
/// PTX: `ld.volatile` with the type's size, sm_80 and up; ISA, “ld”. On the host a volatile load.
///
/// # Safety
/// `ptr` is aligned to its size and addresses an initialised value in global or shared memory.
#[inline(always)]
pub unsafe fn ld_volatile<T: DeviceRepr>(ptr: *const T) -> T {
    // SAFETY: promised by the caller; the bytes copied are those of a T.
    unsafe {
        #[cfg(target_arch = "nvptx64")]
        {
            load_asm!(T "ld.volatile" ";" ptr (options(nostack)))
        }
        #[cfg(not(target_arch = "nvptx64"))]
        ptr.read_volatile()
    }
}

/// A store that happens exactly where it stands, once.
///
/// PTX: `st.volatile` with the type's size, sm_80 and up; ISA, “st”. On the host a volatile store.
///
/// # Safety
/// `ptr` is aligned to its size and addresses a place in global or shared memory that may be written.
#[inline(always)]
pub unsafe fn st_volatile<T: DeviceRepr>(ptr: *mut T, value: T) {
    // SAFETY: promised by the caller; the bytes copied are those of a T.
    unsafe {
        #[cfg(target_arch = "nvptx64")]
        store_asm!(T "st.volatile" ";" ptr value (options(nostack)));
        #[cfg(not(target_arch = "nvptx64"))]
        ptr.write_volatile(value);
    }
}

macro_rules! policies {
    ($($(#[$meta:meta])* pub fn $name:ident() = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, ".b64`, sm_80 and up; ISA, “createpolicy”. On the host a policy without meaning.")]
        #[inline(always)]
        pub fn $name() -> CachePolicy {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: u64;
                // SAFETY: arithmetic on registers.
                unsafe {
                    core::arch::asm!(concat!($op, ".b64 {}, 1.0;"), out(reg64) out, options(pure, nomem, nostack));
                }
                CachePolicy(out)
            }
            #[cfg(not(target_arch = "nvptx64"))]
            CachePolicy(0)
        }
    )*};
}

policies! {
    /// All lines last to leave L2.
    pub fn createpolicy_l2_evict_last() = "createpolicy.fractional.L2::evict_last";
    /// All lines first to leave L2.
    pub fn createpolicy_l2_evict_first() = "createpolicy.fractional.L2::evict_first";
    /// All lines as usual.
    pub fn createpolicy_l2_evict_normal() = "createpolicy.fractional.L2::evict_normal";
    /// No change of the lines' priority.
    pub fn createpolicy_l2_evict_unchanged() = "createpolicy.fractional.L2::evict_unchanged";
}

/// The share `fraction` (above 0, at most 1) of the lines last to leave L2, the others first.
///
/// PTX: `createpolicy.fractional.L2::evict_last.L2::evict_first.b64`, sm_80 and up; ISA, “createpolicy”. On the host a
/// policy without meaning.
#[inline(always)]
pub fn createpolicy_fractional_l2_evict_last(fraction: f32) -> CachePolicy {
    #[cfg(target_arch = "nvptx64")]
    {
        let out: u64;
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 {}, {};", out(reg64) out,
                in(reg32) fraction, options(pure, nomem, nostack));
        }
        CachePolicy(out)
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = fraction;
        CachePolicy(0)
    }
}

macro_rules! prefetches {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal, $size:literal, $isa:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “", $isa, "”. On the host nothing.")]
        ///
        /// # Safety
        /// `ptr` addresses global memory of the launch.
        #[inline(always)]
        pub unsafe fn $name<T>(ptr: *const T) {
            #[cfg(target_arch = "nvptx64")]
            // SAFETY: promised by the caller.
            unsafe {
                core::arch::asm!(concat!($op, " [{}]", $size, ";"), in(reg64) ptr, options(nostack));
            }
            #[cfg(not(target_arch = "nvptx64"))]
            let _ = ptr;
        }
    )*};
}

prefetches! {
    /// Brings the line to L1.
    pub unsafe fn prefetch_global_l1 = "prefetch.global.L1", "", "prefetch, prefetchu";
    /// Brings the line to L2.
    pub unsafe fn prefetch_global_l2 = "prefetch.global.L2", "", "prefetch, prefetchu";
    /// Brings the line to L2, last to leave.
    pub unsafe fn prefetch_global_l2_evict_last = "prefetch.global.L2::evict_last", "", "prefetch, prefetchu";
    /// Brings the line to L2, with the usual priority.
    pub unsafe fn prefetch_global_l2_evict_normal = "prefetch.global.L2::evict_normal", "", "prefetch, prefetchu";
    /// Brings the line to the uniform cache.
    pub unsafe fn prefetchu_l1 = "prefetchu.L1", "", "prefetch, prefetchu";
    /// Gives the 128 bytes at `ptr`, a multiple of 128, the usual priority in L2.
    pub unsafe fn applypriority_global_l2_evict_normal = "applypriority.global.L2::evict_normal", ", 128", "applypriority";
}

/// Drops the 128 bytes at `ptr` from L2 without writing them back; their contents are undefined afterwards.
///
/// PTX: `discard.global.L2`, sm_80 and up; ISA, “discard”. On the host nothing.
///
/// # Safety
/// `ptr` is a multiple of 128 and addresses 128 bytes of global memory that may be written and that nobody reads before they
/// are written again.
#[inline(always)]
pub unsafe fn discard_global_l2<T>(ptr: *mut T) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: promised by the caller.
    unsafe {
        core::arch::asm!("discard.global.L2 [{}], 128;", in(reg64) ptr, options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    let _ = ptr;
}

/// The address in the shared window of a generic address that lies in shared memory.
///
/// PTX: `cvta.to.shared.u64`, sm_80 and up; ISA, “cvta”. On the host it panics.
#[inline(always)]
pub fn cvta_to_shared<T>(ptr: *const T) -> u64 {
    #[cfg(target_arch = "nvptx64")]
    {
        let out: u64;
        // SAFETY: arithmetic on registers.
        unsafe {
            core::arch::asm!("cvta.to.shared.u64 {}, {};", out(reg64) out, in(reg64) ptr as u64, options(pure, nomem, nostack));
        }
        out
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = ptr;
        crate::device_only("cvta_to_shared")
    }
}

macro_rules! spaces {
    ($($(#[$meta:meta])* pub fn $name:ident = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “isspacep”. On the host it panics.")]
        #[inline(always)]
        pub fn $name<T>(ptr: *const T) -> bool {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: u32;
                // SAFETY: arithmetic on registers.
                unsafe {
                    core::arch::asm!(concat!("{{ .reg .pred p; ", $op, " p, {}; selp.u32 {}, 1, 0, p; }}"), in(reg64) ptr as u64,
                        out(reg32) out, options(pure, nomem, nostack));
                }
                out != 0
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = ptr;
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

spaces! {
    /// Whether a generic address lies in global memory.
    pub fn isspacep_global = "isspacep.global";
    /// Whether a generic address lies in the block's shared memory.
    pub fn isspacep_shared = "isspacep.shared";
    /// Whether a generic address lies in the thread's local memory.
    pub fn isspacep_local = "isspacep.local";
}
