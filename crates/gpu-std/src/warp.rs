//! What the lanes of a warp do together: shuffles, votes, matches, reductions.
//!
//! Every function takes the `mask` of the lanes that take part, [`FULL_MASK`] for all 32, and every lane of the mask has to
//! arrive with the same mask; that is the caller's promise. On the host all of them panic with their name.
//!
//! The instructions stay where they stand: the linker marks them convergent, so none is moved into or out of a branch.

use core::ops::Add;

use crate::DeviceRepr;

/// All lanes.
pub const FULL_MASK: u32 = u32::MAX;

/// `f` of each 32-bit word of `value`: one for up to 4 bytes, two for 8, four for 16.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn each_word<T: DeviceRepr>(value: T, mut f: impl FnMut(u32) -> u32) -> T {
    const {
        assert!(
            matches!(size_of::<T>(), 1 | 2 | 4 | 8 | 16),
            "gpu_std: a shuffle moves 1, 2, 4, 8 or 16 bytes"
        )
    }
    #[repr(C, align(16))]
    struct Words([u32; 4]);
    // SAFETY: as many bytes are copied as a T has, and every bit pattern is a T.
    unsafe {
        match size_of::<T>() {
            1 => core::mem::transmute_copy(&(f(core::mem::transmute_copy::<T, u8>(&value).into()) as u8)),
            2 => core::mem::transmute_copy(&(f(core::mem::transmute_copy::<T, u16>(&value).into()) as u16)),
            4 => core::mem::transmute_copy(&f(core::mem::transmute_copy::<T, u32>(&value))),
            8 => {
                let bits = core::mem::transmute_copy::<T, u64>(&value);
                let (lo, hi) = (f(bits as u32), f((bits >> 32) as u32));
                core::mem::transmute_copy(&(u64::from(hi) << 32 | u64::from(lo)))
            }
            _ => core::mem::transmute_copy(&Words(core::mem::transmute_copy::<T, [u32; 4]>(&value).map(f))),
        }
    }
}

macro_rules! shuffles {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident, $(#[$pred_meta:meta])* pub unsafe fn $pred:ident ($arg:ident) = $op:literal, $clamp:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "` per 4 bytes, sm_80 and up; ISA, “shfl.sync”. On the host it panics.")]
        ///
        /// # Safety
        /// The lanes of `mask`, the caller's among them, arrive together with the same mask.
        #[inline(always)]
        pub unsafe fn $name<T: DeviceRepr>(mask: u32, value: T, $arg: u32) -> T {
            #[cfg(target_arch = "nvptx64")]
            {
                each_word(value, |word| {
                    let out: u32;
                    // SAFETY: promised by the caller.
                    unsafe {
                        core::arch::asm!(concat!($op, " {}, {}, {}, ", $clamp, ", {};"), out(reg32) out, in(reg32) word,
                            in(reg32) $arg, in(reg32) mask, options(nostack));
                    }
                    out
                })
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (mask, value, $arg);
                crate::device_only(stringify!($name))
            }
        }

        $(#[$pred_meta])*
        /// The second result tells whether the source lane lies inside the segment; where it does not, the first is the
        /// lane's own value. `clamp` is the instruction's operand c: bits 0 to 4 the last lane (first for `up`), bits 8 to 12
        /// the mask of segments: `(32 - width) << 8 | 31` (`| 0` for `up`) for segments of `width` lanes.
        ///
        #[doc = concat!("PTX: `", $op, "` with predicate, per 4 bytes, sm_80 and up; ISA, “shfl.sync”. On the host it panics.")]
        ///
        /// # Safety
        /// The lanes of `mask`, the caller's among them, arrive together with the same mask.
        #[inline(always)]
        pub unsafe fn $pred<T: DeviceRepr>(mask: u32, value: T, $arg: u32, clamp: u32) -> (T, bool) {
            #[cfg(target_arch = "nvptx64")]
            {
                let mut inside = 0_u32;
                let out = each_word(value, |word| {
                    let out: u32;
                    // SAFETY: promised by the caller.
                    unsafe {
                        core::arch::asm!(concat!("{{ .reg .pred p; ", $op, " {}|p, {}, {}, {}, {}; selp.u32 {}, 1, 0, p; }}"),
                            out(reg32) out, in(reg32) word, in(reg32) $arg, in(reg32) clamp, in(reg32) mask,
                            out(reg32) inside, options(nostack));
                    }
                    out
                });
                (out, inside != 0)
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (mask, value, $arg, clamp);
                crate::device_only(stringify!($pred))
            }
        }
    )*};
}

