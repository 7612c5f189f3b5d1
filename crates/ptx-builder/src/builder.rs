//! The builder: settings, and the order of the steps.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;

use crate::arch::{DEFAULT_ARCHS, check_known};
use crate::artefact::{Context, Fresh, Job, Outcome};
use crate::backend::{Backend, need_libnvvm};
use crate::core_source::CoreSource;
use crate::defaults::Defaults;
use crate::error::BuildError;
use crate::fault::Fault;
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
    backends: Vec<Backend>,
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
            backends: Vec::new(),
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

    /// Lets this back end write the PTX; the first call replaces LLVM, later ones add.
    pub fn backend(mut self, backend: Backend) -> Self {
        if !self.backends.contains(&backend) {
            self.backends.push(backend);
        }
        self
    }

    /// Lets these back ends write the PTX, such as [`crate::backend::available`]; adds like [`PtxBuilder::backend`].
    pub fn backends<I: IntoIterator<Item = Backend>>(self, backends: I) -> Self {
        backends.into_iter().fold(self, Self::backend)
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
        let backends = self.wanted_backends();
        let needs_libnvvm = backends.contains(&Backend::Nvvm);
        let libnvvm = needs_libnvvm.then(|| need_libnvvm(&tools)).transpose()?;
        let defaults = Defaults::read(&package.dir)?;
        let context = Context {
            libnvvm: libnvvm.as_deref(),
            defaults: &defaults,
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
        let of_backend = |&backend| archs.iter().map(move |arch| Job { backend, arch });
        let jobs: Vec<Job> = backends.iter().flat_map(of_backend).collect();
        let lock = FolderLock::acquire(&out_dir)?;
        let archs = build_jobs(&context, &jobs)?;
        drop(lock);
        let (workspace, package) = (package.workspace.clone(), package.dir.clone());
        let report = BuildReport { archs, ptxas: ptxas.clone(), workspace, package };
        self.tell_cargo(&report)?;
        Ok(report)
    }

    fn wanted_backends(&self) -> Vec<Backend> {
        if self.backends.is_empty() { vec![Backend::default()] } else { self.backends.clone() }
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
fn build_jobs(context: &Context, jobs: &[Job]) -> Result<Vec<ArchReport>, BuildError> {
    let fresh: Vec<Fresh> = jobs.iter().filter_map(|&job| context.up_to_date(job)).collect();
    let is_fresh = |job: &Job| fresh.iter().any(|fresh| fresh.job() == *job);
    let stale: Vec<Job> = jobs.iter().filter(|job| !is_fresh(job)).copied().collect();
    let built = if stale.is_empty() { Vec::new() } else { build_stale(context, &stale)? };
    check_together(context, &fresh, &built)?;
    let mut reports = fresh.into_iter().map(Fresh::write).collect::<Result<Vec<_>, _>>()?;
    for outcome in built {
        reports.push(outcome.write(context)?);
    }
    reports.sort_by_key(|report| jobs.iter().position(|job| *job == report.job()));
    Ok(reports)
}

/// What no architecture can tell alone: kernels that some have and others lack, and defaults of kernels that none has.
fn check_together(context: &Context, fresh: &[Fresh], built: &[Outcome]) -> Result<(), BuildError> {
    let fresh = fresh.iter().map(|fresh| (fresh.job(), &fresh.report.manifest.entries));
    let all: Vec<_> = fresh.chain(built.iter().map(|b| (b.job(), &b.manifest.entries))).collect();
    let mut faults = Vec::new();
    for backend in Backend::ALL {
        let archs = all.iter().filter(|(job, _)| job.backend == backend);
        let archs: Vec<_> = archs.map(|(job, entries)| (job.arch, *entries)).collect();
        faults.extend(of_backend(backend, checks::missing_on_arch(&archs)));
    }
    if !faults.is_empty() {
        return Err(BuildError::Checks { faults });
    }
    let archs = all.iter().map(|(job, _)| job.arch).collect();
    let names = all.iter().flat_map(|(_, entries)| entries.keys().map(String::as_str)).collect();
    context.defaults.check(&archs, &names)
}

/// The faults, found in PTX of this back end.
fn of_backend(backend: Backend, faults: Vec<Fault>) -> impl Iterator<Item = Fault> {
    faults.into_iter().map(move |fault| Fault { backend, ..fault })
}

/// Builds several architectures at a time, as many as there are cores. Faults of all of them are reported at once.
fn build_stale(context: &Context, jobs: &[Job]) -> Result<Vec<Outcome>, BuildError> {
    // Builds into several output folders share cargo's target folder and the linker's.
    let _lock = FolderLock::acquire(&context.target.join("ptx-build"))?;
    let core = CoreSource::find(context.toolchain, context.tools)?;
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let archs: BTreeSet<&str> = jobs.iter().map(|job| job.arch).collect();
    // Without a lock file the first cargo writes it.
    let has_lock = context.package.workspace.join("Cargo.lock").is_file();
    let workers = if has_lock { cores.min(archs.len()) } else { 1 };
    let queue = Mutex::new(archs.into_iter());
    let work = || {
        let mut results = Vec::new();
        loop {
            let next = queue.lock().unwrap_or_else(std::sync::PoisonError::into_inner).next();
            let Some(arch) = next else { return results };
            // One after the other: the back ends of an architecture share cargo's target folder.
            let of_arch = jobs.iter().filter(|job| job.arch == arch);
            results.extend(of_arch.map(|&job| (job.backend, context.build(&core, job))));
        }
    };
    let results = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers).map(|_| scope.spawn(work)).collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, Vec<_>>| {
            thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        threads.into_iter().flat_map(join).collect::<Vec<_>>()
    });
    let mut outcomes = Vec::new();
    let mut faults = Vec::new();
    for (backend, result) in results {
        match result {
            Ok(outcome) => outcomes.push(outcome),
            Err(BuildError::Checks { faults: found }) => faults.extend(of_backend(backend, found)),
            Err(error) => return Err(error),
        }
    }
    if faults.is_empty() {
        return Ok(outcomes);
    }
    faults.sort_by(|a, b| {
        (a.backend, &a.arch, &a.family, &a.entry).cmp(&(b.backend, &b.arch, &b.family, &b.entry))
    });
    Err(BuildError::Checks { faults })
}
