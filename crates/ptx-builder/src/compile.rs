//! The one cargo call that compiles the kernels for an architecture.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_linker::variables;

use crate::backend::Backend;
use crate::core_source::CoreSource;
use crate::error::BuildError;
use crate::fault::Fault;
use crate::package::Package;
use crate::role::{FAULTS_FILE, LINKER_ROLE, ROLE_VAR};
use crate::toolchain::Toolchain;

/// The target of every kernel.
pub const TARGET: &str = "nvptx64-nvidia-cuda";

/// `profile.ptx` for a crate whose workspace does not define it: one optimised bitcode module, no unwinding.
const PROFILE: [&str; 6] = [
    "profile.ptx.inherits=\"release\"",
    "profile.ptx.panic=\"abort\"",
    "profile.ptx.lto=\"fat\"",
    "profile.ptx.codegen-units=1",
    "profile.ptx.opt-level=3",
    "profile.ptx.debug=false",
];

/// What is compiled, with what, for which architecture.
pub(crate) struct Compile<'a> {
    pub toolchain: &'a Toolchain,
    pub package: &'a Package,
    pub core: &'a CoreSource,
    pub arch: &'a str,
    /// Flags of every crate, `core` included.
    pub flags: Vec<String>,
    pub ptx_version: Option<(u32, u32)>,
    /// The program rustc calls as linker; `None`: this program in its other role.
    pub linker: Option<&'a Path>,
    /// libNVVM's file, where it writes the PTX.
    pub libnvvm: Option<&'a Path>,
    pub features: &'a [String],
    pub offline: bool,
    /// cargo's target folder.
    pub target_dir: PathBuf,
    /// Where the linker leaves PTX and report.
    pub link_dir: PathBuf,
}

/// The flags that decide the code, for every crate. `no-prepopulate-passes`: rustc's own passes would move
/// barriers and shuffles before the linker has marked them convergent.
pub(crate) fn rustc_flags(arch: &str, extra: &[String]) -> Vec<String> {
    let mut flags: Vec<String> =
        ["-C", &format!("target-cpu={arch}"), "-C", "no-prepopulate-passes"].map(str::to_owned).to_vec();
    flags.extend_from_slice(extra);
    flags
}

impl Compile<'_> {
    /// Runs cargo. On success `link_dir` holds what the linker wrote, and the path of the dep-info comes back.
    pub fn run(&self) -> Result<PathBuf, BuildError> {
        self.forget_last_link()?;
        let mut command = self.command()?;
        let program = self.toolchain.cargo.display().to_string();
        let output = command.output().map_err(|source| BuildError::Start { program, source })?;
        if !output.status.success() {
            if let Some(faults) = self.linker_faults() {
                return Err(BuildError::Checks { faults });
            }
            return Err(BuildError::Compile {
                arch: self.arch.to_owned(),
                command: describe(&command),
                flags: self.flags.clone(),
                log: String::from_utf8_lossy(&output.stderr).into_owned(),
            });
        }
        Ok(self.target_dir.join(TARGET).join("ptx").join(format!("{}.d", self.package.lib_name)))
    }

    /// What the linker role found wrong with kernels, where it got that far.
    fn linker_faults(&self) -> Option<Vec<Fault>> {
        let bytes = fs::read(self.link_dir.join(FAULTS_FILE)).ok()?;
        serde_json::from_slice(&bytes).ok()
    }

    /// cargo does not know that the linker changed; without the fingerprint it links again.
    fn forget_last_link(&self) -> Result<(), BuildError> {
        if self.link_dir.exists() {
            fs::remove_dir_all(&self.link_dir).map_err(BuildError::io("remove", &self.link_dir))?;
        }
        fs::create_dir_all(&self.link_dir).map_err(BuildError::io("create", &self.link_dir))?;
        let fingerprints = self.target_dir.join(TARGET).join("ptx").join(".fingerprint");
        let Ok(entries) = fs::read_dir(&fingerprints) else { return Ok(()) };
        let prefix = format!("{}-", self.package.name);
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_ours = name
                .strip_prefix(&prefix)
                .is_some_and(|hash| hash.len() == 16 && hash.bytes().all(|b| b.is_ascii_hexdigit()));
            if is_ours {
                let path = entry.path();
                fs::remove_dir_all(&path).map_err(BuildError::io("remove", path))?;
            }
        }
        Ok(())
    }

    fn command(&self) -> Result<Command, BuildError> {
        let mut command = Command::new(&self.toolchain.cargo);
        clear_environment(&mut command);
        command.current_dir(&self.package.dir);
        command.args(["rustc", "--package", &self.package.name, "--lib", "--crate-type", "cdylib"]);
        command.args(["--profile", "ptx", "-Zbuild-std=core", "--target", TARGET, "--target-dir"]);
        command.arg(&self.target_dir);
        if !self.package.defines_profile() {
            command.args(PROFILE.iter().flat_map(|setting| ["--config", setting]));
        }
        if !self.features.is_empty() {
            command.args(["--features", &self.features.join(",")]);
        }
        if self.offline {
            command.arg("--offline");
        }
        // Only the last crate is linked. As a flag of every crate, another linker would compile `core` again.
        let this = std::env::current_exe().map_err(BuildError::io("find", "the running program"));
        let linker = self.linker.map_or(this, |path| Ok(path.to_owned()))?;
        command.args(["--", "-C"]).arg(joined("linker=", linker.as_os_str()));
        self.set_environment(&mut command);
        Ok(command)
    }

    fn set_environment(&self, command: &mut Command) {
        command.env("RUSTC", &self.toolchain.rustc);
        command.env("RUSTC_BOOTSTRAP", "1");
        command.env("CARGO_ENCODED_RUSTFLAGS", self.flags.join("\u{1f}"));
        if let Some(path) = self.core.outside_sysroot() {
            command.env("__CARGO_TESTS_ONLY_SRC_ROOT", path);
        }
        command.env(ROLE_VAR, LINKER_ROLE);
        command.env(variables::LINK_OUT, &self.link_dir);
        command.env(variables::SYSROOT, &self.toolchain.sysroot);
        command.env(variables::LLVM_VERSION, &self.toolchain.llvm);
        if let Some(library) = self.libnvvm {
            command.env(variables::BACKEND, Backend::Nvvm.name()).env(variables::LIBNVVM, library);
        }
        if let Some((major, minor)) = self.ptx_version {
            command.env(variables::PTX_VERSION, format!("{major}{minor}"));
        }
    }
}

