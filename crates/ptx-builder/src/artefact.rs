//! One architecture: is it up to date, build it, check it, write it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use ptx_parse::Module;
use ptx_parse::hash::{Hasher, content_hash};
use ptx_parse::manifest::{FILE_NAME, FamilyFile, Manifest, PtxasInfo, VERSION};

use crate::arch::ptx_version;
use crate::backend::Backend;
use crate::checks::{CheckedFamily, duplicates};
use crate::compile::{Compile, rustc_flags};
use crate::core_source::CoreSource;
use crate::defaults::Defaults;
use crate::depinfo;
use crate::error::BuildError;
use crate::fault::{Fault, FaultKind};
use crate::lock::write_whole;
use crate::package::Package;
use crate::ptxas::{Ptxas, Verdict};
use crate::record::{LinkFamily, LinkReport};
use crate::report::ArchReport;
use crate::toolchain::Toolchain;

/// What all architectures of a build share.
pub(crate) struct Context<'a> {
    /// libNVVM's file, where a back end of the build needs it.
    pub libnvvm: Option<&'a Path>,
    pub defaults: &'a Defaults,
    pub toolchain: &'a Toolchain,
    pub package: &'a Package,
    pub ptxas: Option<&'a Ptxas>,
    pub extra_flags: &'a [String],
    pub features: &'a [String],
    pub linker: Option<&'a Path>,
    pub offline: bool,
    pub target: &'a Path,
    pub tools: &'a Path,
    pub out_dir: &'a Path,
}

/// Who writes the PTX, for which architecture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Job<'a> {
    pub backend: Backend,
    pub arch: &'a str,
}

/// What is there and need not be built.
pub(crate) struct Fresh {
    pub report: ArchReport,
    /// Whether the kernels' default back ends have changed: they are in the manifest and not in the PTX.
    pub new_defaults: bool,
}

/// What a job made, checked and not yet written.
pub(crate) struct Outcome {
    pub backend: Backend,
    pub manifest: Manifest,
    /// File name and content.
    files: Vec<(String, String)>,
    warnings: Vec<String>,
}

/// A PTX file as the linker left it.
struct Family {
    link: LinkFamily,
    path: PathBuf,
    text: String,
    module: Module,
    ptxas: BTreeMap<String, PtxasInfo>,
}

