//! The comparison itself.

use std::fmt;

use super::{Comparable, Tolerance};
use crate::ops::Layout;

/// The byte that outputs are filled with before a launch: a NaN of every float that no operation gives, −1 as an integer.
pub const POISON_BYTE: u8 = 0xff;

/// The value whose bytes all are [`POISON_BYTE`].
pub fn poison<T: Comparable>() -> T {
    T::from_raw(u64::MAX)
}

/// The first element that is wrong.
#[derive(Clone, Debug, PartialEq)]
pub enum Mismatch {
    /// The value differs from the reference by more than the tolerance.
    Value {
        /// Row.
        row: u64,
        /// Column.
        col: u64,
        /// What the op gave.
        got: f64,
        /// What the reference gave.
        want: f64,
    },
    /// The op has not written the element.
    NotWritten {
        /// Row.
        row: u64,
        /// Column.
        col: u64,
        /// What the reference gave.
        want: f64,
    },
    /// The op has written where it must not: between or beyond the rows.
    OutsideWritten {
        /// Number of the element in the buffer.
        index: u64,
        /// Its bits now.
        got_bits: u64,
    },
    /// The buffers have different lengths.
    Length {
        /// Elements of the result.
        got: u64,
        /// Elements of the reference.
        want: u64,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { row, col, got, want } => write!(f, "({row}, {col}): got {got:e}, want {want:e}"),
            Self::NotWritten { row, col, want } => write!(f, "({row}, {col}): not written, want {want:e}"),
            Self::OutsideWritten { index, got_bits } => {
                write!(f, "element {index} lies outside the rows and was overwritten with {got_bits:#x}")
            }
            Self::Length { got, want } => write!(f, "{got} elements, want {want}"),
        }
    }
}

/// What a comparison found.
#[derive(Clone, Debug, PartialEq)]
pub struct Comparison {
    /// Name of the output.
    pub output: &'static str,
    /// Elements compared, those outside the rows not counted.
    pub elements: u64,
    /// How many are wrong, those outside the rows included.
    pub mismatches: u64,
    /// The first of them.
    pub first: Option<Mismatch>,
    /// Largest absolute difference between two finite values.
    pub max_abs: f64,
    /// The same in units in the last place.
    pub max_ulps: u64,
}

impl Comparison {
    /// Whether nothing is wrong.
    pub fn passed(&self) -> bool {
        self.mismatches == 0
    }
}

impl fmt::Display for Comparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: {} of {} elements wrong", self.output, self.mismatches, self.elements)?;
        if let Some(first) = &self.first {
            write!(f, "; first at {first}")?;
        }
        write!(f, "; largest error {:e} ({} ulp)", self.max_abs, self.max_ulps)
    }
}

/// Compares two whole buffers of one geometry: the matrix `layout`, `offset` elements into each.
///
/// Inside the rows a value must be within `tolerance` of the reference, a NaN where and only where the reference has one,
/// and no longer the poison. An integer that is to be −1 is the poison's: that it was written does not show. Outside, every
/// bit must be what it was.
pub fn compare<T: Comparable>(
    output: &'static str,
    layout: Layout,
    offset: u64,
    got: &[T],
    want: &[T],
    tolerance: &Tolerance,
) -> Comparison {
    let mut result = Comparison {
        output,
        elements: layout.elements(),
        mismatches: 0,
        first: None,
        max_abs: 0.0,
        max_ulps: 0,
    };
    if got.len() != want.len() {
        let (got, want) = (got.len() as u64, want.len() as u64);
        result.note(Mismatch::Length { got, want });
        return result;
    }
    for (index, (&got, &want)) in got.iter().zip(want).enumerate() {
        let index = index as u64;
        if got.raw() == want.raw() && !want.is_not_a_number() {
            continue;
        }
        match place(layout, offset, index) {
            Some((row, col)) => result.inside(row, col, got, want, tolerance),
            None if got.raw() != want.raw() => {
                result.note(Mismatch::OutsideWritten { index, got_bits: got.raw() });
            }
            None => {}
        }
    }
    result
}

/// Row and column of element `index` of the buffer.
fn place(layout: Layout, offset: u64, index: u64) -> Option<(u64, u64)> {
    let at = index.checked_sub(offset).filter(|&at| at < layout.span())?;
    if layout.rows() == 1 {
        return Some((0, at));
    }
    let (row, col) = (at / layout.stride(), at % layout.stride());
    (col < layout.cols()).then_some((row, col))
}

impl Comparison {
    fn note(&mut self, mismatch: Mismatch) {
        self.mismatches += 1;
        self.first.get_or_insert(mismatch);
    }