fn joined(prefix: &str, rest: &OsStr) -> std::ffi::OsString {
    let mut text = std::ffi::OsString::from(prefix);
    text.push(rest);
    text
}

/// Takes out of the environment what an outer cargo or the user set for other builds: flags, wrappers, target
/// folders, job servers. What finds the toolchain and the registry stays.
pub(crate) fn clear_environment(command: &mut Command) {
    const KEPT: [&str; 5] = ["CARGO_HOME", "CARGO_NET_", "CARGO_HTTP_", "CARGO_TERM_", "CARGO_REGISTR"];
    const BUILD_SCRIPT: [&str; 10] = [
        "MAKEFLAGS",
        "MFLAGS",
        "NUM_JOBS",
        "TARGET",
        "HOST",
        "OUT_DIR",
        "OPT_LEVEL",
        "PROFILE",
        "DEBUG",
        "CARGO",
    ];
    for (name, _) in std::env::vars_os() {
        let Some(text) = name.to_str() else { continue };
        let cargo = text.starts_with("CARGO_") && !KEPT.iter().any(|kept| text.starts_with(kept));
        let rust = text.starts_with("RUSTC") || matches!(text, "RUSTFLAGS" | "RUSTDOC" | "RUSTDOCFLAGS");
        let linker =
            [ROLE_VAR, variables::LINK_OUT, variables::PTX_VERSION, variables::BACKEND].contains(&text);
        let own = text.starts_with("__CARGO") || linker;
        if cargo || rust || own || BUILD_SCRIPT.contains(&text) {
            command.env_remove(&name);
        }
    }
}

/// The command as one can type it: variables, program, arguments.
pub(crate) fn describe(command: &Command) -> String {
    let mut words: Vec<String> = command
        .get_envs()
        .filter_map(|(name, value)| Some((name, value?)))
        .map(|(name, value)| match (name.to_str(), value.to_string_lossy()) {
            // The same flags, in the form that a shell takes.
            (Some("CARGO_ENCODED_RUSTFLAGS"), flags) => {
                format!("RUSTFLAGS={:?}", flags.replace('\u{1f}', " "))
            }
            (_, value) => format!("{}={value:?}", name.display()),
        })
        .collect();
    words.push(command.get_program().to_string_lossy().into_owned());
    words.extend(command.get_args().map(|arg| arg.to_string_lossy().into_owned()));
    words.join(" ")
}
