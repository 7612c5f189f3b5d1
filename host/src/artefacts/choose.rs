//! Which of the PTX that was found is loaded, and whether it belongs to this program.

use std::borrow::Cow;
use std::cmp::Reverse;
use std::fs;
use std::path::{Path, PathBuf};

use ptx_parse::hash::content_hash;
use ptx_parse::manifest::{Backend, EntryInfo, Manifest};

use super::find::{Asked, Places};
use super::{Arch, ArtefactError, EmbeddedPtx, Options, Place, PtxVersion};

/// What the PTX is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Target {
    /// The device's compute capability.
    pub compute: (u32, u32),
    /// The CUDA version of its driver, 1000 * major + 10 * minor.
    pub driver: u32,
    /// The architecture taken where a place has it, even if the device runs newer PTX.
    pub preferred: Option<Arch>,
}

impl Target {
    fn device(&self) -> Arch {
        Arch::of_device(self.compute)
    }
}

/// The PTX of one back end for one architecture in one place.
#[derive(Clone, Debug)]
pub struct Artefact {
    place: Place,
    backend: Backend,
    arch: Arch,
    ptx_version: PtxVersion,
    manifest: Manifest,
    files: Files,
}

#[derive(Clone, Debug)]
enum Files {
    Folder(PathBuf),
    Embedded(EmbeddedPtx),
}

impl Artefact {
    pub(super) fn in_folder(place: Place, manifest: Manifest, dir: PathBuf) -> Result<Self, ArtefactError> {
        Self::new(place, manifest, Files::Folder(dir))
    }

    pub(super) fn embedded(
        place: Place,
        manifest: Manifest,
        embedded: EmbeddedPtx,
    ) -> Result<Self, ArtefactError> {
        Self::new(place, manifest, Files::Embedded(embedded))
    }

    fn new(place: Place, manifest: Manifest, files: Files) -> Result<Self, ArtefactError> {
        let (arch, backend) = (manifest.arch.parse::<Arch>().ok(), Backend::from_name(&manifest.codegen));
        let bad = |field, value: &String| ArtefactError::BadManifest {
            place: place.clone(),
            arch: manifest.arch.clone(),
            codegen: manifest.codegen.clone(),
            field,
            value: value.clone(),
        };
        let arch = arch.ok_or_else(|| bad("architecture", &manifest.arch))?;
        let backend = backend.ok_or_else(|| bad("back end", &manifest.codegen))?;
        let ptx_version =
            manifest.ptx_version.parse().map_err(|_| bad("PTX version", &manifest.ptx_version))?;
        Ok(Self { place, backend, arch, ptx_version, manifest, files })
    }

    /// The place it was found in.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
    }

    /// The back end that wrote it.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.backend
    }

    /// The architecture it is for.
    #[must_use]
    pub fn arch(&self) -> Arch {
        self.arch
    }

    /// Its PTX version.
    #[must_use]
    pub fn ptx_version(&self) -> PtxVersion {
        self.ptx_version
    }

    /// Its manifest.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// The PTX text of a family; `None` where the manifest has no such family.
    ///
    /// # Errors
    /// A file that cannot be read, or that is not the one the manifest describes.
    pub fn ptx(&self, family: &str) -> Result<Option<Cow<'static, str>>, ArtefactError> {
        let Some(info) = self.manifest.families.get(family) else { return Ok(None) };
        let text = match &self.files {
            Files::Folder(dir) => Some(Cow::Owned(read(&dir.join(&info.file))?)),
            Files::Embedded(embedded) => {
                embedded.ptx(self.backend.name(), &self.manifest.arch, family).map(Cow::Borrowed)
            }
        };
        match text {
            Some(text) if content_hash(text.as_bytes()) == info.ptx_hash => Ok(Some(text)),
            _ => Err(ArtefactError::Damaged { place: self.place.clone(), file: info.file.clone() }),
        }
    }

    /// How messages name a family's PTX.
    pub(crate) fn name_of(&self, family: &str) -> String {
        format!("the PTX of {family} for {} by {} in {}", self.arch, self.backend, self.place)
    }

    /// The error for a family whose file is not there.
    pub(crate) fn damaged(&self, family: &str) -> ArtefactError {
        ArtefactError::Damaged { place: self.place.clone(), file: format!("{family}.ptx") }
    }

    /// How much of a kernel's choice it is: the newest architecture, then the kernel's default back end, then LLVM.
    fn rank(&self, info: &EntryInfo) -> impl Ord + use<> {
        (self.arch, self.backend == info.default_backend, Reverse(self.backend))
    }

    fn check_sources(&self) -> Result<(), ArtefactError> {
        if matches!(self.files, Files::Embedded(_)) {
            return Ok(());
        }
        match self.manifest.changed_source() {
            Some(changed) => {
                let (place, backend, arch) = (self.place.clone(), self.backend, self.arch);
                Err(ArtefactError::StaleSource { place, backend, arch, changed: changed.to_owned() })
            }
            None => Ok(()),
        }
    }
}

fn read(path: &Path) -> Result<String, ArtefactError> {
    fs::read_to_string(path).map_err(|source| ArtefactError::Unreadable { path: path.to_owned(), source })
}

/// The PTX chosen for a device: of every place that has some, one architecture's by each back end.
#[derive(Clone, Debug)]
pub struct Artefacts {
    chosen: Vec<Artefact>,
}

impl Artefacts {
    /// Looks for PTX and chooses.
    ///
    /// # Errors
    /// No PTX, none that the device runs or the driver takes, or one that is stale or cannot be read.
    pub fn find(options: &Options, target: Target) -> Result<Self, ArtefactError> {
        Self::find_in(&Places::of_process(options), Asked::of_process(options)?, target)
    }

