//! Fragments and the register fragments of A, with their layouts.

use core::marker::PhantomData;

use super::text;

/// `N` columns, as a type: implements [`Width`] where there is an instruction of so many.
#[derive(Clone, Copy, Debug)]
pub struct Columns<const N: usize>;

/// The registers of so many columns.
pub trait Registers {
    /// `[u32; N / 2]`
    type Array: Copy + AsRef<[u32]> + AsMut<[u32]>;

    /// Zero in every register.
    fn zero() -> Self::Array;

    /// `f` of each index, unrolled.
    fn each(f: impl FnMut(usize));
}

/// Numbers of columns that instructions of floats have: 8, 16, … 256.
pub trait Width: Registers + text::Floats {}

/// Numbers of columns that instructions of integers have: 8, 16, 24, 32 and the multiples of 16 up to 256.
pub trait IntegerWidth: Width + text::Integers {}

/// What an accumulator is made of: `i32` or `f32`.
pub trait Number: Copy + private::Bits {}
impl Number for i32 {}
impl Number for f32 {}

mod private {
    /// A number of 32 bits. Registers are untyped: a float that went in and out as one would be copied on the way.
    pub trait Bits {
        fn to_raw(self) -> u32;
        fn from_raw(raw: u32) -> Self;
    }

    impl Bits for i32 {
        #[inline(always)]
        fn to_raw(self) -> u32 {
            self as u32
        }

        #[inline(always)]
        fn from_raw(raw: u32) -> i32 {
            raw as i32
        }
    }

    impl Bits for f32 {
        #[inline(always)]
        fn to_raw(self) -> u32 {
            self.to_bits()
        }

        #[inline(always)]
        fn from_raw(raw: u32) -> f32 {
            f32::from_bits(raw)
        }
    }
}

/// A thread's part of the 64 × `N` results of a warpgroup: `N / 2` numbers in registers.
///
/// Indices are to be constants ([`unroll!`](crate::unroll!), [`Acc::each`]): an accumulator that is indexed by a number known only when the
/// kernel runs lies in local memory.
#[derive(Clone, Copy)]
pub struct Acc<T: Number, const N: usize>
where
    Columns<N>: Width,
{
    pub(super) registers: <Columns<N> as Registers>::Array,
    number: PhantomData<T>,
}

impl<T: Number, const N: usize> Acc<T, N>
where
    Columns<N>: Width,
{
    /// Numbers of a thread.
    pub const LEN: usize = N / 2;

    /// All zero. The first instruction may as well ignore what is in it (`scale_d`).
    #[inline(always)]
    pub fn zero() -> Self {
        Self { registers: Columns::<N>::zero(), number: PhantomData }
    }

    /// The row and column of element `index` (below [`LEN`](Self::LEN)) of thread `thread` (below 128) of the warpgroup.
    ///
    /// Warp w has rows 16 w to 16 w + 15; in a warp, lane l has rows l / 4 and l / 4 + 8, and of each 8 columns
    /// 2 (l % 4) and the next: the pair of the first row, then that of the second.
    #[inline(always)]
    pub const fn element(thread: usize, index: usize) -> (usize, usize) {
        let (warp, lane) = (thread / 32, thread % 32);
        (16 * warp + lane / 4 + index / 2 % 2 * 8, index / 4 * 8 + lane % 4 * 2 + index % 2)
    }

    /// Element `index`; the instructions that write it must have been waited for.
    #[inline(always)]
    pub fn get(&self, index: usize) -> T {
        T::from_raw(self.registers.as_ref()[index])
    }

    /// `f(0)`, `f(1)`, … one call after the other for each index, unrolled. Closures say `#[inline(always)] |i| …`.
    #[inline(always)]
    pub fn each(f: impl FnMut(usize)) {
        Columns::<N>::each(f);
    }

    /// Sets element `index`.
    #[inline(always)]
    pub fn set(&mut self, index: usize, value: T) {
        self.registers.as_mut()[index] = value.to_raw();
    }
}

/// Registers that a fence or a wait is about: [`Acc`], [`A8`], [`A16`], and pairs and arrays of them.
pub trait Fragments {
    /// Keeps what is written before and read after in its place.
    #[doc(hidden)]
    fn pin_all(&mut self);
}

impl Fragments for () {
    #[inline(always)]
    fn pin_all(&mut self) {}
}

impl<T: Number, const N: usize> Fragments for Acc<T, N>
where
    Columns<N>: Width,
{
    #[inline(always)]
    fn pin_all(&mut self) {
        <Columns<N> as text::Floats>::pin(&mut self.registers);
    }
}

impl<A: Fragments, const COUNT: usize> Fragments for [A; COUNT] {
    #[inline(always)]
    fn pin_all(&mut self) {
        crate::unroll!(for i in 0..COUNT {
            self[i].pin_all();
        });
    }
}

impl<A: Fragments, B: Fragments> Fragments for (&mut A, &mut B) {
    #[inline(always)]
    fn pin_all(&mut self) {
        self.0.pin_all();
        self.1.pin_all();
    }
}

/// A thread's part of 64 × 32 elements of 8 bits of A, four to a register, the lowest k in the lowest byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct A8(pub [u32; 4]);

impl A8 {
    /// The row and the k of element `index` (below 16) of thread `thread` (below 128) of the warpgroup: byte `index % 4` of
    /// register `index / 4`.
    #[inline(always)]
    pub const fn element(thread: usize, index: usize) -> (usize, usize) {
        let (warp, lane) = (thread / 32, thread % 32);
        (16 * warp + lane / 4 + index / 4 % 2 * 8, lane % 4 * 4 + index % 4 + index / 8 * 16)
    }
}

/// A thread's part of 64 × 16 elements of 16 bits of A, two to a register, the lower k in the lower half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(transparent)]
pub struct A16(pub [u32; 4]);

impl A16 {
    /// The row and the k of element `index` (below 8) of thread `thread` (below 128) of the warpgroup: half `index % 2` of
    /// register `index / 2`.
    #[inline(always)]
    pub const fn element(thread: usize, index: usize) -> (usize, usize) {
        let (warp, lane) = (thread / 32, thread % 32);
        (16 * warp + lane / 4 + index / 2 % 2 * 8, lane % 4 * 2 + index % 2 + index / 4 * 8)
    }
}

macro_rules! operands {
    ($($ty:ty)*) => {$(
        impl Fragments for $ty {
            #[inline(always)]
            fn pin_all(&mut self) {
                text::pin_a(&mut self.0);
            }
        }
    )*};
}
operands!(A8 A16);

macro_rules! widths {
    ($($n:literal)*; $($integers:literal)*) => {
        $(impl Width for Columns<$n> {}
        impl Registers for Columns<$n> {
            type Array = [u32; $n / 2];

            #[inline(always)]
            fn zero() -> [u32; $n / 2] {
                crate::unroll::filled(0)
            }

            #[inline(always)]
            fn each(f: impl FnMut(usize)) {
                crate::unroll::unroll::<{ $n / 2 }>(f);
            }
        })*
        $(impl IntegerWidth for Columns<$integers> {})*
    };
}

widths! {
    8 16 24 32 40 48 56 64 72 80 88 96 104 112 120 128 136 144 152 160 168 176 184 192 200 208 216 224 232 240 248 256;
    8 16 24 32 48 64 80 96 112 128 144 160 176 192 208 224 240 256
}
