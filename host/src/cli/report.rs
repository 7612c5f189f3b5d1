//! What the demo prints.

use std::fmt::Write as _;
use std::time::Duration;

use serde_json::json;

use crate::ops::DType;
use crate::validate::Comparison;

/// One op on one input.
pub struct Line {
    /// The op.
    pub op: &'static str,
    /// Element type.
    pub dtype: DType,
    /// What it was run on.
    pub input: &'static str,
    /// Shape of the output.
    pub shape: String,
    /// Where it was computed.
    pub place: String,
    /// Median time of a run.
    pub time: Duration,
    /// One per output.
    pub comparisons: Vec<Comparison>,
}

impl Line {
    /// Whether every output is right, and there is one.
    pub fn passed(&self) -> bool {
        !self.comparisons.is_empty() && self.comparisons.iter().all(Comparison::passed)
    }

    fn largest_error(&self) -> f64 {
        self.comparisons.iter().map(|c| c.max_abs).fold(0.0, f64::max)
    }

    fn verdict(&self) -> String {
        let wrong = self.comparisons.iter().find(|c| !c.passed());
        wrong.map_or_else(|| "passed".to_owned(), |c| format!("FAILED: {c}"))
    }
}

/// How far scores of a precision are from the exact ones.
#[derive(Clone, Debug)]
pub struct Score {
    /// Of weights and applications.
    pub precision: &'static str,
    /// The largest difference, as part of the largest score.
    pub error: f64,
    /// Scores, each a decision: above or below even odds.
    pub decisions: usize,
    /// Those on the other side than the exact score.
    pub changed: usize,
}

/// All lines, and where they were computed.
pub struct Report {
    /// The lines.
    pub lines: Vec<Line>,
    /// What precisions do to the scores of the scorecards.
    pub scores: Vec<Score>,
    /// What was also run in the simulator, so that the kernels' PTX is run where there is no GPU.
    pub simulated: Vec<Line>,
    backend: String,
    reason: Option<String>,
}

impl Report {
    /// A report without lines. `reason` says what stood in the way of a better back end.
    pub fn new(backend: String, reason: Option<String>) -> Self {
        Self {
            lines: Vec::new(),
            scores: Vec::new(),
            simulated: Vec::new(),
            backend,
            reason: reason.map(|r| r.replace('\n', " ")),
        }
    }

    /// Whether every line passed, and there is one.
    pub fn passed(&self) -> bool {
        !self.lines.is_empty() && self.all().all(Line::passed)
    }

    fn all(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().chain(&self.simulated)
    }

    /// A table, and a last line that says it all.
    pub fn text(&self) -> String {
        let mut text = String::new();
        let mut add =
            |op: &str, input: &str, shape: &str, backend: &str, time: &str, error: &str, verdict: &str| {
                // Writing to a string cannot fail.
                let _ = writeln!(
                    text,
                    "{op:<20} {input:<14} {shape:<10} {backend:<22} {time:>12} {error:>14}  {verdict}"
                );
            };
        add("op", "input", "shape", "back end", "time", "largest error", "verdict");
        for line in self.all() {
            let (op, time) = (format!("{}_{}", line.op, line.dtype), format!("{:.1} us", micros(line.time)));
            let error = format!("{:e}", line.largest_error());
            add(&op, line.input, &line.shape, &line.place, &time, &error, &line.verdict());
        }
        for Score { precision, error, decisions, changed } in &self.scores {
            let percent = 100.0 * error;
            // Writing to a string cannot fail.
            let _ = writeln!(
                text,
                "scorecards in {precision}: scores within {percent:.3} % of the largest, {changed} of {decisions} decisions changed"
            );
        }
        text + &self.summary() + "\n"
    }

    /// One JSON object per line of the table, and one for the whole.
    pub fn json(&self) -> String {
        let mut text = String::new();
        for line in self.all() {
            let object = json!({
                "op": line.op, "dtype": line.dtype.name(), "input": line.input, "shape": line.shape,
                "backend": line.place, "us": micros(line.time), "max_abs_error": line.largest_error(),
                "passed": line.passed(), "verdict": line.verdict(),
            });
            text += &format!("{object}\n");
        }
        for Score { precision, error, decisions, changed } in &self.scores {
            let object = json!({
                "precision": precision, "score_error": error, "decisions": decisions, "changed": changed,
            });
            text += &format!("{object}\n");
        }
        let simulated = self.simulated.first().map(|line| &line.place);
        let whole = json!({
            "passed": self.passed(), "backend": self.backend, "reason": self.reason, "simulated": simulated,
        });
        text + &format!("{whole}\n")
    }

