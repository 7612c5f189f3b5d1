//! Dynamic time warping: what is refused, series that grow, changes of the future, every length.

use gpu_std::launch::DeviceSliceMut;
use host::ops::dtw::ProfileOp;
use host::ops::dtw::{
    Aggregates, Aggregation, DtwError, Normalization, ProfileOptions, ProfilePlan, ProfileRolling, Queries,
    Rolling, profile, profile_on, rolling, rolling_on,
};
use host::ops::{Case, DType, Executor, MatrixRef, Op, OpError, Placement, Values, fill};
use host::reference::dtw::{profile_cpu, rolling_cpu};
use host::runtime::{Buffer, Device, Error};

use super::{Check, Checked, compare_case};
use crate::harness::{Outcome, Stop, fail};

/// A radius that is beyond every query.
const FULL: u64 = i32::MAX as u64;

/// Lengths around powers of two, and the longest.
const LONG: [u64; 9] = [511, 512, 513, 1023, 1024, 1025, 2047, 2048, 4096];

/// What the contract must hold on.
const VALUES: [Values; 5] = [Values::Uniform, Values::Steps, Values::Spiky, Values::Offset, Values::Holed];

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    let mut checks: Vec<Check> = (0..6)
        .map(|part| {
            let lengths = 50 * part + 1..=50 * part + 50;
            let name = format!("dtw_profile_f32::every_length_{}_to_{}", lengths.start(), lengths.end());
            Check::everywhere(name, move |executor| every_radius(executor, lengths.clone(), 3))
        })
        .collect();
    checks.extend(LONG.map(|m| {
        Check::everywhere(format!("dtw_profile_f32::every_radius_at_{m}"), move |executor| {
            every_radius(executor, m..=m, 1)
        })
    }));
    for (name, body) in [
        ("the_future_changes_nothing", future as fn(&Executor) -> Outcome),
        ("bad_series_and_windows_are_refused", refused),
    ] {
        checks.push(Check::everywhere(format!("dtw_profile_f32::{name}"), move |executor| {
            body(executor).map(|()| 1)
        }));
    }
    // Launches kernels of both ops, so it is no check of either's mutants.
    checks
        .push(Check::everywhere("dtw::distances_are_aggregated_in_a_second_launch".to_owned(), |executor| {
            aggregated_distances(executor).map(|()| 1)
        }));
    checks.push(Check::on_device("dtw_profile_f32::a_refused_call_writes_nothing", |executor| {
        match executor {
            Executor::Cuda(stream) => writes_nothing(stream),
            Executor::Sim(sim) => writes_nothing(sim),
            _ => fail("this is no device"),
        }
        .map(|()| 1)
    }));
    checks
}

/// Lengths, each with every kind of radius and of series, `windows` windows. Too much for the simulator.
fn every_radius(executor: &Executor, lengths: impl Iterator<Item = u64>, windows: u64) -> Checked {
    if executor.is_simulated() {
        return Err(Stop::Elsewhere("minutes in the simulator; the GPU and the CPU twin run it".to_owned()));
    }
    let mut compared = 0;
    for m in lengths {
        for (at, radius) in [0, 1, m / 10, m - 1, FULL].into_iter().enumerate() {
            // The naive reference takes its time: a kind of series each, and another at the next length.
            let values = VALUES[(at + m as usize) % VALUES.len()];
            compared += compare_case(&ProfileOp, DType::F32, &case(m, windows, radius, values), executor)?;
        }
    }
    Ok(compared)
}

fn case(m: u64, windows: u64, radius: u64, values: Values) -> Case {
    Case {
        name: format!("m_{m}_r_{radius}_{values:?}"),
        dims: vec![1, m + windows - 1, 1, m],
        operands: vec![Placement::PLAIN; ProfileOp.operands().len()],
        values,
        seed: m,
        options: vec![("radius", radius), ("z_norm", m % 2)],
    }
}

pub(super) fn same(what: &str, got: &[f32], want: &[f32]) -> Outcome {
    if got.len() != want.len() {
        return fail(format!("{what}: {} elements, want {}", got.len(), want.len()));
    }
    let differ =
        |(got, want): (&f32, &f32)| got.to_bits() != want.to_bits() && !(got.is_nan() && want.is_nan());
    match got.iter().zip(want).position(differ) {
        Some(at) => fail(format!("{what}: element {at} is {:e}, want {:e}", got[at], want[at])),
        None => Ok(()),
    }
}

pub fn same_aggregates(what: &str, got: &Aggregates, want: &Aggregates) -> Outcome {
    same(&format!("{what}, mean"), &got.mean, &want.mean)?;
    same(&format!("{what}, min"), &got.min, &want.min)?;
    same(&format!("{what}, max"), &got.max, &want.max)?;
    same(&format!("{what}, variance"), &got.variance, &want.variance)
}

