//! Is there a program for every instruction that gpu-std wraps?

use std::collections::BTreeSet;

use super::program::Program;

/// The tables of the wrappers and the PTX that each becomes: file name and text of every one in
/// `kernels/instructions/src`, as the build script found them.
const WRAPPERS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/wrappers.rs"));

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
    let stands = |wanted: &str| programs.iter().any(|program| program.body().contains(wanted));
    let (mut count, mut faults) = (0, Vec::new());
    for (file, table) in WRAPPERS {
        let rows = table.lines().filter(|line| !line.trim_start().starts_with("//"));
        let wanted: BTreeSet<&str> = rows.flat_map(patterns).collect();
        if wanted.is_empty() {
            faults.push(format!("{file} has no instruction"));
        }
        count += wanted.len();
        let missing = wanted.into_iter().filter(|wanted| !LEFT_OUT.contains(wanted) && !stands(wanted));
        faults.extend(missing.map(|wanted| format!("no program has {wanted} ({file})")));
    }
    if count < 500 {
        faults.push(format!("{count} instructions in the tables of the wrappers"));
    }
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// The quoted texts behind the last `=>` of a row.
fn patterns(row: &'static str) -> impl Iterator<Item = &'static str> {
    let quoted = row.rsplit_once("=>").map_or("", |(_, quoted)| quoted);
    quoted.split('"').skip(1).step_by(2)
}
