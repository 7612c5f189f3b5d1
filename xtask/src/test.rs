//! `cargo xtask test`: every test of the workspace.

use std::io::{BufRead as _, BufReader, PipeReader, Write as _};
use std::process::{Command, ExitStatus, Stdio};

use crate::error::Error;
use crate::summary::Summary;
use crate::{build_ptx, process};

/// Options of the command.
#[derive(clap::Args)]
pub struct Options {
    /// Run the tests whose name contains this
    filter: Option<String>,
}

/// Builds the PTX, runs all tests, lists the failures, and closes with `N passed, N failed, N skipped`.
pub fn run(options: &Options) -> Result<(), Error> {
    build_ptx::default_set()?;
    let mut command = process::cargo(["test", "--workspace", "--no-fail-fast"]);
    if let Some(filter) = &options.filter {
        command.args(["--", filter]);
    }
    let (summary, status) = counted(&mut command, |_| true)?;
    if !status.success() && summary.failed == 0 {
        return Err(Error::Failed { command: process::line(&command), status });
    }
    if summary.passed + summary.failed + summary.skipped == 0 {
        return Err(Error::NoTests { filter: options.filter.clone().unwrap_or_default() });
    }
    report(&summary)
}

/// Runs `cargo test`, prints the lines that `show` wants, and adds up the results.
pub fn counted(command: &mut Command, show: fn(&str) -> bool) -> Result<(Summary, ExitStatus), Error> {
    eprintln!("$ {}", process::line(command));
    // One pipe for both, so that the lines keep their order.
    let pipe = |source| Error::Io { what: "make", path: "a pipe".into(), source };
    let (reader, writer) = std::io::pipe().map_err(pipe)?;
    command.stdout(writer.try_clone().map_err(pipe)?).stderr(writer).stdin(Stdio::null());
    let mut child = command.spawn().map_err(|source| process::start_error(command, source))?;
    // The command holds the writing ends; with them open the reading would never end.
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let mut summary = pass_on(reader, show);
    let status = child.wait().map_err(pipe)?;
    summary.finish(status.success());
    Ok((summary, status))
}

/// Prints the lines that `show` wants, and reads every one.
fn pass_on(reader: PipeReader, show: fn(&str) -> bool) -> Summary {
    let mut summary = Summary::default();
    let mut stdout = std::io::stdout().lock();
    for line in BufReader::new(reader).split(b'\n').map_while(Result::ok) {
        let text = String::from_utf8_lossy(&line);
        if show(&text) {
            // A closed terminal must not end the tests: their verdict is the exit status.
            drop(writeln!(stdout, "{text}"));
        }
        summary.feed(&text);
    }
    summary
}

fn report(summary: &Summary) -> Result<(), Error> {
    println!();
    summary.notes.iter().for_each(|note| println!("{note}"));
    for failure in &summary.failures {
        println!("failed: {failure}");
    }
    println!("{summary}");
    if summary.failed == 0 { Ok(()) } else { Err(Error::Reported) }
}
