//! Prints the largest error of every accurate function: over a sweep, or over all arguments of those that have one.
//!
//! `cargo run --release -p tests --example ulp -- [exhaustive] [FUNCTION…]`. With
//! `RUSTFLAGS=-Ctarget-feature=+fma` it is several times faster where the processor has that.

use tests::ulp::ALL;

/// Arguments per sign and exponent.
const PER_BINADE: u32 = 1 << 16;

fn main() {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let is_exhaustive = names.first().is_some_and(|name| name == "exhaustive");
    let names = &names[usize::from(is_exhaustive)..];
    for function in ALL.iter().filter(|f| names.is_empty() || names.iter().any(|name| name == f.name)) {
        let all = if is_exhaustive { function.worst_of_all() } else { None };
        let (range, worst) = match all {
            Some(worst) => ("all", worst),
            None => ("sweep", function.worst(function.arguments(PER_BINADE))),
        };
        println!("{}: {range}: {worst}", function.name);
    }
}
