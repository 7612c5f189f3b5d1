//! Criterion over all ops, timed by events on the device; a record at the end.
//!
//! Baselines are taken from the files `baseline-*.json` in the folder that `WARPSMITH_BASELINES` names, where there is one.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::time::Duration;

use benches::{BenchError, Criteria, Stand, gpu_folder, today, write_records};
use criterion::Criterion;
use host::error::Error;

fn main() -> ExitCode {
    match run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(BenchError::Host(error @ (Error::NoDriver { .. } | Error::NoDevice { .. }))) => {
            println!("skipped: no CUDA driver ({error})");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("benches: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run() -> Result<(), BenchError> {
    // `cargo test` runs benches too, to see whether they start; there is nothing to time then.
    if !std::env::args().any(|arg| arg == "--bench") {
        return Ok(());
    }
    let stand = Stand::open(0)?;
    let mut measured = Criteria::new(&stand)?;
    let short = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(2));
    let mut criterion = short.sample_size(20).configure_from_args();
    for mut work in measured.work("")? {
        let name = work.name();
        let mut group = criterion.benchmark_group(name.as_str());
        group.bench_function("device", |bencher| bencher.iter_custom(|runs| work.time(runs)));
        group.finish();
        measured.keep(work)?;
    }
    criterion.final_summary();
    let folder = std::env::var_os("WARPSMITH_BASELINES").map(PathBuf::from);
    let records = measured.records(folder.as_deref(), &commit())?;
    let day = Path::new(&today()).with_extension("jsonl");
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("record").join(gpu_folder(stand.gpu())).join(day);
    write_records(&place, &records)?;
    println!("{} measurements recorded in {}", records.len(), place.display());
    Ok(())
}

fn commit() -> String {
    let output = Command::new("git").args(["describe", "--always", "--dirty", "--abbrev=12"]).output();
    let text = output
        .ok()
        .filter(|o| o.status.success())
        .map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned());
    text.unwrap_or_else(|| "unknown".to_owned())
}
