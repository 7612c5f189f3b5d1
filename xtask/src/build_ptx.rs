//! `cargo xtask build-ptx`: the kernels to PTX, checked.

use ptx_builder::PtxBuilder;

use crate::error::Error;
use crate::workspace;

/// Options of the command.
#[derive(clap::Args, Default)]
pub struct Options {
    /// Architectures, such as sm_90a; sm_80, sm_90 and sm_90a where none is given
    #[arg(long, value_name = "SM", value_delimiter = ',')]
    arch: Vec<String>,
    /// The code generator
    #[arg(long, value_enum, default_value_t)]
    backend: Backend,
    /// A `--cfg` for every crate of the kernel build
    #[arg(long, value_name = "CFG")]
    cfg: Vec<String>,
    /// Do not ask the registry
    #[arg(long)]
    offline: bool,
}

/// Who writes the PTX.
#[derive(clap::ValueEnum, Clone, Copy, Default, PartialEq, Eq)]
enum Backend {
    /// The LLVM inside rustc
    #[default]
    Llvm,
    /// NVIDIA's libNVVM (`cargo xtask setup --nvvm`)
    Nvvm,
}

/// Builds and prints registers, spills and shared memory of every kernel.
pub fn run(options: &Options) -> Result<(), Error> {
    let backend = match options.backend {
        Backend::Llvm => ptx_builder::Backend::Llvm,
        Backend::Nvvm => ptx_builder::Backend::Nvvm,
    };
    let builder = options.cfg.iter().fold(PtxBuilder::new(workspace::kernels()), PtxBuilder::cfg);
    let report = builder.backend(backend).archs(&options.arch).offline(options.offline).build()?;
    print!("{report}");
    Ok(())
}

/// Builds the default set; one line per architecture.
pub fn default_set() -> Result<(), Error> {
    let report = PtxBuilder::new(workspace::kernels()).build()?;
    for arch in &report.archs {
        let (manifest, state) = (&arch.manifest, if arch.fresh { "unchanged" } else { "built" });
        eprintln!(
            "PTX {} for {}: {} entries, {state}",
            manifest.ptx_version,
            manifest.arch,
            manifest.entries.len()
        );
        for warning in &arch.warnings {
            eprintln!("warning: {warning}");
        }
    }
    Ok(())
}
