//! Calls of other programs.

use std::ffi::OsStr;
use std::process::{Command, Output, Stdio};

use crate::error::Error;
use crate::workspace;

/// cargo, in the workspace's folder.
pub fn cargo<S: AsRef<OsStr>>(args: impl IntoIterator<Item = S>) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.current_dir(workspace::root()).args(args);
    command
}

/// Runs it, with its output going where ours goes.
pub fn run(command: &mut Command) -> Result<(), Error> {
    eprintln!("$ {}", line(command));
    let status = command.status().map_err(|source| start_error(command, source))?;
    if status.success() { Ok(()) } else { Err(Error::Failed { command: line(command), status }) }
}

/// Runs it and returns what it wrote to standard output.
pub fn output(command: &mut Command) -> Result<String, Error> {
    command.stderr(Stdio::inherit());
    let Output { status, stdout, .. } = command.output().map_err(|source| start_error(command, source))?;
    if !status.success() {
        return Err(Error::Failed { command: line(command), status });
    }
    Ok(String::from_utf8_lossy(&stdout).into_owned())
}

/// The command as it can be typed.
pub fn line(command: &Command) -> String {
    let program = std::path::Path::new(command.get_program());
    let name = program.file_name().unwrap_or(program.as_os_str()).to_string_lossy().into_owned();
    let args = command.get_args().map(|arg| arg.to_string_lossy().into_owned());
    std::iter::once(name).chain(args).collect::<Vec<_>>().join(" ")
}

/// The error for a program that could not be started.
pub fn start_error(command: &Command, source: std::io::Error) -> Error {
    Error::Start { program: command.get_program().to_string_lossy().into_owned(), source }
}
