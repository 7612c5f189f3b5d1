//! One measurement, as it is kept under `benches/record/<gpu>/<date>.jsonl`.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

/// One measurement: one line of a record file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    /// The op.
    pub op: String,
    /// The shape, as in `4096x128`.
    pub shape: String,
    /// Element type.
    pub dtype: String,
    /// Architecture of the PTX.
    pub arch: String,
    /// What wrote the PTX: `llvm` or `nvvm`.
    pub codegen: String,
    /// The PTX entries that a run launches; none in records that are older than this field.
    #[serde(default)]
    pub entries: Vec<String>,
    /// Bytes that a run must move; 0 in records that are older than this field.
    #[serde(default)]
    pub bytes: u64,
    /// Median time of one run in microseconds.
    pub us: f64,
    /// The rate.
    pub value: f64,
    /// Unit of `value`: `GB/s`, `TOPS`, `GCUPS` or `us`.
    pub unit: String,
    /// `value` over the device's peak in that unit and element type; for bytes, over the copy bandwidth of the same run.
    pub peak_share: Option<f64>,
    /// What it is compared with.
    pub baseline: Option<String>,
    /// The baseline in `unit`.
    pub baseline_value: Option<f64>,
    /// Ours over the baseline's; above 1 is better.
    pub ratio: Option<f64>,
    /// The device's name.
    pub gpu: String,
    /// The CUDA version of its driver.
    pub driver: String,
    /// The commit of the program.
    pub commit: String,
    /// The day, as in `2026-11-29`.
    pub date: String,
}

/// Why records cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs, reason = "the fields are the words of the message")]
pub enum RecordError {
    /// A file or folder cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable { path: PathBuf, source: std::io::Error },
    /// A line is no record.
    #[error("{}, line {line}: {source}", path.display())]
    Malformed { path: PathBuf, line: usize, source: serde_json::Error },
}

/// The records of one file.
#[derive(Clone, Debug)]
pub struct RecordFile {
    /// Where it lies in the folder of all records.
    pub path: PathBuf,
    /// Its lines.
    pub records: Vec<Record>,
}

/// All records below `folder`, in the order of their files' names; none where there is no such folder.
///
/// # Errors
/// A file that cannot be read, or a line that is no record.
pub fn read_records(folder: &Path) -> Result<Vec<RecordFile>, RecordError> {
    let mut paths = Vec::new();
    find(folder, &mut paths)?;
    paths.sort();
    let file = |path: PathBuf| {
        let records = read_file(&path)?;
        Ok(RecordFile { path: path.strip_prefix(folder).unwrap_or(&path).to_owned(), records })
    };
    paths.into_iter().map(file).collect()
}

fn read_file(path: &Path) -> Result<Vec<Record>, RecordError> {
    let text = fs::read_to_string(path).map_err(unreadable(path))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    lines
        .map(|(index, line)| {
            let malformed =
                |source| RecordError::Malformed { path: path.to_owned(), line: index + 1, source };
            serde_json::from_str(line).map_err(malformed)
        })
        .collect()
}

fn find(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), RecordError> {
    if !folder.is_dir() {
        return Ok(());
    }
    for entry in fs::read_dir(folder).map_err(unreadable(folder))? {
        let path = entry.map_err(unreadable(folder))?.path();
        if path.is_dir() {
            find(&path, files)?;
        } else if path.extension().is_some_and(|e| e == "jsonl") {
            files.push(path);
        }
    }
    Ok(())
}

fn unreadable(path: &Path) -> impl FnOnce(std::io::Error) -> RecordError {
    let path = path.to_owned();
    move |source| RecordError::Unreadable { path, source }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn sample(op: &str, date: &str) -> Record {
        Record {
            op: op.to_owned(),
            shape: "4096x128".to_owned(),
            dtype: "f32".to_owned(),
            arch: "sm_90".to_owned(),
            codegen: "llvm".to_owned(),
            entries: vec![format!("{op}_f32")],
            bytes: 6_291_456,
            us: 4.0,
            value: 1572.9,
            unit: "GB/s".to_owned(),
            peak_share: None,
            baseline: Some("torch.mul".to_owned()),
            baseline_value: Some(1000.0),
            ratio: Some(1.5729),
            gpu: "NVIDIA H200".to_owned(),
            driver: "13.0".to_owned(),
            commit: "0123456789ab".to_owned(),
            date: date.to_owned(),
        }
    }

    #[test]
    fn a_record_has_exactly_the_fields_of_the_format() {
        let json = serde_json::to_value(sample("hadamard", "2026-11-29")).expect("plain data");
        let fields: Vec<&String> = json.as_object().expect("an object").keys().collect();
        let mut want = [
            "op",
            "shape",
            "dtype",
            "arch",
            "codegen",
            "entries",
            "bytes",
            "us",
            "value",
            "unit",
            "peak_share",
            "baseline",
            "baseline_value",
            "ratio",
            "gpu",
            "driver",
            "commit",
            "date",
        ];
        want.sort_unstable();
        let mut fields: Vec<&str> = fields.into_iter().map(String::as_str).collect();
        fields.sort_unstable();
        assert_eq!(fields, want);
        assert!(json["peak_share"].is_null());
    }

    #[test]
    fn records_from_before_entries_and_bytes_are_read() {
        let mut json = serde_json::to_value(sample("hadamard", "2026-11-29")).expect("plain data");
        let fields = json.as_object_mut().expect("an object");
        assert!(fields.remove("entries").is_some() && fields.remove("bytes").is_some());
        let old: Record = serde_json::from_value(json).expect("it is a record");
        assert_eq!((old.entries.len(), old.bytes), (0, 0));
    }

    #[test]
    fn records_are_found_below_the_folder_and_bad_lines_named() {
        let dir = tempfile::tempdir().expect("a folder");
        let gpu = dir.path().join("h200");
        fs::create_dir(&gpu).expect("it is writable");
        let line = serde_json::to_string(&sample("hadamard", "2026-11-29")).expect("plain data");
        fs::write(gpu.join("2026-11-29.jsonl"), format!("{line}\n\n{line}\n")).expect("it is writable");
        let files = read_records(dir.path()).expect("they are right");
        assert_eq!((files.len(), files[0].records.len()), (1, 2));
        assert_eq!(files[0].path, Path::new("h200/2026-11-29.jsonl"));
        fs::write(gpu.join("2026-11-30.jsonl"), format!("{line}\n{{\n")).expect("it is writable");
        assert!(matches!(read_records(dir.path()), Err(RecordError::Malformed { line: 2, .. })));
        assert!(read_records(&dir.path().join("none")).is_ok_and(|r| r.is_empty()));
    }
}