/// Three queries of 33 points.
pub const M: usize = 33;

pub fn query_points() -> Vec<f32> {
    fill(Values::Uniform, 9, 3 * M)
}

pub fn options() -> ProfileOptions {
    ProfileOptions::new(Normalization::ZScore).smoothing(2)
}

fn future(executor: &Executor) -> Outcome {
    let (points, mut series) = (query_points(), fill::<f32>(Values::Uniform, 5, 150));
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let run =
        |series: &[f32]| profile_on(executor, series, 1, &queries, &options(), Aggregation::of_series(5));
    let before = run(&series)?;
    let now = 100;
    series[now + 1..].fill(f32::NAN);
    let after = run(&series)?;
    for (before, after) in before.distances.chunks(150).zip(after.distances.chunks(150)) {
        same("distances", &after[..=now], &before[..=now])?;
        if after[now + 1..].iter().any(|distance| !distance.is_nan()) {
            return fail("a window with a hole has a distance");
        }
    }
    let (Some(before), Some(after)) = (before.aggregates, after.aggregates) else {
        return fail("no aggregates");
    };
    same("means", &after.mean[..=now], &before.mean[..=now])?;
    same("variances", &after.variance[..=now], &before.variance[..=now])
}

fn aggregated_distances(executor: &Executor) -> Outcome {
    let (points, series) = (query_points(), fill::<f32>(Values::Uniform, 5, 300));
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    for aggregation in [Aggregation::NONE.of_distances(7), Aggregation::of_series(5).of_distances(117)] {
        let found = profile_on(executor, &series, 2, &queries, &options(), aggregation)?;
        let Some(got) = found.distance_aggregates else { return fail("no aggregates of distances") };
        let window = aggregation.distances.unwrap_or(0);
        let want: Vec<Aggregates> =
            found.distances.chunks(150).map(|distances| rolling_cpu(distances, window)).collect();
        same_aggregates(&format!("of {window} distances"), &got, &joined(&want))?;
        let by_hand = rolling_on(executor, &found.distances, 2 * queries.count(), window)?;
        same_aggregates("by a call of their own", &by_hand, &got)?;
        if found.aggregates.is_some() != aggregation.series.is_some() {
            return fail("those of the series are not as asked");
        }
    }
    Ok(())
}

/// One behind the other.
pub fn joined(all: &[Aggregates]) -> Aggregates {
    let of = |part: fn(&Aggregates) -> &Vec<f32>| all.iter().flat_map(part).copied().collect();
    Aggregates {
        mean: of(|all| &all.mean),
        min: of(|all| &all.min),
        max: of(|all| &all.max),
        variance: of(|all| &all.variance),
    }
}

/// Every row of bad input that reaches a back end.
fn refused(executor: &Executor) -> Outcome {
    let points = query_points();
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let series = [1.0; 64];
    let plain = ProfileOptions::new(Normalization::ZScore);
    let run = |len: usize, rows: usize, options: ProfileOptions, aggregation: Aggregation| {
        profile_on(executor, &series[..len], rows, &queries, &options, aggregation).err()
    };
    let (none, series_of) = (Aggregation::NONE, Aggregation::of_series);
    let cases = [
        (
            "m > N",
            run(32, 1, plain, none),
            DtwError::SeriesTooShort { len: 32, query: M, smoothing: 1, needed: M },
        ),
        (
            "m and smoothing > N",
            run(34, 1, plain.smoothing(3), none),
            DtwError::SeriesTooShort { len: 34, query: M, smoothing: 3, needed: 35 },
        ),
        ("w = 0", run(64, 1, plain, series_of(0)), DtwError::Window { window: 0, limit: 64 }),
        ("w > N", run(64, 1, plain, series_of(65)), DtwError::Window { window: 65, limit: 64 }),
        (
            "of distances: w = 0",
            run(64, 1, plain, none.of_distances(0)),
            DtwError::Window { window: 0, limit: 64 },
        ),
        (
            "of distances: w > N",
            run(64, 1, plain, series_of(5).of_distances(65)),
            DtwError::Window { window: 65, limit: 64 },
        ),
        ("smoothing 0", run(64, 1, plain.smoothing(0), none), DtwError::Window { window: 0, limit: 64 }),
        ("no rows", run(64, 0, plain, none), DtwError::SeriesRows { elements: 64, rows: 0 }),
        ("ragged rows", run(64, 5, plain, none), DtwError::SeriesRows { elements: 64, rows: 5 }),
        (
            "rolling: w > N",
            rolling_on(executor, &series, 2, 33).err(),
            DtwError::Window { window: 33, limit: 32 },
        ),
    ];
    for (what, got, want) in cases {
        expect(what, got, &want)?;
    }
    Ok(())
}

