//! Products of slices for every element type, in the widest vectors the processor has.

use gpu_std::{bf16, f16};

use super::isa::Isa;
use crate::ops::Scalar;

/// An element type with fast products of slices.
pub trait CpuScalar: Scalar {
    /// `y[i] = a[i] * b[i]`, as far as the shortest reaches.
    fn multiply(a: &[Self], b: &[Self], y: &mut [Self]);

    /// `y[i] = y[i] * b[i]`, as far as the shorter reaches.
    fn multiply_assign(b: &[Self], y: &mut [Self]);
}

/// Implements [`CpuScalar`] by a pair of loops: one for AVX-512, one for AVX2, a plain one elsewhere.
macro_rules! dispatch {
    ($ty:ty, $module:ident) => {
        impl CpuScalar for $ty {
            fn multiply(a: &[Self], b: &[Self], y: &mut [Self]) {
                match Isa::detect() {
                    // SAFETY: the processor has the features, just asked.
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => unsafe { $module::mul_avx512(a, b, y) },
                    // SAFETY: the processor has the features, just asked.
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => unsafe { $module::mul_avx2(a, b, y) },
                    Isa::Portable => $module::mul(a, b, y),
                }
            }

            fn multiply_assign(b: &[Self], y: &mut [Self]) {
                match Isa::detect() {
                    // SAFETY: the processor has the features, just asked.
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx512 => unsafe { $module::mul_assign_avx512(b, y) },
                    // SAFETY: the processor has the features, just asked.
                    #[cfg(target_arch = "x86_64")]
                    Isa::Avx2 => unsafe { $module::mul_assign_avx2(b, y) },
                    Isa::Portable => $module::mul_assign(b, y),
                }
            }
        }
    };
}
dispatch!(f32, single);
dispatch!(f16, half);
dispatch!(bf16, brain);

/// Compiles the module's two plain loops once more for each set of features.
macro_rules! compile_for {
    ($ty:ty, $features:literal, $mul:ident, $mul_assign:ident) => {
        /// The plain loop, compiled for wider vectors.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        pub fn $mul(a: &[$ty], b: &[$ty], y: &mut [$ty]) {
            mul(a, b, y);
        }

        /// The plain loop, compiled for wider vectors.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = $features)]
        pub fn $mul_assign(b: &[$ty], y: &mut [$ty]) {
            mul_assign(b, y);
        }
    };
}

mod single {
    #[inline(always)]
    pub fn mul(a: &[f32], b: &[f32], y: &mut [f32]) {
        for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
            *y = a * b;
        }
    }

    #[inline(always)]
    pub fn mul_assign(b: &[f32], y: &mut [f32]) {
        for (y, b) in y.iter_mut().zip(b) {
            *y *= b;
        }
    }

    compile_for!(f32, "avx512f,avx512bw", mul_avx512, mul_assign_avx512);
    compile_for!(f32, "avx2", mul_avx2, mul_assign_avx2);
}

/// The product of two f16 is exact in f32 (22 bits, above 2^-49), so one rounding remains.
mod half {
    use gpu_std::f16;

    pub fn mul(a: &[f16], b: &[f16], y: &mut [f16]) {
        for ((y, a), b) in y.iter_mut().zip(a).zip(b) {
            *y = f16::from_f32(a.to_f32() * b.to_f32());
        }
    }

    pub fn mul_assign(b: &[f16], y: &mut [f16]) {
        for (y, b) in y.iter_mut().zip(b) {
            *y = f16::from_f32(y.to_f32() * b.to_f32());
        }
    }

    #[cfg(target_arch = "x86_64")]
    mod x86 {
        use core::arch::x86_64::{
            _MM_FROUND_TO_NEAREST_INT, _mm_loadu_si128, _mm_storeu_si128, _mm256_cvtph_ps, _mm256_cvtps_ph,
            _mm256_loadu_si256, _mm256_mul_ps, _mm256_storeu_si256, _mm512_cvtph_ps, _mm512_cvtps_ph,
            _mm512_mul_ps,
        };

        use gpu_std::f16;

        /// The product of 8 lanes.
        #[inline]
        #[target_feature(enable = "avx2,f16c")]
        fn mul_8(a: &[f16; 8], b: &[f16; 8]) -> [f16; 8] {
            let mut y = [f16::ZERO; 8];
            // SAFETY: each array is 16 bytes; the instructions take any alignment.
            unsafe {
                let a = _mm256_cvtph_ps(_mm_loadu_si128(a.as_ptr().cast()));
                let b = _mm256_cvtph_ps(_mm_loadu_si128(b.as_ptr().cast()));
                _mm_storeu_si128(
                    y.as_mut_ptr().cast(),
                    _mm256_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm256_mul_ps(a, b)),
                );
            }
            y
        }

