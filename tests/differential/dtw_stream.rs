//! Dynamic time warping of series that grow: whatever the chunks, the bits of one batch.

use host::ops::dtw::{
    Aggregates, Aggregation, DtwError, GrowingRows, Normalization, Profile, ProfileOptions, Queries, Rolling,
    StreamOptions, stream_on,
};
use host::ops::{Executor, OpError, Values, fill};
use host::reference::dtw::{profile_cpu, rolling_cpu};
use host::runtime::{Buffer, Device, Error};

use super::dtw::{M, expect, joined, options, query_points, same, same_aggregates};
use super::{Check, Checked};
use crate::harness::{Outcome, Stop, fail};

/// The checks of this file. They launch kernels of both ops, so they are no checks of either's mutants.
pub fn checks() -> Vec<Check> {
    let mut checks: Vec<Check> = [
        ("appended_points_have_the_bits_of_one_batch", appended as fn(&Executor) -> Outcome),
        ("chunks_of_all_sizes_in_turn_have_the_bits_of_one_batch", mixed),
        ("a_long_stream_goes_on_where_its_buffer_ends", long),
        ("every_kind_of_window_may_be_appended_to", kinds),
        ("an_append_over_the_capacity_changes_nothing", too_many_points),
        ("bad_windows_of_a_stream_are_refused", refused),
    ]
    .into_iter()
    .map(|(name, body)| {
        Check::everywhere(format!("dtw::{name}"), move |executor| -> Checked { body(executor).map(|()| 1) })
    })
    .collect();
    checks.push(Check::on_device("dtw_rolling_f32::rows_that_grow_refuse_what_does_not_fit", |executor| {
        match executor {
            Executor::Cuda(stream) => growing_refused(stream),
            Executor::Sim(sim) => growing_refused(sim),
            _ => fail("this is no device"),
        }
        .map(|()| 1)
    }));
    checks
}

/// Appends `series` in chunks as `lens` has them, in turn, and compares all that is returned with the reference of the whole.
fn grow(
    executor: &Executor,
    series: &[f32],
    queries: &Queries<'_>,
    asked: &StreamOptions,
    lens: &[usize],
) -> Outcome {
    let mut stream = stream_on(executor, queries, asked)?;
    let mut distances = vec![Vec::new(); queries.count()];
    let mut of_series = Aggregates::default();
    let mut of_distances = vec![Aggregates::default(); queries.count()];
    let (mut rest, mut lens_in_turn) = (series, lens.iter().cycle());
    while let (false, Some(len)) = (rest.is_empty(), lens_in_turn.next()) {
        let (new, behind) = rest.split_at(rest.len().min(*len));
        rest = behind;
        let got = stream.append(new)?;
        distances.iter_mut().zip(got.distances.chunks(new.len())).for_each(|(all, new)| all.extend(new));
        if let Some(new) = &got.aggregates {
            extend(&mut of_series, new, 0..new.mean.len());
        }
        if let Some(got) = &got.distance_aggregates {
            for (row, all) in of_distances.iter_mut().enumerate() {
                extend(all, got, row * new.len()..(row + 1) * new.len());
            }
        }
    }
    let what = format!("{asked:?} in chunks of {lens:?}");
    let want = profile_cpu(series, queries, &asked.profile);
    same(&what, &distances.concat(), &want)?;
    if let Some(window) = asked.aggregation.series {
        same_aggregates(&format!("{what}, series"), &of_series, &rolling_cpu(series, window))?;
    }
    if let Some(window) = asked.aggregation.distances {
        let want: Vec<Aggregates> = want.chunks(series.len()).map(|row| rolling_cpu(row, window)).collect();
        same_aggregates(&format!("{what}, distances"), &joined(&of_distances), &joined(&want))?;
    }
    Ok(())
}

fn extend(all: &mut Aggregates, new: &Aggregates, range: std::ops::Range<usize>) {
    all.mean.extend_from_slice(&new.mean[range.clone()]);
    all.min.extend_from_slice(&new.min[range.clone()]);
    all.max.extend_from_slice(&new.max[range.clone()]);
    all.variance.extend_from_slice(&new.variance[range]);
}

/// A series with holes, as long as the back end has time for.
fn series(executor: &Executor) -> Vec<f32> {
    fill(Values::Holed, 5, if executor.is_simulated() { 150 } else { 5000 })
}

