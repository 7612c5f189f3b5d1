//! The instructions themselves: a pair of wrappers for each pair of types.

use super::acc::{A8, A16, Acc, Columns, IntegerWidth, Width};
use crate::swizzle::MatrixDescriptor;

/// `$call` where there is such an instruction.
macro_rules! on_device {
    ($name:ident, ($($arg:ident),*), $call:expr) => {{
        #[cfg(all(target_arch = "nvptx64", target_feature = "sm_90a"))]
        {
            // SAFETY: promised by the caller.
            unsafe { $call }
        }
        #[cfg(all(target_arch = "nvptx64", not(target_feature = "sm_90a")))]
        {
            let _ = ($($arg),*);
            requires_sm_90a!($name);
        }
        #[cfg(not(target_arch = "nvptx64"))]
        {
            let _ = ($($arg),*);
            crate::device_only(stringify!($name))
        }
    }};
}

macro_rules! integers {
    ($(pub unsafe fn $ss:ident, pub unsafe fn $rs:ident = $method:ident, $ra:ident, $types:literal, $a:literal, $b:literal;)*) => {$(
        #[doc = concat!("`acc = a · b (+ acc)`, exact modulo 2^32: A of ", $a, ", B of ", $b, ", both K-major, 64 × 32 and 32 × `N`.")]
        ///
        /// `acc[i][j] = Σ a[i][k] b[k][j]`, k from 0 to 31, added to `acc[i][j]` if `scale_d` is true.
        ///
        #[doc = concat!("PTX: `wgmma.mma_async.sync.aligned.m64nNk32.s32.", $types, "`, sm_90a; ISA, “wgmma.mma_async”. On the host it panics.")]
        ///
        /// # Safety
        /// - All threads of the warpgroup arrive together, with the same descriptors and `scale_d`.
        /// - The descriptors name operands in shared memory, visible to the async proxy, and nobody writes them before the wait.
        /// - A [`wgmma_fence`](super::wgmma_fence) lies behind the last other write of `acc`; until
        ///   [`wgmma_wait_group`](super::wgmma_wait_group) nothing but further ones of these instructions touches it.
        #[inline(always)]
        pub unsafe fn $ss<const N: usize>(
            acc: &mut Acc<i32, N>,
            a: MatrixDescriptor,
            b: MatrixDescriptor,
            scale_d: bool,
        ) where
            Columns<N>: IntegerWidth,
        {
            on_device!($ss, (acc, a, b, scale_d), <Columns<N> as super::text::Integers>::$method(&mut acc.registers, a.to_bits(), b.to_bits(), scale_d))
        }

        #[doc = concat!("As [`", stringify!($ss), "`], A from registers.")]
        ///
        #[doc = concat!("PTX: `wgmma.mma_async.sync.aligned.m64nNk32.s32.", $types, "`, sm_90a; ISA, “wgmma.mma_async”. On the host it panics.")]
        ///
        /// # Safety
        #[doc = concat!("As [`", stringify!($ss), "`]; the registers of A are left alone like those of `acc`.")]
        #[inline(always)]
        pub unsafe fn $rs<const N: usize>(acc: &mut Acc<i32, N>, a: A8, b: MatrixDescriptor, scale_d: bool)
        where
            Columns<N>: IntegerWidth,
        {
            on_device!($rs, (acc, a, b, scale_d), <Columns<N> as super::text::Integers>::$ra(&mut acc.registers, a.0, b.to_bits(), scale_d))
        }
    )*};
}

integers! {
    pub unsafe fn wgmma_mma_async_s8_s8,
    pub unsafe fn wgmma_mma_async_s8_s8_ra = s8_s8, s8_s8_ra, "s8.s8", "i8", "i8";
    pub unsafe fn wgmma_mma_async_s8_u8,
    pub unsafe fn wgmma_mma_async_s8_u8_ra = s8_u8, s8_u8_ra, "s8.u8", "i8", "u8";
    pub unsafe fn wgmma_mma_async_u8_s8,
    pub unsafe fn wgmma_mma_async_u8_s8_ra = u8_s8, u8_s8_ra, "u8.s8", "u8", "i8";
    pub unsafe fn wgmma_mma_async_u8_u8,
    pub unsafe fn wgmma_mma_async_u8_u8_ra = u8_u8, u8_u8_ra, "u8.u8", "u8", "u8";
}

