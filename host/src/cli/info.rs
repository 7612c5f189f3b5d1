//! `warpsmith info`: devices, driver, PTX.

use std::process::ExitCode;

use super::find::PtxArguments;
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
/// None so far.
pub fn run(arguments: &Arguments) -> Result<ExitCode, Error> {
    println!("cpu: {} threads, {}", rayon::current_num_threads(), cpu::vector_instructions());
    devices(&arguments.ptx.options());
    artefacts(&arguments.ptx.options());
    Ok(ExitCode::SUCCESS)
}

fn devices(options: &Options) {
    let count = match Gpu::count() {
        Ok(count) => count,
        Err(error) => return println!("device: none ({error})"),
    };
    for ordinal in 0..count {
        match Gpu::open_with(ordinal, options.clone()) {
            Ok(gpu) => device(&gpu),
            Err(error) => println!("device {ordinal}: {error}"),
        }
    }
}

fn device(gpu: &Gpu) {
    let info = gpu.info();
    println!(
        "device {}: {}, {}, {} multiprocessors, {:.1} GiB, L2 {} MiB",
        info.ordinal,
        info.name,
        info.arch,
        info.sm_count,
        info.total_bytes as f64 / f64::from(1 << 30),
        info.l2_bytes >> 20,
    );
    println!("  driver: CUDA {}.{}", info.driver / 1000, info.driver % 1000 / 10);
    match gpu.artefacts() {
        Ok(chosen) => chosen
            .iter()
            .for_each(|a| println!("  takes {} (PTX {}) from {}", a.arch(), a.ptx_version(), a.place())),
        Err(error) => println!("  PTX: {error}"),
    }
}

fn artefacts(options: &Options) {
    match Artefacts::all(options) {
        Ok(all) if all.is_empty() => println!("PTX: none found; run `cargo xtask build-ptx`"),
        Ok(all) => all.iter().for_each(|a| {
            let entries = a.manifest().entries.len();
            println!("PTX: {} (PTX {}), {entries} entries, in {}", a.arch(), a.ptx_version(), a.place());
        }),
        Err(error) => println!("PTX: {error}"),
    }
}
