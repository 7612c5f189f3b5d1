//! The kernels of `tests/kernels/tensor`, built by either back end.

use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use ptx_builder::{Backend, PtxBuilder};
use ptx_sim::{Device, LaunchConfig, Module, Options, Report};

use crate::harness::Stop;

/// Who writes the PTX, for which architecture.
pub type Target = (Backend, &'static str);

/// What is built.
pub const TARGETS: [Target; 4] =
    [(Backend::Llvm, "sm_80"), (Backend::Llvm, "sm_90"), (Backend::Nvvm, "sm_80"), (Backend::Nvvm, "sm_90")];

fn tests() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// The PTX of a target.
pub fn text(target: Target) -> Result<&'static str, Stop> {
    static TEXTS: [OnceLock<Result<String, String>>; TARGETS.len()] =
        [const { OnceLock::new() }; TARGETS.len()];
    if target.0 == Backend::Nvvm {
        match ptx_builder::backend::find_libnvvm(&tests().join("../target")) {
            Ok(Some(_)) => {}
            Ok(None) => {
                return Err(Stop::Skipped("no libNVVM; `cargo xtask setup --nvvm` fetches it".to_owned()));
            }
            Err(error) => return Err(Stop::Failed(error.to_string())),
        }
    }
    let slot = TARGETS.iter().zip(&TEXTS).find(|(known, _)| **known == target).map(|(_, slot)| slot);
    let slot = slot.ok_or_else(|| Stop::Failed(format!("{target:?} is not built")))?;
    slot.get_or_init(|| build(target)).as_deref().map_err(|why| Stop::Failed(why.clone()))
}

fn build((backend, arch): Target) -> Result<String, String> {
    let report = PtxBuilder::new(tests().join("kernels/tensor"))
        .backend(backend)
        .arch(arch)
        .out_dir(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tensor"))
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
    fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A simulated device with kernels, whose warps run in an order that `seed` chooses.
pub struct Simulated {
    module: Module,
}

impl Simulated {
    /// With this PTX.
    pub fn new(text: &str, seed: u64) -> Result<Self, Stop> {
        let device = Device::new(Options::default().seed(seed).threads(1).stats(seed == 0));
        let module = device.load_text("tensor", text);
        Ok(Self { module: module.map_err(|error| Stop::Failed(error.to_string()))? })
    }

    /// `bytes` on the device: its address.
    pub fn upload(&self, bytes: &[u8]) -> Result<u64, Stop> {
        let at = self.alloc(bytes.len())?;
        self.module.device().write(at, bytes).map_err(|error| Stop::Failed(error.to_string()))?;
        Ok(at)
    }

    /// So many undefined bytes.
    pub fn alloc(&self, bytes: usize) -> Result<u64, Stop> {
        self.module.device().alloc(bytes.max(1) as u64).map_err(|error| Stop::Failed(error.to_string()))
    }

    /// Bytes of the device.
    pub fn read(&self, at: u64, bytes: usize) -> Result<Vec<u8>, Stop> {
        let mut out = vec![0; bytes];
        self.module.device().read(at, &mut out).map_err(|error| Stop::Failed(error.to_string()))?;
        Ok(out)
    }

    /// Runs a kernel; whatever is found wrong is an error. Statistics come with seed 0.
    pub fn launch(&self, entry: &str, config: &LaunchConfig, params: &[Vec<u8>]) -> Result<Report, Stop> {
        let launched = self.module.launch(entry, config, params);
        launched.map_err(|error| Stop::Failed(format!("{entry}: {error}")))
    }
}
