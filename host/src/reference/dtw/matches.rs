//! Where a query is found, from the distances of one query and one series.

use crate::ops::dtw::Match;

/// The `k` smallest distances, smallest first and earliest first among equals: again and again the smallest whose end
/// is more than `exclusion` away from all ends taken before. NaN is never taken.
pub fn top_k_cpu(distances: &[f32], k: usize, exclusion: usize) -> Vec<Match> {
    let mut found: Vec<Match> = Vec::new();
    while found.len() < k {
        let mut best: Option<Match> = None;
        for (end, &distance) in distances.iter().enumerate() {
            let taken = found.iter().any(|other| other.end.abs_diff(end) <= exclusion);
            if !taken && !distance.is_nan() && best.is_none_or(|best| distance < best.distance) {
                best = Some(Match { end, distance });
            }
        }
        let Some(best) = best else { break };
        found.push(best);
    }
    found
}

/// Every distance of at most `threshold`, by end.
pub fn below_cpu(distances: &[f32], threshold: f32) -> Vec<Match> {
    let mut found = Vec::new();
    for (end, &distance) in distances.iter().enumerate() {
        if distance <= threshold {
            found.push(Match { end, distance });
        }
    }
    found
}
