//! Element types: what they are called, how their bits are laid out.

use std::fmt;

use gpu_std::{Real, bf16, f16};

/// An element type of an op.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum DType {
    /// IEEE 754 binary32.
    F32,
    /// IEEE 754 binary16.
    F16,
    /// The upper half of an `f32`.
    Bf16,
    /// 8 bits, two's complement.
    I8,
    /// 32 bits, two's complement.
    I32,
    /// 64 bits, two's complement.
    I64,
}

impl DType {
    /// Bytes per element.
    pub const fn size_bytes(self) -> u64 {
        match self {
            Self::I64 => 8,
            Self::F32 | Self::I32 => 4,
            Self::F16 | Self::Bf16 => 2,
            Self::I8 => 1,
        }
    }

    /// The name as in PTX entries: `f32`, `f16`, `bf16`, `i8`, ….
    pub const fn name(self) -> &'static str {
        match self {
            Self::F32 => "f32",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
            Self::I8 => "i8",
            Self::I32 => "i32",
            Self::I64 => "i64",
        }
    }
}

impl fmt::Display for DType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Layout of an IEEE-like binary format: one sign bit, then exponent, then fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Format {
    /// Bits of the exponent.
    pub exponent_bits: u32,
    /// Stored bits of the significand.
    pub fraction_bits: u32,
}

impl Format {
    /// Bits of a value.
    pub const fn width(self) -> u32 {
        1 + self.exponent_bits + self.fraction_bits
    }
}

/// A number the reference, the CPU twin and the kernels all know.
pub trait Scalar: Real + PartialEq + fmt::Debug + fmt::Display + Send + Sync {
    /// Its type as a value.
    const DTYPE: DType;
    /// Its layout.
    const FORMAT: Format;

    /// The bits, in the low [`Format::width`] bits.
    fn bits(self) -> u64;

    /// The value with these bits; bits above [`Format::width`] are ignored.
    fn from_bits(bits: u64) -> Self;

    /// Whether it is not a number.
    fn is_nan(self) -> bool {
        let fraction = Self::FORMAT.fraction_bits;
        let magnitude = self.bits() & !(1 << (Self::FORMAT.width() - 1));
        magnitude > ((1 << Self::FORMAT.exponent_bits) - 1) << fraction
    }
}

macro_rules! scalar {
    ($($ty:ty, $bits:ty, $dtype:ident, $exponent:literal, $fraction:literal;)*) => {$(
        impl Scalar for $ty {
            const DTYPE: DType = DType::$dtype;
            const FORMAT: Format = Format { exponent_bits: $exponent, fraction_bits: $fraction };

            fn bits(self) -> u64 {
                u64::from(self.to_bits())
            }

            fn from_bits(bits: u64) -> Self {
                <$ty>::from_bits(bits as $bits)
            }
        }
    )*};
}
scalar! {
    f32, u32, F32, 8, 23;
    f16, u16, F16, 5, 10;
    bf16, u16, Bf16, 8, 7;
}

/// Calls `$body` with the element type that `$dtype` names as `$T`; refuses all but f32, f16 and bf16.
macro_rules! with_type {
    ($op:expr, $dtype:expr, |$T:ident| $body:expr) => {
        match $dtype {
            $crate::ops::DType::F32 => {
                type $T = f32;
                $body
            }
            $crate::ops::DType::F16 => {
                type $T = gpu_std::f16;
                $body
            }
            $crate::ops::DType::Bf16 => {
                type $T = gpu_std::bf16;
                $body
            }
            dtype => {
                let has = "f32, f16, bf16".to_owned();
                Err($crate::ops::OpError::NoInstance { op: $op, dtype, has }.into())
            }
        }
    };
}
pub(crate) use with_type;

#[cfg(test)]
mod tests {
    use super::*;

    fn nan_is_found<T: Scalar>() {
        let infinity = ((1_u64 << T::FORMAT.exponent_bits) - 1) << T::FORMAT.fraction_bits;
        assert!(!T::from_bits(infinity).is_nan());
        assert!(T::from_bits(infinity | 1).is_nan());
        assert!(T::from_bits(u64::MAX).is_nan());
        assert!(!T::from_bits(0).is_nan());
    }

    #[test]
    fn nan_is_told_from_infinity_in_every_format() {
        nan_is_found::<f32>();
        nan_is_found::<f16>();
        nan_is_found::<bf16>();
    }

    #[test]
    fn sizes_agree_with_the_types() {
        assert_eq!(DType::F32.size_bytes() as usize, size_of::<f32>());
        assert_eq!(DType::F16.size_bytes() as usize, size_of::<f16>());
        assert_eq!(DType::Bf16.size_bytes() as usize, size_of::<bf16>());
    }
}
