//! `cargo xtask budget`: registers, spills, stack and shared memory of every kernel against `budget.toml`.
//!
//! The file holds, per back end, architecture and entry, what ptxas reported when it was last blessed. More is a fault;
//! less is told, so that the budget can be tightened.

mod compare;
mod file;

use std::collections::BTreeMap;
use std::path::PathBuf;

use ptx_builder::Backend;
use ptx_builder::manifest::{EntryInfo, Manifest};

use crate::error::Error;
use crate::{build_ptx, workspace};
use compare::compare;
use file::{Budget, Entries, Use};

fn path() -> PathBuf {
    workspace::root().join("budget.toml")
}

/// Builds the default set, prints what each kernel uses, and compares.
pub fn run() -> Result<(), Error> {
    build_ptx::default_set()?;
    let path = path();
    let limits = Budget::parse(&workspace::read(&path)?, &path)?;
    let Some(measured) = measure(&workspace::manifests()?) else {
        println!("skipped: no ptxas; run `cargo xtask setup --ptxas`");
        return Ok(());
    };
    print!("{}", table(&measured));
    if measured.ptxas != limits.ptxas {
        println!(
            "skipped: budget.toml was counted by ptxas {}, this machine has {}",
            limits.ptxas, measured.ptxas
        );
        return Ok(());
    }
    let found = compare(&measured, &limits);
    found.notes.iter().chain(&found.faults).for_each(|line| println!("{line}"));
    println!("{} budgets of kernels compared with budget.toml", found.compared);
    if found.faults.is_empty() { Ok(()) } else { Err(Error::Budget { count: found.faults.len() }) }
}

/// Rewrites the file from what is built. What a back end that is not here may use stays as it is.
pub fn bless() -> Result<(), Error> {
    let path = path();
    let Some(mut measured) = measure(&workspace::manifests()?) else {
        println!("kept       budget.toml: no ptxas; run `cargo xtask setup --ptxas`");
        return Ok(());
    };
    if measured.nvvm.is_empty() {
        println!(
            "kept       the part of nvvm in budget.toml: no PTX by libNVVM; run `cargo xtask setup --nvvm`"
        );
        let old = Budget::parse(&workspace::read(&path)?, &path)?;
        (measured.nvvm, measured.nvvm_ptx) = (old.nvvm, old.nvvm_ptx);
    }
    workspace::write_if_changed(&path, &measured.render())
}

/// What the kernels of the default set use; `None` where no ptxas looked at them.
fn measure(manifests: &[Manifest]) -> Option<Budget> {
    let mut budget = Budget::default();
    let is_default = |m: &&Manifest| ptx_builder::DEFAULT_ARCHS.contains(&m.arch.as_str());
    for manifest in manifests.iter().filter(is_default) {
        let backend = Backend::from_name(&manifest.codegen)?;
        if backend == Backend::Nvvm {
            budget.nvvm_ptx.clone_from(&manifest.ptx_version);
        }
        let mut entries = Entries::new();
        for (entry, info) in &manifest.entries {
            budget.ptxas.clone_from(&info.ptxas.as_ref()?.version);
            entries.insert(entry.clone(), used(info)?);
        }
        budget.of_mut(backend).insert(manifest.arch.clone(), entries);
    }
    (!budget.llvm.is_empty()).then_some(budget)
}

fn used(info: &EntryInfo) -> Option<Use> {
    info.ptxas.as_ref().map(|ptxas| Use {
        registers: ptxas.registers,
        spill_bytes: ptxas.spill_stores.max(ptxas.spill_loads),
        stack_bytes: ptxas.stack_bytes,
        shared_bytes: info.static_shared_bytes,
    })
}

/// A line per kernel and back end, a column per architecture: registers, and what else is used.
fn table(budget: &Budget) -> String {
    let mut archs: Vec<&String> = budget.llvm.keys().chain(budget.nvvm.keys()).collect();
    archs.sort_by_cached_key(|arch| workspace::arch_key(arch));
    archs.dedup();
    let mut rows: BTreeMap<(&str, &str), Vec<String>> = BTreeMap::new();
    for backend in Backend::ALL {
        for (column, arch) in archs.iter().enumerate() {
            for (entry, used) in budget.of(backend).get(*arch).into_iter().flatten() {
                let row =
                    rows.entry((entry, backend.name())).or_insert_with(|| vec!["-".to_owned(); archs.len()]);
                row[column] = used.to_string();
            }
        }
    }
    let width = |texts: &mut dyn Iterator<Item = usize>| texts.max().unwrap_or(0);
    let name = width(&mut rows.keys().map(|(entry, _)| entry.len()));
    let cell = width(&mut rows.values().flatten().map(String::len)).max("sm_90a".len());
    let line = |entry: &str, backend: &str, cells: &mut dyn Iterator<Item = &String>| {
        let cells: String = cells.map(|text| format!("  {text:>cell$}")).collect();
        format!("{entry:<name$}  {backend:<4}{cells}\n")
    };
    let head = line("registers", "", &mut archs.iter().copied());
    let body = rows.iter().map(|((entry, backend), cells)| line(entry, backend, &mut cells.iter()));
    std::iter::once(head).chain(body).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_per_kernel_and_back_end_and_architectures_in_order() {
        let plain = Use { registers: 32, ..Use::default() };
        let spills = Use { registers: 255, spill_bytes: 8, ..Use::default() };
        let mut budget = Budget::default();
        budget.llvm.insert("sm_100".to_owned(), [("a".to_owned(), plain), ("bc".to_owned(), spills)].into());
        budget.llvm.insert("sm_90".to_owned(), [("a".to_owned(), plain)].into());
        budget.nvvm.insert("sm_90".to_owned(), [("a".to_owned(), plain)].into());
        let lines: Vec<String> =
            table(&budget).lines().map(|l| l.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
        let want = ["registers sm_90 sm_100", "a llvm 32 32", "a nvvm 32 -", "bc llvm - 255 (spill 8)"];
        assert_eq!(lines, want);
    }
}
