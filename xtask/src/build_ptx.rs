//! `cargo xtask build-ptx`: the kernels to PTX, checked.

use std::collections::BTreeSet;

use cuda_loader::Driver;
use ptx_builder::manifest::Manifest;
use ptx_builder::{Backend, BuildReport, PtxBuilder, backend};

use crate::error::Error;
use crate::workspace;

/// Options of the command.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Architectures, such as sm_90a; the default set where none is given
    #[arg(long, value_name = "SM", value_delimiter = ',')]
    arch: Vec<String>,
    /// Who writes the PTX; LLVM, and libNVVM where it is found, unless one is given
    #[arg(long, value_enum)]
    backend: Option<Choice>,
    /// A `--cfg` for every crate of the kernel build
    #[arg(long, value_name = "CFG")]
    cfg: Vec<String>,
    /// Do not ask the registry
    #[arg(long)]
    offline: bool,
}

/// Who writes the PTX.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq)]
enum Choice {
    /// The LLVM inside rustc
    Llvm,
    /// NVIDIA's libNVVM (`cargo xtask setup --nvvm`)
    Nvvm,
    /// Both
    All,
}

/// Builds and prints registers, spills and shared memory of every kernel.
pub fn run(options: &Options) -> Result<(), Error> {
    let backends = match options.backend {
        Some(Choice::Llvm) => vec![Backend::Llvm],
        Some(Choice::Nvvm) => vec![Backend::Nvvm],
        Some(Choice::All) => Backend::ALL.to_vec(),
        None => available()?,
    };
    let builder = options.cfg.iter().fold(PtxBuilder::new(workspace::kernels()), PtxBuilder::cfg);
    let report = builder.backends(backends).archs(&options.arch).offline(options.offline).build()?;
    print!("{report}");
    warn_of_driver(&report);
    Ok(())
}

/// Builds the default set by every back end that is here; one line for each and architecture.
pub fn default_set() -> Result<(), Error> {
    let report = PtxBuilder::new(workspace::kernels()).backends(available()?).build()?;
    for arch in &report.archs {
        let (manifest, state) = (&arch.manifest, if arch.fresh { "unchanged" } else { "built" });
        let Manifest { ptx_version, arch: name, .. } = manifest;
        let (backend, count) = (arch.backend, manifest.entries.len());
        eprintln!("PTX {ptx_version} for {name} by {backend}: {count} entries, {state}");
        for warning in &arch.warnings {
            eprintln!("warning: {warning}");
        }
    }
    warn_of_driver(&report);
    Ok(())
}

/// Tells where the driver of this machine does not take what libNVVM wrote.
fn warn_of_driver(report: &BuildReport) {
    let Some(driver) = cuda_loader::availability().ok().and_then(Driver::version) else { return };
    let by_nvvm = report.archs.iter().filter(|arch| arch.backend == Backend::Nvvm);
    let versions: BTreeSet<&str> = by_nvvm.map(|arch| arch.manifest.ptx_version.as_str()).collect();
    for why in versions.into_iter().filter_map(|ptx| backend::too_new_for_driver(ptx, driver)) {
        eprintln!("warning: {why}");
    }
}

/// LLVM, and libNVVM where it is found. Where it is not, says so, and takes away what it wrote of older sources.
fn available() -> Result<Vec<Backend>, Error> {
    let backends = backend::available(&workspace::target())?;
    if !backends.contains(&Backend::Nvvm) {
        eprintln!("skipped: PTX by libNVVM, which is not here; `cargo xtask setup --nvvm` fetches it");
        remove_stale(Backend::Nvvm)?;
    }
    Ok(backends)
}

/// PTX that cannot be built again here and no longer belongs to the sources would be refused by every program.
fn remove_stale(backend: Backend) -> Result<(), Error> {
    for dir in workspace::artefact_dirs(backend) {
        let stale = match Manifest::read(&dir.join(ptx_builder::manifest::FILE_NAME)) {
            Ok(manifest) => manifest.changed_source().map(|source| format!("{source} has changed")),
            Err(error) => Some(error.to_string()),
        };
        if let Some(why) = stale {
            std::fs::remove_dir_all(&dir).map_err(Error::io("remove", &dir))?;
            eprintln!("removed {}: {why}", dir.display());
        }
    }
    Ok(())
}
