//! `cargo xtask bless`: rewrites what is generated. Review the difference before you commit it.

use crate::error::Error;
use crate::tidy::docs;
use crate::{budget, build_ptx, generated, process, workspace};

/// Generated parts of the README that `warpsmith tables` prints.
const TABLES: [&str; 2] = ["kernels", "measured"];

/// Rewrites the README's generated parts, `budget.toml` and the compiler messages in `tests/compile_fail`.
pub fn run() -> Result<(), Error> {
    build_ptx::default_set()?;
    budget::bless()?;
    readme()?;
    let mut messages = process::cargo(["test", "--package", "tests", "--test", "compile_fail"]);
    process::run(messages.env("TRYBUILD", "overwrite"))
}

fn readme() -> Result<(), Error> {
    let path = workspace::root().join("README.md");
    let mut text = workspace::read(&path)?;
    let example = workspace::read(&workspace::root().join(docs::EXAMPLE))?;
    text = generated::replace(&path, &text, "example", &docs::example(&example))?;
    text = generated::replace(&path, &text, "toolchain", &toolchain())?;
    for table in TABLES {
        let args = ["run", "--quiet", "--package", "host", "--bin", "warpsmith", "--", "tables", table];
        let new = process::output(&mut process::cargo(args))?;
        text = generated::replace(&path, &text, table, &new)?;
    }
    workspace::write_if_changed(&path, &text)
}

fn toolchain() -> String {
    let (major, minor) = ptx_builder::toolchain::MIN_RUSTC;
    let llvm = ptx_builder::toolchain::LLVM_MAJOR;
    format!(
        "rustc {major}.{minor} or newer with LLVM {llvm}; `rust-toolchain.toml` names the one that is tested."
    )
}
