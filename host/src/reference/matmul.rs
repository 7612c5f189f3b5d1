//! Products of matrices: sums in i64, or in f64 for floats, one element at a time.

use gpu_std::{bf16, f16};

use super::round::{round, widen};
use crate::ops::matmul::{HostBias, HostFloat, HostHpq, HostQ8};
use crate::ops::{HostMut, Scalar};

/// A type that sums are stored in.
pub trait Stored: Copy {
    /// What is stored of the sum `sum`, whose value after scales and bias is `value()`.
    fn stored(sum: i64, value: impl FnOnce() -> f32) -> Self;
}

macro_rules! floats {
    ($($ty:ty)*) => {$(
        impl Stored for $ty {
            fn stored(_: i64, value: impl FnOnce() -> f32) -> Self {
                round(f64::from(value()))
            }
        }
    )*};
}
floats! { f32 f16 bf16 }

impl Stored for i8 {
    fn stored(_: i64, value: impl FnOnce() -> f32) -> Self {
        let value = f64::from(value());
        if value.is_nan() { 0 } else { value.round_ties_even().clamp(-128.0, 127.0) as i8 }
    }
}

impl Stored for i32 {
    fn stored(sum: i64, _: impl FnOnce() -> f32) -> Self {
        sum as i32
    }
}

impl Stored for i64 {
    fn stored(sum: i64, _: impl FnOnce() -> f32) -> Self {
        sum
    }
}

/// The one value of all, or that of `at`; `or` where there is none.
fn pick<T: Copy>(values: Option<&[T]>, at: u64, or: T) -> T {
    match values {
        None => or,
        Some([all]) => *all,
        Some(each) => each[at as usize],
    }
}

/// The value of a sum: times both scales, and the bias added, rounded to f32 as a number, after the first scale, and after the
/// second one and the bias together.
fn value(sum: i64, row_scale: f32, col_scale: f32, bias: Option<f32>) -> f32 {
    let scaled = sum as f32 * row_scale;
    match bias {
        Some(bias) => scaled.mul_add(col_scale, bias),
        None => scaled * col_scale,
    }
}

