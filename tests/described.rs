//! Every kernel's typed description, and where its PTX lies.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

use gpu_std::launch::{BlockRule, Kernel, ParamDesc};
use ptx_parse::Module;
use ptx_parse::manifest::{FILE_NAME, Manifest};

include!(concat!(env!("OUT_DIR"), "/kernels.rs"));

/// The architectures that `cargo xtask build-ptx` builds by default.
pub use ptx_builder::{Backend, DEFAULT_ARCHS};

/// What `#[kernel]` left in the host program of one entry.
#[derive(Clone, Copy, Debug)]
pub struct Described {
    /// Folder of its source file.
    pub folder: &'static str,
    /// Name of its source file.
    pub file: &'static str,
    /// Name of the function.
    pub function: &'static str,
    /// Name of the PTX entry.
    pub entry: &'static str,
    /// Stem, as the kernel says it.
    pub stem: &'static str,
    /// Family, as the kernel says it.
    pub family: &'static str,
    /// Blocks it may be launched with.
    pub block: BlockRule,
    /// Blocks per cluster.
    pub cluster: Option<u32>,
    /// Architecture it is limited to.
    pub target: Option<&'static str>,
    /// Whether it uses dynamic shared memory.
    pub dynamic_shared: bool,
    /// Source-level parameters.
    pub params: &'static [ParamDesc],
    /// The record, as it stands in the device code.
    pub record: &'static str,
    /// Hash of the record.
    pub signature: u64,
}

impl Described {
    /// The description of `K`, whose source is `<folder>/<file>.rs`.
    pub const fn of<K: Kernel>(folder: &'static str, file: &'static str, function: &'static str) -> Self {
        Self {
            folder,
            file,
            function,
            entry: K::ENTRY,
            stem: K::STEM,
            family: K::FAMILY,
            block: K::BLOCK,
            cluster: K::CLUSTER,
            target: K::TARGET,
            dynamic_shared: K::DYNAMIC_SHARED,
            params: K::PARAMS,
            record: K::RECORD,
            signature: K::SIGNATURE_HASH,
        }
    }

    /// Whether `arch` has it.
    pub fn is_on(&self, arch: &str) -> bool {
        self.target.is_none_or(|target| target == arch || is_newer(arch, target))
    }
}

/// Whether `arch` has all that `target` has, which has no letter behind its number, and more.
fn is_newer(arch: &str, target: &str) -> bool {
    let number = |name: &str| name.strip_prefix("sm_").and_then(|n| n.parse::<u32>().ok());
    let with_letter = |name: &str| number(name.trim_end_matches(|c: char| c.is_ascii_lowercase()));
    number(target).is_some_and(|target| with_letter(arch).is_some_and(|arch| arch >= target))
}

/// The workspace's folder.
pub fn workspace() -> &'static Path {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here)
}

/// The back ends whose PTX is looked at: LLVM's, and libNVVM's where it is here. Where it is not, says so.
///
/// # Panics
/// A variable that names no libNVVM.
pub fn backends() -> Vec<Backend> {
    let backends = ptx_builder::backend::available(&workspace().join("target"));
    let backends = backends.unwrap_or_else(|error| panic!("{error}"));
    if !backends.contains(&Backend::Nvvm) {
        // Not by `eprintln!`, which the test harness keeps to itself where a test passes.
        let note = "skipped: PTX by libNVVM, which is not here; `cargo xtask setup --nvvm` fetches it";
        let _ = writeln!(std::io::stderr(), "{note}");
    }
    backends
}

/// Every back end that is here with every architecture of the default set.
pub fn built() -> Vec<(Backend, &'static str)> {
    backends().into_iter().flat_map(|backend| DEFAULT_ARCHS.map(|arch| (backend, arch))).collect()
}

/// The folder of an architecture's PTX.
pub fn ptx_dir(backend: Backend, arch: &str) -> PathBuf {
    workspace().join("target/ptx").join(backend.name()).join(arch)
}

/// What `cargo xtask build-ptx` has built for `arch`; read once.
///
/// # Panics
/// Where there is none, or it is stale: the message says what to run.
pub fn manifest(backend: Backend, arch: &str) -> Arc<Manifest> {
    static READ: Mutex<BTreeMap<PathBuf, Arc<Manifest>>> = Mutex::new(BTreeMap::new());
    let path = ptx_dir(backend, arch).join(FILE_NAME);
    if let Some(manifest) = READ.lock().unwrap_or_else(PoisonError::into_inner).get(&path) {
        return manifest.clone();
    }
    let manifest = Manifest::read(&path).unwrap_or_else(|error| panic!("{error}"));
    if let Some(source) = manifest.changed_source() {
        panic!("the PTX for {arch} by {backend} is older than {source}: run `cargo xtask build-ptx`");
    }
    let manifest = Arc::new(manifest);
    READ.lock().unwrap_or_else(PoisonError::into_inner).insert(path, manifest.clone());
    manifest
}

/// A family's PTX, parsed; once for calls that follow each other. All families together would take gigabytes.
///
/// # Panics
/// Where it is missing or no PTX.
pub fn ptx(backend: Backend, arch: &str, family: &str) -> Rc<Module> {
    thread_local! {
        static LAST: RefCell<Option<(PathBuf, Rc<Module>)>> = const { RefCell::new(None) };
    }
    let path = ptx_dir(backend, arch).join(format!("{family}.ptx"));
    let last =
        LAST.with_borrow(|last| last.as_ref().filter(|(of, _)| *of == path).map(|(_, ptx)| ptx.clone()));
    last.unwrap_or_else(|| {
        let text =
            std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let parsed = ptx_parse::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let parsed = Rc::new(parsed);
        LAST.set(Some((path, parsed.clone())));
        parsed
    })
}
