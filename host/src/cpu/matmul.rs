//! Products of matrices: dot products of rows in integers, or in f32 for floats, threads over pieces of the output.

use gpu_std::{Real, bf16, f16};
use rayon::prelude::*;

use super::isa::Isa;
use crate::host_memory;
use crate::ops::matmul::{HostFloat, HostHpq, HostQ8, Output};
use crate::ops::{HostMut, HostRef, OpError, Scalar};

/// Columns of the output that are computed for some rows one after the other: their rows of b stay in the cache.
const COLUMNS: usize = 32;
/// Rows of the output that a thread takes up together.
const ROWS: usize = 8;
/// Terms of 8-bit codes and 16-bit weights whose sum fits an i32: 2^8 of at most 2^22.
const TERMS: usize = 1 << 8;
/// Terms of a dot product of floats that are summed side by side.
const LANES: usize = 32;

/// How a sum becomes an output.
pub trait Narrow: Copy + Send + Sync {
    /// What is stored of `sum`, whose value is `value()`.
    fn narrow(sum: i64, value: impl FnOnce() -> f32) -> Self;
}

macro_rules! narrow {
    ($($ty:ty: |$sum:ident, $value:ident| $result:expr;)*) => {$(
        impl Narrow for $ty {
            #[inline(always)]
            fn narrow($sum: i64, $value: impl FnOnce() -> f32) -> Self {
                $result
            }
        }
    )*};
}
narrow! {
    f32: |_sum, value| value();
    f16: |_sum, value| f16::from_f32(value());
    bf16: |_sum, value| bf16::from_f32(value());
    // The cast saturates.
    i8: |_sum, value| value().round_ties_even() as i8;
    i32: |sum, _value| sum as i32;
    i64: |sum, _value| sum;
}

/// What a row or a column brings along.
#[derive(Clone, Copy)]
struct Side {
    scale: f32,
    zero: i64,
    /// Of the elements of the row itself.
    sum: i64,
    bias: f32,
}

/// Makes the sides of `rows`; sums are taken where `with_sums` asks for them.
fn sides<W: Copy + Into<i64> + Sync>(
    rows: HostRef<'_, W>,
    scales: Option<&[f32]>,
    zeros: Option<&[i32]>,
    with_sums: bool,
    bias: impl Fn(usize) -> f32 + Sync,
) -> Vec<Side> {
    let side = |row: usize| Side {
        scale: pick(scales, row, 1.0),
        zero: pick(zeros, row, 0).into(),
        sum: if with_sums { rows.row(row as u64).iter().map(|x| (*x).into()).sum() } else { 0 },
        bias: bias(row),
    };
    (0..rows.layout().rows() as usize).into_par_iter().map(side).collect()
}

fn pick<T: Copy>(values: Option<&[T]>, at: usize, or: T) -> T {
    match values {
        None => or,
        Some(values) if values.len() == 1 => values[0],
        Some(values) => values[at],
    }
}

/// y of the sum t: see the kernels' epilogue. A bias of −0 is none.
#[inline(always)]
fn value(t: i64, row: Side, column: Side) -> f32 {
    (t as f32 * row.scale).mul_add(column.scale, column.bias)
}

/// [`crate::reference::matmul::matmul_q8_cpu`], the same bits.
///
/// # Errors
/// As [`crate::ops::matmul::Problem::new`].
pub fn matmul_q8<T: Output>(asked: &HostQ8<'_>, c: &mut HostMut<'_, T>) -> Result<(), OpError> {
    let problem = asked.problem(c.layout(), T::DTYPE)?;
    let (with_row_sums, with_col_sums) = (asked.col_zeros.is_some(), asked.row_zeros.is_some());
    let rows = sides(asked.a, asked.row_scales, asked.row_zeros, with_row_sums, |_| 0.0);
    let bias = |j| asked.bias.map_or(-0.0, |bias| bias.at(j));
    let columns = sides(asked.b, asked.col_scales, asked.col_zeros, with_col_sums, bias);
    let (isa, k) = (Isa::detect(), i64::from(problem.k));
    for_each(c, |i, j| {
        let (row, column) = (rows[i], columns[j]);
        let sum = i64::from(dot_q8(isa, asked.a.row(i as u64), asked.b.row(j as u64)));
        let t = sum - row.zero * (column.sum - k * column.zero) - column.zero * row.sum;
        T::narrow(t, || value(t, row, column))
    });
    Ok(())
}

