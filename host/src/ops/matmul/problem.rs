//! What is asked of a product, checked.

use super::MatmulError;
use crate::ops::{DType, Layout};

/// Which product it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Product {
    /// Codes of 8 bits on both sides.
    Q8,
    /// Codes of 8 bits, weights of 16.
    Hpq,
    /// Floats of 16 bits on both sides.
    Float,
}

impl Product {
    /// The call's name.
    pub const fn op(self) -> &'static str {
        match self {
            Self::Q8 => "matmul_q8",
            Self::Hpq => "matmul_hpq",
            Self::Float => "matmul",
        }
    }

    /// The largest magnitude of one term of a sum in i32. A code of 8 bits is up to 128 away from 0, and up to 255 away from a
    /// zero point among the codes; the low half of a 16-bit weight is up to 255. `None` for sums in floats.
    pub const fn largest_term(self, row_zeros: bool, col_zeros: bool) -> Option<u64> {
        match self {
            Self::Q8 => Some(if row_zeros { 255 } else { 128 } * if col_zeros { 255 } else { 128 }),
            // Zero points of weights are taken out in i64.
            Self::Hpq => Some(128 * 255),
            Self::Float => None,
        }
    }

    /// The largest k whose sums of the largest terms fit an i32. `None` for sums in floats.
    pub const fn max_k(self, row_zeros: bool, col_zeros: bool) -> Option<u64> {
        match self.largest_term(row_zeros, col_zeros) {
            Some(term) => Some(i32::MAX as u64 / term),
            None => None,
        }
    }
}

impl Product {
    /// The largest k that the kernels count.
    const fn most_k(self) -> u32 {
        match self {
            Self::Q8 | Self::Hpq => MAX_EXTENT,
            // In bytes it must be below 2^32.
            Self::Float => i32::MAX as u32,
        }
    }
}

/// Lengths of what stands beside the matrices; `None` for what is not there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Lengths {
    /// Scales of rows.
    pub row_scales: Option<u64>,
    /// Scales of columns.
    pub col_scales: Option<u64>,
    /// Zero points of rows, and sums of the rows of `b`.
    pub row_zeros: Option<(u64, u64)>,
    /// Zero points of columns, and sums of the rows of `a`.
    pub col_zeros: Option<(u64, u64)>,
    /// Elements of the bias.
    pub bias: Option<u64>,
}

/// Where matrices begin, as far as alignment goes: largest powers of two, of 16 at most, that divide every address and every
/// distance of rows in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Alignment {
    /// Of both inputs.
    pub inputs: u32,
    /// Of the output.
    pub output: u32,
}

impl Alignment {
    /// What the kernels' wide copies need.
    pub const FULL: Self = Self { inputs: 16, output: 16 };

    /// Of matrices of `(address, layout, bytes of an element)`: the inputs, then the output.
    pub fn of(inputs: &[(u64, Layout, u64)], output: (u64, Layout, u64)) -> Self {
        let of = |(address, layout, bytes): &(u64, Layout, u64)| layout.alignment(*address, *bytes);
        Self { inputs: inputs.iter().map(of).min().unwrap_or(16), output: of(&output) }
    }
}

/// A product that has been checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Which it is.
    pub product: Product,
    /// Rows of a and c.
    pub m: u32,
    /// Rows of b, columns of c.
    pub n: u32,
    /// Elements of a row of a and of b.
    pub k: u32,
    /// Distances of rows of a, b and c, in elements; 0 where there is but one.
    pub strides: [u64; 3],
    /// The output's type.
    pub output: DType,
    /// Alignment of the matrices.
    pub alignment: Alignment,
}

impl Problem {
    /// The product of `a` and the rows of `b` as `c`, with what the lengths say beside them.
    ///
    /// # Errors
    /// [`MatmulError::InnerExtents`], [`MatmulError::OutputShape`], [`MatmulError::ExtentTooLarge`],
    /// [`MatmulError::VectorLength`], [`MatmulError::NotScaled`], [`MatmulError::SumTooLong`].
    pub fn new(
        product: Product,
        [a, b, c]: [Layout; 3],
        output: DType,
        lengths: &Lengths,
        alignment: Alignment,
    ) -> Result<Self, MatmulError> {
        let op = product.op();
        if a.cols() != b.cols() {
            return Err(MatmulError::InnerExtents { op, a: a.cols(), b: b.cols() });
        }
        let (m, n) = (a.rows(), b.rows());
        if (c.rows(), c.cols()) != (m, n) {
            return Err(MatmulError::OutputShape { op, rows: c.rows(), cols: c.cols(), m, n });
        }
        let [m, n, k] = [('m', m), ('n', n), ('k', a.cols())].map(|(extent, value)| {
            let limit = if extent == 'k' { product.most_k() } else { MAX_EXTENT };
            let error = MatmulError::ExtentTooLarge { op, extent, value, limit: limit.into() };
            u32::try_from(value).ok().filter(|value| *value <= limit).ok_or(error)
        });
        let (m, n, k) = (m?, n?, k?);
        lengths.check(op, m.into(), n.into())?;
        lengths.check_scaled(op, output)?;
        let zeros = (lengths.row_zeros.is_some(), lengths.col_zeros.is_some());
        if let (Some(term), Some(limit)) =
            (product.largest_term(zeros.0, zeros.1), product.max_k(zeros.0, zeros.1))
            && u64::from(k) > limit
        {
            return Err(MatmulError::SumTooLong { op, k: k.into(), limit, product: term });
        }
        let strides = [a, b, c].map(|matrix| if matrix.rows() > 1 { matrix.stride() } else { 0 });
        Ok(Self { product, m, n, k, strides, output, alignment })
    }

