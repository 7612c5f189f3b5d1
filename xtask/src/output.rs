//! `print!` and `println!` of this program. The standard ones panic where standard output takes nothing.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write as _};

/// Prints, and ends the process where that fails: quietly where the reader has left, as in `| head -1`, with
/// the code a shell gives a program that SIGPIPE ended: the work may not be done.
pub fn write(text: Arguments<'_>) {
    let mut out = io::stdout().lock();
    let Err(error) = out.write_fmt(text).and_then(|()| out.flush()) else { return };
    if error.kind() == ErrorKind::BrokenPipe {
        std::process::exit(141);
    }
    eprintln!("error: cannot write to standard output: {error}");
    std::process::exit(1);
}

macro_rules! print {
    ($($text:tt)*) => { $crate::output::write(format_args!($($text)*)) };
}

macro_rules! println {
    () => { $crate::output::write(format_args!("\n")) };
    ($($text:tt)*) => { $crate::output::write(format_args!("{}\n", format_args!($($text)*))) };
}