/// [`crate::reference::matmul::matmul_hpq_cpu`], the same bits.
///
/// # Errors
/// As [`crate::ops::matmul::Problem::new`].
pub fn matmul_hpq<T: Output>(asked: &HostHpq<'_>, c: &mut HostMut<'_, T>) -> Result<(), OpError> {
    asked.problem(c.layout(), T::DTYPE)?;
    let rows = sides(asked.a, asked.row_scales, None, asked.col_zeros.is_some(), |_| 0.0);
    let bias = |j| asked.bias.map_or(-0.0, |bias| bias.at(j));
    let columns = sides(asked.weights, asked.col_scales, asked.col_zeros, false, bias);
    let isa = Isa::detect();
    for_each(c, |i, j| {
        let (row, column) = (rows[i], columns[j]);
        let t = dot_hpq(isa, asked.a.row(i as u64), asked.weights.row(j as u64)) - column.zero * row.sum;
        T::narrow(t, || value(t, row, column))
    });
    Ok(())
}

/// [`crate::reference::matmul::matmul_cpu`], but for the order of the sums, which are in f32.
///
/// # Errors
/// As [`crate::ops::matmul::Problem::new`]; [`OpError::HostMemory`].
pub fn matmul<I: Scalar, T: Output + Real>(
    asked: &HostFloat<'_, I>,
    c: &mut HostMut<'_, T>,
) -> Result<(), OpError> {
    asked.problem(c.layout(), T::DTYPE)?;
    let (a, b) = (widened(asked.a)?, widened(asked.b)?);
    let (isa, k) = (Isa::detect(), asked.a.layout().cols() as usize);
    for_each(c, |i, j| {
        let sum = dot_f32(isa, &a[i * k..][..k], &b[j * k..][..k]);
        T::from_f32(sum + asked.bias.map_or(-0.0, |bias| bias.at(j)))
    });
    Ok(())
}

/// The sum of each row.
pub fn row_sums(rows: HostRef<'_, i8>) -> Vec<i32> {
    let sum = |row: u64| rows.row(row).iter().fold(0_i32, |sum, x| sum.wrapping_add((*x).into()));
    (0..rows.layout().rows()).into_par_iter().map(sum).collect()
}

/// The matrix in f32 without gaps.
fn widened<I: Scalar>(rows: HostRef<'_, I>) -> Result<Vec<f32>, OpError> {
    let layout = rows.layout();
    let mut wide = host_memory::filled(0.0, layout.elements() as usize)?;
    let lines = wide.par_chunks_mut(layout.cols().max(1) as usize).enumerate();
    lines.for_each(|(row, line)| {
        line.iter_mut().zip(rows.row(row as u64)).for_each(|(wide, x)| *wide = x.to_f32());
    });
    Ok(wide)
}

/// Sets every element of `c`, in parallel; some columns for some rows at a time.
fn for_each<T: Send>(c: &mut HostMut<'_, T>, element: impl Fn(usize, usize) -> T + Sync) {
    let layout = c.layout();
    let (rows, cols) = (layout.rows() as usize, layout.cols() as usize);
    if rows == 0 || cols == 0 {
        return;
    }
    let stride = if rows > 1 { layout.stride() as usize } else { cols };
    if rows < 2 * ROWS {
        c.data_mut().par_chunks_mut(stride).enumerate().for_each(|(i, line)| {
            let pieces = line[..cols].par_chunks_mut(COLUMNS).enumerate();
            pieces.for_each(|(piece, line)| {
                line.iter_mut().enumerate().for_each(|(j, c)| *c = element(i, piece * COLUMNS + j));
            });
        });
        return;
    }
    c.data_mut().par_chunks_mut(stride * ROWS).enumerate().for_each(|(piece, lines)| {
        for start in (0..cols).step_by(COLUMNS) {
            let columns = start..cols.min(start + COLUMNS);
            for (i, line) in lines.chunks_mut(stride).enumerate() {
                columns.clone().for_each(|j| line[j] = element(piece * ROWS + i, j));
            }
        }
    });
}

