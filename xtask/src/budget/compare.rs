//! What is used against what may be used.

use ptx_builder::Backend;

use super::file::{Budget, Entries, Use};

/// What a comparison found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// More than the budget, and kernels without one.
    pub faults: Vec<String>,
    /// Less than the budget, and what was not compared.
    pub notes: Vec<String>,
    /// Kernels that were compared, each architecture and back end counted.
    pub compared: usize,
}

/// Compares all that is built. A back end that is not here is a note: another machine compares it.
pub fn compare(measured: &Budget, limits: &Budget) -> Found {
    let mut found = Found::default();
    for backend in Backend::ALL {
        match not_comparable(backend, measured, limits) {
            Some(why) => found.notes.push(format!("skipped: {backend}: {why}")),
            None => found.backend(backend, measured, limits),
        }
    }
    found
}

fn not_comparable(backend: Backend, measured: &Budget, limits: &Budget) -> Option<String> {
    if measured.of(backend).is_empty() {
        return Some("it is not built here; run `cargo xtask setup --nvvm`".to_owned());
    }
    let (ours, theirs) = (&measured.nvvm_ptx, &limits.nvvm_ptx);
    let other = backend == Backend::Nvvm && !theirs.is_empty() && ours != theirs;
    other.then(|| {
        format!("budget.toml was counted with a libNVVM that writes PTX {theirs}, this one writes {ours}")
    })
}

impl Found {
    fn backend(&mut self, backend: Backend, measured: &Budget, limits: &Budget) {
        let (measured, limits) = (measured.of(backend), limits.of(backend));
        let none = Entries::new();
        for (arch, entries) in measured {
            let limits = limits.get(arch).unwrap_or(&none);
            for (entry, used) in entries {
                let kernel = format!("{backend} {arch} {entry}");
                match limits.get(entry) {
                    Some(limit) => self.kernel(&kernel, used, limit),
                    None => self.faults.push(format!("{kernel}: no budget in budget.toml")),
                }
            }
            let gone = limits.keys().filter(|entry| !entries.contains_key(*entry));
            let gone =
                gone.map(|entry| format!("{backend} {arch} {entry}: in budget.toml, but no such kernel"));
            self.faults.extend(gone);
        }
        let not_built = limits.keys().filter(|arch| !measured.contains_key(*arch));
        self.faults.extend(not_built.map(|arch| format!("{backend} {arch}: in budget.toml, but not built")));
    }

    fn kernel(&mut self, kernel: &str, used: &Use, limit: &Use) {
        self.compared += 1;
        for ((what, used), (_, limit)) in used.quantities().into_iter().zip(limit.quantities()) {
            if used > limit {
                let more = used - limit;
                self.faults.push(format!("{kernel}: {used} {what}, budget {limit}: {more} more"));
            } else if used < limit {
                let less = limit - used;
                self.notes.push(format!(
                    "{kernel}: {used} {what}, budget {limit}: {less} less, `cargo xtask bless` keeps it so"
                ));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(entries: &[(&str, u32)]) -> Entries {
        let used = |&(name, registers): &(&str, u32)| {
            (name.to_owned(), Use { registers, stack_bytes: 4, shared_bytes: 16, ..Use::default() })
        };
        entries.iter().map(used).collect()
    }

    fn budget(llvm: &[(&str, u32)], nvvm: &[(&str, u32)]) -> Budget {
        let mut budget = Budget { ptxas: "13.0.88".into(), nvvm_ptx: "9.0".into(), ..Budget::default() };
        for (backend, list) in Backend::ALL.into_iter().zip([llvm, nvvm]) {
            if !list.is_empty() {
                budget.of_mut(backend).insert("sm_90".to_owned(), entries(list));
            }
        }
        budget
    }

    #[test]
    fn more_than_the_budget_new_and_gone_kernels_are_faults_of_their_back_end() {
        let limits = budget(&[("a", 32), ("gone", 10)], &[("a", 30)]);
        assert_eq!(compare(&limits, &limits), Found { compared: 3, ..Found::default() });
        let found = compare(&budget(&[("a", 33), ("new", 8)], &[("a", 34)]), &limits);
        let want = [
            "llvm sm_90 a: 33 registers, budget 32: 1 more",
            "llvm sm_90 new: no budget in budget.toml",
            "llvm sm_90 gone: in budget.toml, but no such kernel",
            "nvvm sm_90 a: 34 registers, budget 30: 4 more",
        ];
        assert_eq!((found.faults.as_slice(), found.compared), (want.map(str::to_owned).as_slice(), 2));
    }

    #[test]
    fn every_quantity_counts() {
        let limits = budget(&[("a", 32)], &[]);
        let changes: [fn(&mut Use); 4] = [
            |used| used.registers += 1,
            |used| used.spill_bytes += 1,
            |used| used.stack_bytes += 1,
            |used| used.shared_bytes += 1,
        ];
        for change in changes {
            let mut more = limits.clone();
            more.llvm.values_mut().flat_map(Entries::values_mut).for_each(change);
            assert_eq!(compare(&more, &limits).faults.len(), 1, "{more:?}");
        }
    }

    #[test]
    fn less_is_told_and_is_no_fault() {
        let limits = budget(&[("a", 32)], &[]);
        let found = compare(&budget(&[("a", 31)], &[]), &limits);
        assert_eq!(found.faults, Vec::<String>::new());
        assert!(found.notes[0].starts_with("llvm sm_90 a: 31 registers, budget 32: 1 less"), "{found:?}");
    }

    #[test]
    fn a_back_end_that_is_not_here_is_skipped_and_says_so() {
        let limits = budget(&[("a", 32)], &[("a", 30)]);
        let found = compare(&budget(&[("a", 32)], &[]), &limits);
        assert_eq!(found.faults, Vec::<String>::new());
        assert!(found.notes[0].starts_with("skipped: nvvm: it is not built here"), "{found:?}");
        let newer = Budget { nvvm_ptx: "9.5".into(), ..budget(&[("a", 32)], &[("a", 99)]) };
        let found = compare(&newer, &limits);
        assert_eq!(found.faults, Vec::<String>::new());
        assert!(found.notes[0].contains("writes PTX 9.0, this one writes 9.5"), "{found:?}");
    }
}