impl Context<'_> {
    /// What is there for the job, if a build now would make the same PTX.
    pub fn up_to_date(&self, job: Job<'_>) -> Option<Fresh> {
        let dir = arch_dir(self.out_dir, job);
        let mut manifest = Manifest::read(&dir.join(FILE_NAME)).ok()?;
        let workspace = &self.package.workspace;
        let unchanged = |path: &String, hash: &String| {
            fs::read(workspace.join(path)).is_ok_and(|bytes| content_hash(&bytes) == *hash)
        };
        let same = manifest.build_key == self.build_key(job)
            && manifest.source_root == *workspace
            && !manifest.sources.is_empty()
            && manifest.sources.iter().all(|(path, hash)| unchanged(path, hash))
            && manifest.families.values().all(|family| {
                fs::read(dir.join(&family.file)).is_ok_and(|bytes| content_hash(&bytes) == family.ptx_hash)
            });
        if !same {
            return None;
        }
        let new_defaults = self.defaults.apply(&mut manifest.entries);
        let report = ArchReport { backend: job.backend, dir, fresh: true, warnings: Vec::new(), manifest };
        Some(Fresh { report, new_defaults })
    }

    /// libNVVM's file, for the back end that needs it.
    fn libnvvm(&self, backend: Backend) -> Option<&Path> {
        self.libnvvm.filter(|_| backend == Backend::Nvvm)
    }

    /// Everything but the sources that decides the PTX.
    fn build_key(&self, Job { backend, arch }: Job<'_>) -> String {
        let mut key = Hasher::default();
        key.field(env!("CARGO_PKG_VERSION")).field(env!("PTX_BUILDER_SOURCE_HASH"));
        key.field(&self.toolchain.verbose).field(arch).field(&self.package.name);
        for word in self.extra_flags.iter().chain(self.features) {
            key.field(word);
        }
        key.field(&self.linker.map(file_identity).unwrap_or_default());
        key.field(
            &self.ptxas.map(|p| format!("{} {}", p.version, file_identity(&p.path))).unwrap_or_default(),
        );
        key.field(backend.name()).field(&self.libnvvm(backend).map(file_identity).unwrap_or_default());
        for file in ["Cargo.toml", "Cargo.lock"] {
            let bytes = fs::read(self.package.workspace.join(file)).unwrap_or_default();
            key.field(&content_hash(&bytes));
        }
        key.finish()
    }

    /// Compiles, links and checks.
    pub fn build(&self, core: &CoreSource, job: Job<'_>) -> Result<Outcome, BuildError> {
        let Job { backend, arch } = job;
        let target_dir = self.target.join("ptx-build").join(arch);
        let link_dir = target_dir.join("link").join(backend.name()).join(&self.package.name);
        let compile = Compile {
            toolchain: self.toolchain,
            package: self.package,
            core,
            arch,
            flags: rustc_flags(arch, self.extra_flags),
            ptx_version: ptx_version(arch),
            linker: self.linker,
            libnvvm: self.libnvvm(backend),
            features: self.features,
            offline: self.offline,
            target_dir,
            link_dir,
        };
        let start = SystemTime::now();
        let dep_info = compile.run()?;
        let sources = depinfo::sources(&dep_info, &self.package.workspace, start)?;
        let report = LinkReport::read(&compile.link_dir)?;
        let undefined = report.undefined.clone();
        let mut warnings = Vec::new();
        let mut families = read_families(report, arch, &compile.link_dir)?;
        // Before ptxas, which refuses some faults in words of its own; and again with what it says.
        check(arch, &families, &undefined)?;
        self.ask_ptxas(&mut families, arch, &compile.link_dir, &mut warnings)?;
        let mut entries = check(arch, &families, &undefined)?.into_iter().collect();
        self.defaults.apply(&mut entries);
        let version = families.first().map_or((0, 0), |family| family.module.version);
        let file =
            |f: &Family| FamilyFile { file: f.link.file.clone(), ptx_hash: content_hash(f.text.as_bytes()) };
        let manifest = Manifest {
            version: VERSION,
            codegen: backend.name().to_owned(),
            arch: arch.to_owned(),
            ptx_version: format!("{}.{}", version.0, version.1),
            source_hash: Manifest::hash_sources(&sources),
            // After the build: the first one writes the lock file.
            build_key: self.build_key(job),
            rustc: self.toolchain.version.clone(),
            llvm: self.toolchain.llvm.clone(),
            flags: compile.flags,
            source_root: self.package.workspace.clone(),
            sources,
            families: families.iter().map(|f| (f.link.family.clone(), file(f))).collect(),
            entries,
        };
        let files = families.into_iter().map(|family| (family.link.file, family.text)).collect();
        Ok(Outcome { backend, manifest, files, warnings })
    }

    fn ask_ptxas(
        &self,
        families: &mut [Family],
        arch: &str,
        link_dir: &Path,
        warnings: &mut Vec<String>,
    ) -> Result<(), BuildError> {
        let Some(ptxas) = self.ptxas else { return Ok(()) };
        for family in families {
            match ptxas.assemble(&family.path, arch, &family.link.family, link_dir)? {
                Verdict::Facts(facts) => family.ptxas = facts,
                Verdict::TooOld(reason) => {
                    warnings.push(reason);
                    return Ok(());
                }
            }
        }
        Ok(())
    }
}

