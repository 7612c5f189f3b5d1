//! The program: see the library's documentation.

use std::process::ExitCode;

fn main() -> ExitCode {
    ptx_linker::main_from_env()
}