shuffles! {
    /// The value of lane `lane & 31`.
    pub unsafe fn shfl_idx_sync,
    /// The value of lane `lane` of the segment.
    pub unsafe fn shfl_idx_sync_pred(lane) = "shfl.sync.idx.b32", "31";
    /// The value of the lane `delta` below; the own one for the lowest.
    pub unsafe fn shfl_up_sync,
    /// The value of the lane `delta` below in the segment.
    pub unsafe fn shfl_up_sync_pred(delta) = "shfl.sync.up.b32", "0";
    /// The value of the lane `delta` above; the own one for the highest.
    pub unsafe fn shfl_down_sync,
    /// The value of the lane `delta` above in the segment.
    pub unsafe fn shfl_down_sync_pred(delta) = "shfl.sync.down.b32", "31";
    /// The value of the lane whose index differs in the bits of `lane_mask`.
    pub unsafe fn shfl_xor_sync,
    /// The value of the lane whose index differs in the bits of `lane_mask`.
    pub unsafe fn shfl_xor_sync_pred(lane_mask) = "shfl.sync.bfly.b32", "31";
}

macro_rules! votes {
    ($($(#[$meta:meta])* pub unsafe fn $name:ident = $op:literal;)*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, ".pred`, sm_80 and up; ISA, “vote.sync”. On the host it panics.")]
        ///
        /// # Safety
        /// The lanes of `mask`, the caller's among them, arrive together with the same mask.
        #[inline(always)]
        pub unsafe fn $name(mask: u32, predicate: bool) -> bool {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: u32;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!("{{ .reg .pred p, q; setp.ne.u32 p, {}, 0;",
                        concat!($op, ".pred q, p, {}; selp.u32 {}, 1, 0, q; }}"),
                        in(reg32) u32::from(predicate), in(reg32) mask, out(reg32) out, options(nostack));
                }
                out != 0
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (mask, predicate);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

votes! {
    /// Whether the predicate holds in all lanes of the mask.
    pub unsafe fn all_sync = "vote.sync.all";
    /// Whether the predicate holds in a lane of the mask.
    pub unsafe fn any_sync = "vote.sync.any";
    /// Whether the predicate is the same in all lanes of the mask.
    pub unsafe fn uni_sync = "vote.sync.uni";
}

/// The lanes of the mask in which the predicate holds, as bits.
///
/// PTX: `vote.sync.ballot.b32`, sm_80 and up; ISA, “vote.sync”. On the host it panics.
///
/// # Safety
/// The lanes of `mask`, the caller's among them, arrive together with the same mask.
#[inline(always)]
pub unsafe fn ballot_sync(mask: u32, predicate: bool) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let out: u32;
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("{{ .reg .pred p; setp.ne.u32 p, {}, 0; vote.sync.ballot.b32 {}, p, {}; }}",
                in(reg32) u32::from(predicate), out(reg32) out, in(reg32) mask, options(nostack));
        }
        out
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (mask, predicate);
        crate::device_only("ballot_sync")
    }
}

/// The lanes of the mask whose value has the same bits as the caller's. `T` has 4 or 8 bytes.
///
/// PTX: `match.any.sync.b32` or `.b64`, sm_80 and up; ISA, “match.sync”. On the host it panics.
///
/// # Safety
/// The lanes of `mask`, the caller's among them, arrive together with the same mask.
#[inline(always)]
pub unsafe fn match_any_sync<T: DeviceRepr>(mask: u32, value: T) -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        const { assert!(matches!(size_of::<T>(), 4 | 8), "gpu_std: `match_any_sync` takes 4 or 8 bytes") }
        let out: u32;
        // SAFETY: promised by the caller; as many bytes are copied as a T has.
        unsafe {
            if size_of::<T>() == 4 {
                let bits: u32 = core::mem::transmute_copy(&value);
                core::arch::asm!("match.any.sync.b32 {}, {}, {};", out(reg32) out, in(reg32) bits, in(reg32) mask,
                    options(nostack));
            } else {
                let bits: u64 = core::mem::transmute_copy(&value);
                core::arch::asm!("match.any.sync.b64 {}, {}, {};", out(reg32) out, in(reg64) bits, in(reg32) mask,
                    options(nostack));
            }
        }
        out
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (mask, value);
        crate::device_only("match_any_sync")
    }
}

