//! `cargo xtask bless`: rewrites what is generated. Review the difference before you commit it.

use std::path::Path;

use ptx_builder::BuildError;

use crate::error::Error;
use crate::tidy::docs;
use crate::{budget, build_ptx, generated, process, workspace};

/// Which back end writes each kernel's PTX unless told otherwise.
const BACKENDS: &str = "kernels-gpu/backends.toml";

/// Generated parts that `warpsmith tables` prints, by document.
const README_TABLES: [&str; 2] = ["kernels", "measured"];
const ARCHITECTURE_TABLES: [&str; 1] = ["backends"];

/// Rewrites `kernels-gpu/backends.toml`, `budget.toml`, the documents' generated parts and the compiler messages in
/// `tests/compile/fail`.
pub fn run() -> Result<(), Error> {
    backends()?;
    build()?;
    budget::bless()?;
    readme()?;
    architecture()?;
    let mut messages = process::cargo(["test", "--package", "compile-tests"]);
    process::run(messages.env("TRYBUILD", "overwrite"))
}

/// The default back end of every kernel, as the records have it.
fn backends() -> Result<(), Error> {
    let text = table("backends-file")?;
    if text.trim().is_empty() {
        println!("kept       {BACKENDS}: no record has the times of both back ends; run `cargo xtask bench`");
        return Ok(());
    }
    workspace::write_if_changed(&workspace::root().join(BACKENDS), &text)
}

/// Builds everything. Kernels of the records that are no longer there leave the file of defaults.
fn build() -> Result<(), Error> {
    let gone = match build_ptx::default_set() {
        Err(Error::Build(error)) => match *error {
            BuildError::DefaultOfNoKernel { entries, .. } => entries,
            error => return Err(error.into()),
        },
        built => return built,
    };
    let path = workspace::root().join(BACKENDS);
    workspace::write_if_changed(&path, &without_kernels(&workspace::read(&path)?, &gone))?;
    build_ptx::default_set()
}

/// The file of defaults without the lines of these kernels.
fn without_kernels(text: &str, gone: &[String]) -> String {
    let is_gone =
        |line: &str| line.split_once(" = ").is_some_and(|(entry, _)| gone.iter().any(|g| g == entry));
    text.split_inclusive('\n').filter(|line| !is_gone(line)).collect()
}

/// What `warpsmith tables` prints of a name.
fn table(name: &str) -> Result<String, Error> {
    let args = ["run", "--quiet", "--package", "host", "--bin", "warpsmith", "--", "tables", name];
    process::output(&mut process::cargo(args))
}

fn with_tables(path: &Path, text: String, names: &[&str]) -> Result<String, Error> {
    names.iter().try_fold(text, |text, name| generated::replace(path, &text, name, &table(name)?))
}

fn architecture() -> Result<(), Error> {
    let path = workspace::root().join("ARCHITECTURE.md");
    let text = with_tables(&path, workspace::read(&path)?, &ARCHITECTURE_TABLES)?;
    workspace::write_if_changed(&path, &text)
}

fn readme() -> Result<(), Error> {
    let path = workspace::root().join("README.md");
    let mut text = workspace::read(&path)?;
    let example = workspace::read(&workspace::root().join(docs::EXAMPLE))?;
    text = generated::replace(&path, &text, "example", &docs::example(&example))?;
    text = generated::replace(&path, &text, "toolchain", &toolchain())?;
    text = with_tables(&path, text, &README_TABLES)?;
    workspace::write_if_changed(&path, &text)
}

fn toolchain() -> String {
    let (major, minor) = ptx_builder::toolchain::MIN_RUSTC;
    let llvm = ptx_builder::toolchain::LLVM_MAJOR;
    format!(
        "rustc {major}.{minor} or newer with LLVM {llvm}; `rust-toolchain.toml` names the one that is tested."
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_that_are_gone_lose_their_lines_alone() {
        let text =
            "record = \"r\"\n\n[kernels]\na = { backend = \"llvm\" }\na_rows = { backend = \"nvvm\" }\n";
        assert_eq!(without_kernels(text, &[]), text);
        let want = "record = \"r\"\n\n[kernels]\na_rows = { backend = \"nvvm\" }\n";
        assert_eq!(without_kernels(text, &["a".to_owned()]), want);
    }
}
