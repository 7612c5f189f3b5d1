//! Rows at which quantizers go wrong.

use crate::ops::inputs::mix;
use crate::ops::{Case, Scalar, Values, fill};
use crate::reference::round::round;

/// Elements of the largest chunk.
const LANES: usize = 8;

/// Elements from one row's peak to the next row's at least, about a warp's; in long rows an eighth of the row, so that peaks lie in
/// every chunk of a thread.
const APART: usize = 32 * LANES + 3;

/// What rows hold, by the number of the case's option `content`; 0 leaves the case's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// The case's values.
    Plain,
    /// Halves: with the row's first value, 127, and its last, −128, the scale is 1 and they are ties.
    Ties,
    /// One value per row, of any magnitude, subnormals among them.
    Constant,
    /// Rows whose range goes from 1e-40 to 1e-8, as far as the type has such numbers; some scales are
    /// subnormal.
    Tiny,
    /// Zeros of both signs in every other row, the first among them.
    ZeroRows,
    /// Near the largest numbers, of both signs.
    Huge,
    /// One NaN or infinity in three of four rows: one row with each. NaN between rows.
    Odd,
    /// One value of a row is the largest and one the smallest: in each lane of the first chunk in turn, then in
    /// the last elements and in other warps.
    Peaks,
    /// Halves of a row's range or magnitude: ties but for the rounding of the inverse.
    Middle,
}

/// The row and the input that are filled.
#[derive(Clone, Copy)]
struct Place {
    row: usize,
    operand: usize,
    cols: usize,
    random: u64,
}

impl Content {
    /// All, by number.
    pub const ALL: [Self; 9] = [
        Self::Plain,
        Self::Ties,
        Self::Constant,
        Self::Tiny,
        Self::ZeroRows,
        Self::Huge,
        Self::Odd,
        Self::Peaks,
        Self::Middle,
    ];

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
            let random = mix(case.seed_of(operand) + row as u64);
            content.change(Place { row, operand, cols, random }, values);
        }
        data
    }

    /// Changes one row, which may end with what lies behind its `cols` elements.
    fn change<T: Scalar>(self, at: Place, values: &mut [T]) {
        let Place { row, operand, cols, random } = at;
        let each = |values: &mut [T], f: &dyn Fn(usize, f64) -> f64| {
            for (col, x) in values.iter_mut().enumerate() {
                *x = round(f(col, f64::from(x.to_f32())));
            }
        };
        let exponents = (1_i32 << (T::FORMAT.exponent_bits - 1)) - 2;
        match self {
            Self::Plain => {}
            // The products have the values of the first factor, and where it is tiny its magnitude.
            Self::Ties | Self::Middle if operand > 0 => each(values, &|_, _| 1.0),
            Self::Tiny if operand > 0 => {}
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
                // Two subnormal scales, 10^-40 to 10^-8, and the smallest numbers of the type.
                let normal = f64::powi(2.0, 2 - (1 << (T::FORMAT.exponent_bits - 1)));
                let magnitude = match row % 4 {
                    0 => normal * 32.0,
                    1 => normal * 2.0,
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
            Self::Odd => {
                let odd = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY].get(row % 4);
                if let (Some(odd), Some(x)) = (odd, values.get_mut(random as usize % cols.max(1))) {
                    *x = round(*odd);
                }
                // What lies between rows is not theirs.
                values.iter_mut().skip(cols).for_each(|x| *x = round(f64::NAN));
            }
            Self::Peaks => {
                // Every second row the other sign.
                let sign = if row.is_multiple_of(2) { 1.0 } else { -1.0 };
                let apart = APART.max(cols / LANES + 3);
                let first = if row < LANES { row as i64 } else { -1 - ((row - LANES) * apart) as i64 };
                each(values, &|col, x| match (col as i64 - first).rem_euclid(cols.max(1) as i64) {
                    0 => 2.0 * sign,
                    4 => -1.5 * sign,
                    _ => x / 8.0,
                });
            }
            Self::Middle => {
                let most =
                    4.0 * f64::from(round::<T>(1.0 + (random >> 11) as f64 / (1_u64 << 53) as f64).to_f32());
                let parts =
                    if row.is_multiple_of(2) { [1.0, 0.5, 0.25, 0.0] } else { [0.5, -0.5, 0.25, -0.25] };
                each(values, &|col, _| most * parts[(col + row / 2) % 4]);
            }
        }
    }
}

/// Values beside [`Values::Uniform`] that cases have.
pub const KINDS: [Values; 4] = [Values::Special, Values::Bits, Values::Spiky, Values::Offset];
