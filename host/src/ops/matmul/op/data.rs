//! The numbers of a case, in host memory.

use gpu_std::{DeviceRepr, bf16, f16};
use rayon::prelude::*;

use super::shape::{Bias, Codes, Shape, Vector};
use crate::backend::{Buffer, Device};
use crate::cpu::matmul::row_sums;
use crate::error::Error;
use crate::host_memory;
use crate::ops::matmul::host::Beside;
use crate::ops::matmul::{HostBias, HostFloat, HostHpq, HostQ8, split};
use crate::ops::{Case, HostRef, Layout, MatrixRef, OpError, Scalar, mix};
use crate::validate::{Comparable, Comparison, Tolerance, compare};

/// Root mean square of the products of uniform codes of 8 bits.
const TERM_Q8: f64 = 5461.5;
/// The same of codes of 8 bits and weights of 16.
const TERM_HPQ: f64 = 256.0 * TERM_Q8;

/// An input matrix in a buffer that ends with it; what lies around its rows is filled, too.
#[derive(Clone, Debug)]
pub struct Operand<T> {
    pub name: &'static str,
    pub layout: Layout,
    data: Vec<T>,
    offset: u64,
}

impl<T: DeviceRepr + Send + Sync> Operand<T> {
    /// The matrix with `element(random)` everywhere; without a seed, its place alone.
    pub fn new(
        name: &'static str,
        layout: Layout,
        offset: u64,
        seed: Option<u64>,
        element: impl Fn(u64) -> T + Sync,
    ) -> Result<Self, OpError> {
        let Some(seed) = seed else { return Ok(Self { name, layout, data: Vec::new(), offset }) };
        let mut data = host_memory::filled(element(0), (offset + layout.span()) as usize)?;
        let values = data.par_iter_mut().with_min_len(1 << 14).enumerate();
        values.for_each(|(at, value)| *value = element(mix(seed.wrapping_add(at as u64))));
        Ok(Self { name, layout, data, offset })
    }

    pub fn host(&self) -> Result<HostRef<'_, T>, OpError> {
        HostRef::new(&self.data[self.offset as usize..], self.layout)
    }

    pub fn upload<D: Device>(&self, device: &D) -> Result<D::Buffer<T>, Error> {
        let len = self.offset + self.layout.span();
        if self.data.is_empty() { device.alloc(len) } else { device.upload(&self.data) }
    }

    pub fn view<'a>(&self, buffer: &'a impl Buffer<T>) -> Result<MatrixRef<'a, T>, Error> {
        let data = buffer.as_slice().slice(self.offset..buffer.len())?;
        MatrixRef::with_stride(data, self.layout.rows(), self.layout.cols(), self.layout.stride())
    }
}

const UNCHANGED: Tolerance = Tolerance::exact("an input stays what it was");

impl Operand<i8> {
    /// The sum of each row; zeros where there is but a place.
    fn sums(&self) -> Vec<i32> {
        let none = || vec![0; self.layout.rows() as usize];
        if self.data.is_empty() { none() } else { self.host().map_or_else(|_| none(), row_sums) }
    }
}

impl<T: Comparable> Operand<T> {
    /// Compares the buffer with what it was.
    pub fn unchanged<D: Device>(&self, device: &D, buffer: &D::Buffer<T>) -> Result<Comparison, Error> {
        let (now, len) = (device.download(buffer.as_slice())?, self.data.len() as u64);
        Ok(compare(self.name, Layout::new(1, len, len)?, 0, &now, &self.data, &UNCHANGED))
    }
}

/// Elements of a bias.
#[derive(Clone, Debug)]
pub enum BiasData {
    F32(Vec<f32>),
    F16(Vec<f16>),
    Bf16(Vec<bf16>),
}

impl BiasData {
    pub fn new(kind: Bias, seed: u64, n: u64) -> Option<Self> {
        let values = (0..n).map(|j| unit(mix(seed.wrapping_add(j))) as f32 * 4.0 - 2.0);
        match kind {
            Bias::Absent => None,
            Bias::F32 => Some(Self::F32(values.collect())),
            Bias::F16 => Some(Self::F16(values.map(f16::from_f32).collect())),
            Bias::Bf16 => Some(Self::Bf16(values.map(bf16::from_f32).collect())),
        }
    }

    pub fn host(&self) -> HostBias<'_> {
        match self {
            Self::F32(bias) => HostBias::F32(bias),
            Self::F16(bias) => HostBias::F16(bias),
            Self::Bf16(bias) => HostBias::Bf16(bias),
        }
    }
}

