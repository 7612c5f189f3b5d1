//! `cargo xtask budget`: registers, spills and shared memory of every kernel against `budget.toml`.
//!
//! The file holds, per architecture and entry, what ptxas reported when it was last blessed. More is a fault; less is
//! told, so that the budget can be tightened.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

use ptx_builder::manifest::{EntryInfo, Manifest};
use serde::Deserialize;

use crate::error::Error;
use crate::{build_ptx, workspace};

/// What a kernel may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Use {
    registers: u32,
    spill_bytes: u64,
    shared_bytes: u64,
}

/// The file.
#[derive(Debug, Default, PartialEq, Eq, Deserialize)]
struct Budget {
    /// The ptxas that counted the registers.
    ptxas: String,
    /// Architecture, entry, limits.
    arch: BTreeMap<String, BTreeMap<String, Use>>,
}

fn path() -> PathBuf {
    workspace::root().join("budget.toml")
}

/// Builds the default set and compares.
pub fn run() -> Result<(), Error> {
    build_ptx::default_set()?;
    let path = path();
    let text = workspace::read(&path)?;
    let limits: Budget =
        toml::from_str(&text).map_err(|source| Error::Toml { path, source: Box::new(source) })?;
    let Some(measured) = measure(&workspace::manifests()?) else {
        println!("skipped: no ptxas; run `cargo xtask setup --ptxas`");
        return Ok(());
    };
    if measured.ptxas != limits.ptxas {
        println!(
            "skipped: budget.toml was counted by ptxas {}, this machine has {}",
            limits.ptxas, measured.ptxas
        );
        return Ok(());
    }
    let faults = compare(&measured, &limits);
    faults.iter().for_each(|fault| println!("{fault}"));
    println!(
        "{} kernels compared with budget.toml",
        measured.arch.values().map(BTreeMap::len).sum::<usize>()
    );
    if faults.is_empty() { Ok(()) } else { Err(Error::Budget { count: faults.len() }) }
}

/// Rewrites the file from what is built.
pub fn bless() -> Result<(), Error> {
    match measure(&workspace::manifests()?) {
        Some(measured) => workspace::write_if_changed(&path(), &render(&measured)),
        None => {
            println!("kept       budget.toml: no ptxas; run `cargo xtask setup --ptxas`");
            Ok(())
        }
    }
}

/// `None` where no ptxas looked at the kernels.
fn measure(manifests: &[Manifest]) -> Option<Budget> {
    let used = |info: &EntryInfo| {
        info.ptxas.as_ref().map(|ptxas| Use {
            registers: ptxas.registers,
            spill_bytes: ptxas.spill_stores.max(ptxas.spill_loads),
            shared_bytes: info.static_shared_bytes,
        })
    };
    let mut budget = Budget::default();
    for manifest in manifests {
        for (entry, info) in &manifest.entries {
            budget.ptxas.clone_from(&info.ptxas.as_ref()?.version);
            budget.arch.entry(manifest.arch.clone()).or_default().insert(entry.clone(), used(info)?);
        }
    }
    (!budget.arch.is_empty()).then_some(budget)
}

fn render(budget: &Budget) -> String {
    let mut text = String::from(
        "# What each kernel uses, as ptxas counts it. `cargo xtask budget` fails above it; `cargo xtask bless` rewrites it.\n",
    );
    let mut line = |text_line: std::fmt::Arguments<'_>| {
        writeln!(text, "{text_line}").expect("a String takes everything")
    };
    line(format_args!("ptxas = \"{}\"", budget.ptxas));
    for (arch, entries) in &budget.arch {
        line(format_args!("\n[arch.{arch}]"));
        for (entry, Use { registers, spill_bytes, shared_bytes }) in entries {
            line(format_args!(
                "{entry} = {{ registers = {registers}, spill_bytes = {spill_bytes}, shared_bytes = {shared_bytes} }}"
            ));
        }
    }
    text
}

fn compare(measured: &Budget, limits: &Budget) -> Vec<String> {
    let mut faults = Vec::new();
    for (arch, entries) in &measured.arch {
        for (entry, used) in entries {
            match limits.arch.get(arch).and_then(|entries| entries.get(entry)) {
                Some(limit) => faults.extend(over(arch, entry, used, limit)),
                None => faults.push(format!("{arch} {entry}: not in budget.toml")),
            }
        }
    }
    for (arch, entries) in &limits.arch {
        let Some(built) = measured.arch.get(arch) else {
            faults.push(format!("{arch}: in budget.toml, but not built"));
            continue;
        };
        let gone = entries.keys().filter(|entry| !built.contains_key(*entry));
        faults.extend(gone.map(|entry| format!("{arch} {entry}: in budget.toml, but no such kernel")));
    }
    faults
}

fn over<'a>(
    arch: &'a str,
    entry: &'a str,
    used: &Use,
    limit: &Use,
) -> impl Iterator<Item = String> + use<'a> {
    let rows = [
        ("registers", u64::from(used.registers), u64::from(limit.registers)),
        ("spill bytes", used.spill_bytes, limit.spill_bytes),
        ("static shared bytes", used.shared_bytes, limit.shared_bytes),
    ];
    let above = rows.into_iter().filter(|(_, used, limit)| used > limit);
    above.map(move |(what, used, limit)| format!("{arch} {entry}: {used} {what}, budget {limit}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(entries: &[(&str, u32)]) -> Budget {
        let used = |&(name, registers): &(&str, u32)| {
            (name.to_owned(), Use { registers, spill_bytes: 0, shared_bytes: 16 })
        };
        let entries = entries.iter().map(used).collect();
        Budget { ptxas: "13.0.88".to_owned(), arch: BTreeMap::from([("sm_90".to_owned(), entries)]) }
    }

    #[test]
    fn what_is_rendered_is_read_back() {
        let budget = budget(&[("a_f32", 32), ("b", 7)]);
        assert_eq!(toml::from_str::<Budget>(&render(&budget)).expect("it is valid"), budget);
    }

    #[test]
    fn more_than_the_budget_new_and_gone_kernels_are_faults() {
        let limits = budget(&[("a", 32), ("gone", 10)]);
        assert_eq!(compare(&limits, &limits), Vec::<String>::new());
        let faults = compare(&budget(&[("a", 33), ("new", 8)]), &limits);
        let want = [
            "sm_90 a: 33 registers, budget 32",
            "sm_90 new: not in budget.toml",
            "sm_90 gone: in budget.toml, but no such kernel",
        ];
        assert_eq!(faults, want);
        assert!(compare(&budget(&[("a", 31), ("gone", 10)]), &limits).is_empty());
    }
}