    /// All PTX in the usual places, whatever device it is for and whoever wrote it.
    ///
    /// # Errors
    /// PTX that cannot be read, a place that was asked for and holds none, or a word that names no back end.
    pub fn all(options: &Options) -> Result<Vec<Artefact>, ArtefactError> {
        options.backend()?;
        let places = Places::of_process(options);
        let mut all = Vec::new();
        for place in &places.places {
            all.extend(places.read(place)?);
        }
        Ok(all)
    }

    fn find_in(places: &Places, asked: Asked, target: Target) -> Result<Self, ArtefactError> {
        if let Some(asked) = asked.arch.filter(|a| !a.runs_on(target.compute)) {
            return Err(ArtefactError::ArchDoesNotRun { asked, device: target.device() });
        }
        let (mut chosen, mut first_error) = (Vec::new(), None);
        for place in &places.places {
            let found = places.read(place)?;
            if found.is_empty() {
                continue;
            }
            match choose(found, asked, target) {
                Ok(artefacts) => {
                    artefacts.iter().try_for_each(Artefact::check_sources)?;
                    chosen.extend(artefacts);
                }
                Err(error) => first_error = first_error.or(Some(error)),
            }
        }
        match first_error {
            _ if !chosen.is_empty() => Ok(Self { chosen }),
            Some(error) => Err(error),
            None => Err(ArtefactError::Missing { looked: places.places.clone() }),
        }
    }

    /// What was chosen, in the order of the places; of each place, LLVM's first.
    #[must_use]
    pub fn chosen(&self) -> &[Artefact] {
        &self.chosen
    }

    /// The PTX that an entry comes from, and where the entry's description is: of the first place that has it, the newest
    /// architecture's; of two back ends' PTX for that one, its default back end's. `None` where no place has it.
    #[must_use]
    pub fn source(&self, entry: &str) -> Option<(&Artefact, &EntryInfo)> {
        let mut having =
            self.chosen.iter().filter_map(|a| Some((a, a.manifest.entries.get(entry)?))).peekable();
        let place = having.peek()?.0.place.clone();
        having.filter(|(a, _)| a.place == place).max_by_key(|(a, info)| a.rank(info))
    }

    /// As [`source`](Self::source), for a kernel of this program.
    ///
    /// # Errors
    /// No place has it, or it was built from another signature than `signature`.
    pub fn entry(
        &self,
        entry: &'static str,
        target: Option<&'static str>,
        signature: u64,
    ) -> Result<(&Artefact, &EntryInfo), ArtefactError> {
        let Some((artefact, info)) = self.source(entry) else {
            let mut looked: Vec<Place> = self.chosen.iter().map(|a| a.place.clone()).collect();
            looked.dedup();
            let arch = self.chosen.iter().map(Artefact::arch).max().unwrap_or(Arch::of_device((0, 0)));
            return Err(ArtefactError::EntryMissing { entry, arch, looked, target });
        };
        if info.signature.as_deref() != Some(&format!("{signature:016x}")) {
            let (place, got) = (artefact.place.clone(), info.signature.clone());
            return Err(ArtefactError::StaleSignature { entry, place, got, want: signature });
        }
        Ok((artefact, info))
    }
}

/// Of each back end, or of the one asked for, the newest architecture that the device runs and whose PTX the driver takes,
/// or the one preferred or asked for. Where that leaves nothing, the first back end's reason.
fn choose(mut found: Vec<Artefact>, asked: Asked, target: Target) -> Result<Vec<Artefact>, ArtefactError> {
    let there: Vec<Backend> =
        Backend::ALL.into_iter().filter(|b| found.iter().any(|a| a.backend == *b)).collect();
    if let (Some(backend), Some(first)) = (asked.backend, found.first()) {
        if !there.contains(&backend) {
            let place = first.place.clone();
            return Err(ArtefactError::CodegenNotThere { place, asked: backend, there });
        }
        found.retain(|a| a.backend == backend);
    }
    if found.iter().any(|a| Some(a.arch) == target.preferred) {
        found.retain(|a| Some(a.arch) == target.preferred);
    }
    let (mut chosen, mut first_error) = (Vec::new(), None);
    for backend in there {
        let of_backend: Vec<Artefact> = found.extract_if(.., |a| a.backend == backend).collect();
        match newest(of_backend, asked.arch, target) {
            Some(Ok(artefact)) => chosen.push(artefact),
            Some(Err(error)) => first_error = first_error.or(Some(error)),
            None => {}
        }
    }
    match first_error {
        Some(error) if chosen.is_empty() => Err(error),
        _ => Ok(chosen),
    }
}

/// One back end's choice; `None` of nothing.
fn newest(
    mut found: Vec<Artefact>,
    asked: Option<Arch>,
    target: Target,
) -> Option<Result<Artefact, ArtefactError>> {
    let there: Vec<Arch> = found.iter().map(Artefact::arch).collect();
    let (place, backend) = found.first().map(|a| (a.place.clone(), a.backend))?;
    found.retain(|a| asked.map_or_else(|| a.arch.runs_on(target.compute), |asked| a.arch == asked));
    found.sort_by_key(Artefact::arch);
    let Some(last) = found.last() else {
        return Some(Err(match asked {
            Some(asked) => ArtefactError::ArchNotThere { place, asked, there },
            None => ArtefactError::NoArchitecture { place, device: target.device(), there },
        }));
    };
    let takes = PtxVersion::newest_for(target.driver);
    let (arch, ptx) = (last.arch, last.ptx_version);
    let too_new = ArtefactError::PtxTooNew { place, backend, arch, ptx, takes, driver: target.driver };
    Some(found.into_iter().rfind(|a| Some(a.ptx_version) <= takes).ok_or(too_new))
}

#[cfg(test)]
pub(super) mod tests;