fn appended(executor: &Executor) -> Outcome {
    let (points, series) = (query_points(), series(executor));
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    for chunk in [1, 7, 4096] {
        for aggregation in [Aggregation::of_series(5).of_distances(9), Aggregation::NONE] {
            let asked = StreamOptions { profile: options(), aggregation, capacity: chunk };
            grow(executor, &series, &queries, &asked, &[chunk])?;
        }
    }
    Ok(())
}

fn mixed(executor: &Executor) -> Outcome {
    let (points, series) = (query_points(), series(executor));
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    // Aggregates over fewer points than a window, over more, and of fewer distances than a chunk.
    for (of_series, of_distances) in [(1, 60), (90, 1), (34, 3)] {
        let aggregation = Aggregation::of_series(of_series).of_distances(of_distances);
        let asked = StreamOptions { profile: options(), aggregation, capacity: 4096 };
        grow(executor, &series, &queries, &asked, &[1, 40, 2, 7, 33])?;
    }
    Ok(())
}

/// Past the points after which the last ones move to the front of the buffer, twice.
fn long(executor: &Executor) -> Outcome {
    let series: Vec<f32> = fill(Values::Uniform, 7, 12_000);
    let points: Vec<f32> = fill(Values::Uniform, 8, 6);
    let queries = Queries::new(&points, 3, Normalization::ZScore)?;
    let aggregation = Aggregation::of_series(5).of_distances(4);
    let profile = ProfileOptions::new(Normalization::ZScore);
    let asked = StreamOptions { profile, aggregation, capacity: 700 };
    grow(executor, &series, &queries, &asked, &[700, 699])
}

/// Lengths for every kernel, bands, raw values, aggregates over more points than a window has.
fn kinds(executor: &Executor) -> Outcome {
    let series: Vec<f32> = fill(Values::Uniform, 7, if executor.is_simulated() { 180 } else { 2000 });
    for (m, radius, z_norm, of_series) in [
        (1, u32::MAX, false, 200),
        (5, u32::MAX, true, 5),
        (16, 3, false, 2),
        (40, u32::MAX, true, 41),
        (100, 10, true, 1),
        (129, 60, false, 130),
        (150, u32::MAX, false, 7),
    ] {
        let normalization = if z_norm { Normalization::ZScore } else { Normalization::None };
        let points: Vec<f32> = fill(Values::Uniform, 8, 2 * m);
        let queries = Queries::new(&points, m, normalization)?;
        let profile = ProfileOptions::new(normalization).radius(radius);
        let aggregation = Aggregation::of_series(of_series).of_distances(6);
        let asked = StreamOptions { profile, aggregation, capacity: 64 };
        grow(executor, &series, &queries, &asked, &[64, 1, 13])?;
    }
    Ok(())
}

fn too_many_points(executor: &Executor) -> Outcome {
    let (points, series) = (query_points(), fill::<f32>(Values::Uniform, 5, 80));
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let aggregation = Aggregation::NONE.of_distances(3);
    let asked = StreamOptions { profile: options(), aggregation, capacity: 40 };
    let mut stream = stream_on(executor, &queries, &asked)?;
    stream.append(&series[..40])?;
    match stream.append(&series[..41]) {
        Err(Error::Op(OpError::Dtw(DtwError::TooMany { count: 41, limit: 40, .. }))) => {}
        other => return fail(format!("41 points: {other:?}")),
    }
    let none = stream.append(&[])?;
    let empty = Some(Aggregates::default());
    if *none != (Profile { distance_aggregates: empty, ..Profile::default() }) {
        return fail("no points have results");
    }
    let want = profile_cpu(&series, &queries, &options());
    let got = stream.append(&series[40..])?;
    let tail = |row: &[f32]| row[40..].to_vec();
    same("after the refusal", &got.distances, &want.chunks(80).flat_map(tail).collect::<Vec<f32>>())?;
    let Some(got) = &got.distance_aggregates else { return fail("no aggregates of distances") };
    let want: Vec<f32> = want.chunks(80).flat_map(|row| tail(&rolling_cpu(row, 3).variance)).collect();
    same("after the refusal, variances", &got.variance, &want)
}

