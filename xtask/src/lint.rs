//! `cargo xtask lint`: format, clippy on the host, clippy on the device, documentation.

use ptx_builder::core_source::CoreSource;
use ptx_builder::toolchain::Toolchain;

use crate::error::Error;
use crate::{process, workspace};

/// The crates that are compiled for the device. A host run never sees what is behind `cfg(target_arch = "nvptx64")`.
const DEVICE_CRATES: [&str; 2] = ["gpu-std", "kernels-gpu"];

/// The architecture with the most code behind `cfg`.
const DEVICE_ARCH: &str = "sm_90a";

/// The library without the simulator, as a serving program may build it.
const SERVING: [&str; 7] = ["clippy", "--package", "host", "--no-default-features", "--", "-D", "warnings"];

/// Runs every check; the first that fails ends it.
pub fn run() -> Result<(), Error> {
    process::run(&mut process::cargo(["fmt", "--all", "--check"]))?;
    process::run(&mut process::cargo(["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    process::run(&mut process::cargo(SERVING))?;
    device()?;
    let mut docs = process::cargo(["doc", "--workspace", "--no-deps"]);
    process::run(docs.env("RUSTDOCFLAGS", "-D warnings"))
}

/// Clippy on the device code, with the compiler and the source of `core` that ptx-builder compiles it with.
fn device() -> Result<(), Error> {
    let toolchain = Toolchain::discover(workspace::root())?;
    let core = CoreSource::find(&toolchain, &workspace::target())?;
    let target_dir = workspace::target().join("ptx-build/lint");
    for name in DEVICE_CRATES {
        let mut command = process::cargo(["clippy", "--package", name, "--lib", "--profile", "ptx"]);
        command.args(["-Zbuild-std=core", "--target", ptx_builder::TARGET, "--target-dir"]).arg(&target_dir);
        command.args(["--", "-D", "warnings"]);
        command.env("RUSTC_BOOTSTRAP", "1").env_remove("RUSTFLAGS");
        command.env("CARGO_ENCODED_RUSTFLAGS", format!("-Ctarget-cpu={DEVICE_ARCH}"));
        if !matches!(core, CoreSource::Sysroot(_)) {
            command.env("__CARGO_TESTS_ONLY_SRC_ROOT", core.path());
        }
        process::run(&mut command)?;
    }
    Ok(())
}
