//! One round over all ops, and the lines it leaves.

use std::fs;
use std::path::Path;
use std::time::Duration;

use host::ops::{self, Case, DType, Op};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{BenchError, Lane, Stand, prepare};

/// Timed runs per op, element type and shape; the median counts. The baselines do as many.
const RUNS: usize = 31;
/// Elements above which a case is large: its operands take seconds to make, and its runs are long against any disturbance.
const LARGE_ELEMENTS: u64 = 1 << 22;
/// The last round in which large cases are timed. They are verified in the first alone: the PTX stays the same.
const LAST_LARGE_ROUND: u32 = 3;

/// One measurement of ours in one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OwnLine {
    /// The op.
    pub op: String,
    /// The shape.
    pub shape: String,
    /// Element type.
    pub dtype: String,
    /// Median time in microseconds.
    pub us: f64,
    /// Bytes of one run.
    pub bytes: u64,
    /// Operations of one run.
    pub flops: u64,
    /// Unit of the op's rate.
    pub unit: String,
    /// Architecture of the PTX.
    pub arch: String,
    /// What wrote the PTX.
    pub codegen: String,
    /// The PTX entries that a run launches.
    pub entries: Vec<String>,
    /// Copy bandwidth of this round in GB/s.
    pub copy_gbps: f64,
    /// The device's name.
    pub gpu: String,
    /// The CUDA version of its driver.
    pub driver: String,
}

/// One measurement of a baseline in one round.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BaselineLine {
    /// The op it is the baseline of.
    pub op: String,
    /// The shape.
    pub shape: String,
    /// Element type.
    pub dtype: String,
    /// Median time in microseconds.
    pub us: f64,
    /// What was timed.
    pub baseline: String,
}

/// Times every op whose name, with its element type, contains `filter`, with the PTX of all back ends in turn. Round 1
/// verifies every case before it is timed, later ones the small; rounds after the third leave the large out.
///
/// # Errors
/// A wrong result, no such op, or the device's error.
pub fn run_round(stand: &Stand, filter: &str, round: u32) -> Result<Vec<OwnLine>, BenchError> {
    let copy_gbps = stand.copy_gbps()?;
    let mut lines = Vec::new();
    for (op, dtype, case) in selection(filter)? {
        let is_large = case.dims.iter().product::<u64>() > LARGE_ELEMENTS;
        if is_large && round > LAST_LARGE_ROUND {
            continue;
        }
        let verify = round <= 1 || !is_large;
        for line in time_case(&stand.lanes(round), op, dtype, &case, verify, copy_gbps)? {
            let rate = op.unit().rate(line.bytes, line.flops, line.us);
            let OwnLine { op, shape, codegen, us, unit, .. } = &line;
            eprintln!("{op}_{dtype} {shape} {codegen}: {us:.1} us, {rate:.0} {unit}");
            lines.push(line);
        }
    }
    Ok(lines)
}

/// Times one case on all `lanes` in turn: one line each.
fn time_case(
    lanes: &[&Lane],
    op: &dyn Op,
    dtype: DType,
    case: &Case,
    verify: bool,
    copy_gbps: f64,
) -> Result<Vec<OwnLine>, BenchError> {
    let mut runs = prepare(lanes, op, dtype, case, verify)?;
    let times = in_turn(lanes.len(), |lane| lanes[lane].time(|| runs[lane].launch()))?;
    let line = |(lane, mut times): (&&Lane, Vec<Duration>)| {
        own_line(lane, op, dtype, case, median(&mut times), copy_gbps)
    };
    lanes.iter().zip(times).map(line).collect()
}

/// The times of `lanes` lanes that take turns, run by run: what changes from one moment to the next changes for all of them.
fn in_turn<E>(
    lanes: usize,
    mut time: impl FnMut(usize) -> Result<Duration, E>,
) -> Result<Vec<Vec<Duration>>, E> {
    let mut times = vec![Vec::with_capacity(RUNS); lanes];
    for _ in 0..RUNS {
        for (lane, times) in times.iter_mut().enumerate() {
            times.push(time(lane)?);
        }
    }
    Ok(times)
}

/// Ops, element types and cases to time.
///
/// # Errors
/// [`BenchError::NoSuchOp`].
pub(crate) fn selection(filter: &str) -> Result<Vec<(&'static dyn Op, DType, Case)>, BenchError> {
    let mut selected = Vec::new();
    for op in ops::all() {
        for &dtype in op.dtypes() {
            if format!("{}_{dtype}", op.name()).contains(filter) {
                selected.extend(op.bench_cases().into_iter().map(|case| (op, dtype, case)));
            }
        }
    }
    if selected.is_empty() {
        let names: Vec<&str> = ops::all().iter().map(|op| op.name()).collect();
        return Err(BenchError::NoSuchOp { filter: filter.to_owned(), has: names.join(", ") });
    }
    Ok(selected)
}

