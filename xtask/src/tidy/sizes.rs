//! Files that have grown too long to read.

use super::{Check, Tree};

pub const CHECKS: &[Check] = &[
    Check { name: "size", find: sizes, plant: || Tree::of("host/src/x.rs", &"x\n".repeat(FILE_LIMIT + 1)) },
    Check {
        name: "size of a command",
        find: commands,
        plant: || Tree::of("xtask/src/x.rs", &"x\n".repeat(COMMAND_LIMIT + 1)),
    },
    Check {
        name: "needless exemption",
        find: exemptions,
        plant: || Tree::of(EXEMPT[0].0, "fn short() {}\n"),
    },
];

/// Lines of a file written by hand, tests included.
const FILE_LIMIT: usize = 500;
/// Lines of a module of `xtask`.
const COMMAND_LIMIT: usize = 250;

/// Declarative tables, and what they declare.
const EXEMPT: [(&str, &str); 3] = [
    ("crates/cuda-loader/src/api/functions.rs", "signatures of the driver's functions"),
    ("crates/cuda-loader/src/forward.rs", "one forward per driver function"),
    ("tests/kernels/instructions/src/table.rs", "one kernel per instruction"),
];

fn is_exempt(path: &str) -> bool {
    EXEMPT.iter().any(|(exempt, _)| *exempt == path)
}

fn sizes(tree: &Tree) -> Vec<String> {
    let lines = tree.rust().map(|(path, text)| (path, text.lines().count()));
    let long = lines.filter(|(path, lines)| *lines > FILE_LIMIT && !is_exempt(path));
    long.map(|(path, lines)| format!("{path}: {lines} lines, limit {FILE_LIMIT}: split it by role")).collect()
}

fn commands(tree: &Tree) -> Vec<String> {
    let ours = tree.rust().filter(|(path, _)| path.starts_with("xtask/src/"));
    let long =
        ours.map(|(path, text)| (path, text.lines().count())).filter(|(_, lines)| *lines > COMMAND_LIMIT);
    long.map(|(path, lines)| format!("{path}: {lines} lines, limit {COMMAND_LIMIT}")).collect()
}

fn exemptions(tree: &Tree) -> Vec<String> {
    let short = |(path, what): &(&str, &str)| {
        let lines = tree.get(path).map_or(0, |text| text.lines().count());
        (lines <= FILE_LIMIT).then(|| format!("{path} ({what}): {lines} lines need no exemption"))
    };
    EXEMPT.iter().filter_map(short).collect()
}
