//! What rustc passes to a linker of the `llbc` flavour, and what the builder adds by environment variables.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::error::LinkError;
use crate::variables;

/// Everything a link depends on.
#[derive(Clone, Debug)]
pub struct LinkOptions {
    /// Bitcode objects (`.o`, `.bc`), textual IR (`.ll`) and archives (`.rlib`, `.a`), in order. Objects are linked
    /// whole, members of archives only where they define a symbol that is still undefined.
    pub inputs: Vec<PathBuf>,
    /// The PTX file; with `out_dir` set, the report goes there instead.
    pub output: PathBuf,
    /// Architecture, e.g. `sm_90`.
    pub target_cpu: String,
    /// LLVM features, comma-separated, e.g. `+ptx78`.
    pub target_features: String,
    /// Symbols to keep when no kernel has a record.
    pub exported: Vec<String>,
    /// What `rustc --print sysroot` prints: the only place libLLVM is taken from.
    pub sysroot: PathBuf,
    /// The `LLVM version` line of `rustc -vV`, compared with the library's own.
    pub llvm_version: String,
    /// PTX version as two or three digits, e.g. `78`; it takes the place of the `+ptx..` features.
    pub ptx_version: Option<String>,
    /// Write one `<family>.ptx` per kernel family and `link.json` into this folder.
    pub out_dir: Option<PathBuf>,
    /// Write the linked and prepared module, before optimisation, as bitcode into this file.
    pub keep_bitcode: Option<PathBuf>,
    /// Who writes the PTX.
    pub backend: Backend,
    /// Write what libNVVM is given, and the module it is made from, as text into this folder.
    pub keep_nvvm: Option<PathBuf>,
    /// Mark inline assembly and all that reaches it `convergent`. Without it LLVM moves barriers and shuffles
    /// across branches: only a test that wants to see this happen sets it to false.
    pub mark_convergent: bool,
}

/// Who writes the PTX.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Backend {
    /// The LLVM inside rustc.
    #[default]
    Llvm,
    /// NVIDIA's libNVVM.
    Nvvm {
        /// The file of the library.
        library: PathBuf,
    },
}

impl LinkOptions {
    /// Reads the arguments (without the program's name) and, through `variable`, the environment.
    ///
    /// # Errors
    /// An unknown argument, an option without its value, an unreadable response file, or a missing
    /// argument or variable.
    pub fn parse(
        args: impl IntoIterator<Item = OsString>,
        variable: &dyn Fn(&str) -> Option<OsString>,
    ) -> Result<Self, LinkError> {
        let mut found = Found::default();
        let mut args = expand(args)?.into_iter();
        while let Some(arg) = args.next() {
            found.take(&arg, &mut args)?;
        }
        if found.inputs.is_empty() {
            return Err(LinkError::NoInput);
        }
        let text = |name| variable(name).filter(|value| !value.is_empty()).map(utf8).transpose();
        let required = |name, meaning| text(name)?.ok_or(LinkError::MissingVariable { name, meaning });
        let backend = match text(variables::BACKEND)?.as_deref() {
            None | Some("llvm") => Backend::Llvm,
            Some("nvvm") => Backend::Nvvm {
                library: required(variables::LIBNVVM, "the file of libNVVM, e.g. libnvvm.so.4")?.into(),
            },
            Some(other) => return Err(LinkError::Backend { name: other.to_owned() }),
        };
        Ok(Self {
            backend,
            keep_nvvm: text(variables::KEEP_NVVM)?.map(PathBuf::from),
            inputs: found.inputs,
            output: found.output.ok_or(LinkError::MissingArgument { argument: "-o" })?,
            target_cpu: found.cpu.ok_or(LinkError::MissingArgument { argument: "--target-cpu" })?,
            target_features: found.features.join(","),
            exported: found.exported,
            sysroot: required(variables::SYSROOT, "what `rustc --print sysroot` prints")?.into(),
            llvm_version: required(variables::LLVM_VERSION, "the `LLVM version` of `rustc -vV`")?,
            ptx_version: text(variables::PTX_VERSION)?,
            out_dir: text(variables::LINK_OUT)?.map(PathBuf::from),
            keep_bitcode: text(variables::KEEP_BITCODE)?.map(PathBuf::from),
            mark_convergent: true,
        })
    }
}

/// What the arguments said so far.
#[derive(Default)]
struct Found {
    inputs: Vec<PathBuf>,
    output: Option<PathBuf>,
    cpu: Option<String>,
    features: Vec<String>,
    exported: Vec<String>,
}

/// Options without a value that change nothing here: the linker always optimises, and keeps what the objects hold.
const IGNORED: [&str; 6] = ["--debug", "--optimize", "--strip-debug", "--strip-all", "--gc-sections", "-g"];

