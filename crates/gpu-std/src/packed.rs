//! Two halves in one 32-bit register, and the instructions that compute both at once.
//!
//! The conventions are those of [`crate::math`]: names are opcodes, results on the host are the same.

use core::ops::{Add, Mul, Neg, Sub};

use crate::{DeviceRepr, Element, bf16, f16};

#[cfg(not(target_arch = "nvptx64"))]
use crate::math;

macro_rules! pair {
    ($(#[$doc:meta])* $name:ident of $half:ident) => {
        $(#[$doc])*
        #[allow(non_camel_case_types, reason = "the name of the PTX type")]
        #[derive(Clone, Copy, Default)]
        #[repr(transparent)]
        pub struct $name(u32);

        // SAFETY: a transparent u32; every bit pattern is two numbers.
        unsafe impl DeviceRepr for $name {
            const NAME: &'static str = stringify!($name);
        }

        // SAFETY: four times four bytes.
        unsafe impl Element for $name {
            const LANES: usize = 4;
            type Lanes = [Self; 4];
            const ZEROS: [Self; 4] = [Self(0); 4];
        }

        impl $name {
            /// Twice zero.
            pub const ZERO: Self = Self(0);

            /// The pair with these bits: the lower half in bits 0 to 15.
            #[inline(always)]
            pub const fn from_bits(bits: u32) -> Self {
                Self(bits)
            }

            /// The bits.
            #[inline(always)]
            pub const fn to_bits(self) -> u32 {
                self.0
            }

            /// The pair of a lower and an upper half.
            #[inline(always)]
            pub fn new(lo: $half, hi: $half) -> Self {
                Self(lo.to_bits() as u32 | (hi.to_bits() as u32) << 16)
            }

            /// The same number twice.
            #[inline(always)]
            pub fn splat(x: $half) -> Self {
                Self::new(x, x)
            }

            /// The lower half.
            #[inline(always)]
            pub fn lo(self) -> $half {
                $half::from_bits(self.0 as u16)
            }

            /// The upper half.
            #[inline(always)]
            pub fn hi(self) -> $half {
                $half::from_bits((self.0 >> 16) as u16)
            }

            /// `f` of each half.
            #[cfg(not(target_arch = "nvptx64"))]
            fn map(self, f: impl Fn($half) -> $half) -> Self {
                Self::new(f(self.lo()), f(self.hi()))
            }

            #[cfg(not(target_arch = "nvptx64"))]
            fn map2(self, y: Self, f: impl Fn($half, $half) -> $half) -> Self {
                Self::new(f(self.lo(), y.lo()), f(self.hi(), y.hi()))
            }

            #[cfg(not(target_arch = "nvptx64"))]
            fn map3(self, y: Self, z: Self, f: impl Fn($half, $half, $half) -> $half) -> Self {
                Self::new(f(self.lo(), y.lo(), z.lo()), f(self.hi(), y.hi(), z.hi()))
            }
        }

        impl core::fmt::Debug for $name {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                write!(f, concat!(stringify!($name), "({:#010x})"), self.0)
            }
        }
    };
}

pair! {
    /// Two `f16`.
    f16x2 of f16
}
pair! {
    /// Two `bf16`.
    bf16x2 of bf16
}

instructions! {
    isa "Half Precision Floating Point Instructions", reg32 => reg32;

    /// x + y, rounded to nearest even; never fused with a product.
    pub fn add_rn_f16x2(x: f16x2, y: f16x2) -> f16x2 = "add.rn.f16x2" => x.map2(y, math::add_rn_f16);
    /// x − y, rounded to nearest even; never fused with a product.
    pub fn sub_rn_f16x2(x: f16x2, y: f16x2) -> f16x2 = "sub.rn.f16x2" => x.map2(y, math::sub_rn_f16);
    /// x * y, rounded to nearest even; never fused with a sum.
    pub fn mul_rn_f16x2(x: f16x2, y: f16x2) -> f16x2 = "mul.rn.f16x2" => x.map2(y, math::mul_rn_f16);
    /// x + y, clamped to [0, 1].
    pub fn add_rn_sat_f16x2(x: f16x2, y: f16x2) -> f16x2 = "add.rn.sat.f16x2" => x.map2(y, math::add_rn_sat_f16);
    /// x * y, clamped to [0, 1].
    pub fn mul_rn_sat_f16x2(x: f16x2, y: f16x2) -> f16x2 = "mul.rn.sat.f16x2" => x.map2(y, math::mul_rn_sat_f16);
    /// x * y + z, rounded once to nearest even.
    pub fn fma_rn_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2 = "fma.rn.f16x2" => x.map3(y, z, math::fma_rn_f16);
    /// x * y + z, rounded once, subnormals flushed.
    pub fn fma_rn_ftz_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2 = "fma.rn.ftz.f16x2"
        => x.map3(y, z, math::fma_rn_ftz_f16);
    /// x * y + z, clamped to [0, 1].
    pub fn fma_rn_sat_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2 = "fma.rn.sat.f16x2"
        => x.map3(y, z, math::fma_rn_sat_f16);
    /// max(x * y + z, 0), rounded once; NaN stays.
    pub fn fma_rn_relu_f16x2(x: f16x2, y: f16x2, z: f16x2) -> f16x2 = "fma.rn.relu.f16x2"
        => x.map3(y, z, math::fma_rn_relu_f16);
    /// |x|.
    pub fn abs_f16x2(x: f16x2) -> f16x2 = "abs.f16x2" => x.map(math::abs_f16);
    /// −x.
    pub fn neg_f16x2(x: f16x2) -> f16x2 = "neg.f16x2" => x.map(math::neg_f16);
    /// The smaller; of a number and NaN the number; −0 below +0.
    pub fn min_f16x2(x: f16x2, y: f16x2) -> f16x2 = "min.f16x2" => x.map2(y, math::min_f16);
    /// The larger; of a number and NaN the number; −0 below +0.
    pub fn max_f16x2(x: f16x2, y: f16x2) -> f16x2 = "max.f16x2" => x.map2(y, math::max_f16);
    /// The smaller, NaN where an operand is NaN; −0 below +0.
    pub fn min_nan_f16x2(x: f16x2, y: f16x2) -> f16x2 = "min.NaN.f16x2" => x.map2(y, math::min_nan_f16);
    /// The larger, NaN where an operand is NaN; −0 below +0.
    pub fn max_nan_f16x2(x: f16x2, y: f16x2) -> f16x2 = "max.NaN.f16x2" => x.map2(y, math::max_nan_f16);
    /// tanh(x) with an absolute error of at most 2^-10.987.
    pub fn tanh_approx_f16x2(x: f16x2) -> f16x2 = "tanh.approx.f16x2" => x.map(math::tanh_approx_f16);
    /// 2^x with a relative error of at most 2^-9.9, and one subnormal step more where the result is subnormal.
    pub fn ex2_approx_f16x2(x: f16x2) -> f16x2 = "ex2.approx.f16x2" => x.map(math::ex2_approx_f16);

    /// x * y + z, rounded once to nearest even.
    pub fn fma_rn_bf16x2(x: bf16x2, y: bf16x2, z: bf16x2) -> bf16x2 = "fma.rn.bf16x2" => x.map3(y, z, math::fma_rn_bf16);
    /// max(x * y + z, 0), rounded once; NaN stays.
    pub fn fma_rn_relu_bf16x2(x: bf16x2, y: bf16x2, z: bf16x2) -> bf16x2 = "fma.rn.relu.bf16x2"
        => x.map3(y, z, math::fma_rn_relu_bf16);
    /// x + y, rounded to nearest even. The operator `+` does the same on sm_80.
    pub fn add_rn_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "add.rn.bf16x2", sm 90 => x.map2(y, math::add_rn_bf16);
    /// x − y, rounded to nearest even. The operator `-` does the same on sm_80.
    pub fn sub_rn_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "sub.rn.bf16x2", sm 90 => x.map2(y, math::sub_rn_bf16);
    /// x * y, rounded to nearest even. The operator `*` does the same on sm_80.
    pub fn mul_rn_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "mul.rn.bf16x2", sm 90 => x.map2(y, math::mul_rn_bf16);
    /// |x|.
    pub fn abs_bf16x2(x: bf16x2) -> bf16x2 = "abs.bf16x2" => x.map(math::abs_bf16);
    /// −x.
    pub fn neg_bf16x2(x: bf16x2) -> bf16x2 = "neg.bf16x2" => x.map(math::neg_bf16);
    /// The smaller; of a number and NaN the number; −0 below +0.
    pub fn min_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "min.bf16x2" => x.map2(y, math::min_bf16);
    /// The larger; of a number and NaN the number; −0 below +0.
    pub fn max_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "max.bf16x2" => x.map2(y, math::max_bf16);
    /// The smaller, NaN where an operand is NaN; −0 below +0.
    pub fn min_nan_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "min.NaN.bf16x2" => x.map2(y, math::min_nan_bf16);
    /// The larger, NaN where an operand is NaN; −0 below +0.
    pub fn max_nan_bf16x2(x: bf16x2, y: bf16x2) -> bf16x2 = "max.NaN.bf16x2" => x.map2(y, math::max_nan_bf16);
    /// tanh(x) with an absolute error of at most 2^-8.
    pub fn tanh_approx_bf16x2(x: bf16x2) -> bf16x2 = "tanh.approx.bf16x2", sm 90 => x.map(math::tanh_approx_bf16);
    /// 2^x with a relative error of at most 2^-7, subnormals flushed.
    pub fn ex2_approx_ftz_bf16x2(x: bf16x2) -> bf16x2 = "ex2.approx.ftz.bf16x2", sm 90
        => x.map(math::ex2_approx_ftz_bf16);
}

impl Add for f16x2 {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        add_rn_f16x2(self, other)
    }
}

