//! The places PTX is looked for in, and what lies there.

use std::fmt;
use std::path::{Path, PathBuf};
use std::{env, fs};

use ptx_parse::manifest::{Backend, FILE_NAME, Manifest};

use super::choose::Artefact;
use super::{Arch, ArtefactError, EmbeddedPtx};

/// Environment variable that names a folder of PTX; with it set nothing else is looked at, but what the caller names.
pub const PATH_VARIABLE: &str = "WARPSMITH_PTX";

/// Environment variable that names the back end whose PTX is taken, where the caller names none: `llvm` or `nvvm`.
pub const CODEGEN_VARIABLE: &str = "WARPSMITH_CODEGEN";

/// What to look for, where the usual answer is not wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Look in this folder only. It holds `<codegen>/<arch>/`, `<arch>/`, or one architecture's files.
    pub ptx: Option<PathBuf>,
    /// Take this architecture and no other.
    pub arch: Option<Arch>,
    /// Take the PTX of this code generator, `llvm` or `nvvm`, and no other. Where none is given, the one that
    /// [`CODEGEN_VARIABLE`] names, else each kernel's default.
    pub codegen: Option<String>,
    /// The PTX in the program; where none is given, what was registered.
    pub embedded: Option<EmbeddedPtx>,
}

/// What somebody asked for, so that nothing else will do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    pub arch: Option<Arch>,
    pub backend: Option<Backend>,
}

impl Asked {
    /// What the options and the environment of this process ask for.
    pub fn of_process(options: &Options) -> Result<Self, ArtefactError> {
        Self::new(options, variable(CODEGEN_VARIABLE))
    }

    fn new(options: &Options, variable: Option<String>) -> Result<Self, ArtefactError> {
        let codegen = options.codegen.clone().or_else(|| variable.filter(|value| !value.is_empty()));
        let backend = codegen.map(|name| name.parse()).transpose()?;
        Ok(Self { arch: options.arch, backend })
    }
}

impl Options {
    /// The back end asked for, here or by [`CODEGEN_VARIABLE`].
    ///
    /// # Errors
    /// A word that names none.
    pub fn backend(&self) -> Result<Option<Backend>, ArtefactError> {
        Ok(Asked::of_process(self)?.backend)
    }
}

/// An environment variable's text; what is no text means nothing to any reader, which then says so.
pub(crate) fn variable(name: &str) -> Option<String> {
    env::var_os(name).map(|value| value.to_string_lossy().into_owned())
}

/// A place PTX is looked for in.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Place {
    /// The folder the caller named.
    Given(PathBuf),
    /// The folder that the environment variable names.
    Environment(PathBuf),
    /// The folder beside the executable.
    BesideExecutable(PathBuf),
    /// The workspace's folder.
    Workspace(PathBuf),
    /// The program.
    Embedded,
}

impl Place {
    fn folder(&self) -> Option<&Path> {
        match self {
            Self::Given(p) | Self::Environment(p) | Self::BesideExecutable(p) | Self::Workspace(p) => Some(p),
            Self::Embedded => None,
        }
    }

    /// Whether somebody asked for this place, so that no other will do.
    fn is_asked_for(&self) -> bool {
        matches!(self, Self::Given(_) | Self::Environment(_))
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given(p) => write!(f, "{} (as asked)", p.display()),
            Self::Environment(p) => write!(f, "{} (from {PATH_VARIABLE})", p.display()),
            Self::BesideExecutable(p) | Self::Workspace(p) => write!(f, "{}", p.display()),
            Self::Embedded => f.write_str("the program itself"),
        }
    }
}

/// The places of this process, in order.
pub(super) struct Places {
    /// Every place that is looked at.
    pub places: Vec<Place>,
    /// The PTX in the program.
    embedded: Option<EmbeddedPtx>,
}

/// The workspace this crate was compiled in; on another machine it does not exist.
pub(super) fn workspace_root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().unwrap_or(here).to_owned()
}

impl Places {
    pub fn of_process(options: &Options) -> Self {
        let variable = env::var_os(PATH_VARIABLE).filter(|v| !v.is_empty()).map(PathBuf::from);
        let beside = env::current_exe().ok().and_then(|exe| exe.parent().map(|dir| dir.join("ptx")));
        Self::new(options, variable, beside, workspace_root().join("target/ptx"))
    }

    fn new(
        options: &Options,
        variable: Option<PathBuf>,
        beside: Option<PathBuf>,
        workspace: PathBuf,
    ) -> Self {
        let embedded = options.embedded.or_else(EmbeddedPtx::registered);
        let asked = options.ptx.clone().map(Place::Given).or_else(|| variable.map(Place::Environment));
        let usual = || beside.map(Place::BesideExecutable).into_iter().chain([Place::Workspace(workspace)]);
        let places = match asked {
            Some(place) => vec![place],
            None => usual().chain(embedded.map(|_| Place::Embedded)).collect(),
        };
        Self { places, embedded }
    }