/// Bytes of a bias.
pub const fn bias_bytes(kind: Bias, n: u64) -> u64 {
    match kind {
        Bias::Absent => 0,
        Bias::F32 => 4 * n,
        Bias::F16 | Bias::Bf16 => 2 * n,
    }
}

/// Uniform in [0, 1).
fn unit(random: u64) -> f64 {
    (random >> 11) as f64 / (1_u64 << 53) as f64
}

/// One for all, or one for each of `rows`.
fn vector<T>(kind: Vector, rows: u64, seed: u64, element: impl Fn(u64) -> T) -> Option<Vec<T>> {
    let len = match kind {
        Vector::Absent => return None,
        Vector::One => 1,
        Vector::Each => rows,
    };
    Some((0..len).map(|at| element(mix(seed.wrapping_add(at)))).collect())
}

/// The code of a, of b or of the weights, and the zero points of [`Codes::Ties`]. No sum of them is a power of two.
const TIE_A: i32 = 1;
const TIE_B: i32 = 3;
const TIE_ZERO: i32 = -2;

/// Too small for an f32 beside the outputs of [`Codes::Ties`].
const TIE_BIAS: f32 = -1e-20;

/// A scale with which `total` is a little below the middle between two outputs, f16, bf16 or i8 by turns, of which the upper one is
/// even: rounded to nearest it is the middle.
fn tie_scale(row: u64, total: i32) -> f32 {
    let total = f64::from(total);
    let middle = |step: u32| match row % 3 {
        0 => 32.0 * (1.0 + f64::from(4 * step + 3) / 2048.0),
        1 => 32.0 * (1.0 + f64::from(4 * step + 3) / 256.0),
        _ => 33.5 + f64::from(2 * step),
    };
    let scales = (0..32).map(middle).map(|middle| (middle, (middle / total) as f32));
    let mut below = scales.filter(|&(middle, scale)| {
        let product = f64::from(scale) * total;
        product < middle && f64::from(product as f32) == middle
    });
    below.next().map_or(1.0, |(_, scale)| scale)
}

/// What stands beside the matrices.
#[derive(Clone, Debug)]
pub struct Vectors {
    pub row_scales: Option<Vec<f32>>,
    pub col_scales: Option<Vec<f32>>,
    pub row_zeros: Option<Vec<i32>>,
    pub col_zeros: Option<Vec<i32>>,
    pub bias: Option<BiasData>,
}

impl Vectors {
    /// As the shape has them for codes of b of so many bits, whose products with a are about `term`; without scales and bias where
    /// sums are stored.
    fn new(shape: &Shape, case: &Case, stores_sums: bool, bits: u32, term: f64) -> Self {
        // Values spread over about 100: bytes use their whole range, and some saturate.
        let spread = 100.0 / (term * (shape.k.max(1) as f64).sqrt());
        let beyond = shape.codes == Codes::BeyondF16;
        let row_scale = |random| if beyond { 1.0 } else { ((0.5 + unit(random)) / 64.0) as f32 };
        let col_scale = |random| if beyond { 1e-4 } else { ((0.5 + unit(random)) * 64.0 * spread) as f32 };
        let ties = shape.codes == Codes::Ties;
        let term = |zeros, code: i32| if zeros == Vector::Absent { code } else { code - TIE_ZERO };
        let total = term(shape.row_zeros, TIE_A) * term(shape.col_zeros, TIE_B) * shape.k as i32;
        let highest = (1 << (bits - 1)) - 1;
        // The one that is farthest from the lowest code.
        let zero = |random: u64| match shape.codes {
            Codes::Lowest => highest,
            Codes::Ties => TIE_ZERO,
            _ => (random >> (64 - bits)) as i32 - highest - 1,
        };
        let shown = |kind| if stores_sums { Vector::Absent } else { kind };
        let Shape { m, n, .. } = *shape;
        if ties && !stores_sums {
            return Self {
                row_scales: Some((0..m).map(|row| tie_scale(row, total)).collect()),
                col_scales: None,
                row_zeros: vector(shape.row_zeros, m, 0, zero),
                col_zeros: vector(shape.col_zeros, n, 0, zero),
                bias: Some(BiasData::F32(vec![TIE_BIAS; n as usize])),
            };
        }
        Self {
            row_scales: vector(shown(shape.row_scales), m, case.seed_of(3), row_scale),
            col_scales: vector(shown(shape.col_scales), n, case.seed_of(4), col_scale),
            row_zeros: vector(shape.row_zeros, m, case.seed_of(5), zero),
            col_zeros: vector(shape.col_zeros, n, case.seed_of(6), zero),
            bias: if stores_sums { None } else { BiasData::new(shape.bias, case.seed_of(7), n) },
        }
    }

