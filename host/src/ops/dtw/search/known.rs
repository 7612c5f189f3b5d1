//! What is known of a list of matches so far, and how large a distance still matters.
//!
//! Let A be windows with known distances, and a(1), a(2), … what the greedy selection takes of them: smallest first, ends more
//! than e apart. Of the true matches t(1), t(2), …, each has at most two of the a within e, since three of them span more than
//! 2 e. So the first i − 1 leave one of a(1), …, a(2 i − 1), and t(i) ≤ a(2 i − 1): no distance above a(2 k − 1) matters. Mostly
//! even a(k) is enough; that is known afterwards: once all windows up to some distance are known and the selection takes k of
//! them, these are the k matches.

use crate::cpu::dtw::separated;
use crate::ops::dtw::Match;

/// What is asked.
#[derive(Clone, Copy, Debug)]
pub(super) enum Asked {
    /// The `k` smallest distances with ends more than `exclusion` apart.
    TopK { k: usize, exclusion: usize },
    /// All distances of at most `threshold`.
    Below { threshold: f32 },
}

/// A list of matches in the making.
#[derive(Debug)]
pub(super) struct Known {
    asked: Asked,
    matches: Vec<Match>,
    /// Larger distances do not matter, or did not seem to.
    threshold: f32,
    /// Whether the threshold is certain.
    is_sure: bool,
}

impl Known {
    /// Nothing yet.
    pub fn new(asked: Asked) -> Self {
        let threshold = match asked {
            Asked::TopK { .. } => f32::INFINITY,
            Asked::Below { threshold } => threshold,
        };
        let is_sure = matches!(asked, Asked::Below { .. });
        Self { asked, matches: Vec::new(), threshold, is_sure }
    }

    /// Whether the threshold follows from what is known, and falls as more is.
    pub const fn can_fall(&self) -> bool {
        matches!(self.asked, Asked::TopK { .. })
    }

    /// Takes in more windows. Some may be known already.
    pub fn add(&mut self, found: impl IntoIterator<Item = Match>) {
        self.matches.extend(found);
        let Asked::TopK { k, exclusion } = self.asked else { return };
        let certain = k.saturating_mul(2).saturating_sub(1);
        let taken = separated(&mut self.matches, certain, exclusion);
        let at = |i: usize| taken.get(i).map_or(f32::INFINITY, |found| found.distance);
        let limit = at(if self.is_sure { certain } else { k }.saturating_sub(1));
        self.threshold = self.threshold.min(limit);
        let certain = at(certain.saturating_sub(1));
        self.matches.retain(|found| found.distance <= certain);
    }

    /// The largest distance that matters.
    pub const fn threshold(&self) -> f32 {
        self.threshold
    }

    /// Whether every match is known, once all windows up to the threshold are. If not, the threshold is a larger one now, and
    /// all windows up to it are to be found.
    pub fn is_complete(&mut self) -> bool {
        let Asked::TopK { k, .. } = self.asked else { return true };
        if self.is_sure || self.threshold == f32::INFINITY || self.selected().len() == k {
            return true;
        }
        self.is_sure = true;
        self.threshold = f32::INFINITY;
        self.add([]);
        false
    }

    fn selected(&self) -> Vec<Match> {
        let within = self.matches.iter().filter(|found| found.distance <= self.threshold);
        let mut all: Vec<Match> = within.copied().collect();
        match self.asked {
            Asked::TopK { k, exclusion } => separated(&mut all, k, exclusion),
            Asked::Below { .. } => {
                all.sort_unstable_by_key(|found| found.end);
                all.dedup_by_key(|found| found.end);
                all
            }
        }
    }

    /// The matches, where all windows up to the threshold are known.
    pub fn finish(self) -> Vec<Match> {
        self.selected()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu::dtw::smallest;

    fn matches(distances: &[f32]) -> Vec<Match> {
        distances.iter().enumerate().map(|(end, &distance)| Match { end, distance }).collect()
    }

    /// What a search does with distances that it knows in this order, by thresholds alone.
    fn search(distances: &[f32], hints: &[usize], k: usize, exclusion: usize) -> Vec<Match> {
        let all = matches(distances);
        let mut known = Known::new(Asked::TopK { k, exclusion });
        loop {
            known.add(hints.iter().map(|end| all[*end]));
            let threshold = known.threshold();
            known.add(all.iter().filter(|found| found.distance <= threshold).copied());
            if known.is_complete() {
                return known.finish();
            }
        }
    }

    #[test]
    fn a_match_that_excludes_two_hints_is_not_missed() {
        // The hints 1 and 5 are apart, and 3, the best, excludes both: the second match is beyond either.
        let distances = [9.0, 2.0, 9.0, 1.0, 9.0, 3.0, 9.0, 9.0, 4.0];
        let got = search(&distances, &[1, 5], 2, 2);
        assert_eq!(got, smallest(&distances, 2, 2));
        assert_eq!(got.iter().map(|found| found.end).collect::<Vec<_>>(), [3, 8]);
    }

    #[test]
    fn any_hints_lead_to_the_sorted_profile() {
        for seed in 0..400_u64 {
            let random = |i: u64, below: u64| crate::ops::mix(seed << 32 | i) % below;
            let n = 1 + random(0, 40);
            let distances: Vec<f32> = (0..n).map(|i| random(10 + i, 9) as f32 / 2.0).collect();
            let hints: Vec<usize> = (0..random(1, 12)).map(|i| random(100 + i, n) as usize).collect();
            let (k, exclusion) = (1 + random(2, 6) as usize, random(3, 8) as usize);
            let want = smallest(&distances, k, exclusion);
            assert_eq!(search(&distances, &hints, k, exclusion), want, "{seed}");
        }
    }

    #[test]
    fn all_below_a_threshold_are_there_once_and_in_order() {
        let mut known = Known::new(Asked::Below { threshold: 2.0 });
        let all = matches(&[3.0, 2.0, 0.0, 2.5, 1.0]);
        known.add(all.iter().rev().copied());
        known.add([all[1]]);
        assert!(known.is_complete() && !known.can_fall());
        assert_eq!(known.finish(), [all[1], all[2], all[4]]);
    }
}
