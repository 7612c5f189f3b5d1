//! The `warpsmith` command; see [`host::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    host::cli::main()
}
