//! Runs the checks of an op on a mutant and says whether one of them notices.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use host::ops::Executor;
use host::runtime::{Sim, SimOptions};
use ptx_parse::Module;
use rayon::prelude::*;

use crate::checks::Check;
use crate::harness::{Stop, fail};
use crate::mutant::Mutant;

/// What became of a mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// A check failed: its name, and why.
    Killed(String, String),
    /// All passed.
    Survived,
    /// No PTX that the simulator takes: the reason. It counts for nothing.
    Invalid(String),
}

/// The checks of one op and element type, with what the kernels did in each.
pub struct Suite<'a> {
    sim: &'a Sim,
    family: &'a str,
    /// The quickest first.
    runs: Vec<Run>,
}

/// A check and what it executed of kernels without faults.
struct Run {
    check: Check,
    time: Duration,
    /// The kernels it launches.
    entries: BTreeSet<&'static str>,
    /// Lines of PTX; `None` where the launches are refused, of which nothing is counted.
    lines: Option<BTreeSet<u32>>,
    step_limit: u64,
}

/// Instructions that a warp of a mutant may execute, as a multiple of what one executes of the kernel on average.
const PATIENCE: u64 = 200;

/// Instructions that it may execute anyway.
const STEPS: u64 = 2000;

impl<'a> Suite<'a> {
    /// Runs every check on `module` as it is: nothing may be found.
    ///
    /// # Errors
    /// A check that fails: then nothing can be said about mutants.
    pub fn new(
        sim: &'a Sim,
        family: &'a str,
        module: &Module,
        entries: BTreeSet<String>,
        checks: Vec<Check>,
    ) -> Result<Self, Stop> {
        let mut suite = Self { sim, family, runs: Vec::new() };
        let module = only(module, |entry| entries.contains(entry));
        let measured: Result<Vec<Option<Run>>, Stop> =
            checks.into_par_iter().map(|check| suite.measure(&module, check)).collect();
        suite.runs = measured?.into_iter().flatten().collect();
        suite.runs.sort_by_key(|run| run.time);
        match suite.runs.as_slice() {
            [] => fail("no check runs in the simulator"),
            _ => Ok(suite),
        }
    }

    fn measure(&self, module: &Module, check: Check) -> Result<Option<Run>, Stop> {
        let options = SimOptions::default().run.stats(true).threads(1);
        let sim = self.sim.with_ptx(self.family, "unchanged PTX", module.clone(), options)?;
        let start = Instant::now();
        match check.run(&Executor::Sim(sim.clone())) {
            Ok(_) => {}
            Err(Stop::Elsewhere(_) | Stop::Skipped(_)) => return Ok(None),
            Err(Stop::Failed(why)) => return fail(format!("{} without a fault planted: {why}", check.name)),
        }
        let time = start.elapsed();
        let statistics = sim.statistics();
        let lines: BTreeSet<u32> =
            statistics.iter().flat_map(|kernel| kernel.lines.keys().copied()).collect();
        let entries = statistics.iter().map(|kernel| kernel.entry).collect();
        let per_warp = statistics.iter().map(|kernel| steps(&kernel.lines)).max().unwrap_or(0);
        let refusals = check.name.ends_with("refusals");
        let lines = Some(lines).filter(|_| !refusals);
        Ok(Some(Run { check, time, entries, lines, step_limit: STEPS + PATIENCE * per_warp }))
    }

    /// Lines that some check executes.
    pub fn executed(&self) -> BTreeSet<u32> {
        self.runs.iter().filter_map(|run| run.lines.as_ref()).flatten().copied().collect()
    }

    /// Runs the checks that execute the mutant's line, or where that is not known its kernel, until one fails.
    pub fn judge(&self, module: &Module, mutant: &Mutant) -> Verdict {
        let concerned = |run: &&Run| match (&run.lines, mutant.reached) {
            (None, _) => true,
            (Some(lines), Some(line)) => lines.contains(&line),
            (Some(_), None) => run.entries.contains(mutant.entry()),
        };
        let runs: Vec<&Run> = self.runs.iter().filter(concerned).collect();
        let Some(changed) = mutant.apply(&launched_by(module, &runs, mutant.entry())) else {
            return Verdict::Invalid("the instruction is gone".to_owned());
        };
        self.judge_module(&changed, mutant.entry(), &mutant.name, &runs)
    }

    /// Judges an entry as it is: it must survive.
    pub fn judge_unchanged(&self, module: &Module, entry: &str) -> Verdict {
        let runs: Vec<&Run> = self.runs.iter().collect();
        self.judge_module(&launched_by(module, &runs, entry), entry, "nothing planted", &runs)
    }

    fn judge_module(&self, module: &Module, entry: &str, name: &str, runs: &[&Run]) -> Verdict {
        let module = match ptx_parse::parse(&module.to_string()) {
            Ok(module) => module,
            Err(error) => return Verdict::Invalid(error.to_string()),
        };
        let loaded = ptx_sim::Device::default().load_ast(name, module.clone());
        let checked =
            loaded.map_err(|e| e.to_string()).and_then(|m| m.check(entry).map_err(|e| e.to_string()));
        if let Err(why) = checked {
            return Verdict::Invalid(why);
        }
        for run in runs {
            let outcome = catch_unwind(AssertUnwindSafe(|| self.run(run, module.clone(), name)));
            let check = run.check.name.clone();
            match outcome {
                Ok(Ok(()) | Err(Stop::Elsewhere(_) | Stop::Skipped(_))) => {}
                Ok(Err(Stop::Failed(why))) => return Verdict::Killed(check, why),
                Err(_) => return Verdict::Killed(check, "the simulator panicked".to_owned()),
            }
        }
        Verdict::Survived
    }

    fn run(&self, run: &Run, module: Module, name: &str) -> Result<(), Stop> {
        let options = SimOptions::default().run.threads(1).step_limit(run.step_limit);
        let sim = self.sim.with_ptx(self.family, name, module, options)?;
        run.check.run(&Executor::Sim(sim)).map(drop)
    }
}

/// The module without the kernels that `runs` do not launch, but for `entry`.
fn launched_by(module: &Module, runs: &[&Run], entry: &str) -> Module {
    only(module, |name| name == entry || runs.iter().any(|run| run.entries.contains(name)))
}

/// The module without the kernels that are not wanted.
fn only(module: &Module, wanted: impl Fn(&str) -> bool) -> Module {
    let functions = module.functions.iter().filter(|f| !f.is_entry || wanted(&f.name)).cloned().collect();
    Module {
        functions,
        version: module.version,
        target: module.target.clone(),
        address_size: module.address_size,
        variables: module.variables.clone(),
        files: module.files.clone(),
        aliases: module.aliases.clone(),
        pragmas: module.pragmas.clone(),
        sections: module.sections.clone(),
    }
}

/// Instructions per warp, on average: what the first line is executed by is all warps.
fn steps(lines: &BTreeMap<u32, u64>) -> u64 {
    let warps = lines.values().next().copied().unwrap_or(1).max(1);
    lines.values().sum::<u64>().div_ceil(warps)
}
