//! Kernel files, PTX entries and ops match one to one, and the benches time every entry.

use std::collections::{BTreeMap, BTreeSet};

use host::ops::{self, Case, Op};
use host::runtime::{Device as _, DeviceInfo, Options, Sim, SimOptions};
use tests::described::{Backend, DEFAULT_ARCHS, ENTRIES, FILES, backends, manifest};
use tests::{SIM_ELEMENTS, elements};

/// The family of kernels that tests of the runtime launch; they belong to no op.
const NO_OPS: &str = "probe";

/// Everything that must match, as names.
#[derive(Clone, Debug, Default)]
struct Registry {
    /// Family and stem of every kernel file.
    files: BTreeSet<(String, String)>,
    /// Stem, family and architecture of every entry that the sources promise.
    promised: BTreeMap<(String, String), (String, String)>,
    /// Stem and family by architecture and entry in the PTX.
    ptx: BTreeMap<(String, String), (String, String)>,
    /// Name, family and stems of every op.
    ops: Vec<(String, String, Vec<String>)>,
}

impl Registry {
    fn of_workspace(backend: Backend) -> Self {
        let files =
            FILES.iter().map(|(family, stem, _)| ((*family).to_owned(), (*stem).to_owned())).collect();
        let mut registry = Self { files, ..Self::default() };
        for arch in DEFAULT_ARCHS {
            for kernel in ENTRIES.iter().filter(|kernel| kernel.is_on(arch)) {
                let key = (arch.to_owned(), kernel.entry.to_owned());
                registry.promised.insert(key, (kernel.function.to_owned(), kernel.folder.to_owned()));
            }
            for (entry, info) in &manifest(backend, arch).entries {
                let place = (arch.to_owned(), entry.clone());
                registry.ptx.insert(place, (info.stem.clone(), info.family.clone()));
            }
        }
        let strings = |stems: &[&str]| stems.iter().map(|stem| (*stem).to_owned()).collect();
        let op =
            |op: &&dyn host::ops::Op| (op.name().to_owned(), op.family().to_owned(), strings(op.stems()));
        registry.ops = host::ops::all().iter().map(op).collect();
        registry
    }

    fn mismatches(&self) -> Vec<String> {
        let mut faults = self.entry_mismatches();
        for (family, stem) in &self.files {
            if !self.ptx.values().any(|(s, f)| s == stem && f == family) {
                faults.push(format!(
                    "kernels-gpu/src/{family}/{stem}.rs has no PTX entry; is `pub mod {stem};` in mod.rs?"
                ));
            }
            let users: Vec<&str> = self
                .ops
                .iter()
                .filter(|(.., stems)| stems.contains(stem))
                .map(|(op, ..)| op.as_str())
                .collect();
            let want = usize::from(family != NO_OPS);
            if users.len() != want {
                faults.push(format!("kernel `{stem}` must belong to {want} op, it belongs to {users:?}"));
            }
        }
        for (op, family, stems) in &self.ops {
            if stems.is_empty() {
                faults.push(format!("op `{op}` has no kernel"));
            }
            let missing =
                stems.iter().filter(|stem| !self.files.contains(&(family.clone(), (*stem).clone())));
            faults.extend(
                missing.map(|stem| format!("op `{op}`: there is no kernels-gpu/src/{family}/{stem}.rs")),
            );
        }
        faults
    }

    fn entry_mismatches(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for ((arch, entry), (stem, family)) in &self.ptx {
            if !self.files.contains(&(family.clone(), stem.clone())) {
                faults
                    .push(format!("PTX entry `{entry}` ({arch}) has no kernels-gpu/src/{family}/{stem}.rs"));
            }
            if !self.promised.contains_key(&(arch.clone(), entry.clone())) {
                faults.push(format!("PTX entry `{entry}` ({arch}) is in no `#[kernel]` of a kernel file"));
            }
        }
        for ((arch, entry), source) in &self.promised {
            match self.ptx.get(&(arch.clone(), entry.clone())) {
                Some(found) if found == source => {}
                Some(found) => faults
                    .push(format!("`{entry}` ({arch}) is {source:?} in the source, {found:?} in the PTX")),
                None => faults.push(format!("`{entry}` is not in the PTX of {arch}")),
            }
        }
        faults
    }
}

#[test]
fn files_entries_and_ops_match_one_to_one() {
    assert!(!FILES.is_empty() && !ENTRIES.is_empty(), "no kernel was found in kernels-gpu/src");
    for backend in backends() {
        let faults = Registry::of_workspace(backend).mismatches();
        assert!(faults.is_empty(), "by {backend}: {}", faults.join("\n"));
    }
}

