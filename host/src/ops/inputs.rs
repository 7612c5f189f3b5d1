//! Input values for tests and benches: the same for the same seed on every machine.

use rayon::prelude::*;

use super::Scalar;
use super::returns::resampled;
use crate::reference::round::{round, widen};

/// What kind of values an input holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Values {
    /// Uniform in [-2, 2).
    Uniform,
    /// NaN, infinities, zeros of both signs, subnormals, the ends of the range, and ordinary numbers among them.
    Special,
    /// Any bits but the poison.
    Bits,
    /// Numbers whose products lie around the smallest ones of the type.
    Tiny,
    /// Uniform, but 64 equal ones at a time.
    Steps,
    /// Small numbers, and one in 50 a million times as large, as far as the type has such.
    Spiky,
    /// Uniform, far from 0: only some of the fraction's bits tell them apart.
    Offset,
    /// Uniform, and one in 100 a NaN or an infinity.
    Holed,
    /// Zeros of both signs, and the smallest numbers.
    Zeros,
    /// Uniform steps from one to the next, like a price: neighbours are close, and the range grows.
    Walk,
    /// Daily returns of the S&P 500, a year at a time: the history repeats itself.
    Years,
    /// Daily returns of the S&P 500, a month at a time: what is longer was never there before.
    Months,
}

impl Values {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::Uniform,
        Self::Special,
        Self::Bits,
        Self::Tiny,
        Self::Steps,
        Self::Spiky,
        Self::Offset,
        Self::Holed,
        Self::Zeros,
        Self::Walk,
        Self::Years,
        Self::Months,
    ];
}

/// Equal values in a row of [`Values::Steps`].
const STEP: usize = 64;
/// Trading days of [`Values::Years`] and [`Values::Months`].
const YEAR: usize = 250;
const MONTH: usize = 21;

/// `len` values of one kind.
pub fn fill<T: Scalar>(values: Values, seed: u64, len: usize) -> Vec<T> {
    let start = mix(seed);
    if values == Values::Walk {
        return walk(start, len);
    }
    (0..len)
        .into_par_iter()
        .with_min_len(1 << 14)
        .map(|i| {
            let random = |place: usize| mix(start.wrapping_add(place as u64));
            let of_blocks = |days| round(resampled(i, days, |block| random(block as usize)));
            match values {
                Values::Years => of_blocks(YEAR),
                Values::Months => of_blocks(MONTH),
                Values::Steps => value(values, random(i / STEP)),
                _ => value(values, random(i)),
            }
        })
        .collect()
}

/// The sums of uniform steps.
fn walk<T: Scalar>(start: u64, len: usize) -> Vec<T> {
    let mut level = 0.0;
    let steps = (0..len as u64).map(|i| uniform::<f32>(mix(start.wrapping_add(i))));
    let levels = steps.map(|step| {
        level += f64::from(step);
        round(level)
    });
    levels.collect()
}