        /// The product of 16 lanes.
        #[inline]
        #[target_feature(enable = "avx512f,avx512bw")]
        fn mul_16(a: &[f16; 16], b: &[f16; 16]) -> [f16; 16] {
            let mut y = [f16::ZERO; 16];
            // SAFETY: each array is 32 bytes; the instructions take any alignment.
            unsafe {
                let a = _mm512_cvtph_ps(_mm256_loadu_si256(a.as_ptr().cast()));
                let b = _mm512_cvtph_ps(_mm256_loadu_si256(b.as_ptr().cast()));
                _mm256_storeu_si256(
                    y.as_mut_ptr().cast(),
                    _mm512_cvtps_ph::<_MM_FROUND_TO_NEAREST_INT>(_mm512_mul_ps(a, b)),
                );
            }
            y
        }

        /// The loops over whole vectors, the rest by the plain loop.
        macro_rules! loops {
            ($features:literal, $lanes:literal, $step:ident, $mul:ident, $mul_assign:ident) => {
                #[target_feature(enable = $features)]
                pub fn $mul(a: &[f16], b: &[f16], y: &mut [f16]) {
                    let n = a.len().min(b.len()).min(y.len());
                    let (a, b) = (a[..n].as_chunks::<$lanes>(), b[..n].as_chunks::<$lanes>());
                    let (y, rest) = y[..n].as_chunks_mut::<$lanes>();
                    for ((y, a), b) in y.iter_mut().zip(a.0).zip(b.0) {
                        *y = $step(a, b);
                    }
                    super::mul(a.1, b.1, rest);
                }

                #[target_feature(enable = $features)]
                pub fn $mul_assign(b: &[f16], y: &mut [f16]) {
                    let n = b.len().min(y.len());
                    let b = b[..n].as_chunks::<$lanes>();
                    let (y, rest) = y[..n].as_chunks_mut::<$lanes>();
                    for (y, b) in y.iter_mut().zip(b.0) {
                        *y = $step(y, b);
                    }
                    super::mul_assign(b.1, rest);
                }
            };
        }
        loops!("avx2,f16c", 8, mul_8, mul_avx2, mul_assign_avx2);
        loops!("avx512f,avx512bw", 16, mul_16, mul_avx512, mul_assign_avx512);
    }
    #[cfg(target_arch = "x86_64")]
    pub use x86::{mul_assign_avx2, mul_assign_avx512, mul_avx2, mul_avx512};
}

/// The product of two bf16 is exact in f32 (16 bits), so one rounding remains, unless it lies below f32's normal range:
/// those go through f64, where it always is exact.
mod brain {
    use gpu_std::bf16;

    const LANES: usize = 16;
    const MAGNITUDE: u32 = 0x7fff_ffff;
    const SMALLEST_NORMAL: u32 = 0x0080_0000;

    #[inline(always)]
    fn widen(x: bf16) -> u32 {
        u32::from(x.to_bits()) << 16
    }

    /// `x` to the nearest bf16, ties to even, by integers; a NaN stays one.
    #[inline(always)]
    fn round(x: f32) -> u16 {
        let bits = x.to_bits();
        let rounded = (bits.wrapping_add(0x7fff + (bits >> 16 & 1)) >> 16) as u16;
        let nan = (bits >> 16) as u16 | 0x40;
        if bits & MAGNITUDE > 0x7f80_0000 { nan } else { rounded }
    }

    /// Whether the product of two factors other than zero lies below the normal range of f32.
    #[inline(always)]
    fn is_tiny(a: u32, b: u32, product: f32) -> bool {
        let nonzero = (a & MAGNITUDE != 0) & (b & MAGNITUDE != 0);
        nonzero & (product.to_bits() & MAGNITUDE < SMALLEST_NORMAL)
    }

    /// The product where f32 would round it too early. The factors are finite and not zero.
    #[cold]
    fn mul_tiny(a: bf16, b: bf16) -> bf16 {
        const SUBNORMALS_PER_ONE: f64 = f64::from_bits((1023 + 133) << 52);
        let product = a.to_f64() * b.to_f64();
        // Below 2^-126 the results are the multiples of 2^-133, from 0 to 128 of them (128 is the smallest normal one).
        let count = (product.abs() * SUBNORMALS_PER_ONE).round_ties_even() as u16;
        bf16::from_bits(count | if product.is_sign_negative() { 0x8000 } else { 0 })
    }

    #[inline(always)]
    fn mul_one(a: bf16, b: bf16) -> bf16 {
        let (wide_a, wide_b) = (widen(a), widen(b));
        let product = f32::from_bits(wide_a) * f32::from_bits(wide_b);
        if is_tiny(wide_a, wide_b, product) { mul_tiny(a, b) } else { bf16::from_bits(round(product)) }
    }

