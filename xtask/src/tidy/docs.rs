//! The order of documents.

use super::{Check, Tree};
use crate::generated;

pub const CHECKS: &[Check] = &[
    Check {
        name: "README order",
        find: readme_order,
        plant: || Tree::of(README, "# W\n## Kernels\n## Needs\n"),
    },
    Check { name: "README example", find: readme_example, plant: planted_example },
    Check {
        name: "kernel documentation",
        find: kernel_docs,
        plant: || Tree::of("kernels-gpu/src/x/y.rs", "//! y\n//! Types f32\n#[kernel]\n"),
    },
];

const README: &str = "README.md";
/// The file that the README shows.
pub const EXAMPLE: &str = "host/examples/first_cross.rs";
/// Lines of it, without empty lines and comments.
const EXAMPLE_LINES: usize = 15;

/// The sections of the README, in the order a newcomer needs them.
const SECTIONS: [&str; 7] =
    ["Needs", "Two commands", "Example", "Kernels", "Measured", "Use it in your project", "Read next"];

/// What the documentation of a kernel states, in this order.
const KERNEL_FACTS: [&str; 5] = ["Shapes", "Types", "Launch", "Traffic", "Tolerance"];

fn planted_example() -> Tree {
    Tree::of(README, "<!-- generated: example -->\n```rust\nold\n```\n<!-- end -->\n").with(EXAMPLE, "new\n")
}

fn readme_order(tree: &Tree) -> Vec<String> {
    let Some(text) = tree.get(README) else { return vec![format!("{README}: missing")] };
    let found: Vec<&str> = text.lines().filter_map(|line| line.strip_prefix("## ")).collect();
    if found == SECTIONS {
        Vec::new()
    } else {
        vec![format!("{README}: sections are {found:?}, they must be {SECTIONS:?}")]
    }
}

fn readme_example(tree: &Tree) -> Vec<String> {
    let shown = tree.get(README).and_then(|text| generated::part(text, "example"));
    let (Some(shown), Some(file)) = (shown, tree.get(EXAMPLE)) else {
        return vec![format!("{README} has no generated part `example`, or {EXAMPLE} is missing")];
    };
    let mut faults = Vec::new();
    if shown.trim() != example(file).trim() {
        faults.push(format!("{README}: the example is not {EXAMPLE}; run `cargo xtask bless`"));
    }
    let lines = file.lines().filter(|line| !line.trim().is_empty() && !line.starts_with("//!")).count();
    if lines > EXAMPLE_LINES {
        faults.push(format!("{EXAMPLE}: {lines} lines, limit {EXAMPLE_LINES}"));
    }
    faults
}

/// The example as the README shows it.
pub fn example(file: &str) -> String {
    format!("```rust\n{}\n```", file.trim_end())
}

fn kernel_docs(tree: &Tree) -> Vec<String> {
    // What kernels of a family share states what it likes.
    let kernels = tree.rust().filter(|(path, text)| is_kernel_file(path) && text.contains("#[kernel"));
    kernels.filter_map(|(path, text)| missing_fact(text).map(|fault| format!("{path}: {fault}"))).collect()
}

/// `kernels-gpu/src/<family>/<stem>.rs`
fn is_kernel_file(path: &str) -> bool {
    let rest = path.strip_prefix("kernels-gpu/src/");
    rest.is_some_and(|rest| rest.matches('/').count() == 1 && !rest.ends_with("/mod.rs"))
}

fn missing_fact(text: &str) -> Option<String> {
    let doc: Vec<&str> = text.lines().map_while(|line| line.strip_prefix("//!")).collect();
    let mut from = 0;
    for fact in KERNEL_FACTS {
        match doc[from..].iter().position(|line| line.trim_start().starts_with(fact)) {
            Some(at) => from += at + 1,
            None => {
                return Some(format!(
                    "its first comment states {KERNEL_FACTS:?}, in this order; `{fact}` is not there"
                ));
            }
        }
    }
    None
}
