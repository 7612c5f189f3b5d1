//! Files that `warpsmith dtw` writes: whole or not at all, and never over what it reads.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output};

use tests::described::workspace;

use super::PROGRAM;
use super::dtw::file;

const SERIES: &str = "x\n1\n2\n4\n3\n";

/// Runs `warpsmith dtw` in `folder` with a series of its own, the command line split at spaces.
fn dtw(folder: &Path, line: &str) -> Output {
    let all = line.split_whitespace().chain("--column x --radius 1 --backend cpu".split_whitespace());
    Command::new(&*PROGRAM).arg("dtw").args(all).current_dir(folder).output().expect("the program starts")
}

/// Exit code and message.
fn refusal(folder: &Path, line: &str) -> (Option<i32>, String) {
    let output = dtw(folder, line);
    assert!(output.stdout.is_empty(), "{line}");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).trim_end().to_owned())
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).expect("it is there")
}

fn names(folder: &Path) -> Vec<OsString> {
    let all = std::fs::read_dir(folder).expect("it is there");
    let mut names: Vec<_> = all.map(|one| one.expect("it is there").file_name()).collect();
    names.sort();
    names
}

#[test]
fn an_output_over_an_input_is_refused_and_the_input_stays() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for name in ["s.csv", "s.svg"] {
        file(folder, name, SERIES);
    }
    file(folder, "q.csv", "x\n1\n2\n");
    symlink("q.csv", folder.join("link.csv")).expect("links are possible");
    std::fs::hard_link(folder.join("s.csv"), folder.join("hard.csv")).expect("links are possible");
    let before = names(folder);
    for (line, output, other) in [
        ("profile --series s.csv --query-rows 0..2 --out s.csv", "--out s.csv", "--series"),
        ("profile --series s.csv --query-rows 0..2 --out ./../s.csv", "", ""),
        ("profile --series s.csv --query-rows 0..2 --out hard.csv", "--out hard.csv", "--series"),
        ("profile --series hard.csv --query q.csv --out s.csv", "--out s.csv", "--series"),
        ("profile --series s.csv --query q.csv --out q.csv", "--out q.csv", "--query"),
        ("profile --series s.csv --query q.csv --out link.csv", "--out link.csv", "--query"),
        ("profile --series s.csv --query link.csv --out ./q.csv", "--out ./q.csv", "--query"),
        ("search --series s.svg --query-rows 0..2 --top 1 --plot s.svg", "--plot s.svg", "--series"),
        ("search --series s.csv --query s.svg --top 1 --plot s.svg", "--plot s.svg", "--query"),
    ] {
        let line =
            line.replace("./../", &format!("../{}/", folder.file_name().unwrap_or_default().display()));
        let (code, message) = refusal(folder, &line);
        if !output.is_empty() {
            let want = format!("warpsmith: {output} is the file of {other}; it would be lost");
            assert_eq!(message, want, "{line}");
        }
        assert!(code == Some(1) && message.ends_with("; it would be lost"), "{line}: {message}");
    }
    assert_eq!((text(folder, "s.csv"), text(folder, "s.svg")), (SERIES.to_owned(), SERIES.to_owned()));
    assert_eq!((text(folder, "q.csv").as_str(), names(folder)), ("x\n1\n2\n", before));
}

