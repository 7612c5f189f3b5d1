//! The builder: settings, and the order of the steps.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use crate::arch::{DEFAULT_ARCHS, check_known};
use crate::artefact::{Context, Outcome};
use crate::backend::{Backend, need_libnvvm};
use crate::core_source::CoreSource;
use crate::error::BuildError;
use crate::lock::FolderLock;
use crate::package::Package;
use crate::ptxas::Ptxas;
use crate::report::{ArchReport, BuildReport};
use crate::toolchain::Toolchain;
use crate::{checks, include};

/// Builds a kernel crate to PTX.
#[derive(Debug, Clone)]
#[must_use = "call `build`"]
pub struct PtxBuilder {
    dir: PathBuf,
    archs: Vec<String>,
    out_dir: Option<PathBuf>,
    tools_dir: Option<PathBuf>,
    linker: Option<PathBuf>,
    extra_flags: Vec<String>,
    features: Vec<String>,
    offline: bool,
    cargo_metadata: Option<bool>,
    backend: Backend,
}

impl PtxBuilder {
    /// Builds the crate in `kernel_crate_dir`, the folder of its `Cargo.toml`, for [`DEFAULT_ARCHS`].
    pub fn new(kernel_crate_dir: impl Into<PathBuf>) -> Self {
        Self {
            dir: kernel_crate_dir.into(),
            archs: Vec::new(),
            out_dir: None,
            tools_dir: None,
            linker: None,
            extra_flags: Vec::new(),
            features: Vec::new(),
            offline: false,
            cargo_metadata: None,
            backend: Backend::default(),
        }
    }

    /// Builds for this architecture; the first call replaces the default set, later ones add.
    pub fn arch(mut self, arch: impl Into<String>) -> Self {
        let arch = arch.into();
        if !self.archs.contains(&arch) {
            self.archs.push(arch);
        }
        self
    }

    /// Builds for these architectures; adds like [`PtxBuilder::arch`].
    pub fn archs<I: IntoIterator<Item = S>, S: Into<String>>(self, archs: I) -> Self {
        archs.into_iter().fold(self, Self::arch)
    }

    /// Lets this back end write the PTX.
    pub fn backend(mut self, backend: Backend) -> Self {
        self.backend = backend;
        self
    }

    /// Writes to `<dir>/<back end>/<arch>/` instead of `<workspace>/target/ptx/<back end>/<arch>/`.
    pub fn out_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.out_dir = Some(dir.into());
        self
    }

    /// Looks for what was fetched (`core`'s source, ptxas) in `dir` and fetches to it, instead of
    /// `<workspace>/target`.
    pub fn tools_dir(mut self, dir: impl Into<PathBuf>) -> Self {
        self.tools_dir = Some(dir.into());
        self
    }

    /// Lets rustc call this program as linker instead of the running one.
    pub fn linker(mut self, program: impl Into<PathBuf>) -> Self {
        self.linker = Some(program.into());
        self
    }

    /// Passes `--cfg <cfg>` to every crate of the kernel build.
    pub fn cfg(self, cfg: impl Into<String>) -> Self {
        self.rustc_flag("--cfg").rustc_flag(cfg)
    }

    /// Passes one more flag to every rustc of the kernel build.
    pub fn rustc_flag(mut self, flag: impl Into<String>) -> Self {
        self.extra_flags.push(flag.into());
        self
    }

    /// Turns on a feature of the kernel crate.
    pub fn feature(mut self, feature: impl Into<String>) -> Self {
        self.features.push(feature.into());
        self
    }

    /// Passes `--offline` to cargo.
    pub fn offline(mut self, offline: bool) -> Self {
        self.offline = offline;
        self
    }

    /// Whether to print `cargo:` lines and write `$OUT_DIR/warpsmith_ptx.rs`; by default where `OUT_DIR` is set.
    pub fn emit_cargo_metadata(mut self, emit: bool) -> Self {
        self.cargo_metadata = Some(emit);
        self
    }

    /// Builds what is not up to date, checks it and writes it. When this program was called by rustc as linker,
    /// links instead and does not return.
    ///
    /// # Errors
    /// See [`BuildError`]. The folder of an architecture that failed is left as it was.
    pub fn build(&self) -> Result<BuildReport, BuildError> {
        crate::run_as_linker_if_asked();
        let toolchain = Toolchain::discover(&self.dir)?;
        let archs = self.wanted_archs();
        check_known(&archs, &toolchain)?;
        let package = Package::read(&self.dir, &toolchain)?;
        let target = package.workspace.join("target");
        let out_dir = self.out_dir.clone().unwrap_or_else(|| target.join("ptx"));
        let out_dir = std::path::absolute(&out_dir).map_err(BuildError::io("resolve", &out_dir))?;
        let tools = self.tools_dir.clone().unwrap_or_else(|| target.clone());
        let ptxas = Ptxas::find(&tools)?;
        let libnvvm = match self.backend {
            Backend::Llvm => None,
            Backend::Nvvm => Some(need_libnvvm(&tools)?),
        };
        let context = Context {
            backend: self.backend,
            libnvvm: libnvvm.as_deref(),
            toolchain: &toolchain,
            package: &package,
            ptxas: ptxas.as_ref(),
            extra_flags: &self.extra_flags,
            features: &self.features,
            linker: self.linker.as_deref(),
            offline: self.offline,
            target: &target,
            tools: &tools,
            out_dir: &out_dir,
        };
        let lock = FolderLock::acquire(&out_dir)?;
        let archs = build_archs(&context, &archs)?;
        drop(lock);
        let report = BuildReport { archs, ptxas: ptxas.clone(), workspace: package.workspace.clone() };
        self.tell_cargo(&report)?;
        Ok(report)
    }

    fn wanted_archs(&self) -> Vec<String> {
        if self.archs.is_empty() { DEFAULT_ARCHS.map(str::to_owned).to_vec() } else { self.archs.clone() }
    }

    fn tell_cargo(&self, report: &BuildReport) -> Result<(), BuildError> {
        let out_dir = std::env::var_os("OUT_DIR").map(PathBuf::from);
        if !self.cargo_metadata.unwrap_or(out_dir.is_some()) {
            return Ok(());
        }
        include::print_cargo_metadata(report);
        out_dir.map_or(Ok(()), |dir| include::write(report, &dir))
    }
}

