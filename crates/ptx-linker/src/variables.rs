//! The environment variables that the linker reads.

/// Required: what `rustc --print sysroot` prints.
pub const SYSROOT: &str = "WARPSMITH_SYSROOT";
/// Required: the `LLVM version` of `rustc -vV`.
pub const LLVM_VERSION: &str = "WARPSMITH_LLVM_VERSION";
/// Folder for `<family>.ptx` and `link.json`; without it one PTX file goes to `-o`.
pub const LINK_OUT: &str = "WARPSMITH_LINK_OUT";
/// PTX version, e.g. `78`; without it rustc's `--target-feature` or LLVM decides.
pub const PTX_VERSION: &str = "WARPSMITH_PTX_VERSION";
/// `llvm` (also where it is not set) or `nvvm`: who writes the PTX.
pub const BACKEND: &str = "WARPSMITH_BACKEND";
/// The file of libNVVM; required with the back end `nvvm`.
pub const LIBNVVM: &str = "WARPSMITH_LIBNVVM";
/// Folder for what libNVVM is given, one `<family>.nvvm.ll` each, beside LLVM's own `<family>.ll`.
pub const KEEP_NVVM: &str = "WARPSMITH_KEEP_NVVM";
/// File for the linked module before optimisation.
pub const KEEP_BITCODE: &str = "WARPSMITH_KEEP_BITCODE";
