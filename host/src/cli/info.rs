//! `warpsmith info`: devices, driver, PTX.

use std::process::ExitCode;

use super::find::PtxArguments;
use super::output;
use crate::artefacts::{Artefacts, Options};
use crate::cpu;
use crate::driver::Gpu;
use crate::error::Error;

/// Options of the command.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    #[command(flatten)]
    ptx: PtxArguments,
}

/// Prints what there is; what is missing is part of the answer and no failure.
///
/// # Errors
/// Standard output that takes nothing.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    let options = arguments.ptx.options();
    line(&format!("cpu: {} threads, {}", rayon::current_num_threads(), cpu::vector_instructions()))?;
    devices(&options)?;
    artefacts(&options)?;
    Ok(ExitCode::SUCCESS)
}

fn line(text: &str) -> Result<(), Error> {
    output::print(&format!("{text}\n"))
}

fn devices(options: &Options) -> Result<(), Error> {
    let count = match Gpu::count() {
        Ok(count) => count,
        Err(error) => return line(&format!("device: none ({error})")),
    };
    for ordinal in 0..count {
        match Gpu::open_with(ordinal, options.clone()) {
            Ok(gpu) => device(&gpu)?,
            Err(error) => line(&format!("device {ordinal}: {error}"))?,
        }
    }
    Ok(())
}

fn device(gpu: &Gpu) -> Result<(), Error> {
    let info = gpu.info();
    line(&format!(
        "device {}: {}, {}, {} multiprocessors, {:.1} GiB, L2 {} MiB",
        info.ordinal,
        info.name,
        info.arch,
        info.sm_count,
        info.total_bytes as f64 / f64::from(1 << 30),
        info.l2_bytes >> 20,
    ))?;
    line(&format!("  driver: CUDA {}.{}", info.driver / 1000, info.driver % 1000 / 10))?;
    match gpu.artefacts() {
        Ok(chosen) => chosen.iter().try_for_each(|a| {
            line(&format!("  takes {} (PTX {}) from {}", a.arch(), a.ptx_version(), a.place()))
        }),
        Err(error) => line(&format!("  PTX: {error}")),
    }
}

fn artefacts(options: &Options) -> Result<(), Error> {
    match Artefacts::all(options) {
        Ok(all) if all.is_empty() => line("PTX: none found; run `cargo xtask build-ptx`"),
        Ok(all) => all.iter().try_for_each(|a| {
            let (arch, version, entries) = (a.arch(), a.ptx_version(), a.manifest().entries.len());
            line(&format!("PTX: {arch} (PTX {version}), {entries} entries, in {}", a.place()))
        }),
        Err(error) => line(&format!("PTX: {error}")),
    }
}
