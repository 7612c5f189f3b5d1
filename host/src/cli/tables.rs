//! `warpsmith tables`: the tables that are generated, of the README and of ARCHITECTURE.md.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::ValueEnum;

use super::choice::Choice;
use super::output;
use super::record::{Record, RecordFile, read_records};
use crate::error::Error;
use crate::ops::{self, DType};

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// Which table
    table: Table,
    /// Folder with the records [default: benches/record in the workspace]
    #[arg(long, value_name = "DIR")]
    records: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Table {
    /// Every op: kernels, element types, tolerance
    Kernels,
    /// The newest measurement of every op, shape and element type, per GPU, with the default back end
    Measured,
    /// The times of both back ends, kernel by kernel
    Backends,
    /// What `kernels-gpu/backends.toml` must hold; nothing where no record has both back ends
    BackendsFile,
}

/// Prints the table in Markdown.
///
/// # Errors
/// Standard output that takes nothing; records that cannot be read end with a message and exit code 1.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../benches/record");
    let files = match read_records(arguments.records.as_deref().unwrap_or(&workspace)) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("warpsmith: {error}");
            return Ok(ExitCode::FAILURE);
        }
    };
    output::print(&match arguments.table {
        Table::Kernels => kernels(),
        Table::Measured => measured(&files, &Choice::of(&files)),
        Table::Backends => Choice::of(&files).table(),
        Table::BackendsFile => Choice::of(&files).file(),
    })?;
    Ok(ExitCode::SUCCESS)
}

fn kernels() -> String {
    let mut text = String::from("| op | computes | kernels | types | tolerance |\n|---|---|---|---|---|\n");
    for op in ops::all() {
        let case = op.cases().into_iter().next();
        let types: Vec<&str> = op.dtypes().iter().map(|d| d.name()).collect();
        let tolerance = case.map_or_else(String::new, |case| {
            let tolerance = op.tolerance(op.dtypes().first().copied().unwrap_or(DType::F32), &case);
            format!("{tolerance}: {}", tolerance.reason)
        });
        let stems: Vec<String> = op.stems().iter().map(|stem| format!("`{stem}`")).collect();
        text += &format!(
            "| `{}::{}` | {} | {} | {} | {tolerance} |\n",
            op.family(),
            op.name(),
            op.formula(),
            stems.join(", "),
            types.join(", "),
        );
    }
    text
}

fn measured(files: &[RecordFile], choice: &Choice) -> String {
    let mut newest: BTreeMap<_, &Record> = BTreeMap::new();
    let records = files.iter().flat_map(|file| &file.records);
    // Times of one instance out of many decide for a back end; users of an op get the fastest.
    let of_ops = records.filter(|record| !record.shape.contains(" kernel "));
    for record in of_ops.filter(|record| record.codegen == choice.backend(&record.entries).name()) {
        let key = (&record.gpu, &record.op, &record.shape, &record.dtype);
        let slot = newest.entry(key).or_insert(record);
        if record.date >= slot.date {
            *slot = record;
        }
    }
    let mut text = String::from(
        "| GPU | op | shape | type | back end | time | rate | of the peak | baseline | ratio | record |\n\
         |---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for r in newest.values() {
        let or_dash = |value: Option<String>| value.unwrap_or_else(|| "–".to_owned());
        text += &format!(
            "| {} | `{}` | {} | {} | {} | {:.1} us | {:.0} {} | {} | {} | {} | {} {} |\n",
            r.gpu,
            r.op,
            r.shape,
            r.dtype,
            r.codegen,
            r.us,
            r.value,
            r.unit,
            or_dash(r.peak_share.map(|share| format!("{:.1} %", share * 100.0))),
            or_dash(r.baseline.clone().map(|b| match r.baseline_value {
                Some(value) => format!("{b}: {value:.0} {}", r.unit),
                None => b,
            })),
            or_dash(r.ratio.map(|ratio| format!("{ratio:.3}"))),
            r.date,
            r.commit,
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::record::tests::sample;
    use super::*;

    #[test]
    fn every_op_has_a_row() {
        let text = kernels();
        assert_eq!(text.lines().count(), 2 + ops::all().len());
        assert!(text.contains(
            "| `cross::hadamard` | y = a * b | `hadamard`, `hadamard_rows` | f32, f16, bf16 | 0 ulp: "
        ));
    }

    fn table(records: Vec<Record>) -> String {
        let files = [RecordFile { path: "h200/2026-11-29.jsonl".into(), records }];
        measured(&files, &Choice::of(&files))
    }

    #[test]
    fn of_both_back_ends_the_default_is_shown() {
        let llvm = |us| Record { us, ..sample("hadamard", "2026-11-29") };
        let nvvm = |us| Record { codegen: "nvvm".to_owned(), ..llvm(us) };
        let old = Record { entries: Vec::new(), us: 9.0, ..sample("hadamard", "2026-11-28") };
        let shown = |records: Vec<Record>| {
            let text = table(records);
            assert_eq!(text.lines().count(), 3, "{text}");
            text.lines().last().map(|row| row.split(" | ").skip(4).take(2).collect::<Vec<_>>().join(" "))
        };
        assert_eq!(shown(vec![old.clone(), llvm(4.0), nvvm(5.0)]).as_deref(), Some("llvm 4.0 us"));
        assert_eq!(shown(vec![old, llvm(4.0), nvvm(3.0)]).as_deref(), Some("nvvm 3.0 us"));
    }

    #[test]
    fn instances_that_were_chosen_by_hand_are_left_out() {
        let chosen = Record { shape: "1x99x1x32 kernel 3".to_owned(), ..sample("dtw_profile", "2026-11-29") };
        assert_eq!(table(vec![chosen, sample("hadamard", "2026-11-29")]).lines().count(), 3);
    }

    #[test]
    fn the_newest_record_of_each_measurement_counts() {
        let old = Record { us: 9.0, ..sample("hadamard", "2026-11-28") };
        let text = table(vec![sample("hadamard", "2026-11-29"), old, sample("hadamard_bwd", "2026-11-28")]);
        assert_eq!(text.lines().count(), 4);
        assert!(
            text.contains(
                "| 4.0 us | 1573 GB/s | – | torch.mul: 1000 GB/s | 1.573 | 2026-11-29 0123456789ab |"
            )
        );
    }
}
