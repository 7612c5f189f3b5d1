//! Quantizers in `f64`: each f32 operation of the contract is one operation here, rounded to f32 once.

use super::round::round;

/// A row's codes, and what comes with them.
#[derive(Clone, Debug, PartialEq)]
pub struct RowCodes {
    /// The codes.
    pub codes: Vec<i32>,
    /// The value of one step.
    pub scale: f32,
    /// The code of 0.
    pub zero: i32,
    /// Values that are not finite.
    pub not_finite: u64,
}

/// The smallest f32, and the number of them in the smallest normal one.
const SMALLEST: f64 = 1.401298464324817e-45;
const NORMAL: f64 = 8_388_608.0;

/// Codes from −127 to 127 of a row of f32 values.
pub fn symmetric_cpu(row: &[f64]) -> RowCodes {
    let mut absmax = 0.0;
    for x in row {
        if x.abs() > absmax {
            absmax = x.abs();
        }
    }
    let scale = if absmax == 0.0 { 1.0 } else { step(absmax, 127.0) };
    coded(row, scale, |_| 0, 127)
}

/// Codes from `-last - 1` to `last` of a row of f32 values, with a zero point.
pub fn asymmetric_cpu(row: &[f64], last: i32) -> RowCodes {
    let (mut low, mut high) = (0.0, 0.0);
    for x in row {
        if *x < low {
            low = *x;
        }
        if *x > high {
            high = *x;
        }
    }
    if row.iter().all(|x| *x == row[0]) {
        let value = row.first().map_or(0.0, |x| x.abs());
        return coded(row, if value == 0.0 { 1.0 } else { value }, |_| 0, last);
    }
    let steps = f64::from(2 * last + 1);
    let width = f64::from(round::<f32>(high - low));
    let scale = if width.is_infinite() {
        f64::from(round::<f32>(f64::from(round::<f32>((high - low) / 2.0)) / (steps / 2.0)))
    } else {
        step(width, steps)
    };
    coded(row, scale, |inverse| (-low * inverse).round_ties_even() as i32 - last - 1, last)
}

/// The code of one value with a scale and a zero point that are given.
pub fn affine_cpu(x: f64, scale: f32, zero: i32, first: i32, last: i32) -> i32 {
    let inverse = f64::from(round::<f32>(1.0 / f64::from(scale)));
    let steps = f64::from(round::<f32>(x * inverse));
    let code = if x.is_nan() { f64::from(zero) } else { steps.round_ties_even() + f64::from(zero) };
    if code < f64::from(first) {
        first
    } else if code > f64::from(last) {
        last
    } else {
        code as i32
    }
}

/// A `parts`-th of `width`, to the nearest f32; to the next larger one where it is subnormal.
fn step(width: f64, parts: f64) -> f64 {
    let exact = width / parts;
    if exact < NORMAL * SMALLEST {
        return (width / SMALLEST / parts).ceil() * SMALLEST;
    }
    f64::from(round::<f32>(exact))
}

/// The codes with this scale and the zero point that the inverse of it gives.
fn coded(row: &[f64], scale: f64, zero: impl Fn(f64) -> i32, last: i32) -> RowCodes {
    let not_finite = row.iter().filter(|x| !x.is_finite()).count() as u64;
    if not_finite > 0 {
        return RowCodes { codes: vec![0; row.len()], scale: f32::NAN, zero: 0, not_finite };
    }
    // 24 bits of 1 / scale, whose exponent is beyond f32 where the scale is subnormal.
    let power = if scale < NORMAL * SMALLEST { f64::powi(2.0, 64) } else { 1.0 };
    let inverse = f64::from(round::<f32>(1.0 / (scale * power))) * power;
    let zero = zero(inverse);
    let codes = row.iter().map(|x| ((x * inverse).round_ties_even() as i32 + zero).min(last)).collect();
    RowCodes { codes, scale: scale as f32, zero, not_finite }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_by_hand() {
        let row = symmetric_cpu(&[127.0, 0.5, 1.5, -2.5, -127.0]);
        assert_eq!((row.codes, row.scale), (vec![127, 0, 2, -2, -127], 1.0));
        let row = asymmetric_cpu(&[-1.0, 2.0], 127);
        assert_eq!((row.codes, row.zero), (vec![-128, 127], -43));
        let row = asymmetric_cpu(&[5.5; 3], 32_767);
        assert_eq!((row.codes, row.scale, row.zero), (vec![1; 3], 5.5, 0));
        let row = symmetric_cpu(&[1.0, f64::INFINITY]);
        assert!(row.scale.is_nan() && row.codes == [0, 0] && row.not_finite == 1);
        assert_eq!(affine_cpu(0.05, 0.02, 128, 0, 255), 130);
        assert_eq!(affine_cpu(f64::NAN, 0.02, 128, 0, 255), 128);
    }

    #[test]
    fn the_smallest_numbers_have_a_scale() {
        for absmax in [1e-40_f32, 1e-45, 1e-38, 1e-8] {
            let x = f64::from(absmax);
            let row = symmetric_cpu(&[x, -x / 2.0]);
            assert!(row.scale > 0.0);
            let back = f64::from(row.codes[0]) * f64::from(row.scale);
            assert!((back - x).abs() <= 0.51 * f64::from(row.scale), "{absmax:e}: {row:?}");
        }
    }
}