    fn inside<T: Comparable>(&mut self, row: u64, col: u64, got: T, want: T, tolerance: &Tolerance) {
        if got.raw() == poison::<T>().raw() {
            return self.note(Mismatch::NotWritten { row, col, want: want.to_f64() });
        }
        if got.is_not_a_number() && want.is_not_a_number() {
            return;
        }
        let (ulps, ulp) = (got.ulps_from(want), want.ulp());
        let (got, want) = (got.to_f64(), want.to_f64());
        let diff = (got - want).abs();
        if diff.is_finite() {
            self.max_abs = self.max_abs.max(diff);
            self.max_ulps = self.max_ulps.max(ulps);
        }
        // Other bits are wrong where the tolerance is zero, even where the difference is (0 and -0).
        let limit = tolerance.limit(want, ulp);
        #[allow(clippy::neg_cmp_op_on_partial_ord, reason = "a difference that is NaN must fail")]
        let wrong = tolerance.is_exact() || !(diff <= limit);
        if wrong {
            self.note(Mismatch::Value { row, col, got, want });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const EXACT: Tolerance = Tolerance::exact("a test");

    fn row(got: &[f32], want: &[f32], tolerance: &Tolerance) -> Comparison {
        let layout = Layout::new(1, want.len() as u64, want.len() as u64).expect("it fits");
        compare("y", layout, 0, got, want, tolerance)
    }

    #[test]
    fn nan_fails_unless_both_are() {
        let loose = Tolerance { atol: 1e30, ..EXACT };
        assert!(!row(&[f32::NAN], &[1.0], &loose).passed());
        assert!(!row(&[1.0], &[f32::NAN], &loose).passed());
        assert!(row(&[f32::NAN], &[-f32::NAN], &EXACT).passed());
    }

    #[test]
    fn infinities_agree_with_themselves_alone() {
        let loose = Tolerance { rtol: 1.0, ..EXACT };
        assert!(row(&[f32::INFINITY], &[f32::INFINITY], &loose).passed());
        assert!(
            !row(&[f32::NEG_INFINITY], &[f32::INFINITY], &Tolerance { rtol: 0.0, atol: 1.0, ..EXACT })
                .passed()
        );
        assert!(!row(&[f32::MAX], &[f32::INFINITY], &Tolerance { atol: 1.0, ..EXACT }).passed());
    }

    #[test]
    fn exact_tells_minus_zero_from_zero() {
        assert!(!row(&[0.0], &[-0.0], &EXACT).passed());
        assert!(row(&[0.0], &[-0.0], &Tolerance::ulps(1.0, "a test")).passed());
    }

    #[test]
    fn the_first_mismatch_the_count_and_the_largest_error_are_reported() {
        let found = row(&[1.0, 2.5, 3.0, 8.0], &[1.0, 2.0, 3.0, 4.0], &EXACT);
        assert_eq!(found.mismatches, 2);
        assert_eq!(found.first, Some(Mismatch::Value { row: 0, col: 1, got: 2.5, want: 2.0 }));
        assert_eq!(found.max_abs, 4.0);
        assert_eq!(found.max_ulps, 1 << 23);
        assert_eq!(
            found.to_string(),
            "`y`: 2 of 4 elements wrong; first at (0, 1): got 2.5e0, want 2e0; largest error 4e0 (8388608 ulp)"
        );
    }

    #[test]
    fn one_ulp_is_one_step_of_the_type() {
        let one_ulp = Tolerance::ulps(1.0, "a test");
        assert!(row(&[1.0 + f32::EPSILON], &[1.0], &one_ulp).passed());
        assert!(!row(&[1.0 + 2.0 * f32::EPSILON], &[1.0], &one_ulp).passed());
    }

    #[test]
    fn an_element_left_poisoned_fails_even_where_nan_is_due() {
        let found = row(&[poison()], &[f32::NAN], &EXACT);
        assert!(matches!(found.first, Some(Mismatch::NotWritten { row: 0, col: 0, .. })));
    }

    #[test]
    fn integers_are_compared_as_they_are() {
        let layout = Layout::new(1, 3, 3).expect("it fits");
        let found = compare("y", layout, 0, &[1_i8, -1, -1], &[1, -1, 100], &EXACT);
        assert_eq!(found.first, Some(Mismatch::NotWritten { row: 0, col: 2, want: 100.0 }));
        assert_eq!((found.mismatches, found.elements), (1, 3));
        let found = compare("y", layout, 0, &[i32::MIN, 5, 7], &[i32::MIN, 5, 9], &EXACT);
        assert_eq!(found.first, Some(Mismatch::Value { row: 0, col: 2, got: 7.0, want: 9.0 }));
        assert_eq!((found.max_abs, found.max_ulps), (2.0, 2));
    }

    #[test]
    fn what_lies_outside_the_rows_must_not_change() {
        let layout = Layout::new(2, 2, 3).expect("it fits");
        let p: f32 = poison();
        let want = [p, 1.0, 2.0, p, 3.0, 4.0, p];
        assert!(compare("y", layout, 1, &want, &want, &EXACT).passed());
        for (index, touched) in [(0, true), (3, true), (6, true), (1, false)] {
            let mut got = want;
            got[index] = 9.0;
            let found = compare("y", layout, 1, &got, &want, &EXACT);
            assert_eq!(found.mismatches, 1);
            assert_eq!(matches!(found.first, Some(Mismatch::OutsideWritten { .. })), touched, "{index}");
        }
    }

    #[test]
    fn buffers_of_different_length_fail() {
        assert!(!row(&[], &[1.0], &EXACT).passed());
    }
}
