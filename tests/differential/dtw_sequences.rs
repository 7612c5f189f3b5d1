//! Pairs and subsequences: every length, what is refused, what must hold for any input.

use host::ops::dtw::{
    DtwError, Normalization, PairsOp, Queries, SubsequenceOp, SubsequencePlan, pairs, pairs_on, subsequence,
    subsequence_on,
};
use host::ops::{Case, DType, Executor, HostRef, Layout, MatrixRef, Op, OpError, Placement, Values, fill};
use host::reference::dtw::{distance_cpu, subsequence_cpu};
use host::runtime::{Buffer as _, Device, Error};

use super::dtw::{expect, same};
use super::{Check, Checked, compare_case};
use crate::harness::{Outcome, Stop, fail};

/// A radius that is beyond every sequence.
const FULL: u64 = i32::MAX as u64;

/// Lengths around powers of two, and the longest.
const LONG: [u64; 6] = [511, 513, 1023, 1025, 2049, 4096];

/// What the contract must hold on.
const VALUES: [Values; 5] = [Values::Uniform, Values::Steps, Values::Spiky, Values::Offset, Values::Holed];

/// The checks of this file.
pub fn checks() -> Vec<Check> {
    let mut checks = Vec::new();
    for part in 0..3 {
        let lengths = 100 * part + 1..=100 * part + 100;
        let name = format!("every_length_{}_to_{}", lengths.start(), lengths.end());
        let of_pairs = lengths.clone();
        checks.push(Check::everywhere(format!("dtw_pairs_f32::{name}"), move |executor| {
            every_radius(executor, of_pairs.clone(), 3)
        }));
        checks.push(Check::everywhere(format!("dtw_subsequence_f32::{name}"), move |executor| {
            every_query(executor, lengths.clone(), 90)
        }));
    }
    checks.extend(LONG.map(|m| {
        Check::everywhere(format!("dtw_pairs_f32::every_radius_at_{m}"), move |executor| {
            every_radius(executor, m..=m, 1)
        })
    }));
    checks.push(Check::everywhere("dtw_subsequence_f32::long_queries".to_owned(), |executor| {
        every_query(executor, LONG.into_iter(), 40)
    }));
    for (name, body) in [
        ("dtw_pairs_f32::pairs_have_no_order", without_order as fn(&Executor) -> Outcome),
        ("dtw_pairs_f32::bad_pairs_are_refused", refused_pairs),
        ("dtw_subsequence_f32::the_future_changes_nothing", future),
        ("dtw_subsequence_f32::a_gap_is_the_start_of_a_new_series", gap),
        ("dtw_subsequence_f32::bad_series_are_refused", refused_series),
    ] {
        checks.push(Check::everywhere(name.to_owned(), move |executor| body(executor).map(|()| 1)));
    }
    for (name, bodies) in [
        ("dtw_pairs_f32::a_refused_call_writes_nothing", true),
        ("dtw_subsequence_f32::a_refused_call_writes_nothing", false),
    ] {
        checks.push(Check::on_device(name, move |executor| {
            match (executor, bodies) {
                (Executor::Cuda(stream), true) => pairs_write_nothing(stream),
                (Executor::Cuda(stream), false) => subsequences_write_nothing(stream),
                (Executor::Sim(sim), true) => pairs_write_nothing(sim),
                (Executor::Sim(sim), false) => subsequences_write_nothing(sim),
                _ => fail("this is no device"),
            }
            .map(|()| 1)
        }));
    }
    checks
}

fn not_simulated(executor: &Executor) -> Outcome {
    if executor.is_simulated() {
        return Err(Stop::Elsewhere("minutes in the simulator; the GPU and the CPU twin run it".to_owned()));
    }
    Ok(())
}

/// Lengths, each with every kind of radius and of sequence, `pairs` pairs.
fn every_radius(executor: &Executor, lengths: impl Iterator<Item = u64>, pairs: u64) -> Checked {
    not_simulated(executor)?;
    let mut compared = 0;
    for m in lengths {
        for (at, radius) in [0, 1, m / 10, m - 1, FULL].into_iter().enumerate() {
            let values = VALUES[(at + m as usize) % VALUES.len()];
            let options = vec![("radius", radius), ("z_norm", m % 2)];
            let case = case(&PairsOp, format!("m_{m}_r_{radius}"), vec![pairs, m, m], values, options);
            compared += compare_case(&PairsOp, DType::F32, &case, executor)?;
        }
    }
    Ok(compared)
}

