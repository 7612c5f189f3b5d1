//! What becomes of the sums of a product with weights of 16 bits, in two planes: zero points, scales, bias.
//!
//! With weights b = 256 hi + lo, the sums of both planes, the zero points zb[j] of the weights and the sums ra[i] = Σ a[i, k]:
//!
//! ```text
//! t = 256 Σ a hi + Σ a lo - zb[j] ra[i]               in i64: Σ a (b - zb), exact for K ≤ 65793
//! y = fma(t · sa[i], sb[j], bias[j])                  in f32: t rounded, the product rounded, the fma rounded
//! ```
//!
//! and y becomes the output's type, rounded to nearest even. An i64 output is t.

use gpu_std::convert::cvt_rn_f32_s64;
use gpu_std::math::fma_rn_f32;
use gpu_std::{DeviceRepr, Real, bf16, f16};

use super::epilogue::{Bias, Column, Epilogue, Row};
use super::finish::Finish;

/// The longest rows whose sums of a plane fit in i32 for certain: 65793 · 128 · 255 < 2^31.
pub const MAX_K: u32 = 65793;

/// t of the total of both planes.
#[inline(always)]
pub fn centred(total: i64, row: Row, column: Column) -> i64 {
    total - i64::from(column.zero) * i64::from(row.sum)
}

/// y of t.
#[inline(always)]
pub fn scaled(t: i64, row: Row, column: Column) -> f32 {
    fma_rn_f32(cvt_rn_f32_s64(t) * row.scale, column.scale, column.bias)
}

/// An output's type.
pub trait Output: DeviceRepr {
    /// The output of t.
    fn of(t: i64, row: Row, column: Column) -> Self;
}

macro_rules! outputs {
    ($($ty:ty: |$t:ident, $row:ident, $column:ident| $value:expr;)*) => {$(
        impl Output for $ty {
            #[inline(always)]
            fn of($t: i64, $row: Row, $column: Column) -> Self {
                $value
            }
        }
    )*};
}
outputs! {
    f32: |t, row, column| scaled(t, row, column);
    f16: |t, row, column| <f16 as Real>::from_f32(scaled(t, row, column));
    bf16: |t, row, column| <bf16 as Real>::from_f32(scaled(t, row, column));
    i64: |t, _row, _column| t;
}

/// The vectors of the epilogue, with elements of `T`. Scales and zero points have one element for all, or one for each row or
/// column; zero points that are not there are empty.
pub struct Hybrid<'a, T> {
    epilogue: Epilogue<'a>,
    out: core::marker::PhantomData<T>,
}

impl<'a, T> Hybrid<'a, T> {
    /// sa, sb, zb, ra (m where there is zb, else 0) and the bias.
    #[inline(always)]
    pub fn new(
        row_scales: &'a [f32],
        col_scales: &'a [f32],
        col_zeros: &'a [i32],
        row_sums: &'a [i32],
        bias: Bias,
    ) -> Self {
        let epilogue = Epilogue {
            row_scales,
            col_scales,
            row_zeros: &[],
            col_zeros,
            row_sums,
            col_sums: &[],
            bias,
            k: 0,
        };
        Self { epilogue, out: core::marker::PhantomData }
    }
}

impl<T: Output> Finish<i64> for Hybrid<'_, T> {
    type Row = Row;
    type Column = Column;
    type Out = T;

    #[inline(always)]
    unsafe fn row(&self, i: usize) -> Row {
        // SAFETY: promised by the caller.
        unsafe { self.epilogue.row(i) }
    }

    #[inline(always)]
    unsafe fn column(&self, j: usize) -> Column {
        // SAFETY: promised by the caller.
        unsafe { self.epilogue.column(j) }
    }

    #[inline(always)]
    fn element(&self, total: i64, row: Row, column: Column) -> T {
        T::of(centred(total, row, column), row, column)
    }
}