/// Whether the value has the same bits in all lanes of the mask. `T` has 4 or 8 bytes.
///
/// PTX: `match.all.sync.b32` or `.b64`, of whose two results the predicate, sm_80 and up; ISA, “match.sync”. On the host it
/// panics.
///
/// # Safety
/// The lanes of `mask`, the caller's among them, arrive together with the same mask.
#[inline(always)]
pub unsafe fn match_all_sync<T: DeviceRepr>(mask: u32, value: T) -> bool {
    #[cfg(target_arch = "nvptx64")]
    {
        const { assert!(matches!(size_of::<T>(), 4 | 8), "gpu_std: `match_all_sync` takes 4 or 8 bytes") }
        let out: u32;
        // SAFETY: promised by the caller; as many bytes are copied as a T has.
        unsafe {
            if size_of::<T>() == 4 {
                let bits: u32 = core::mem::transmute_copy(&value);
                core::arch::asm!("{{ .reg .pred p; match.all.sync.b32 _|p, {}, {}; selp.u32 {}, 1, 0, p; }}", in(reg32) bits,
                    in(reg32) mask, out(reg32) out, options(nostack));
            } else {
                let bits: u64 = core::mem::transmute_copy(&value);
                core::arch::asm!("{{ .reg .pred p; match.all.sync.b64 _|p, {}, {}; selp.u32 {}, 1, 0, p; }}", in(reg64) bits,
                    in(reg32) mask, out(reg32) out, options(nostack));
            }
        }
        out != 0
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = (mask, value);
        crate::device_only("match_all_sync")
    }
}

macro_rules! reductions {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident($ty:ty) = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “redux.sync”. On the host it panics.")]
        ///
        /// # Safety
        /// The lanes of `mask`, the caller's among them, arrive together with the same mask.
        #[inline(always)]
        pub unsafe fn $name(mask: u32, value: $ty) -> $ty {
            #[cfg(target_arch = "nvptx64")]
            {
                let out: $ty;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " {}, {}, {};"), out(reg32) out, in(reg32) value, in(reg32) mask,
                        options(nostack));
                }
                out
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (mask, value);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

reductions! {
    /// The sum over the lanes of the mask, in all of them; wraps.
    pub unsafe fn redux_sync_add_u32(u32) = "redux.sync.add.u32";
    /// The sum over the lanes of the mask, in all of them; wraps.
    pub unsafe fn redux_sync_add_s32(i32) = "redux.sync.add.s32";
    /// The smallest value of the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_min_u32(u32) = "redux.sync.min.u32";
    /// The smallest value of the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_min_s32(i32) = "redux.sync.min.s32";
    /// The largest value of the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_max_u32(u32) = "redux.sync.max.u32";
    /// The largest value of the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_max_s32(i32) = "redux.sync.max.s32";
    /// The bitwise and over the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_and_b32(u32) = "redux.sync.and.b32";
    /// The bitwise or over the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_or_b32(u32) = "redux.sync.or.b32";
    /// The bitwise exclusive or over the lanes of the mask, in all of them.
    pub unsafe fn redux_sync_xor_b32(u32) = "redux.sync.xor.b32";
}

/// `f` over the values of all 32 lanes, the same in all of them: `f(x, y)` of lanes 16, 8, 4, 2, 1 apart in turn, so it
/// should be commutative up to what the use bears. Five shuffles per 4 bytes.
///
/// # Safety
/// All 32 lanes of the warp arrive together.
#[inline(always)]
pub unsafe fn warp_reduce<T: DeviceRepr>(value: T, mut f: impl FnMut(T, T) -> T) -> T {
    let mut acc = value;
    let mut distance = 16;
    while distance > 0 {
        // SAFETY: promised by the caller.
        acc = f(acc, unsafe { shfl_xor_sync(FULL_MASK, acc, distance) });
        distance /= 2;
    }
    acc
}

/// The sum over all 32 lanes, in all of them, by pairs as [`warp_reduce`]. For u32 and i32 [`redux_sync_add_u32`] is one
/// instruction.
///
/// # Safety
/// All 32 lanes of the warp arrive together.
#[inline(always)]
pub unsafe fn warp_reduce_sum<T: DeviceRepr + Add<Output = T>>(value: T) -> T {
    // SAFETY: promised by the caller.
    unsafe { warp_reduce(value, |x, y| x + y) }
}