/// Lengths, each over series of `points` points with two queries.
fn every_query(executor: &Executor, lengths: impl Iterator<Item = u64>, points: u64) -> Checked {
    not_simulated(executor)?;
    let mut compared = 0;
    for m in lengths {
        let values = VALUES[m as usize % VALUES.len()];
        let case = case(&SubsequenceOp, format!("m_{m}"), vec![1, points, 2, m], values, Vec::new());
        compared += compare_case(&SubsequenceOp, DType::F32, &case, executor)?;
    }
    Ok(compared)
}

fn case(
    op: &dyn Op,
    name: String,
    dims: Vec<u64>,
    values: Values,
    options: Vec<(&'static str, u64)>,
) -> Case {
    let operands = vec![Placement::PLAIN; op.operands().len()];
    Case { name: format!("{name}_{values:?}"), operands, values, seed: dims[dims.len() - 1], dims, options }
}

/// Rows of `m` points without gaps.
fn rows(data: &[f32], m: usize) -> Result<HostRef<'_, f32>, OpError> {
    HostRef::new(data, Layout::new((data.len() / m) as u64, m as u64, m as u64)?)
}

fn without_order(executor: &Executor) -> Outcome {
    const M: usize = 37;
    for (values, radius) in [(Values::Uniform, u32::MAX), (Values::Holed, 5), (Values::Spiky, 20)] {
        let (x, y) = (fill::<f32>(values, 3, 6 * M), fill::<f32>(values, 4, 6 * M));
        let (x, y) = (rows(&x, M)?, rows(&y, M)?);
        for normalization in [Normalization::None, Normalization::ZScore] {
            let one = pairs_on(executor, x, y, radius, normalization)?;
            let other = pairs_on(executor, y, x, radius, normalization)?;
            same(&format!("{values:?} {normalization:?}"), &other, &one)?;
        }
    }
    let (x, y) = (fill::<f32>(Values::Uniform, 3, M), fill::<f32>(Values::Uniform, 4, M));
    let got = pairs_on(executor, rows(&x, M)?, rows(&y, M)?, 4, Normalization::None)?;
    same("one pair", &got, &[distance_cpu(&x, &y, 4)])?;
    let none = pairs_on(executor, rows(&[], M)?, rows(&[], M)?, 4, Normalization::None)?;
    if none.is_empty() { Ok(()) } else { fail("no pairs have distances") }
}

fn refused_pairs(executor: &Executor) -> Outcome {
    let data = [1.0; 24];
    let run = |x, y| pairs_on(executor, x, y, 1, Normalization::None).err();
    let text = run(rows(&data, 4)?, rows(&data, 6)?).map(|error| error.to_string());
    let want = "dtw_pairs: `x` is 6 x 4 and `y` is 4 x 6; they must be equal";
    if text.as_deref() != Some(want) {
        return fail(format!("got {text:?}, want {want}"));
    }
    let empty = HostRef::new(&data[..0], Layout::new(3, 0, 0)?)?;
    expect("no points", run(empty, empty), &DtwError::EmptyQuery)?;
    if matches!(executor, Executor::Cpu) {
        return Ok(());
    }
    let long = [0.0; 4097];
    let long = rows(&long, 4097)?;
    expect("4097 points", run(long, long), &DtwError::QueryTooLong { len: 4097, limit: 4096 })
}

fn future(executor: &Executor) -> Outcome {
    const N: usize = 60;
    let points = fill::<f32>(Values::Uniform, 9, 3 * 20);
    let queries = Queries::new(&points, 20, Normalization::None)?;
    let mut series = fill::<f32>(Values::Holed, 5, N);
    let before = subsequence_on(executor, &series, 1, &queries)?;
    let now = 33;
    series[now + 1..].fill(1.5);
    let after = subsequence_on(executor, &series, 1, &queries)?;
    for (before, after) in before.chunks(N).zip(after.chunks(N)) {
        same("distances", &after[..=now], &before[..=now])?;
    }
    Ok(())
}

/// No path crosses a point that is not finite.
fn gap(executor: &Executor) -> Outcome {
    let points = fill::<f32>(Values::Uniform, 9, 20);
    let queries = Queries::new(&points, 20, Normalization::None)?;
    let mut series = fill::<f32>(Values::Uniform, 5, 60);
    for hole in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
        series[25] = hole;
        let got = subsequence_on(executor, &series, 1, &queries)?;
        same("before the gap", &got[..25], &subsequence_cpu(&points, &series[..25]))?;
        same("in the gap", &got[25..26], &[f32::NAN])?;
        same("behind the gap", &got[26..], &subsequence_cpu(&points, &series[26..]))?;
    }
    Ok(())
}

