//! The twin has the plain reference's bits, in the vectors of every instruction set that this processor has.

mod refusals;
mod series;

use std::collections::BTreeSet;

use rayon::prelude::*;
use series::{Kind, series};

use super::{matches, pairs, profile, rolling, subsequence};
use crate::cpu::isa::Isa;
use crate::ops::dtw::{Aggregates, Normalization, ProfileOptions, Queries};
use crate::ops::{HostRef, Layout};
use crate::reference::dtw as reference;

const NORMALIZATIONS: [Normalization; 2] = [Normalization::None, Normalization::ZScore];

/// `rows` rows of `cols` elements.
fn matrix(data: &[f32], rows: usize, cols: usize) -> HostRef<'_, f32> {
    strided(data, rows, cols, cols)
}

fn strided(data: &[f32], rows: usize, cols: usize, stride: usize) -> HostRef<'_, f32> {
    let layout = Layout::new(rows as u64, cols as u64, stride as u64).expect("it fits");
    HostRef::new(data, layout).expect("there are as many")
}

/// The same bits, any NaN for any other.
#[track_caller]
fn expect_bits(what: &dyn std::fmt::Debug, got: &[f32], want: &[f32]) {
    assert_eq!(got.len(), want.len(), "{what:?}");
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
        assert!(same, "{what:?}, element {at}: got {got:e}, want {want:e}");
    }
}

/// Every radius that the loops treat in a way of its own.
fn radii(m: usize) -> BTreeSet<u32> {
    let m = m as u32;
    BTreeSet::from([0, 1, 2, m / 10, m / 3, m - 1, i32::MAX as u32])
}

fn profile_agrees(m: usize, windows: usize) {
    for kind in Kind::ALL {
        let series = series(kind, m as u64, m + windows - 1);
        let query = series::series(Kind::Walk, 1000 + m as u64, m);
        for normalization in NORMALIZATIONS {
            let queries = Queries::new(&query, m, normalization).expect("a walk is finite");
            for radius in radii(m) {
                let options = ProfileOptions::new(normalization).radius(radius);
                let want = reference::profile_cpu(&series, &queries, &options);
                for isa in Isa::available() {
                    let mut got = vec![0.0; series.len()];
                    profile::profile_by(*isa, matrix(&series, 1, series.len()), &queries, &options, &mut got)
                        .expect("it is right");
                    expect_bits(&(isa, kind, m, options), &got, &want);
                }
            }
        }
    }
}

#[test]
fn short_windows_have_the_reference_bits() {
    (1..=70).into_par_iter().for_each(|m| profile_agrees(m, 17));
}

#[test]
fn long_windows_have_the_reference_bits() {
    [127, 128, 129, 255, 300].into_par_iter().for_each(|m| profile_agrees(m, 9));
}

#[test]
fn several_series_and_queries_have_the_reference_bits() {
    let (n, m, stride) = (203, 23, 211);
    let data = series(Kind::Walk, 1, 2 * stride + n);
    let points = series(Kind::Spiky, 2, 3 * m);
    for normalization in NORMALIZATIONS {
        let queries = Queries::new(&points, m, normalization).expect("they are finite");
        for smoothing in [1, 2, 5] {
            let options = ProfileOptions::new(normalization).radius(4).smoothing(smoothing);
            let mut got = vec![0.0; 3 * 3 * n];
            profile::profile(strided(&data, 3, n, stride), &queries, &options, &mut got)
                .expect("it is right");
            let rows = (0..3).map(|row| &data[row * stride..][..n]);
            let want: Vec<f32> =
                rows.flat_map(|row| reference::profile_cpu(row, &queries, &options)).collect();
            expect_bits(&options, &got, &want);
        }
    }
}