    /// Whether there is nothing to compute: then nothing is launched.
    pub const fn is_empty(&self) -> bool {
        self.m == 0 || self.n == 0
    }
}

/// The largest m, n and k: indices of tiles may go past them by less than 2^16.
pub const MAX_EXTENT: u32 = u32::MAX - u16::MAX as u32;

impl Lengths {
    fn check(&self, op: &'static str, m: u64, n: u64) -> Result<(), MatmulError> {
        let of = |vector, got: Option<u64>, want, one| match got {
            Some(got) if got != want && !(one && got == 1) => {
                Err(MatmulError::VectorLength { op, vector, got, want, one })
            }
            _ => Ok(()),
        };
        of(ROW_SCALES, self.row_scales, m, true)?;
        of(COL_SCALES, self.col_scales, n, true)?;
        of("zero points of rows", self.row_zeros.map(|(zeros, _)| zeros), m, true)?;
        of("sums of rows of `b`", self.row_zeros.map(|(_, sums)| sums), n, false)?;
        of("zero points of columns", self.col_zeros.map(|(zeros, _)| zeros), n, true)?;
        of("sums of rows of `a`", self.col_zeros.map(|(_, sums)| sums), m, false)?;
        of("elements in the bias", self.bias, n, false)
    }

    /// An output of sums takes neither scales nor a bias.
    fn check_scaled(&self, op: &'static str, dtype: DType) -> Result<(), MatmulError> {
        if !matches!(dtype, DType::I32 | DType::I64) {
            return Ok(());
        }
        let vectors = [(ROW_SCALES, self.row_scales), (COL_SCALES, self.col_scales), ("bias", self.bias)];
        let there = vectors.into_iter().find(|(_, length)| length.is_some());
        there.map_or(Ok(()), |(vector, _)| Err(MatmulError::NotScaled { op, dtype, vector }))
    }
}

const ROW_SCALES: &str = "scales of rows";
const COL_SCALES: &str = "scales of columns";

#[cfg(test)]
mod tests {
    use super::*;

    fn layout(rows: u64, cols: u64) -> Layout {
        Layout::new(rows, cols, cols).expect("it is counted")
    }

    fn q8(m: u64, n: u64, k: u64, lengths: Lengths) -> Result<Problem, MatmulError> {
        let layouts = [layout(m, k), layout(n, k), layout(m, n)];
        Problem::new(Product::Q8, layouts, DType::F16, &lengths, Alignment::FULL)
    }

    fn refusal(result: Result<Problem, MatmulError>) -> String {
        result.expect_err("it is refused").to_string()
    }

    #[test]
    fn limits_of_k_are_where_the_largest_sums_stop_fitting() {
        for (zeros, term, limit) in [
            ((false, false), 16_384, 131_071),
            ((true, false), 32_640, 65_793),
            ((false, true), 32_640, 65_793),
            ((true, true), 65_025, 33_025),
        ] {
            assert_eq!(Product::Q8.largest_term(zeros.0, zeros.1), Some(term));
            assert_eq!(Product::Q8.max_k(zeros.0, zeros.1), Some(limit));
            assert!(limit * term <= i32::MAX as u64 && (limit + 1) * term > i32::MAX as u64);
            let lengths = Lengths {
                row_zeros: zeros.0.then_some((1, 3)),
                col_zeros: zeros.1.then_some((1, 2)),
                ..Lengths::default()
            };
            q8(2, 3, limit, lengths).expect("it fits");
            let error = q8(2, 3, limit + 1, lengths).expect_err("it does not fit");
            let want = MatmulError::SumTooLong { op: "matmul_q8", k: limit + 1, limit, product: term };
            assert_eq!(error, want);
        }
        assert_eq!(Product::Hpq.max_k(false, true), Some(65_793));
        assert_eq!(Product::Float.max_k(false, false), None);
        assert_eq!(
            refusal(q8(2, 3, 131_072, Lengths::default())),
            "matmul_q8: k is 131072; sums of products of up to 16384 are exact in i32 up to k = 131071 (2^31 - 1 over 16384)"
        );
    }