/// Reads and parses every PTX file of a link.
fn read_families(report: LinkReport, arch: &str, link_dir: &Path) -> Result<Vec<Family>, BuildError> {
    let mut families = Vec::new();
    for link in report.families {
        let path = link_dir.join(&link.file);
        let text = fs::read_to_string(&path).map_err(BuildError::io("read", &path))?;
        let module = ptx_parse::parse(&text).map_err(|source| BuildError::Ptx {
            arch: arch.to_owned(),
            family: link.family.clone(),
            line: text.lines().nth(source.pos.line.saturating_sub(1) as usize).unwrap_or("").to_owned(),
            source: Box::new(source),
        })?;
        families.push(Family { link, path, text, module, ptxas: BTreeMap::new() });
    }
    Ok(families)
}

/// All checks of one architecture.
fn check(
    arch: &str,
    families: &[Family],
    undefined: &[String],
) -> Result<Vec<(String, ptx_parse::manifest::EntryInfo)>, BuildError> {
    let recorded = families.iter().any(|family| !family.link.records.is_empty());
    let mut faults = Vec::new();
    let mut entries = Vec::new();
    for family in families {
        let checked = CheckedFamily {
            arch,
            family: &family.link.family,
            module: &family.module,
            records: &family.link.records,
            ptxas: &family.ptxas,
            recorded,
        };
        entries.extend(checked.entries(&mut faults));
    }
    faults.extend(duplicates(arch, &entries));
    for symbol in undefined {
        let known = |fault: &Fault| fault.kind == FaultKind::UnresolvedExtern { symbol: symbol.clone() };
        if !faults.iter().any(known) {
            let kind = FaultKind::UnresolvedExtern { symbol: symbol.clone() };
            let (family, entry) = ("all".to_owned(), "all".to_owned());
            faults.push(Fault { backend: Backend::default(), arch: arch.to_owned(), family, entry, kind });
        }
    }
    if faults.is_empty() { Ok(entries) } else { Err(BuildError::Checks { faults }) }
}

impl Fresh {
    /// What it was made for.
    pub fn job(&self) -> Job<'_> {
        self.report.job()
    }

    /// Writes the manifest where the defaults in it have changed.
    pub fn write(self) -> Result<ArchReport, BuildError> {
        if self.new_defaults {
            write_whole(&self.report.dir.join(FILE_NAME), self.report.manifest.to_json().as_bytes())?;
        }
        Ok(self.report)
    }
}

impl Outcome {
    /// What it was made for.
    pub fn job(&self) -> Job<'_> {
        Job { backend: self.backend, arch: &self.manifest.arch }
    }

    /// Writes PTX first and the manifest last, each whole; removes PTX that no longer belongs.
    pub fn write(self, context: &Context) -> Result<ArchReport, BuildError> {
        let dir = arch_dir(context.out_dir, self.job());
        fs::create_dir_all(&dir).map_err(BuildError::io("create", &dir))?;
        for (name, text) in &self.files {
            write_whole(&dir.join(name), text.as_bytes())?;
        }
        write_whole(&dir.join(FILE_NAME), self.manifest.to_json().as_bytes())?;
        for entry in fs::read_dir(&dir).map_err(BuildError::io("read", &dir))?.flatten() {
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().into_owned();
            if name.ends_with(".ptx") && !self.files.iter().any(|(file, _)| *file == name) {
                fs::remove_file(&path).map_err(BuildError::io("remove", path))?;
            }
        }
        let Self { backend, warnings, manifest, .. } = self;
        Ok(ArchReport { backend, dir, fresh: false, warnings, manifest })
    }
}

/// The folder of one back end's PTX for one architecture.
fn arch_dir(out_dir: &Path, Job { backend, arch }: Job<'_>) -> PathBuf {
    out_dir.join(backend.name()).join(arch)
}

/// Path, size and time of a program: enough to see that it was replaced.
fn file_identity(path: &Path) -> String {
    let metadata = fs::metadata(path).ok();
    let size = metadata.as_ref().map(fs::Metadata::len);
    let time = metadata.and_then(|m| m.modified().ok());
    format!("{} {size:?} {time:?}", path.display())
}