    /// What lies in a place; nothing where the place does not exist, unless somebody asked for it.
    pub fn read(&self, place: &Place) -> Result<Vec<Artefact>, ArtefactError> {
        let found = match place.folder() {
            Some(folder) => read_folder(folder, place)?,
            None => self.read_embedded(place)?,
        };
        if found.is_empty() && place.is_asked_for() {
            return Err(ArtefactError::Missing { looked: vec![place.clone()] });
        }
        Ok(found)
    }

    fn read_embedded(&self, place: &Place) -> Result<Vec<Artefact>, ArtefactError> {
        let Some(embedded) = self.embedded else { return Ok(Vec::new()) };
        embedded
            .manifests()
            .into_iter()
            .map(|(codegen, arch, manifest)| {
                let name = format!("embedded {codegen}/{arch}/{FILE_NAME}");
                Artefact::embedded(place.clone(), Manifest::from_json(manifest, Path::new(&name))?, embedded)
            })
            .collect()
    }
}

/// The PTX in `<codegen>/<arch>/`, else in `<arch>/`, else the folder's own.
fn read_folder(folder: &Path, place: &Place) -> Result<Vec<Artefact>, ArtefactError> {
    if folder.join(FILE_NAME).is_file() {
        return Ok(vec![read_arch(folder, place)?]);
    }
    let mut roots = Backend::ALL.map(|backend| folder.join(backend.name())).to_vec();
    roots.retain(|root| root.is_dir());
    if roots.is_empty() {
        roots.push(folder.to_owned());
    }
    let mut found = Vec::new();
    for root in roots {
        found.extend(read_archs(&root, place)?);
    }
    Ok(found)
}

fn read_archs(root: &Path, place: &Place) -> Result<Vec<Artefact>, ArtefactError> {
    let unreadable = |source| ArtefactError::Unreadable { path: root.to_owned(), source };
    let entries = match fs::read_dir(root) {
        Ok(entries) => entries,
        Err(source) if source.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(source) => return Err(unreadable(source)),
    };
    let mut found = Vec::new();
    for entry in entries {
        let dir = entry.map_err(unreadable)?.path();
        if dir.join(FILE_NAME).is_file() {
            found.push(read_arch(&dir, place)?);
        }
    }
    found.sort_by_key(Artefact::arch);
    Ok(found)
}

fn read_arch(dir: &Path, place: &Place) -> Result<Artefact, ArtefactError> {
    Artefact::in_folder(place.clone(), Manifest::read(&dir.join(FILE_NAME))?, dir.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(options: &Options, variable: Option<&str>) -> Vec<Place> {
        Places::new(options, variable.map(PathBuf::from), Some("/exe/ptx".into()), "/ws/target/ptx".into())
            .places
    }

    #[test]
    fn places_come_in_the_documented_order() {
        let options = Options { embedded: Some(EmbeddedPtx::new(&[])), ..Options::default() };
        let usual = [
            Place::BesideExecutable("/exe/ptx".into()),
            Place::Workspace("/ws/target/ptx".into()),
            Place::Embedded,
        ];
        assert_eq!(places(&options, None), usual);
        assert_eq!(places(&options, Some("/env")), [Place::Environment("/env".into())]);
        let given = Options { ptx: Some("/given".into()), ..options };
        assert_eq!(places(&given, Some("/env")), [Place::Given("/given".into())]);
    }

    #[test]
    fn the_back_end_the_caller_names_goes_before_the_environments() {
        let asked = |codegen: Option<&str>, variable: Option<&str>| {
            let options = Options { codegen: codegen.map(str::to_owned), ..Options::default() };
            Asked::new(&options, variable.map(str::to_owned)).map(|asked| asked.backend)
        };
        assert_eq!(asked(None, None).ok(), Some(None));
        assert_eq!(asked(None, Some("")).ok(), Some(None));
        assert_eq!(asked(None, Some("nvvm")).ok(), Some(Some(Backend::Nvvm)));
        assert_eq!(asked(Some("llvm"), Some("nvvm")).ok(), Some(Some(Backend::Llvm)));
        let error = asked(Some("gcc"), None).expect_err("no such back end");
        assert!(matches!(error, ArtefactError::UnknownCodegen(_)), "{error:?}");
        let text = error.to_string();
        assert!(text.contains("`gcc`") && text.contains(CODEGEN_VARIABLE), "{text}");
    }

    #[test]
    fn a_place_that_was_asked_for_and_is_empty_is_an_error() {
        let dir = tempfile::tempdir().expect("a folder");
        let options = Options { ptx: Some(dir.path().join("nowhere")), ..Options::default() };
        let places = Places::of_process(&options);
        let error = places.read(&places.places[0]).expect_err("nothing is there");
        let text = error.to_string();
        assert!(text.contains("nowhere") && text.ends_with("run `cargo xtask build-ptx`"), "{text}");
    }
}
