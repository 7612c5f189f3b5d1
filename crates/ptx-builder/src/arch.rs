//! Architectures and the PTX version each is built with.

use crate::error::BuildError;
use crate::toolchain::Toolchain;

/// What is built unless the caller says otherwise. Newer devices take the PTX for sm_90.
pub const DEFAULT_ARCHS: [&str; 3] = ["sm_80", "sm_90", "sm_90a"];

/// The PTX version that rustc's LLVM writes for an architecture: the oldest that has the architecture and all a kernel
/// may use there, so that old drivers take the result. `None` leaves it to LLVM. (PTX ISA, `.target`; libNVVM writes the
/// version of its own toolkit.)
pub(crate) fn ptx_version(arch: &str) -> Option<(u32, u32)> {
    match arch {
        "sm_80" => Some((7, 4)),
        // 7.8 has the architecture, but neither tensor maps nor bulk copies; 8.0 no asynchronous stores.
        "sm_90" => Some((8, 1)),
        // 8.4 has `wgmma` of s8 with u8.
        "sm_90a" => Some((8, 4)),
        "sm_100" => Some((8, 6)),
        "sm_120" => Some((8, 7)),
        _ => None,
    }
}

/// Every `sm_*` that this rustc can compile for.
///
/// # Errors
/// rustc does not run or prints no architecture.
pub fn known_archs(toolchain: &Toolchain) -> Result<Vec<String>, BuildError> {
    let text = toolchain.print(&["--print", "target-cpus", "--target", crate::compile::TARGET])?;
    let archs: Vec<String> = text
        .lines()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| word.starts_with("sm_"))
        .map(str::to_owned)
        .collect();
    if archs.is_empty() {
        return Err(BuildError::RustcOutput { what: "--print target-cpus", output: text });
    }
    Ok(archs)
}

/// Refuses an architecture that rustc does not know.
pub(crate) fn check_known(archs: &[String], toolchain: &Toolchain) -> Result<(), BuildError> {
    if archs.iter().all(|arch| DEFAULT_ARCHS.contains(&arch.as_str())) {
        return Ok(());
    }
    let known = known_archs(toolchain)?;
    match archs.iter().find(|arch| !known.contains(arch)) {
        Some(arch) => Err(BuildError::UnknownArch { arch: arch.clone(), known }),
        None => Ok(()),
    }
}