/// The line of a measurement.
pub(crate) fn own_line(
    lane: &Lane,
    op: &dyn Op,
    dtype: DType,
    case: &Case,
    us: f64,
    copy_gbps: f64,
) -> Result<OwnLine, BenchError> {
    Ok(OwnLine {
        op: op.name().to_owned(),
        shape: case.shape(),
        dtype: dtype.to_string(),
        us,
        bytes: op.bytes(dtype, case),
        flops: op.flops(case),
        unit: op.unit().name().to_owned(),
        arch: lane.arch.clone(),
        codegen: lane.codegen.clone(),
        entries: lane.entries(op, dtype, case)?,
        copy_gbps,
        gpu: lane.gpu.clone(),
        driver: lane.driver.clone(),
    })
}

/// The median in microseconds; 0 of nothing.
pub(crate) fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times.get(times.len() / 2).map_or(0.0, |time| time.as_secs_f64() * 1e6)
}

/// The lines of a round's file.
///
/// # Errors
/// A file that cannot be read, or a line that is not what it must be.
pub fn read_lines<T: DeserializeOwned>(path: &Path) -> Result<Vec<T>, BenchError> {
    let text = fs::read_to_string(path).map_err(BenchError::io(path))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let malformed = |source| BenchError::Malformed { path: path.to_owned(), line: index + 1, source };
            serde_json::from_str(line).map_err(malformed)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_filter_selects_by_name_and_type() {
        let all = selection("").expect("everything");
        let f16 = selection("hadamard_bwd_f16").expect("it is there");
        assert!(
            f16.len() < all.len()
                && f16.iter().all(|(op, dtype, _)| op.name() == "hadamard_bwd" && *dtype == DType::F16)
        );
        assert!(matches!(selection("no_such_op"), Err(BenchError::NoSuchOp { .. })));
    }

    #[test]
    fn back_ends_take_turns_run_by_run() {
        let mut order = Vec::new();
        let times = in_turn(2, |lane| {
            order.push(lane);
            Ok::<_, BenchError>(Duration::from_micros(lane as u64))
        });
        let times = times.expect("nothing fails");
        assert_eq!((times[0].len(), times[1].len()), (RUNS, RUNS));
        assert!(order.chunks(2).all(|turn| turn == [0, 1]) && times[1].iter().all(|t| t.as_micros() == 1));
    }

    #[test]
    fn every_back_end_has_a_line_of_its_own() {
        let stand = Stand::of(vec![Lane::on_cpu("llvm"), Lane::on_cpu("nvvm")]).expect("there are two");
        let codegens = |round| {
            let (op, dtype, _) = selection("hadamard_f32").expect("it is there").remove(0);
            let case = op.cases().into_iter().find(|case| case.name == "n_257").expect("it is there");
            let lines = time_case(&stand.lanes(round), op, dtype, &case, true, 0.0).expect("it is right");
            assert!(lines.iter().all(|line| line.shape == "1x257" && line.us > 0.0));
            lines.into_iter().map(|line| line.codegen).collect::<Vec<_>>()
        };
        assert_eq!(
            (codegens(1), codegens(2)),
            (vec!["llvm".into(), "nvvm".into()], vec!["nvvm".into(), "llvm".into()])
        );
        assert!(matches!(Stand::of(Vec::new()), Err(BenchError::NoPtx { .. })));
    }

    #[test]
    fn rows_with_gaps_are_told_from_rows_without() {
        let shapes: Vec<String> =
            selection("hadamard_f32").expect("it is there").iter().map(|(.., case)| case.shape()).collect();
        assert_eq!(shapes, ["1x268435456", "4096x128", "4096x4096 stride 4104", "8192x8192 stride 8200"]);
    }

    #[test]
    fn no_two_cases_of_an_op_have_the_same_shape() {
        let mut seen = std::collections::BTreeSet::new();
        for (op, dtype, case) in selection("").expect("there are ops") {
            assert!(
                seen.insert((op.name(), dtype.to_string(), case.shape())),
                "{} {}",
                op.name(),
                case.shape()
            );
        }
    }

    #[test]
    fn the_median_ignores_outliers() {
        let mut times = [5, 1, 900, 4, 2].map(Duration::from_micros);
        assert_eq!(median(&mut times), 4.0);
        assert_eq!(median(&mut []), 0.0);
    }

    #[test]
    fn bytes_of_the_roofline_case_are_three_times_its_elements() {
        let (op, dtype, case) = selection("hadamard_f32").expect("it is there").remove(0);
        assert_eq!((op.bytes(dtype, &case), case.shape().as_str()), (3 << 30, "1x268435456"));
        let us = 1000.0;
        assert_eq!(
            op.unit().rate(op.bytes(dtype, &case), op.flops(&case), us),
            f64::from(3 << 20) * 1.024 / 1e3
        );
    }
}
