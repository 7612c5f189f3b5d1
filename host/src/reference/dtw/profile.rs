//! The distance of every window.

use super::rolling::rolling_cpu;
use super::{distance_cpu, normalized_cpu};
use crate::ops::dtw::{Normalization, ProfileOptions, Queries};

/// The distance of each query to every window of the series: `[queries, points of the series]`, each where the window
/// ends; NaN before the first full window and for windows that are not finite.
pub fn profile_cpu(series: &[f32], queries: &Queries<'_>, options: &ProfileOptions) -> Vec<f32> {
    let m = queries.len();
    let smoothed =
        if options.smoothing == 1 { series.to_vec() } else { rolling_cpu(series, options.smoothing).mean };
    let mut distances = vec![f32::NAN; queries.count() * series.len()];
    for (k, query) in queries.rows().enumerate() {
        let Some(query) = prepared(query, options.normalization) else { continue };
        for start in 0..(smoothed.len() + 1).saturating_sub(m) {
            let end = start + m - 1;
            if let Some(window) = prepared(&smoothed[start..=end], options.normalization) {
                distances[k * series.len() + end] = distance_cpu(&query, &window, options.radius);
            }
        }
    }
    distances
}

/// What goes into the matrix; none where it is not finite.
pub(super) fn prepared(x: &[f32], normalization: Normalization) -> Option<Vec<f32>> {
    match normalization {
        Normalization::None => x.iter().all(|point| point.is_finite()).then(|| x.to_vec()),
        Normalization::ZScore => normalized_cpu(x),
    }
}
