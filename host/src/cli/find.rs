//! Options that several commands share: which back end, which PTX, which data.

use std::env;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::artefacts::{Arch, Backend as PtxBackend, Options};
use crate::backend::{Backend, Selection};
use crate::driver::Gpu;
use crate::error::Error;
#[cfg(feature = "sim")]
use crate::sim::{Sim, SimOptions};

/// A back end by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum BackendName {
    /// The GPU if there is one, else the CPU
    Auto,
    /// The GPU
    Cuda,
    /// The processor
    Cpu,
    /// The simulator, which runs the PTX; slow
    #[cfg(feature = "sim")]
    Sim,
}

/// Which PTX to load.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PtxArguments {
    /// Folder with the PTX [default: beside the program, then the workspace's target/ptx, then the program itself]
    #[arg(long, value_name = "DIR")]
    ptx: Option<PathBuf>,
    /// Architecture of the PTX [default: the newest that the device runs]
    #[arg(long, value_name = "ARCH")]
    arch: Option<Arch>,
    /// Who wrote the PTX, llvm or nvvm [default: what WARPSMITH_CODEGEN names, then each kernel's own]
    #[arg(long, value_name = "NAME")]
    codegen: Option<PtxBackend>,
}

impl PtxArguments {
    /// The same for the library.
    pub fn options(&self) -> Options {
        let codegen = self.codegen.map(|backend| backend.name().to_owned());
        Options { ptx: self.ptx.clone(), arch: self.arch, codegen, ..Options::default() }
    }

    /// The same for the simulator, over what the environment says.
    ///
    /// # Errors
    /// An environment variable that means nothing.
    #[cfg(feature = "sim")]
    pub fn sim_options(&self) -> Result<SimOptions, Error> {
        let mut options = SimOptions::from_environment()?;
        let arch = self.arch.or(options.ptx.arch);
        options.ptx = Options { arch, ..self.options() };
        Ok(options)
    }
}

/// Where to compute.
#[derive(Clone, Debug, clap::Args)]
pub struct BackendArguments {
    /// Where to compute
    #[arg(long, value_enum, default_value = "auto")]
    backend: BackendName,
    /// Number of the device
    #[arg(long, value_name = "N", default_value_t = 0)]
    device: u32,
    /// Which PTX to load.
    #[command(flatten)]
    pub ptx: PtxArguments,
}

impl BackendArguments {
    /// Opens it.
    ///
    /// # Errors
    /// As [`select`].
    pub fn select(&self) -> Result<Selection, Error> {
        select(self.backend, self.device, &self.ptx)
    }
}

/// Opens the back end asked for. [`BackendName::Auto`] goes to the CPU where the GPU cannot be opened, with the reason.
///
/// # Errors
/// A GPU that was asked for and cannot be opened, or no PTX for the simulator that was.
fn select(name: BackendName, ordinal: u32, ptx: &PtxArguments) -> Result<Selection, Error> {
    if name == BackendName::Cpu {
        return Ok(Selection { backend: Backend::Cpu, reason: None });
    }
    #[cfg(feature = "sim")]
    if name == BackendName::Sim {
        let sim = Sim::open_with(ptx.sim_options()?)?;
        return Ok(Selection { backend: Backend::Sim(sim), reason: None });
    }
    match Gpu::open_with(ordinal, ptx.options()) {
        Ok(gpu) => Ok(Selection { backend: Backend::Cuda(gpu), reason: None }),
        Err(reason) if name == BackendName::Auto => {
            Ok(Selection { backend: Backend::Cpu, reason: Some(reason) })
        }
        Err(error) => Err(error),
    }
}

/// The folder with the data: the one given, `data` here, beside the program, or in the workspace.
pub fn data_folder(given: Option<&Path>) -> PathBuf {
    if let Some(folder) = given {
        return folder.to_owned();
    }
    let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(|dir| dir.join("data")));
    let workspace = Path::new(env!("CARGO_MANIFEST_DIR")).join("../data");
    let usual = [Some(PathBuf::from("data")), beside, Some(workspace)];
    let found = usual.into_iter().flatten().find(|folder| folder.join(super::inputs::CREDIT_FILE).is_file());
    found.unwrap_or_else(|| PathBuf::from("data"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_given_is_taken_as_it_is() {
        assert_eq!(data_folder(Some(Path::new("no/such"))), Path::new("no/such"));
    }

    #[test]
    fn the_cpu_asked_for_needs_no_reason() {
        let selection = select(BackendName::Cpu, 99, &PtxArguments::default()).expect("it is always there");
        assert!(matches!(selection.backend, Backend::Cpu) && selection.reason.is_none());
    }

    #[test]
    fn auto_on_a_device_that_is_not_there_goes_to_the_cpu_and_says_why() {
        let selection = select(BackendName::Auto, 9999, &PtxArguments::default()).expect("it falls back");
        assert!(matches!(selection.backend, Backend::Cpu) && selection.reason.is_some());
        assert!(select(BackendName::Cuda, 9999, &PtxArguments::default()).is_err());
    }
}
