//! What the tensor cores multiply: the types of the operands, of the sums, and the instruction.
//!
//! All of them take 32 bytes along k at once, so tiles, copies and fragments are the same for all.

use gpu_std::mma::{FragA, FragB, FragC, mma_sync};
use gpu_std::{DeviceRepr, bf16, f16};

/// A product of a warp: A of 16 rows, B of 8 columns, 32 bytes along k.
pub trait Product: Copy {
    /// What is summed up in.
    type Sum: DeviceRepr;
    /// The sum of all planes of B.
    type Total: Copy;
    /// Bytes of an element of A, and of each plane of B.
    const BYTES: usize;
    /// Planes of B: 1, or 2 whose sums make one total.
    const PLANES: usize;
    /// No products.
    const ZERO: Self::Sum;

    /// `sum` and the product with plane `plane` of B.
    ///
    /// # Safety
    /// As [`mma_sync`].
    unsafe fn multiply(plane: usize, a: [u32; 4], b: [u32; 2], sum: [Self::Sum; 4]) -> [Self::Sum; 4];

    /// The sum of the sums of two parts of k.
    fn plus(x: Self::Sum, y: Self::Sum) -> Self::Sum;

    /// The total of the first and the last plane.
    fn total(first: Self::Sum, last: Self::Sum) -> Self::Total;
}

/// a·b + c of operands in registers.
///
/// # Safety
/// As [`mma_sync`].
#[inline(always)]
unsafe fn product<A, B, const K: usize>(a: [u32; 4], b: [u32; 2], c: [A::Sum; 4]) -> [A::Sum; 4]
where
    A: gpu_std::mma::MmaWith<B, K>,
    B: gpu_std::mma::MmaElement,
{
    let (a, b) = (FragA::<A, 16, K>::from_registers(a), FragB::<B, 8, K>::from_registers(b));
    // SAFETY: promised by the caller.
    unsafe { mma_sync(a, b, FragC::from_registers(c)) }.registers
}

/// i8 times i8, summed in i32 modulo 2^32.
#[derive(Clone, Copy, Debug)]
pub struct Int8;

impl Product for Int8 {
    type Sum = i32;
    type Total = i32;
    const BYTES: usize = 1;
    const PLANES: usize = 1;
    const ZERO: i32 = 0;

    #[inline(always)]
    unsafe fn multiply(_: usize, a: [u32; 4], b: [u32; 2], sum: [i32; 4]) -> [i32; 4] {
        // SAFETY: promised by the caller.
        unsafe { product::<i8, i8, 32>(a, b, sum) }
    }

    #[inline(always)]
    fn plus(x: i32, y: i32) -> i32 {
        x.wrapping_add(y)
    }

    #[inline(always)]
    fn total(first: i32, _: i32) -> i32 {
        first
    }
}

/// i8 times i16, the latter as two planes: its high byte as i8 and its low byte as u8. Each is summed in i32, the total is i64.
#[derive(Clone, Copy, Debug)]
pub struct Int8By16;

impl Product for Int8By16 {
    type Sum = i32;
    type Total = i64;
    const BYTES: usize = 1;
    const PLANES: usize = 2;
    const ZERO: i32 = 0;

    #[inline(always)]
    unsafe fn multiply(plane: usize, a: [u32; 4], b: [u32; 2], sum: [i32; 4]) -> [i32; 4] {
        // SAFETY: promised by the caller.
        unsafe {
            if plane == 0 { product::<i8, i8, 32>(a, b, sum) } else { product::<i8, u8, 32>(a, b, sum) }
        }
    }

    #[inline(always)]
    fn plus(x: i32, y: i32) -> i32 {
        x.wrapping_add(y)
    }

    #[inline(always)]
    fn total(first: i32, last: i32) -> i64 {
        (i64::from(first) << 8) + i64::from(last)
    }
}

/// The product of a float type with itself, summed in f32.
pub trait Float: DeviceRepr {
    /// That product.
    type Product: Product<Sum = f32, Total = f32>;
}

macro_rules! floats {
    ($($(#[$meta:meta])* $name:ident: $ty:ty;)*) => {$(
        $(#[$meta])*
        #[derive(Clone, Copy, Debug)]
        pub struct $name;

        impl Float for $ty {
            type Product = $name;
        }

        impl Product for $name {
            type Sum = f32;
            type Total = f32;
            const BYTES: usize = 2;
            const PLANES: usize = 1;
            const ZERO: f32 = 0.0;

            #[inline(always)]
            unsafe fn multiply(_: usize, a: [u32; 4], b: [u32; 2], sum: [f32; 4]) -> [f32; 4] {
                // SAFETY: promised by the caller.
                unsafe { product::<$ty, $ty, 16>(a, b, sum) }
            }

            #[inline(always)]
            fn plus(x: f32, y: f32) -> f32 {
                x + y
            }

            #[inline(always)]
            fn total(first: f32, _: f32) -> f32 {
                first
            }
        }
    )*};
}
floats! {
    /// f16 times f16.
    Float16: f16;
    /// bf16 times bf16.
    BFloat16: bf16;
}