#[test]
fn few_windows_of_many_queries_have_the_reference_bits() {
    for (m, windows) in [(1, 1), (23, 1), (23, 2), (23, 5), (23, 17), (70, 1)] {
        let data = series(Kind::Holes, m as u64, m + windows - 1);
        let points = series(Kind::Walk, 11, 37 * m);
        for normalization in NORMALIZATIONS {
            let queries = Queries::new(&points, m, normalization).expect("they are finite");
            let options = ProfileOptions::new(normalization).radius(m as u32 / 3);
            let want = reference::profile_cpu(&data, &queries, &options);
            for isa in Isa::available() {
                let mut got = vec![0.0; 37 * data.len()];
                profile::profile_by(*isa, matrix(&data, 1, data.len()), &queries, &options, &mut got)
                    .expect("it is right");
                expect_bits(&(isa, m, windows, options), &got, &want);
            }
        }
    }
}

#[test]
fn no_series_is_no_work() {
    let queries = Queries::new(&[1.0], 1, Normalization::None).expect("it is finite");
    let options = ProfileOptions::new(Normalization::None);
    let none = strided(&[], 0, 5, 5);
    assert_eq!(profile::profile(none, &queries, &options, &mut []), Ok(()));
    assert_eq!(subsequence::subsequence(none, &queries, &mut []), Ok(()));
    assert_eq!(rolling::rolling(none, 2, Aggregates::default().as_mut()), Ok(()));
    assert_eq!(matches::top_k(none, &queries, &options, 3, 0), Ok(Vec::new()));
}

#[test]
fn rolling_aggregates_have_the_reference_bits() {
    for kind in Kind::ALL {
        let (rows, n) = (2, 141);
        let data = series(kind, 3, rows * n);
        for window in [1, 2, 5, 16, 40, n] {
            for isa in Isa::available() {
                let mut got = Aggregates::nan(rows * n);
                rolling::rolling_by(*isa, matrix(&data, rows, n), window, got.as_mut()).expect("it is right");
                for row in 0..rows {
                    let (what, at) = ((isa, kind, window, row), row * n..(row + 1) * n);
                    let want = reference::rolling_cpu(&data[at.clone()], window);
                    expect_bits(&what, &got.mean[at.clone()], &want.mean);
                    expect_bits(&what, &got.min[at.clone()], &want.min);
                    expect_bits(&what, &got.max[at.clone()], &want.max);
                    expect_bits(&what, &got.variance[at], &want.variance);
                }
            }
        }
    }
}

#[test]
fn rolling_aggregates_of_a_row_longer_than_a_piece_have_the_reference_bits() {
    let data = series(Kind::Walk, 4, 20_000);
    let mut got = Aggregates::nan(data.len());
    rolling::rolling(matrix(&data, 1, data.len()), 5, got.as_mut()).expect("it is right");
    let want = reference::rolling_cpu(&data, 5);
    expect_bits(&"mean", &got.mean, &want.mean);
    expect_bits(&"variance", &got.variance, &want.variance);
}

#[test]
fn pairs_have_the_reference_bits_in_either_order() {
    for kind in Kind::ALL {
        for (pairs, m) in [(1, 5), (19, 1), (19, 33), (40, 12)] {
            let (x, y) = (series(kind, 5, pairs * m), series(Kind::Walk, 6, pairs * m));
            for (normalization, radius) in NORMALIZATIONS.into_iter().flat_map(|n| [(n, 3), (n, u32::MAX)]) {
                let normalize = |x: &[f32]| match normalization {
                    Normalization::None => x.iter().all(|x| x.is_finite()).then(|| x.to_vec()),
                    Normalization::ZScore => reference::normalized_cpu(x),
                };
                let want = reference::pairs_cpu(x.chunks(m).zip(y.chunks(m)), radius, normalize);
                for isa in Isa::available() {
                    let (a, b) = (matrix(&x, pairs, m), matrix(&y, pairs, m));
                    for (a, b) in [(a, b), (b, a)] {
                        let mut got = vec![0.0; pairs];
                        pairs::pairs_by(*isa, a, b, radius, normalization, &mut got).expect("it is right");
                        expect_bits(&(isa, kind, m, normalization, radius), &got, &want);
                    }
                }
            }
        }
    }
}

