//! Kernels built by either back end, in the simulator.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ptx_builder::{Backend, PtxBuilder};
use ptx_sim::{Device, LaunchConfig, Module};

use crate::harness::Stop;

/// What is built: libNVVM reads one dialect with an LLVM of 2018 for architectures up to `sm_90a`, and with a recent one
/// from `sm_100` on.
pub const TARGETS: [Target; 3] =
    [(Backend::Llvm, "sm_80"), (Backend::Nvvm, "sm_80"), (Backend::Nvvm, "sm_100")];

/// Who writes the PTX, for which architecture.
pub type Target = (Backend, &'static str);

/// The kernels of one PTX file on a device of their own.
pub struct Built {
    module: Module,
    text: String,
}

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The kernels of `tests/kernels/lowering`.
pub fn kernels(target: Target) -> Result<&'static Built, Stop> {
    static BUILT: [OnceLock<Result<Built, String>>; TARGETS.len()] =
        [const { OnceLock::new() }; TARGETS.len()];
    need(target.0)?;
    let slot = TARGETS.iter().zip(&BUILT).find(|(known, _)| **known == target).map(|(_, slot)| slot);
    let slot = slot.ok_or_else(|| Stop::Failed(format!("{target:?} is not built")))?;
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lowering");
    slot.get_or_init(|| build(&tests().join("kernels/lowering"), &out, target))
        .as_ref()
        .map_err(|why| Stop::Failed(why.clone()))
}

/// Skips where the back end is not there.
pub fn need(backend: Backend) -> Result<(), Stop> {
    if backend == Backend::Llvm {
        return Ok(());
    }
    match ptx_builder::backend::find_libnvvm(&tests().join("../target")) {
        Ok(Some(_)) => Ok(()),
        Ok(None) => Err(Stop::Skipped("no libNVVM; `cargo xtask setup --nvvm` fetches it".to_owned())),
        Err(error) => Err(Stop::Failed(error.to_string())),
    }
}

/// Builds a kernel crate and loads its one PTX file.
pub fn build(dir: &Path, out: &Path, (backend, arch): Target) -> Result<Built, String> {
    let report = PtxBuilder::new(dir)
        .backend(backend)
        .arch(arch)
        .out_dir(out)
        .tools_dir(tests().join("../target"))
        .emit_cargo_metadata(false)
        .build()
        .map_err(|error| error.to_string())?;
    let built = &report.archs[0];
    let mut files = built.manifest.families.values();
    let (Some(family), None) = (files.next(), files.next()) else {
        return Err("not one PTX file".to_owned());
    };
    let path = built.dir.join(&family.file);
    let module = Device::default().load(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(Built { module, text })
}

impl Built {
    /// The text between an entry's braces; empty where there is no such entry.
    pub fn body(&self, entry: &str) -> &str {
        let start = format!(".entry {entry}(");
        let rest = self.text.split_once(&start).and_then(|(_, rest)| rest.split_once("\n{"));
        rest.map_or("", |(_, body)| body.split("\n}").next().unwrap_or_default())
    }

    /// Runs a kernel over all operands, one thread each.
    pub fn run(&self, entry: &str, operands: &[[u64; 3]]) -> Result<Vec<u64>, String> {
        let device = self.module.device();
        let bytes = operands.len() * 8;
        let mut params = Vec::new();
        let mut addrs = Vec::new();
        for column in 0..4_usize {
            let addr = device.alloc(bytes as u64).map_err(|error| error.to_string())?;
            if let Some(column) = column.checked_sub(1) {
                let words: Vec<u8> =
                    operands.iter().flat_map(|row: &[u64; 3]| row[column].to_le_bytes()).collect();
                device.write(addr, &words).map_err(|error| error.to_string())?;
            }
            params.push(addr.to_le_bytes().to_vec());
            addrs.push(addr);
        }
        let config = LaunchConfig { block: [operands.len() as u32, 1, 1], ..LaunchConfig::default() };
        self.module.launch(entry, &config, &params).map_err(|error| format!("{entry}: {error}"))?;
        let mut result = vec![0; bytes];
        device.read(addrs[0], &mut result).map_err(|error| error.to_string())?;
        for addr in addrs {
            device.free(addr).map_err(|error| error.to_string())?;
        }
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        Ok(result.chunks(8).map(word).collect())
    }
}
