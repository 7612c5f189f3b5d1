//! Medians over all rounds, as records.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use host::cli::Record;
use host::ops::Unit;
use serde::de::DeserializeOwned;

use crate::round::read_lines;
use crate::{BaselineLine, BenchError, OwnLine, peak};

/// Op, shape, element type.
type Key = (String, String, String);
/// The same, and what wrote the PTX.
type OwnKey = (Key, String);

/// Records of all rounds in `folder` (`ours-*.json`, `baseline-*.json`): medians of times, then rates and ratios.
///
/// # Errors
/// Files that cannot be read, or no measurement of ours.
pub fn summarise(folder: &Path, commit: &str) -> Result<Vec<Record>, BenchError> {
    let own: Vec<OwnLine> = read_all(folder, "ours-")?;
    if own.is_empty() {
        return Err(BenchError::NoRounds { path: folder.to_owned() });
    }
    let baselines: Vec<BaselineLine> = read_all(folder, "baseline-")?;
    Ok(records(&own, &baselines, commit, &today()))
}

pub(crate) fn records(own: &[OwnLine], baselines: &[BaselineLine], commit: &str, date: &str) -> Vec<Record> {
    let mut theirs: BTreeMap<Key, Vec<&BaselineLine>> = BTreeMap::new();
    for line in baselines {
        theirs.entry((line.op.clone(), line.shape.clone(), line.dtype.clone())).or_default().push(line);
    }
    let mut groups: BTreeMap<OwnKey, Vec<&OwnLine>> = BTreeMap::new();
    for line in own {
        let key = (line.op.clone(), line.shape.clone(), line.dtype.clone());
        groups.entry((key, line.codegen.clone())).or_default().push(line);
    }
    let record = |((key, _), lines): (&OwnKey, &Vec<&OwnLine>)| {
        record(lines, theirs.get(key).map_or(&[], Vec::as_slice), commit, date)
    };
    groups.iter().filter_map(record).collect()
}

fn record(own: &[&OwnLine], baselines: &[&BaselineLine], commit: &str, date: &str) -> Option<Record> {
    let first = *own.first()?;
    let us = median(own.iter().map(|line| line.us))?;
    let copy_gbps = median(own.iter().map(|line| line.copy_gbps))?;
    let rate = |us| unit(&first.unit).map_or(0.0, |unit| unit.rate(first.bytes, first.flops, us));
    let value = rate(us);
    let baseline_us = median(baselines.iter().map(|line| line.us));
    Some(Record {
        op: first.op.clone(),
        shape: first.shape.clone(),
        dtype: first.dtype.clone(),
        arch: first.arch.clone(),
        codegen: first.codegen.clone(),
        entries: first.entries.clone(),
        bytes: first.bytes,
        us,
        value,
        unit: first.unit.clone(),
        peak_share: peak(&first.gpu, &first.unit, &first.dtype, copy_gbps).map(|peak| value / peak),
        baseline: baselines.first().map(|line| line.baseline.clone()),
        baseline_value: baseline_us.map(rate),
        ratio: baseline_us.map(|theirs| theirs / us),
        gpu: first.gpu.clone(),
        driver: first.driver.clone(),
        commit: commit.trim().to_owned(),
        date: date.to_owned(),
    })
}

fn unit(name: &str) -> Option<Unit> {
    [Unit::GigabytesPerSecond, Unit::TeraOps, Unit::GigaCells].into_iter().find(|unit| unit.name() == name)
}

fn median(values: impl Iterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.collect();
    values.sort_unstable_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}

pub(crate) fn read_all<T: DeserializeOwned>(folder: &Path, prefix: &str) -> Result<Vec<T>, BenchError> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder).map_err(BenchError::io(folder))? {
        let path = entry.map_err(BenchError::io(folder))?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(prefix) && name.ends_with(".json") {
            paths.push(path);
        }
    }
    paths.sort();
    let mut lines = Vec::new();
    for path in paths {
        lines.extend(read_lines(&path)?);
    }
    Ok(lines)
}

/// Appends records to `path`, one JSON object a line; its folder is made.
///
/// # Errors
/// A file that cannot be written.
pub fn write_records(path: &Path, records: &[Record]) -> Result<(), BenchError> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder).map_err(BenchError::io(folder))?;
    }
    let mut text = String::new();
    for record in records {
        let malformed = |source| BenchError::Malformed { path: path.to_owned(), line: 0, source };
        text += &serde_json::to_string(record).map_err(malformed)?;
        text.push('\n');
    }
    let file = fs::OpenOptions::new().create(true).append(true).open(path);
    file.and_then(|mut file| file.write_all(text.as_bytes())).map_err(BenchError::io(path))
}

