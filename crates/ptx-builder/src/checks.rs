//! The checks of one architecture's PTX against the kernel records.

use std::collections::{BTreeMap, BTreeSet};

use ptx_parse::Module;
use ptx_parse::analysis::{Param, Usage, is_identifier};
use ptx_parse::ast::{Function, Instruction};
use ptx_parse::manifest::{Backend, EntryInfo, ParamInfo, PtxasInfo};

use crate::fault::{Fault, FaultKind, SHARED_LIMIT_BYTES};
use crate::record::Record;

/// One PTX file, parsed, with its records and what ptxas said.
pub(crate) struct CheckedFamily<'a> {
    pub arch: &'a str,
    pub family: &'a str,
    pub module: &'a Module,
    pub records: &'a [Record],
    pub ptxas: &'a BTreeMap<String, PtxasInfo>,
    /// Whether any kernel of the build has a record; then every kernel needs one.
    pub recorded: bool,
}

impl CheckedFamily<'_> {
    /// The manifest's entries of this family; findings go to `faults`.
    pub fn entries(&self, faults: &mut Vec<Fault>) -> Vec<(String, EntryInfo)> {
        for record in self.records {
            if !is_identifier(&record.entry) {
                self.add(faults, &record.entry, FaultKind::BadName);
            } else if self.module.entry(&record.entry).is_none() {
                self.add(faults, &record.entry, FaultKind::Missing);
            }
        }
        for function in &self.module.functions {
            for instruction in fusable(function) {
                self.add(faults, &function.name, FaultKind::Fusable { instruction });
            }
        }
        let entries: Vec<&Function> = self.module.entries().collect();
        entries.into_iter().map(|entry| (entry.name.clone(), self.entry(entry, faults))).collect()
    }

    fn entry(&self, entry: &Function, faults: &mut Vec<Fault>) -> EntryInfo {
        let record = self.records.iter().find(|record| record.entry == entry.name);
        let usage = self.module.usage(entry);
        let ptxas = self.ptxas.get(&entry.name);
        let layout = entry.layout().unwrap_or_default();
        let mut found = limits(&usage, record, ptxas);
        if record.is_none() && self.recorded {
            found.push(FaultKind::NoRecord);
        }
        let params = match record {
            Some(record) => {
                let flat = record.flat_params();
                found.extend(compare_params(&layout, &flat));
                flat
            }
            None => layout.into_iter().map(unrecorded_param).collect(),
        };
        for kind in found {
            self.add(faults, &entry.name, kind);
        }
        let cluster = entry.bounds.reqnctapercluster.map(|dims| dims.iter().product());
        let volume = entry.bounds.maxntid.map(|dims| dims.iter().product());
        EntryInfo {
            stem: record.map_or_else(|| entry.name.clone(), |r| r.stem.clone()),
            instance: record.map(|r| r.instance.clone()).unwrap_or_default(),
            family: self.family.to_owned(),
            // `backends.toml` decides, when all kernels are known.
            default_backend: Backend::default(),
            signature: record.map(|r| r.signature.clone()),
            target: record.and_then(|r| r.target.clone()),
            params,
            block: record.map_or(entry.bounds.reqntid, |r| r.block),
            max_block: record.map_or(volume, |r| r.max_block),
            cluster: record.map_or(cluster, |r| r.cluster),
            max_registers: record.map_or(entry.bounds.maxnreg, |r| r.max_registers),
            static_shared_bytes: usage.static_shared_bytes,
            dynamic_shared: usage.dynamic_shared || record.is_some_and(|r| r.dynamic_shared),
            local_bytes: usage.local_bytes,
            ptxas: ptxas.cloned(),
        }
    }

    fn add(&self, faults: &mut Vec<Fault>, entry: &str, kind: FaultKind) {
        faults.push(Fault {
            // The builder, which knows it, sets it.
            backend: Backend::default(),
            arch: self.arch.to_owned(),
            family: self.family.to_owned(),
            entry: entry.to_owned(),
            kind,
        });
    }
}

/// Externs, local and shared memory, spills. A kernel without a record declares nothing: for it only externs
/// and shared memory can be wrong.
fn limits(usage: &Usage, record: Option<&Record>, ptxas: Option<&PtxasInfo>) -> Vec<FaultKind> {
    let externs = usage.unresolved.iter().cloned();
    let mut found: Vec<FaultKind> = externs.map(|symbol| FaultKind::UnresolvedExtern { symbol }).collect();
    if usage.static_shared_bytes > SHARED_LIMIT_BYTES {
        found.push(FaultKind::SharedMemory { bytes: usage.static_shared_bytes, limit: SHARED_LIMIT_BYTES });
    }
    let Some(record) = record else { return found };
    if usage.local_bytes > record.local_bytes {
        found.push(FaultKind::LocalMemory { bytes: usage.local_bytes, declared: record.local_bytes });
    }
    if let Some(info) = ptxas {
        let (stores, loads, declared) = (info.spill_stores, info.spill_loads, record.spill_bytes);
        if stores.max(loads) > declared {
            found.push(FaultKind::Spill { stores, loads, declared });
        }
    }
    found
}

