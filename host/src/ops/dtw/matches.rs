//! Where a query is found.

use super::DtwError;

/// A window that a query is like.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Where the window ends.
    pub end: usize,
    /// Its distance, not rooted; never NaN.
    pub distance: f32,
}

/// Refuses a threshold that is NaN.
///
/// # Errors
/// [`DtwError::ThresholdNan`].
pub const fn check_threshold(threshold: f32) -> Result<(), DtwError> {
    if threshold.is_nan() { Err(DtwError::ThresholdNan) } else { Ok(()) }
}

/// The exclusion zone where none is given: a quarter of the query, rounded up.
pub const fn default_exclusion(m: usize) -> usize {
    m.div_ceil(4)
}
