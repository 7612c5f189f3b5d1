//! A simulated device: its memory, and the modules loaded on it.

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use ptx_parse::analysis::Param;
use ptx_parse::ast::{Module as Ast, Space};

use crate::error::{CodeError, LaunchError, LoadError};
use crate::exec::{self, Job};
use crate::finding::Findings;
use crate::initial;
use crate::memory::{Global, Layout, MemoryError, Region};
use crate::options::Options;
use crate::program::{self, Kernel, MAX_SHARED_BYTES};
use crate::stats::Stats;

/// Threads of a block, at most.
const MAX_THREADS: u64 = 1024;
/// The largest extents of a block.
const MAX_BLOCK: [u32; 3] = [1024, 1024, 64];
/// The largest extents of a grid (compute capability 3.0 and up).
const MAX_GRID: [u32; 3] = [0x7fff_ffff, 65_535, 65_535];
/// Local memory of the threads of a block, at most.
const MAX_BLOCK_LOCAL_BYTES: u64 = 1 << 28;
/// Blocks of a cluster, at most: the size that kernels must ask for beyond 8 included.
const MAX_CLUSTER: u32 = 16;
/// Blocks of a grid that the simulator tells apart.
const MAX_BLOCKS: u64 = 1 << 24;

/// The memory of a simulated GPU. Clones are the same device.
#[derive(Clone, Debug, Default)]
pub struct Device {
    inner: Arc<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    global: Global,
    options: Options,
    launches: AtomicU64,
}

impl Device {
    /// A device without allocations.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { inner: Arc::new(Inner { options, ..Inner::default() }) }
    }

    /// How its launches are run.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.inner.options
    }

    /// The address of `bytes` new bytes, whose contents are undefined: a kernel that lets one reach a store, an address or a
    /// branch is reported. A multiple of 256 and of nothing more.
    ///
    /// # Errors
    /// A size that the simulator or the host has no room for.
    pub fn alloc(&self, bytes: u64) -> Result<u64, MemoryError> {
        self.inner.global.alloc(bytes)
    }

    /// Gives an allocation back. Addresses are not used again: whoever still uses this one is found out.
    ///
    /// # Errors
    /// An address that is not the start of an allocation.
    pub fn free(&self, addr: u64) -> Result<(), MemoryError> {
        self.inner.global.free(addr)
    }

    /// Copies bytes to the host, undefined ones too.
    ///
    /// # Errors
    /// A range that is not inside one allocation.
    pub fn read(&self, addr: u64, out: &mut [u8]) -> Result<(), MemoryError> {
        self.inner.global.read(addr, out)
    }

    /// Copies bytes from the host.
    ///
    /// # Errors
    /// A range that is not inside one allocation.
    pub fn write(&self, addr: u64, bytes: &[u8]) -> Result<(), MemoryError> {
        self.inner.global.write(addr, bytes)
    }

    /// Sets `len` bytes to `byte`.
    ///
    /// # Errors
    /// A range that is not inside one allocation.
    pub fn fill(&self, addr: u64, len: u64, byte: u8) -> Result<(), MemoryError> {
        self.inner.global.fill(addr, len, byte)
    }

    /// Sets `len` bytes to `byte` and makes them undefined: a kernel that uses them before it writes them is reported.
    ///
    /// # Errors
    /// A range that is not inside one allocation.
    pub fn poison(&self, addr: u64, len: u64, byte: u8) -> Result<(), MemoryError> {
        self.inner.global.poison(addr, len, byte)
    }

    /// Copies `len` bytes to another place, undefined ones too. The ranges may overlap.
    ///
    /// # Errors
    /// A range that is not inside one allocation.
    pub fn copy(&self, to: u64, from: u64, len: u64) -> Result<(), MemoryError> {
        self.inner.global.copy(to, from, len)
    }

    /// The address of the first byte of a range that nothing has written.
    ///
    /// # Errors
    /// A range that is not inside one allocation.
    pub fn first_undefined(&self, addr: u64, len: u64) -> Result<Option<u64>, MemoryError> {
        self.inner.global.first_undefined(addr, len)
    }

    /// Loads a PTX file.
    ///
    /// # Errors
    /// A file that cannot be read, text that is not PTX, a variable without room.
    pub fn load(&self, path: &Path) -> Result<Module, LoadError> {
        let bytes = std::fs::read(path).map_err(|error| LoadError::Read { path: path.to_owned(), error })?;
        let name = path.display().to_string();
        let ast =
            ptx_parse::parse_bytes(&bytes).map_err(|error| LoadError::Parse { name: name.clone(), error })?;
        self.load_ast(&name, ast)
    }

    /// Loads PTX text; messages call it `name`.
    ///
    /// # Errors
    /// As [`load`](Self::load).
    pub fn load_text(&self, name: &str, text: &str) -> Result<Module, LoadError> {
        let ast =
            ptx_parse::parse(text).map_err(|error| LoadError::Parse { name: name.to_owned(), error })?;
        self.load_ast(name, ast)
    }

    /// Loads a module that was parsed already.
    ///
    /// # Errors
    /// A variable without room, or one whose initial value makes no sense.
    pub fn load_ast(&self, name: &str, ast: Ast) -> Result<Module, LoadError> {
        let globals = initial::place(&self.inner.global, name, &ast)?;
        let params =
            ast.entries().map(|entry| (entry.name.clone(), entry.layout().unwrap_or_default())).collect();
        let loaded = Loaded { name: name.to_owned(), ast, globals, params, kernels: Mutex::default() };
        Ok(Module { device: self.clone(), loaded: Arc::new(loaded) })
    }
}