#[test]
fn pairs_whose_normalised_points_overflow_have_the_reference_bits() {
    let mut left = [-3e38; 16];
    (left[0], left[1]) = (0.0, 3e38);
    let mut right = [3e38; 16];
    (right[0], right[1]) = (0.0, -3e38);
    for (x, y) in [(left, left), (right, right), (left, right), (right, left)] {
        for radius in [0, 1, 2, 3, 12, 15] {
            let want =
                reference::pairs_cpu([(&x[..], &y[..])].into_iter(), radius, reference::normalized_cpu);
            assert_eq!(want, [f32::INFINITY]);
            for isa in Isa::available() {
                let mut got = [0.0];
                let (x, y) = (matrix(&x, 1, 16), matrix(&y, 1, 16));
                pairs::pairs_by(*isa, x, y, radius, Normalization::ZScore, &mut got).expect("it fits");
                expect_bits(&(isa, radius), &got, &want);
            }
        }
    }
}

#[test]
fn subsequences_have_the_reference_bits() {
    for (kind, n) in Kind::ALL.into_iter().flat_map(|kind| [(kind, 1), (kind, 9), (kind, 77)]) {
        let data = series(kind, 7, 2 * n);
        for (k, m) in [(1, 1), (19, 2), (3, 7), (33, 40)] {
            let points = series(Kind::Spiky, 8, k * m);
            let queries = Queries::new(&points, m, Normalization::None).expect("they are finite");
            let rows = data.chunks(n).flat_map(|row| queries.rows().map(move |query| (query, row)));
            let want: Vec<f32> =
                rows.flat_map(|(query, row)| reference::subsequence_cpu(query, row)).collect();
            for isa in Isa::available() {
                let mut got = vec![0.0; 2 * k * n];
                subsequence::subsequence_by(*isa, matrix(&data, 2, n), &queries, &mut got)
                    .expect("it is right");
                expect_bits(&(isa, kind, n, k, m), &got, &want);
            }
        }
    }
}

#[test]
fn matches_are_the_references_with_ties_and_holes() {
    // Few values, so that many distances are equal.
    let mut distances: Vec<f32> = (0..200).map(|t| (crate::ops::mix(t) % 7) as f32).collect();
    distances[3] = f32::NAN;
    distances[8] = f32::INFINITY;
    for (k, exclusion) in [(0, 0), (1, 0), (10, 0), (10, 3), (300, 5), (300, usize::MAX)] {
        let got = matches::smallest(&distances, k, exclusion);
        assert_eq!(got, reference::top_k_cpu(&distances, k, exclusion), "{k} {exclusion}");
    }
}

#[test]
fn matches_come_from_the_profile() {
    let (n, m) = (150, 9);
    let data = series(Kind::Holes, 9, 2 * n);
    let points = series(Kind::Walk, 10, 2 * m);
    let queries = Queries::new(&points, m, Normalization::ZScore).expect("they are finite");
    let options = ProfileOptions::new(Normalization::ZScore).radius(2);
    let profile: Vec<f32> =
        data.chunks(n).flat_map(|row| reference::profile_cpu(row, &queries, &options)).collect();
    let top = matches::top_k(matrix(&data, 2, n), &queries, &options, 4, 3).expect("it is right");
    let below = matches::below(matrix(&data, 2, n), &queries, &options, 6.0).expect("it is right");
    assert!(below.iter().any(|found| !found.is_empty()), "the threshold is too small for the test");
    for (row, (top, below)) in profile.chunks(n).zip(top.into_iter().zip(below)) {
        assert_eq!(top, reference::top_k_cpu(row, 4, 3));
        assert_eq!(below, reference::below_cpu(row, 6.0));
    }
}
