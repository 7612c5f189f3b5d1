//! Lanes: what the loops need of a vector of f32, written once per instruction set.
//!
//! Every operation is IEEE's, per lane, with one rounding, so a loop gives the same bits in every set.

use crate::cpu::isa::Isa;

/// Lanes of the widest vector.
pub const MAX_LANES: usize = 16;

/// Σv and Σv² of each lane, in f64; those beyond the lanes of the vector are 0.
#[derive(Clone, Copy)]
pub struct Sums {
    pub sum: [f64; MAX_LANES],
    pub squares: [f64; MAX_LANES],
}

/// A vector of f32.
///
/// Its instructions may be such as not every processor has. So a vector comes from a [`Vector::Proof`], or from other
/// vectors, and a proof from [`dispatch`], which has asked.
pub trait Vector: Copy {
    /// Lanes, at most [`MAX_LANES`].
    const LANES: usize;
    /// That the processor has the instructions.
    type Proof: Copy;
    /// A vector in memory, aligned so that it never crosses a cache line.
    type Row: Copy + Default + AsRef<[f32]> + AsMut<[f32]> + Send;
    /// [`Sums`] in registers.
    type Sums: Copy;

    /// `x` in every lane.
    fn splat(proof: Self::Proof, x: f32) -> Self;
    fn load(proof: Self::Proof, row: &Self::Row) -> Self;
    fn store(self, row: &mut Self::Row);
    /// In memory.
    #[inline(always)]
    fn to_row(self) -> Self::Row {
        let mut row = Self::Row::default();
        self.store(&mut row);
        row
    }
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    /// `self · self + addend`, rounded once.
    fn square_add(self, addend: Self) -> Self;
    /// The smaller. Any bits where a lane is NaN.
    fn min(self, other: Self) -> Self;
    /// The larger. Any bits where a lane is NaN.
    fn max(self, other: Self) -> Self;
    fn no_sums(proof: Self::Proof) -> Self::Sums;
    /// `Σv + v` and `Σv² + v²`, v each lane in f64. The square of an f32 is exact there, so the second is what a fused
    /// multiply-add gives.
    fn add_to(self, sums: Self::Sums) -> Self::Sums;
    fn sums(sums: Self::Sums) -> Sums;
}

/// Work that is compiled once for each instruction set.
pub trait Work {
    type Output;

    /// Does it. Must be `#[inline(always)]`: only so it is compiled with the instructions of [`dispatch`]'s choice.
    fn run<V: Vector>(self, proof: V::Proof) -> Self::Output;
}

/// Does the work in the vectors of `isa`.
///
/// # Panics
/// Where the processor does not have it.
pub fn dispatch<W: Work>(isa: Isa, work: W) -> W::Output {
    assert!(Isa::available().contains(&isa), "this processor does not have {isa:?}");
    match isa {
        // SAFETY: the processor has the features, just asked.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx512 => unsafe { super::x86::run_avx512(work) },
        // SAFETY: the processor has the features, just asked.
        #[cfg(target_arch = "x86_64")]
        Isa::Avx2 => unsafe { super::x86::run_avx2(work) },
        Isa::Portable => work.run::<super::portable::Portable>(()),
    }
}

/// A vector in memory.
macro_rules! row {
    ($name:ident, $lanes:literal, $align:literal) => {
        #[doc = concat!("A vector of ", $lanes, " lanes in memory.")]
        #[derive(Clone, Copy, Default)]
        #[repr(C, align($align))]
        pub struct $name(pub [f32; $lanes]);

        impl AsRef<[f32]> for $name {
            fn as_ref(&self) -> &[f32] {
                &self.0
            }
        }

        impl AsMut<[f32]> for $name {
            fn as_mut(&mut self) -> &mut [f32] {
                &mut self.0
            }
        }
    };
}
row!(Row8, 8, 32);
row!(Row16, 16, 64);