/// Defines a dot product by a plain loop that is compiled once for each set of vector instructions.
macro_rules! dot {
    ($(#[$doc:meta])* $name:ident, $plain:ident, $avx2:ident, $avx512:ident: ($a:ty, $b:ty) -> $sum:ty) => {
        $(#[$doc])*
        #[inline]
        fn $name(isa: Isa, a: &[$a], b: &[$b]) -> $sum {
            match isa {
                // SAFETY: the processor has the features: `isa` is what it has.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx512 => unsafe { $avx512(a, b) },
                // SAFETY: the processor has the features: `isa` is what it has.
                #[cfg(target_arch = "x86_64")]
                Isa::Avx2 => unsafe { $avx2(a, b) },
                Isa::Portable => $plain(a, b),
            }
        }

        /// The plain loop, compiled for wider vectors.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx512f,avx512bw,avx2,fma")]
        fn $avx512(a: &[$a], b: &[$b]) -> $sum {
            $plain(a, b)
        }

        /// The plain loop, compiled for wider vectors.
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx2,fma")]
        fn $avx2(a: &[$a], b: &[$b]) -> $sum {
            $plain(a, b)
        }
    };
}

dot! {
    /// Σ a b modulo 2^32.
    dot_q8, plain_q8, dot_q8_avx2, dot_q8_avx512: (i8, i8) -> i32
}
dot! {
    /// Σ a b.
    dot_hpq, plain_hpq, dot_hpq_avx2, dot_hpq_avx512: (i8, i16) -> i64
}
dot! {
    /// Σ a b in f32, several sums side by side.
    dot_f32, plain_f32, dot_f32_avx2, dot_f32_avx512: (f32, f32) -> f32
}

#[inline(always)]
fn plain_q8(a: &[i8], b: &[i8]) -> i32 {
    // Products in 16 bits, as pairs of them are added in one instruction.
    a.iter().zip(b).fold(0, |sum: i32, (a, b)| sum.wrapping_add(i32::from(i16::from(*a) * i16::from(*b))))
}

#[inline(always)]
fn plain_hpq(a: &[i8], w: &[i16]) -> i64 {
    let terms = |(a, w): (&[i8], &[i16])| {
        i64::from(a.iter().zip(w).fold(0, |sum, (a, w)| sum + i32::from(*a) * i32::from(*w)))
    };
    a.chunks(TERMS).zip(w.chunks(TERMS)).map(terms).sum()
}

#[inline(always)]
fn plain_f32(a: &[f32], b: &[f32]) -> f32 {
    let (heads, tails) = ((a.as_chunks::<LANES>(), b.as_chunks::<LANES>()), 0.0);
    let ((a, a_rest), (b, b_rest)) = heads;
    let mut lanes = [0.0_f32; LANES];
    for (a, b) in a.iter().zip(b) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    let rest = a_rest.iter().zip(b_rest).fold(tails, |sum, (a, b)| sum + a * b);
    lanes.iter().sum::<f32>() + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_set_of_instructions_gives_the_same_sums() {
        let of = |seed: u64| (0..1003).map(move |i| crate::ops::mix(seed + i));
        let (a, b): (Vec<i8>, Vec<i8>) = (of(1).map(|x| x as i8).collect(), of(2).map(|x| x as i8).collect());
        let w: Vec<i16> = of(3).map(|x| x as i16).collect();
        let (low, weights) = (vec![-128_i8; 1003], vec![i16::MIN; 1003]);
        for isa in Isa::available() {
            for len in [0, 1, 15, 16, 33, 255, 256, 257, 1003] {
                let want: i32 = a[..len].iter().zip(&b).map(|(a, b)| i32::from(*a) * i32::from(*b)).sum();
                assert_eq!(dot_q8(*isa, &a[..len], &b[..len]), want, "{isa:?} {len}");
                let want: i64 = a[..len].iter().zip(&w).map(|(a, w)| i64::from(*a) * i64::from(*w)).sum();
                assert_eq!(dot_hpq(*isa, &a[..len], &w[..len]), want, "{isa:?} {len}");
                assert_eq!(dot_q8(*isa, &low[..len], &low[..len]), 16_384 * len as i32);
                assert_eq!(dot_hpq(*isa, &low[..len], &weights[..len]), (len as i64) << 22);
                let wide = |codes: &[i8]| codes.iter().map(|x| f32::from(*x)).collect::<Vec<f32>>();
                let got = dot_f32(*isa, &wide(&a[..len]), &wide(&b[..len]));
                assert_eq!(got, dot_q8(*isa, &a[..len], &b[..len]) as f32, "{isa:?} {len}");
            }
        }
    }

    #[test]
    fn sums_of_rows_are_the_sums_of_their_elements() {
        let layout = crate::ops::Layout::new(2, 3, 4).expect("it is right");
        let rows = HostRef::new(&[1_i8, 2, 3, 99, -128, -128, 127], layout).expect("it is there");
        assert_eq!(row_sums(rows), [6, -129]);
    }
}
