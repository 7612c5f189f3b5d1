//! Two matrices at a precision, and their product.

use std::time::Duration;

use clap::ValueEnum;
use gpu_std::{bf16, f16};

use super::matrix::Matrix;
use crate::error::Error;
use crate::host_memory;
use crate::ops::matmul::{
    FloatInput, FloatOutput, HostBias, HostFloat, HostHpq, HostQ8, Product, matmul_hpq_timed_on,
    matmul_q8_timed_on, matmul_timed_on, tolerance_of_sums,
};
use crate::ops::quantize::{
    OnNonFinite, QuantizeError, QuantizedPlanes, QuantizedRows, quantize_rows_i16_on, quantize_rows_on,
};
use crate::ops::{Executor, HostMut, HostRef, Layout, OpError};
use crate::reference::matmul as reference;
use crate::validate::{Comparison, Tolerance, compare, poison};

/// What matrices become before they are multiplied.
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

    /// The product.
    pub const fn product(self) -> Product {
        match self {
            Self::Int8 => Product::Q8,
            Self::Hybrid => Product::Hpq,
            Self::F16 | Self::Bf16 => Product::Float,
        }
    }

    /// The op that multiplies.
    pub const fn op(self) -> &'static str {
        self.product().op()
    }
}

/// A, [m, k], and B, [n, k], at a precision.
pub struct Operands {
    values: Values,
    a: Layout,
    b: Layout,
}

enum Values {
    Int8(QuantizedRows, QuantizedRows),
    Hybrid(QuantizedRows, Weights),
    F16(Floats<f16>),
    Bf16(Floats<bf16>),
}

/// Codes of 16 bits.
struct Weights {
    codes: Vec<i16>,
    scales: Vec<f32>,
    zeros: Vec<i32>,
}

struct Floats<T> {
    a: Vec<T>,
    b: Vec<T>,
}

impl Operands {
    /// Quantizes or rounds both matrices on `executor`.
    ///
    /// # Errors
    /// Numbers that are not finite, or beyond the precision; or the back end's error.
    pub fn new(executor: &Executor, precision: Precision, a: &Matrix, b: &Matrix) -> Result<Self, Error> {
        let quantized =
            |matrix: &Matrix| quantize_rows_on(executor, matrix.view()?, false, OnNonFinite::Refuse);
        let values = match precision {
            Precision::Int8 => Values::Int8(quantized(a)?, quantized(b)?),
            Precision::Hybrid => {
                let planes = quantize_rows_i16_on(executor, b.view()?, OnNonFinite::Refuse)?;
                Values::Hybrid(quantized(a)?, Weights::of(planes))
            }
            Precision::F16 => Values::F16(Floats::of(precision, a, b)?),
            Precision::Bf16 => Values::Bf16(Floats::of(precision, a, b)?),
        };
        Ok(Self { values, a: a.view()?.layout(), b: b.view()?.layout() })
    }

    /// The product in f32, and the time of a run without copies.
    ///
    /// # Errors
    /// What the product refuses, or the back end's error.
    pub fn product(&self, executor: &Executor, bias: Option<&[f32]>) -> Result<(Vec<f32>, Duration), Error> {
        let bias = bias.map(HostBias::F32);
        match &self.values {
            Values::Int8(a, b) => matmul_q8_timed_on(executor, &self.q8(a, b, bias)?),
            Values::Hybrid(a, b) => matmul_hpq_timed_on(executor, &self.hpq(a, b, bias)?),
            Values::F16(floats) => matmul_timed_on(executor, &self.floats(floats, bias)?),
            Values::Bf16(floats) => matmul_timed_on(executor, &self.floats(floats, bias)?),
        }
    }

