//! `mma.sync`, one function per form, and the one that goes by the types.

use super::element::{MmaElement, tf32};
use super::fragment::{FragA, FragB, FragC};
use crate::{bf16, f16};

/// The B that an A of this type can be multiplied with, K elements along k, by one instruction.
#[diagnostic::on_unimplemented(
    message = "no `mma` multiplies A of `{Self}` with B of `{B}`, {K} along k",
    note = "i8 and u8 in any mix with K = 32; f16 with f16, bf16 with bf16, K = 16; tf32 with tf32, K = 8"
)]
pub trait MmaWith<B: MmaElement, const K: usize>: MmaElement {
    /// The type of C and D.
    type Sum: Copy;

    /// [`mma_sync`].
    #[doc(hidden)]
    #[allow(clippy::missing_safety_doc, reason = "that of `mma_sync`")]
    unsafe fn mma(
        a: FragA<Self, 16, K>,
        b: FragB<B, 8, K>,
        c: FragC<Self::Sum, 16, 8>,
    ) -> FragC<Self::Sum, 16, 8>;

    /// `sum + a * b`, for the CPU.
    #[doc(hidden)]
    #[cfg(not(target_arch = "nvptx64"))]
    fn fused_cpu(a: Self, b: B, sum: Self::Sum) -> Self::Sum;
}

/// a·b + c, by the instruction of these types: `acc = mma_sync(a, b, acc)`. Sums of integers wrap.
///
/// PTX: `mma.sync.aligned`, sm_80 and up; ISA, “mma”. On the host it panics.
///
/// # Safety
/// All 32 lanes of the warp execute this same call together, and none has returned.
#[inline(always)]
pub unsafe fn mma_sync<A: MmaWith<B, K>, B: MmaElement, const K: usize>(
    a: FragA<A, 16, K>,
    b: FragB<B, 8, K>,
    c: FragC<A::Sum, 16, 8>,
) -> FragC<A::Sum, 16, 8> {
    // SAFETY: promised by the caller.
    unsafe { A::mma(a, b, c) }
}

