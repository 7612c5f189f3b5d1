//! Where queries are found: a selection from the profile.

use std::collections::BTreeSet;

use rayon::prelude::*;

use super::profile;
use crate::host_memory;
use crate::ops::dtw::{Match, ProfileOptions, Queries, check_threshold};
use crate::ops::{HostRef, Layout, OpError};

/// For each series and query the `k` windows with the smallest distances, smallest first and earliest first among equals, whose
/// ends are more than `exclusion` apart from each other.
///
/// Shapes `series`: `[S, N]`; `queries`: `[K, m]`; the result: S K lists, those of one series together, each of at most `k` matches.
/// The distances are [`profile`]'s, bit for bit; a window that is not finite is never a match.
///
/// # Errors
/// As [`profile`], and [`OpError::HostMemory`].
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
/// As [`top_k`], and [`DtwError::ThresholdNan`](crate::ops::dtw::DtwError::ThresholdNan).
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
    queries.check_for(options.normalization)?;
    let mut distances = host_memory::filled(0.0, (n as usize).saturating_mul(queries.count()))?;
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
    separated(&mut numbers(distances).collect::<Vec<_>>(), k, exclusion)
}

/// Candidates per match that are sorted at first; more where too few are apart.
const SORTED_PER_MATCH: usize = 8;

/// The `k` smallest of `candidates`, smallest first and earliest first among equals, with their ends more than `exclusion`
/// apart. No distance is NaN; one candidate may be there more than once. Leaves the candidates in another order.
pub fn separated(candidates: &mut [Match], k: usize, exclusion: usize) -> Vec<Match> {
    let order = |a: &Match, b: &Match| a.distance.total_cmp(&b.distance).then(a.end.cmp(&b.end));
    let (mut found, mut ends) = (Vec::new(), BTreeSet::new());
    let mut rest = candidates;
    let mut count = k.saturating_mul(SORTED_PER_MATCH);
    while found.len() < k && !rest.is_empty() {
        // The next smallest `count`, in order.
        if count < rest.len() {
            rest.select_nth_unstable_by(count, order);
        }
        let (next, larger) = rest.split_at_mut(count.min(rest.len()));
        next.sort_unstable_by(order);
        for candidate in next.iter() {
            let near = candidate.end.saturating_sub(exclusion)..=candidate.end.saturating_add(exclusion);
            if found.len() < k && ends.range(near).next().is_none() {
                ends.insert(candidate.end);
                found.push(*candidate);
            }
        }
        rest = larger;
        count = count.saturating_mul(4);
    }
    found
}
