//! What is asked of a profile.

use super::DtwError;

/// What is done to each window, and once to each query, before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// Nothing: raw values.
    None,
    /// Mean 0 and standard deviation 1 (ddof 0); a constant window becomes zeros.
    ZScore,
}

/// What a profile computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ProfileOptions {
    /// Cells with `|i - j| <= radius` exist; from m - 1 on, all of them.
    pub radius: u32,
    /// What is done to each window.
    pub normalization: Normalization,
    /// Windows are taken of the rolling mean over so many points; 1 is the series itself.
    pub smoothing: usize,
}

impl ProfileOptions {
    /// No band, no smoothing.
    pub const fn new(normalization: Normalization) -> Self {
        Self { radius: u32::MAX, normalization, smoothing: 1 }
    }

    /// The same within a band.
    pub const fn radius(self, radius: u32) -> Self {
        Self { radius, ..self }
    }

    /// The same over rolling means.
    pub const fn smoothing(self, smoothing: usize) -> Self {
        Self { smoothing, ..self }
    }

    /// Points at the start of a series whose distances are NaN: `m + smoothing - 2`.
    ///
    /// # Errors
    /// [`DtwError::Window`] for a smoothing of 0 or more than `len` points, [`DtwError::SeriesTooShort`] where a series of
    /// `len` points has no window.
    pub fn warm_up(&self, len: usize, query: usize) -> Result<usize, DtwError> {
        if self.smoothing != 1 {
            check_window(self.smoothing, len)?;
        }
        let warm_up = query.saturating_add(self.smoothing).saturating_sub(2);
        if warm_up >= len {
            let needed = warm_up.saturating_add(1);
            return Err(DtwError::SeriesTooShort { len, query, smoothing: self.smoothing, needed });
        }
        Ok(warm_up)
    }
}

/// Refuses a rolling window of `window` points over a row of `len`, unless it has 1 to `len` points.
///
/// # Errors
/// [`DtwError::Window`].
pub const fn check_window(window: usize, len: usize) -> Result<(), DtwError> {
    if window == 0 || window > len { Err(DtwError::Window { window, limit: len }) } else { Ok(()) }
}

/// Refuses an output of another length than `want`.
///
/// # Errors
/// [`DtwError::OutputLength`].
pub const fn check_output(output: &'static str, got: usize, want: usize) -> Result<(), DtwError> {
    if got == want { Ok(()) } else { Err(DtwError::OutputLength { output, got, want }) }
}

/// The radius that a matrix of `m × m` cells has at most: `min(radius, m - 1)`.
pub const fn band(radius: u32, m: usize) -> usize {
    if radius as usize >= m { m.saturating_sub(1) } else { radius as usize }
}

/// Cells of one window: `m (2 r + 1) - r (r + 1)`, r the [`band`].
pub const fn cells(m: usize, radius: u32) -> u64 {
    let (m, r) = (m as u64, band(radius, m) as u64);
    m * (2 * r + 1) - r * (r + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_distance_comes_with_the_first_full_window() {
        let options = ProfileOptions::new(Normalization::None);
        assert_eq!(options.warm_up(10, 4), Ok(3));
        assert_eq!(options.smoothing(5).warm_up(10, 4), Ok(7));
        assert_eq!(options.warm_up(4, 4), Ok(3));
    }

    #[test]
    fn a_series_without_a_window_is_refused_with_the_length_it_needs() {
        let error =
            ProfileOptions::new(Normalization::None).smoothing(5).warm_up(7, 4).expect_err("too short");
        assert_eq!(
            error.to_string(),
            "a series of 7 points is too short: queries of 4 points over means of 5 need at least 8"
        );
        let none = ProfileOptions::new(Normalization::ZScore).warm_up(0, 1);
        assert_eq!(none, Err(DtwError::SeriesTooShort { len: 0, query: 1, smoothing: 1, needed: 1 }));
    }

    #[test]
    fn a_rolling_window_has_one_point_to_all() {
        assert_eq!(check_window(0, 9), Err(DtwError::Window { window: 0, limit: 9 }));
        assert_eq!(check_window(10, 9), Err(DtwError::Window { window: 10, limit: 9 }));
        assert_eq!(check_window(9, 9), Ok(()));
        let smoothed = ProfileOptions::new(Normalization::None).smoothing(0);
        assert_eq!(smoothed.warm_up(9, 2), Err(DtwError::Window { window: 0, limit: 9 }));
    }

    #[test]
    fn every_radius_from_m_minus_one_on_is_the_whole_matrix() {
        assert_eq!([0, 3, 4, 5, u32::MAX].map(|r| band(r, 5)), [0, 3, 4, 4, 4]);
        assert_eq!([0, 1, 4, i32::MAX as u32].map(|r| cells(5, r)), [5, 13, 25, 25]);
        assert_eq!(cells(1024, 102), 199_414);
    }
}
