//! Reads the output of `cargo test` and adds up the results of all test programs.

use std::fmt;

/// Results of a run, over all test programs.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// Tests that passed.
    pub passed: u64,
    /// Tests that failed, and test programs that ended without a result.
    pub failed: u64,
    /// Tests that were not run.
    pub skipped: u64,
    /// What failed: program and test.
    pub failures: Vec<String>,
    /// Lines that a test program wants repeated at the end: those that begin with `cases: `.
    pub notes: Vec<String>,
    program: Option<Program>,
}

/// The test program whose output is being read.
#[derive(Debug, PartialEq, Eq)]
struct Program {
    name: String,
    /// Examples in documentation: one marked `ignore` is text, not a skipped test.
    is_doc: bool,
    has_result: bool,
}

impl fmt::Display for Summary {
    /// The line that closes a run.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed, {} failed, {} skipped", self.passed, self.failed, self.skipped)
    }
}

impl Summary {
    /// Reads the next line.
    pub fn feed(&mut self, line: &str) {
        let line = line.trim();
        if let Some(name) = line.strip_prefix("Doc-tests ") {
            self.begin(format!("documentation of {name}"), true);
        } else if let Some(name) = line.strip_prefix("Running ").and_then(program_name) {
            self.begin(name, false);
        } else if let Some(counts) = line.strip_prefix("test result: ") {
            self.add(counts);
        } else if line.starts_with("cases: ") {
            self.notes.push(line.to_owned());
        } else if let Some(name) = line.strip_prefix("test ").and_then(|rest| rest.strip_suffix("FAILED")) {
            let name = name.trim_end_matches([' ', '.']);
            self.failures
                .push(self.program.as_ref().map_or(name.to_owned(), |p| format!("{}: {name}", p.name)));
        }
    }

    /// Ends the reading. `success` is cargo's own verdict.
    pub fn finish(&mut self, success: bool) {
        self.end_program();
        if success {
            // A program without test harness says nothing and is no test.
            let silent = self.failures.iter().filter(|f| f.ends_with(NO_RESULT)).count();
            self.failures.retain(|f| !f.ends_with(NO_RESULT));
            self.failed -= silent as u64;
        }
    }

    fn begin(&mut self, name: String, is_doc: bool) {
        self.end_program();
        self.program = Some(Program { name, is_doc, has_result: false });
    }

    fn end_program(&mut self) {
        if let Some(program) = self.program.take().filter(|p| !p.has_result) {
            self.failures.push(format!("{}: {NO_RESULT}", program.name));
            self.failed += 1;
        }
    }

    /// `ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s`
    fn add(&mut self, counts: &str) {
        let count = |word: &str| -> u64 {
            let before = counts.split_once(&format!(" {word}")).map(|(before, _)| before);
            before.and_then(|text| text.rsplit(' ').next()).and_then(|n| n.parse().ok()).unwrap_or(0)
        };
        self.passed += count("passed");
        self.failed += count("failed");
        if let Some(program) = &mut self.program {
            program.has_result = true;
            self.skipped += if program.is_doc { 0 } else { count("ignored") };
        }
    }
}

/// What stands in the list of failures for a program that died.
const NO_RESULT: &str = "the program ended without a result";

/// `unittests src/lib.rs (target/debug/deps/host-0123456789abcdef)` is `host src/lib.rs`.
fn program_name(rest: &str) -> Option<String> {
    let (source, path) = rest.strip_suffix(')')?.split_once(" (")?;
    let file = path.rsplit('/').next()?;
    let krate = file.rsplit_once('-').map_or(file, |(name, _)| name);
    Some(match source.strip_prefix("unittests ") {
        Some(source) => format!("{krate} {source}"),
        None => krate.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn summary(output: &str, success: bool) -> Summary {
        let mut summary = Summary::default();
        output.lines().for_each(|line| summary.feed(line));
        summary.finish(success);
        summary
    }

    const TWO_PROGRAMS: &str = "     Running unittests src/lib.rs (target/debug/deps/host-0123456789abcdef)
running 3 tests
test a::b ... ok
test a::c ... FAILED
test a::d ... ignored
test result: FAILED. 1 passed; 1 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s
     Running differential.rs (target/debug/deps/differential-0123456789abcdef)
test cpu::hadamard_f32::n_257 ... ok
test result: ok. 1 passed; 0 failed; 40 ignored; 0 measured; 0 filtered out; finished in 0.01s
   Doc-tests ptx_parse
test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.50s
";

    #[test]
    fn results_of_all_programs_are_added_up() {
        let got = summary(TWO_PROGRAMS, false);
        assert_eq!(got.to_string(), "4 passed, 1 failed, 41 skipped");
        assert_eq!(got.failures, ["host src/lib.rs: a::c"]);
    }

    #[test]
    fn numbers_of_cases_are_kept_for_the_end() {
        let got = summary("test a ... ok\ncases: sim_llvm 925, simulator\nother\ncases: gpu_llvm 0\n", true);
        assert_eq!(got.notes, ["cases: sim_llvm 925, simulator", "cases: gpu_llvm 0"]);
    }

    #[test]
    fn a_program_that_dies_is_a_failure() {
        let output = format!(
            "     Running gpu.rs (target/debug/deps/gpu-0123456789abcdef)\nrunning 1 test\n{TWO_PROGRAMS}"
        );
        let got = summary(&output, false);
        assert_eq!((got.passed, got.failed), (4, 2));
        assert_eq!(got.failures[0], format!("gpu: {NO_RESULT}"));
    }

    #[test]
    fn a_silent_program_counts_for_nothing_where_cargo_is_content() {
        let got = summary("     Running tool.rs (target/debug/deps/tool-0123456789abcdef)\n", true);
        assert_eq!(got.to_string(), "0 passed, 0 failed, 0 skipped");
        assert!(got.failures.is_empty());
    }
}
