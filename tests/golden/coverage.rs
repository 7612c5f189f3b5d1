//! Is there a program for every instruction that gpu-std wraps?

use super::program::Program;

/// The tables of the wrappers and the PTX that each becomes.
const WRAPPERS: &str = concat!(
    include_str!("../kernels/instructions/src/pure.rs"),
    include_str!("../kernels/instructions/src/table.rs")
);

/// What no program can have: values that differ from run to run or from GPU to GPU, ends of the process, contents that are
/// undefined afterwards.
const LEFT_OUT: [&str; 13] = [
    "%clock",
    "%clock64",
    "%clock_hi",
    "%globaltimer",
    "%gridid",
    "%nsmid",
    "%nwarpid",
    "%smid",
    "%total_smem_size",
    "%warpid",
    "trap",
    "brkpt",
    "discard.global.L2",
];

/// Checks that every instruction in the table of the wrappers stands in a program.
///
/// # Errors
/// Those that stand in none.
pub fn of_wrappers(programs: &[Program]) -> Result<(), String> {
    let wanted: Vec<&str> =
        WRAPPERS.lines().filter(|line| !line.trim_start().starts_with("//")).flat_map(patterns).collect();
    if wanted.len() < 500 {
        return Err(format!("{} instructions in the table of the wrappers", wanted.len()));
    }
    let stands = |wanted: &str| programs.iter().any(|program| program.body().contains(wanted));
    let mut missing: Vec<&str> =
        wanted.into_iter().filter(|wanted| !LEFT_OUT.contains(wanted) && !stands(wanted)).collect();
    missing.sort_unstable();
    missing.dedup();
    if missing.is_empty() { Ok(()) } else { Err(format!("no program has {}", missing.join(", "))) }
}

/// The quoted texts behind the last `=>` of a row.
fn patterns(row: &'static str) -> impl Iterator<Item = &'static str> {
    let quoted = row.rsplit_once("=>").map_or("", |(_, quoted)| quoted);
    quoted.split('"').skip(1).step_by(2)
}
