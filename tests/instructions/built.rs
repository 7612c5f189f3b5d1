//! The kernels, built once for each back end and architecture, as text and in the simulator.

use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::OnceLock;

use ptx_builder::{Backend, PtxBuilder};
use ptx_sim::{Device, LaunchConfig, Module};

use crate::here;

/// Who writes the PTX, for which architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    pub backend: Backend,
    pub arch: &'static str,
}

/// What is built. Of libNVVM, whose part is the same everywhere, the architecture that has every wrapper.
pub const TARGETS: [Target; 5] = [
    Target { backend: Backend::Llvm, arch: "sm_80" },
    Target { backend: Backend::Llvm, arch: "sm_90" },
    Target { backend: Backend::Llvm, arch: "sm_90a" },
    Target { backend: Backend::Nvvm, arch: "sm_90" },
    Target { backend: Backend::Nvvm, arch: "sm_90a" },
];

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}_{}", self.backend.name(), self.arch)
    }
}

impl Target {
    /// Why its back end is not there, if it is not.
    pub fn missing(self) -> Option<String> {
        if self.backend == Backend::Llvm {
            return None;
        }
        match ptx_builder::backend::find_libnvvm(&here().join("../target")) {
            Ok(Some(_)) => None,
            Ok(None) => Some("no libNVVM; `cargo xtask setup --nvvm` fetches it".to_owned()),
            // What is wrong with the variable is told by the build.
            Err(_) => None,
        }
    }
}

/// The targets whose back ends are there.
pub fn targets() -> impl Iterator<Item = Target> {
    TARGETS.into_iter().filter(|target| target.missing().is_none())
}

/// The kernels of a target.
pub struct Built {
    /// Each entry's name and the text between its braces.
    pub bodies: BTreeMap<String, String>,
    /// The module on a device of its own.
    pub module: Module,
}

/// The kernels of a target.
///
/// # Errors
/// Why they cannot be built or loaded.
pub fn built(target: Target) -> Result<&'static Built, String> {
    static BUILT: [OnceLock<Result<Built, String>>; TARGETS.len()] =
        [const { OnceLock::new() }; TARGETS.len()];
    let slot = TARGETS.iter().position(|known| *known == target).ok_or("another target")?;
    BUILT[slot].get_or_init(|| build(target)).as_ref().map_err(Clone::clone)
}

fn build(target: Target) -> Result<Built, String> {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    let report = PtxBuilder::new(here().join("kernels/instructions"))
        .backend(target.backend)
        .arch(target.arch)
        .out_dir(out)
        .tools_dir(here().join("../target"))
        .emit_cargo_metadata(false)
        .build()
        .map_err(|error| error.to_string())?;
    let built = &report.archs[0];
    let mut files = built.manifest.families.values();
    let (Some(family), None) = (files.next(), files.next()) else {
        return Err(format!("{target}: not one PTX file"));
    };
    let path = built.dir.join(&family.file);
    let wrong = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = fs::read_to_string(&path).map_err(|error| wrong(&error))?;
    let parsed = ptx_parse::parse(&text).map_err(|error| wrong(&error))?;
    parsed.check_names().map_err(|error| wrong(&error))?;
    let module = Device::default().load(&path).map_err(|error| wrong(&error))?;
    Ok(Built { bodies: entry_bodies(&text), module })
}

fn entry_bodies(ptx: &str) -> BTreeMap<String, String> {
    let mut bodies = BTreeMap::new();
    for part in ptx.split(".entry ").skip(1) {
        let name: String = part.chars().take_while(|c| c.is_ascii_alphanumeric() || *c == '_').collect();
        let end = part.find("\n}").unwrap_or(part.len());
        bodies.insert(name, part[..end].to_owned());
    }
    bodies
}

impl Built {
    /// Runs a kernel with one block of `threads` threads.
    ///
    /// # Errors
    /// What is wrong with the launch, or what was found.
    pub fn launch(&self, entry: &str, threads: u32, params: &[Vec<u8>]) -> Result<(), String> {
        self.launch_cluster(entry, 1, threads, params)
    }

    /// Runs a kernel with one cluster of `blocks` blocks.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    pub fn launch_cluster(
        &self,
        entry: &str,
        blocks: u32,
        threads: u32,
        params: &[Vec<u8>],
    ) -> Result<(), String> {
        let (grid, cluster, block) = ([blocks, 1, 1], [blocks, 1, 1], [threads, 1, 1]);
        let config = LaunchConfig { grid, block, cluster, ..LaunchConfig::default() };
        self.module.launch(entry, &config, params).map(drop).map_err(|error| format!("{entry}: {error}"))
    }

    /// `bytes` in a new allocation.
    ///
    /// # Errors
    /// No room.
    pub fn upload(&self, bytes: &[u8]) -> Result<Memory, String> {
        let device = self.module.device().clone();
        let addr = device.alloc(bytes.len() as u64).map_err(|error| error.to_string())?;
        device.write(addr, bytes).map_err(|error| error.to_string())?;
        Ok(Memory { device, addr, len: bytes.len() })
    }

    /// `len` undefined bytes.
    ///
    /// # Errors
    /// No room.
    pub fn alloc(&self, len: usize) -> Result<Memory, String> {
        let device = self.module.device().clone();
        let addr = device.alloc(len as u64).map_err(|error| error.to_string())?;
        Ok(Memory { device, addr, len })
    }
}

/// Bytes on the simulated device.
pub struct Memory {
    device: Device,
    addr: u64,
    len: usize,
}

impl Memory {
    /// Its address.
    pub fn addr(&self) -> u64 {
        self.addr
    }

    /// The parameter that points to it.
    pub fn param(&self) -> Vec<u8> {
        self.addr.to_le_bytes().to_vec()
    }

    /// Its bytes now.
    ///
    /// # Errors
    /// The device's.
    pub fn read(&self) -> Result<Vec<u8>, String> {
        let mut bytes = vec![0; self.len];
        self.device.read(self.addr, &mut bytes).map_err(|error| error.to_string())?;
        Ok(bytes)
    }
}

impl Drop for Memory {
    fn drop(&mut self) {
        // Allocated by this type and freed once: nothing can be wrong.
        let _ = self.device.free(self.addr);
    }
}
