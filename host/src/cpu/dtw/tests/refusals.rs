//! What is refused, and that nothing is written then.

use super::{matches, matrix, pairs, profile, rolling, subsequence};
use crate::ops::OpError;
use crate::ops::dtw::{Aggregates, DtwError, Normalization, ProfileOptions, Queries};

const RAW: ProfileOptions = ProfileOptions::new(Normalization::None);

fn queries(points: &[f32]) -> Queries<'_> {
    Queries::new(points, points.len(), Normalization::None).expect("they are finite")
}

#[test]
fn a_series_shorter_than_the_query_is_refused() {
    let (series, mut out) = ([1.0; 4], [7.0; 4]);
    let got = profile::profile(matrix(&series, 1, 4), &queries(&[0.0; 5]), &RAW, &mut out);
    let want = DtwError::SeriesTooShort { len: 4, query: 5, smoothing: 1, needed: 5 };
    assert_eq!((got, out), (Err(want.clone().into()), [7.0; 4]));
    let found = matches::top_k(matrix(&series, 1, 4), &queries(&[0.0; 5]), &RAW, 1, 0);
    assert_eq!(found, Err(want.into()));
}

#[test]
fn an_output_of_another_length_is_refused() {
    let (series, query, mut out) = ([1.0; 4], [0.0; 2], [7.0; 5]);
    let want = |output| Err(OpError::from(DtwError::OutputLength { output, got: 5, want: 4 }));
    let (series, query) = (matrix(&series, 1, 4), queries(&query));
    assert_eq!(profile::profile(series, &query, &RAW, &mut out), want("out"));
    assert_eq!(subsequence::subsequence(series, &query, &mut out), want("out"));
    let mut aggregates = Aggregates { max: vec![0.0; 5], ..Aggregates::nan(4) };
    assert_eq!(rolling::rolling(series, 2, aggregates.as_mut()), want("max"));
}

#[test]
fn a_rolling_window_must_fit() {
    let series = [1.0; 4];
    for window in [0, 5] {
        let got = rolling::rolling(matrix(&series, 1, 4), window, Aggregates::nan(4).as_mut());
        assert_eq!(got, Err(DtwError::Window { window, limit: 4 }.into()));
        let options = RAW.smoothing(window);
        let got = profile::profile(matrix(&series, 1, 4), &queries(&[0.0]), &options, &mut [0.0; 4]);
        assert_eq!(got, Err(DtwError::Window { window, limit: 4 }.into()));
    }
}

#[test]
fn pairs_of_different_lengths_are_refused_with_both() {
    let (x, mut out) = ([1.0; 12], [7.0; 3]);
    let got = pairs::pairs(matrix(&x, 3, 4), matrix(&x, 4, 3), 1, Normalization::None, &mut out);
    let text = got.expect_err("the shapes differ").to_string();
    assert_eq!(text, "dtw_pairs: `x` is 3 x 4 and `y` is 4 x 3; they must be equal");
    assert_eq!(out, [7.0; 3]);
    let empty = pairs::pairs(matrix(&[], 3, 0), matrix(&[], 3, 0), 1, Normalization::None, &mut out);
    assert_eq!(empty, Err(DtwError::EmptyQuery.into()));
}

#[test]
fn a_series_without_points_is_refused() {
    let got = subsequence::subsequence(matrix(&[], 1, 0), &queries(&[0.0; 2]), &mut []);
    let want = DtwError::SeriesTooShort { len: 0, query: 2, smoothing: 1, needed: 1 };
    assert_eq!(got, Err(want.into()));
}

#[test]
fn a_threshold_that_is_nan_is_refused() {
    let got = matches::below(matrix(&[1.0; 4], 1, 4), &queries(&[0.0]), &RAW, f32::NAN);
    assert_eq!(got, Err(DtwError::ThresholdNan.into()));
}
