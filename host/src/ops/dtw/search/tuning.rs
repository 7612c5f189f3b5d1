//! When a search goes which way.

/// Limits and shares of a search. The default is what an H200 is fastest with; no value changes an answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tuning {
    /// Windows of a row from which bounds are asked.
    pub least_windows: u64,
    /// Every how many-th tile of windows is of the sample that the first threshold comes from; at least 2.
    pub every: u32,
    /// The share of a profile's time that a search by bounds may be expected to take.
    pub most_share: f32,
    /// Distances that are in memory at a time, 1 to 2^31; others count as the nearest of these.
    pub distances: u64,
    /// Windows that are searched at a time, 1 to 2^31; others count as the nearest of these.
    pub windows: u64,
}

impl Default for Tuning {
    fn default() -> Self {
        Self { least_windows: 1 << 16, every: 64, most_share: 0.85, distances: 1 << 28, windows: 1 << 26 }
    }
}

impl Tuning {
    /// The most distances and windows at a time: their numbers have 32 bits.
    pub(super) const MOST: u64 = 1 << 31;

    /// The same with every value where it must be.
    pub(super) fn within_limits(self) -> Self {
        let Self { every, distances, windows, .. } = self;
        let (every, limit) = (every.max(2), |count: u64| count.clamp(1, Self::MOST));
        Self { every, distances: limit(distances), windows: limit(windows), ..self }
    }

    /// Bounds for every problem that they are possible for.
    pub const fn narrow(self) -> Self {
        Self { least_windows: 0, most_share: f32::INFINITY, ..self }
    }

    /// No bounds.
    pub const fn whole(self) -> Self {
        Self { least_windows: u64::MAX, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_beyond_the_limits_count_as_these() {
        let least = Tuning { every: 0, distances: 0, windows: 0, ..Tuning::default() }.within_limits();
        assert_eq!((least.every, least.distances, least.windows), (2, 1, 1));
        let most = Tuning { distances: u64::MAX, windows: u64::MAX, ..Tuning::default() }.within_limits();
        assert_eq!((most.distances, most.windows), (1 << 31, 1 << 31));
    }
}
