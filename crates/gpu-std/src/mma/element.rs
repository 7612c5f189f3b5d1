//! The types of the elements of A and B.

use crate::convert::cvt_rna_tf32_f32;
use crate::{DeviceRepr, bf16, f16};

/// An f32 of which the upper 19 bits count: 8 bits of exponent, 10 of fraction.
#[allow(non_camel_case_types, reason = "the name of the PTX type")]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(transparent)]
pub struct tf32(u32);

// SAFETY: a transparent u32; every bit pattern is a number.
unsafe impl DeviceRepr for tf32 {
    const NAME: &'static str = "tf32";
}

impl tf32 {
    /// The number with these bits. `mma` does not look at the lower 13: an f32's own bits are that number cut off.
    #[inline(always)]
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The bits.
    #[inline(always)]
    pub const fn to_bits(self) -> u32 {
        self.0
    }

    /// The nearest tf32, ties away from zero: [`cvt_rna_tf32_f32`].
    #[inline(always)]
    pub fn from_f32(value: f32) -> Self {
        Self(cvt_rna_tf32_f32(value))
    }

    /// The number that `mma` sees.
    #[inline(always)]
    pub const fn to_f32(self) -> f32 {
        f32::from_bits(self.0 & !0x1fff)
    }
}

mod sealed {
    pub trait Sealed {}
}

/// A type of the elements of A and B: `i8`, `u8`, `f16`, `bf16`, [`tf32`].
pub trait MmaElement: DeviceRepr + sealed::Sealed {
    /// Elements in a register of 32 bits.
    const PER_REGISTER: u32 = 4 / size_of::<Self>() as u32;

    /// The bits, zeros above.
    #[doc(hidden)]
    fn to_word(self) -> u32;

    /// The element whose bits are the lowest of `word`.
    #[doc(hidden)]
    fn from_word(word: u32) -> Self;
}

macro_rules! elements {
    ($($ty:ty: |$x:ident| $to:expr, |$word:ident| $from:expr;)*) => {$(
        impl sealed::Sealed for $ty {}
        impl MmaElement for $ty {
            #[inline(always)]
            fn to_word(self) -> u32 {
                let $x = self;
                $to
            }

            #[inline(always)]
            fn from_word($word: u32) -> Self {
                $from
            }
        }
    )*};
}

elements! {
    i8: |x| u32::from(x as u8), |word| word as i8;
    u8: |x| u32::from(x), |word| word as u8;
    f16: |x| u32::from(x.to_bits()), |word| f16::from_bits(word as u16);
    bf16: |x| u32::from(x.to_bits()), |word| bf16::from_bits(word as u16);
    tf32: |x| x.to_bits(), |word| tf32::from_bits(word);
}