/// A module on a device. Clones are the same module.
#[derive(Clone, Debug)]
pub struct Module {
    device: Device,
    loaded: Arc<Loaded>,
}

#[derive(Debug)]
struct Loaded {
    name: String,
    ast: Ast,
    globals: HashMap<String, u64>,
    params: HashMap<String, Vec<Param>>,
    kernels: Mutex<HashMap<String, Arc<Kernel>>>,
}

/// The shape of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LaunchConfig {
    /// Blocks, by axis.
    pub grid: [u32; 3],
    /// Threads of a block, by axis.
    pub block: [u32; 3],
    /// Dynamic shared memory in bytes.
    pub shared_bytes: u32,
    /// Blocks of a cluster, by axis.
    pub cluster: [u32; 3],
}

impl Default for LaunchConfig {
    fn default() -> Self {
        Self { grid: [1; 3], block: [1; 3], shared_bytes: 0, cluster: [1; 3] }
    }
}

/// What a launch without findings tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// Instructions executed, counted by thread.
    pub instructions: u64,
    /// What was counted, if the options ask for it.
    pub stats: Option<Stats>,
}

impl Module {
    /// The device it was loaded on.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// Its kernels, in the order of the text.
    #[must_use]
    pub fn entries(&self) -> Vec<&str> {
        self.loaded.ast.entries().map(|entry| entry.name.as_str()).collect()
    }

    /// The parameters of a kernel.
    #[must_use]
    pub fn params(&self, entry: &str) -> Option<&[Param]> {
        self.loaded.params.get(entry).map(Vec::as_slice)
    }

    /// The address and size in bytes of a variable of the module in global or constant memory.
    #[must_use]
    pub fn global(&self, name: &str) -> Option<(u64, u64)> {
        let addr = *self.loaded.globals.get(name)?;
        let variable = self.loaded.ast.variables.iter().find(|v| v.name == name)?;
        Some((addr, variable.size_bytes()?))
    }

    /// Checks that a kernel and everything it reaches is executed by the simulator, without running it.
    ///
    /// # Errors
    /// No such kernel, or the first instruction that is not executed, with its line.
    pub fn check(&self, entry: &str) -> Result<(), LaunchError> {
        self.kernel(entry).map(|_| ())
    }

    /// Runs a kernel to its end. `params` are the bytes of each parameter, little-endian.
    ///
    /// # Errors
    /// No such kernel; parameters or a shape that it does not take; and everything that was found wrong while it ran, in which
    /// case memory holds what it wrote until then.
    pub fn launch(
        &self,
        entry: &str,
        config: &LaunchConfig,
        params: &[Vec<u8>],
    ) -> Result<Report, LaunchError> {
        let kernel = self.kernel(entry)?;
        let params = lay_out(&kernel, params)?;
        let config = &with_cluster(&kernel, config);
        check_shape(&kernel, config)?;
        check_memory(&kernel, config)?;
        let inner = &self.device.inner;
        let job = Job {
            shared: Arc::new(shared_layout(&kernel, config.shared_bytes)),
            local: Arc::new(kernel.local.clone()),
            kernel,
            grid: config.grid,
            block: config.block,
            cluster: config.cluster,
            shared_bytes: config.shared_bytes,
            params,
            options: inner.options,
            grid_id: inner.launches.fetch_add(1, Ordering::Relaxed) + 1,
        };
        let outcome = exec::run(&job, &inner.global);
        if !outcome.findings.is_empty() {
            return Err(Findings(outcome.findings).into());
        }
        let stats = outcome.counters.map(|counters| counters.stats(&job.kernel));
        Ok(Report { instructions: outcome.executed, stats })
    }

    /// The kernel, made ready when it is first asked for.
    fn kernel(&self, entry: &str) -> Result<Arc<Kernel>, LaunchError> {
        let mut kernels = self.loaded.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(kernel) = kernels.get(entry) {
            return Ok(Arc::clone(kernel));
        }
        let Some(function) = self.loaded.ast.entry(entry) else {
            return Err(LaunchError::NoEntry { entry: entry.to_owned(), module: self.loaded.name.clone() });
        };
        let compiled = program::compile(&self.loaded.ast, &self.loaded.globals, function);
        let kernel = compiled.map_err(|(line, kind)| LoadError::Code {
            name: self.loaded.name.clone(),
            line,
            kind,
        })?;
        let kernel = Arc::new(kernel);
        kernels.insert(entry.to_owned(), Arc::clone(&kernel));
        Ok(kernel)
    }
}

