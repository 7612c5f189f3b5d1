//! Rows at which quantizers go wrong.

use crate::ops::inputs::mix;
use crate::ops::{Case, Scalar, Values, fill};
use crate::reference::round::round;

/// What rows hold, by the number of the case's option `content`; 0 leaves the case's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The case's values.
    Plain,
    /// Halves: with the row's first value, 127, and its last, −128, the scale is 1 and they are ties.
    Ties,
    /// One value per row, of any magnitude, subnormals among them.
    Constant,
    /// Rows whose range goes from 1e-40 to 1e-8, as far as the type has such numbers.
    Tiny,
    /// Zeros of both signs in every other row, the first among them.
    ZeroRows,
    /// Near the largest numbers, of both signs.
    Huge,
    /// One NaN or infinity in every third row, the first among them.
    Odd,
}

impl Content {
    /// All, by number.
    pub const ALL: [Self; 7] =
        [Self::Plain, Self::Ties, Self::Constant, Self::Tiny, Self::ZeroRows, Self::Huge, Self::Odd];

    /// That of a case.
    pub fn of(case: &Case) -> Self {
        Self::ALL.get(case.option("content") as usize).copied().unwrap_or(Self::Plain)
    }

    /// `len` elements of operand number `operand`, of which a row has `cols`, `stride` apart.
    pub fn fill<T: Scalar>(case: &Case, operand: usize, len: usize, stride: usize, cols: usize) -> Vec<T> {
        let content = Self::of(case);
        let mut data: Vec<T> = fill(case.values, case.seed_of(operand), len);
        // Rows that overlap have the values of the first of them.
        let stride = if stride < cols { len.max(1) } else { stride.max(1) };
        for (row, values) in data.chunks_mut(stride).enumerate() {
            content.change(row, values, cols, mix(case.seed_of(operand) + row as u64));
        }
        data
    }

    /// Changes one row, which may end with what lies behind its `cols` elements.
    fn change<T: Scalar>(self, row: usize, values: &mut [T], cols: usize, random: u64) {
        let each = |values: &mut [T], f: &dyn Fn(usize, f64) -> f64| {
            for (col, x) in values.iter_mut().enumerate() {
                *x = round(f(col, f64::from(x.to_f32())));
            }
        };
        let exponents = (1_i32 << (T::FORMAT.exponent_bits - 1)) - 2;
        match self {
            Self::Plain => {}
            Self::Ties => each(values, &|col, _| match col {
                0 => 127.0,
                _ if col + 1 == cols => -128.0,
                _ => (col as f64 * 7.0) % 19.0 / 2.0 - 4.5,
            }),
            Self::Constant => {
                let exponent = random as i32 % (exponents + T::FORMAT.fraction_bits as i32);
                let value: T = round(f64::from(1 + row as u32 % 5) / 3.0 * f64::powi(2.0, exponent));
                let value = if row % 2 == 1 { -value } else { value };
                values.fill(value);
            }
            Self::Tiny => {
                // 10^-40 to 10^-8, and the smallest numbers of the type.
                let magnitude = match row % 4 {
                    3 => f64::from(T::from_bits(1).to_f32()) * 2.0,
                    _ => f64::powi(10.0, -40 + (random % 33) as i32),
                };
                each(values, &|_, x| x * magnitude);
            }
            Self::ZeroRows if row.is_multiple_of(2) => {
                each(values, &|col, _| if col % 3 == 1 { -0.0 } else { 0.0 })
            }
            Self::ZeroRows => {}
            Self::Huge => {
                let most = f64::from(
                    T::from_bits((((1_u64 << T::FORMAT.exponent_bits) - 1) << T::FORMAT.fraction_bits) - 1)
                        .to_f32(),
                );
                each(values, &|col, x| if col % 4 == row % 4 { most.copysign(x) } else { x / 2.0 * most });
            }
            Self::Odd if row.is_multiple_of(3) && cols > 0 => {
                let col = random as usize % cols;
                let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][random as usize / 7 % 3];
                if let Some(x) = values.get_mut(col) {
                    *x = round(odd);
                }
            }
            Self::Odd => {}
        }
    }
}

/// Values beside [`Values::Uniform`] that cases have.
pub const KINDS: [Values; 4] = [Values::Special, Values::Bits, Values::Spiky, Values::Offset];