impl Sub for f16x2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        sub_rn_f16x2(self, other)
    }
}

impl Mul for f16x2 {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        mul_rn_f16x2(self, other)
    }
}

impl Neg for f16x2 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ 0x8000_8000)
    }
}

const BF16X2_ONE: bf16x2 = bf16x2(0x3f80_3f80);
const BF16X2_MINUS_ONE: bf16x2 = bf16x2(0xbf80_bf80);
const BF16X2_MINUS_ZERO: bf16x2 = bf16x2(0x8000_8000);

impl Add for bf16x2 {
    type Output = Self;

    /// self * 1 + other by `fma.rn.bf16x2`: the sum, rounded once; `add.bf16x2` would need sm_90.
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        fma_rn_bf16x2(self, BF16X2_ONE, other)
    }
}

impl Sub for bf16x2 {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        fma_rn_bf16x2(other, BF16X2_MINUS_ONE, self)
    }
}

impl Mul for bf16x2 {
    type Output = Self;

    /// self * other + (−0) by `fma.rn.bf16x2`: the product with its own sign of zero, rounded once.
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        fma_rn_bf16x2(self, other, BF16X2_MINUS_ZERO)
    }
}

impl Neg for bf16x2 {
    type Output = Self;

    #[inline(always)]
    fn neg(self) -> Self {
        Self(self.0 ^ 0x8000_8000)
    }
}
