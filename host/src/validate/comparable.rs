//! What can be compared: floats by their formats, integers by their values.

use gpu_std::DeviceRepr;

use crate::ops::Scalar;
use crate::reference::round::widen;

/// A number of an output.
pub trait Comparable: DeviceRepr + PartialEq + Send + Sync {
    /// The bits, in the low ones.
    fn raw(self) -> u64;

    /// The number with these bits; those above its width are ignored.
    fn from_raw(bits: u64) -> Self;

    /// Whether it is a NaN.
    fn is_not_a_number(self) -> bool;

    /// Its value, rounded where an `i64` has more than 53 bits.
    fn to_f64(self) -> f64;

    /// Numbers of the type from `other` to this one; 0 and −0 are one apart.
    fn ulps_from(self, other: Self) -> u64;

    /// The distance from its magnitude to the next smaller one, at least the smallest subnormal; 1 for integers.
    fn ulp(self) -> f64;
}

impl<T: Scalar> Comparable for T {
    fn raw(self) -> u64 {
        self.bits()
    }

    fn from_raw(bits: u64) -> Self {
        T::from_bits(bits)
    }

    fn is_not_a_number(self) -> bool {
        self.is_nan()
    }

    fn to_f64(self) -> f64 {
        widen(self)
    }

    fn ulps_from(self, other: Self) -> u64 {
        let order = |bits: u64| {
            let sign = 1_u64 << (T::FORMAT.width() - 1);
            if bits & sign == 0 { (sign + bits) as i128 } else { (2 * sign - 1 - bits) as i128 }
        };
        order(self.bits()).abs_diff(order(other.bits())) as u64
    }

    fn ulp(self) -> f64 {
        let magnitude = self.bits() & !(1 << (T::FORMAT.width() - 1));
        let exponent = (magnitude >> T::FORMAT.fraction_bits).max(1);
        let bias = (1_i32 << (T::FORMAT.exponent_bits - 1)) - 1;
        f64::powi(2.0, exponent as i32 - bias - T::FORMAT.fraction_bits as i32)
    }
}

macro_rules! integers {
    ($($ty:ty: $unsigned:ty;)*) => {$(
        impl Comparable for $ty {
            fn raw(self) -> u64 {
                u64::from(self as $unsigned)
            }

            fn from_raw(bits: u64) -> Self {
                bits as $ty
            }

            fn is_not_a_number(self) -> bool {
                false
            }

            fn to_f64(self) -> f64 {
                self as f64
            }

            fn ulps_from(self, other: Self) -> u64 {
                u64::from(self.abs_diff(other))
            }

            fn ulp(self) -> f64 {
                1.0
            }
        }
    )*};
}
integers! { i8: u8; u8: u8; i16: u16; i32: u32; u32: u32; i64: u64; }

#[cfg(test)]
mod tests {
    use gpu_std::{bf16, f16};

    use super::*;

    #[test]
    fn one_ulp_is_one_step_of_the_type() {
        let f16 = |bits| <f16 as Scalar>::from_bits(bits);
        let bf16 = |bits| <bf16 as Scalar>::from_bits(bits);
        assert_eq!(f16(0).ulps_from(f16(0x8000)), 1);
        assert_eq!(bf16(0x3f80).ulps_from(bf16(0x3f83)), 3);
        assert_eq!(f16(0).ulp(), f64::powi(2.0, -24));
        assert_eq!((-128_i8).ulps_from(127), 255);
    }

    #[test]
    fn raw_bits_go_in_and_out() {
        assert_eq!((-1_i8).raw(), 0xff);
        assert_eq!(<i8 as Comparable>::from_raw(u64::MAX), -1);
        assert_eq!(<i64 as Comparable>::from_raw(i64::MIN.raw()), i64::MIN);
    }
}
