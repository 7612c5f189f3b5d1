//! Only the libLLVM of the given toolchain is opened, and only if it is the right one.

mod common;
use common::{Bench, Outcome, run, rustc};
use std::path::{Path, PathBuf};
use std::process::Command;

const KERNEL: &str = "define ptx_kernel void @k() { ret void }\n";

/// A loadable library that creates the file `$FAKE_LLVM_LOADED` when it is opened and says it is LLVM `version`.
fn fake_llvm(bench: &Bench, path: &str, version: [u32; 3]) -> PathBuf {
    let [major, minor, patch] = version;
    let source = bench.file(
        "fake.rs",
        format!(
            r#"
            #[used] #[unsafe(link_section = ".init_array")] static LOADED: extern "C" fn() = loaded;
            extern "C" fn loaded() {{
                if let Some(path) = std::env::var_os("FAKE_LLVM_LOADED") {{ let _ = std::fs::write(path, "loaded"); }}
            }}
            #[unsafe(no_mangle)] pub unsafe extern "C" fn LLVMGetVersion(a: *mut u32, b: *mut u32, c: *mut u32) {{
                unsafe {{ *a = {major}; *b = {minor}; *c = {patch}; }}
            }}
            #[unsafe(no_mangle)] pub extern "C" fn LLVMContextCreate() {{ std::process::exit(77) }}
            "#
        ),
    );
    let library = bench.file(path, "");
    let mut command = Command::new(&rustc().program);
    let status =
        command.args(["--edition=2024", "--crate-type=cdylib", "-o"]).arg(&library).arg(&source).status();
    assert!(status.unwrap().success());
    library
}

fn link_with_sysroot(bench: &Bench, sysroot: &Path, version: &str) -> Outcome {
    let input = bench.ll("in.ll", KERNEL);
    let mut command = bench.linker(&[&input]);
    run(command.env("WARPSMITH_SYSROOT", sysroot).env("WARPSMITH_LLVM_VERSION", version))
}

#[test]
fn foreign_library_first_on_the_paths_is_not_opened() {
    let bench = Bench::new();
    let fake = fake_llvm(&bench, "foreign/lib/libLLVM.so.22.1-rust-1.95.0-stable", [22, 1, 2]);
    bench.file("foreign/lib/libLLVM-22.so", "garbage");
    bench.file("foreign/bin/rustc", "");
    let (lib, bin, marker) = (bench.path("foreign/lib"), bench.path("foreign/bin"), bench.path("loaded"));
    let first = |folder: &Path, variable: &str| {
        let rest = std::env::var_os(variable).unwrap_or_default();
        std::env::join_paths([folder.to_owned()].into_iter().chain(std::env::split_paths(&rest))).unwrap()
    };
    let input = bench.ll("in.ll", KERNEL);
    let linker = || {
        let mut command = bench.linker(&[&input]);
        command.env("LD_LIBRARY_PATH", first(&lib, "LD_LIBRARY_PATH")).env("PATH", first(&bin, "PATH"));
        command.env("FAKE_LLVM_LOADED", &marker).current_dir(&lib);
        command
    };
    run(&mut linker()).ok();
    assert!(bench.read("out.ptx").contains(".entry k("));
    assert!(!marker.exists(), "the foreign library was opened");

    // The trap works: a process that does open the library leaves the mark.
    run(linker().env("LD_PRELOAD", &fake));
    assert!(marker.exists());
}

#[test]
fn library_of_another_version_is_refused_before_any_other_call() {
    let bench = Bench::new();
    fake_llvm(&bench, "old/lib/libLLVM.so.21.1", [21, 1, 8]);
    let line = link_with_sysroot(&bench, &bench.path("old"), "22.1.2").error();
    assert!(line.contains("21.1.8") && line.contains("22.1.2") && line.contains("libLLVM.so.21.1"), "{line}");
}

#[test]
fn real_library_is_refused_when_another_version_is_wanted() {
    let bench = Bench::new();
    let line = link_with_sysroot(&bench, &rustc().sysroot, "21.1.0").error();
    assert!(line.contains("21.1.0") && line.contains(&rustc().llvm), "{line}");
    let line = link_with_sysroot(&bench, &rustc().sysroot, "newest").error();
    assert!(line.contains("`newest`"), "{line}");
}

#[test]
fn version_that_the_linker_was_not_written_for_is_refused() {
    let bench = Bench::new();
    fake_llvm(&bench, "new/lib/libLLVM.so.99.1", [99, 1, 0]);
    let line = link_with_sysroot(&bench, &bench.path("new"), "99.1.0").error();
    assert!(line.contains("99.1.0") && line.contains("rustc 1.95"), "{line}");
}

#[test]
fn library_without_the_functions_is_refused() {
    let bench = Bench::new();
    fake_llvm(&bench, "thin/lib/libLLVM.so.22.1", [22, 1, 2]);
    let line = link_with_sysroot(&bench, &bench.path("thin"), "22.1.2").error();
    assert!(line.contains("has no function `LLVM"), "{line}");
}

#[test]
fn sysroot_without_library_is_named() {
    let bench = Bench::new();
    let line = link_with_sysroot(&bench, &bench.path("absent"), "22.1.2").error();
    assert!(line.contains("absent") && line.contains("WARPSMITH_SYSROOT"), "{line}");
    bench.file("empty/lib/libLLVM-22.so", "INPUT(libLLVM.so.22.1)");
    let line = link_with_sysroot(&bench, &bench.path("empty"), "22.1.2").error();
    assert!(line.contains("no libLLVM"), "{line}");
}
