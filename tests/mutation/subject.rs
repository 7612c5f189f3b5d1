//! The kernels of one op and element type, with their mutants.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use host::ops::{DType, Op};
use host::runtime::{Sim, SimOptions};
use ptx_parse::Module;
use ptx_parse::hash::content_hash;
use rayon::prelude::*;
use tests::described::ENTRIES;

use crate::checks::{self, Check};
use crate::harness::{Outcome, Stop, expect_eq, fail};
use crate::judge::{Suite, Verdict};
use crate::mutant::{self, Mutant};
use crate::score::{self, Score, required_percent};
use crate::survivors::{Survivors, matches};

/// Mutants of a kernel that a sample holds, one operator after the other; those of a kernel with many instances are of
/// different ones, at least one of each.
const SAMPLE: usize = 8;

/// Judges a sample of the mutants of an op's kernels, those of all element types together: of each they are few.
pub fn check_sample(op: &dyn Op) -> Outcome {
    let mut whole = Score::default();
    for &dtype in op.dtypes() {
        whole.merge(&judge(op, dtype, false)?);
    }
    judge_score(op.name(), &whole, required_percent(op.name()))
}

/// Judges all mutants of an op's kernels for an element type.
pub fn check_all(op: &dyn Op, dtype: DType) -> Outcome {
    judge_score(&subject_of(op, dtype), &judge(op, dtype, true)?, required_percent(op.name()))
}

/// Its name in the tests.
fn subject_of(op: &dyn Op, dtype: DType) -> String {
    format!("{}_{dtype}", op.name())
}

fn judge(op: &dyn Op, dtype: DType, all: bool) -> Result<Score, Stop> {
    let sim = simulator()?;
    let module = module(&sim, op.family())?;
    let entries = entries_from(op.stems(), op, dtype);
    let subject = subject_of(op, dtype);
    let mut checks = checks::all(false);
    checks.retain(|check| check.subject() == subject && (all || is_quick(check)));
    let borrowed = op.borrows_from().iter().flat_map(|other| other.stems()).copied().collect::<Vec<_>>();
    let borrowed = entries_from(&borrowed, op, dtype);
    let launched = entries.union(&borrowed).cloned().collect();
    let suite = Suite::new(&sim, op.family(), &module, launched, checks)?;
    let survivors = Survivors::of_family(op.family())?;
    let sample_len = (SAMPLE * op.stems().len() / entries.len().max(1)).max(1);
    let mut whole = Score::default();
    for entry in &entries {
        // That nothing is found is known; now with the limits that mutants have.
        if all {
            expect_eq(entry, &suite.judge_unchanged(&module, entry), &Verdict::Survived)?;
        }
        let mut mutants = mutant::of(&module, entry);
        if mutants.is_empty() {
            return fail(format!("{entry} has no mutants"));
        }
        if !all {
            mutants = sample(mutants, &survivors, sample_len);
        }
        let verdicts: Vec<Verdict> = mutants.par_iter().map(|mutant| suite.judge(&module, mutant)).collect();
        let mut score = Score::default();
        for (mutant, verdict) in mutants.iter().zip(&verdicts) {
            score.add(mutant, verdict, survivors.reason(&mutant.name));
        }
        whole.merge(&score);
        score::keep(entry, score);
        if all {
            record(entry, &mutants, &verdicts, (&suite, &survivors))?;
        }
    }
    if whole.killed == 0 {
        return fail(format!("{subject}: no mutant was killed"));
    }
    Ok(whole)
}

/// The entries of an op's kernels, those of `stems`, for an element type: those that name it, and those that name none.
fn entries_from(stems: &[&str], op: &dyn Op, dtype: DType) -> BTreeSet<String> {
    let ours = ENTRIES.iter().filter(|kernel| stems.contains(&kernel.stem)).map(|kernel| kernel.entry);
    // Where an entry names several types, the last is the output's.
    let named = |entry: &str| {
        entry.rsplit('_').find_map(|word| op.dtypes().iter().find(|known| known.name() == word))
    };
    let of_type = ours.filter(|entry| named(entry).is_none_or(|named| *named == dtype));
    of_type.map(str::to_owned).collect()
}

/// A simulator over LLVM's PTX, which is always there, so that the names of mutants do not depend on the machine.
pub fn simulator() -> Result<Sim, Stop> {
    let mut options = SimOptions::default();
    options.ptx.codegen = Some("llvm".to_owned());
    Ok(Sim::open_with(options)?)
}