fn refused_series(executor: &Executor) -> Outcome {
    let points = [1.0; 5];
    let queries = Queries::new(&points, 5, Normalization::None)?;
    let run = |len: usize, rows| subsequence_on(executor, &[1.0; 64][..len], rows, &queries).err();
    expect("no rows", run(64, 0), &DtwError::SeriesRows { elements: 64, rows: 0 })?;
    expect("ragged rows", run(64, 5), &DtwError::SeriesRows { elements: 64, rows: 5 })?;
    let empty = DtwError::SeriesTooShort { len: 0, query: 5, smoothing: 1, needed: 1 };
    expect("no points", run(0, 2), &empty)?;
    if matches!(executor, Executor::Cpu) {
        return Ok(());
    }
    let long = [0.0; 4097];
    let queries = Queries::new(&long, 4097, Normalization::None)?;
    let got = subsequence_on(executor, &[1.0; 8], 1, &queries).err();
    expect("4097 points", got, &DtwError::QueryTooLong { len: 4097, limit: 4096 })
}

fn pairs_write_nothing<D: Device>(device: &D) -> Outcome {
    const M: u64 = 8;
    let (x, y) = (fill::<f32>(Values::Uniform, 1, 24), fill::<f32>(Values::Uniform, 2, 24));
    let (left, right) = (device.upload(&x)?, device.upload(&y)?);
    let mut out = device.upload(&[7.0_f32; 3])?;
    let matrix = |data, rows| MatrixRef::new(data, rows, M);
    let (left, right) = (matrix(left.as_slice(), 3)?, matrix(right.as_slice(), 3)?);
    let short = out.as_mut_slice().slice(0..2)?;
    let wrong = pairs(device, left, right, 2, Normalization::ZScore, short).err();
    expect("a short output", wrong, &DtwError::OutputLength { output: "out", got: 2, want: 3 })?;
    let fewer = matrix(right.data().slice(0..16)?, 2)?;
    match pairs(device, left, fewer, 2, Normalization::ZScore, out.as_mut_slice()).err() {
        Some(Error::Op(OpError::ShapeMismatch { left_rows: 3, right_rows: 2, .. })) => {}
        other => return fail(format!("3 and 2 rows: {other:?}")),
    }
    device.synchronize()?;
    same("out", &device.download(out.as_slice())?, &[7.0; 3])?;
    pairs(device, left, right, 2, Normalization::None, out.as_mut_slice())?;
    let want: Vec<f32> = x.chunks(8).zip(y.chunks(8)).map(|(x, y)| distance_cpu(x, y, 2)).collect();
    same("out", &device.download(out.as_slice())?, &want)?;
    // One row against many: a stride of 0.
    let first = MatrixRef::broadcast_row(left.data().slice(0..M)?, 3)?;
    pairs(device, first, right, 2, Normalization::None, out.as_mut_slice())?;
    let want: Vec<f32> = y.chunks(8).map(|y| distance_cpu(&x[..8], y, 2)).collect();
    same("one row against many", &device.download(out.as_slice())?, &want)
}

fn subsequences_write_nothing<D: Device>(device: &D) -> Outcome {
    let points = [0.5, 1.5];
    let queries = Queries::new(&points, 2, Normalization::None)?;
    let data = fill::<f32>(Values::Uniform, 1, 12);
    let series = device.upload(&data)?;
    let mut out = device.upload(&[7.0_f32; 12])?;
    let plan = SubsequencePlan::new(device, 2, 6, &queries)?;
    let whole = MatrixRef::new(series.as_slice(), 2, 6)?;
    let wrong = plan.run(device, whole, out.as_mut_slice().slice(0..11)?).err();
    expect("short distances", wrong, &DtwError::OutputLength { output: "distances", got: 11, want: 12 })?;
    let wrong = plan.run(device, MatrixRef::new(series.as_slice(), 2, 5)?, out.as_mut_slice()).err();
    expect("short rows", wrong, &DtwError::SeriesShape { got_rows: 2, got_points: 5, rows: 2, points: 6 })?;
    device.synchronize()?;
    same("distances", &device.download(out.as_slice())?, &[7.0; 12])?;
    subsequence(device, whole, &queries, out.as_mut_slice())?;
    let want = [subsequence_cpu(&points, &data[..6]), subsequence_cpu(&points, &data[6..])].concat();
    same("distances", &device.download(out.as_slice())?, &want)?;
    let gaps = MatrixRef::with_stride(series.as_slice(), 2, 5, 7)?;
    subsequence(device, gaps, &queries, out.as_mut_slice().slice(0..10)?)?;
    let want = [subsequence_cpu(&points, &data[..5]), subsequence_cpu(&points, &data[7..])].concat();
    same("rows with gaps", &device.download(out.as_slice().slice(0..10)?)?, &want)
}
