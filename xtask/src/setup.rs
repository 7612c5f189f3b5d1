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
    Ok(())
}