    #[inline(always)]
    fn mul_lanes(a: &[bf16; LANES], b: &[bf16; LANES]) -> [bf16; LANES] {
        let mut y = [bf16::ZERO; LANES];
        let mut tiny = false;
        for i in 0..LANES {
            let (wide_a, wide_b) = (widen(a[i]), widen(b[i]));
            let product = f32::from_bits(wide_a) * f32::from_bits(wide_b);
            tiny |= is_tiny(wide_a, wide_b, product);
            y[i] = bf16::from_bits(round(product));
        }
        if tiny { std::array::from_fn(|i| mul_one(a[i], b[i])) } else { y }
    }

    #[inline(always)]
    pub fn mul(a: &[bf16], b: &[bf16], y: &mut [bf16]) {
        let n = a.len().min(b.len()).min(y.len());
        let (a, b) = (a[..n].as_chunks::<LANES>(), b[..n].as_chunks::<LANES>());
        let (y, rest) = y[..n].as_chunks_mut::<LANES>();
        for ((y, a), b) in y.iter_mut().zip(a.0).zip(b.0) {
            *y = mul_lanes(a, b);
        }
        for ((y, a), b) in rest.iter_mut().zip(a.1).zip(b.1) {
            *y = mul_one(*a, *b);
        }
    }

    #[inline(always)]
    pub fn mul_assign(b: &[bf16], y: &mut [bf16]) {
        let n = b.len().min(y.len());
        let b = b[..n].as_chunks::<LANES>();
        let (y, rest) = y[..n].as_chunks_mut::<LANES>();
        for (y, b) in y.iter_mut().zip(b.0) {
            *y = mul_lanes(y, b);
        }
        for (y, b) in rest.iter_mut().zip(b.1) {
            *y = mul_one(*y, *b);
        }
    }

    compile_for!(bf16, "avx512f,avx512bw", mul_avx512, mul_assign_avx512);
    compile_for!(bf16, "avx2", mul_avx2, mul_assign_avx2);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Values, fill};
    use crate::reference::round::{round, widen};

    /// Every set of loops of one type, as far as this processor has the features.
    type Loops<T> = Vec<(&'static str, fn(&[T], &[T], &mut [T]))>;

    macro_rules! loops {
        ($ty:ty, $module:ident) => {{
            let mut all: Loops<$ty> = vec![("portable", $module::mul)];
            #[cfg(target_arch = "x86_64")]
            {
                if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("f16c") {
                    // SAFETY: the processor has the features, just asked.
                    all.push(("avx2", |a, b, y| unsafe { $module::mul_avx2(a, b, y) }));
                }
                if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                    // SAFETY: the processor has the features, just asked.
                    all.push(("avx512", |a, b, y| unsafe { $module::mul_avx512(a, b, y) }));
                }
            }
            all
        }};
    }

    fn same<T: Scalar>(got: T, want: T) -> bool {
        got.bits() == want.bits() || (got.is_nan() && want.is_nan())
    }

    fn agree<T: CpuScalar>(loops: Loops<T>) {
        for values in [Values::Uniform, Values::Special, Values::Bits, Values::Tiny] {
            let (a, b) = (fill::<T>(values, 1, 100_003), fill::<T>(values, 2, 100_003));
            for (name, mul) in &loops {
                let mut y = vec![T::ZERO; a.len()];
                mul(&a, &b, &mut y);
                for ((&a, &b), &got) in a.iter().zip(&b).zip(&y) {
                    let want: T = round(widen(a) * widen(b));
                    assert!(same(got, want), "{name} {values:?}: {a} * {b} = {want}, got {got}");
                }
            }
            let mut y = a.clone();
            T::multiply_assign(&b, &mut y);
            for ((&a, &b), &got) in a.iter().zip(&b).zip(&y) {
                assert!(same(got, round(widen(a) * widen(b))), "in place: {a} * {b}, got {got}");
            }
        }
    }

    #[test]
    fn f32_products_have_the_reference_bits() {
        agree(loops!(f32, single));
    }

    #[test]
    fn f16_products_have_the_reference_bits() {
        agree(loops!(f16, half));
    }

    #[test]
    fn bf16_products_have_the_reference_bits() {
        agree(loops!(bf16, brain));
    }

    #[test]
    fn bf16_products_below_the_normal_range_are_rounded_once() {
        // 2^-67 * (1 + 2^-7) squared is a little more than half the smallest subnormal; f32 drops the little.
        let x = bf16::from_bits(0x1e01);
        let mut y = [bf16::ZERO];
        bf16::multiply(&[x], &[bf16::from_bits(0x1e01)], &mut y);
        assert_eq!(y[0].to_bits(), round::<bf16>(x.to_f64() * x.to_f64()).to_bits());
    }
}