    /// As calls take them; with the sums of the rows of a and of b.
    fn beside(&self, row_sums: impl Fn() -> Vec<i32>, col_sums: impl Fn() -> Vec<i32>) -> Beside<'_> {
        Beside {
            row_scales: self.row_scales.as_deref(),
            col_scales: self.col_scales.as_deref(),
            row_zeros: self.row_zeros.as_deref().map(|zeros| (zeros, col_sums())),
            col_zeros: self.col_zeros.as_deref().map(|zeros| (zeros, row_sums())),
            bias: self.bias.as_ref().map(BiasData::host),
        }
    }

    /// Bytes of all of them.
    pub fn bytes(shape: &Shape, stores_sums: bool) -> u64 {
        let of = |kind, rows| match kind {
            Vector::Absent => 0,
            Vector::One => 4,
            Vector::Each => 4 * rows,
        };
        let Shape { m, n, .. } = *shape;
        // Sums go with zero points, one for each row of the other side.
        let zeros = |kind, rows, others| if kind == Vector::Absent { 0 } else { of(kind, rows) + 4 * others };
        let zeros = zeros(shape.row_zeros, m, n) + zeros(shape.col_zeros, n, m);
        let bias = bias_bytes(shape.bias, n);
        if stores_sums { zeros } else { zeros + of(shape.row_scales, m) + of(shape.col_scales, n) + bias }
    }
}

/// A code of operand `at`.
pub fn code(codes: Codes, at: usize, random: u64) -> i8 {
    match codes {
        Codes::Ties => [TIE_A, TIE_B][at] as i8,
        Codes::Uniform => (random >> 56) as i8,
        Codes::Lowest => i8::MIN,
        Codes::Extreme if random >> 63 == 1 => i8::MIN,
        Codes::Extreme | Codes::BeyondF16 => i8::MAX,
    }
}

/// A product of 8-bit codes.
#[derive(Clone, Debug)]
pub struct Q8Data {
    pub a: Operand<i8>,
    pub b: Operand<i8>,
    pub vectors: Vectors,
}

impl Q8Data {
    /// The numbers of a case; with `lengths_only`, matrices are but places.
    pub fn new(shape: &Shape, case: &Case, stores_sums: bool, lengths_only: bool) -> Result<Self, OpError> {
        let Shape { m, n, k, gaps, offsets, codes, .. } = *shape;
        let of = |name, rows, at: usize| {
            let layout = Layout::new(rows, k, k + gaps[at])?;
            let seed = (!lengths_only).then(|| case.seed_of(at));
            Operand::new(name, layout, offsets[at], seed, |random| code(codes, at, random))
        };
        Ok(Self {
            a: of("a", m, 0)?,
            b: of("b", n, 1)?,
            vectors: Vectors::new(shape, case, stores_sums, 8, TERM_Q8),
        })
    }

    /// What stands beside the matrices.
    pub fn beside(&self) -> Beside<'_> {
        self.vectors.beside(|| self.a.sums(), || self.b.sums())
    }

    /// What is asked of CPU twin and reference.
    pub fn host(&self) -> Result<HostQ8<'_>, OpError> {
        let Vectors { row_scales, col_scales, row_zeros, col_zeros, bias } = &self.vectors;
        Ok(HostQ8 {
            row_scales: row_scales.as_deref(),
            col_scales: col_scales.as_deref(),
            row_zeros: row_zeros.as_deref(),
            col_zeros: col_zeros.as_deref(),
            bias: bias.as_ref().map(BiasData::host),
            ..HostQ8::new(self.a.host()?, self.b.host()?)
        })
    }
}

/// A product of 8-bit codes and 16-bit weights.
#[derive(Clone, Debug)]
pub struct HpqData {
    pub a: Operand<i8>,
    pub weights: Operand<i16>,
    pub hi: Operand<i8>,
    pub lo: Operand<u8>,
    pub vectors: Vectors,
}