pub(super) fn expect(what: &str, got: Option<Error>, want: &DtwError) -> Outcome {
    match got {
        Some(Error::Op(OpError::Dtw(got))) if got == *want => Ok(()),
        other => fail(format!("{what}: got {other:?}, want {want:?}")),
    }
}

/// Outputs and series of wrong lengths, on the device.
fn writes_nothing<D: Device>(device: &D) -> Outcome {
    const N: usize = 64;
    let points = query_points();
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let options = ProfileOptions::new(Normalization::ZScore);
    let series = device.upload(&[1.0_f32; N])?;
    let mut out = device.upload(&[7.0_f32; 3 * N])?;
    let mut aggregates = device.upload(&[7.0_f32; 4 * N])?;
    let mut plan = ProfilePlan::new(device, 1, N as u64, &queries, &options)?;

    let short = out.as_mut_slice().slice(0..3 * N as u64 - 1)?;
    let wrong = plan.run(device, series.as_slice(), short, None).err();
    let want = DtwError::OutputLength { output: "distances", got: 3 * N - 1, want: 3 * N };
    expect("short distances", wrong, &want)?;
    let wrong = plan.run(device, series.as_slice().slice(0..63)?, out.as_mut_slice(), None).err();
    expect("a short series", wrong, &DtwError::SeriesLength { got: 63, rows: 1, points: 64 })?;

    let variance = parts(&mut aggregates, 5, N as u64 - 1)?;
    let wrong = plan.run(device, series.as_slice(), out.as_mut_slice(), Some(variance)).err();
    expect("short variances", wrong, &DtwError::OutputLength { output: "variance", got: N - 1, want: N })?;
    let window = parts(&mut aggregates, 65, N as u64)?;
    let wrong = plan.run(device, series.as_slice(), out.as_mut_slice(), Some(window)).err();
    expect("w > N", wrong, &DtwError::Window { window: 65, limit: N })?;
    let short = parts(&mut aggregates, 5, N as u64 - 1)?;
    let wrong = rolling(device, series.as_slice(), N as u64, short).err();
    expect("short variances", wrong, &DtwError::OutputLength { output: "variance", got: N - 1, want: N })?;
    let other = MatrixRef::with_stride(series.as_slice(), 2, 30, 34)?;
    let wrong = plan.run_with(device, other, out.as_mut_slice(), ProfileRolling::default()).err();
    let want = DtwError::SeriesShape { got_rows: 2, got_points: 30, rows: 1, points: 64 };
    expect("other rows", wrong, &want)?;
    let whole = MatrixRef::new(series.as_slice(), 1, N as u64)?;
    let short = of_distances(parts(&mut aggregates, 5, N as u64)?);
    let wrong = profile(device, whole, &queries, &options, out.as_mut_slice(), short).err();
    expect("short means", wrong, &DtwError::OutputLength { output: "mean", got: N, want: 3 * N })?;
    let window = of_distances(parts(&mut aggregates, 65, N as u64)?);
    let wrong = profile(device, whole, &queries, &options, out.as_mut_slice(), window).err();
    expect("w > N of distances", wrong, &DtwError::Window { window: 65, limit: N })?;

    device.synchronize()?;
    same("distances", &device.download(out.as_slice())?, &[7.0; 3 * N])?;
    same("aggregates", &device.download(aggregates.as_slice())?, &[7.0; 4 * N])?;
    profile(device, whole, &queries, &options, out.as_mut_slice(), ProfileRolling::default())?;
    same("distances", &device.download(out.as_slice())?, &profile_cpu(&[1.0; N], &queries, &options))
}

/// Four outputs of 64 elements, the last of them of `last`.
fn parts<B: Buffer<f32>>(all: &mut B, window: usize, last: u64) -> Result<Rolling<'_>, Stop> {
    let (mean, rest) = split(all.as_mut_slice())?;
    let (min, rest) = split(rest)?;
    let (max, rest) = split(rest)?;
    Ok(Rolling { window, mean, min, max, variance: rest.slice(0..last)? })
}

fn split(view: DeviceSliceMut<'_, f32>) -> Result<(DeviceSliceMut<'_, f32>, DeviceSliceMut<'_, f32>), Stop> {
    Ok(view.split_at(64)?)
}

/// Aggregates of the distances alone.
const fn of_distances(rolling: Rolling<'_>) -> ProfileRolling<'_> {
    ProfileRolling { series: None, distances: Some(rolling) }
}
