//! ptxas, where there is one: NVIDIA's assembler tells registers, spills and stack of each kernel.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use ptx_parse::manifest::PtxasInfo;

use crate::error::BuildError;

/// The variable that names ptxas.
pub const PTXAS_VAR: &str = "WARPSMITH_PTXAS";

/// A ptxas and its version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ptxas {
    /// The program.
    pub path: PathBuf,
    /// `13.0.88`
    pub version: String,
}

/// What became of one PTX file.
pub(crate) enum Verdict {
    /// Facts by entry name.
    Facts(BTreeMap<String, PtxasInfo>),
    /// This ptxas does not know the architecture or the PTX version.
    TooOld(String),
}

impl Ptxas {
    /// The first of: [`PTXAS_VAR`], the path, `CUDA_HOME/bin`, and what setup unpacked under `target_dir`.
    ///
    /// # Errors
    /// [`PTXAS_VAR`] names no program that answers `--version` as ptxas does.
    pub fn find(target_dir: &Path) -> Result<Option<Self>, BuildError> {
        if let Some(value) = std::env::var_os(PTXAS_VAR).filter(|value| !value.is_empty()) {
            return Self::at(Path::new(&value)).map(Some).ok_or_else(|| BuildError::Variable {
                variable: PTXAS_VAR,
                value: value.to_string_lossy().into_owned(),
                what: "working ptxas",
            });
        }
        let on_path = std::env::var_os("PATH").unwrap_or_default();
        let on_path = std::env::split_paths(&on_path).map(|folder| folder.join("ptxas"));
        let cuda = crate::backend::cuda_home().map(|home| home.join("bin/ptxas"));
        let own = crate::setup::ptxas_path(target_dir);
        Ok(on_path.chain(cuda).chain([own]).filter(|path| path.is_file()).find_map(|path| Self::at(&path)))
    }

    /// ptxas at `path`, if it runs.
    #[must_use]
    pub fn at(path: &Path) -> Option<Self> {
        let output = Command::new(path).arg("--version").output().ok()?;
        let text = String::from_utf8_lossy(&output.stdout);
        // "Cuda compilation tools, release 13.0, V13.0.88"
        let version = text.split_whitespace().find_map(|word| {
            let version = word.strip_prefix('V')?;
            version.starts_with(|c: char| c.is_ascii_digit()).then(|| version.to_owned())
        })?;
        Some(Self { path: path.to_owned(), version })
    }

    /// Assembles `ptx` for `arch`; the machine code goes to `scratch` and is not kept.
    pub(crate) fn assemble(
        &self,
        ptx: &Path,
        arch: &str,
        family: &str,
        scratch: &Path,
    ) -> Result<Verdict, BuildError> {
        let cubin = scratch.join(format!("{family}.cubin"));
        let mut command = Command::new(&self.path);
        command.arg("-v").args(["-arch", arch]).arg(ptx).arg("-o").arg(&cubin);
        let program = self.path.display().to_string();
        let output = command.output().map_err(|source| BuildError::Start { program, source })?;
        // Absent after a refusal.
        drop(std::fs::remove_file(&cubin));
        let mut log = String::from_utf8_lossy(&output.stdout).into_owned();
        log.push_str(&String::from_utf8_lossy(&output.stderr));
        if let Some(remark) = serialised(&log) {
            let (arch, family) = (arch.to_owned(), family.to_owned());
            return Err(BuildError::Serialised { arch, family, remark: remark.to_owned() });
        }
        if output.status.success() {
            return Ok(Verdict::Facts(facts(&log, &self.version)));
        }
        if let Some(reason) = too_old(&log) {
            let reason = format!("ptxas {} cannot check {arch}: {reason}", self.version);
            return Ok(Verdict::TooOld(reason));
        }
        let command = crate::compile::describe(&command);
        Err(BuildError::Ptxas { arch: arch.to_owned(), family: family.to_owned(), command, log })
    }
}

/// The remark that `wgmma` wait for each other where they need not, which names the kernel and why.
fn serialised(log: &str) -> Option<&str> {
    log.lines().map(str::trim).find(|line| line.contains("wgmma") && line.contains("serialized"))
}