/// A number without pattern for every number (the finaliser of SplitMix64).
pub fn mix(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

fn value<T: Scalar>(values: Values, random: u64) -> T {
    match values {
        Values::Uniform | Values::Steps | Values::Walk | Values::Years | Values::Months => uniform(random),
        Values::Special if random & 1 == 0 => special(random >> 1),
        Values::Special => uniform(random),
        Values::Bits => any_bits(random),
        Values::Tiny => tiny(random),
        Values::Spiky if random.is_multiple_of(50) => scaled(random, 20, 0.0),
        Values::Spiky => uniform(random),
        Values::Offset => scaled(random, 0, f64::powi(2.0, T::FORMAT.fraction_bits as i32 - 4)),
        Values::Holed => holed(random),
        Values::Zeros => {
            T::from_bits((random & 1) << (T::FORMAT.width() - 1) | u64::from(random.is_multiple_of(7)))
        }
    }
}

/// Uniform in [-2, 2) times 2^`log2`, or times as much as the type allows, and `offset` added.
fn scaled<T: Scalar>(random: u64, log2: i32, offset: f64) -> T {
    let largest = (1_i32 << (T::FORMAT.exponent_bits - 1)) - 4;
    round(widen(uniform::<T>(random)) * f64::powi(2.0, log2.min(largest)) + offset)
}

/// Uniform, with holes.
fn holed<T: Scalar>(random: u64) -> T {
    let infinity = ((1_u64 << T::FORMAT.exponent_bits) - 1) << T::FORMAT.fraction_bits;
    match random % 300 {
        0 => T::from_bits(infinity | 1 << (T::FORMAT.fraction_bits - 1)),
        1 => T::from_bits(infinity),
        2 => T::from_bits(infinity | 1 << (T::FORMAT.width() - 1)),
        _ => uniform(random),
    }
}

/// Uniform in [-2, 2).
fn uniform<T: Scalar>(random: u64) -> T {
    const STEP: f64 = 4.0 / (1_u64 << 53) as f64;
    let value: T = round((random >> 11) as f64 * STEP - 2.0);
    // The upper end is reached by rounding alone.
    if value == round(2.0) { round(-2.0) } else { value }
}

fn special<T: Scalar>(random: u64) -> T {
    let format = T::FORMAT;
    let infinity = ((1_u64 << format.exponent_bits) - 1) << format.fraction_bits;
    let one = infinity >> 1 >> format.fraction_bits << format.fraction_bits;
    let magnitudes = [
        0,
        1,
        (1 << format.fraction_bits) - 1,
        1 << format.fraction_bits,
        one,
        one + 1,
        infinity - 1,
        infinity,
        infinity | 1 << (format.fraction_bits - 1),
        infinity | 1,
    ];
    let sign = (random & 1) << (format.width() - 1);
    T::from_bits(sign | magnitudes[(random >> 1) as usize % magnitudes.len()])
}

fn any_bits<T: Scalar>(random: u64) -> T {
    let width = T::FORMAT.width();
    let bits = random >> (64 - width);
    // All ones is what outputs are poisoned with, and a signalling NaN becomes it where only its quiet bit is missing.
    let quiet = 1 << (T::FORMAT.fraction_bits - 1);
    T::from_bits(if bits | quiet == u64::MAX >> (64 - width) { 1 } else { bits })
}

/// A random significand, and an exponent about half way from 1 to the smallest subnormal.
fn tiny<T: Scalar>(random: u64) -> T {
    let format = T::FORMAT;
    let bias = (1_u64 << (format.exponent_bits - 1)) - 1;
    let middle = bias - (bias + u64::from(format.fraction_bits)) / 2;
    let exponent = middle - 3 + (random >> 32) % 6;
    let fraction = random & ((1 << format.fraction_bits) - 1);
    let sign = random >> 63 << (format.width() - 1);
    T::from_bits(sign | exponent << format.fraction_bits | fraction)
}

#[cfg(test)]
mod tests {
    use gpu_std::{bf16, f16};

    use super::*;
    use crate::validate::poison;

    fn kinds_hold_what_they_say<T: Scalar>() {
        let uniform: Vec<T> = fill(Values::Uniform, 7, 10_000);
        assert!(uniform.iter().all(|&x| (-2.0..2.0).contains(&widen(x))));
        assert!(uniform.iter().map(|&x| widen(x)).sum::<f64>().abs() < 300.0);
        let special: Vec<T> = fill(Values::Special, 7, 10_000);
        assert!(special.iter().any(|x| x.is_nan()));
        assert!(special.iter().any(|&x| widen(x) == f64::NEG_INFINITY));
        assert!(special.iter().any(|x| x.bits() == 1 << (T::FORMAT.width() - 1)), "no -0");
        let steps: Vec<T> = fill(Values::Steps, 7, 10_000);
        assert!(steps.chunks(STEP).all(|run| run.iter().all(|x| x.bits() == run[0].bits())));
        assert!(steps[0].bits() != steps[STEP].bits());
        let spiky: Vec<T> = fill(Values::Spiky, 7, 10_000);
        assert!(spiky.iter().all(|&x| widen(x).is_finite()) && spiky.iter().any(|&x| widen(x) > 1e3));
        let offset: Vec<T> = fill(Values::Offset, 7, 10_000);
        assert!(offset.iter().all(|&x| widen(x) >= 6.0), "{:?}", offset[0]);
        let holes = fill::<T>(Values::Holed, 7, 10_000).iter().filter(|x| !widen(**x).is_finite()).count();
        assert!((50..200).contains(&holes), "{holes} holes");
        let zeros: Vec<T> = fill(Values::Zeros, 7, 1000);
        assert!(zeros.iter().any(|x| x.bits() == 0) && zeros.iter().any(|x| x.bits() == 1));
        let walk: Vec<T> = fill(Values::Walk, 7, 10_000);
        assert!(walk.windows(2).all(|pair| (widen(pair[1]) - widen(pair[0])).abs() <= 3.0));
        assert!(walk.iter().any(|&x| widen(x).abs() > 10.0));
        let widest =
            |values| fill::<T>(values, 7, 10_000).iter().map(|&x| widen(x).abs()).fold(0.0, f64::max);
        for values in [Values::Years, Values::Months] {
            assert!((0.05..0.12).contains(&widest(values)), "{values:?}: {}", widest(values));
        }
        for values in Values::ALL {
            let quiet = 1 << (T::FORMAT.fraction_bits - 1);
            assert!(fill::<T>(values, 3, 100_000).iter().all(|x| x.bits() | quiet != poison::<T>().bits()));
            assert!(
                fill::<T>(values, 3, 100)
                    .iter()
                    .map(|x| x.bits())
                    .eq(fill::<T>(values, 3, 100).iter().map(|x| x.bits()))
            );
        }
    }

    #[test]
    fn every_kind_holds_what_it_says_in_every_type() {
        kinds_hold_what_they_say::<f32>();
        kinds_hold_what_they_say::<f16>();
        kinds_hold_what_they_say::<bf16>();
    }
}