/// Builds what is out of date, checks all architectures against each other, and only then writes.
fn build_archs(context: &Context, archs: &[String]) -> Result<Vec<ArchReport>, BuildError> {
    let fresh: BTreeMap<&str, ArchReport> =
        archs.iter().filter_map(|arch| Some((arch.as_str(), context.up_to_date(arch)?))).collect();
    let stale: Vec<&String> = archs.iter().filter(|arch| !fresh.contains_key(arch.as_str())).collect();
    let built = if stale.is_empty() { Vec::new() } else { build_stale(context, &stale)? };
    let all: Vec<_> = fresh
        .iter()
        .map(|(arch, report)| (*arch, &report.manifest.entries))
        .chain(built.iter().map(|outcome| (outcome.manifest.arch.as_str(), &outcome.manifest.entries)))
        .collect();
    let faults = checks::missing_on_arch(&all);
    if !faults.is_empty() {
        return Err(BuildError::Checks { faults });
    }
    drop(all);
    let mut reports: Vec<ArchReport> = fresh.into_values().collect();
    for outcome in built {
        reports.push(outcome.write(context)?);
    }
    let order = |report: &ArchReport| archs.iter().position(|arch| *arch == report.manifest.arch);
    reports.sort_by_key(order);
    Ok(reports)
}

/// Builds several architectures at a time, as many as there are cores. Faults of all of them are reported at once.
fn build_stale(context: &Context, archs: &[&String]) -> Result<Vec<Outcome>, BuildError> {
    // Builds into several output folders share cargo's target folder and the linker's.
    let _lock = FolderLock::acquire(&context.target.join("ptx-build"))?;
    let core = CoreSource::find(context.toolchain, context.tools)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    // Without a lock file the first cargo writes it.
    let has_lock = context.package.workspace.join("Cargo.lock").is_file();
    let workers = if has_lock { cores.min(archs.len()) } else { 1 };
    let queue = Mutex::new(archs.iter());
    let work = || {
        let mut results = Vec::new();
        loop {
            let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
            let Some(arch) = next else { return results };
            results.push(context.build(&core, arch));
        }
    };
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect::<Vec<Result<Outcome, BuildError>>>()
    });
    let mut outcomes = Vec::new();
    let mut faults = Vec::new();
    for result in results {
        match result {
            Ok(outcome) => outcomes.push(outcome),
            Err(BuildError::Checks { faults: found }) => faults.extend(found),
            Err(error) => return Err(error),
        }
    }
    if faults.is_empty() {
        return Ok(outcomes);
    }
    faults.sort_by(|a, b| (&a.arch, &a.family, &a.entry).cmp(&(&b.arch, &b.family, &b.entry)));
    Err(BuildError::Checks { faults })
}

/// The folder of one architecture.
pub(crate) fn arch_dir(out_dir: &Path, backend: Backend, arch: &str) -> PathBuf {
    out_dir.join(backend.name()).join(arch)
}
