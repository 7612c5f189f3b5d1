//! Which back end writes each kernel's PTX unless told otherwise: the faster one, by the newest record of both.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::record::{Record, RecordFile};
use crate::artefacts::Backend;

/// libNVVM is the default where its time over LLVM's is below this; ties go to LLVM, which needs nothing but rustc.
const FASTER_BELOW: f64 = 0.99;
/// The folder of the GPU whose records decide.
const GPU_FOLDER: &str = "h200";

/// The default back end of every kernel that was timed with both.
#[derive(Debug, Default)]
pub struct Choice {
    /// The record, from the workspace's folder on.
    record: String,
    kernels: BTreeMap<String, Chosen>,
}

/// The default of one kernel, and why.
#[derive(Debug)]
struct Chosen {
    backend: Backend,
    /// Geometric mean over all shapes.
    ratio: f64,
    largest: Pair,
}

/// Both times of one shape.
#[derive(Clone, Debug)]
struct Pair {
    shape: String,
    bytes: u64,
    /// In the order of [`Backend::ALL`].
    times_us: [f64; Backend::ALL.len()],
}

impl Pair {
    fn ratio(&self) -> f64 {
        self.times_us[1] / self.times_us[0]
    }
}

impl Choice {
    /// By the newest of `files` that has times of both back ends; empty where none has.
    pub fn of(files: &[RecordFile]) -> Self {
        let deciding = files.iter().filter(|file| file.path.starts_with(GPU_FOLDER));
        deciding.rev().map(Self::of_file).find(|choice| !choice.kernels.is_empty()).unwrap_or_default()
    }

    fn of_file(file: &RecordFile) -> Self {
        let mut of_entry: BTreeMap<&str, Vec<Pair>> = BTreeMap::new();
        for (record, pair) in pairs(&file.records) {
            for entry in &record.entries {
                of_entry.entry(entry).or_default().push(pair.clone());
            }
        }
        let kernels = of_entry.into_iter().filter_map(|(entry, all)| Some((entry.to_owned(), chosen(&all)?)));
        Self { record: format!("benches/record/{}", file.path.display()), kernels: kernels.collect() }
    }

    /// The default of whatever launches these entries.
    pub fn backend(&self, entries: &[String]) -> Backend {
        let known = entries.iter().find_map(|entry| self.kernels.get(entry));
        known.map(|chosen| chosen.backend).unwrap_or_default()
    }

    /// The text of `kernels-gpu/backends.toml`; empty where nothing was timed with both.
    pub fn file(&self) -> String {
        if self.kernels.is_empty() {
            return String::new();
        }
        let mut text = format!(
            "# Which back end writes the PTX of each kernel unless told otherwise: the faster one. Made by `cargo xtask \
             bless` from the record named here.\n\
             # ratio: geometric mean of nvvm_us / llvm_us over all shapes of the kernel. Below {FASTER_BELOW} the default \
             is nvvm, else llvm, which\n\
             # needs no libNVVM. The times are those of the shape that moves the most bytes.\n\
             record = \"{}\"\n\n[kernels]\n",
            self.record
        );
        for (entry, Chosen { backend, ratio, largest }) in &self.kernels {
            let Pair { shape, times_us: [llvm, nvvm], .. } = largest;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "{entry} = {{ backend = \"{backend}\", ratio = {ratio:.4}, llvm_us = {llvm:.3}, nvvm_us = {nvvm:.3}, \
                 shape = \"{shape}\" }}"
            );
        }
        text
    }

    /// The same as a table.
    pub fn table(&self) -> String {
        if self.kernels.is_empty() {
            return "No record has the times of both back ends.\n".to_owned();
        }
        let mut text = format!(
            "From `{}`; the ratio is libNVVM's time over LLVM's, the geometric mean over all shapes.\n\n\
             | kernel | shape | LLVM | libNVVM | ratio | default |\n|---|---|---|---|---|---|\n",
            self.record
        );
        for (entry, Chosen { backend, ratio, largest }) in &self.kernels {
            let Pair { shape, times_us: [llvm, nvvm], .. } = largest;
            let _ = writeln!(
                text,
                "| `{entry}` | {shape} | {llvm:.2} us | {nvvm:.2} us | {ratio:.4} | {backend} |"
            );
        }
        text
    }
}

/// The rule. `None` of nothing.
fn chosen(pairs: &[Pair]) -> Option<Chosen> {
    let largest = pairs.iter().max_by_key(|pair| pair.bytes)?.clone();
    let ratio = (pairs.iter().map(|pair| pair.ratio().ln()).sum::<f64>() / pairs.len() as f64).exp();
    let backend = if ratio < FASTER_BELOW { Backend::Nvvm } else { Backend::Llvm };
    Some(Chosen { backend, ratio, largest })
}

