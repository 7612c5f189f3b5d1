//! What becomes of the sums of a quantized product: zero points, scales, bias.
//!
//! With s = Σ a[i, k] b[j, k], the zero points za[i] and zb[j], the sums ra[i] = Σ a[i, k] and cb[j] = Σ b[j, k]:
//!
//! ```text
//! t = s - za[i] (cb[j] - K zb[j]) - zb[j] ra[i]       in i32, modulo 2^32: Σ (a - za) (b - zb) where that fits
//! y = fma(t · sa[i], sb[j], bias[j])                  in f32: t rounded, the product rounded, the fma rounded
//! ```
//!
//! and y becomes the output's type, rounded to nearest even, saturated where that is i8. An i32 output is t. Every kernel of the
//! family does it in this order, so that all of them give the same bits.

use gpu_std::convert::{cvt_rn_f32_s32, cvt_rni_sat_s8_f32};
use gpu_std::math::fma_rn_f32;
use gpu_std::{DeviceRepr, GridMut, Real, bf16, f16};

/// Where the bias lies, and of what type it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Bias {
    /// Address of the first of n elements.
    pub address: u64,
    /// [`Bias::NONE`], [`Bias::F32`], [`Bias::F16`] or [`Bias::BF16`].
    pub ty: u32,
    /// Must be zero; keeps the layout free of padding.
    pub reserved: u32,
}

// SAFETY: repr(C), integers, no padding (8 + 4 + 4), alignment 8.
unsafe impl DeviceRepr for Bias {
    const NAME: &'static str = "Bias";
}

impl Bias {
    /// No bias.
    pub const NONE: u32 = 0;
    /// Elements are f32.
    pub const F32: u32 = 1;
    /// Elements are f16.
    pub const F16: u32 = 2;
    /// Elements are bf16.
    pub const BF16: u32 = 3;

    /// No bias at all.
    pub const ABSENT: Self = Self { address: 0, ty: Self::NONE, reserved: 0 };

    /// Element `j`; −0 where there is no bias, which no sum shows.
    ///
    /// # Safety
    /// The bias has an element `j`, of its type.
    #[inline(always)]
    pub unsafe fn at(self, j: usize) -> f32 {
        // SAFETY: promised by the caller.
        unsafe {
            match self.ty {
                Self::F32 => (self.address as *const f32).add(j).read(),
                Self::F16 => Real::to_f32((self.address as *const f16).add(j).read()),
                Self::BF16 => Real::to_f32((self.address as *const bf16).add(j).read()),
                _ => -0.0,
            }
        }
    }
}

/// What a row of the product brings along.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// sa
    pub scale: f32,
    /// za
    pub zero: i32,
    /// ra
    pub sum: i32,
}

/// What a column of the product brings along.
#[derive(Clone, Copy, Debug)]
pub struct Column {
    /// sb
    pub scale: f32,
    /// bias
    pub bias: f32,
    /// zb
    pub zero: i32,
    /// cb - K zb
    pub sum: i32,
}

impl Column {
    /// That of a column that is not there.
    pub const NONE: Self = Self { scale: 0.0, bias: 0.0, zero: 0, sum: 0 };
}

/// The vectors of an epilogue. Scales and zero points have one element for all, or one for each row or column; zero points
/// that are not there are empty. Sums are there where the other side's zero points are.
#[derive(Clone, Copy, Debug)]
pub struct Epilogue<'a> {
    /// sa: 1 or m
    pub row_scales: &'a [f32],
    /// sb: 1 or n
    pub col_scales: &'a [f32],
    /// za: 0, 1 or m
    pub row_zeros: &'a [i32],
    /// zb: 0, 1 or n
    pub col_zeros: &'a [i32],
    /// ra: m where there is zb, else 0
    pub row_sums: &'a [i32],
    /// cb: n where there is za, else 0
    pub col_sums: &'a [i32],
    /// bias: n, or none
    pub bias: Bias,
    /// The extent that the sums run over.
    pub k: i32,
}

/// Element `i` of a vector of one element for all or one for each, `or` where it is empty.
///
/// # Safety
/// `i` is below the length where that is above 1.
#[inline(always)]
unsafe fn pick<T: Copy>(values: &[T], i: usize, or: T) -> T {
    match values.len() {
        0 => or,
        1 => values[0],
        // SAFETY: the caller's index is below the length.
        _ => unsafe { *values.get_unchecked(i) },
    }
}

