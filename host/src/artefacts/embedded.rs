//! PTX that travels inside the program.

use std::sync::OnceLock;

/// The copy of a PTX folder in the program; made by [`include_ptx!`](crate::include_ptx).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EmbeddedPtx {
    files: &'static [EmbeddedFile],
}

/// `(back end, architecture, family, PTX, text of the manifest beside it)`.
type EmbeddedFile = (&'static str, &'static str, &'static str, &'static str, &'static str);

static REGISTERED: OnceLock<EmbeddedPtx> = OnceLock::new();

impl EmbeddedPtx {
    /// From what ptx-builder wrote, one tuple per back end, architecture and family: back end, architecture, family, PTX,
    /// manifest.
    #[must_use]
    pub const fn new(
        files: &'static [(&'static str, &'static str, &'static str, &'static str, &'static str)],
    ) -> Self {
        Self { files }
    }

    /// Makes this the PTX that every later search of the process ends with, where [`Options`](super::Options) names none.
    /// The first call counts; tells whether it was this one.
    pub fn register(self) -> bool {
        REGISTERED.set(self).is_ok()
    }

    /// What [`register`](Self::register) was given.
    pub(super) fn registered() -> Option<Self> {
        REGISTERED.get().copied()
    }

    /// Back end, architecture and text of each manifest, once.
    pub(super) fn manifests(self) -> Vec<(&'static str, &'static str, &'static str)> {
        let mut all: Vec<_> =
            self.files.iter().map(|(codegen, arch, _, _, manifest)| (*codegen, *arch, *manifest)).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The PTX of a family by a back end for an architecture.
    pub(super) fn ptx(self, codegen: &str, arch: &str, family: &str) -> Option<&'static str> {
        let is_it = |(c, a, f, ..): &&EmbeddedFile| (*c, *a, *f) == (codegen, arch, family);
        self.files.iter().find(is_it).map(|(.., ptx, _)| *ptx)
    }
}

/// The PTX that the build script of this crate built with ptx-builder, as an
/// [`EmbeddedPtx`](crate::artefacts::EmbeddedPtx).
///
/// The build script leaves `$OUT_DIR/warpsmith_ptx.rs`: an expression
/// `&[("llvm", "sm_90", "family", "PTX text", "manifest text")]`.
///
/// ```text
/// host::include_ptx!().register();
/// let gpu = host::runtime::Gpu::open(0)?;
/// ```
#[macro_export]
macro_rules! include_ptx {
    () => {
        $crate::artefacts::EmbeddedPtx::new(include!(concat!(env!("OUT_DIR"), "/warpsmith_ptx.rs")))
    };
}
