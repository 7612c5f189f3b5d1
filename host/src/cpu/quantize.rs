//! Quantizers: threads over rows, plain loops that the compiler makes vectors of.

use kernels_gpu::quantize::steps::{Codes, POWER, Range, Steps};
use rayon::prelude::*;

use crate::cpu::{CHUNK, CpuScalar};
use crate::ops::quantize::{Affine, CodeType, QuantizeError};
use crate::ops::{HostMut, HostRef, OpError, check_shapes};

/// 1.5 · 2^52: x + MAGIC is x rounded to an integer, ties to even, which stands in the sum's low bits.
const MAGIC: f64 = 6_755_399_441_055_744.0;

/// What each row has one of.
#[derive(Debug)]
pub struct RowSteps<'a> {
    /// Scales, one per row.
    pub scales: &'a mut [f32],
    /// Zero points, one per row; their presence asks for asymmetric codes.
    pub zeros: Option<&'a mut [i32]>,
    /// Sums of the codes of a row, modulo 2^32.
    pub sums: Option<&'a mut [i32]>,
}

/// The codes of each row: see [`quantize_rows`](crate::ops::quantize::quantize_rows). Gives how many values are not finite.
///
/// # Errors
/// [`OpError::ShapeMismatch`], [`QuantizeError::Length`]; nothing has been written then.
pub fn quantize_rows<T: CpuScalar>(
    x: HostRef<'_, T>,
    codes: &mut HostMut<'_, i8>,
    steps: RowSteps<'_>,
) -> Result<u64, OpError> {
    const OP: &str = "quantize_rows";
    check_shapes(OP, &[("x", x.layout()), ("codes", codes.layout())])?;
    let row = |row: u64, values: &mut Vec<f32>| values.extend(x.row(row).iter().map(|x| x.to_f32()));
    bytes(OP, codes, steps, row)
}

/// The codes of the rows of `a * b`: see [`hadamard_quantize`](crate::ops::quantize::hadamard_quantize). Gives how many
/// products are not finite.
///
/// # Errors
/// As [`quantize_rows`].
pub fn hadamard_quantize<T: CpuScalar>(
    a: HostRef<'_, T>,
    b: HostRef<'_, T>,
    codes: &mut HostMut<'_, i8>,
    steps: RowSteps<'_>,
) -> Result<u64, OpError> {
    const OP: &str = "hadamard_quantize";
    check_shapes(OP, &[("a", a.layout()), ("b", b.layout()), ("codes", codes.layout())])?;
    let row = |row: u64, values: &mut Vec<f32>| {
        values.extend(a.row(row).iter().zip(b.row(row)).map(|(a, b)| (*a * *b).to_f32()));
    };
    bytes(OP, codes, steps, row)
}

/// The 16-bit codes of each row: see [`quantize_rows_i16`](crate::ops::quantize::quantize_rows_i16). Gives how many values are
/// not finite.
///
/// # Errors
/// As [`quantize_rows`].
pub fn quantize_rows_i16<T: CpuScalar>(
    x: HostRef<'_, T>,
    high: &mut HostMut<'_, i8>,
    low: &mut HostMut<'_, u8>,
    scales: &mut [f32],
    zeros: &mut [i32],
) -> Result<u64, OpError> {
    const OP: &str = "quantize_rows_i16";
    let layout = x.layout();
    check_shapes(OP, &[("x", layout), ("high", high.layout()), ("low", low.layout())])?;
    check_length(OP, "scales", scales.len(), layout.rows())?;
    check_length(OP, "zeros", zeros.len(), layout.rows())?;
    let (highs, lows) = (rows_of(high, scales.len()), rows_of(low, scales.len()));
    let planes = highs.into_par_iter().zip(lows);
    let count = planes.zip(scales).zip(zeros).enumerate().map(|(row, (((high, low), scale), zero))| {
        let values: Vec<f32> = x.row(row as u64).iter().map(|x| x.to_f32()).collect();
        let (steps, odd) = steps_of(Codes::Wide, &values);
        (*scale, *zero) = (steps.scale, steps.zero);
        let coder = Coder::new(Codes::Wide, &steps);
        for ((high, low), x) in high.iter_mut().zip(low).zip(&values) {
            let code = coder.code(*x);
            (*high, *low) = ((code >> 8) as i8, code as u8);
        }
        odd
    });
    Ok(count.sum())
}

