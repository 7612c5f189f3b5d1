//! What a build did, as a table.

use std::fmt;
use std::path::PathBuf;

use ptx_parse::manifest::Manifest;

use crate::artefact::Job;
use crate::backend::Backend;
use crate::ptxas::Ptxas;

/// What a build did.
#[derive(Debug, Clone)]
pub struct BuildReport {
    /// One part per back end and architecture, in the order asked for.
    pub archs: Vec<ArchReport>,
    /// The ptxas that looked at the result.
    pub ptxas: Option<Ptxas>,
    /// The workspace of the kernel crate; source paths of the manifests start here.
    pub workspace: PathBuf,
    /// The folder of the kernel crate.
    pub package: PathBuf,
}

/// What one back end built for one architecture.
#[derive(Debug, Clone)]
pub struct ArchReport {
    /// Who wrote the PTX.
    pub backend: Backend,
    /// The folder with PTX and manifest.
    pub dir: PathBuf,
    /// Whether nothing had changed and nothing was called.
    pub fresh: bool,
    /// What could not be checked, and why.
    pub warnings: Vec<String>,
    /// The manifest, as written.
    pub manifest: Manifest,
}

impl fmt::Display for BuildReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let header = ["back end", "arch", "family", "entry", "registers", "spills", "local", "shared"];
        let mut rows = vec![header.map(str::to_owned)];
        for arch in &self.archs {
            rows.extend(arch.rows());
        }
        let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
        let widths: [usize; 8] = std::array::from_fn(width);
        for row in &rows {
            let cells: Vec<String> = row
                .iter()
                .zip(widths)
                .enumerate()
                .map(|(i, (cell, w))| if i < 4 { format!("{cell:<w$}") } else { format!("{cell:>w$}") })
                .collect();
            writeln!(f, "{}", cells.join("  ").trim_end())?;
        }
        for arch in &self.archs {
            for warning in &arch.warnings {
                writeln!(f, "warning: {warning}")?;
            }
        }
        if self.ptxas.is_none() {
            writeln!(f, "no ptxas: registers and spills are not checked (`cargo xtask setup --ptxas`)")?;
        }
        for arch in &self.archs {
            let state = if arch.fresh { "unchanged" } else { "built" };
            let (manifest, dir) = (&arch.manifest, arch.dir.display());
            let count = manifest.entries.len();
            writeln!(
                f,
                "{} {}: PTX {}, {count} entries, {state}: {dir}",
                arch.backend, manifest.arch, manifest.ptx_version
            )?;
        }
        Ok(())
    }
}

impl ArchReport {
    /// Who wrote the PTX, for which architecture.
    pub(crate) fn job(&self) -> Job<'_> {
        Job { backend: self.backend, arch: &self.manifest.arch }
    }

    fn rows(&self) -> Vec<[String; 8]> {
        let row = |(name, info): (&String, &ptx_parse::manifest::EntryInfo)| {
            let unknown = || "-".to_owned();
            let registers = info.ptxas.as_ref().map_or_else(unknown, |p| p.registers.to_string());
            let spills = |p: &ptx_parse::manifest::PtxasInfo| p.spill_stores.max(p.spill_loads).to_string();
            let spills = info.ptxas.as_ref().map_or_else(unknown, spills);
            let dynamic = if info.dynamic_shared { "+dyn" } else { "" };
            let shared = format!("{}{dynamic}", info.static_shared_bytes);
            let (arch, family) = (self.manifest.arch.clone(), info.family.clone());
            [
                self.backend.to_string(),
                arch,
                family,
                name.clone(),
                registers,
                spills,
                info.local_bytes.to_string(),
                shared,
            ]
        };
        self.manifest.entries.iter().map(row).collect()
    }
}