/// The folder of a GPU's records: `NVIDIA H200` is `h200`.
pub fn gpu_folder(name: &str) -> PathBuf {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_ascii_lowercase).filter(|word| word != "nvidia").collect();
    PathBuf::from(words.join("-"))
}

/// Today in UTC, as in `2026-11-29`.
pub fn today() -> String {
    let seconds = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    date(seconds / 86_400)
}

/// The date so many days after 1 January 1970 (the civil calendar in eras of 400 years).
fn date(days: u64) -> String {
    let days = days + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let day = of_year - (153 * month + 2) / 5 + 1;
    let (month, next) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    format!("{:04}-{month:02}-{day:02}", era * 400 + year + next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(us: f64) -> OwnLine {
        OwnLine {
            op: "hadamard".to_owned(),
            shape: "1x1000000".to_owned(),
            dtype: "f32".to_owned(),
            us,
            bytes: 12_000_000,
            flops: 1_000_000,
            unit: "GB/s".to_owned(),
            arch: "sm_90".to_owned(),
            codegen: "llvm".to_owned(),
            entries: vec!["hadamard_f32".to_owned()],
            copy_gbps: 4000.0,
            gpu: "NVIDIA H200".to_owned(),
            driver: "13.0".to_owned(),
        }
    }

    fn baseline(us: f64) -> BaselineLine {
        let [op, shape, dtype, baseline] = ["hadamard", "1x1000000", "f32", "torch.mul"].map(str::to_owned);
        BaselineLine { op, shape, dtype, us, baseline }
    }

    #[test]
    fn a_record_holds_medians_and_their_ratio() {
        let all = records(
            &[own(3.0), own(4.0), own(900.0)],
            &[baseline(5.0), baseline(6.0), baseline(1.0)],
            "c\n",
            "d",
        );
        assert_eq!(all.len(), 1);
        let record = &all[0];
        assert_eq!((record.us, record.value, record.baseline_value), (4.0, 3000.0, Some(2400.0)));
        assert_eq!((record.ratio, record.peak_share), (Some(1.25), Some(0.75)));
        assert_eq!((record.commit.as_str(), record.date.as_str()), ("c", "d"));
    }

    #[test]
    fn each_back_end_has_a_record_and_both_the_same_baseline() {
        let nvvm = |us| OwnLine { codegen: "nvvm".to_owned(), ..own(us) };
        let all = records(&[own(4.0), nvvm(2.0), own(4.0), nvvm(2.0)], &[baseline(8.0)], "c", "d");
        let found: Vec<_> = all.iter().map(|r| (r.codegen.as_str(), r.us, r.ratio)).collect();
        assert_eq!(found, [("llvm", 4.0, Some(2.0)), ("nvvm", 2.0, Some(4.0))]);
        assert!(all.iter().all(|r| r.entries == ["hadamard_f32"] && r.bytes == 12_000_000));
    }

    #[test]
    fn without_baseline_its_fields_are_null() {
        let all = records(&[own(3.0)], &[], "c", "d");
        assert_eq!((all[0].baseline.as_ref(), all[0].baseline_value, all[0].ratio), (None, None, None));
    }

    #[test]
    fn rounds_are_read_from_their_files_and_records_are_appended() {
        let dir = tempfile::tempdir().expect("a folder");
        assert!(matches!(summarise(dir.path(), "c"), Err(BenchError::NoRounds { .. })));
        for round in 1..=2 {
            let ours = serde_json::to_string(&own(4.0)).expect("plain data");
            let theirs = serde_json::to_string(&baseline(5.0)).expect("plain data");
            fs::write(dir.path().join(format!("ours-{round}.json")), ours).expect("it is writable");
            fs::write(dir.path().join(format!("baseline-torch-{round}.json")), theirs)
                .expect("it is writable");
        }
        let all = summarise(dir.path(), "c").expect("they are right");
        let path = dir.path().join("record/h200/day.jsonl");
        write_records(&path, &all).and_then(|()| write_records(&path, &all)).expect("it is writable");
        assert_eq!(read_lines::<Record>(&path).expect("records"), [all.clone(), all].concat());
    }

    #[test]
    fn dates_are_those_of_the_calendar() {
        assert_eq!(date(0), "1970-01-01");
        assert_eq!(date(11_016), "2000-02-29");
        assert_eq!(date(20_786), "2026-11-29");
    }

    #[test]
    fn folders_are_named_like_the_gpu() {
        assert_eq!(gpu_folder("NVIDIA H200"), Path::new("h200"));
        assert_eq!(gpu_folder("NVIDIA A100-SXM4-80GB"), Path::new("a100-sxm4-80gb"));
    }
}