/// Numbers with a minimum and a maximum for [`warp_reduce_min`] and [`warp_reduce_max`].
pub trait MinMax: DeviceRepr {
    /// The smaller; of a number and NaN the number.
    fn smaller(self, other: Self) -> Self;
    /// The larger; of a number and NaN the number.
    fn larger(self, other: Self) -> Self;
}

macro_rules! min_max {
    ($($ty:ty = $min:path, $max:path;)*) => {$(
        impl MinMax for $ty {
            #[inline(always)]
            fn smaller(self, other: Self) -> Self {
                $min(self, other)
            }

            #[inline(always)]
            fn larger(self, other: Self) -> Self {
                $max(self, other)
            }
        }
    )*};
}
min_max! {
    u32 = Ord::min, Ord::max; i32 = Ord::min, Ord::max; u64 = Ord::min, Ord::max; i64 = Ord::min, Ord::max;
    f32 = crate::math::min_f32, crate::math::max_f32; f64 = crate::math::min_f64, crate::math::max_f64;
    crate::f16 = crate::math::min_f16, crate::math::max_f16; crate::bf16 = crate::math::min_bf16, crate::math::max_bf16;
    crate::packed::f16x2 = crate::packed::min_f16x2, crate::packed::max_f16x2;
    crate::packed::bf16x2 = crate::packed::min_bf16x2, crate::packed::max_bf16x2;
}

/// The smallest value of all 32 lanes, in all of them; NaN counts only where all are NaN.
///
/// # Safety
/// All 32 lanes of the warp arrive together.
#[inline(always)]
pub unsafe fn warp_reduce_min<T: MinMax>(value: T) -> T {
    // SAFETY: promised by the caller.
    unsafe { warp_reduce(value, T::smaller) }
}

/// The largest value of all 32 lanes, in all of them; NaN counts only where all are NaN.
///
/// # Safety
/// All 32 lanes of the warp arrive together.
#[inline(always)]
pub unsafe fn warp_reduce_max<T: MinMax>(value: T) -> T {
    // SAFETY: promised by the caller.
    unsafe { warp_reduce(value, T::larger) }
}

/// The lanes that execute this together just now, as bits: a snapshot, no promise about the next instruction.
///
/// PTX: `activemask.b32`, sm_80 and up; ISA, “activemask”. On the host it panics.
#[inline(always)]
pub fn activemask() -> u32 {
    #[cfg(target_arch = "nvptx64")]
    {
        let out: u32;
        // SAFETY: reads the state of the warp.
        unsafe {
            core::arch::asm!("activemask.b32 {};", out(reg32) out, options(nostack));
        }
        out
    }
    #[cfg(not(target_arch = "nvptx64"))]
    crate::device_only("activemask")
}

/// Waits for the lanes of the mask, and orders their memory accesses before it with those after it among them.
///
/// PTX: `bar.warp.sync`, sm_80 and up; ISA, “bar.warp.sync”. On the host it panics.
///
/// # Safety
/// The lanes of `mask`, the caller's among them, arrive with the same mask.
#[inline(always)]
pub unsafe fn bar_warp_sync(mask: u32) {
    #[cfg(target_arch = "nvptx64")]
    // SAFETY: promised by the caller.
    unsafe {
        core::arch::asm!("bar.warp.sync {};", in(reg32) mask, options(nostack));
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = mask;
        crate::device_only("bar_warp_sync")
    }
}

/// Whether this thread is the one of the warp that the hardware chooses: the same one each time.
///
/// PTX: `elect.sync`, sm_90 and up; ISA, “elect.sync”. On the host it panics.
///
/// # Safety
/// All lanes of `mask`, this one among them, call it together.
#[inline(always)]
pub unsafe fn elect_sync(mask: u32) -> bool {
    #[cfg(target_arch = "nvptx64")]
    {
        requires_sm!(90, elect_sync);
        let chosen: u32;
        // SAFETY: promised by the caller.
        unsafe {
            core::arch::asm!("{{ .reg .pred p; elect.sync _|p, {}; selp.u32 {}, 1, 0, p; }}", in(reg32) mask, out(reg32) chosen,
                options(nostack));
        }
        chosen != 0
    }
    #[cfg(not(target_arch = "nvptx64"))]
    {
        let _ = mask;
        crate::device_only("elect_sync")
    }
}