/// Codes by a scale and a zero point that are given: see [`quantize_affine`](crate::ops::quantize::quantize_affine). Gives how
/// many values are not finite.
///
/// # Errors
/// [`OpError::ShapeMismatch`]; nothing has been written then.
pub fn quantize_affine<T: CpuScalar, C: CodeType>(
    x: HostRef<'_, T>,
    codes: &mut HostMut<'_, C>,
    affine: Affine<C>,
) -> Result<u64, OpError> {
    /// Beyond every distance from a zero point to a code.
    const FAR: f32 = 65_536.0;
    let layout = x.layout();
    check_shapes("quantize_affine", &[("x", layout), ("codes", codes.layout())])?;
    let (inverse, zero) = (affine.inverse(), affine.zero());
    let code = |x: f32| {
        let steps = x * inverse;
        let steps = if steps.is_nan() { 0.0 } else { steps.clamp(-FAR, FAR) };
        C::of((rounded(f64::from(steps)) + zero).clamp(C::FIRST, C::LAST))
    };
    let rows = rows_of(codes, layout.rows() as usize).into_par_iter().enumerate();
    let count = rows.map(|(row, codes)| {
        let pieces = codes.par_chunks_mut(CHUNK).zip(x.row(row as u64).par_chunks(CHUNK));
        let odd = pieces.map(|(codes, x)| {
            codes.iter_mut().zip(x).for_each(|(target, x)| *target = code(x.to_f32()));
            x.iter().filter(|x| !x.to_f32().is_finite()).count() as u64
        });
        odd.sum::<u64>()
    });
    Ok(count.sum())
}

/// Codes of a byte of rows that `read` appends the values of.
fn bytes(
    op: &'static str,
    codes: &mut HostMut<'_, i8>,
    steps: RowSteps<'_>,
    read: impl Fn(u64, &mut Vec<f32>) + Sync,
) -> Result<u64, OpError> {
    let RowSteps { scales, zeros, sums } = steps;
    let (rows, cols) = (codes.layout().rows(), codes.layout().cols() as usize);
    check_length(op, "scales", scales.len(), rows)?;
    let ints = [("zeros", zeros.as_deref()), ("sums", sums.as_deref())];
    for (name, view) in ints {
        view.map_or(Ok(()), |view| check_length(op, name, view.len(), rows))?;
    }
    let kind = if zeros.is_some() { Codes::Asymmetric } else { Codes::Symmetric };
    let (zeros, sums) = (optional(zeros, rows), optional(sums, rows));
    let each = rows_of(codes, rows as usize).into_par_iter().zip(scales).zip(zeros).zip(sums);
    let count = each.enumerate().map(|(row, (((codes, scale), zero), sum))| {
        let mut values = Vec::with_capacity(cols);
        read(row as u64, &mut values);
        let (steps, odd) = steps_of(kind, &values);
        let coder = Coder::new(kind, &steps);
        codes.iter_mut().zip(&values).for_each(|(code, x)| *code = coder.code(*x) as i8);
        *scale = steps.scale;
        if let Some(zero) = zero {
            *zero = steps.zero;
        }
        if let Some(sum) = sum {
            *sum = codes.iter().fold(0, |sum: i32, code| sum.wrapping_add(i32::from(*code)));
        }
        odd
    });
    Ok(count.sum())
}

/// An element for each row, where they are asked for.
fn optional(ints: Option<&mut [i32]>, rows: u64) -> Vec<Option<&mut i32>> {
    match ints {
        Some(ints) => ints.iter_mut().map(Some).collect(),
        None => (0..rows).map(|_| None).collect(),
    }
}

