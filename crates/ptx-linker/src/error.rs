//! Everything that can go wrong, each with the thing, its value and the next step.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::PathBuf;

use crate::report::Unresolved;

/// Why a link failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// An option that takes a value is the last argument.
    #[error("option `{option}` needs a value after it")]
    MissingValue {
        /// The option.
        option: String,
    },
    /// An argument this linker does not know.
    #[error(
        "unknown argument `{argument}`; ptx-linker takes what rustc passes to an `llbc` linker, so remove the `-C link-arg` that adds it"
    )]
    UnknownArgument {
        /// The argument.
        argument: String,
    },
    /// An argument or variable that is no UTF-8.
    #[error("`{text}` is not UTF-8; rename the folder or file")]
    NotUtf8 {
        /// What can be read of it.
        text: String,
    },
    /// A required argument is absent.
    #[error("argument `{argument}` is missing; rustc passes it when ptx-linker is its `-C linker`")]
    MissingArgument {
        /// The argument.
        argument: &'static str,
    },
    /// No object or archive was given.
    #[error("no object file to link; give at least one bitcode object")]
    NoInput,
    /// A target this linker cannot make code for.
    #[error("target `{target}` is not supported; ptx-linker makes PTX for `nvptx64-nvidia-cuda`")]
    Target {
        /// The target.
        target: String,
    },
    /// An architecture that is no `sm_NN`, or that this LLVM does not know.
    #[error(
        "architecture `{cpu}` is unknown to LLVM {llvm}; `rustc --print target-cpus --target nvptx64-nvidia-cuda` lists what it knows"
    )]
    Architecture {
        /// The architecture asked for.
        cpu: String,
        /// Version of the LLVM that was asked.
        llvm: String,
    },
    /// A PTX version that this LLVM does not know.
    #[error(
        "PTX version `{version}` is unknown to LLVM {llvm}; WARPSMITH_PTX_VERSION takes digits such as 78, at most 90"
    )]
    PtxVersion {
        /// The version asked for.
        version: String,
        /// Version of the LLVM that was asked.
        llvm: String,
    },
    /// An environment variable that must be set is not.
    #[error("environment variable {name} is not set; set it to {meaning}")]
    MissingVariable {
        /// Its name.
        name: &'static str,
        /// What it must hold.
        meaning: &'static str,
    },
    /// A file could not be read.
    #[error("cannot read `{path}`: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// A file could not be written.
    #[error("cannot write `{path}`: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The sysroot has no readable `lib` folder.
    #[error(
        "cannot read `lib` of the Rust sysroot `{sysroot}`: {source}; set WARPSMITH_SYSROOT to what `rustc --print sysroot` prints"
    )]
    Sysroot {
        /// The sysroot given.
        sysroot: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// The sysroot has no libLLVM.
    #[error(
        "no libLLVM in `{folder}`; a rustc whose LLVM is a shared library is needed, such as rustup's for Linux"
    )]
    NoLlvm {
        /// Where it was looked for.
        folder: PathBuf,
    },
    /// The sysroot has more than one libLLVM of the wanted version.
    #[error("{} libLLVM of the wanted version in `{folder}`: {found:?}; keep one", found.len())]
    SeveralLlvm {
        /// Where they are.
        folder: PathBuf,
        /// The files.
        found: Vec<PathBuf>,
    },
    /// libLLVM could not be opened.
    #[error("cannot open `{path}`: {}", loaders_words(source))]
    OpenLlvm {
        /// The library.
        path: PathBuf,
        /// The loader's reason.
        source: libloading::Error,
    },
    /// libLLVM lacks a function.
    #[error("`{path}` has no function `{function}`; it is not the libLLVM of rustc 1.95")]
    MissingFunction {
        /// The library.
        path: PathBuf,
        /// The function.
        function: &'static str,
    },
    /// The version to compare with is no version.
    #[error(
        "`{text}` is not an LLVM version such as 22.1.2; set WARPSMITH_LLVM_VERSION to the `LLVM version` of `rustc -vV`"
    )]
    VersionText {
        /// The text given.
        text: String,
    },
    /// libLLVM is not the one rustc was built with.
    #[error(
        "`{path}` is LLVM {found}, but this rustc is built with LLVM {want}; WARPSMITH_SYSROOT must be the sysroot of the rustc that compiled the kernels"
    )]
    VersionMismatch {
        /// The library.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The version asked for.
        want: String,
    },
    /// libLLVM is of a version this linker was not written for.
    #[error("`{path}` is LLVM {found}, but ptx-linker is written for LLVM {known}; use rustc 1.95")]
    UnknownLlvm {
        /// The library.
        path: PathBuf,
        /// Its version.
        found: String,
        /// The major version known.
        known: u32,
    },
    /// Another libLLVM is already open in this process.
    #[error(
        "this process uses `{loaded}` and cannot open `{asked}` too; link for the second toolchain in another process"
    )]
    SecondLlvm {
        /// The library in use.
        loaded: PathBuf,
        /// The library asked for.
        asked: PathBuf,
    },
    /// An input is neither bitcode nor an archive.
    #[error(
        "`{path}` is neither LLVM bitcode nor an archive; compile it for nvptx64-nvidia-cuda with the same rustc"
    )]
    NotBitcode {
        /// The file.
        path: PathBuf,
    },
    /// An input is bitcode that LLVM cannot read.
    #[error("LLVM cannot read `{path}`: {reason}")]
    Parse {
        /// The file, and the member if it is an archive.
        path: String,
        /// LLVM's reason.
        reason: String,
    },
    /// An archive is damaged.
    #[error("archive `{path}` is damaged at byte {offset}: {reason}")]
    Archive {
        /// The file.
        path: PathBuf,
        /// Where.
        offset: usize,
        /// What is wrong there.
        reason: &'static str,
    },
    /// Two inputs do not fit together.
    #[error("cannot link `{path}`: {reason}")]
    Link {
        /// The file, and the member if it is an archive.
        path: String,
        /// LLVM's reason.
        reason: String,
    },
    /// A kernel record is not the JSON object it must be.
    #[error(
        "kernel record `{symbol}` in `.warpsmith.kernels` is unreadable: {reason}; gpu-std-macros and ptx-linker must be of one version"
    )]
    Record {
        /// The static that holds the record.
        symbol: String,
        /// What is wrong.
        reason: String,
    },
    /// A kernel record of a version this linker does not know.
    #[error(
        "kernel record `{symbol}` has version {version}, ptx-linker knows version {known}; use gpu-std-macros and ptx-linker of one version"
    )]
    RecordVersion {
        /// The static that holds the record.
        symbol: String,
        /// Its version.
        version: String,
        /// The version known.
        known: u64,
    },
    /// Two records describe one entry.
    #[error("entry `{entry}` is declared twice, in `{first}` and in `{second}`; rename one of the kernels")]
    DuplicateEntry {
        /// The entry.
        entry: String,
        /// Module of the first.
        first: String,
        /// Module of the second.
        second: String,
    },
    /// A record's entry does not exist as a kernel.
    #[error(
        "entry `{entry}` of module `{module}` has a kernel record but no `extern \"ptx-kernel\"` function; is it removed by a `cfg` that its record does not have?"
    )]
    MissingEntry {
        /// The entry.
        entry: String,
        /// Its module.
        module: String,
    },
    /// A kernel has no record although others do.
    #[error(
        "kernel `{entry}` has no record in `.warpsmith.kernels` although other kernels have; write it with `#[kernel]`"
    )]
    UnrecordedEntry {
        /// The entry.
        entry: String,
    },
    /// A name that cannot stand in PTX or be a file.
    #[error("{what} `{name}` must consist of letters, digits and `_` and not begin with a digit")]
    Name {
        /// Entry, family or symbol.
        what: &'static str,
        /// The name.
        name: String,
    },
    /// A record's parameters are not those of its function.
    #[error(
        "entry `{entry}`: its record describes {expected} PTX parameters ({described}), its function has {found}; write it with `#[kernel]` alone"
    )]
    ParameterCount {
        /// The entry.
        entry: String,
        /// The number of parameters in the record.
        expected: usize,
        /// The names in the record.
        described: String,
        /// The number of parameters of the function.
        found: usize,
    },
    /// A parameter that must be an address is none.
    #[error(
        "entry `{entry}`: parameter `{parameter}` is recorded as {kind}, but the function takes no pointer there"
    )]
    ParameterKind {
        /// The entry.
        entry: String,
        /// The parameter.
        parameter: String,
        /// `slice`, `grid_mut` or `ptr`.
        kind: String,
    },
    /// A record's number is out of its range.
    #[error("entry `{entry}`: {field} = {value} is out of range: {limit}")]
    RecordValue {
        /// The entry.
        entry: String,
        /// The field.
        field: &'static str,
        /// Its value.
        value: String,
        /// What is allowed.
        limit: &'static str,
    },
    /// The kernel crate has no kernel.
    #[error("there is no kernel and no exported symbol to link; mark a public function with `#[kernel]`")]
    NoEntry,
    /// A shared static has an initial value.
    #[error(
        "static `{name}` in `.shared` has an initial value, shared memory cannot: leave it uninitialised (`SharedCell::new()`) and write it in the kernel"
    )]
    SharedValue {
        /// The static.
        name: String,
    },
    /// The address of shared memory is stored in a constant.
    #[error(
        "static `{holder}` stores the address of shared memory `{name}`, which is no constant; take the address inside the kernel"
    )]
    SharedAddress {
        /// The shared static.
        name: String,
        /// The static that holds its address.
        holder: String,
    },
    /// The module broke LLVM's rules.
    #[error("the module is invalid {step}: {reason}")]
    Invalid {
        /// After which step.
        step: String,
        /// LLVM's reason.
        reason: String,
    },
    /// A pass or the code generator refused the module.
    #[error("LLVM failed {step}: {reason}")]
    Codegen {
        /// During which step.
        step: String,
        /// LLVM's reason.
        reason: String,
    },
    /// An atomic instruction that PTX does not have.
    #[error("function `{}`: {reason}, in `{code}`; gpu_std::atomic has what PTX has", demangled(function))]
    Atomic {
        /// The function's symbol.
        function: String,
        /// The instruction.
        code: String,
        /// What is missing.
        reason: String,
    },
    /// A conversion between floating point and 128 bits.
    #[error(
        "function `{}` converts between floating point and 128 bits, which PTX cannot, in `{code}`; go by way of u64",
        demangled(function)
    )]
    WideConversion {
        /// The function's symbol.
        function: String,
        /// The instruction.
        code: String,
    },
    /// A back end that does not exist.
    #[error("back end `{name}` is unknown; WARPSMITH_BACKEND takes llvm or nvvm")]
    Backend {
        /// The name given.
        name: String,
    },
    /// libNVVM could not be opened.
    #[error(
        "cannot open libNVVM `{path}`: {}; `cargo xtask setup --nvvm` fetches one",
        loaders_words(source)
    )]
    OpenNvvm {
        /// The library.
        path: PathBuf,
        /// The loader's reason.
        source: libloading::Error,
    },
    /// libNVVM's file is not all there.
    #[error(
        "libNVVM `{path}` is cut off: {found} bytes of {need}; remove it, and `cargo xtask setup --nvvm` fetches it again"
    )]
    NvvmCut {
        /// The library.
        path: PathBuf,
        /// Its bytes.
        found: u64,
        /// Bytes that it must have.
        need: u64,
    },
    /// libNVVM lacks a function.
    #[error("`{path}` has no function `{function}`; it is not a libNVVM of CUDA 12 or 13")]
    NvvmFunction {
        /// The library.
        path: PathBuf,
        /// The function.
        function: &'static str,
    },
    /// Code that libNVVM's dialect has no words for.
    #[error("{place} cannot be written for libNVVM: {reason}{}", in_code(code))]
    Inexpressible {
        /// The function or static.
        place: String,
        /// The instruction, empty where none is at fault.
        code: String,
        /// What is missing.
        reason: String,
    },
    /// libNVVM reads an older NVVM IR.
    #[error(
        "libNVVM `{path}` reads NVVM IR {found}, {need} is written for it; `cargo xtask setup --nvvm` fetches a newer one"
    )]
    NvvmTooOld {
        /// The library.
        path: PathBuf,
        /// The version it reads.
        found: String,
        /// The version that is written.
        need: String,
    },
    /// libNVVM does not know the architecture.
    #[error(
        "libNVVM `{path}` has no code generator for {arch}: {log}; take another architecture, or a newer libNVVM with `cargo xtask setup --nvvm VERSION`"
    )]
    NvvmArchitecture {
        /// The library.
        path: PathBuf,
        /// The architecture.
        arch: String,
        /// Its log.
        log: String,
    },
    /// libNVVM refused the module.
    #[error("libNVVM failed {step} for {arch}{}: {log}", in_function(function))]
    Nvvm {
        /// During which step.
        step: String,
        /// The architecture.
        arch: String,
        /// The symbol of the function that the log speaks of.
        function: Option<String>,
        /// Its log.
        log: String,
    },
    /// Functions or statics that nothing defines.
    #[error("{}", describe(symbols))]
    Undefined {
        /// Each symbol with its users.
        symbols: Vec<Unresolved>,
    },
}

