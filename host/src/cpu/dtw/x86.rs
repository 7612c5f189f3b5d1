//! Vectors of AVX2 and of AVX-512.

use core::arch::x86_64::{
    __m256, __m256d, __m512, __m512d, _mm256_add_pd, _mm256_castpd_ps, _mm256_castps256_ps128,
    _mm256_cvtps_pd, _mm256_extractf128_ps, _mm256_fmadd_pd, _mm256_fmadd_ps, _mm256_load_ps, _mm256_max_ps,
    _mm256_min_ps, _mm256_mul_ps, _mm256_set1_ps, _mm256_setzero_pd, _mm256_store_ps, _mm256_storeu_pd,
    _mm256_sub_ps, _mm512_add_pd, _mm512_castps_pd, _mm512_castps512_ps256, _mm512_cvtps_pd,
    _mm512_extractf64x4_pd, _mm512_fmadd_pd, _mm512_fmadd_ps, _mm512_load_ps, _mm512_max_ps, _mm512_min_ps,
    _mm512_mul_ps, _mm512_set1_ps, _mm512_setzero_pd, _mm512_store_ps, _mm512_storeu_pd, _mm512_sub_ps,
};

use super::vector::{MAX_LANES, Row8, Row16, Sums, Vector, Work};

/// That the processor has AVX2 and FMA.
#[derive(Clone, Copy)]
pub struct HasAvx2(());

/// That the processor has AVX-512 F.
#[derive(Clone, Copy)]
pub struct HasAvx512(());

/// Does the work in vectors of AVX2.
#[target_feature(enable = "avx2,fma")]
pub fn run_avx2<W: Work>(work: W) -> W::Output {
    work.run::<Avx2>(HasAvx2(()))
}

/// Does the work in vectors of AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx2,fma")]
pub fn run_avx512<W: Work>(work: W) -> W::Output {
    work.run::<Avx512>(HasAvx512(()))
}

/// Eight lanes.
#[derive(Clone, Copy)]
pub struct Avx2(__m256);

/// Sixteen lanes.
#[derive(Clone, Copy)]
pub struct Avx512(__m512);

/// Two halves of the lanes each.
#[derive(Clone, Copy)]
pub struct WideSums<D> {
    sum: [D; 2],
    squares: [D; 2],
}

/// Implements [`Vector`] by the intrinsics of one instruction set.
macro_rules! vector {
    (
        $vector:ident, $proof:ident, $row:ident, $lanes:literal, $wide:ty,
        $splat:ident $load:ident $store:ident $sub:ident $mul:ident $fmadd:ident $min:ident $max:ident,
        $zero_pd:ident $add_pd:ident $fmadd_pd:ident $store_pd:ident
    ) => {
        impl Vector for $vector {
            const LANES: usize = $lanes;
            type Proof = $proof;
            type Row = $row;
            type Sums = WideSums<$wide>;

            #[inline(always)]
            fn splat(_: $proof, x: f32) -> Self {
                // SAFETY: the proof says that the processor has the instruction.
                Self(unsafe { $splat(x) })
            }

            #[inline(always)]
            fn load(_: $proof, row: &$row) -> Self {
                // SAFETY: the proof says that the processor has the instruction; the row has its size and alignment.
                Self(unsafe { $load(row.0.as_ptr()) })
            }

            #[inline(always)]
            fn store(self, row: &mut $row) {
                // SAFETY: there is a vector, so the processor has the instruction; the row has its size and alignment.
                unsafe { $store(row.0.as_mut_ptr(), self.0) }
            }

            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                // SAFETY: there is a vector, so the processor has the instruction.
                Self(unsafe { $sub(self.0, other.0) })
            }

            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                // SAFETY: there is a vector, so the processor has the instruction.
                Self(unsafe { $mul(self.0, other.0) })
            }

            #[inline(always)]
            fn square_add(self, addend: Self) -> Self {
                // SAFETY: there is a vector, so the processor has the instruction.
                Self(unsafe { $fmadd(self.0, self.0, addend.0) })
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                // SAFETY: there is a vector, so the processor has the instruction.
                Self(unsafe { $min(self.0, other.0) })
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                // SAFETY: there is a vector, so the processor has the instruction.
                Self(unsafe { $max(self.0, other.0) })
            }

            #[inline(always)]
            fn no_sums(_: $proof) -> WideSums<$wide> {
                // SAFETY: the proof says that the processor has the instruction.
                let zero = unsafe { $zero_pd() };
                WideSums { sum: [zero; 2], squares: [zero; 2] }
            }

            #[inline(always)]
            fn add_to(self, mut sums: WideSums<$wide>) -> WideSums<$wide> {
                for (half, v) in self.halves().into_iter().enumerate() {
                    // SAFETY: there is a vector, so the processor has the instructions.
                    unsafe {
                        sums.sum[half] = $add_pd(sums.sum[half], v);
                        sums.squares[half] = $fmadd_pd(v, v, sums.squares[half]);
                    }
                }
                sums
            }

            #[inline(always)]
            fn sums(sums: WideSums<$wide>) -> Sums {
                let mut all = Sums { sum: [0.0; MAX_LANES], squares: [0.0; MAX_LANES] };
                for half in 0..2 {
                    let from = half * $lanes / 2;
                    let (sum, squares) =
                        (&mut all.sum[from..][..$lanes / 2], &mut all.squares[from..][..$lanes / 2]);
                    // SAFETY: there are sums, so the processor has the instruction; each slice is half the lanes long,
                    // which is one vector of f64.
                    unsafe {
                        $store_pd(sum.as_mut_ptr(), sums.sum[half]);
                        $store_pd(squares.as_mut_ptr(), sums.squares[half]);
                    }
                }
                all
            }
        }
    };
}
vector!(
    Avx2, HasAvx2, Row8, 8, __m256d,
    _mm256_set1_ps _mm256_load_ps _mm256_store_ps _mm256_sub_ps _mm256_mul_ps _mm256_fmadd_ps _mm256_min_ps _mm256_max_ps,
    _mm256_setzero_pd _mm256_add_pd _mm256_fmadd_pd _mm256_storeu_pd
);
vector!(
    Avx512, HasAvx512, Row16, 16, __m512d,
    _mm512_set1_ps _mm512_load_ps _mm512_store_ps _mm512_sub_ps _mm512_mul_ps _mm512_fmadd_ps _mm512_min_ps _mm512_max_ps,
    _mm512_setzero_pd _mm512_add_pd _mm512_fmadd_pd _mm512_storeu_pd
);

impl Avx2 {
    /// The lower and the upper lanes in f64.
    #[inline(always)]
    fn halves(self) -> [__m256d; 2] {
        // SAFETY: there is a vector, so the processor has the instructions.
        unsafe {
            let (low, high) = (_mm256_castps256_ps128(self.0), _mm256_extractf128_ps::<1>(self.0));
            [_mm256_cvtps_pd(low), _mm256_cvtps_pd(high)]
        }
    }
}

impl Avx512 {
    /// The lower and the upper lanes in f64.
    #[inline(always)]
    fn halves(self) -> [__m512d; 2] {
        // SAFETY: there is a vector, so the processor has the instructions.
        unsafe {
            let low = _mm512_castps512_ps256(self.0);
            let high = _mm256_castpd_ps(_mm512_extractf64x4_pd::<1>(_mm512_castps_pd(self.0)));
            [_mm512_cvtps_pd(low), _mm512_cvtps_pd(high)]
        }
    }
}
