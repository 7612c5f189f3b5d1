//! Products of matrices in host memory: what is asked of the CPU twin and of the reference.

use super::{Alignment, HostBias, Lengths, MatmulError, Problem, Product};
use crate::cpu::matmul::row_sums;
use crate::ops::{DType, HostRef, Layout};

/// A product of 8-bit codes in host memory, see [`super::matmul_q8`].
#[derive(Clone, Copy, Debug)]
pub struct HostQ8<'a> {
    /// `[m, k]`
    pub a: HostRef<'a, i8>,
    /// `[n, k]`
    pub b: HostRef<'a, i8>,
    /// One or m; 1 where there is none.
    pub row_scales: Option<&'a [f32]>,
    /// One or n; 1 where there is none.
    pub col_scales: Option<&'a [f32]>,
    /// One or m; 0 where there is none.
    pub row_zeros: Option<&'a [i32]>,
    /// One or n; 0 where there is none.
    pub col_zeros: Option<&'a [i32]>,
    /// n; 0 where there is none.
    pub bias: Option<HostBias<'a>>,
}

impl<'a> HostQ8<'a> {
    /// The product alone.
    pub const fn new(a: HostRef<'a, i8>, b: HostRef<'a, i8>) -> Self {
        Self { a, b, row_scales: None, col_scales: None, row_zeros: None, col_zeros: None, bias: None }
    }

    /// The problem, its output in `c`.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn problem(&self, c: Layout, output: DType) -> Result<Problem, MatmulError> {
        let (a, b) = (self.a.layout(), self.b.layout());
        let lengths = Lengths {
            row_scales: len(self.row_scales),
            col_scales: len(self.col_scales),
            row_zeros: len(self.row_zeros).map(|zeros| (zeros, b.rows())),
            col_zeros: len(self.col_zeros).map(|zeros| (zeros, a.rows())),
            bias: self.bias.map(|bias| bias.len() as u64),
        };
        Problem::new(Product::Q8, [a, b, c], output, &lengths, Alignment::FULL)
    }
}

/// A product of 8-bit codes and 16-bit weights in host memory, see [`super::matmul_hpq`].
#[derive(Clone, Copy, Debug)]
pub struct HostHpq<'a> {
    /// `[m, k]`
    pub a: HostRef<'a, i8>,
    /// `[n, k]`
    pub weights: HostRef<'a, i16>,
    /// One or m; 1 where there is none.
    pub row_scales: Option<&'a [f32]>,
    /// One or n; 1 where there is none.
    pub col_scales: Option<&'a [f32]>,
    /// One or n; 0 where there is none.
    pub col_zeros: Option<&'a [i32]>,
    /// n; 0 where there is none.
    pub bias: Option<HostBias<'a>>,
}

impl<'a> HostHpq<'a> {
    /// The product alone.
    pub const fn new(a: HostRef<'a, i8>, weights: HostRef<'a, i16>) -> Self {
        Self { a, weights, row_scales: None, col_scales: None, col_zeros: None, bias: None }
    }

    /// The problem, its output in `c`.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn problem(&self, c: Layout, output: DType) -> Result<Problem, MatmulError> {
        let (a, b) = (self.a.layout(), self.weights.layout());
        let lengths = Lengths {
            row_scales: len(self.row_scales),
            col_scales: len(self.col_scales),
            row_zeros: None,
            col_zeros: len(self.col_zeros).map(|zeros| (zeros, a.rows())),
            bias: self.bias.map(|bias| bias.len() as u64),
        };
        Problem::new(Product::Hpq, [a, b, c], output, &lengths, Alignment::FULL)
    }
}

/// A product of floats in host memory, see [`super::matmul`].
#[derive(Clone, Copy, Debug)]
pub struct HostFloat<'a, T> {
    /// `[m, k]`
    pub a: HostRef<'a, T>,
    /// `[n, k]`
    pub b: HostRef<'a, T>,
    /// n; 0 where there is none.
    pub bias: Option<HostBias<'a>>,
}

impl<T> HostFloat<'_, T> {
    /// The problem, its output in `c`.
    ///
    /// # Errors
    /// As [`Problem::new`].
    pub fn problem(&self, c: Layout, output: DType) -> Result<Problem, MatmulError> {
        let bias = self.bias.map(|bias| bias.len() as u64);
        let lengths = Lengths { bias, ..Lengths::default() };
        let layouts = [self.a.layout(), self.b.layout(), c];
        Problem::new(Product::Float, layouts, output, &lengths, Alignment::FULL)
    }
}

/// What stands beside the matrices of a product of codes in host memory; with zero points the sums of the other side's rows.
#[derive(Clone, Debug)]
pub(super) struct Beside<'a> {
    pub row_scales: Option<&'a [f32]>,
    pub col_scales: Option<&'a [f32]>,
    pub row_zeros: Option<(&'a [i32], Vec<i32>)>,
    pub col_zeros: Option<(&'a [i32], Vec<i32>)>,
    pub bias: Option<HostBias<'a>>,
}

impl<'a> HostQ8<'a> {
    pub(super) fn beside(&self) -> Beside<'a> {
        let Self { a, b, row_scales, col_scales, row_zeros, col_zeros, bias } = *self;
        let row_zeros = row_zeros.map(|zeros| (zeros, row_sums(b)));
        let col_zeros = col_zeros.map(|zeros| (zeros, row_sums(a)));
        Beside { row_scales, col_scales, row_zeros, col_zeros, bias }
    }
}

impl<'a> HostHpq<'a> {
    pub(super) fn beside(&self) -> Beside<'a> {
        let Self { a, row_scales, col_scales, col_zeros, bias, .. } = *self;
        let col_zeros = col_zeros.map(|zeros| (zeros, row_sums(a)));
        Beside { row_scales, col_scales, row_zeros: None, col_zeros, bias }
    }
}

fn len<T>(values: Option<&[T]>) -> Option<u64> {
    values.map(|values| values.len() as u64)
}
