//! Types that may cross between host and device, and the numbers kernels are generic over.

use core::ops::{Add, Mul, Neg, Sub};

use crate::{bf16, f16};

/// Plain data whose bytes mean the same on host and device.
///
/// Derive it for `#[repr(C)]` structs of such types. `bool`, `usize`, `char`, tuples, `Option` and references do not have
/// it: their validity or layout is the compiler's own.
///
/// # Safety
/// - The layout is fixed (`repr(C)`, `repr(transparent)` or a primitive), with an alignment of at most 16.
/// - Every bit pattern is a valid value, and the type holds no host pointer.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not cross to the device: it has no `DeviceRepr`",
    label = "no `DeviceRepr`",
    note = "a struct of fixed-width numbers: write `#[derive(Clone, Copy, DeviceRepr)]` and `#[repr(C)]` above it",
    note = "anything else: pass what it holds as numbers, as `&[T]` or as `GridMut<T>`"
)]
pub unsafe trait DeviceRepr: Copy + 'static {
    /// The type's name in messages and records.
    const NAME: &'static str;
}

macro_rules! device_repr {
    ($($ty:ty),*) => {$(
        // SAFETY: a number: fixed layout, every bit pattern valid.
        unsafe impl DeviceRepr for $ty {
            const NAME: &'static str = stringify!($ty);
        }
    )*};
}
device_repr!(i8, i16, i32, i64, u8, u16, u32, u64, f32, f64, f16, bf16);

// SAFETY: an array has its element's alignment and validity, and no padding of its own.
unsafe impl<T: DeviceRepr, const N: usize> DeviceRepr for [T; N] {
    const NAME: &'static str = "array";
}

const _: () = {
    assert!(size_of::<f16>() == 2 && align_of::<f16>() == 2);
    assert!(size_of::<bf16>() == 2 && align_of::<bf16>() == 2);
};

/// A scalar that 16-byte loads and stores can carry.
///
/// # Safety
/// `Lanes` is `[Self; LANES]` and fills 16 bytes.
pub unsafe trait Element: DeviceRepr {
    /// Scalars in 16 bytes.
    const LANES: usize;
    /// `[Self; LANES]`.
    type Lanes: Copy + AsRef<[Self]> + AsMut<[Self]>;
    /// `LANES` times zero.
    const ZEROS: Self::Lanes;
}

macro_rules! element {
    ($($ty:ty = $lanes:literal, $zero:expr;)*) => {$(
        // SAFETY: `$lanes` of these fill 16 bytes, asserted below.
        unsafe impl Element for $ty {
            const LANES: usize = $lanes;
            type Lanes = [$ty; $lanes];
            const ZEROS: Self::Lanes = [$zero; $lanes];
        }
        const _: () = assert!(size_of::<Vec16<$ty>>() == 16 && align_of::<Vec16<$ty>>() == 16);
    )*};
}
element! {
    i8 = 16, 0; u8 = 16, 0; i16 = 8, 0; u16 = 8, 0; i32 = 4, 0; u32 = 4, 0; i64 = 2, 0; u64 = 2, 0;
    f32 = 4, 0.0; f64 = 2, 0.0; f16 = 8, crate::half_types::F16_ZERO; bf16 = 8, crate::half_types::BF16_ZERO;
}

/// 16 aligned bytes of `T`: what one vector load or store moves.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
pub struct Vec16<T: Element>(T::Lanes);

// SAFETY: 16 bytes of numbers, alignment 16.
unsafe impl<T: Element> DeviceRepr for Vec16<T> {
    const NAME: &'static str = "Vec16";
}

impl<T: Element> Vec16<T> {
    /// The lanes, computed one by one.
    #[inline(always)]
    pub fn from_fn(mut lane: impl FnMut(usize) -> T) -> Self {
        let mut lanes = T::ZEROS;
        let slots = lanes.as_mut();
        let mut i = 0;
        while i < T::LANES {
            slots[i] = lane(i);
            i += 1;
        }
        Self(lanes)
    }

    /// Lane `i`.
    ///
    /// # Panics
    /// Where `i` is not below `T::LANES`.
    #[inline(always)]
    pub fn lane(&self, i: usize) -> T {
        self.0.as_ref()[i]
    }

    /// Sets lane `i`.
    ///
    /// # Panics
    /// Where `i` is not below `T::LANES`.
    #[inline(always)]
    pub fn set_lane(&mut self, i: usize, value: T) {
        self.0.as_mut()[i] = value;
    }
}

/// A floating-point scalar kernels compute with: one rounding to nearest even per operation.
pub trait Real:
    Element + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self> + PartialOrd
{
    /// Zero.
    const ZERO: Self;

    /// The nearest value, ties to even; overflow gives infinity.
    fn from_f32(value: f32) -> Self;

    /// The same value, exactly.
    fn to_f32(self) -> f32;
}

impl Real for f32 {
    const ZERO: Self = 0.0;

    #[inline(always)]
    fn from_f32(value: f32) -> Self {
        value
    }

    #[inline(always)]
    fn to_f32(self) -> f32 {
        self
    }
}