fn check_length(op: &'static str, name: &'static str, got: usize, want: u64) -> Result<(), QuantizeError> {
    let got = got as u64;
    if got == want { Ok(()) } else { Err(QuantizeError::Length { op, name, got, want }) }
}

/// The rows, without what lies between them; as many as asked for even where they are empty.
fn rows_of<'a, C>(codes: &'a mut HostMut<'_, C>, rows: usize) -> Vec<&'a mut [C]> {
    let layout = codes.layout();
    let cols = layout.cols() as usize;
    if cols == 0 {
        return (0..rows).map(|_| <&mut [C]>::default()).collect();
    }
    let stride = if layout.rows() > 1 { layout.stride() as usize } else { cols };
    codes.data_mut().chunks_mut(stride).map(|row| &mut row[..cols]).collect()
}

/// The steps of a row, and how many values are not finite.
fn steps_of(codes: Codes, values: &[f32]) -> (Steps, u64) {
    /// The bits of infinity: magnitudes order as their bits do.
    const INFINITY: u32 = f32::INFINITY.to_bits();
    let magnitude = |x: &f32| x.to_bits() & !(1 << 31);
    let most = values.iter().map(magnitude).fold(0, u32::max);
    if most >= INFINITY {
        let odd = values.iter().filter(|x| magnitude(x) >= INFINITY).count() as u64;
        return (Steps::new(codes, Range { least: f32::NAN, most: f32::NAN }), odd);
    }
    if matches!(codes, Codes::Symmetric) {
        return (Steps::new(codes, Range { least: 0.0, most: f32::from_bits(most) }), 0);
    }
    let first = values.first().copied().unwrap_or(0.0);
    let least = values.iter().fold(first, |least, x| if *x < least { *x } else { least });
    let most = values.iter().fold(first, |most, x| if *x > most { *x } else { most });
    (Steps::new(codes, Range { least, most }), 0)
}

/// The nearest integer, ties to even, of a number well below 2^31.
fn rounded(x: f64) -> i32 {
    (x + MAGIC).to_bits() as i32
}

/// How a row's values become codes.
struct Coder {
    inverse: f64,
    zero: i32,
    last: i32,
    /// 0 for a row that is not finite, else all bits.
    mask: i32,
}

impl Coder {
    fn new(codes: Codes, steps: &Steps) -> Self {
        debug_assert!(steps.power == 1.0 || steps.power == POWER);
        let inverse = f64::from(steps.inverse) * f64::from(steps.power);
        Self { inverse, zero: steps.zero, last: codes.last(), mask: steps.mask as i32 }
    }

    /// The product is exact in f64, so it is rounded once.
    fn code(&self, x: f32) -> i32 {
        (rounded(f64::from(x) * self.inverse) + self.zero).min(self.last) & self.mask
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Layout;

    #[test]
    fn vectors_of_other_lengths_are_refused_with_both() {
        let data = [1.0_f32; 6];
        let layout = Layout::new(2, 3, 3).expect("it fits");
        let x = HostRef::new(&data, layout).expect("it fits");
        let mut codes = [7_i8; 6];
        let mut codes = HostMut::new(&mut codes, layout).expect("it fits");
        let mut scales = [0.0; 3];
        let steps = RowSteps { scales: &mut scales, zeros: None, sums: None };
        let error = quantize_rows(x, &mut codes, steps).expect_err("three scales for two rows");
        assert_eq!(error.to_string(), "quantize_rows: `scales` has 3 elements; it must have 2");
        let (mut scales, mut sums) = ([0.0; 2], [0; 1]);
        let steps = RowSteps { scales: &mut scales, zeros: None, sums: Some(&mut sums) };
        assert!(quantize_rows(x, &mut codes, steps).is_err());
        assert_eq!(codes.data_mut(), [7; 6]);
    }
}
