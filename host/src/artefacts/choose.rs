//! Which of the PTX that was found is loaded, and whether it belongs to this program.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use ptx_parse::hash::content_hash;
use ptx_parse::manifest::{EntryInfo, Manifest};

use super::find::Places;
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

/// The PTX of one architecture in one place.
#[derive(Clone, Debug)]
pub struct Artefact {
    place: Place,
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
        let (arch, ptx_version) = (manifest.arch.parse()?, manifest.ptx_version.parse()?);
        Ok(Self { place, arch, ptx_version, manifest, files })
    }

    /// The place it was found in.
    #[must_use]
    pub fn place(&self) -> &Place {
        &self.place
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
            Files::Embedded(embedded) => embedded.ptx(&self.manifest.arch, family).map(Cow::Borrowed),
        };
        match text {
            Some(text) if content_hash(text.as_bytes()) == info.ptx_hash => Ok(Some(text)),
            _ => Err(ArtefactError::Damaged { place: self.place.clone(), file: info.file.clone() }),
        }
    }

    /// The error for a family whose file is not there.
    pub(crate) fn damaged(&self, family: &str) -> ArtefactError {
        ArtefactError::Damaged { place: self.place.clone(), file: format!("{family}.ptx") }
    }

    fn check_sources(&self) -> Result<(), ArtefactError> {
        if matches!(self.files, Files::Embedded(_)) {
            return Ok(());
        }
        match self.manifest.changed_source() {
            Some(changed) => {
                Err(ArtefactError::StaleSource { place: self.place.clone(), changed: changed.to_owned() })
            }
            None => Ok(()),
        }
    }
}

fn read(path: &Path) -> Result<String, ArtefactError> {
    fs::read_to_string(path).map_err(|source| ArtefactError::Unreadable { path: path.to_owned(), source })
}

/// The PTX chosen for a device: of every place that has some, one architecture's.
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
        Self::find_in(&Places::of_process(options), options.arch, target)
    }

    /// All PTX in the usual places, whatever device it is for.
    ///
    /// # Errors
    /// PTX that cannot be read, or a place that was asked for and holds none.
    pub fn all(options: &Options) -> Result<Vec<Artefact>, ArtefactError> {
        let places = Places::of_process(options);
        let mut all = Vec::new();
        for place in &places.places {
            all.extend(places.read(place)?);
        }
        Ok(all)
    }

    fn find_in(places: &Places, asked: Option<Arch>, target: Target) -> Result<Self, ArtefactError> {
        if let Some(asked) = asked.filter(|a| !a.runs_on(target.compute)) {
            return Err(ArtefactError::ArchDoesNotRun { asked, device: target.device() });
        }
        let (mut chosen, mut first_error) = (Vec::new(), None);
        for place in &places.places {
            let found = places.read(place)?;
            if found.is_empty() {
                continue;
            }
            match choose(found, asked, target) {
                Ok(artefact) => {
                    artefact.check_sources()?;
                    chosen.push(artefact);
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

    /// What was chosen, in the order of the places.
    #[must_use]
    pub fn chosen(&self) -> &[Artefact] {
        &self.chosen
    }

    /// Where an entry comes from: the first place that has it.
    ///
    /// # Errors
    /// No place has it, or it was built from another signature than `signature`.
    pub fn entry(
        &self,
        entry: &'static str,
        target: Option<&'static str>,
        signature: u64,
    ) -> Result<(&Artefact, &EntryInfo), ArtefactError> {
        let found = self.chosen.iter().find_map(|a| a.manifest.entries.get(entry).map(|info| (a, info)));
        let Some((artefact, info)) = found else {
            let looked = self.chosen.iter().map(|a| a.place.clone()).collect();
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

/// The newest architecture that the device runs and whose PTX the driver takes, or the one preferred or asked for.
fn choose(mut found: Vec<Artefact>, asked: Option<Arch>, target: Target) -> Result<Artefact, ArtefactError> {
    let there = || found.iter().map(Artefact::arch).collect::<Vec<_>>();
    let Some(place) = found.first().map(|a| a.place.clone()) else {
        return Err(ArtefactError::Missing { looked: Vec::new() });
    };
    let wrong_arch = match asked {
        Some(asked) => ArtefactError::ArchNotThere { place: place.clone(), asked, there: there() },
        None => {
            ArtefactError::NoArchitecture { place: place.clone(), device: target.device(), there: there() }
        }
    };
    found.retain(|a| asked.map_or_else(|| a.arch.runs_on(target.compute), |asked| a.arch == asked));
    if found.iter().any(|a| Some(a.arch) == target.preferred) {
        found.retain(|a| Some(a.arch) == target.preferred);
    }
    found.sort_by_key(Artefact::arch);
    let takes = PtxVersion::newest_for(target.driver);
    let Some(newest) = found.last() else { return Err(wrong_arch) };
    let too_new = ArtefactError::PtxTooNew {
        place,
        arch: newest.arch,
        ptx: newest.ptx_version,
        takes,
        driver: target.driver,
    };
    found.into_iter().rfind(|a| Some(a.ptx_version) <= takes).ok_or(too_new)
}

#[cfg(test)]
mod tests;
