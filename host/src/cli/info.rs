//! `warpsmith info`: devices, driver, PTX.

use std::process::ExitCode;

use super::find::PtxArguments;
use super::output;
use crate::artefacts::{Artefact, Artefacts, Backend, CudaVersion, Options, Target};
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
            Ok(gpu) => device(&gpu, options)?,
            Err(error) => line(&format!("device {ordinal}: {error}"))?,
        }
    }
    Ok(())
}

fn device(gpu: &Gpu, options: &Options) -> Result<(), Error> {
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
    line(&format!("  driver: CUDA {}", CudaVersion(info.driver)))?;
    let target = Target { compute: info.compute, driver: info.driver, preferred: None };
    taken(options, target).iter().try_for_each(|text| line(&format!("  {text}")))
}

/// What the device takes, or why nothing: of the back end that is asked for, else of each.
fn taken(options: &Options, target: Target) -> Vec<String> {
    let backends = match options.backend() {
        Ok(Some(backend)) => vec![backend],
        Ok(None) => Backend::ALL.to_vec(),
        Err(error) => return vec![format!("takes nothing: {error}")],
    };
    let of_one = |backend: Backend| {
        let options = Options { codegen: Some(backend.name().to_owned()), ..options.clone() };
        match Artefacts::find(&options, target) {
            Ok(found) => found.chosen().iter().map(|a| format!("takes {}", describe(a))).collect(),
            Err(error) => vec![format!("takes nothing by {backend}: {error}")],
        }
    };
    backends.into_iter().flat_map(of_one).collect()
}

fn artefacts(options: &Options) -> Result<(), Error> {
    match Artefacts::all(options) {
        Ok(all) if all.is_empty() => line("PTX: none found; run `cargo xtask build-ptx`"),
        Ok(all) => all.iter().try_for_each(|artefact| line(&format!("PTX: {}", describe(artefact)))),
        Err(error) => line(&format!("PTX: {error}")),
    }
}

/// `sm_90 by nvvm (PTX 9.0), default of 3 of 21 kernels, in target/ptx`
fn describe(artefact: &Artefact) -> String {
    let (arch, backend, version) = (artefact.arch(), artefact.backend(), artefact.ptx_version());
    let entries = &artefact.manifest().entries;
    let default = entries.values().filter(|info| info.default_backend == backend).count();
    let (count, place) = (entries.len(), artefact.place());
    format!("{arch} by {backend} (PTX {version}), default of {default} of {count} kernels, in {place}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artefacts::folder;

    #[test]
    fn each_back_end_is_told_with_what_it_is_the_default_of() {
        let artefacts = [("llvm", "sm_80", "7.4"), ("llvm", "sm_90", "7.8"), ("nvvm", "sm_90", "9.5")];
        let dir = folder(&artefacts, Backend::Nvvm);
        let options = Options { ptx: Some(dir.path().to_owned()), ..Options::default() };
        let lines = |driver| taken(&options, Target { compute: (9, 0), driver, preferred: None });
        let [llvm, nvvm] = &lines(13_000)[..] else { panic!("not two lines") };
        assert!(llvm.starts_with("takes sm_90 by llvm (PTX 7.8), default of 0 of 1 kernels, in "), "{llvm}");
        assert!(nvvm.starts_with("takes nothing by nvvm: ") && nvvm.contains("version 9.5"), "{nvvm}");
        let older = [("nvvm", "sm_90", "9.0")];
        let dir = folder(&older, Backend::Nvvm);
        let options = Options { ptx: Some(dir.path().to_owned()), codegen: Some("nvvm".into()), ..options };
        let lines = taken(&options, Target { compute: (9, 0), driver: 13_000, preferred: None });
        assert_eq!(lines.len(), 1);
        assert!(lines[0].contains("by nvvm (PTX 9.0), default of 1 of 1 kernels"), "{lines:?}");
        let options = Options { codegen: Some("gcc".into()), ..options };
        let lines = taken(&options, Target { compute: (9, 0), driver: 13_000, preferred: None });
        assert!(lines.len() == 1 && lines[0].starts_with("takes nothing: `gcc` is no back end"), "{lines:?}");
    }
}