/// Element (i, j) of [`matmul_q8_cpu`].
pub fn matmul_q8_at<T: Stored>(asked: &HostQ8<'_>, i: u64, j: u64) -> T {
    let (za, zb) = (i64::from(pick(asked.row_zeros, i, 0)), i64::from(pick(asked.col_zeros, j, 0)));
    let mut sum = 0;
    for (a, b) in asked.a.row(i).iter().zip(asked.b.row(j)) {
        sum += (i64::from(*a) - za) * (i64::from(*b) - zb);
    }
    T::stored(sum, || {
        let (row_scale, col_scale) = (pick(asked.row_scales, i, 1.0), pick(asked.col_scales, j, 1.0));
        value(sum, row_scale, col_scale, asked.bias.map(|bias: HostBias<'_>| bias.at(j as usize)))
    })
}

/// Element (i, j) of [`matmul_hpq_cpu`].
pub fn matmul_hpq_at<T: Stored>(asked: &HostHpq<'_>, i: u64, j: u64) -> T {
    let zw = i64::from(pick(asked.col_zeros, j, 0));
    let mut sum = 0;
    for (x, w) in asked.a.row(i).iter().zip(asked.weights.row(j)) {
        sum += i64::from(*x) * (i64::from(*w) - zw);
    }
    T::stored(sum, || {
        let (row_scale, col_scale) = (pick(asked.row_scales, i, 1.0), pick(asked.col_scales, j, 1.0));
        value(sum, row_scale, col_scale, asked.bias.map(|bias: HostBias<'_>| bias.at(j as usize)))
    })
}

/// Element (i, j) of [`matmul_cpu`].
pub fn matmul_at<I: Scalar, T: Scalar>(asked: &HostFloat<'_, I>, i: u64, j: u64) -> T {
    let mut sum = 0.0;
    for (a, b) in asked.a.row(i).iter().zip(asked.b.row(j)) {
        sum += widen(*a) * widen(*b);
    }
    let bias = asked.bias.map_or(0.0, |bias: HostBias<'_>| f64::from(bias.at(j as usize)));
    round(sum + bias)
}

/// `c[i, j] = Σ (a[i, k] - za[i]) (b[j, k] - zb[j])`, times scales and plus bias unless `c` holds sums.
pub fn matmul_q8_cpu<T: Stored>(asked: &HostQ8<'_>, c: &mut HostMut<'_, T>) {
    each(c, |i, j| matmul_q8_at(asked, i, j));
}

/// `c[i, j] = Σ a[i, k] (w[j, k] - zw[j])`, times scales and plus bias unless `c` holds sums.
pub fn matmul_hpq_cpu<T: Stored>(asked: &HostHpq<'_>, c: &mut HostMut<'_, T>) {
    each(c, |i, j| matmul_hpq_at(asked, i, j));
}

/// `c[i, j] = Σ a[i, k] b[j, k] + bias[j]`
pub fn matmul_cpu<I: Scalar, T: Scalar>(asked: &HostFloat<'_, I>, c: &mut HostMut<'_, T>) {
    each(c, |i, j| matmul_at(asked, i, j));
}

fn each<T>(c: &mut HostMut<'_, T>, element: impl Fn(u64, u64) -> T) {
    for i in 0..c.layout().rows() {
        for j in 0..c.layout().cols() {
            c.row_mut(i)[j as usize] = element(i, j);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::{HostRef, Layout};

    fn matrix<T>(data: &[T], rows: u64) -> HostRef<'_, T> {
        let cols = data.len() as u64 / rows;
        HostRef::new(data, Layout::new(rows, cols, cols).expect("it is right")).expect("it is there")
    }

    #[test]
    fn sums_scales_and_bias_are_those_of_the_formula() {
        let (a, b) = ([1, 2, 3, -128, 0, 127], [4, 5, 6, -1, -1, -1]);
        let mut asked = HostQ8::new(matrix(&a, 2), matrix(&b, 2));
        let of = |asked: &HostQ8<'_>| -> [i32; 4] {
            std::array::from_fn(|at| matmul_q8_at(asked, at as u64 / 2, at as u64 % 2))
        };
        assert_eq!(of(&asked), [32, -6, 250, 1]);
        asked.row_zeros = Some(&[1]);
        assert_eq!(of(&asked), [17, -3, 235, 4]);
        asked.col_zeros = Some(&[0, -1]);
        assert_eq!(of(&asked), [17, 0, 235, 0]);
        asked.row_scales = Some(&[0.5, 2.0]);
        asked.col_scales = Some(&[0.25]);
        asked.bias = Some(HostBias::F32(&[100.0, -1.0]));
        assert_eq!(matmul_q8_at::<f32>(&asked, 0, 0), 102.125);
        assert_eq!(matmul_q8_at::<i8>(&asked, 1, 0), 127, "217.5 saturates");
        assert_eq!(matmul_q8_at::<f16>(&asked, 1, 1), f16::from_f32(-1.0));
    }

    #[test]
    fn bytes_are_rounded_to_even_and_saturate() {
        let stored = |value: f32| <i8 as Stored>::stored(0, || value);
        assert_eq!([-0.5, 0.5, 1.5, 2.5, -1.5].map(stored), [0, 0, 2, 2, -2]);
        assert_eq!(
            [127.4, 127.5, 1e9, f32::INFINITY, -128.5, -129.0].map(stored),
            [127, 127, 127, 127, -128, -128]
        );
        assert_eq!(stored(f32::NAN), 0);
    }

    #[test]
    fn large_sums_do_not_overflow_f16_before_the_second_scale() {
        let (a, b) = ([127_i8; 124], [127_i8; 124]);
        let mut asked = HostQ8::new(matrix(&a, 1), matrix(&b, 1));
        asked.row_scales = Some(&[1.0]);
        asked.col_scales = Some(&[1e-4]);
        assert_eq!(matmul_q8_at::<i32>(&asked, 0, 0), 1_999_996);
        assert_eq!(matmul_q8_at::<f16>(&asked, 0, 0), f16::from_f32(200.0));
    }

    #[test]
    fn no_terms_give_the_bias() {
        let none = HostRef::new(&[][..], Layout::new(1, 0, 0).expect("it is right")).expect("it is there");
        let asked = HostQ8 { bias: Some(HostBias::F32(&[0.75])), ..HostQ8::new(none, none) };
        assert_eq!(matmul_q8_at::<f32>(&asked, 0, 0), 0.75);
        assert_eq!(matmul_q8_at::<i32>(&asked, 0, 0), 0);
    }

    #[test]
    fn weights_of_16_bits_are_exact() {
        let (a, w) = ([-128_i8; 512], [-32768_i16; 512]);
        let mut asked = HostHpq::new(matrix(&a, 1), matrix(&w, 1));
        assert_eq!(matmul_hpq_at::<i64>(&asked, 0, 0), 1 << 31);
        asked.col_zeros = Some(&[32767]);
        assert_eq!(matmul_hpq_at::<i64>(&asked, 0, 0), 65_535 * 128 * 512);
    }
}
