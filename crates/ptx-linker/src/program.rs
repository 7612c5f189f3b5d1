//! The program's main function.

use std::process::ExitCode;

use crate::args::LinkOptions;
use crate::error::report;
use crate::link::link;
use crate::llvm::crash;

/// Makes a crash of LLVM or libNVVM in this process one line on stderr and exit code 1. For programs that only link.
pub fn report_crashes() {
    crash::report_as_error();
}

/// Links what the arguments of this process name. On an error, one line on stderr and exit code 1.
pub fn main_from_env() -> ExitCode {
    report_crashes();
    let options = LinkOptions::parse(std::env::args_os().skip(1), &|name| std::env::var_os(name));
    match options.and_then(|options| link(&options)) {
        Ok(_) => ExitCode::SUCCESS,
        Err(error) => {
            report(&error.to_string());
            ExitCode::FAILURE
        }
    }
}
