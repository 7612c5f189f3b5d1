//! Series of every kind that has gone wrong somewhere.

use crate::ops::mix;

#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// A random walk.
    Walk,
    /// One number, with a step in the middle.
    Constant,
    /// Noise, and points up to 2^90 times as large.
    Spiky,
    /// 10^4 with noise of 0.01: a price.
    Offset,
    /// A walk with NaN, infinities, and neighbours whose difference is beyond f32.
    Holes,
    /// Zeros of both signs and subnormals.
    Zeros,
}

impl Kind {
    pub const ALL: [Self; 6] =
        [Self::Walk, Self::Constant, Self::Spiky, Self::Offset, Self::Holes, Self::Zeros];
}

pub fn series(kind: Kind, seed: u64, len: usize) -> Vec<f32> {
    let mut level = 0.0_f32;
    let numbers = (0..len).map(|t| mix(mix(seed) ^ t as u64));
    let step = |random: u64| (random >> 40) as f32 / 16_777_216.0 - 0.5;
    let points = numbers.enumerate().map(|(t, random)| match (kind, random % 23) {
        (Kind::Constant, _) => {
            if t < len / 2 {
                0.1
            } else {
                3.0
            }
        }
        (Kind::Spiky, 0) => step(random) * f32::powi(2.0, (random >> 8) as i32 % 90),
        (Kind::Spiky, _) => step(random),
        (Kind::Offset, _) => 1e4 + 0.01 * step(random),
        (Kind::Holes, 0) => {
            [f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 3e38, -3e38][(random >> 8) as usize % 5]
        }
        (Kind::Zeros, 0) => f32::from_bits((random >> 8) as u32 % 9),
        (Kind::Zeros, _) => {
            if random >> 63 == 0 {
                0.0
            } else {
                -0.0
            }
        }
        (Kind::Walk | Kind::Holes, _) => {
            level += step(random);
            level
        }
    });
    points.collect()
}
