//! A folder for one test, the linker in it, and small pieces of IR.
#![allow(dead_code, reason = "each test file uses a part")]

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// First lines of every module.
pub const HEAD: &str = r#"
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
"#;

/// What a run of the linker left.
#[derive(Debug)]
pub struct Outcome {
    pub code: Option<i32>,
    pub stderr: String,
}

impl Outcome {
    /// The link worked and said nothing.
    #[track_caller]
    pub fn ok(self) {
        assert_eq!((self.code, self.stderr.as_str()), (Some(0), ""));
    }

    /// Exit code 1, one line on stderr, and that line.
    #[track_caller]
    pub fn error(self) -> String {
        assert_eq!(self.code, Some(1), "{}", self.stderr);
        assert_eq!(self.stderr.lines().count(), 1, "{}", self.stderr);
        assert!(self.stderr.starts_with("ptx-linker: error: "), "{}", self.stderr);
        self.stderr.trim_end().to_owned()
    }
}

/// A folder that goes away with the test.
pub struct Bench {
    dir: tempfile::TempDir,
}

impl Bench {
    pub fn new() -> Self {
        Self { dir: tempfile::tempdir().expect("a temporary folder") }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    /// Writes a file, and its folder.
    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a writable folder");
        std::fs::write(&path, content).expect("a writable file");
        path
    }

    /// Writes a module of textual IR.
    pub fn ll(&self, name: &str, body: &str) -> PathBuf {
        self.file(name, format!("{HEAD}{body}"))
    }

    pub fn read(&self, name: &str) -> String {
        let path = self.path(name);
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// The linker with the arguments and variables of a plain link to `out.ptx`.
    pub fn linker(&self, inputs: &[&Path]) -> Command {
        let mut command = self.bare();
        command.args(inputs).arg("--target-cpu").arg("sm_90").arg("-o").arg(self.path("out.ptx"));
        command
    }

    /// The linker with its required variables and no arguments.
    pub fn bare(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ptx-linker"));
        for name in ["LINK_OUT", "PTX_VERSION", "KEEP_BITCODE", "BACKEND", "LIBNVVM", "KEEP_NVVM"] {
            command.env_remove(format!("WARPSMITH_{name}"));
        }
        command.env("WARPSMITH_SYSROOT", &rustc().sysroot).env("WARPSMITH_LLVM_VERSION", &rustc().llvm);
        command
    }

    /// Links one module of IR to `out.ptx` and returns the PTX.
    #[track_caller]
    pub fn ptx(&self, body: &str) -> String {
        let input = self.ll("in.ll", body);
        run(&mut self.linker(&[&input])).ok();
        self.read("out.ptx")
    }

    /// Links one module of IR that must be refused, and returns the line.
    #[track_caller]
    pub fn refusal(&self, body: &str) -> String {
        let input = self.ll("in.ll", body);
        run(&mut self.linker(&[&input])).error()
    }

    /// Bitcode of a module of IR; `exported` stays visible.
    pub fn bitcode(&self, body: &str, exported: &[&str]) -> Vec<u8> {
        let input = self.ll("to_bitcode.ll", body);
        let bitcode = self.path("to_bitcode.bc");
        let mut command = self.linker(&[&input]);
        for name in exported {
            command.arg("--export-symbol").arg(name);
        }
        // An undefined symbol fails the link, but only after the bitcode was written.
        run(command.env("WARPSMITH_KEEP_BITCODE", &bitcode));
        std::fs::read(bitcode).expect("bitcode")
    }
}

pub fn run(command: &mut Command) -> Outcome {
    let output = command.output().expect("the linker starts");
    Outcome { code: output.status.code(), stderr: String::from_utf8_lossy(&output.stderr).into_owned() }
}

/// The rustc of this build.
pub struct Rustc {
    pub program: String,
    pub sysroot: PathBuf,
    pub llvm: String,
}

pub fn rustc() -> &'static Rustc {
    static RUSTC: OnceLock<Rustc> = OnceLock::new();
    RUSTC.get_or_init(|| {
        let program = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
        let ask = |args: &[&str]| {
            let output = Command::new(&program).args(args).output().expect("rustc starts");
            String::from_utf8(output.stdout).expect("text")
        };
        let verbose = ask(&["-vV"]);
        let llvm =
            verbose.lines().find_map(|line| line.strip_prefix("LLVM version: ")).expect("an LLVM version");
        Rustc {
            sysroot: ask(&["--print", "sysroot"]).trim().into(),
            llvm: llvm.to_owned(),
            program: program.clone(),
        }
    })
}

/// A kernel record as `#[kernel]` writes it; `facts` and `params` are JSON without the outer brackets.
pub fn record_json(entry: &str, family: &str, facts: &str, params: &str) -> String {
    let mut all = serde_json::json!({
        "version": 1, "entry": entry, "stem": entry, "instance": "", "module": format!("kernels::{family}"),
        "family": family, "block": null, "max_block": null, "min_blocks": null, "max_registers": null,
        "cluster": null, "target": null, "local_bytes": 0, "spill_bytes": 0, "dynamic_shared": false,
    });
    let facts: serde_json::Value = serde_json::from_str(&format!("{{{facts}}}")).expect("facts");
    for (key, value) in facts.as_object().expect("an object") {
        all[key] = value.clone();
    }
    all["params"] = serde_json::from_str(&format!("[{params}]")).expect("params");
    all.to_string()
}

/// Statics in `.warpsmith.kernels` with these texts, kept alive as `#[used]` does.
pub fn record_section(records: &[&str]) -> String {
    let mut text = String::new();
    for (index, record) in records.iter().enumerate() {
        let bytes: String = record.bytes().map(|byte| format!("\\{byte:02x}")).collect();
        let len = record.len();
        text += &format!(
            "@RECORD_{index} = constant <{{ [{len} x i8] }}> <{{ [{len} x i8] c\"{bytes}\" }}>, section \".warpsmith.kernels\"\n"
        );
    }
    let list: Vec<_> = (0..records.len()).map(|index| format!("ptr @RECORD_{index}")).collect();
    text + &format!(
        "@llvm.compiler.used = appending global [{} x ptr] [{}], section \"llvm.metadata\"\n",
        records.len(),
        list.join(", ")
    )
}
