//! Why a build failed.

use std::io;
use std::path::PathBuf;

use ptx_parse::manifest::UnknownBackend;

use crate::fault::{Fault, list_faults};
use crate::toolchain::{LLVM_MAJOR, MIN_RUSTC};

/// Why a build failed, and what to do next.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// A program that is needed does not start.
    #[error("cannot start `{program}`: {source}; is it installed and on the path?")]
    Start {
        /// The program.
        program: String,
        /// What the system says.
        source: io::Error,
    },
    /// A program failed.
    #[error("`{command}` failed:\n{log}")]
    Program {
        /// The command line.
        command: String,
        /// What it printed.
        log: String,
    },
    /// rustc answered something else than expected.
    #[error("`rustc {what}` printed what ptx-builder does not understand:\n{output}")]
    RustcOutput {
        /// The question.
        what: &'static str,
        /// The answer.
        output: String,
    },
    /// rustc or its LLVM is out of range.
    #[error(
        "rustc {rustc} with LLVM {llvm} is not supported: kernels need rustc {}.{} or newer with LLVM {LLVM_MAJOR}; \
         install it with `rustup toolchain install {}.{}.0`",
        MIN_RUSTC.0, MIN_RUSTC.1, MIN_RUSTC.0, MIN_RUSTC.1
    )]
    UnsupportedRustc {
        /// rustc's version.
        rustc: String,
        /// Its LLVM's version.
        llvm: String,
    },
    /// No architecture of this name.
    #[error("rustc knows no architecture `{arch}`; it knows {}", known.join(", "))]
    UnknownArch {
        /// What was asked for.
        arch: String,
        /// What there is.
        known: Vec<String>,
    },
    /// The source of `core` is nowhere to be found.
    #[error("the source of `core` for rustc {rustc} is needed to compile kernels and was not found:\n{}", tried.join("\n"))]
    CoreSource {
        /// rustc's version.
        rustc: String,
        /// Each place and what to do about it.
        tried: Vec<String>,
    },
    /// The kernel crate cannot be used.
    #[error("{} is no kernel crate: {reason}", dir.display())]
    KernelCrate {
        /// Its folder.
        dir: PathBuf,
        /// Why.
        reason: String,
    },
    /// cargo, rustc or the linker failed.
    #[error("the kernels do not compile for {arch}\n  command: {command}\n  flags: {}\n{log}", flags.join(" "))]
    Compile {
        /// The architecture.
        arch: String,
        /// The command line, with the environment it needs.
        command: String,
        /// rustc's flags.
        flags: Vec<String>,
        /// What cargo, rustc and the linker printed.
        log: String,
    },
    /// The linker's report is missing or malformed.
    #[error("the linker left no usable report at {}: {reason}", path.display())]
    LinkReport {
        /// The report.
        path: PathBuf,
        /// Why.
        reason: String,
    },
    /// The PTX does not parse.
    #[error("the PTX of family `{family}` for {arch} is not what ptx-parse knows: {source}\n  {line}")]
    Ptx {
        /// The architecture.
        arch: String,
        /// The family.
        family: String,
        /// Where and what.
        source: Box<ptx_parse::ParseError>,
        /// That line of the PTX.
        line: String,
    },
    /// The checks after the link found something.
    #[error("{} kernel check(s) failed:\n{}", faults.len(), list_faults(faults))]
    Checks {
        /// Everything that was found.
        faults: Vec<Fault>,
    },
    /// ptxas refuses the PTX.
    #[error("ptxas refuses family `{family}` for {arch}\n  command: {command}\n{log}")]
    Ptxas {
        /// The architecture.
        arch: String,
        /// The family.
        family: String,
        /// The command line.
        command: String,
        /// What ptxas printed.
        log: String,
    },
    /// ptxas lets `wgmma` instructions wait for each other.
    #[error(
        "ptxas serialises `wgmma` instructions of family `{family}` for {arch}: {remark}\n  leave the accumulators alone between `wgmma_fence` and `wgmma_wait_group`"
    )]
    Serialised {
        /// The architecture.
        arch: String,
        /// The family.
        family: String,
        /// What ptxas says, with the kernel.
        remark: String,
    },
    /// A file or folder cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// `read`, `write`, …
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A TOML file that is none.
    #[error("{}: {source}", path.display())]
    Toml {
        /// The file.
        path: PathBuf,
        /// Where and what.
        source: Box<toml::de::Error>,
    },
    /// `backends.toml` gives a kernel a back end that does not exist.
    #[error("{}: kernel `{entry}`: {source}", path.display())]
    DefaultBackend {
        /// The file.
        path: PathBuf,
        /// The kernel.
        entry: String,
        /// Its back end.
        source: UnknownBackend,
    },
    /// `backends.toml` names kernels that do not exist.
    #[error(
        "{}: there is no kernel `{}` on any architecture: take the line out, or run `cargo xtask bless`",
        path.display(),
        entries.join("`, `")
    )]
    DefaultOfNoKernel {
        /// The file.
        path: PathBuf,
        /// The kernels.
        entries: Vec<String>,
    },
    /// The back end `nvvm` without libNVVM.
    #[error("the back end `nvvm` needs libNVVM and there is none\n{}", tried.join("\n"))]
    NoLibNvvm {
        /// Ways to get one.
        tried: Vec<String>,
    },
    /// An optional part cannot be fetched.
    #[error("cannot fetch {what}: {reason}\n{}", other_ways.join("\n"))]
    Setup {
        /// The part.
        what: String,
        /// Why.
        reason: String,
        /// Other ways to get it.
        other_ways: Vec<String>,
    },
    /// A variable that names a program or folder names none.
    #[error("{variable} is `{value}`, which is no {what}: correct it or unset it")]
    Variable {
        /// The environment variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it should be.
        what: &'static str,
    },
}

impl BuildError {
    /// For `map_err` on file operations.
    pub(crate) fn io(action: &'static str, path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::Io { action, path, source }
    }
}
