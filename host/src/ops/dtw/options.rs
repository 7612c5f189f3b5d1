//! What is asked of a profile.

use super::DtwError;

/// Rows, queries, tiles, and points of a window or an append at most.
const MAX_COUNT: u64 = u32::MAX as u64 >> 1;

/// Distances of a call at most.
const MAX_DISTANCES: u64 = u64::MAX >> 3;

/// What is done to each window, and once to each query, before they are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Normalization {
    /// Nothing: raw values.
    None,
    /// Mean 0 and standard deviation 1 (ddof 0); a constant window becomes zeros. The factor is at most [`f32::MAX`]: where
    /// the deviation is less than its inverse, 2.94e-39, it stays below 1.
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

/// Rolling aggregates that come with distances: the points of each, or none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Aggregation {
    /// Of the series, in the launch of the profile.
    pub series: Option<usize>,
    /// Of each query's distances, in a launch behind it.
    pub distances: Option<usize>,
}

impl Aggregation {
    /// None.
    pub const NONE: Self = Self { series: None, distances: None };

    /// Those of the series alone, over `window` points.
    pub const fn of_series(window: usize) -> Self {
        Self { series: Some(window), ..Self::NONE }
    }

    /// The same with those of the distances over `window` points.
    pub const fn of_distances(self, window: usize) -> Self {
        Self { distances: Some(window), ..self }
    }

    /// Refuses windows that have not 1 to `len` points, the length of the series.
    ///
    /// # Errors
    /// [`DtwError::Window`].
    pub fn check(&self, len: usize) -> Result<(), DtwError> {
        self.series.into_iter().chain(self.distances).try_for_each(|window| check_window(window, len))
    }

    /// Points before a point that its aggregates of the series depend on.
    pub(super) fn points_before(&self) -> usize {
        self.series.map_or(0, |window| window - 1)
    }
}

/// Refuses a rolling window of `window` points over a row of `len`, unless it has 1 to `len` points.
///
/// # Errors
/// [`DtwError::Window`].
pub const fn check_window(window: usize, len: usize) -> Result<(), DtwError> {
    if window == 0 || window > len { Err(DtwError::Window { window, limit: len }) } else { Ok(()) }
}

/// `count`, unless it is more than 2^31 − 1.
///
/// # Errors
/// [`DtwError::TooMany`].
pub(super) fn check_count(what: &'static str, count: u64) -> Result<u32, DtwError> {
    let too_many = DtwError::TooMany { what, count, limit: MAX_COUNT };
    u32::try_from(count).ok().filter(|few| u64::from(*few) <= MAX_COUNT).ok_or(too_many)
}

/// Refuses rows, queries and points that have more than 2^61 − 1 distances.
///
/// # Errors
/// [`DtwError::OutputTooLarge`].
pub(super) fn check_distances(rows: u64, queries: u64, points: u64) -> Result<(), DtwError> {
    let distances = u128::from(rows) * u128::from(queries) * u128::from(points);
    if distances > MAX_DISTANCES.into() {
        return Err(DtwError::OutputTooLarge { rows, queries, points, limit: MAX_DISTANCES });
    }
    Ok(())
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

/// Cells of one window: `m (2 r + 1) - r (r + 1)`, r the [`band`]; 2^64 − 1 where there are more.
pub const fn cells(m: usize, radius: u32) -> u64 {
    let (m, r) = (m as u128, band(radius, m) as u128);
    let cells = m * (2 * r + 1) - r * (r + 1);
    if cells > u64::MAX as u128 { u64::MAX } else { cells as u64 }
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
        let none = check_window(3, 0).expect_err("there is no window").to_string();
        assert_eq!(none, "a rolling window of 3 points; the series has 0 points, and no window");
        let smoothed = ProfileOptions::new(Normalization::None).smoothing(0);
        assert_eq!(smoothed.warm_up(9, 2), Err(DtwError::Window { window: 0, limit: 9 }));
    }

    #[test]
    fn what_cannot_be_counted_is_refused_with_the_limit() {
        assert_eq!(check_count("rows", (1 << 31) - 1), Ok(i32::MAX as u32));
        for count in [1 << 31, 1 << 32, u64::MAX] {
            let text = check_count("rows", count).expect_err("too many").to_string();
            assert_eq!(text, format!("{count} rows; at most 2147483647 are possible"));
        }
        assert_eq!(check_distances(1 << 30, 1 << 30, 1), Ok(()));
        let text = check_distances(1 << 30, 1 << 30, 2).expect_err("too many").to_string();
        let want = "1073741824 rows, 1073741824 queries and 2 points have too many distances; at most \
                    2305843009213693951 are possible";
        assert_eq!(text, want);
    }

    #[test]
    fn each_window_of_aggregates_is_checked() {
        let both = Aggregation::of_series(3).of_distances(9);
        assert_eq!((both.series, both.distances), (Some(3), Some(9)));
        assert_eq!(both.check(9), Ok(()));
        assert_eq!(both.check(8), Err(DtwError::Window { window: 9, limit: 8 }));
        assert_eq!(Aggregation::of_series(0).check(8), Err(DtwError::Window { window: 0, limit: 8 }));
        assert_eq!(Aggregation::NONE.check(0), Ok(()));
    }

    #[test]
    fn every_radius_from_m_minus_one_on_is_the_whole_matrix() {
        assert_eq!([0, 3, 4, 5, u32::MAX].map(|r| band(r, 5)), [0, 3, 4, 4, 4]);
        assert_eq!([0, 1, 4, i32::MAX as u32].map(|r| cells(5, r)), [5, 13, 25, 25]);
        assert_eq!(cells(1024, 102), 199_414);
        assert_eq!([1 << 40, usize::MAX].map(|m| cells(m, u32::MAX)), [u64::MAX; 2]);
        assert_eq!(cells(1 << 32, u32::MAX), u64::MAX);
        assert_eq!([cells(0, 7), cells(usize::MAX, 0)], [0, u64::MAX]);
    }
}
