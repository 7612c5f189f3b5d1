//! A crate of generated kernels through both back ends.

use std::fs;
use std::path::Path;

use ptx_builder::Backend;

use crate::built::{TARGETS, build, need};
use crate::generate::{Random, source};
use crate::harness::{Outcome, Stop, fail};
use crate::{compare, operands};

/// Kernels of the crate.
const COUNT: usize = 200;
const SEED: &str = "WARPSMITH_SEED";

const MANIFEST: &str = "[package]
name = \"generated\"
version = \"0.1.0\"
edition = \"2024\"

[dependencies]
gpu-std = { path = \"GPU_STD\" }

[workspace]
";

/// Both back ends give the same results for every kernel; a difference names the seed.
pub fn both_back_ends_agree() -> Outcome {
    need(Backend::Nvvm)?;
    let seed = match std::env::var(SEED) {
        Ok(text) => text.parse().map_err(|_| Stop::Failed(format!("{SEED} is `{text}`, no number")))?,
        Err(_) => 20_261,
    };
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    let gpu_std = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/gpu-std");
    fs::create_dir_all(dir.join("src"))?;
    fs::write(dir.join("Cargo.toml"), MANIFEST.replace("GPU_STD", &gpu_std.display().to_string()))?;
    fs::write(dir.join("src/lib.rs"), source(&mut Random::of_seed(seed), COUNT))?;
    let at = |why: String| Stop::Failed(format!("{SEED}={seed}: {why}"));
    let mut built = Vec::new();
    for target in TARGETS {
        built.push((target, build(&dir, &dir.join("ptx"), target).map_err(at)?));
    }
    let [(_, first), others @ ..] = built.as_slice() else { return fail("nothing is built") };
    let mut faults = Vec::new();
    for index in 0..COUNT {
        let entry = format!("k_g{index}");
        let operands = operands(&entry);
        let want = first.run(&entry, &operands).map_err(at)?;
        for (target, other) in others {
            let got = other.run(&entry, &operands).map_err(at)?;
            if let Err(why) = compare(&operands, &got, &want) {
                faults.push(format!("{target:?} {entry}: {why}"));
            }
        }
    }
    if faults.is_empty() { Ok(()) } else { fail(format!("{SEED}={seed}:\n{}", faults.join("\n"))) }
}