#[test]
fn an_output_that_standard_output_goes_to_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let series = file(folder.path(), "s.csv", SERIES);
    let out = folder.path().join("out.csv");
    let line =
        format!("dtw profile --series {series} --column x --query-rows 0..2 --radius 1 --backend cpu --out");
    let stdout = std::fs::File::create(&out).expect("it is writable");
    let output = Command::new(&*PROGRAM).args(line.split(' ')).arg(&out).stdout(stdout).output();
    let output = output.expect("the program starts");
    let text = String::from_utf8_lossy(&output.stderr);
    assert!(text.ends_with("out.csv is the file of standard output; it would be lost\n"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn a_write_that_fails_halfway_leaves_the_old_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    for name in ["old.csv", "old.npy", "old.svg"] {
        file(folder, name, "old");
    }
    let data = workspace().join("data/sp500_daily.csv");
    let task = "--column Close --query-rows 4000..4032 --radius 3 --backend cpu";
    for (command, name) in
        [("profile --out", "old.csv"), ("profile --out", "old.npy"), ("search --top 1 --plot", "old.svg")]
    {
        // No file may have more than 8 blocks of 512 bytes.
        let script = format!(
            "trap '' XFSZ; ulimit -f 8; exec '{}' dtw {command} {name} --series '{}' {task}",
            PROGRAM.display(),
            data.display()
        );
        let output = Command::new("sh").args(["-c", &script]).current_dir(folder).output().expect("a shell");
        let message = String::from_utf8_lossy(&output.stderr);
        let want = format!("warpsmith: cannot write {name}: File too large (os error 27)\n");
        assert_eq!((output.status.code(), message.as_ref()), (Some(1), want.as_str()));
        assert_eq!(text(folder, name), "old");
    }
    assert_eq!(names(folder), ["old.csv", "old.npy", "old.svg"]);
}

#[test]
fn pipes_and_links_are_written_to() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    file(folder, "s.csv", SERIES);
    let profile = "profile --series s.csv --query-rows 0..2 --normalization none --out";
    let want = "row,distance\n0,NaN\n1,0\n2,5\n3,10\n";

    symlink("/dev/stdout", folder.join("stdout.csv")).expect("links are possible");
    let output = dtw(folder, &format!("{profile} stdout.csv"));
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(printed.starts_with(want) && printed.contains("dtw: 3 windows in stdout.csv: "), "{printed}");

    let made = Command::new("mkfifo").arg("pipe.csv").current_dir(folder).status();
    assert!(made.is_ok_and(|status| status.success()));
    let pipe = folder.join("pipe.csv");
    let reader = std::thread::spawn(move || std::fs::read_to_string(pipe));
    assert!(dtw(folder, &format!("{profile} pipe.csv")).status.success());
    assert_eq!(reader.join().expect("it reads").expect("it is text"), want);

    std::fs::create_dir(folder.join("far")).expect("it is writable");
    symlink("far/one.csv", folder.join("link.csv")).expect("links are possible");
    for _ in 0..2 {
        assert!(dtw(folder, &format!("{profile} link.csv")).status.success());
        assert!(folder.join("link.csv").is_symlink());
        assert_eq!((text(folder, "far/one.csv").as_str(), names(&folder.join("far")).len()), (want, 1));
    }
}

#[test]
fn a_run_that_fails_leaves_nothing_behind_a_link_to_nothing() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["out.csv", "out.svg"] {
        symlink(format!("target-{name}"), folder.path().join(name)).expect("links are possible");
    }
    for command in ["profile --out out.csv", "search --top 1 --plot out.svg"] {
        let line = format!("{command} --series no.csv --query-rows 0..2");
        let want = (Some(1), "warpsmith: no.csv does not exist".to_owned());
        assert_eq!(refusal(folder.path(), &line), want);
    }
    assert_eq!(names(folder.path()), ["out.csv", "out.svg"]);
}

#[test]
fn a_plot_is_an_svg_file_and_no_name_need_be_text() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path();
    file(folder, "s.csv", SERIES);
    for name in ["out.png", "out", ".svg", "out.csv"] {
        let (code, text) =
            refusal(folder, &format!("search --series s.csv --query-rows 0..2 --top 1 --plot {name}"));
        let want =
            format!("error: invalid value '{name}' for '--plot <OUT.svg>': the name must end with .svg");
        assert_eq!((code, text.lines().next()), (Some(2), Some(want.as_str())));
    }
    for (command, end) in [("profile --out", ".csv"), ("search --top 1 --plot", ".svg")] {
        let name = [b"\xff\xfe", end.as_bytes()].concat();
        let options = "--series s.csv --query-rows 0..2 --column x --radius 1 --backend cpu";
        let mut line = Command::new(&*PROGRAM);
        line.arg("dtw").args(command.split(' ')).arg(OsStr::from_bytes(&name)).args(options.split(' '));
        let output = line.current_dir(folder).output().expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert!(folder.join(OsStr::from_bytes(&name)).is_file());
    }
    assert_eq!(names(folder).len(), 3);
}
