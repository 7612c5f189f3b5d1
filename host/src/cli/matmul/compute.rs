//! The product at a precision, and how far it is from that of the numbers in the files.

use std::time::Duration;

use clap::ValueEnum;
use gpu_std::{bf16, f16};
use rayon::prelude::*;

use super::matrix::Matrix;
use crate::error::Error;
use crate::ops::matmul::{
    FloatInput, FloatOutput, HostBias, HostFloat, HostHpq, HostQ8, matmul_hpq_timed_on, matmul_q8_timed_on,
    matmul_timed_on,
};
use crate::ops::quantize::{OnNonFinite, quantize_rows_i16_on, quantize_rows_on};
use crate::ops::{Executor, HostRef, Layout, mix};

/// Elements that are compared with sums in f64.
const SAMPLES: u64 = 4096;

/// What the matrices become before they are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Precision {
    /// Both codes of 8 bits with a scale for each row
    Int8,
    /// A codes of 8 bits, B of 16 with zero points
    Hybrid,
    /// Both f16
    F16,
    /// Both bf16
    Bf16,
}

impl Precision {
    /// As it is given on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Int8 => "int8",
            Self::Hybrid => "hybrid",
            Self::F16 => "f16",
            Self::Bf16 => "bf16",
        }
    }
}

/// The product in f32, and the time that it took without quantizers and copies.
///
/// # Errors
/// What quantizer or product refuse, or the back end's error.
pub fn product(
    executor: &Executor,
    precision: Precision,
    (a, b): (&Matrix, &Matrix),
    bias: Option<&[f32]>,
) -> Result<(Vec<f32>, Duration), Error> {
    let bias = bias.map(HostBias::F32);
    match precision {
        Precision::Int8 => {
            let [left, right] = [quantized(executor, a)?, quantized(executor, b)?];
            let asked = HostQ8 {
                row_scales: Some(&left.scales),
                col_scales: Some(&right.scales),
                bias,
                ..HostQ8::new(view(&left.codes, a)?, view(&right.codes, b)?)
            };
            matmul_q8_timed_on(executor, &asked)
        }
        Precision::Hybrid => {
            let left = quantized(executor, a)?;
            let right = quantize_rows_i16_on(executor, b.view()?, OnNonFinite::Refuse)?;
            let halves = right.high.iter().zip(&right.low);
            let weights: Vec<i16> =
                halves.map(|(high, low)| i16::from(*high) << 8 | i16::from(*low)).collect();
            let asked = HostHpq {
                row_scales: Some(&left.scales),
                col_scales: Some(&right.scales),
                col_zeros: Some(&right.zeros),
                bias,
                ..HostHpq::new(view(&left.codes, a)?, view(&weights, b)?)
            };
            matmul_hpq_timed_on(executor, &asked)
        }
        Precision::F16 => floats::<f16>(executor, (a, b), bias),
        Precision::Bf16 => floats::<bf16>(executor, (a, b), bias),
    }
}

fn quantized(executor: &Executor, matrix: &Matrix) -> Result<crate::ops::quantize::QuantizedRows, Error> {
    quantize_rows_on(executor, matrix.view()?, false, OnNonFinite::Refuse)
}

fn floats<I: FloatInput>(
    executor: &Executor,
    (a, b): (&Matrix, &Matrix),
    bias: Option<HostBias<'_>>,
) -> Result<(Vec<f32>, Duration), Error>
where
    f32: FloatOutput<I>,
{
    let narrow = |matrix: &Matrix| matrix.data.iter().map(|x| I::from_f32(*x)).collect::<Vec<I>>();
    let (left, right) = (narrow(a), narrow(b));
    matmul_timed_on(executor, &HostFloat { a: view(&left, a)?, b: view(&right, b)?, bias })
}

/// Elements in the shape of `matrix`.
fn view<'a, T>(data: &'a [T], matrix: &Matrix) -> Result<HostRef<'a, T>, Error> {
    Ok(HostRef::new(data, Layout::new(matrix.rows, matrix.cols, matrix.cols)?)?)
}

/// How far `c` is from sums in f64: the root of the squared differences over that of the squares, of all elements or of
/// [`SAMPLES`]. `None` where all sums are zero or there are none.
pub fn relative_error(a: &Matrix, b: &Matrix, bias: Option<&[f32]>, c: &[f32]) -> Option<f64> {
    let elements = c.len() as u64;
    let (count, k) = (elements.min(SAMPLES), a.cols as usize);
    let sums = (0..count).into_par_iter().map(|sample| {
        let at = if elements > SAMPLES { mix(sample) % elements } else { sample } as usize;
        let (i, j) = (at / b.rows as usize, at % b.rows as usize);
        let pairs = a.data[i * k..][..k].iter().zip(&b.data[j * k..][..k]);
        let sum: f64 = pairs.map(|(a, b)| f64::from(*a) * f64::from(*b)).sum();
        let want = sum + bias.map_or(0.0, |bias| f64::from(bias[j]));
        ((f64::from(c[at]) - want).powi(2), want.powi(2))
    });
    let (off, all) = sums.reduce(|| (0.0, 0.0), |x, y| (x.0 + y.0, x.1 + y.1));
    (all > 0.0).then(|| (off / all).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matrix(seed: u64, rows: u64, cols: u64) -> Matrix {
        let unit = |at: u64| (mix(seed + at) >> 40) as f32 / (1 << 23) as f32 - 1.0;
        Matrix { data: (0..rows * cols).map(unit).collect(), rows, cols }
    }

    #[test]
    fn each_precision_is_as_far_off_as_its_bits_say() {
        let (a, b) = (matrix(1, 20, 300), matrix(1 << 40, 30, 300));
        let bias = vec![0.5; 30];
        for (precision, limit) in [
            (Precision::Int8, 1e-2),
            (Precision::Hybrid, 6e-3),
            (Precision::F16, 5e-4),
            (Precision::Bf16, 4e-3),
        ] {
            let (c, _) = product(&Executor::Cpu, precision, (&a, &b), Some(&bias)).expect("it is right");
            let error = relative_error(&a, &b, Some(&bias), &c).expect("sums are not 0");
            assert!(error > 0.0 && error < limit, "{precision:?}: {error:e}");
        }
        assert_eq!(relative_error(&a, &b, None, &[]), None);
    }
}
