//! One round over all ops, and the lines it leaves.

use std::fs;
use std::path::Path;
use std::time::Duration;

use host::ops::{self, Case, DType, Op};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::{BenchError, Stand};

/// Timed runs per op, element type and shape; the median counts. The baselines do as many.
const RUNS: usize = 31;
/// In rounds after the first, larger cases are not verified again: the PTX is the same.
const VERIFY_AGAIN_ELEMENTS: u64 = 1 << 24;

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

/// Times every op whose name, with its element type, contains `filter`. Round 1 verifies every case before it is timed.
///
/// # Errors
/// A wrong result, no such op, or the device's error.
pub fn run_round(stand: &Stand, filter: &str, round: u32) -> Result<Vec<OwnLine>, BenchError> {
    let copy_gbps = stand.copy_gbps()?;
    let mut lines = Vec::new();
    for (op, dtype, case) in selection(filter)? {
        let verify = round <= 1 || case.dims.iter().product::<u64>() <= VERIFY_AGAIN_ELEMENTS;
        let mut run = stand.prepare(op, dtype, &case, verify)?;
        let mut times = Vec::with_capacity(RUNS);
        for _ in 0..RUNS {
            times.push(stand.time(|| run.launch())?);
        }
        let line = own_line(stand, op, dtype, &case, median(&mut times), copy_gbps)?;
        let rate = op.unit().rate(line.bytes, line.flops, line.us);
        eprintln!("{}_{dtype} {}: {:.1} us, {rate:.0} {}", line.op, line.shape, line.us, line.unit);
        lines.push(line);
    }
    Ok(lines)
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
    stand: &Stand,
    op: &dyn Op,
    dtype: DType,
    case: &Case,
    us: f64,
    copy_gbps: f64,
) -> Result<OwnLine, BenchError> {
    let gpu = stand.gpu();
    let artefact = gpu.artefacts()?.first();
    let driver = gpu.info().driver;
    Ok(OwnLine {
        op: op.name().to_owned(),
        shape: case.shape(),
        dtype: dtype.to_string(),
        us,
        bytes: op.bytes(dtype, case),
        flops: op.flops(case),
        unit: op.unit().name().to_owned(),
        arch: artefact.map_or_else(String::new, |a| a.arch().to_string()),
        codegen: artefact.map_or_else(String::new, |a| a.manifest().codegen.clone()),
        copy_gbps,
        gpu: gpu.info().name.clone(),
        driver: format!("{}.{}", driver / 1000, driver % 1000 / 10),
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
