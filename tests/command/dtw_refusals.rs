//! What `warpsmith dtw` refuses, and how it says so.

use std::path::Path;

use super::dtw::{file, run};

/// Exit code and the first line of the message, with the folder left out.
fn refusal(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = run(line);
    assert!(output.stdout.is_empty(), "{line}");
    let text = String::from_utf8_lossy(&output.stderr).replace(&format!("{}/", folder.display()), "");
    (output.status.code(), text.lines().next().unwrap_or_default().to_owned())
}

/// A search in a series of this text, with these options.
fn search(text: &str, options: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", text);
    let options = options.replace("DIR", &folder.path().display().to_string());
    file(folder.path(), "q.csv", "x\n1\n2\n3\n");
    file(folder.path(), "nan.csv", "x\n1\nNaN\n");
    file(folder.path(), "wide.csv", "x\n-3e38\n3e38\n");
    refusal(folder.path(), &format!("dtw search --series {series} --column x --backend cpu {options}"))
}

const SERIES: &str = "x,y\n1,a\n2,b\n4,c\n3,d\n";
const ROWS: &str = "--query-rows 0..2 --radius 1 --top 1";

#[test]
fn files_are_refused_with_line_column_and_value() {
    let cases = [
        ("", ROWS, "s.csv is empty; its first line must name the columns"),
        ("x\n", ROWS, "s.csv has a header and no rows"),
        ("y\n1\n", ROWS, "s.csv, line 1: no column `x`; it has `y`"),
        ("y,x\na,1\nb,2\nc,much\n", ROWS, "s.csv, line 4, column `x`: `much` is no number"),
        ("y,x\na,1\nb,inf\n", ROWS, "s.csv, line 3, column `x`: `inf` is no number"),
        (
            "y,x\na,1\nb,1e39\n",
            ROWS,
            "s.csv, line 3, column `x`: `1e39` is beyond f32, which ends at 3.4028235e38",
        ),
        (
            "x,y,x\n1,2,3\n",
            ROWS,
            "s.csv, line 1: columns 1 and 3 are both named `x`; the name must be of one",
        ),
        ("y,x\na,\"1\nb,2\nc,3\n", ROWS, "s.csv, line 2: a quote begins a cell and none ends it"),
        ("y,x\na,1\nb\n", ROWS, "s.csv, line 3: 1 columns; the header has 2"),
        ("y,x\na,1\nb,\n", ROWS, "s.csv, line 3, column `x`: `` is no number; a query has no gaps"),
    ];
    for (text, options, want) in cases {
        assert_eq!(search(text, options), (Some(1), format!("warpsmith: {want}")));
    }
}

#[test]
fn queries_are_refused_with_the_file_they_come_from() {
    let rest = "--radius 1 --top 1";
    let cases = [
        ("--query DIR/no.csv", "no.csv does not exist"),
        ("--query DIR/nan.csv", "nan.csv, line 3, column `x`: `NaN` is no number; a query has no gaps"),
        (
            "--query DIR/wide.csv",
            "wide.csv: query 0: point 1 (3e38) minus point 0 (-3e38) is beyond f32; a normalised query needs every such \
             difference",
        ),
        (
            "--query DIR/q.csv --smoothing 3",
            "s.csv: a series of 4 points is too short: queries of 3 points over means of 3 need at least 5",
        ),
        ("--query-rows 3..5", "s.csv has 4 rows, counted from 0; 3..5 goes beyond them"),
        (
            "--query-rows 0..1 --smoothing 5",
            "s.csv: a rolling window of 5 points; it must have 1 to 4, the length of the series",
        ),
        (
            "--query-rows 1..3 --smoothing 3",
            "s.csv: rows 1..3 over means of 3 points; row 2 is the first that has one",
        ),
        ("--query-rows 3..5 --smoothing 2", "s.csv has 4 rows, counted from 0; 3..5 goes beyond them"),
        ("--query-rows 0..2 --threshold NaN", "the threshold is NaN; it must be a number"),
    ];
    for (options, want) in cases {
        assert_eq!(search(SERIES, &format!("{options} {rest}")), (Some(1), format!("warpsmith: {want}")));
    }
    let (code, text) = search("x\n1\n2\n", "--query DIR/q.csv --radius 1 --top 1");
    let want =
        "s.csv: a series of 2 points is too short: queries of 3 points over means of 1 need at least 3";
    assert_eq!((code, text), (Some(1), format!("warpsmith: {want}")));
}

