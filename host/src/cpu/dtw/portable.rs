//! Vectors of whatever the target has without asking.

use super::vector::{MAX_LANES, Row8, Sums, Vector};

const LANES: usize = 8;

/// Eight lanes.
#[derive(Clone, Copy)]
pub struct Portable([f32; LANES]);

impl Portable {
    #[inline(always)]
    fn zip(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        Self(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }
}

/// `x² + addend`, rounded once; `addend` is not negative.
///
/// Where the target has no such instruction, by f64: the square is exact there, and the sum is rounded to odd (its last
/// bit is set where something was lost), which rounds to f32 as the exact sum would.
#[inline(always)]
fn square_add(x: f32, addend: f32) -> f32 {
    if cfg!(any(target_feature = "fma", target_arch = "aarch64")) {
        return x.mul_add(x, addend);
    }
    let (square, addend) = (f64::from(x) * f64::from(x), f64::from(addend));
    let sum = square + addend;
    let part = sum - square;
    let lost = (square - (sum - part)) + (addend - part);
    // Towards zero where the sum was rounded up; an infinite sum loses NaN, which is neither.
    let down = u64::from(lost < 0.0);
    let odd = u64::from(lost.abs() > 0.0);
    f64::from_bits((sum.to_bits() - down) | odd) as f32
}

impl Vector for Portable {
    const LANES: usize = LANES;
    type Proof = ();
    type Row = Row8;
    type Sums = Sums;

    #[inline(always)]
    fn splat((): (), x: f32) -> Self {
        Self([x; LANES])
    }

    #[inline(always)]
    fn load((): (), row: &Row8) -> Self {
        Self(row.0)
    }

    #[inline(always)]
    fn store(self, row: &mut Row8) {
        row.0 = self.0;
    }

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.zip(other, |a, b| a - b)
    }

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.zip(other, |a, b| a * b)
    }

    #[inline(always)]
    fn square_add(self, addend: Self) -> Self {
        self.zip(addend, square_add)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, |a, b| if a < b { a } else { b })
    }

    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.zip(other, |a, b| if a > b { a } else { b })
    }

    #[inline(always)]
    fn no_sums((): ()) -> Sums {
        Sums { sum: [0.0; MAX_LANES], squares: [0.0; MAX_LANES] }
    }

    #[inline(always)]
    fn add_to(self, mut sums: Sums) -> Sums {
        for (lane, x) in self.0.into_iter().enumerate() {
            let v = f64::from(x);
            sums.sum[lane] += v;
            sums.squares[lane] += v * v;
        }
        sums
    }

    #[inline(always)]
    fn sums(sums: Sums) -> Sums {
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{Values, fill};

    #[test]
    fn a_square_is_added_with_one_rounding() {
        for values in Values::ALL {
            let (x, addend) = (fill::<f32>(values, 1, 200_000), fill::<f32>(values, 2, 200_000));
            for (x, addend) in x.into_iter().zip(addend) {
                let (got, want) = (square_add(x, addend.abs()), x.mul_add(x, addend.abs()));
                assert!(
                    got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan()),
                    "{x:e} {addend:e}"
                );
            }
        }
    }

    #[test]
    fn a_hair_beside_a_tie_decides_it() {
        // 1 + 2^-12 squared is 1 + 2^-11 + 2^-24: a tie in f32, which the addend moves by less than f64 holds.
        let x = 1.0 + f32::powi(2.0, -12);
        for addend in [0.0, f32::powi(2.0, -80), f32::from_bits(1)] {
            assert_eq!(square_add(x, addend).to_bits(), x.mul_add(x, addend).to_bits(), "{addend:e}");
        }
    }
}