fn too_old(log: &str) -> Option<&str> {
    log.lines().map(str::trim).find(|line| {
        line.contains("Unsupported .version")
            || (line.contains("is not defined for option") && line.contains("gpu-name"))
            || line.contains("Unsupported .target")
    })
}

fn facts(log: &str, version: &str) -> BTreeMap<String, PtxasInfo> {
    let mut facts: BTreeMap<String, PtxasInfo> = BTreeMap::new();
    let mut entry = None;
    // The properties of called functions are printed too, and belong to nobody here.
    let mut properties_of_entry = false;
    for line in log.lines() {
        if let Some(rest) = line.split("Compiling entry function '").nth(1) {
            let name = rest.split('\'').next().unwrap_or_default();
            let blank = PtxasInfo {
                version: version.to_owned(),
                registers: 0,
                spill_stores: 0,
                spill_loads: 0,
                stack_bytes: 0,
            };
            facts.insert(name.to_owned(), blank);
            entry = Some(name.to_owned());
            continue;
        }
        if let Some(rest) = line.split("Function properties for ").nth(1) {
            properties_of_entry = entry.as_deref() == Some(rest.trim());
            continue;
        }
        let Some(info) = entry.as_ref().and_then(|entry| facts.get_mut(entry)) else { continue };
        if let (true, Some(stack)) = (properties_of_entry, number_before(line, "bytes stack frame")) {
            info.stack_bytes = stack;
            info.spill_stores = number_before(line, "bytes spill stores").unwrap_or(0);
            info.spill_loads = number_before(line, "bytes spill loads").unwrap_or(0);
        }
        if let Some(registers) = number_before(line, "registers") {
            info.registers = u32::try_from(registers).unwrap_or(u32::MAX);
        }
    }
    facts
}

/// The number in front of `what`.
fn number_before(line: &str, what: &str) -> Option<u64> {
    let before = &line[..line.find(what)?];
    before.split(|c: char| !c.is_ascii_digit()).rfind(|word| !word.is_empty())?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'k_f32' for 'sm_90a'
ptxas info    : Function properties for k_f32
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem
ptxas info    : Compile time = 3.141 ms
ptxas info    : Function properties for helper
    64 bytes stack frame, 99 bytes spill stores, 0 bytes spill loads
ptxas info    : Compiling entry function 'h' for 'sm_90a'
ptxas info    : Function properties for h
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, used 0 barriers
";

    #[test]
    fn the_verbose_log_gives_facts_per_entry() {
        let facts = facts(LOG, "13.0.88");
        let k = &facts["k_f32"];
        assert_eq!((k.registers, k.stack_bytes, k.spill_stores, k.spill_loads), (40, 16, 8, 12));
        assert_eq!((facts["h"].registers, facts["h"].stack_bytes), (8, 0));
        assert_eq!(facts.len(), 2);
    }

    #[test]
    fn an_old_ptxas_is_told_from_a_broken_kernel() {
        let version = "ptxas k.ptx, line 5; fatal   : Unsupported .version 9.5; current version is '9.0'";
        assert!(too_old(version).is_some());
        let arch = "ptxas fatal   : Value 'sm_70' is not defined for option 'gpu-name'";
        assert!(too_old(arch).is_some());
        assert!(too_old("ptxas k.ptx, line 5; error   : Unknown symbol 'x'").is_none());
    }

    #[test]
    fn serialised_products_are_found() {
        let remark = "ptxas info    : (C7510) Potential Performance Loss: wgmma.mma_async instructions are serialized due to \
                      non wgmma instructions defining accumulator registers of a wgmma in the function 'k_f32'";
        assert_eq!(serialised(&format!("{LOG}{remark}\n")), Some(remark));
        assert_eq!(serialised(LOG), None);
    }

    #[test]
    fn a_program_that_is_not_there_is_no_ptxas() {
        assert_eq!(Ptxas::at(Path::new("/nonexistent/ptxas")), None);
    }
}
