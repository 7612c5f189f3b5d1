//! The PTX as a Rust expression, for embedding in a program.
//!
//! In a `build.rs`, [`crate::PtxBuilder::build`] writes `$OUT_DIR/warpsmith_ptx.rs`. The file is one expression of type
//! `&'static [(&'static str, &'static str, &'static str, &'static str, &'static str)]`, one tuple per back end,
//! architecture and family: `(back end, arch, family, PTX text, manifest text)`. The texts are `include_str!` of absolute paths, so cargo builds the
//! program again when they change. Use it as `include!(concat!(env!("OUT_DIR"), "/warpsmith_ptx.rs"))`.

use std::fmt::Write as _;
use std::path::Path;

use ptx_parse::manifest::FILE_NAME;

use crate::error::BuildError;
use crate::lock::write_whole;
use crate::report::BuildReport;

/// The file's name.
pub const INCLUDE_FILE: &str = "warpsmith_ptx.rs";

/// The expression for `report`.
#[must_use]
pub fn include_expression(report: &BuildReport) -> String {
    let mut text = String::from("&[\n");
    for arch in &report.archs {
        for (family, file) in &arch.manifest.families {
            let (ptx, manifest) = (arch.dir.join(&file.file), arch.dir.join(FILE_NAME));
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "    ({:?}, {:?}, {family:?}, include_str!({:?}), include_str!({:?})),",
                arch.manifest.codegen,
                arch.manifest.arch,
                ptx.display().to_string(),
                manifest.display().to_string(),
            );
        }
    }
    text.push_str("]\n");
    text
}

/// Writes the expression to `out_dir`. The same text is not written again: its time would compile the program again.
pub(crate) fn write(report: &BuildReport, out_dir: &Path) -> Result<(), BuildError> {
    let (path, text) = (out_dir.join(INCLUDE_FILE), include_expression(report));
    let same = std::fs::read_to_string(&path).is_ok_and(|old| old == text);
    if same { Ok(()) } else { write_whole(&path, text.as_bytes()) }
}

/// Tells cargo which files and variables the result depends on.
pub(crate) fn print_cargo_metadata(report: &BuildReport) {
    let variables =
        [crate::core_source::SOURCE_VAR, crate::ptxas::PTXAS_VAR, crate::backend::LIBNVVM_VAR, "CUDA_HOME"];
    for variable in variables {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    let mut paths: Vec<_> = report
        .archs
        .iter()
        .flat_map(|arch| arch.manifest.sources.keys().map(|path| report.workspace.join(path)))
        .chain(["Cargo.toml", "Cargo.lock"].map(|file| report.workspace.join(file)))
        .chain([report.package.join(crate::defaults::FILE_NAME)])
        .filter(|path| path.exists())
        .collect();
    paths.sort();
    paths.dedup();
    for path in paths {
        println!("cargo:rerun-if-changed={}", path.display());
    }
    for arch in &report.archs {
        println!("cargo:rerun-if-changed={}", arch.dir.join(FILE_NAME).display());
        for warning in &arch.warnings {
            println!("cargo:warning={warning}");
        }
    }
}
