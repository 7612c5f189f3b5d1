//! Searches for windows like a query: what is refused, and lists longer than there is room for at first.

use host::ops::dtw::{
    Aggregation, DtwError, Match, Normalization, ProfileOptions, Queries, SearchPlan, StreamOptions, Tuning,
    below_on, profile_on, stream_on, top_k_on,
};
use host::ops::{Executor, OpError, Values, fill};
use host::reference::dtw::{below_cpu, profile_cpu, top_k_cpu};
use host::runtime::{Buffer, Device, Error};

use super::Check;
use crate::harness::{Outcome, fail};

/// The checks of this file. They launch kernels of both ops of searches, so they are no checks of either's mutants.
pub fn checks() -> Vec<Check> {
    let mut checks: Vec<Check> = [
        ("bad_searches_are_refused", refused as fn(&Executor) -> Outcome),
        ("searches_are_the_sorted_profile", sorted),
        ("queries_that_cannot_be_normalised_are_refused_alike", too_wide),
    ]
    .map(|(name, body)| {
        Check::everywhere(format!("dtw_search::{name}"), move |executor| body(executor).map(|()| 1))
    })
    .into();
    checks.push(Check::on_device("dtw_search::lists_grow_and_other_lengths_are_refused", |executor| {
        match executor {
            Executor::Cuda(stream) => on_device(stream),
            Executor::Sim(sim) => on_device(sim),
            _ => fail("this is no device"),
        }
        .map(|()| 1)
    }));
    checks
}

const M: usize = 20;

fn query() -> Vec<f32> {
    fill(Values::Walk, 9, M)
}

fn expect(what: &str, got: Option<Error>, want: &DtwError) -> Outcome {
    match got {
        Some(Error::Op(OpError::Dtw(got))) if got == *want => Ok(()),
        other => fail(format!("{what}: got {other:?}, want {want:?}")),
    }
}

fn refused(executor: &Executor) -> Outcome {
    let points = query();
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let series = [1.0; 64];
    let plain = ProfileOptions::new(Normalization::ZScore);
    let both = |len: usize, rows: usize, options: &ProfileOptions| {
        [
            top_k_on(executor, &series[..len], rows, &queries, options, 3, 5).err(),
            below_on(executor, &series[..len], rows, &queries, options, 3.0).err(),
        ]
    };
    for (what, got, want) in [
        (
            "m > N",
            both(19, 1, &plain),
            DtwError::SeriesTooShort { len: 19, query: M, smoothing: 1, needed: M },
        ),
        ("smoothing 0", both(64, 1, &plain.smoothing(0)), DtwError::Window { window: 0, limit: 64 }),
        ("no rows", both(64, 0, &plain), DtwError::SeriesRows { elements: 64, rows: 0 }),
        ("ragged rows", both(64, 5, &plain), DtwError::SeriesRows { elements: 64, rows: 5 }),
    ] {
        for got in got {
            expect(what, got, &want)?;
        }
    }
    let nan = below_on(executor, &series, 1, &queries, &plain, f32::NAN).err();
    expect("a threshold of NaN", nan, &DtwError::ThresholdNan)
}

/// Queries that were made to be compared raw, and are asked for normalised.
fn too_wide(executor: &Executor) -> Outcome {
    let (points, series) = ([-3e38, 3e38, 0.0], [1.0; 64]);
    let queries = Queries::new(&points, 3, Normalization::None)?;
    let options = ProfileOptions::new(Normalization::ZScore);
    let Err(want) = Queries::new(&points, 3, Normalization::ZScore) else {
        return fail("they can be normalised");
    };
    let none = Aggregation::NONE;
    let asked = StreamOptions { profile: options, aggregation: none, capacity: 8 };
    expect("profile", profile_on(executor, &series, 1, &queries, &options, none).err(), &want)?;
    expect("top k", top_k_on(executor, &series, 1, &queries, &options, 3, 5).err(), &want)?;
    expect("below", below_on(executor, &series, 1, &queries, &options, 3.0).err(), &want)?;
    expect("stream", stream_on(executor, &queries, &asked).err(), &want)
}

fn sorted(executor: &Executor) -> Outcome {
    let points = fill::<f32>(Values::Walk, 9, 2 * M);
    let queries = Queries::new(&points, M, Normalization::ZScore)?;
    let series = fill::<f32>(Values::Walk, 4, 600);
    for options in [(1, 3), (5, 3), (1, u32::MAX)].map(|(smoothing, radius)| {
        ProfileOptions::new(Normalization::ZScore).smoothing(smoothing).radius(radius)
    }) {
        let rows = series.chunks(200).map(|row| profile_cpu(row, &queries, &options));
        let rows: Vec<f32> = rows.flatten().collect();
        let lists = |choose: &dyn Fn(&[f32]) -> Vec<Match>| -> Vec<Vec<Match>> {
            rows.chunks(200).map(choose).collect()
        };
        let got = top_k_on(executor, &series, 3, &queries, &options, 4, 6)?;
        if got != lists(&|distances| top_k_cpu(distances, 4, 6)) {
            return fail(format!("{options:?}: {got:?}"));
        }
        let threshold = got[0].last().map_or(0.0, |found| found.distance);
        let got = below_on(executor, &series, 3, &queries, &options, threshold)?;
        if got != lists(&|distances| below_cpu(distances, threshold)) {
            return fail(format!("{options:?}, below {threshold}: {got:?}"));
        }
    }
    Ok(())
}

fn on_device<D: Device>(device: &D) -> Outcome {
    // More than the list of what is found has room for at first.
    const N: u64 = 40_000;
    let points = query();
    let queries = Queries::new(&points, M, Normalization::None)?;
    let options = ProfileOptions::new(Normalization::None).radius(0);
    let series = device.upload(&fill::<f32>(Values::Uniform, 3, N as usize))?;
    for tuning in [Tuning::default().narrow(), Tuning::default().whole()] {
        let mut plan = SearchPlan::with_tuning(device, 1, N, &queries, &options, tuning)?;
        let short = series.as_slice().slice(0..N - 1)?;
        let want = DtwError::SeriesLength { got: N - 1, rows: 1, points: N };
        expect("a short series", plan.below(device, short, 1.0).err(), &want)?;
        expect("a short series", plan.top_k(device, short, 1, 0).err(), &want)?;
        let all = plan.below(device, series.as_slice(), f32::INFINITY)?;
        let ends = (M as u64 - 1..N).map(|end| end as usize);
        if !all[0].iter().map(|found| found.end).eq(ends) {
            return fail(format!("{tuning:?}: {} of {N} windows", all[0].len()));
        }
        let best = plan.top_k(device, series.as_slice(), 2, 9)?;
        let mut sorted = all[0].clone();
        sorted.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        if best[0].first() != sorted.first() {
            return fail(format!("{tuning:?}: {best:?}, and {:?} before", sorted.first()));
        }
    }
    Ok(())
}
