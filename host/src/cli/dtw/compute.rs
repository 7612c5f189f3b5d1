//! A profile piece by piece, so that progress can be seen and the memory of a device does not limit the series.

use std::ops::Range;

use super::progress::Progress;
use crate::error::Error;
use crate::ops::Executor;
use crate::ops::dtw::{Aggregates, Aggregation, Profile, ProfileOptions, Queries, cells, profile_on};

/// Points of a piece at most: its buffers take a few hundred MiB of a device, unless what it needs in front of it is longer.
const MAX_POINTS: u64 = 1 << 23;

/// The series, its distances, and four aggregates of each: 40 bytes a point.
const MAX_BYTES: u64 = MAX_POINTS * (1 + 1 + 4 + 4) * size_of::<f32>() as u64;
const _: () = assert!(MAX_BYTES <= 512 << 20);

/// The profile of one series, with the aggregates that `aggregation` asks for. The same bits as in one piece: no value
/// depends on more than the points of its own windows.
///
/// # Errors
/// As [`profile_on`].
pub fn profile(
    executor: &Executor,
    series: &[f32],
    queries: &Queries<'_>,
    options: &ProfileOptions,
    aggregation: Aggregation,
) -> Result<Profile, Error> {
    let per_piece = cells_per_piece(executor) / cells(queries.len(), options.radius);
    profile_by(per_piece.clamp(1, MAX_POINTS) as usize, executor, series, queries, options, aggregation)
}

/// Cells that take about a tenth of a second.
fn cells_per_piece(executor: &Executor) -> u64 {
    match executor {
        Executor::Cuda(_) => 1 << 38,
        Executor::Cpu => 1 << 29,
        #[cfg(feature = "sim")]
        Executor::Sim(_) => 1 << 17,
    }
}

/// [`profile`] in pieces of about `per_piece` points.
fn profile_by(
    per_piece: usize,
    executor: &Executor,
    series: &[f32],
    queries: &Queries<'_>,
    options: &ProfileOptions,
    aggregation: Aggregation,
) -> Result<Profile, Error> {
    let before = |window: Option<usize>| window.unwrap_or(1).saturating_sub(1);
    let warm_up = options.warm_up(series.len(), queries.len())?;
    // An aggregate of distances depends on those in front, and they on the points in front of them.
    let halo = warm_up.saturating_add(before(aggregation.distances)).max(before(aggregation.series));
    let progress = Progress::new(series.len());
    let mut all = Profile { distances: Vec::with_capacity(series.len()), ..Profile::default() };
    for piece in pieces(series.len(), halo, per_piece) {
        let first = piece.start.saturating_sub(halo);
        let points = &series[first..piece.end];
        let piece_profile = profile_on(executor, points, 1, queries, options, aggregation)?;
        append(&mut all, &piece_profile, piece.start - first);
        progress.advance(piece.len());
    }
    Ok(all)
}

/// Cuts `points` into pieces of `per_piece`, or of a few times the `halo` where that is more: what comes before a piece is
/// computed again.
fn pieces(points: usize, halo: usize, per_piece: usize) -> impl Iterator<Item = Range<usize>> {
    let len = per_piece.max(halo.saturating_mul(4).saturating_add(1));
    (0..points).step_by(len).map(move |start| start..start.saturating_add(len).min(points))
}

/// Appends all of `piece` from point `skipped` on.
fn append(all: &mut Profile, piece: &Profile, skipped: usize) {
    all.distances.extend(&piece.distances[skipped..]);
    let both = [
        (&mut all.aggregates, &piece.aggregates),
        (&mut all.distance_aggregates, &piece.distance_aggregates),
    ];
    for (all, new) in both {
        let Some(new) = new else { continue };
        let Aggregates { mean, min, max, variance } = all.get_or_insert_default();
        mean.extend(&new.mean[skipped..]);
        min.extend(&new.min[skipped..]);
        max.extend(&new.max[skipped..]);
        variance.extend(&new.variance[skipped..]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::dtw::Normalization;

    fn bits(profile: &Profile) -> Vec<Vec<u32>> {
        let aggregates = [&profile.aggregates, &profile.distance_aggregates];
        let aggregates = aggregates.map(|all| all.as_ref().expect("they were asked for"));
        let of = |Aggregates { mean, min, max, variance }: &'_ Aggregates| {
            [mean, min, max, variance].map(Vec::clone)
        };
        let all = [vec![profile.distances.clone()], aggregates.map(of).concat()].concat();
        let bits = |x: &f32| if x.is_nan() { 0x7fff_ffff } else { x.to_bits() };
        all.iter().map(|values| values.iter().map(bits).collect()).collect()
    }

    #[test]
    fn any_cut_gives_the_same_bits() {
        let mut series: Vec<f32> =
            (0..500_u16).map(|i| (f32::from(i) * 0.7).sin() * 9.0 + f32::from(i % 7)).collect();
        series[123] = f32::NAN;
        let query = series[200..213].to_vec();
        let queries = Queries::new(&query, 13, Normalization::ZScore).expect("it is right");
        for (smoothing, rolling, of_distances) in [(1, 5, 9), (4, 1, 1), (1, 40, 30)] {
            let aggregation = Aggregation::of_series(rolling).of_distances(of_distances);
            let options = ProfileOptions::new(Normalization::ZScore).radius(3).smoothing(smoothing);
            let by = |per_piece| {
                let all = profile_by(per_piece, &Executor::Cpu, &series, &queries, &options, aggregation);
                bits(&all.expect("it fits"))
            };
            let whole = by(series.len());
            assert_eq!(whole[0].len(), series.len());
            assert!(by(1) == whole && by(67) == whole && by(499) == whole, "{smoothing} {rolling}");
        }
    }

    #[test]
    fn pieces_cover_everything_once_and_are_longer_than_their_halo() {
        let all: Vec<_> = pieces(100, 3, 40).collect();
        assert_eq!(all, [0..40, 40..80, 80..100]);
        assert_eq!(pieces(100, 12, 1).collect::<Vec<_>>(), [0..49, 49..98, 98..100]);
        assert!(pieces(100, 0, 1000).eq(std::iter::once(0..100)));
    }

    #[test]
    fn what_does_not_fit_is_refused_by_the_length_of_the_whole_series() {
        let queries = Queries::new(&[1.0, 2.0], 2, Normalization::None).expect("it is right");
        let options = ProfileOptions::new(Normalization::None);
        let refusal = |series: &[f32], aggregation| {
            profile(&Executor::Cpu, series, &queries, &options, aggregation)
                .expect_err("it is refused")
                .to_string()
        };
        assert!(refusal(&[1.0], Aggregation::NONE).starts_with("a series of 1 points is too short"));
        let text = refusal(&[1.0; 9], Aggregation::of_series(10));
        assert_eq!(text, "a rolling window of 10 points; it must have 1 to 9, the length of the series");
        let none = Aggregation::of_series(9).of_distances(0);
        assert!(refusal(&[1.0; 9], none).starts_with("a rolling window of 0 points"));
    }
}