/// The parameters as one block of bytes.
fn lay_out(kernel: &Kernel, params: &[Vec<u8>]) -> Result<Vec<u8>, LaunchError> {
    let entry = || kernel.name.to_string();
    if params.len() != kernel.params.len() {
        return Err(LaunchError::ParamCount { entry: entry(), want: kernel.params.len(), got: params.len() });
    }
    let mut bytes = Vec::new();
    for (index, (param, given)) in kernel.params.iter().zip(params).enumerate() {
        if given.len() as u64 != param.size {
            let (want, got) = (param.size, given.len() as u64);
            return Err(LaunchError::ParamSize { entry: entry(), index, want, got });
        }
        bytes.resize(param.offset as usize, 0);
        bytes.extend_from_slice(given);
    }
    Ok(bytes)
}

/// The launch with the cluster that the kernel requires, where it does not name one itself, as with the driver.
fn with_cluster(kernel: &Kernel, config: &LaunchConfig) -> LaunchConfig {
    match kernel.bounds.reqnctapercluster {
        Some(cluster) if config.cluster == [1; 3] => LaunchConfig { cluster, ..*config },
        _ => *config,
    }
}

fn check_shape(kernel: &Kernel, config: &LaunchConfig) -> Result<(), LaunchError> {
    let refuse =
        |what, got, limit| Err(LaunchError::Shape { entry: kernel.name.to_string(), what, got, limit });
    let product = |extents: [u32; 3]| extents.iter().map(|n| u128::from(*n)).product::<u128>();
    let fits = |got: [u32; 3], limit: [u32; 3]| got.iter().zip(limit).all(|(n, most)| (1..=most).contains(n));
    let LaunchConfig { grid, block, cluster, .. } = *config;
    if !fits(block, MAX_BLOCK) || product(block) > u128::from(MAX_THREADS) {
        return refuse(
            "block",
            block,
            format!("at most {MAX_BLOCK:?} and {MAX_THREADS} threads, at least 1"),
        );
    }
    if let Some(required) = kernel.bounds.reqntid
        && required != block
    {
        return refuse("block", block, format!("the kernel requires {required:?}"));
    }
    if let Some(most) = kernel.bounds.maxntid
        && product(block) > product(most)
    {
        return refuse("block", block, format!("the kernel takes at most {} threads", product(most)));
    }
    if !fits(grid, MAX_GRID) {
        return refuse("grid", grid, format!("at most {MAX_GRID:?}, at least 1"));
    }
    if product(grid) > u128::from(MAX_BLOCKS) {
        return refuse("grid", grid, format!("the simulator takes at most {MAX_BLOCKS} blocks"));
    }
    let required = kernel.bounds.reqnctapercluster;
    if required.is_some_and(|required| required != cluster) {
        return refuse("cluster", cluster, format!("the kernel requires {:?}", required.unwrap_or_default()));
    }
    if cluster.contains(&0) || grid.iter().zip(cluster).any(|(n, c)| n % c != 0) {
        return refuse("cluster", cluster, format!("it must divide the grid of {grid:?}"));
    }
    let most = kernel.bounds.maxclusterrank.unwrap_or(MAX_CLUSTER);
    if product(cluster) > u128::from(most.min(MAX_CLUSTER)) {
        return refuse("cluster", cluster, format!("at most {} blocks", most.min(MAX_CLUSTER)));
    }
    Ok(())
}

/// Refuses a launch whose blocks need more memory than there is.
fn check_memory(kernel: &Kernel, config: &LaunchConfig) -> Result<(), LaunchError> {
    let entry = || kernel.name.to_string();
    let got = kernel.shared_bytes + u64::from(config.shared_bytes);
    if got > MAX_SHARED_BYTES {
        return Err(LaunchError::SharedBytes { entry: entry(), got, limit: MAX_SHARED_BYTES });
    }
    let threads: u64 = config.block.iter().map(|n| u64::from(*n)).product();
    let got = kernel.local.end() * threads.next_multiple_of(32);
    if got > MAX_BLOCK_LOCAL_BYTES {
        return Err(LaunchError::LocalBytes { entry: entry(), got, limit: MAX_BLOCK_LOCAL_BYTES });
    }
    Ok(())
}

/// The shared variables with the dynamic array, whose size the launch gives.
fn shared_layout(kernel: &Kernel, bytes: u32) -> Layout {
    let mut layout = kernel.shared.clone();
    if let Some(start) = kernel.dynamic_shared {
        let end = start + u64::from(bytes);
        layout.regions.insert(0, Region { start, end, name: Arc::from("dynamic shared memory"), align: 16 });
    }
    layout
}

/// Whether a space's variables are kept in global memory.
pub(crate) fn is_global(space: Space) -> bool {
    matches!(space, Space::Global | Space::Const)
}

/// An initial value that cannot be laid out.
pub(crate) fn bad_variable(name: &str, line: u32, what: String) -> LoadError {
    LoadError::Code { name: name.to_owned(), line, kind: CodeError::Declaration(what) }
}
