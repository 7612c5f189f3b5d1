//! What may stand only in one place: kernels, the binding to the driver, machine code.

use super::{Check, Tree};

pub const CHECKS: &[Check] = &[
    Check {
        name: "kernels",
        find: kernels,
        plant: || Tree::of("host/src/ops/x.rs", "#[kernel(block = 32)]\npub fn x() {}\n"),
    },
    Check {
        name: "driver",
        find: driver,
        plant: || Tree::of("host/src/ops/x.rs", "use cust::memory::DeviceBuffer;\n"),
    },
    Check {
        name: "machine code",
        find: machine_code,
        plant: || Tree::of("kernels-gpu/src/x/y.rs", "    unsafe { asm!(\"bar.sync 0;\") };\n"),
    },
];

/// Lines of code with their numbers from 1: comments are left out.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let numbered = text.lines().enumerate().map(|(i, line)| (i + 1, line.trim_start()));
    numbered.filter(|(_, line)| !line.starts_with("//") && !line.starts_with("* "))
}

/// Lines of Rust files outside `allowed` for which `is` holds.
fn outside(tree: &Tree, allowed: &[&str], is: fn(&str) -> bool, why: &str) -> Vec<String> {
    let files = tree.rust().filter(|(path, _)| !allowed.iter().any(|place| path.starts_with(place)));
    let lines = files.flat_map(|(path, text)| code(text).map(move |(number, line)| (path, number, line)));
    lines.filter(|(_, _, line)| is(line)).map(|(path, number, _)| format!("{path}:{number}: {why}")).collect()
}

fn kernels(tree: &Tree) -> Vec<String> {
    let allowed = [
        "kernels-gpu/",
        "tests/",
        "crates/gpu-std/tests/",
        "crates/ptx-builder/tests/",
        "crates/ptx-linker/tests/",
    ];
    let is = |line: &str| {
        ["#[kernel(", "#[kernel]", "#[gpu_std::kernel"].iter().any(|start| line.starts_with(start))
    };
    outside(tree, &allowed, is, "a kernel outside kernels-gpu/")
}

fn driver(tree: &Tree) -> Vec<String> {
    let allowed = ["host/src/driver/", "crates/cuda-loader/", "xtask/src/tidy/"];
    outside(
        tree,
        &allowed,
        |line| names_path(line, "cust") || names_path(line, "cust_raw"),
        "`cust` outside host/src/driver/",
    )
}

/// Whether the line has `krate::` as a word of its own.
fn names_path(line: &str, krate: &str) -> bool {
    let pattern = format!("{krate}::");
    let is_word = |at: usize| !line[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    line.match_indices(&pattern).any(|(at, _)| is_word(at))
}

fn machine_code(tree: &Tree) -> Vec<String> {
    let allowed =
        ["crates/gpu-std/", "tests/", "crates/ptx-linker/", "crates/ptx-builder/", "xtask/src/tidy/"];
    let is = |line: &str| {
        ["asm!(", "core::intrinsics", "core::arch::nvptx"].iter().any(|word| line.contains(word))
    };
    outside(tree, &allowed, is, "machine code outside crates/gpu-std/")
}