    fn summary(&self) -> String {
        let reason = self.reason.as_ref().map_or_else(String::new, |reason| format!(" ({reason})"));
        let mut text = format!("demo: {} on {}{reason}", counts("ops", &self.lines), self.backend);
        if let Some(first) = self.simulated.first() {
            text += &format!("; {} in the {}", counts("slices of PTX", &self.simulated), first.place);
        }
        text
    }
}

/// `2 ops passed`, `1 ops passed, 1 FAILED`.
fn counts(what: &str, lines: &[Line]) -> String {
    let passed = lines.iter().filter(|line| line.passed()).count();
    match lines.len() - passed {
        0 => format!("{passed} {what} passed"),
        failed => format!("{passed} {what} passed, {failed} FAILED"),
    }
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::Layout;
    use crate::validate::{Tolerance, compare};

    fn line(place: &str, got: f32) -> Line {
        let layout = Layout::new(1, 1, 1).expect("it fits");
        let comparisons = vec![compare("y", layout, 0, &[got], &[1.0], &Tolerance::exact("a test"))];
        let time = Duration::from_nanos(12_340);
        Line {
            op: "hadamard",
            dtype: DType::F32,
            input: "a test",
            shape: "1x1".to_owned(),
            place: place.to_owned(),
            time,
            comparisons,
        }
    }

    #[test]
    fn the_last_line_counts_and_gives_the_reason() {
        let mut report = Report::new("cpu".to_owned(), Some("no CUDA driver:\nnone".to_owned()));
        report.lines = vec![line("cpu", 1.0), line("cpu", 1.0)];
        assert!(report.passed());
        assert_eq!(report.text().lines().last(), Some("demo: 2 ops passed on cpu (no CUDA driver: none)"));
        assert!(report.text().contains("12.3 us"));
    }

    #[test]
    fn a_wrong_result_fails_the_report() {
        let mut report = Report::new("cpu".to_owned(), None);
        report.lines = vec![line("cpu", 1.0), line("cpu", 2.0)];
        assert!(!report.passed());
        assert_eq!(report.text().lines().last(), Some("demo: 1 ops passed, 1 FAILED on cpu"));
        assert!(report.text().contains("FAILED: `y`: 1 of 1 elements wrong; first at (0, 0)"));
    }

    #[test]
    fn slices_are_counted_by_themselves_and_fail_the_report() {
        let mut report = Report::new("cpu".to_owned(), Some("why".to_owned()));
        report.lines = vec![line("cpu", 1.0)];
        report.simulated = vec![line("simulator (sm_90)", 1.0)];
        let last = |report: &Report| report.text().lines().last().map(str::to_owned);
        let want = "demo: 1 ops passed on cpu (why); 1 slices of PTX passed in the simulator (sm_90)";
        assert_eq!(last(&report).as_deref(), Some(want));
        assert!(report.passed() && report.json().contains("\"simulated\":\"simulator (sm_90)\""));
        report.simulated.push(line("simulator (sm_90)", 2.0));
        assert!(!report.passed());
        assert!(
            last(&report)
                .is_some_and(|l| l.ends_with("; 1 slices of PTX passed, 1 FAILED in the simulator (sm_90)"))
        );
    }

    #[test]
    fn nothing_computed_is_no_success() {
        assert!(!Report::new("cpu".to_owned(), None).passed());
    }

    #[test]
    fn every_line_of_json_is_an_object() {
        let mut report = Report::new("cpu".to_owned(), None);
        report.lines = vec![line("cpu", 1.0)];
        let parsed: Vec<serde_json::Value> =
            report.json().lines().map(|l| serde_json::from_str(l).expect("it is JSON")).collect();
        assert_eq!(parsed.len(), 2);
        assert_eq!(parsed[0]["us"], 12.34);
        assert_eq!(parsed[1]["passed"], true);
    }
}