#[test]
fn file_function_and_stem_have_one_name() {
    for kernel in ENTRIES {
        assert_eq!((kernel.file, kernel.folder), (kernel.function, kernel.family), "{kernel:?}");
        assert_eq!(kernel.stem, kernel.function, "{kernel:?}");
    }
}

/// A device that runs the PTX of an architecture.
fn device(arch: &str) -> DeviceInfo {
    let arch = Some(arch.parse().expect("a default architecture"));
    let ptx = Options { arch, ..Options::default() };
    let sim = Sim::open_with(SimOptions { ptx, ..SimOptions::default() });
    sim.unwrap_or_else(|error| panic!("{error}")).info().clone()
}

/// Entries outside [`NO_OPS`] that none of the cases launches on any architecture.
fn not_launched(cases: fn(&dyn Op) -> Vec<Case>) -> Vec<&'static str> {
    let mut launched = BTreeSet::new();
    for info in DEFAULT_ARCHS.iter().map(|arch| device(arch)) {
        for op in ops::all() {
            for (case, dtype) in cases(op).iter().flat_map(|case| op.dtypes().iter().map(move |d| (case, *d)))
            {
                let entries = op.entries(&info, dtype, case);
                launched.extend(entries.unwrap_or_else(|error| panic!("{op:?}: {error}")));
            }
        }
    }
    let entries = ENTRIES.iter().filter(|kernel| kernel.family != NO_OPS).map(|kernel| kernel.entry);
    entries.filter(|entry| !launched.contains(entry)).collect()
}

#[test]
fn the_benches_time_every_entry() {
    assert_eq!(not_launched(|op| op.bench_cases()), Vec::<&str>::new());
}

#[test]
fn cases_that_the_simulator_takes_launch_every_entry() {
    let taken = |op: &dyn Op| op.cases().into_iter().filter(|case| elements(case) <= SIM_ELEMENTS).collect();
    assert_eq!(not_launched(taken), Vec::<&str>::new());
}

#[test]
fn an_entry_without_bench_case_is_found() {
    let without_gaps = |op: &dyn Op| {
        let cases = op.bench_cases().into_iter();
        cases.filter(|case| case.operands.iter().all(|operand| operand.stride.is_none())).collect()
    };
    let found = not_launched(without_gaps);
    assert!(found.contains(&"hadamard_rows_f32") && !found.contains(&"hadamard_f32"), "{found:?}");
}

/// A registry in which everything matches: one kernel, one entry, one op.
fn matching() -> Registry {
    let name = |text: &str| text.to_owned();
    let entries = BTreeMap::from([((name("sm_90"), name("k_f32")), (name("k"), name("fam")))]);
    Registry {
        files: BTreeSet::from([(name("fam"), name("k"))]),
        promised: entries.clone(),
        ptx: entries,
        ops: vec![(name("op"), name("fam"), vec![name("k")])],
    }
}

#[track_caller]
fn assert_found(change: impl FnOnce(&mut Registry), fault: &str) {
    let mut registry = matching();
    assert_eq!(registry.mismatches(), Vec::<String>::new());
    change(&mut registry);
    let faults = registry.mismatches();
    assert!(faults.iter().any(|found| found.contains(fault)), "{faults:?}");
}

#[test]
fn each_planted_mismatch_is_found() {
    let add = |r: &mut Registry| r.files.extend([("fam".to_owned(), "other".to_owned())]);
    assert_found(add, "fam/other.rs has no PTX entry");
    assert_found(add, "`other` must belong to 1 op, it belongs to []");
    assert_found(|r| r.files.clear(), "`k_f32` (sm_90) has no kernels-gpu/src/fam/k.rs");
    assert_found(|r| r.files.clear(), "op `op`: there is no");
    assert_found(|r| r.ptx.clear(), "fam/k.rs has no PTX entry");
    assert_found(|r| r.ptx.clear(), "`k_f32` is not in the PTX of sm_90");
    assert_found(|r| r.promised.clear(), "is in no `#[kernel]` of a kernel file");
    assert_found(|r| r.ops.clear(), "`k` must belong to 1 op, it belongs to []");
    assert_found(|r| r.ops.push(r.ops[0].clone()), "it belongs to [\"op\", \"op\"]");
    assert_found(|r| r.ops[0].2.clear(), "op `op` has no kernel");
}
