//! The accurate functions of `gpu_std::math` beside their exact values: arguments, and how far results are off.

use std::f32::consts;
use std::fmt;

use kernels_gpu::probe::math_f32::{Cos, Erf, Exp, Exp2, Function, Log, Log2, Pow, Sigmoid, Sin, Tanh};
use rayon::prelude::*;

/// An accurate function. Those of one argument do not look at the second.
pub struct Accurate {
    /// Its name in `gpu_std::math`.
    pub name: &'static str,
    /// What all its arguments are.
    pub domain: Domain,
    /// The function.
    pub ours: fn(f32, f32) -> f32,
    /// Its value in f64, within some ulp of f64.
    pub exact: fn(f64, f64) -> f64,
    /// The largest error that is documented, in ulp.
    pub bound: f64,
}

/// The arguments of a function. Floats are given by the range of their sizes in which results are not all the same, the
/// argument itself or a constant times it.
#[derive(Clone, Copy, PartialEq)]
pub enum Domain {
    /// One float of either sign.
    Line(f32, f32),
    /// One float; for a negative one the result is that of the positive one, its negative, or NaN.
    HalfLine(f32, f32),
    /// Two floats.
    Plane,
}

/// All of them.
pub const ALL: [Accurate; 10] = [
    unary::<Exp>("exp", Domain::Line(1e-8, 105.0), |x, _| x.exp(), 0.8),
    unary::<Exp2>("exp2", Domain::Line(1e-8, 151.0), |x, _| x.exp2(), 0.8),
    unary::<Log>("log", Domain::HalfLine(0.0, f32::MAX), |x, _| x.ln(), 0.75),
    unary::<Log2>("log2", Domain::HalfLine(0.0, f32::MAX), |x, _| x.log2(), 0.8),
    unary::<Tanh>("tanh", Domain::HalfLine(1e-4, 10.0), |x, _| x.tanh(), 0.8),
    unary::<Sigmoid>("sigmoid", Domain::Line(1e-8, 105.0), |x, _| 1.0 / (1.0 + (-x).exp()), 0.8),
    unary::<Sin>("sin", Domain::HalfLine(1e-4, f32::MAX), |x, _| x.sin(), 0.8),
    unary::<Cos>("cos", Domain::HalfLine(1e-4, f32::MAX), |x, _| x.cos(), 0.8),
    unary::<Erf>("erf", Domain::HalfLine(1e-4, 4.0), |x, _| libm::erf(x), 1.2),
    Accurate { name: "pow", domain: Domain::Plane, ours: Pow::of, exact: f64::powf, bound: 0.85 },
];

const fn unary<F: Function>(
    name: &'static str,
    domain: Domain,
    exact: fn(f64, f64) -> f64,
    bound: f64,
) -> Accurate {
    Accurate { name, domain, ours: F::of, exact, bound }
}

/// Where something happens: the ends of the range, the functions' own limits, what they treat by itself.
const PLACES: [f32; 36] = [
    0.0,
    1e-45,
    1e-40,
    f32::MIN_POSITIVE,
    1e-20,
    1e-8,
    0.333_333_34,
    0.5,
    0.625,
    consts::LN_2,
    consts::FRAC_1_SQRT_2,
    1.0,
    consts::SQRT_2,
    consts::FRAC_PI_2,
    2.0,
    3.0,
    consts::PI,
    3.92,
    4.0,
    9.0,
    10.0,
    15.0,
    88.722_84,
    87.336_55,
    103.972_08,
    126.0,
    128.0,
    149.0,
    150.0,
    131_072.0,
    8_388_608.0,
    16_777_215.0,
    16_777_216.0,
    f32::MAX,
    f32::INFINITY,
    f32::NAN,
];

/// The [`PLACES`] and their neighbours, of both signs.
fn places(neighbours: i32) -> impl Iterator<Item = f32> + Clone {
    let around = move |place: f32| {
        let near = move |step: i32| f32::from_bits(place.to_bits().saturating_add_signed(step) & 0x7fff_ffff);
        (-neighbours..=neighbours).map(near)
    };
    PLACES.into_iter().flat_map(around).flat_map(|x| [x, -x])
}

/// Numbers without pattern, the same every time.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

/// `per_binade` floats of every sign and exponent, in equal steps with a random rest.
fn binades(per_binade: u32) -> impl Iterator<Item = f32> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let step = (1 << 23) / per_binade;
    (0..512 * per_binade).map(move |i| {
        let rest = (random.next() >> 32) as u32 % step;
        f32::from_bits((i / per_binade) << 23 | (i % per_binade * step + rest))
    })
}

