//! `cargo xtask sanitize`: the differential tests under all checks.

use crate::error::Error;
use crate::summary::Summary;
use crate::{build_ptx, bundle, process, test, workspace};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Run the tests whose name contains this
    filter: Option<String>,
    /// In the simulator: scheduling orders to try beside the usual one
    #[arg(long, value_name = "N", default_value_t = 2)]
    seeds: u64,
    /// In the simulator: print what each kernel did, once per architecture
    #[arg(long)]
    stats: bool,
    /// Use the simulator although there is a GPU
    #[arg(long)]
    sim: bool,
}

/// Architectures whose PTX is simulated.
const ARCHS: [&str; 2] = ["sm_80", "sm_90a"];

/// Lanes of the differential tests that are not meant here.
const OTHER_LANES: [&str; 4] = ["--skip", "cpu::", "--skip", "gpu_"];

/// Runs the simulator under several scheduling orders; compute-sanitizer where there is a GPU.
pub fn run(options: &Options) -> Result<(), Error> {
    match cuda_loader::availability() {
        Ok(_) if !options.sim => on_gpu(options),
        _ => in_simulator(options),
    }
}

/// What the bundle does on a machine without Rust.
fn on_gpu(options: &Options) -> Result<(), Error> {
    let mut tool = std::process::Command::new("compute-sanitizer");
    process::output(tool.arg("--version"))?;
    bundle::run()?;
    let mut command = std::process::Command::new(workspace::target().join("bundle/run-gpu.sh"));
    process::run(command.arg("sanitize").args(&options.filter))
}

fn in_simulator(options: &Options) -> Result<(), Error> {
    build_ptx::default_set()?;
    let mut runs = Vec::new();
    for arch in ARCHS {
        for seed in 0..=options.seeds {
            let name = format!("{arch}, seed {seed}");
            println!("{name}");
            runs.push((name, one_order(options, arch, seed)?));
        }
    }
    report(&runs)
}

fn one_order(options: &Options, arch: &str, seed: u64) -> Result<Summary, Error> {
    let mut command = process::cargo(["test", "--package", "tests", "--test", "differential", "--"]);
    command.args(OTHER_LANES).args(&options.filter);
    // The names are in host::sim, which the commands do not depend on.
    command.env("WARPSMITH_SIM_ARCH", arch).env("WARPSMITH_SIM_SEED", seed.to_string());
    command.env("WARPSMITH_SIM_STATS", u8::from(options.stats && seed == 0).to_string());
    let (summary, status) = test::counted(&mut command, is_news)?;
    if !status.success() && summary.failed == 0 {
        return Err(Error::Failed { command: process::line(&command), status });
    }
    if summary.passed + summary.failed == 0 {
        return Err(Error::NoTests { filter: options.filter.clone().unwrap_or_default() });
    }
    Ok(summary)
}

/// Whether a line says more than that a test passed.
fn is_news(line: &str) -> bool {
    !line.starts_with("test ") || !(line.ends_with("ok") || line.contains("... ignored"))
}

fn report(runs: &[(String, Summary)]) -> Result<(), Error> {
    println!();
    for (name, summary) in runs {
        summary.failures.iter().for_each(|failure| println!("failed: {name}: {failure}"));
        println!("{name}: {summary}");
    }
    let failed: u64 = runs.iter().map(|(_, summary)| summary.failed).sum();
    let passed: u64 = runs.iter().map(|(_, summary)| summary.passed).sum();
    println!("sanitize: {passed} passed, {failed} failed in {} runs of the simulator", runs.len());
    if failed == 0 { Ok(()) } else { Err(Error::Reported) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(failed: u64) -> Summary {
        let mut summary = Summary::default();
        summary.feed(&format!("test result: ok. 3 passed; {failed} failed; 0 ignored; 0 measured"));
        summary
    }

    #[test]
    fn one_failure_in_one_order_fails_it_all() {
        assert!(report(&[("a".to_owned(), summary(0)), ("b".to_owned(), summary(0))]).is_ok());
        let run = report(&[("a".to_owned(), summary(1)), ("b".to_owned(), summary(0))]);
        assert!(matches!(run, Err(Error::Reported)));
    }

    #[test]
    fn failures_and_notes_are_shown_and_passes_are_not() {
        assert!(
            is_news("test sim_llvm::a ... FAILED")
                && is_news("cases: sim_llvm 3")
                && is_news("a finding is ok")
        );
        assert!(
            !is_news("test sim_llvm::a ... ok") && !is_news("test sim_llvm::a ... ignored, skipped: why")
        );
    }
}