    #[test]
    fn shapes_that_do_not_fit_are_refused_with_both() {
        let of =
            |a, b, c| Problem::new(Product::Q8, [a, b, c], DType::F16, &Lengths::default(), Alignment::FULL);
        assert_eq!(
            refusal(of(layout(2, 8), layout(3, 9), layout(2, 3))),
            "matmul_q8: `a` has rows of 8 elements and `b` of 9; they must be equal"
        );
        assert_eq!(
            refusal(of(layout(2, 8), layout(3, 8), layout(3, 2))),
            "matmul_q8: `c` is 3 x 2; the product of 2 and 3 rows is 2 x 3"
        );
        assert_eq!(
            refusal(q8(1 << 32, 1, 8, Lengths::default())),
            "matmul_q8: m is 4294967296; at most 4294901760 is possible"
        );
        assert!(refusal(q8(1, 1 << 32, 8, Lengths::default())).starts_with("matmul_q8: n is 4294967296"));
        let floats = [layout(1, 1 << 31), layout(1, 1 << 31), layout(1, 1)];
        let floats = Problem::new(Product::Float, floats, DType::F16, &Lengths::default(), Alignment::FULL);
        assert_eq!(refusal(floats), "matmul: k is 2147483648; at most 2147483647 is possible");
    }

    #[test]
    fn vectors_of_another_length_are_refused_by_name() {
        let none = Lengths::default();
        let refused = |lengths| refusal(q8(2, 3, 8, lengths));
        assert_eq!(
            refused(Lengths { row_scales: Some(3), ..none }),
            "matmul_q8: there are 3 scales of rows; there must be 1 or 2"
        );
        assert!(
            refused(Lengths { col_scales: Some(2), ..none })
                .ends_with("scales of columns; there must be 1 or 3")
        );
        assert!(refused(Lengths { row_scales: Some(0), ..none }).contains("there are 0 scales of rows"));
        assert!(refused(Lengths { row_zeros: Some((3, 3)), ..none }).contains("3 zero points of rows"));
        assert!(
            refused(Lengths { row_zeros: Some((1, 2)), ..none })
                .ends_with("2 sums of rows of `b`; there must be 3")
        );
        assert!(refused(Lengths { col_zeros: Some((2, 2)), ..none }).contains("2 zero points of columns"));
        assert!(
            refused(Lengths { col_zeros: Some((3, 1)), ..none })
                .ends_with("1 sums of rows of `a`; there must be 2")
        );
        assert!(
            refused(Lengths { bias: Some(1), ..none }).ends_with("1 elements in the bias; there must be 3")
        );
        let all = Lengths {
            row_scales: Some(1),
            col_scales: Some(3),
            row_zeros: Some((2, 3)),
            col_zeros: Some((1, 2)),
            bias: Some(3),
        };
        q8(2, 3, 8, all).expect("they all fit");
    }

    #[test]
    fn sums_take_neither_scales_nor_bias() {
        let of = |lengths| {
            let layouts = [layout(2, 8), layout(3, 8), layout(2, 3)];
            Problem::new(Product::Q8, layouts, DType::I32, &lengths, Alignment::FULL)
        };
        let none = Lengths::default();
        assert_eq!(
            refusal(of(Lengths { row_scales: Some(2), ..none })),
            "matmul_q8: an i32 output holds the sums themselves; it takes no scales of rows"
        );
        assert!(refusal(of(Lengths { col_scales: Some(1), ..none })).ends_with("no scales of columns"));
        assert!(refusal(of(Lengths { bias: Some(3), ..none })).ends_with("no bias"));
        of(Lengths { row_zeros: Some((1, 3)), ..none }).expect("zero points belong to the sums");
    }

    #[test]
    fn no_rows_columns_or_terms_are_a_problem_like_others() {
        for (m, n, k) in [(0, 3, 8), (2, 0, 8), (2, 3, 0), (0, 0, 0)] {
            let problem = q8(m, n, k, Lengths::default()).expect("it is legal");
            assert_eq!(problem.is_empty(), m == 0 || n == 0);
        }
    }

    #[test]
    fn alignment_is_that_of_addresses_and_rows() {
        let of = |address, rows, stride| {
            let layout = Layout::new(rows, 8, stride).expect("it is counted");
            Alignment::of(&[(256, layout, 1), (address, layout, 1)], (512, layout, 2)).inputs
        };
        assert_eq!((of(256, 4, 32), of(258, 4, 32), of(256, 4, 12), of(257, 4, 32)), (16, 2, 4, 1));
        assert_eq!((of(256, 1, 7), of(256, 4, 0)), (16, 16));
        assert_eq!(format!("{:?}", q8(2, 3, 8, Lengths::default())).lines().count(), 1);
    }
}
