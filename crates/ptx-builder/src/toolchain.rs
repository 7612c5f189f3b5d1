//! The Rust toolchain: which rustc and cargo, and whether they are in the range that works.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::error::BuildError;

/// The oldest rustc that works.
pub const MIN_RUSTC: (u32, u32) = (1, 95);
/// The LLVM that rustc must carry: the linker speaks its C API.
pub use ptx_linker::LLVM_MAJOR;

/// A rustc and the cargo beside it.
#[derive(Debug, Clone)]
pub struct Toolchain {
    /// The compiler.
    pub rustc: PathBuf,
    /// cargo of the same toolchain.
    pub cargo: PathBuf,
    /// `1.95.0`
    pub version: String,
    /// `22.1.2`
    pub llvm: String,
    /// `rustc --print sysroot`: libLLVM is taken from here and from nowhere else.
    pub sysroot: PathBuf,
    /// All that `rustc -vV` says.
    pub verbose: String,
}

impl Toolchain {
    /// The rustc that is used in `dir`, from `RUSTC` or the path, inside the supported range.
    ///
    /// # Errors
    /// rustc does not run, or it is out of range.
    pub fn discover(dir: &Path) -> Result<Self, BuildError> {
        let toolchain = Self::find(dir)?;
        toolchain.check_range()?;
        Ok(toolchain)
    }

    /// As [`Toolchain::discover`], of any version.
    ///
    /// # Errors
    /// rustc does not run.
    pub fn find(dir: &Path) -> Result<Self, BuildError> {
        let asked = std::env::var_os("RUSTC").map_or_else(|| PathBuf::from("rustc"), PathBuf::from);
        let verbose = run(&asked, &["-vV"], Some(dir))?;
        let sysroot = PathBuf::from(run(&asked, &["--print", "sysroot"], Some(dir))?.trim());
        let field = |name: &str| {
            verbose.lines().find_map(|line| line.strip_prefix(name)).map(|rest| rest.trim().to_owned())
        };
        let missing = || BuildError::RustcOutput { what: "-vV", output: verbose.clone() };
        let version = field("release:").ok_or_else(missing)?;
        let llvm = field("LLVM version:").ok_or_else(missing)?;
        // rustup's proxies start the real programs; going to them directly keeps rustc and cargo together.
        let own = |name: &str, otherwise: PathBuf| {
            let path = sysroot.join("bin").join(name);
            if path.is_file() { path } else { otherwise }
        };
        let cargo = std::env::var_os("CARGO").map_or_else(|| PathBuf::from("cargo"), PathBuf::from);
        let (rustc, cargo) = (own("rustc", asked), own("cargo", cargo));
        Ok(Self { rustc, cargo, version, llvm, sysroot, verbose })
    }

    /// Refuses a rustc older than [`MIN_RUSTC`] or with another LLVM than [`LLVM_MAJOR`].
    ///
    /// # Errors
    /// Both versions, and what to do.
    pub fn check_range(&self) -> Result<(), BuildError> {
        let old = numbers(&self.version) < MIN_RUSTC;
        if old || numbers(&self.llvm).0 != LLVM_MAJOR {
            return Err(BuildError::UnsupportedRustc {
                rustc: self.version.clone(),
                llvm: self.llvm.clone(),
            });
        }
        Ok(())
    }

    /// What rustc prints for `args`.
    pub(crate) fn print(&self, args: &[&str]) -> Result<String, BuildError> {
        run(&self.rustc, args, None)
    }
}

/// Major and minor of a version.
pub(crate) fn numbers(version: &str) -> (u32, u32) {
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    (parts.next().unwrap_or(0), parts.next().unwrap_or(0))
}

fn run(rustc: &Path, args: &[&str], dir: Option<&Path>) -> Result<String, BuildError> {
    let mut command = Command::new(rustc);
    command.args(args);
    if let Some(dir) = dir {
        command.current_dir(dir);
    }
    let program = rustc.display().to_string();
    let output = command.output().map_err(|source| BuildError::Start { program, source })?;
    if !output.status.success() {
        let command = format!("{} {}", rustc.display(), args.join(" "));
        let log = String::from_utf8_lossy(&output.stderr).into_owned();
        return Err(BuildError::Program { command, log });
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn toolchain(version: &str, llvm: &str) -> Toolchain {
        Toolchain {
            rustc: PathBuf::new(),
            cargo: PathBuf::new(),
            version: version.to_owned(),
            llvm: llvm.to_owned(),
            sysroot: PathBuf::new(),
            verbose: String::new(),
        }
    }

    #[test]
    fn the_supported_range() {
        assert!(toolchain("1.95.0", "22.1.2").check_range().is_ok());
        assert!(toolchain("1.97.0-nightly", "22.1.4").check_range().is_ok());
        for (rustc, llvm) in [("1.94.1", "22.1.0"), ("1.95.0", "21.1.0"), ("1.99.0", "23.0.0"), ("", "")] {
            let error = toolchain(rustc, llvm).check_range().expect_err("out of range");
            assert!(matches!(error, BuildError::UnsupportedRustc { .. }));
        }
    }
}