fn refused(executor: &Executor) -> Outcome {
    let points = query_points();
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let plain = StreamOptions { profile: options(), aggregation: Aggregation::NONE, capacity: 4 };
    let none = Aggregation::NONE;
    let window = DtwError::EmptyWindow;
    let many = |what, count| DtwError::TooMany { what, count, limit: (1 << 31) - 1 };
    let (wide, most) = (1 << 40, usize::MAX);
    for (what, asked, want) in [
        ("no capacity", StreamOptions { capacity: 0, ..plain }, &DtwError::NoCapacity),
        ("w = 0", StreamOptions { aggregation: Aggregation::of_series(0), ..plain }, &window),
        ("of distances: w = 0", StreamOptions { aggregation: none.of_distances(0), ..plain }, &window),
        ("smoothing 0", StreamOptions { profile: options().smoothing(0), ..plain }, &window),
        ("any capacity", StreamOptions { capacity: most, ..plain }, &many("points of an append", u64::MAX)),
        (
            "w = 2^40",
            StreamOptions { aggregation: Aggregation::of_series(wide), ..plain },
            &many("points of a rolling window", 1 << 40),
        ),
        (
            "of distances: w = 2^40",
            StreamOptions { aggregation: none.of_distances(wide), ..plain },
            &many("points of a rolling window", 1 << 40),
        ),
        (
            "any smoothing",
            StreamOptions { profile: options().smoothing(most), ..plain },
            &many("points of a mean", u64::MAX),
        ),
    ] {
        expect(what, stream_on(executor, &queries, &asked).err(), want)?;
    }
    Ok(())
}

/// Four outputs of `len` elements of one buffer.
fn outputs<B: Buffer<f32>>(all: &mut B, window: usize, len: u64) -> Result<Rolling<'_>, Stop> {
    let (mean, rest) = all.as_mut_slice().split_at(len)?;
    let (min, rest) = rest.split_at(len)?;
    let (max, rest) = rest.split_at(len)?;
    Ok(Rolling { window, mean, min, max, variance: rest.slice(0..len)? })
}

fn growing_refused<D: Device>(device: &D) -> Outcome {
    let points = device.upload(&[1.0_f32; 6])?;
    let mut all = device.upload(&[7.0_f32; 24])?;
    let mut rows = GrowingRows::new(device, 2, 2, 3)?;
    expect("w = 0", GrowingRows::new(device, 2, 0, 3).err(), &DtwError::EmptyWindow)?;
    let none = DtwError::SeriesRows { elements: 0, rows: 0 };
    expect("no rows", GrowingRows::new(device, 0, 2, 3).err(), &none)?;

    let many = rows.append(device, points.as_slice(), 4, 4, outputs(&mut all, 2, 6)?).err();
    expect("4 points", many, &DtwError::TooMany { what: "points of an append", count: 4, limit: 3 })?;
    let few = rows.append(device, points.as_slice().slice(0..5)?, 3, 3, outputs(&mut all, 2, 5)?).err();
    expect(
        "a short second row",
        few,
        &DtwError::RowsTooShort { got: 5, rows: 2, points: 3, stride: 3, needed: 6 },
    )?;
    let overlap = rows.append(device, points.as_slice(), 3, 2, outputs(&mut all, 2, 6)?).err();
    expect("rows that overlap", overlap, &DtwError::RowStride { points: 3, stride: 2 })?;
    let other = rows.append(device, points.as_slice(), 3, 3, outputs(&mut all, 1, 6)?).err();
    expect("another window", other, &DtwError::OtherWindow { window: 1, planned: 2 })?;
    let short = rows.append(device, points.as_slice(), 3, 3, outputs(&mut all, 2, 5)?).err();
    expect("short means", short, &DtwError::OutputLength { output: "mean", got: 5, want: 6 })?;

    device.synchronize()?;
    same("outputs", &device.download(all.as_slice())?, &[7.0; 24])?;
    rows.append(device, points.as_slice(), 3, 3, outputs(&mut all, 2, 6)?)?;
    let want = [f32::NAN, 1.0, 1.0];
    same("means", &device.download(all.as_slice())?[..6], &[want, want].concat())?;
    // None of those points are points of the rows: the last append was refused.
    let many = rows.append(device, points.as_slice(), 4, 4, outputs(&mut all, 2, 6)?).err();
    expect("4 points", many, &DtwError::TooMany { what: "points of an append", count: 4, limit: 3 })?;
    rows.advance();
    rows.append(device, points.as_slice(), 3, 3, outputs(&mut all, 2, 6)?)?;
    same("means without points in front", &device.download(all.as_slice())?[..6], &[want, want].concat())?;
    rows.advance();
    rows.append(device, points.as_slice(), 3, 3, outputs(&mut all, 2, 6)?)?;
    same("means behind other points", &device.download(all.as_slice())?[..6], &[1.0; 6])
}