    /// Compares `c` with the plain reference's product of the same operands.
    ///
    /// # Errors
    /// None: the operands have been multiplied before.
    pub fn compare(&self, bias: Option<&[f32]>, c: &[f32]) -> Result<Comparison, Error> {
        let bias = bias.map(HostBias::F32);
        let layout = Layout::new(self.a.rows(), self.b.rows(), self.b.rows())?;
        let mut want = vec![poison(); layout.elements() as usize];
        let mut view = HostMut::new(&mut want, layout)?;
        match &self.values {
            Values::Int8(a, b) => reference::matmul_q8_cpu(&self.q8(a, b, bias)?, &mut view),
            Values::Hybrid(a, b) => reference::matmul_hpq_cpu(&self.hpq(a, b, bias)?, &mut view),
            Values::F16(floats) => reference::matmul_cpu(&self.floats(floats, bias)?, &mut view),
            Values::Bf16(floats) => reference::matmul_cpu(&self.floats(floats, bias)?, &mut view),
        }
        Ok(compare("c", layout, 0, c, &want, &self.tolerance()))
    }

    fn tolerance(&self) -> Tolerance {
        match &self.values {
            Values::Int8(..) | Values::Hybrid(..) => {
                Tolerance::exact("sums are exact, and what follows is rounded alike, in the same order")
            }
            Values::F16(floats) => tolerance_of_sums(self.a.cols(), floats.magnitudes(self.a.cols())),
            Values::Bf16(floats) => tolerance_of_sums(self.a.cols(), floats.magnitudes(self.a.cols())),
        }
    }

    fn q8<'a>(
        &self,
        a: &'a QuantizedRows,
        b: &'a QuantizedRows,
        bias: Option<HostBias<'a>>,
    ) -> Result<HostQ8<'a>, Error> {
        Ok(HostQ8 {
            row_scales: Some(&a.scales),
            col_scales: Some(&b.scales),
            bias,
            ..HostQ8::new(HostRef::new(&a.codes, self.a)?, HostRef::new(&b.codes, self.b)?)
        })
    }

    fn hpq<'a>(
        &self,
        a: &'a QuantizedRows,
        b: &'a Weights,
        bias: Option<HostBias<'a>>,
    ) -> Result<HostHpq<'a>, Error> {
        Ok(HostHpq {
            row_scales: Some(&a.scales),
            col_scales: Some(&b.scales),
            col_zeros: Some(&b.zeros),
            bias,
            ..HostHpq::new(HostRef::new(&a.codes, self.a)?, HostRef::new(&b.codes, self.b)?)
        })
    }

    fn floats<'a, T>(
        &self,
        floats: &'a Floats<T>,
        bias: Option<HostBias<'a>>,
    ) -> Result<HostFloat<'a, T>, Error> {
        Ok(HostFloat { a: HostRef::new(&floats.a, self.a)?, b: HostRef::new(&floats.b, self.b)?, bias })
    }
}

impl Weights {
    fn of(planes: QuantizedPlanes) -> Self {
        let halves = planes.high.iter().zip(&planes.low);
        let codes = halves.map(|(high, low)| i16::from(*high) << 8 | i16::from(*low)).collect();
        Self { codes, scales: planes.scales, zeros: planes.zeros }
    }
}

impl<T: FloatInput> Floats<T>
where
    f32: FloatOutput<T>,
{
    fn of(precision: Precision, a: &Matrix, b: &Matrix) -> Result<Self, OpError> {
        let op = precision.op();
        let narrow = |matrix: &Matrix| {
            let mut narrow = host_memory::room(matrix.data.len())?;
            narrow.extend(matrix.data.iter().map(|x| T::from_f32(*x)));
            let count = narrow.iter().filter(|x| !x.to_f32().is_finite()).count() as u64;
            let elements = narrow.len() as u64;
            let error = QuantizeError::NotFinite { op, count, elements };
            if count == 0 { Ok::<Vec<T>, OpError>(narrow) } else { Err(error.into()) }
        };
        Ok(Self { a: narrow(a)?, b: narrow(b)? })
    }

    /// Above Σ |a b| of every row of A and row of B, of `k` elements (Cauchy and Schwarz).
    fn magnitudes(&self, k: u64) -> f64 {
        let squares = |row: &[T]| row.iter().map(|x| f64::from(x.to_f32()).powi(2)).sum::<f64>();
        let largest = |data: &[T]| data.chunks(k.max(1) as usize).map(squares).fold(0.0, f64::max);
        (largest(&self.a) * largest(&self.b)).sqrt()
    }
}
