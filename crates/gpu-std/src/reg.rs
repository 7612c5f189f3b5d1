//! How numbers stand in PTX registers: rustc's `asm!` has 16, 32 and 64 bits of integer or float, nothing else.

use crate::packed::{bf16x2, f16x2};
use crate::{bf16, f16};

/// A number and the register type that carries it.
pub(crate) trait Reg: Copy {
    /// What `asm!` takes.
    type Raw: Copy;

    fn to_raw(self) -> Self::Raw;
    fn from_raw(raw: Self::Raw) -> Self;
}

macro_rules! own {
    ($($ty:ty),*) => {$(
        impl Reg for $ty {
            type Raw = $ty;

            #[inline(always)]
            fn to_raw(self) -> $ty {
                self
            }

            #[inline(always)]
            fn from_raw(raw: $ty) -> $ty {
                raw
            }
        }
    )*};
}
own!(i16, u16, i32, u32, i64, u64, f32, f64);

macro_rules! bits {
    ($($ty:ty = $raw:ty),*) => {$(
        impl Reg for $ty {
            type Raw = $raw;

            #[inline(always)]
            fn to_raw(self) -> $raw {
                self.to_bits()
            }

            #[inline(always)]
            fn from_raw(raw: $raw) -> $ty {
                <$ty>::from_bits(raw)
            }
        }
    )*};
}
bits!(f16 = u16, bf16 = u16, f16x2 = u32, bf16x2 = u32);
