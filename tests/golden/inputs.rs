//! What the programs read: drawn anew from the name of a case each time, the same everywhere.

use super::table::Case;
use super::types::{Draw, Spread, Ty};

/// SplitMix64.
pub struct Random(u64);

impl Random {
    /// The sequence that belongs to `name` (FNV-1a of it is the seed).
    pub fn of(name: &str) -> Self {
        Self(gpu_std::record::fnv1a(name.as_bytes()))
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`.
    pub fn below(&mut self, n: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(n)) >> 64) as u64
    }

    /// A number from `low` to `high`.
    fn between(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

/// The operands of every thread, thread by thread, each in a slot of 64 bits.
pub fn draw(case: &Case) -> Vec<u64> {
    let mut random = Random::of(&format!("{} {}", case.family, case.name));
    let mut slots = Vec::with_capacity(case.threads * case.args.len());
    for _ in 0..case.threads {
        let first = slots.len();
        for (i, ty) in case.args.iter().enumerate() {
            let value = match related(&mut random, &case.args, &slots[first..], i) {
                Some(value) => value,
                None => value(&mut random, ty.draw),
            };
            slots.push(value);
        }
    }
    slots
}

/// For one operand in eight: a value close to the first operand, or one that cancels the product of the first two.
fn related(random: &mut Random, types: &[Ty], before: &[u64], i: usize) -> Option<u64> {
    if i == 0 || types[i].draw != types[0].draw || random.below(8) != 0 {
        return None;
    }
    if i == 2 && random.below(2) == 0 {
        return minus_product(types[0].draw, before[0], before[1]);
    }
    let sign = 1_u64 << (types[0].bits - 1);
    let (a, mask) = (before[0], sign | (sign - 1));
    let value = [a, a, a ^ sign, a.wrapping_add(1), a.wrapping_sub(1), (!a).wrapping_add(1)];
    let value = value[random.below(6) as usize] & mask;
    match types[i].draw {
        Draw::NonZero(_) if value == 0 => None,
        Draw::Bit | Draw::Lane | Draw::Small | Draw::Field | Draw::Angle => None,
        _ => Some(value),
    }
}

fn minus_product(draw: Draw, a: u64, b: u64) -> Option<u64> {
    match draw {
        Draw::Float(8, 23) => {
            let product = -(f32::from_bits(a as u32) * f32::from_bits(b as u32));
            (!product.is_nan()).then(|| u64::from(product.to_bits()))
        }
        Draw::Float(11, 52) => {
            let product = -(f64::from_bits(a) * f64::from_bits(b));
            (!product.is_nan()).then(|| product.to_bits())
        }
        _ => None,
    }
}

/// One value.
pub fn value(random: &mut Random, draw: Draw) -> u64 {
    match draw {
        // What lies above 8 bits in a register of 32 does not count.
        Draw::Int(8) => int(random, 8) | (random.bits() & 0xffff_ff00),
        Draw::Int(bits) => int(random, bits),
        Draw::NonZero(bits) => int(random, bits).max(1),
        Draw::Float(exponent, mantissa) => float(random, exponent, mantissa),
        Draw::Corner(e, m) => corner(random, e, m),
        Draw::CornerPair(e, m) => corner(random, e, m) | (corner(random, e, m) << 16),
        Draw::NearOne(e, m) => {
            let one = ((1_u64 << (e - 1)) - 1) << m;
            one.wrapping_add_signed(random.between(-6, 6))
        }
        Draw::Pair(e, m) => float(random, e, m) | (float(random, e, m) << 16),
        Draw::IntPair => int(random, 16) | (int(random, 16) << 16),
        Draw::Bytes => (0..4).fold(0, |word, _| word << 8 | byte(random)),
        Draw::NearEnd => {
            (0x7fff_ffff + random.below(2)).wrapping_add_signed(random.between(-1, 1) << random.below(20))
                & 0xffff_ffff
        }
        Draw::Term(spread, e, m) => term(random, spread, e, m),
        Draw::TermPair(spread, e, m) => term(random, spread, e, m) | (term(random, spread, e, m) << 16),
        Draw::Bit => random.below(2),
        Draw::Angle => u64::from(((random.below(1 << 24) as f32 - 8_388_608.0) / 1_048_576.0).to_bits()),
        Draw::Field if random.below(8) == 0 => random.below(256),
        Draw::Field => random.below(71),
        Draw::Shift if random.below(8) == 0 => random.bits() & 0xffff_ffff,
        Draw::Shift => random.below(71),
        Draw::Lane => random.below(32),
        Draw::Small => random.between(-40, 40) as u64 & 0xffff_ffff,
    }
}

/// −128, 127, 255 and the like as often as not.
fn byte(random: &mut Random) -> u64 {
    let ends = [0x80, 0x7f, 0xff, 0x81, 0, 1];
    if random.below(2) == 0 { ends[random.below(6) as usize] } else { random.below(256) }
}

fn term(random: &mut Random, spread: Spread, exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let (bias, ones) = ((1_i64 << (exponent_bits - 1)) - 1, (1_u64 << mantissa_bits) - 1);
    let sign = random.below(2) << (exponent_bits + mantissa_bits);
    let few = [0, 1, ones, 1 << (mantissa_bits - 1)][random.below(4) as usize];
    let (exponent, mantissa) = match (spread, random.below(32)) {
        (Spread::Tame, 0) => (0, 0),
        (Spread::Tame, 1) => (0, random.bits() & ones),
        (Spread::Tame, 2..=7) => (bias + random.between(-12, 12), random.bits() & ones),
        (Spread::Tame, _) => (bias + random.between(-4, 4), random.bits() & ones),
        (Spread::Cancel, drawn) => (bias + [0, 10][drawn as usize % 2], few),
        (Spread::Tiny, _) => (random.between(0, 3), random.bits() & ones),
    };
    sign | ((exponent as u64) << mantissa_bits) | mantissa
}

fn int(random: &mut Random, bits: u32) -> u64 {
    let mask = u64::MAX >> (64 - bits);
    let sign = 1_u64 << (bits - 1);
    let corners =
        [0, 1, 2, mask, mask - 1, sign, sign - 1, sign + 1, 0x7f, 0x80, 0xff, 0x8000_8000_8000_8000];
    let length = random.below(u64::from(bits) + 1) as u32;
    let short = random.bits() & u64::MAX.checked_shr(64 - length).unwrap_or(0);
    let value = match random.below(8) {
        0 | 1 => corners[random.below(corners.len() as u64) as usize],
        2 | 3 => short,
        4 => short.wrapping_neg(),
        _ => random.bits(),
    };
    value & mask
}

fn float(random: &mut Random, exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let (top, ones) = ((1_i64 << exponent_bits) - 1, (1_u64 << mantissa_bits) - 1);
    let bias = top / 2;
    let exponent = match random.below(12) {
        0..=2 => return corner(random, exponent_bits, mantissa_bits),
        3 => random.between(0, top - 1),
        4 => random.between(0, i64::from(mantissa_bits) + 3),
        5 => random.between(top - 4, top - 1),
        6 | 7 => bias + random.between(-4, 4),
        8 | 9 => bias + random.between(-1, 66),
        _ => bias + random.between(-30, 30),
    };
    // A few leading bits alone make values halfway between those of a narrower type, and sums that are exact.
    let kept = random.below(2 * u64::from(mantissa_bits) + 2).min(u64::from(mantissa_bits)) as u32;
    let mantissa = random.bits() & ones & !(ones >> kept);
    let sign = random.below(2) << (exponent_bits + mantissa_bits);
    sign | ((exponent.clamp(0, top - 1) as u64) << mantissa_bits) | mantissa
}

fn corner(random: &mut Random, exponent_bits: u32, mantissa_bits: u32) -> u64 {
    let (top, ones) = ((1_u64 << exponent_bits) - 1, (1_u64 << mantissa_bits) - 1);
    let (infinity, one) = (top << mantissa_bits, (top / 2) << mantissa_bits);
    let corners = [
        0,
        1,        // smallest subnormal
        ones,     // largest subnormal
        ones + 1, // smallest normal
        one,
        one - 1,
        one + 1,
        one + (1 << mantissa_bits), // 2
        one - (1 << mantissa_bits), // 0.5
        one + (ones >> 1) + 1,      // 1.5
        infinity - 1,               // largest
        infinity,
        infinity + (ones >> 1) + 1,        // quiet NaN
        infinity + ones,                   // the same with every payload bit
        infinity + 1,                      // signalling NaN
        infinity | (random.bits() & ones), // some NaN
    ];
    corners[random.below(16) as usize] | (random.below(2) << (exponent_bits + mantissa_bits))
}