/// Pairs for powers: everything where something happens with everything, then random bases with exponents that put the power
/// inside the range and a bit beyond.
fn pairs(count: u32) -> impl Iterator<Item = [f32; 2]> {
    let special = places(1).flat_map(|x| places(1).map(move |y| [x, y]));
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let inside = (0..count).map(move |i| {
        let mut x = f32::from_bits((random.next() >> 32) as u32);
        if i % 2 == 0 {
            // Near 1, where the logarithm is hardest.
            x = 1.0 + (x.to_bits() as i32) as f32 * 2f32.powi(-31 - (i / 2 % 24) as i32);
        }
        let power = (random.next() >> 32) as f32 / 2f32.powi(32) * 290.0 - 155.0;
        let y = power / x.abs().log2();
        [x, if x < 0.0 { y.round() } else { y }]
    });
    special.chain(inside)
}

impl Accurate {
    /// Arguments: some 512 * `per_binade`, more or less evenly over all floats, and where something happens.
    pub fn arguments(&self, per_binade: u32) -> Box<dyn Iterator<Item = [f32; 2]>> {
        match self.domain {
            Domain::Plane => Box::new(pairs(512 * per_binade)),
            Domain::Line(..) | Domain::HalfLine(..) => {
                Box::new(places(3).chain(binades(per_binade)).map(|x| [x, 0.0]))
            }
        }
    }

    /// The error of `got` for these arguments.
    pub fn error(&self, got: f32, [x, y]: [f32; 2]) -> f64 {
        error(got, (self.exact)(f64::from(x), f64::from(y)))
    }

    /// The largest error over `arguments`.
    pub fn worst(&self, arguments: impl Iterator<Item = [f32; 2]>) -> Worst {
        arguments.fold(Worst::default(), |worst, at @ [x, y]| {
            worst.or(Worst { ulps: self.error((self.ours)(x, y), at), at })
        })
    }

    /// The largest error over all arguments of the [`Domain`]; `None` where there are too many.
    pub fn worst_of_all(&self) -> Option<Worst> {
        const CHUNK: u32 = 1 << 20;
        let (least, most, signs) = match self.domain {
            Domain::Line(least, most) => (least, most, 0..2_u32),
            Domain::HalfLine(least, most) => (least, most, 0..1),
            Domain::Plane => return None,
        };
        let (first, end) = (least.to_bits() / CHUNK, most.to_bits() / CHUNK + 1);
        let chunk = |(sign, high): (u32, u32)| {
            let bits = high * CHUNK..high * CHUNK + CHUNK;
            self.worst(bits.map(|bits| [f32::from_bits(sign << 31 | bits), 0.0]))
        };
        let chunks =
            signs.into_par_iter().flat_map(|sign| (first..end).into_par_iter().map(move |high| (sign, high)));
        Some(chunks.map(chunk).reduce(Worst::default, Worst::or))
    }
}

/// The error of `got` in units of the last place of `exact` in f32, which below the normal numbers are subnormal steps;
/// infinity counts as 2^128. The wrong sign, also of a zero, and NaN for a number or the other way round are infinitely wrong.
#[must_use]
pub fn error(got: f32, exact: f64) -> f64 {
    if got.is_nan() || exact.is_nan() {
        return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
    }
    if got.is_sign_negative() != exact.is_sign_negative() {
        return f64::INFINITY;
    }
    // 2^128.
    const TOP: f64 = 340_282_366_920_938_463_463_374_607_431_768_211_456.0;
    let (got, exact) = (f64::from(got).clamp(-TOP, TOP), exact.clamp(-TOP, TOP));
    let exponent = ((exact.to_bits() >> 52) & 0x7ff).clamp(1023 - 126, 1023 + 127);
    (got - exact).abs() * f64::from_bits((2046 + 23 - exponent) << 52)
}

/// The largest error of a sweep, and where it is.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Worst {
    /// In ulp.
    pub ulps: f64,
    /// The arguments.
    pub at: [f32; 2],
}

impl Worst {
    /// The larger of two.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        if other.ulps > self.ulps { other } else { self }
    }
}

impl fmt::Display for Worst {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { ulps, at: [x, y] } = self;
        write!(f, "{ulps:.4} ulp at x = {x:e} ({:#010x})", x.to_bits())?;
        if *y == 0.0 { Ok(()) } else { write!(f, ", y = {y:e} ({:#010x})", y.to_bits()) }
    }
}
