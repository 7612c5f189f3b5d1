//! Builds the kernel crate in a folder: `ptx-builder <folder> [--offline] [--out <folder>] [--backend llvm|nvvm]… [sm_…]…`.
//! rustc calls the same program as linker.

use std::process::ExitCode;

use ptx_builder::{Backend, PtxBuilder};

fn main() -> ExitCode {
    ptx_builder::run_as_linker_if_asked();
    let mut args = std::env::args().skip(1);
    let Some(folder) = args.next() else {
        eprintln!(
            "usage: ptx-builder <folder of the kernel crate> [--offline] [--out <folder>] [--backend llvm|nvvm]… [--flag <rustc flag>] [sm_…]…"
        );
        return ExitCode::FAILURE;
    };
    let mut builder = PtxBuilder::new(folder);
    while let Some(arg) = args.next() {
        builder = match (arg.as_str(), arg.starts_with("--")) {
            ("--offline", _) => builder.offline(true),
            ("--backend", _) => match args.next().as_deref().and_then(Backend::from_name) {
                Some(backend) => builder.backend(backend),
                None => {
                    eprintln!("ptx-builder: --backend takes llvm or nvvm");
                    return ExitCode::FAILURE;
                }
            },
            ("--out", _) => builder.out_dir(args.next().unwrap_or_default()),
            ("--flag", _) => builder.rustc_flag(args.next().unwrap_or_default()),
            (_, false) => builder.arch(arg),
            (_, true) => {
                eprintln!("ptx-builder: unknown option `{arg}`");
                return ExitCode::FAILURE;
            }
        };
    }
    match builder.build() {
        Ok(report) => {
            // A build script's standard output belongs to cargo.
            eprint!("{report}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}