/// The PTX that the simulator has for the family.
pub fn module(sim: &Sim, family: &str) -> Result<Module, Stop> {
    for artefact in sim.artefacts() {
        if let Some(text) = artefact.ptx(family)? {
            return Ok(ptx_parse::parse(&text)?);
        }
    }
    fail(format!("no PTX of {family}"))
}

/// Whether a sample is worth the check's time: not random cases, nor the one of a million elements, nor the sweeps, which ask
/// again what the named cases have asked.
fn is_quick(check: &Check) -> bool {
    let slow = ["::random", "::n_1000003", "::every_odd_size_of_"];
    !slow.iter().any(|part| check.name.contains(part))
}

/// Mutants of all operators in turn, in an order without pattern that is always the same; none that is known to survive.
fn sample(mutants: Vec<Mutant>, survivors: &Survivors, len: usize) -> Vec<Mutant> {
    let mut by_operator: BTreeMap<&str, Vec<(String, Mutant)>> = BTreeMap::new();
    for mutant in mutants {
        let order = content_hash(mutant.name.as_bytes());
        by_operator.entry(mutant.operator).or_default().push((order, mutant));
    }
    let mut turns: Vec<(usize, String, Mutant)> = Vec::new();
    for group in by_operator.into_values() {
        let mut group = group;
        group.sort_by(|a, b| a.0.cmp(&b.0));
        let unknown = group.into_iter().filter(|(_, mutant)| survivors.reason(&mutant.name).is_none());
        // No operator has more turns than there are mutants in the sample.
        turns.extend(unknown.take(len).enumerate().map(|(turn, (order, mutant))| (turn, order, mutant)));
    }
    turns.sort_by(|a, b| (a.0, &a.1).cmp(&(b.0, &b.1)));
    turns.into_iter().map(|(_, _, mutant)| mutant).take(len).collect()
}

fn judge_score(subject: &str, score: &Score, required: f64) -> Outcome {
    if score.percent() < required {
        let survivors = score.survivors.join("\n");
        return fail(format!("{subject}: {score}; {required} % are required\n{survivors}"));
    }
    Ok(())
}

/// Patterns of `survivors/` that fit a survivor, and those that fit a mutant that was killed.
static USED: Mutex<(BTreeSet<String>, BTreeSet<String>)> = Mutex::new((BTreeSet::new(), BTreeSet::new()));

/// Writes what became of each mutant beside the other output of the build, and notes which explanations were needed.
fn record(
    entry: &str,
    mutants: &[Mutant],
    verdicts: &[Verdict],
    (suite, survivors): (&Suite<'_>, &Survivors),
) -> Outcome {
    let executed = suite.executed();
    let mut used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut text = String::new();
    for (mutant, verdict) in mutants.iter().zip(verdicts) {
        let Mutant { name, change, line, reached, .. } = mutant;
        let patterns = survivors.patterns().filter(|p| matches(p, name)).map(str::to_owned);
        match verdict {
            Verdict::Survived => used.0.extend(patterns),
            Verdict::Killed(..) => used.1.extend(patterns),
            Verdict::Invalid(_) => {}
        }
        let verdict = match verdict {
            Verdict::Killed(check, why) => {
                format!("killed by {check}: {}", why.lines().next().unwrap_or_default())
            }
            Verdict::Invalid(why) => format!("invalid: {why}"),
            Verdict::Survived if reached.is_some_and(|line| !executed.contains(&line)) => {
                "survived, never executed".to_owned()
            }
            Verdict::Survived => "survived".to_owned(),
        };
        text.push_str(&format!("{name}\tline {line}\t{change}\t{verdict}\n"));
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    fs::create_dir_all(&folder)?;
    Ok(fs::write(folder.join(format!("{entry}.tsv")), text)?)
}

/// Every line of `survivors/` fits a mutant that did survive, and none that was killed. For a run over all mutants of all
/// kernels.
pub fn explanations_fit(kernels: usize) -> Outcome {
    if score::kernels() < kernels {
        return Err(Stop::Elsewhere("not every kernel was judged".to_owned()));
    }
    let used = USED.lock().unwrap_or_else(PoisonError::into_inner);
    let survivors = Survivors::committed()?;
    let stale: Vec<&str> = survivors.patterns().filter(|pattern| !used.0.contains(*pattern)).collect();
    match (stale.as_slice(), &used.1) {
        ([], broad) if broad.is_empty() => Ok(()),
        (stale, broad) => {
            fail(format!("survivors/: no survivor fits {stale:?}; mutants that are killed fit {broad:?}"))
        }
    }
}
