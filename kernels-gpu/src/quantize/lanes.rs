//! The range of chunks of 16 bytes, lane by lane: pairs of 16-bit floats in one instruction.

use gpu_std::math::{max_nan_f32, min_nan_f32};
use gpu_std::packed::{
    abs_bf16x2, abs_f16x2, bf16x2, f16x2, max_nan_bf16x2, max_nan_f16x2, min_nan_bf16x2, min_nan_f16x2,
};
use gpu_std::{Real, Vec16, bf16, f16};

use super::steps::{Codes, Range};

/// An element type with minimum and maximum of whole chunks; a lane is NaN where an operand's is.
pub trait Lanes: Real {
    /// The smaller of each lane.
    fn smaller(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self>;
    /// The larger of each lane.
    fn larger(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self>;
    /// The larger of each lane of `a` and of the magnitudes of `b`.
    fn larger_abs(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self>;
}

impl Lanes for f32 {
    #[inline(always)]
    fn smaller(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self> {
        Vec16::from_fn(|lane| min_nan_f32(a.lane(lane), b.lane(lane)))
    }

    #[inline(always)]
    fn larger(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self> {
        Vec16::from_fn(|lane| max_nan_f32(a.lane(lane), b.lane(lane)))
    }

    #[inline(always)]
    fn larger_abs(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self> {
        Vec16::from_fn(|lane| max_nan_f32(a.lane(lane), b.lane(lane).abs()))
    }
}

macro_rules! halves {
    ($($ty:ty, $pair:ty, $map:ident, $min:path, $max:path, $abs:path;)*) => {$(
        /// `f` of each pair of lanes.
        #[inline(always)]
        fn $map(a: Vec16<$ty>, b: Vec16<$ty>, f: impl Fn($pair, $pair) -> $pair) -> Vec16<$ty> {
            // SAFETY: 16 bytes each; every bit pattern is a value of every type here.
            unsafe {
                let a: [$pair; 4] = core::mem::transmute(a);
                let b: [$pair; 4] = core::mem::transmute(b);
                core::mem::transmute([f(a[0], b[0]), f(a[1], b[1]), f(a[2], b[2]), f(a[3], b[3])])
            }
        }

        impl Lanes for $ty {
            #[inline(always)]
            fn smaller(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self> {
                $map(a, b, $min)
            }

            #[inline(always)]
            fn larger(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self> {
                $map(a, b, $max)
            }

            #[inline(always)]
            fn larger_abs(a: Vec16<Self>, b: Vec16<Self>) -> Vec16<Self> {
                $map(a, b, |a, b| $max(a, $abs(b)))
            }
        }
    )*};
}
halves! {
    f16, f16x2, map_f16, min_nan_f16x2, max_nan_f16x2, abs_f16x2;
    bf16, bf16x2, map_bf16, min_nan_bf16x2, max_nan_bf16x2, abs_bf16x2;
}

/// The range of each lane; see [`Range`].
#[derive(Clone, Copy)]
pub struct LaneRange<T: Lanes> {
    least: Vec16<T>,
    most: Vec16<T>,
}

impl<T: Lanes> LaneRange<T> {
    /// That of one value in every lane.
    #[inline(always)]
    pub fn new(first: T) -> Self {
        Self { least: Vec16::from_fn(|_| first), most: Vec16::from_fn(|_| first) }
    }

    /// With the values of a chunk.
    #[inline(always)]
    pub fn with(self, codes: Codes, chunk: Vec16<T>) -> Self {
        if matches!(codes, Codes::Symmetric) {
            return Self { most: T::larger_abs(self.most, chunk), ..self };
        }
        Self { least: T::smaller(self.least, chunk), most: T::larger(self.most, chunk) }
    }

    /// That of all lanes and of `other`.
    #[inline(always)]
    pub fn joined(self, codes: Codes, other: Range) -> Range {
        let Range { mut least, mut most } = other;
        let mut lane = 0;
        while lane < T::LANES {
            most = max_nan_f32(most, self.most.lane(lane).to_f32());
            if !matches!(codes, Codes::Symmetric) {
                least = min_nan_f32(least, self.least.lane(lane).to_f32());
            }
            lane += 1;
        }
        Range { least, most }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranges_agree<T: Lanes>() {
        let value = |i: usize| T::from_f32((i as f32 * 37.0) % 11.0 - 5.0);
        let chunk = |from: usize| Vec16::from_fn(|lane| value(from + lane));
        for codes in [Codes::Symmetric, Codes::Asymmetric] {
            let first = if codes == Codes::Symmetric { T::ZERO } else { value(0) };
            let one = Range::new(codes, first.to_f32());
            let lanes = LaneRange::new(first).with(codes, chunk(0)).with(codes, chunk(T::LANES));
            let want = (0..2 * T::LANES).fold(one, |range, i| range.with(codes, value(i).to_f32()));
            assert_eq!(lanes.joined(codes, one), want);
            let mut odd = chunk(0);
            odd.set_lane(T::LANES - 1, T::from_f32(f32::NAN));
            assert!(!lanes.with(codes, odd).with(codes, chunk(0)).joined(codes, one).is_finite());
        }
    }

    #[test]
    fn lane_by_lane_gives_the_range_of_all_and_keeps_nan() {
        ranges_agree::<f32>();
        ranges_agree::<f16>();
        ranges_agree::<bf16>();
    }
}