impl HpqData {
    /// The numbers of a case, as [`Q8Data::new`].
    pub fn new(shape: &Shape, case: &Case, stores_sums: bool, lengths_only: bool) -> Result<Self, OpError> {
        let Shape { m, n, k, gaps, offsets, codes, .. } = *shape;
        let seed = |at| (!lengths_only).then(|| case.seed_of(at));
        let layout = |rows, at: usize| Layout::new(rows, k, k + gaps[at]);
        let a = Operand::new("a", layout(m, 0)?, offsets[0], seed(0), |random| code(codes, 0, random))?;
        let (layout, offset) = (layout(n, 1)?, offsets[1]);
        let weight = |random| weight(codes, random);
        Ok(Self {
            a,
            weights: Operand::new("weights", layout, offset, seed(1), weight)?,
            hi: Operand::new("hi", layout, offset, seed(1), |random| split(weight(random)).0)?,
            lo: Operand::new("lo", layout, offset, seed(1), |random| split(weight(random)).1)?,
            vectors: Vectors::new(shape, case, stores_sums, 16, TERM_HPQ),
        })
    }

    /// What stands beside the matrices.
    pub fn beside(&self) -> Beside<'_> {
        self.vectors.beside(|| self.a.sums(), Vec::new)
    }

    /// What is asked of CPU twin and reference.
    pub fn host(&self) -> Result<HostHpq<'_>, OpError> {
        let Vectors { row_scales, col_scales, col_zeros, bias, .. } = &self.vectors;
        Ok(HostHpq {
            row_scales: row_scales.as_deref(),
            col_scales: col_scales.as_deref(),
            col_zeros: col_zeros.as_deref(),
            bias: bias.as_ref().map(BiasData::host),
            ..HostHpq::new(self.a.host()?, self.weights.host()?)
        })
    }
}

/// A weight of 16 bits.
fn weight(codes: Codes, random: u64) -> i16 {
    match codes {
        Codes::Ties => TIE_B as i16,
        Codes::Uniform => (random >> 48) as i16,
        Codes::Lowest => i16::MIN,
        Codes::Extreme if random >> 63 == 1 => i16::MIN,
        Codes::Extreme | Codes::BeyondF16 => i16::MAX,
    }
}

/// A product of floats.
#[derive(Clone, Debug)]
pub struct FloatData<I> {
    pub a: Operand<I>,
    pub b: Operand<I>,
    pub bias: Option<BiasData>,
}

impl<I: Scalar> FloatData<I> {
    /// The numbers of a case, uniform in [-2, 2), as [`Q8Data::new`]; of [`Codes::Ties`] whole numbers, with eighths as bias.
    pub fn new(shape: &Shape, case: &Case, lengths_only: bool) -> Result<Self, OpError> {
        let Shape { m, n, k, gaps, offsets, codes, .. } = *shape;
        let ties = codes == Codes::Ties;
        let uniform = |random, width: f64| unit(random) as f32 * width as f32 - width as f32 / 2.0;
        let of = |name, rows, at: usize| {
            let layout = Layout::new(rows, k, k + gaps[at])?;
            let seed = (!lengths_only).then(|| case.seed_of(at));
            Operand::new(name, layout, offsets[at], seed, |random| {
                I::from_f32(if ties { uniform(random, 64.0).trunc() } else { uniform(random, 4.0) })
            })
        };
        let bias = match shape.bias {
            Bias::F32 if ties => {
                let eighths = (0..n).map(|j| uniform(mix(j), 64.0).trunc() / 8.0);
                Some(BiasData::F32(eighths.collect()))
            }
            bias => BiasData::new(bias, case.seed_of(7), n),
        };
        Ok(Self { a: of("a", m, 0)?, b: of("b", n, 1)?, bias })
    }

    /// What is asked of CPU twin and reference.
    pub fn host(&self) -> Result<HostFloat<'_, I>, OpError> {
        let bias = self.bias.as_ref().map(BiasData::host);
        Ok(HostFloat { a: self.a.host()?, b: self.b.host()?, bias })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ties_are_below_the_middle_and_rounded_to_it() {
        for total in [48, 80, 144, 240] {
            for row in 0..3 {
                let scale = tie_scale(row, total);
                let exact = f64::from(scale) * f64::from(total);
                let product = scale * total as f32;
                assert!(exact < f64::from(product), "{row} {total}: {scale}");
                // Half of the smallest difference of such outputs is left behind, which goes to an even one.
                let half = [32.0 / 2048.0, 32.0 / 256.0, 0.5][row as usize];
                assert_eq!(f64::from(product) / half % 4.0, 3.0, "{row} {total}: {product}");
            }
        }
    }
}
