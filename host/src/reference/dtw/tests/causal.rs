//! Nothing depends on the future, nor on how a series is cut.

use super::*;
use crate::ops::dtw::Aggregates;

const M: usize = 9;
const SMOOTHING: usize = 4;

/// Distances, aggregates of the series and of the distances, as one list per output.
fn outputs(series: &[f32]) -> Vec<Vec<f32>> {
    let query = walk(99, M);
    let mut all = vec![
        profile(series, &query, &raw(WHOLE)),
        profile(series, &query, &zscore(3)),
        profile(series, &query, &zscore(WHOLE).smoothing(SMOOTHING)),
    ];
    for of in [series, &all[1].clone()] {
        let Aggregates { mean, min, max, variance } = rolling_cpu(of, SMOOTHING);
        all.extend([mean, min, max, variance]);
    }
    all
}

#[test]
fn the_future_changes_nothing() {
    let mut series = walk(1, 80);
    series[20] = f32::NAN;
    let whole = outputs(&series);
    for t in [0, M - 1, 30, 79] {
        let mut other = series.clone();
        for (i, point) in other[t + 1..].iter_mut().enumerate() {
            *point = if i % 3 == 0 { f32::NAN } else { *point * -7.5 + 1e6 };
        }
        for (got, want) in outputs(&other).iter().zip(&whole) {
            assert_eq!(bits(&got[..=t]), bits(&want[..=t]), "{t}");
        }
    }
}

#[test]
fn chunks_of_any_length_give_the_bits_of_one_batch() {
    let series = walk(2, 4096 + 150);
    let whole = outputs(&series);
    // What a point's outputs look back on: a distance its window of means, an aggregate of distances its windows.
    let history = M + SMOOTHING - 2;
    for (chunk, limit) in [(1, 60), (7, 200), (4096, series.len())] {
        for start in (0..limit).step_by(chunk) {
            let end = (start + chunk).min(series.len());
            let from = start.saturating_sub(history);
            let part = outputs(&series[from..end]);
            for (part, whole) in part.iter().zip(&whole) {
                assert_eq!(bits(&part[start - from..]), bits(&whole[start..end]), "{chunk} {start}");
            }
        }
    }
}