macro_rules! products {
    ($(
        $(#[$meta:meta])*
        pub unsafe fn $name:ident($a:ty, $b:ty, $k:literal) -> $sum:ty = $op:literal;
    )*) => {$(
        $(#[$meta])*
        ///
        #[doc = concat!("PTX: `", $op, "`, sm_80 and up; ISA, “mma”. On the host it panics.")]
        ///
        /// # Safety
        /// All 32 lanes of the warp execute this same call together, and none has returned.
        #[inline(always)]
        pub unsafe fn $name(
            a: FragA<$a, 16, $k>,
            b: FragB<$b, 8, $k>,
            c: FragC<$sum, 16, 8>,
        ) -> FragC<$sum, 16, 8> {
            #[cfg(target_arch = "nvptx64")]
            {
                let [a0, a1, a2, a3] = a.registers;
                let [b0, b1] = b.registers;
                let [mut d0, mut d1, mut d2, mut d3] = c.registers;
                // SAFETY: promised by the caller.
                unsafe {
                    core::arch::asm!(concat!($op, " {{{0}, {1}, {2}, {3}}}, {{{4}, {5}, {6}, {7}}}, {{{8}, {9}}}, ",
                        "{{{0}, {1}, {2}, {3}}};"), inout(reg32) d0, inout(reg32) d1, inout(reg32) d2, inout(reg32) d3,
                        in(reg32) a0, in(reg32) a1, in(reg32) a2, in(reg32) a3, in(reg32) b0, in(reg32) b1, options(nostack));
                }
                FragC::from_registers([d0, d1, d2, d3])
            }
            #[cfg(not(target_arch = "nvptx64"))]
            {
                let _ = (a, b, c);
                crate::device_only(stringify!($name))
            }
        }
    )*};
}

products! {
    /// a·b + c, modulo 2^32.
    pub unsafe fn mma_sync_m16n8k32_s32_s8_s8(i8, i8, 32) -> i32 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
    /// a·b + c, modulo 2^32.
    pub unsafe fn mma_sync_m16n8k32_s32_s8_u8(i8, u8, 32) -> i32 = "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32";
    /// a·b + c, modulo 2^32.
    pub unsafe fn mma_sync_m16n8k32_s32_u8_s8(u8, i8, 32) -> i32 = "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32";
    /// a·b + c, modulo 2^32.
    pub unsafe fn mma_sync_m16n8k32_s32_u8_u8(u8, u8, 32) -> i32 = "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32";
    /// a·b + c, clamped to i32.
    pub unsafe fn mma_sync_m16n8k32_satfinite_s32_s8_s8(i8, i8, 32) -> i32
        = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32";
    /// a·b + c, clamped to i32.
    pub unsafe fn mma_sync_m16n8k32_satfinite_s32_s8_u8(i8, u8, 32) -> i32
        = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32";
    /// a·b + c, clamped to i32.
    pub unsafe fn mma_sync_m16n8k32_satfinite_s32_u8_s8(u8, i8, 32) -> i32
        = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32";
    /// a·b + c, clamped to i32.
    pub unsafe fn mma_sync_m16n8k32_satfinite_s32_u8_u8(u8, u8, 32) -> i32
        = "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32";
    /// a·b + c: exact products, summed in f32 in an order and with a cut-off of the hardware's own; the error is at most 24 ·
    /// 2^-23 times the sum of the magnitudes.
    pub unsafe fn mma_sync_m16n8k16_f32_f16(f16, f16, 16) -> f32 = "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    /// As [`mma_sync_m16n8k16_f32_f16`].
    pub unsafe fn mma_sync_m16n8k16_f32_bf16(bf16, bf16, 16) -> f32
        = "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
    /// As [`mma_sync_m16n8k16_f32_f16`], with an error of at most 12 · 2^-23 times the sum of the magnitudes.
    pub unsafe fn mma_sync_m16n8k8_f32_tf32(tf32, tf32, 8) -> f32 = "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
}

macro_rules! pairs {
    ($($a:ty, $b:ty, $k:literal -> $sum:ty = $mma:ident, |$x:ident, $y:ident, $c:ident| $fused:expr;)*) => {$(
        impl MmaWith<$b, $k> for $a {
            type Sum = $sum;

            #[inline(always)]
            unsafe fn mma(
                a: FragA<$a, 16, $k>,
                b: FragB<$b, 8, $k>,
                c: FragC<$sum, 16, 8>,
            ) -> FragC<$sum, 16, 8> {
                // SAFETY: promised by the caller.
                unsafe { $mma(a, b, c) }
            }

            #[cfg(not(target_arch = "nvptx64"))]
            fn fused_cpu($x: $a, $y: $b, $c: $sum) -> $sum {
                $fused
            }
        }
    )*};
}

pairs! {
    i8, i8, 32 -> i32 = mma_sync_m16n8k32_s32_s8_s8, |x, y, c| c.wrapping_add(i32::from(x) * i32::from(y));
    i8, u8, 32 -> i32 = mma_sync_m16n8k32_s32_s8_u8, |x, y, c| c.wrapping_add(i32::from(x) * i32::from(y));
    u8, i8, 32 -> i32 = mma_sync_m16n8k32_s32_u8_s8, |x, y, c| c.wrapping_add(i32::from(x) * i32::from(y));
    u8, u8, 32 -> i32 = mma_sync_m16n8k32_s32_u8_u8, |x, y, c| c.wrapping_add(i32::from(x) * i32::from(y));
    f16, f16, 16 -> f32 = mma_sync_m16n8k16_f32_f16, |x, y, c| x.to_f32().mul_add(y.to_f32(), c);
    bf16, bf16, 16 -> f32 = mma_sync_m16n8k16_f32_bf16, |x, y, c| x.to_f32().mul_add(y.to_f32(), c);
    tf32, tf32, 8 -> f32 = mma_sync_m16n8k8_f32_tf32, |x, y, c| x.to_f32().mul_add(y.to_f32(), c);
}
