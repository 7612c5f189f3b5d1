//! What became of the mutants, kernel by kernel.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, PoisonError};

use crate::judge::Verdict;
use crate::mutant::Mutant;

/// Percent of the mutants, those with an explanation left out, that must be killed.
const REQUIRED_PERCENT: f64 = 95.0;

/// Ops whose kernels hold more mutants that no run in the simulator can tell, and what is required of them: in a matrix of
/// thousands of unrolled cells a mutant is the rounding of one, which the few windows of a case hardly show, and in a search
/// which windows are ruled out changes the time alone. The GPU's cases have thousands of times as many windows.
const REQUIRED_OF: [(&str, f64); 4] =
    [("dtw_profile", 85.0), ("dtw_subsequence", 85.0), ("dtw_top_k", 65.0), ("dtw_below", 75.0)];

/// What is required of an op's kernels.
pub fn required_percent(op: &str) -> f64 {
    REQUIRED_OF.iter().find(|(name, _)| *name == op).map_or(REQUIRED_PERCENT, |(_, percent)| *percent)
}

/// Numbers of one kernel.
#[derive(Clone, Debug, Default)]
pub struct Score {
    /// Mutants that are PTX.
    pub judged: u64,
    /// Those a check noticed.
    pub killed: u64,
    /// Survivors with a committed reason.
    pub explained: u64,
    /// Those the simulator does not take.
    pub invalid: u64,
    /// Survivors without, by name and change.
    pub survivors: Vec<String>,
}

impl Score {
    /// Adds one.
    pub fn add(&mut self, mutant: &Mutant, verdict: &Verdict, reason: Option<&str>) {
        self.judged += 1;
        match (verdict, reason) {
            (Verdict::Killed(..), _) => self.killed += 1,
            (Verdict::Survived, Some(_)) => self.explained += 1,
            (Verdict::Survived, None) => self.survivors.push(format!("{} ({})", mutant.name, mutant.change)),
            (Verdict::Invalid(_), _) => {
                self.judged -= 1;
                self.invalid += 1;
            }
        }
    }

    /// Adds another one's numbers.
    pub fn merge(&mut self, other: &Self) {
        self.judged += other.judged;
        self.killed += other.killed;
        self.explained += other.explained;
        self.invalid += other.invalid;
        self.survivors.extend(other.survivors.iter().cloned());
    }

    /// Killed ones in percent of all but the explained.
    pub fn percent(&self) -> f64 {
        percent(self.killed, self.judged - self.explained)
    }
}

fn percent(part: u64, whole: u64) -> f64 {
    if whole == 0 { 100.0 } else { 100.0 * part as f64 / whole as f64 }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { judged, killed, explained, invalid, survivors } = self;
        write!(
            f,
            "{judged} mutants, {killed} killed, {explained} explained, {} not; {:.1} % of all, {:.1} % without the explained; {invalid} are no PTX",
            survivors.len(),
            percent(*killed, *judged),
            self.percent()
        )
    }
}

/// By kernel.
static SCORES: Mutex<BTreeMap<String, Score>> = Mutex::new(BTreeMap::new());

/// Keeps a kernel's numbers for the end of the run.
pub fn keep(entry: &str, score: Score) {
    SCORES.lock().unwrap_or_else(PoisonError::into_inner).insert(entry.to_owned(), score);
}

/// Kernels judged so far.
pub fn kernels() -> usize {
    SCORES.lock().unwrap_or_else(PoisonError::into_inner).len()
}

/// One line per kernel, and the sum.
pub fn notes() -> Vec<String> {
    let scores = SCORES.lock().unwrap_or_else(PoisonError::into_inner);
    let mut sum = Score::default();
    let mut notes = Vec::new();
    for (entry, score) in scores.iter() {
        sum.merge(score);
        notes.push(format!("{entry}: {score}"));
        notes.extend(score.survivors.iter().map(|survivor| format!("survived: {survivor}")));
    }
    if sum.judged > 0 {
        notes.push(format!("cases: mutants: {sum}"));
    }
    notes
}