impl Epilogue<'_> {
    /// What row `i` brings along.
    ///
    /// # Safety
    /// `i` is a row of the product.
    #[inline(always)]
    pub unsafe fn row(&self, i: usize) -> Row {
        // SAFETY: promised by the caller.
        unsafe {
            Row {
                scale: pick(self.row_scales, i, 1.0),
                zero: pick(self.row_zeros, i, 0),
                sum: pick(self.row_sums, i, 0),
            }
        }
    }

    /// What column `j` brings along.
    ///
    /// # Safety
    /// `j` is a column of the product.
    #[inline(always)]
    pub unsafe fn column(&self, j: usize) -> Column {
        // SAFETY: promised by the caller.
        unsafe {
            let zero = pick(self.col_zeros, j, 0);
            let sum = pick(self.col_sums, j, 0).wrapping_sub(self.k.wrapping_mul(zero));
            Column { scale: pick(self.col_scales, j, 1.0), bias: self.bias.at(j), zero, sum }
        }
    }

    /// Whether there are zero points at all.
    #[inline(always)]
    pub fn has_zeros(&self) -> bool {
        self.row_zeros.len() + self.col_zeros.len() > 0
    }
}

/// t of the sum `s`.
#[inline(always)]
pub fn centred(s: i32, row: Row, column: Column) -> i32 {
    s.wrapping_sub(row.zero.wrapping_mul(column.sum)).wrapping_sub(column.zero.wrapping_mul(row.sum))
}

/// y of t.
#[inline(always)]
pub fn scaled(t: i32, row: Row, column: Column) -> f32 {
    fma_rn_f32(cvt_rn_f32_s32(t) * row.scale, column.scale, column.bias)
}

/// An output's type.
pub trait Output: DeviceRepr {
    /// The output of t.
    fn of(t: i32, row: Row, column: Column) -> Self;
}

macro_rules! outputs {
    ($($ty:ty: |$t:ident, $row:ident, $column:ident| $value:expr;)*) => {$(
        impl Output for $ty {
            #[inline(always)]
            fn of($t: i32, $row: Row, $column: Column) -> Self {
                $value
            }
        }
    )*};
}
outputs! {
    f32: |t, row, column| scaled(t, row, column);
    f16: |t, row, column| <f16 as Real>::from_f32(scaled(t, row, column));
    bf16: |t, row, column| <bf16 as Real>::from_f32(scaled(t, row, column));
    i8: |t, row, column| cvt_rni_sat_s8_f32(scaled(t, row, column)) as i8;
    i32: |t, _row, _column| t;
}

/// The output matrix: element (i, j) lies `i · stride + j` elements from its start.
#[derive(Clone, Copy, Debug)]
pub struct Place<T> {
    /// The first element.
    pub start: *mut T,
    /// Elements from row to row.
    pub stride: u64,
}

impl<T: DeviceRepr> Place<T> {
    /// The matrix in `c`.
    #[inline(always)]
    pub fn new(c: &mut GridMut<T>, stride: u64) -> Self {
        Self { start: c.as_mut_ptr(), stride }
    }

    /// Where element (i, j) lies.
    ///
    /// # Safety
    /// The matrix has such an element.
    #[inline(always)]
    pub unsafe fn at(self, i: usize, j: usize) -> *mut T {
        // SAFETY: promised by the caller.
        unsafe { self.start.add(i * self.stride as usize + j) }
    }
}

/// The extents of a product and the distances of rows, in elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Extent {
    /// Rows of a and c.
    pub m: u32,
    /// Rows of b, columns of c.
    pub n: u32,
    /// Elements of a row of a and of b.
    pub k: u32,
    /// Parts of k that blocks share out among them; 1 or more.
    pub splits: u32,
    /// From row to row of a.
    pub stride_a: u64,
    /// From row to row of b.
    pub stride_b: u64,
    /// From row to row of c.
    pub stride_c: u64,
}

// SAFETY: repr(C), integers, no padding (4 · 4 + 3 · 8), alignment 8.
unsafe impl DeviceRepr for Extent {
    const NAME: &'static str = "Extent";
}