/// `add`, `sub` and `mul` of floating-point numbers without a rounding mode, each name once: ptxas may make one `fma`
/// of two of them, and then a result depends on what stands beside it.
fn fusable(function: &Function) -> BTreeSet<String> {
    let is = |instruction: &&Instruction| {
        let has = |words: &[&str]| instruction.modifiers.iter().any(|word| words.contains(&word.as_str()));
        matches!(instruction.opcode.as_str(), "add" | "sub" | "mul")
            && has(&["f16", "f16x2", "bf16", "bf16x2", "f32", "f32x2", "f64"])
            && !has(&["rn", "rz", "rm", "rp"])
    };
    function.instructions().into_iter().filter(is).map(Instruction::full_name).collect()
}

fn compare_params(ptx: &[Param], record: &[ParamInfo]) -> Vec<FaultKind> {
    if ptx.len() != record.len() {
        return vec![FaultKind::ParamCount { ptx: ptx.len(), record: record.len() }];
    }
    let differ = |(ptx, record): &(&Param, &ParamInfo)| (ptx.size, ptx.align) != (record.size, record.align);
    ptx.iter()
        .zip(record)
        .filter(differ)
        .map(|(ptx, record)| FaultKind::Param {
            name: record.name.clone(),
            size: ptx.size,
            align: ptx.align,
            record_size: record.size,
            record_align: record.align,
        })
        .collect()
}

fn unrecorded_param(param: Param) -> ParamInfo {
    ParamInfo { name: param.name, offset: param.offset, size: param.size, align: param.align, ty: param.ty }
}

/// Names that several families define.
pub(crate) fn duplicates(arch: &str, entries: &[(String, EntryInfo)]) -> Vec<Fault> {
    let mut seen: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    for (name, info) in entries {
        seen.entry(name).or_insert((0, &info.family)).0 += 1;
    }
    seen.into_iter()
        .filter(|(_, (count, _))| *count > 1)
        .map(|(name, (count, family))| Fault {
            // The builder, which knows it, sets it.
            backend: Backend::default(),
            arch: arch.to_owned(),
            family: family.to_owned(),
            entry: name.to_owned(),
            kind: FaultKind::Duplicate { count },
        })
        .collect()
}

/// Kernels without a `target` that some architectures have and others lack.
pub(crate) fn missing_on_arch(archs: &[(&str, &BTreeMap<String, EntryInfo>)]) -> Vec<Fault> {
    let mut everywhere = BTreeMap::new();
    for (present, entries) in archs {
        let untargeted = entries.iter().filter(|(_, info)| info.target.is_none());
        untargeted.for_each(|(name, info)| {
            everywhere.entry(name).or_insert((*present, &info.family));
        });
    }
    let mut faults = Vec::new();
    for (name, (present, family)) in everywhere {
        let lacking = archs.iter().filter(|(_, entries)| !entries.contains_key(name));
        faults.extend(lacking.map(|(arch, _)| Fault {
            // The builder, which knows it, sets it.
            backend: Backend::default(),
            arch: (*arch).to_owned(),
            family: family.clone(),
            entry: name.clone(),
            kind: FaultKind::MissingOnArch { present: present.to_owned() },
        }));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;

    const FAMILIES: [&str; 2] = ["cross", "match"];

    fn info(family: &str, target: Option<&str>) -> EntryInfo {
        EntryInfo {
            stem: "k".to_owned(),
            family: family.to_owned(),
            target: target.map(str::to_owned),
            ..EntryInfo::default()
        }
    }

    #[test]
    fn one_name_in_two_families_is_a_duplicate() {
        let mut entries: Vec<_> =
            FAMILIES.iter().map(|family| ("k".to_owned(), info(family, None))).collect();
        entries.push(("other".to_owned(), info("cross", None)));
        let found = duplicates("sm_90", &entries);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].entry.as_str(), &found[0].kind), ("k", &FaultKind::Duplicate { count: 2 }));
    }

    #[test]
    fn only_a_kernel_with_a_target_may_be_absent_elsewhere() {
        let mut newer = BTreeMap::from([("k".to_owned(), info("cross", None))]);
        newer.insert("wgmma".to_owned(), info("cross", Some("sm_90a")));
        let older = BTreeMap::from([("k".to_owned(), info("cross", None))]);
        assert_eq!(missing_on_arch(&[("sm_80", &older), ("sm_90a", &newer)]), []);
        newer.insert("lost".to_owned(), info("cross", None));
        let found = missing_on_arch(&[("sm_80", &older), ("sm_90a", &newer)]);
        assert_eq!(found.len(), 1);
        assert_eq!((found[0].arch.as_str(), found[0].entry.as_str()), ("sm_80", "lost"));
    }

    #[test]
    fn alignment_counts_as_much_as_size() {
        let ptx = Param { name: "p0".to_owned(), ty: "b8[16]".to_owned(), offset: 0, size: 16, align: 4 };
        let record =
            ParamInfo { name: "x".to_owned(), ty: "Config".to_owned(), offset: 0, size: 16, align: 8 };
        assert!(matches!(
            compare_params(std::slice::from_ref(&ptx), &[record])[..],
            [FaultKind::Param { align: 4, record_align: 8, .. }]
        ));
        assert_eq!(compare_params(&[ptx], &[]), [FaultKind::ParamCount { ptx: 1, record: 0 }]);
    }
}