/// A symbol as the source spells it, without the hash of its crate.
pub(crate) fn demangled(symbol: &str) -> String {
    format!("{:#}", rustc_demangle::demangle(symbol))
}

fn in_function(symbol: &Option<String>) -> String {
    symbol.as_deref().map_or_else(String::new, |symbol| format!(", in function `{}`", demangled(symbol)))
}

/// The dynamic linker's own words, where libloading has them: its text names the call alone.
fn loaders_words(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

fn in_code(code: &str) -> String {
    if code.is_empty() { String::new() } else { format!(", in `{code}`") }
}

fn describe(symbols: &[Unresolved]) -> String {
    let mut text = String::from("undefined:");
    for (index, symbol) in symbols.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let users = symbol.users.iter().map(|user| format!("`{user}`")).collect::<Vec<_>>().join(", ");
        let _ = if users.is_empty() {
            write!(text, "{comma} `{}`", symbol.name)
        } else {
            write!(text, "{comma} `{}` (used by {users})", symbol.name)
        };
    }
    text.push_str("; define each in the kernel crate or a dependency, or remove its use");
    text
}

/// The text with every run of white space, line breaks included, as one space.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Says on stderr what went wrong, on one line; a closed stderr is no reason to panic.
pub(crate) fn report(message: &str) {
    let _ = writeln!(io::stderr(), "ptx-linker: error: {}", one_line(message));
}
