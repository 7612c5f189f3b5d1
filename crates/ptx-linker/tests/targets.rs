//! The lists of architectures and PTX versions are those of LLVM.

mod common;
use common::{Bench, Outcome, run, rustc};
use std::process::Command;

const KERNEL: &str = "define ptx_kernel void @k() { ret void }\n";

fn for_cpu(bench: &Bench, cpu: &str) -> Outcome {
    let input = bench.ll("in.ll", KERNEL);
    run(bench.bare().arg(&input).args(["--target-cpu", cpu, "-o"]).arg(bench.path("out.ptx")))
}

#[test]
fn every_architecture_of_rustc_works() {
    let list = Command::new(&rustc().program)
        .args(["--print", "target-cpus", "--target", "nvptx64-nvidia-cuda"])
        .output()
        .unwrap();
    let list = String::from_utf8(list.stdout).unwrap();
    let words = list.split_whitespace().filter(|word| word.starts_with("sm_"));
    let cpus: Vec<_> = words.map(|word| word.trim_end_matches(['.', ',', ')'])).collect();
    assert!(cpus.len() > 30, "{list}");
    let bench = Bench::new();
    for cpu in cpus {
        for_cpu(&bench, cpu).ok();
        assert!(bench.read("out.ptx").contains(&format!(".target {cpu}\n")), "{cpu}");
    }
}

#[test]
fn unknown_architectures_are_named() {
    let bench = Bench::new();
    for cpu in
        ["sm_77", "sm_9", "sm_90f", "sm_80a", "sm_1000", "sm_090", "compute_90", "gfx90a", "", "sm_90\n"]
    {
        assert!(
            for_cpu(&bench, cpu).error().contains(&format!("`{}`", cpu.trim_end_matches('\n'))[..1]),
            "{cpu}"
        );
    }
}

#[test]
fn ptx_version_is_taken_or_named() {
    let bench = Bench::new();
    let input = bench.ll("in.ll", KERNEL);
    let with = |version: &str| {
        let mut command = bench.linker(&[&input]);
        run(command.arg("--target-feature=+ptx32,+ptx87").env("WARPSMITH_PTX_VERSION", version))
    };
    for version in ["78", "80", "88", "90"] {
        with(version).ok();
        let dotted = format!(".version {}.{}\n", &version[..1], &version[1..]);
        assert!(bench.read("out.ptx").contains(&dotted), "{version}");
    }
    for version in ["79", "91", "999", "7.8", "x"] {
        assert!(with(version).error().contains(&format!("`{version}`")));
    }
    assert!(with("60").error().contains("7.8"), "too old for sm_90");
}