#[test]
fn options_that_make_no_sense_are_usage() {
    let cases = [
        (
            "--query-rows 0..2 --radius 1 --top 0",
            "invalid value '0' for '--top <K>': 0 is not in 1..=4294967295",
        ),
        (
            "--query-rows 0..2 --radius 1 --top -1",
            "invalid value '-1' for '--top <K>': -1 is not in 1..=4294967295",
        ),
        (
            "--query-rows 0..2 --radius -1 --top 1",
            "invalid value '-1' for '--radius <R>': -1 is not in 0..=4294967295",
        ),
        (
            "--query-rows 0..2 --radius few --top 1",
            "invalid value 'few' for '--radius <R>': invalid digit found in string",
        ),
        (
            "--query-rows 0..2 --radius 1 --top 1 --exclude -1",
            "invalid value '-1' for '--exclude <E>': -1 is not in 0..=4294967295",
        ),
        (
            "--query-rows 0..2 --radius 1 --top 1 --smoothing 0",
            "invalid value '0' for '--smoothing <W>': 0 is not in 1..=4294967295",
        ),
        (
            "--query-rows 2..2 --radius 1 --top 1",
            "invalid value '2..2' for '--query-rows <A..B>': rows 2..2 are none; B must be above A",
        ),
        (
            "--query-rows 2 --radius 1 --top 1",
            "invalid value '2' for '--query-rows <A..B>': rows are given as A..B, such as 4000..4032",
        ),
        (
            "--query q.csv --query-rows 0..1 --radius 1 --top 1",
            "the argument '--query <FILE>' cannot be used with '--query-rows <A..B>'",
        ),
        ("--radius 1 --top 1", "the following required arguments were not provided:"),
        ("--query-rows 0..2 --top 1", "the following required arguments were not provided:"),
        ("--query-rows 0..2 --radius 1", "the following required arguments were not provided:"),
        (
            "--query-rows 0..2 --radius 1 --threshold 1 --exclude 1",
            "the following required arguments were not provided:",
        ),
        (
            "--query-rows 0..2 --radius 1 --top 1 --json --csv",
            "the argument '--json' cannot be used with '--csv'",
        ),
    ];
    for (options, want) in cases {
        assert_eq!(search(SERIES, options), (Some(2), format!("error: {want}")), "{options}");
    }
}

#[test]
fn a_search_for_nothing_is_told_both_options() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", SERIES);
    let output = run(&format!("dtw search --series {series} --column x --query-rows 0..2 --radius 1"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("\n  <--top <K>|--threshold <T>>\n"), "{text}");
}

#[test]
fn a_profile_needs_a_place_it_can_be_written_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", SERIES);
    let profile = |options: &str| {
        let line = format!(
            "dtw profile --series {series} --column x --query-rows 0..2 --radius 1 --backend cpu {options}"
        );
        refusal(folder.path(), &line)
    };
    let want = "error: invalid value 'out.txt' for '--out <FILE>': the name must end with .csv or .npy";
    assert_eq!(profile("--out out.txt"), (Some(2), want.to_owned()));
    let want = "warpsmith: cannot write no/such/out.npy: No such file or directory (os error 2)";
    assert_eq!(
        profile(&format!("--out {}/no/such/out.npy", folder.path().display())),
        (Some(1), want.to_owned())
    );
    for name in ["a.csv", "a.npy"] {
        // Every write fails there.
        let full = folder.path().join(name);
        std::os::unix::fs::symlink("/dev/full", &full).expect("Linux has it");
        let want = format!("warpsmith: cannot write {name}: No space left on device (os error 28)");
        assert_eq!(profile(&format!("--out {}", full.display())), (Some(1), want));
    }
    let want =
        "warpsmith: s.csv: a rolling window of 5 points; it must have 1 to 4, the length of the series";
    let out = folder.path().join("out.csv");
    for option in ["--rolling", "--rolling-distances"] {
        let (code, text) = profile(&format!("{option} -1 --out {}", out.display()));
        let usage = format!("error: invalid value '-1' for '{option} <W>': -1 is not in 1..=4294967295");
        assert_eq!((code, text), (Some(2), usage));
        assert_eq!(profile(&format!("{option} 5 --out {}", out.display())), (Some(1), want.to_owned()));
    }
    assert!(!out.exists());
}

#[test]
fn a_file_that_cannot_be_written_is_refused_before_anything_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().display();
    let rest = format!("--series {root}/no.csv --column x --query-rows 0..2 --radius 1 --backend cpu");
    for (command, file) in [("profile --out", "no/such/a.npy"), ("search --top 1 --plot", "no/such/a.svg")] {
        let want = format!("warpsmith: cannot write {file}: No such file or directory (os error 2)");
        let line = format!("dtw {command} {root}/{file} {rest}");
        assert_eq!(refusal(folder.path(), &line), (Some(1), want));
    }
    // One that could be written is not touched by a run that fails.
    let old = file(folder.path(), "old.csv", "text");
    let want = (Some(1), "warpsmith: no.csv does not exist".to_owned());
    assert_eq!(refusal(folder.path(), &format!("dtw profile --out {old} {rest}")), want);
    assert_eq!(std::fs::read_to_string(old).expect("it is there"), "text");
}

#[test]
fn help_names_every_option() {
    for (command, own, own_facts) in [
        (
            "search",
            ["--top", "--exclude", "--threshold", "--plot"].as_slice(),
            ["in the order of the series", "The rank is that of the distance in either order"].as_slice(),
        ),
        (
            "profile",
            &["--out", "--rolling", "--rolling-distances"],
            &[
                "little-endian float32, C order, of shape [rows], or [rows, columns]",
                "columns mean, min, max, variance (ddof 0)",
                "columns distance_mean, distance_min, distance_max, distance_variance",
                "where a point is further from the window's first than f32 holds",
            ],
        ),
    ] {
        let output = run(&format!("dtw {command} --help"));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success());
        for option in
            own.iter().chain(&["--series", "--query", "--query-rows", "--radius", "--smoothing", "--backend"])
        {
            assert!(
                text.lines().any(|line| line.trim_start().starts_with(option)),
                "{command} {option}: {text}"
            );
        }
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let facts = [
            "the root is not taken",
            "an empty cell or NaN is a gap",
            "no other may have its name",
            "at most 4096 points on a GPU and in the simulator, any number with --backend cpu",
            "The rows of --query-rows are taken of the means too",
            "A window starts at the row of its first mean",
            "deviates by less than 2.94e-39",
        ];
        for fact in facts.iter().chain(own_facts) {
            assert!(words.contains(fact), "{command}, {fact}: {text}");
        }
    }
}
