//! `f16` and `bf16`: half's types on the host; on the device the native `f16` and a `u16` newtype.
//!
//! half's own conversions become long branchy code on the device, the native ones a single instruction.

#[cfg(not(target_arch = "nvptx64"))]
mod imp {
    use crate::Real;

    /// bfloat16: the upper half of an `f32`.
    pub use half::bf16;
    /// IEEE 754 binary16.
    pub use half::f16;

    pub(crate) const F16_ZERO: f16 = f16::ZERO;
    pub(crate) const BF16_ZERO: bf16 = bf16::ZERO;

    macro_rules! real {
        ($ty:ty) => {
            impl Real for $ty {
                const ZERO: Self = <$ty>::ZERO;

                fn from_f32(value: f32) -> Self {
                    <$ty>::from_f32(value)
                }

                fn to_f32(self) -> f32 {
                    <$ty>::to_f32(self)
                }
            }
        };
    }
    real!(f16);
    real!(bf16);
}

#[cfg(target_arch = "nvptx64")]
mod imp {
    use core::arch::asm;
    use core::cmp::Ordering;
    use core::ops::{Add, Mul, Neg, Sub};

    use crate::Real;

    /// IEEE 754 binary16.
    pub use native::F16 as f16;

    /// The primitive type, named where nothing shadows it: `core::primitive` has no `f16` yet.
    mod native {
        /// IEEE 754 binary16.
        pub type F16 = f16;
    }

    /// bfloat16: the upper half of an `f32`.
    #[derive(Clone, Copy, Default)]
    #[allow(non_camel_case_types, reason = "named like the primitive types")]
    #[repr(transparent)]
    pub struct bf16(u16);

    pub(crate) const F16_ZERO: f16 = 0.0;
    pub(crate) const BF16_ZERO: bf16 = bf16(0);

    impl Real for f16 {
        const ZERO: Self = 0.0;

        #[inline(always)]
        fn from_f32(value: f32) -> Self {
            value as f16
        }

        #[inline(always)]
        fn to_f32(self) -> f32 {
            self as f32
        }
    }

    impl bf16 {
        /// The value with these bits.
        #[inline(always)]
        pub const fn from_bits(bits: u16) -> Self {
            Self(bits)
        }

        /// The bits.
        #[inline(always)]
        pub const fn to_bits(self) -> u16 {
            self.0
        }
    }

    /// `fma.rn.bf16`: a * b + c, rounded once to nearest even; subnormals kept. PTX ISA 9.7.4.4, sm_80 and up.
    #[inline(always)]
    fn fma(a: bf16, b: bf16, c: bf16) -> bf16 {
        let out: u16;
        // SAFETY: arithmetic on registers.
        unsafe {
            asm!("fma.rn.bf16 {}, {}, {}, {};", out(reg16) out, in(reg16) a.0, in(reg16) b.0, in(reg16) c.0,
                options(pure, nomem, nostack));
        }
        bf16(out)
    }

    const ONE: bf16 = bf16(0x3f80);
    const MINUS_ONE: bf16 = bf16(0xbf80);
    const MINUS_ZERO: bf16 = bf16(0x8000);

    impl Mul for bf16 {
        type Output = Self;

        /// a * b + (−0) is a * b with its own sign of zero, rounded once; `mul.bf16` would need sm_90.
        #[inline(always)]
        fn mul(self, other: Self) -> Self {
            fma(self, other, MINUS_ZERO)
        }
    }

    impl Add for bf16 {
        type Output = Self;

        #[inline(always)]
        fn add(self, other: Self) -> Self {
            fma(self, ONE, other)
        }
    }

    impl Sub for bf16 {
        type Output = Self;

        #[inline(always)]
        fn sub(self, other: Self) -> Self {
            fma(other, MINUS_ONE, self)
        }
    }

    impl Neg for bf16 {
        type Output = Self;

        #[inline(always)]
        fn neg(self) -> Self {
            Self(self.0 ^ 0x8000)
        }
    }

    impl PartialEq for bf16 {
        #[inline(always)]
        fn eq(&self, other: &Self) -> bool {
            self.to_f32() == other.to_f32()
        }
    }

    impl PartialOrd for bf16 {
        #[inline(always)]
        fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
            self.to_f32().partial_cmp(&other.to_f32())
        }
    }

    impl Real for bf16 {
        const ZERO: Self = BF16_ZERO;

        /// `cvt.rn.bf16.f32`, PTX ISA 9.7.9.22, sm_80 and up.
        #[inline(always)]
        fn from_f32(value: f32) -> Self {
            let out: u16;
            // SAFETY: arithmetic on registers.
            unsafe {
                asm!("cvt.rn.bf16.f32 {}, {};", out(reg16) out, in(reg32) value, options(pure, nomem, nostack));
            }
            Self(out)
        }

        #[inline(always)]
        fn to_f32(self) -> f32 {
            f32::from_bits(u32::from(self.0) << 16)
        }
    }
}

pub(crate) use imp::{BF16_ZERO, F16_ZERO};
pub use imp::{bf16, f16};
