//! Where queries are found: a selection from the profile.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::profile;
use crate::ops::dtw::{Match, ProfileOptions, Queries, check_threshold};
use crate::ops::{HostRef, Layout, OpError};

/// For each series and query the `k` windows with the smallest distances, smallest first and earliest first among equals, whose
/// ends are more than `exclusion` apart from each other.
///
/// Shapes `series`: `[S, N]`; `queries`: `[K, m]`; the result: S K lists, those of one series together, each of at most `k` matches.
/// The distances are [`profile`]'s, bit for bit; a window that is not finite is never a match.
///
/// # Errors
/// As [`profile`].
pub fn top_k(
    series: HostRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    k: usize,
    exclusion: usize,
) -> Result<Vec<Vec<Match>>, OpError> {
    select(series, queries, options, |distances| smallest(distances, k, exclusion))
}

/// For each series and query every window whose distance is at most `threshold`, by end.
///
/// Shapes as [`top_k`]. The distances are [`profile`]'s, bit for bit.
///
/// # Errors
/// As [`profile`], and [`DtwError::ThresholdNan`](crate::ops::dtw::DtwError::ThresholdNan).
pub fn below(
    series: HostRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    threshold: f32,
) -> Result<Vec<Vec<Match>>, OpError> {
    check_threshold(threshold)?;
    select(series, queries, options, |distances| at_most(distances, threshold))
}

/// What `choose` finds among the distances of each query, series by series: those of one series are in memory at a time.
fn select(
    series: HostRef<'_, f32>,
    queries: &Queries<'_>,
    options: &ProfileOptions,
    choose: impl Fn(&[f32]) -> Vec<Match> + Sync,
) -> Result<Vec<Vec<Match>>, OpError> {
    let n = series.layout().cols();
    options.warm_up(n as usize, queries.len())?;
    let mut distances = vec![0.0; n as usize * queries.count()];
    let mut found = Vec::new();
    for row in 0..series.layout().rows() {
        let one = HostRef::new(series.row(row), Layout::new(1, n, n)?)?;
        profile(one, queries, options, &mut distances)?;
        found.par_extend(distances.par_chunks(n as usize).map(&choose));
    }
    Ok(found)
}

/// The distances that are numbers, by end.
fn numbers(distances: &[f32]) -> impl Iterator<Item = Match> {
    let all = distances.iter().enumerate().map(|(end, &distance)| Match { end, distance });
    all.filter(|found| !found.distance.is_nan())
}

/// Every distance of a profile that is at most `threshold`, by end; NaN never is.
pub fn at_most(distances: &[f32], threshold: f32) -> Vec<Match> {
    numbers(distances).filter(|found| found.distance <= threshold).collect()
}

/// The `k` smallest distances of a profile, smallest first and earliest first among equals, with their ends more than
/// `exclusion` apart; NaN is never among them.
pub fn smallest(distances: &[f32], k: usize, exclusion: usize) -> Vec<Match> {
    let mut candidates: Vec<Match> = numbers(distances).collect();
    let order = |a: &Match, b: &Match| a.distance.total_cmp(&b.distance).then(a.end.cmp(&b.end));
    // A match excludes at most 2 `exclusion` others and itself, so k of them are among so many.
    let enough = exclusion.saturating_mul(2).saturating_add(1).saturating_mul(k);
    if enough < candidates.len() {
        candidates.select_nth_unstable_by(enough, order);
        candidates.truncate(enough);
    }
    candidates.sort_unstable_by(order);
    let (mut found, mut ends) = (Vec::new(), BTreeSet::new());
    for candidate in candidates {
        if found.len() == k {
            break;
        }
        let near = candidate.end.saturating_sub(exclusion)..=candidate.end.saturating_add(exclusion);
        if ends.range(near).next().is_none() {
            ends.insert(candidate.end);
            found.push(candidate);
        }
    }
    found
}
