//! Which crate of the workspace may use which.

use std::collections::BTreeSet;

use super::{Check, Tree};

pub const CHECKS: &[Check] = &[
    Check { name: "arrows", find: arrows, plant: || Tree::of("kernels-gpu/Cargo.toml", PLANTED) },
    Check { name: "cust", find: cust, plant: || Tree::of("benches/Cargo.toml", PLANTED_CUST) },
];

const PLANTED: &str = "[package]\nname = \"kernels-gpu\"\n[dependencies]\nhost.workspace = true\n";
const PLANTED_CUST: &str = "[package]\nname = \"benches\"\n[dependencies]\ncust.workspace = true\n";

/// Crate, and the crates of the workspace it may use outside its tests. `ARCHITECTURE.md` draws it.
const ARROWS: [(&str, &[&str]); 13] = [
    ("gpu-std-macros", &[]),
    ("gpu-std", &["gpu-std-macros"]),
    ("kernels-gpu", &["gpu-std"]),
    ("ptx-parse", &[]),
    ("ptx-parse-fuzz", &["ptx-parse"]),
    ("ptx-sim", &["ptx-parse"]),
    ("ptx-linker", &[]),
    ("ptx-builder", &["ptx-linker", "ptx-parse"]),
    ("cuda-loader", &[]),
    ("host", &["cuda-loader", "gpu-std", "kernels-gpu", "ptx-parse", "ptx-sim"]),
    ("benches", &["gpu-std", "host", "kernels-gpu"]),
    ("tests", &["gpu-std", "host", "kernels-gpu", "ptx-builder", "ptx-parse", "ptx-sim"]),
    ("xtask", &["cuda-loader", "ptx-builder"]),
];

/// The binding to the driver, and the only crates that may have it.
const CUST: [&str; 2] = ["cust", "cust_raw"];
const CUST_USERS: [&str; 2] = ["cuda-loader", "host"];

/// The manifests of the workspace's own members: kernels made for tests are workspaces of their own.
fn members(tree: &Tree) -> impl Iterator<Item = (&str, toml::Table)> {
    let manifests = tree.iter().filter(|(path, _)| path.ends_with("/Cargo.toml"));
    let members = manifests.filter(|(path, _)| !path.starts_with("tests/") || *path == "tests/Cargo.toml");
    members.filter_map(|(path, text)| Some((path, text.parse::<toml::Table>().ok()?)))
}

fn name(manifest: &toml::Table) -> Option<&str> {
    manifest.get("package")?.get("name")?.as_str()
}

fn dependencies<'a>(manifest: &'a toml::Table, table: &str) -> BTreeSet<&'a str> {
    let found = manifest.get(table).and_then(toml::Value::as_table);
    found.map(|table| table.keys().map(String::as_str).collect()).unwrap_or_default()
}

fn arrows(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, manifest) in members(tree) {
        let Some(name) = name(&manifest) else { continue };
        let Some((_, allowed)) = ARROWS.iter().find(|(krate, _)| *krate == name) else {
            if !path.contains("fixtures/") {
                faults.push(format!("{path}: `{name}` is in no arrow; add it to xtask/src/tidy/arrows.rs"));
            }
            continue;
        };
        for table in ["dependencies", "build-dependencies"] {
            let used = dependencies(&manifest, table);
            let ours = used.iter().filter(|used| ARROWS.iter().any(|(krate, _)| krate == *used));
            let wrong = ours.filter(|used| !allowed.contains(used));
            faults.extend(wrong.map(|used| format!("{path}: `{name}` may not use `{used}`")));
        }
    }
    faults
}

fn cust(tree: &Tree) -> Vec<String> {
    let mut faults = Vec::new();
    for (path, manifest) in members(tree) {
        let Some(name) = name(&manifest).filter(|name| !CUST_USERS.contains(name)) else { continue };
        let used = dependencies(&manifest, "dependencies");
        let wrong = CUST.iter().filter(|krate| used.contains(*krate));
        faults
            .extend(wrong.map(|krate| format!("{path}: `{name}` may not use `{krate}`; go through `host`")));
    }
    faults
}