macro_rules! floats {
    ($(pub unsafe fn $ss:ident, pub unsafe fn $rs:ident = $method:ident, $ra:ident, $types:literal, $ty:literal;)*) => {$(
        #[doc = concat!("`acc = SA · a · SB · b (+ acc)`, A and B of ", $ty, ", 64 × 16 and 16 × `N`, sums in f32.")]
        ///
        /// `acc[i][j] = Σ SA a[i][k] SB b[k][j]`, k from 0 to 15, added to `acc[i][j]` if `scale_d` is true; products are exact,
        /// the order of the sum and its rounding the GPU's. `SA` and `SB` are 1 or -1; `TA`, `TB` say that the operand is
        /// MN-major.
        ///
        #[doc = concat!("PTX: `wgmma.mma_async.sync.aligned.m64nNk16.f32.", $types, "`, sm_90a; ISA, “wgmma.mma_async”. On the host it panics.")]
        ///
        /// # Safety
        /// - All threads of the warpgroup arrive together, with the same descriptors and `scale_d`.
        /// - The descriptors name operands in shared memory, visible to the async proxy, and nobody writes them before the wait.
        /// - A [`wgmma_fence`](super::wgmma_fence) lies behind the last other write of `acc`; until
        ///   [`wgmma_wait_group`](super::wgmma_wait_group) nothing but further ones of these instructions touches it.
        #[inline(always)]
        pub unsafe fn $ss<const N: usize, const SA: i32, const SB: i32, const TA: bool, const TB: bool>(
            acc: &mut Acc<f32, N>,
            a: MatrixDescriptor,
            b: MatrixDescriptor,
            scale_d: bool,
        ) where
            Columns<N>: Width,
        {
            const { assert!(matches!(SA, -1 | 1) && matches!(SB, -1 | 1), "gpu_std: A and B are scaled by 1 or -1") }
            on_device!($ss, (acc, a, b, scale_d), <Columns<N> as super::text::Floats>::$method::<SA, SB, TA, TB>(&mut acc.registers, a.to_bits(), b.to_bits(), scale_d))
        }

        #[doc = concat!("As [`", stringify!($ss), "`], A from registers.")]
        ///
        #[doc = concat!("PTX: `wgmma.mma_async.sync.aligned.m64nNk16.f32.", $types, "`, sm_90a; ISA, “wgmma.mma_async”. On the host it panics.")]
        ///
        /// # Safety
        #[doc = concat!("As [`", stringify!($ss), "`]; the registers of A are left alone like those of `acc`.")]
        #[inline(always)]
        pub unsafe fn $rs<const N: usize, const SA: i32, const SB: i32, const TB: bool>(
            acc: &mut Acc<f32, N>,
            a: A16,
            b: MatrixDescriptor,
            scale_d: bool,
        ) where
            Columns<N>: Width,
        {
            const { assert!(matches!(SA, -1 | 1) && matches!(SB, -1 | 1), "gpu_std: A and B are scaled by 1 or -1") }
            on_device!($rs, (acc, a, b, scale_d), <Columns<N> as super::text::Floats>::$ra::<SA, SB, TB>(&mut acc.registers, a.0, b.to_bits(), scale_d))
        }
    )*};
}

floats! {
    pub unsafe fn wgmma_mma_async_f16,
    pub unsafe fn wgmma_mma_async_f16_ra = f16, f16_ra, "f16.f16", "f16";
    pub unsafe fn wgmma_mma_async_bf16,
    pub unsafe fn wgmma_mma_async_bf16_ra = bf16, bf16_ra, "bf16.bf16", "bf16";
}