impl Found {
    fn take(&mut self, arg: &str, rest: &mut impl Iterator<Item = String>) -> Result<(), LinkError> {
        if IGNORED.contains(&arg) || is_opt_level(arg) {
            return Ok(());
        }
        if !arg.starts_with('-') {
            self.inputs.push(arg.into());
            return Ok(());
        }
        let (option, joined) = match arg.split_once('=') {
            Some((option, value)) if arg.starts_with("--") => (option, Some(value.to_owned())),
            _ if arg.len() > 2 && arg.starts_with("-L") => ("-L", Some(arg[2..].to_owned())),
            _ => (arg, None),
        };
        let known =
            ["-o", "--output", "-L", "--target", "--target-cpu", "--target-feature", "--export-symbol"];
        if !known.contains(&option) {
            return Err(LinkError::UnknownArgument { argument: arg.to_owned() });
        }
        let value = match joined.or_else(|| rest.next()) {
            Some(value) => value,
            None => return Err(LinkError::MissingValue { option: option.to_owned() }),
        };
        self.set(option, value)
    }

    fn set(&mut self, option: &str, value: String) -> Result<(), LinkError> {
        match option {
            "-o" | "--output" => self.output = Some(value.into()),
            "--target" if value != "nvptx64-nvidia-cuda" => return Err(LinkError::Target { target: value }),
            "--target-cpu" => self.cpu = Some(value),
            "--target-feature" => self.features.push(value),
            "--export-symbol" => self.exported.push(value),
            // `-L` names folders for libraries found by name, which this target does not have.
            _ => {}
        }
        Ok(())
    }
}

fn is_opt_level(arg: &str) -> bool {
    matches!(arg, "-O" | "-O0" | "-O1" | "-O2" | "-O3" | "-Os" | "-Oz")
}

fn utf8(text: OsString) -> Result<String, LinkError> {
    text.into_string().map_err(|text| LinkError::NotUtf8 { text: text.to_string_lossy().into_owned() })
}

/// Puts the content of response files (`@file`) in their place.
fn expand(args: impl IntoIterator<Item = OsString>) -> Result<Vec<String>, LinkError> {
    let mut all = Vec::new();
    for arg in args {
        let arg = utf8(arg)?;
        match arg.strip_prefix('@') {
            None => all.push(arg),
            Some(file) => {
                let path = Path::new(file);
                let text = std::fs::read_to_string(path)
                    .map_err(|source| LinkError::Read { path: path.to_owned(), source })?;
                all.extend(split_response(&text));
            }
        }
    }
    Ok(all)
}

/// Splits a response file as rustc writes it: white space between arguments, `\` before a character that
/// stands for itself, `"` around an argument with white space.
fn split_response(text: &str) -> Vec<String> {
    let mut all = Vec::new();
    let (mut current, mut started, mut quoted) = (String::new(), false, false);
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => current.extend(chars.next()),
            '"' => quoted = !quoted,
            c if c.is_whitespace() && !quoted => {
                if started {
                    all.push(std::mem::take(&mut current));
                }
                started = false;
                continue;
            }
            c => current.push(c),
        }
        started = true;
    }
    if started {
        all.push(current);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(args: &[&str]) -> Result<LinkOptions, LinkError> {
        let variable = |name: &str| match name {
            "WARPSMITH_SYSROOT" => Some("/sysroot".into()),
            "WARPSMITH_LLVM_VERSION" => Some("22.1.2".into()),
            _ => None,
        };
        LinkOptions::parse(args.iter().map(OsString::from), &variable)
    }

    #[test]
    fn takes_what_rustc_passes() {
        let options = parse(&[
            "--export-symbol",
            "red",
            "k.o",
            "libcompiler_builtins.rlib",
            "-L",
            "raw-dylibs",
            "--target",
            "nvptx64-nvidia-cuda",
            "--target-cpu",
            "sm_90",
            "--target-feature=+ptx32,+ptx78",
            "-o",
            "k.ptx",
            "-O3",
            "--debug",
        ])
        .unwrap();
        assert_eq!(options.inputs, [PathBuf::from("k.o"), PathBuf::from("libcompiler_builtins.rlib")]);
        assert_eq!(options.output, PathBuf::from("k.ptx"));
        assert_eq!(options.target_cpu, "sm_90");
        assert_eq!(options.target_features, "+ptx32,+ptx78");
        assert_eq!(options.exported, ["red"]);
        assert!(options.mark_convergent && options.out_dir.is_none());
    }

    #[test]
    fn unknown_and_cut_off_arguments_are_named() {
        let error = |args: &[&str]| parse(args).unwrap_err().to_string();
        assert!(error(&["k.o", "--frobnicate"]).contains("`--frobnicate`"));
        assert!(error(&["k.o", "-lfoo"]).contains("`-lfoo`"));
        assert!(error(&["k.o", "--target-cpu"]).contains("`--target-cpu`"));
        assert!(error(&["k.o", "--target", "x86_64-unknown-linux-gnu"]).contains("x86_64-unknown-linux-gnu"));
        assert!(error(&["k.o", "--target-cpu", "sm_90"]).contains("`-o`"));
        assert!(error(&["-o", "k.ptx"]).contains("no object file"));
        assert!(error(&["@/nonexistent/response"]).contains("/nonexistent/response"));
    }

    #[test]
    fn response_files_are_split_at_unescaped_white_space() {
        let text = "--target-cpu\nsm_90\n/a\\ b/k.o\n\"c d.o\"\n\\\\x.o";
        assert_eq!(split_response(text), ["--target-cpu", "sm_90", "/a b/k.o", "c d.o", "\\x.o"]);
    }
}