/// The newest pair of times of every op, shape and element type. Both times are of one commit: a file may hold several runs.
fn pairs(records: &[Record]) -> Vec<(&Record, Pair)> {
    let mut runs: BTreeMap<_, [Option<(usize, &Record)>; Backend::ALL.len()]> = BTreeMap::new();
    for (index, record) in records.iter().enumerate() {
        let side = Backend::ALL.iter().position(|backend| backend.name() == record.codegen);
        let Some(side) = side else { continue };
        let key = (&record.commit, &record.op, &record.shape, &record.dtype);
        runs.entry(key).or_default()[side] = Some((index, record));
    }
    let mut newest: BTreeMap<_, (usize, &Record, Pair)> = BTreeMap::new();
    for ((_, op, shape, dtype), sides) in runs {
        let [Some((_, llvm)), Some((index, nvvm))] = sides else { continue };
        let times_us = [llvm.us, nvvm.us];
        if !times_us.iter().all(|us| us.is_finite() && *us > 0.0) {
            continue;
        }
        let pair = Pair { shape: shape.clone(), bytes: nvvm.bytes, times_us };
        let slot = newest.entry((op, shape, dtype)).or_insert_with(|| (index, nvvm, pair.clone()));
        if index >= slot.0 {
            *slot = (index, nvvm, pair);
        }
    }
    newest.into_values().map(|(_, record, pair)| (record, pair)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::sample;
    use super::*;

    /// A row of `k_f32` with this shape and time.
    fn row(codegen: &str, shape: &str, us: f64) -> Record {
        let bytes = shape.parse().expect("shapes here are their bytes");
        let (codegen, shape) = (codegen.to_owned(), shape.to_owned());
        Record { codegen, shape, us, bytes, ..sample("k", "2026-11-30") }
    }

    fn both(shape: &str, llvm: f64, nvvm: f64) -> [Record; 2] {
        [row("llvm", shape, llvm), row("nvvm", shape, nvvm)]
    }

    fn choice(records: impl Into<Vec<Record>>) -> Choice {
        Choice::of(&[RecordFile { path: "h200/2026-11-30.jsonl".into(), records: records.into() }])
    }

    fn backend(records: impl Into<Vec<Record>>) -> &'static str {
        choice(records).backend(&["k_f32".to_owned()]).name()
    }

    #[test]
    fn nvvm_is_the_default_only_where_it_is_faster_by_more_than_a_hundredth() {
        assert_eq!(backend(both("8", 100.0, 98.9)), "nvvm");
        assert_eq!(backend(both("8", 100.0, 99.0)), "llvm");
        assert_eq!(backend(both("8", 100.0, 100.0)), "llvm");
        assert_eq!(backend(both("8", 100.0, 130.0)), "llvm");
    }

    #[test]
    fn shapes_count_by_their_geometric_mean_and_the_largest_is_shown() {
        let even = [both("8", 10.0, 5.0), both("64", 100.0, 200.0)].concat();
        assert_eq!(backend(even.clone()), "llvm");
        let faster = [even, both("16", 10.0, 9.0).to_vec()].concat();
        assert_eq!(backend(faster.clone()), "nvvm");
        let text = choice(faster).file();
        let want = "k_f32 = { backend = \"nvvm\", ratio = 0.9655, llvm_us = 100.000, nvvm_us = 200.000, shape = \"64\" }";
        assert_eq!(text.lines().last(), Some(want));
        assert!(text.contains("record = \"benches/record/h200/2026-11-30.jsonl\"\n\n[kernels]\n"), "{text}");
    }

    #[test]
    fn without_times_of_both_nothing_is_chosen() {
        let alone = choice([row("nvvm", "8", 1.0)]);
        assert_eq!((alone.file().as_str(), alone.backend(&["k_f32".to_owned()])), ("", Backend::Llvm));
        assert_eq!(alone.table(), "No record has the times of both back ends.\n");
        // Of different shapes, of different commits, of a run that measured nothing.
        assert!(choice([row("llvm", "8", 2.0), row("nvvm", "16", 1.0)]).kernels.is_empty());
        let other = Record { commit: "other".to_owned(), ..row("nvvm", "8", 1.0) };
        assert!(choice([row("llvm", "8", 2.0), other]).kernels.is_empty());
        assert!(choice(both("8", 0.0, 1.0)).kernels.is_empty());
    }

    #[test]
    fn the_newest_run_and_the_newest_file_with_both_count() {
        let again = both("8", 2.0, 3.0).map(|row| Record { commit: "a newer one".to_owned(), ..row });
        assert_eq!(backend([both("8", 2.0, 1.0), again.clone()].concat()), "llvm");
        assert_eq!(backend([again, both("8", 2.0, 1.0)].concat()), "nvvm");
        let file =
            |path: &str, records: &[Record]| RecordFile { path: path.into(), records: records.to_vec() };
        let files = [
            file("a100/2026-12-03.jsonl", &both("8", 1.0, 9.0)),
            file("h200/2026-11-30.jsonl", &both("8", 2.0, 1.0)),
            file("h200/2026-12-01.jsonl", &[row("llvm", "8", 2.0)]),
        ];
        let choice = Choice::of(&files);
        assert_eq!(choice.record, "benches/record/h200/2026-11-30.jsonl");
        assert_eq!(choice.backend(&["unknown".to_owned(), "k_f32".to_owned()]), Backend::Nvvm);
    }

    #[test]
    fn the_table_has_a_row_per_kernel() {
        let table = choice(both("8", 2.0, 1.0)).table();
        assert_eq!(table.lines().last(), Some("| `k_f32` | 8 | 2.00 us | 1.00 us | 0.5000 | nvvm |"));
    }
}
