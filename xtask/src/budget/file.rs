//! `budget.toml`: how it is read and written.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::path::Path;

use ptx_builder::Backend;
use serde::Deserialize;

use crate::error::Error;
use crate::workspace;

/// What a kernel may use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    pub registers: u32,
    pub spill_bytes: u64,
    pub stack_bytes: u64,
    pub shared_bytes: u64,
}

/// Entry and limits.
pub type Entries = BTreeMap<String, Use>;

/// The file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budget {
    /// The ptxas that counted.
    pub ptxas: String,
    /// The PTX version that libNVVM wrote: another one may write other PTX.
    #[serde(default)]
    pub nvvm_ptx: String,
    /// By architecture.
    #[serde(default)]
    pub llvm: BTreeMap<String, Entries>,
    /// By architecture.
    #[serde(default)]
    pub nvvm: BTreeMap<String, Entries>,
}

impl Use {
    /// What is counted, by name.
    pub fn quantities(&self) -> [(&'static str, u64); 4] {
        [
            ("registers", u64::from(self.registers)),
            ("spill bytes", self.spill_bytes),
            ("stack bytes", self.stack_bytes),
            ("static shared bytes", self.shared_bytes),
        ]
    }
}

impl fmt::Display for Use {
    /// `32`, or `255 (spill 8, shared 1024)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let more = [("spill", self.spill_bytes), ("stack", self.stack_bytes), ("shared", self.shared_bytes)];
        let more = more.iter().filter(|(_, bytes)| *bytes > 0).map(|(name, bytes)| format!("{name} {bytes}"));
        let more = more.collect::<Vec<_>>().join(", ");
        write!(f, "{}", self.registers)?;
        if more.is_empty() { Ok(()) } else { write!(f, " ({more})") }
    }
}

impl Budget {
    /// Reads the text of the file; `path` is for errors.
    pub fn parse(text: &str, path: &Path) -> Result<Self, Error> {
        toml::from_str(text).map_err(|source| Error::Toml { path: path.to_owned(), source: Box::new(source) })
    }

    /// A back end's part.
    pub fn of(&self, backend: Backend) -> &BTreeMap<String, Entries> {
        match backend {
            Backend::Llvm => &self.llvm,
            Backend::Nvvm => &self.nvvm,
        }
    }

    /// A back end's part.
    pub fn of_mut(&mut self, backend: Backend) -> &mut BTreeMap<String, Entries> {
        match backend {
            Backend::Llvm => &mut self.llvm,
            Backend::Nvvm => &mut self.nvvm,
        }
    }

    /// The text of the file.
    pub fn render(&self) -> String {
        let mut text = String::from(
            "# What each kernel uses, as ptxas counts it. `cargo xtask budget` fails above it; `cargo xtask bless` rewrites it.\n",
        );
        let mut line =
            |text_line: fmt::Arguments<'_>| writeln!(text, "{text_line}").expect("a String takes everything");
        line(format_args!("ptxas = \"{}\"", self.ptxas));
        if !self.nvvm_ptx.is_empty() {
            line(format_args!("nvvm_ptx = \"{}\"", self.nvvm_ptx));
        }
        for backend in Backend::ALL {
            let mut archs: Vec<_> = self.of(backend).iter().collect();
            archs.sort_by_cached_key(|(arch, _)| workspace::arch_key(arch));
            for (arch, entries) in archs {
                line(format_args!("\n[{backend}.{arch}]"));
                for (entry, Use { registers, spill_bytes, stack_bytes, shared_bytes }) in entries {
                    line(format_args!(
                        "{entry} = {{ registers = {registers}, spill_bytes = {spill_bytes}, stack_bytes = {stack_bytes}, shared_bytes = {shared_bytes} }}"
                    ));
                }
            }
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_rendered_is_read_back() {
        let used = Use { registers: 7, spill_bytes: 1, stack_bytes: 2, shared_bytes: 3 };
        let archs: BTreeMap<_, _> = ["sm_90", "sm_100"]
            .map(|arch| (arch.to_owned(), Entries::from([("a_f32".to_owned(), used)])))
            .into();
        let budget =
            Budget { ptxas: "13.0.88".into(), nvvm_ptx: "9.0".into(), llvm: archs.clone(), nvvm: archs };
        let text = budget.render();
        assert_eq!(Budget::parse(&text, Path::new("b")).expect("it is valid"), budget);
        assert!(text.find("[llvm.sm_90]") < text.find("[llvm.sm_100]"), "{text}");
    }

    #[test]
    fn a_file_of_the_older_form_is_refused() {
        let text = "ptxas = \"13.0.88\"\n[arch.sm_90]\na = { registers = 1 }\n";
        let error = Budget::parse(text, Path::new("budget.toml")).expect_err("another form").to_string();
        assert!(error.contains("budget.toml") && error.contains("arch"), "{error}");
    }
}
