//! `cargo xtask setup`: what a build can use and the machine does not have, fetched under `target/`.

use ptx_builder::core_source::CoreSource;
use ptx_builder::toolchain::Toolchain;

use crate::error::Error;
use crate::workspace;

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Also fetch NVIDIA's assembler from PyPI: builds then check registers and spills
    #[arg(long)]
    ptxas: bool,
    /// Also fetch NVIDIA's libNVVM from PyPI, for `build-ptx --backend nvvm`; of this version if one is given
    #[arg(long, value_name = "VERSION", num_args = 0..=1, default_missing_value = ptx_builder::setup::NVVM_VERSION)]
    nvvm: Option<String>,
}

/// Fetches the source of `core` where it is missing, and ptxas where it is asked for.
pub fn run(options: &Options) -> Result<(), Error> {
    let toolchain = Toolchain::discover(workspace::root())?;
    let core = CoreSource::find(&toolchain, &workspace::target())?;
    println!("core source  {}", core.path().display());
    if options.ptxas {
        let ptxas = ptx_builder::setup::ptxas(&workspace::target())?;
        println!("ptxas        {} at {}", ptxas.version, ptxas.path.display());
    }
    if let Some(version) = &options.nvvm {
        let library = ptx_builder::setup::nvvm(&workspace::target(), version)?;
        println!("libNVVM      {version} at {}", library.display());
    }
    Ok(())
}
