//! One clear line and exit code 1, whatever comes in.

mod common;
use common::{Bench, Outcome, run};
use std::process::{Command, Stdio};

const KERNEL: &str = "define ptx_kernel void @k() { ret void }\n";

#[test]
fn wrong_arguments_are_named() {
    let bench = Bench::new();
    let input = bench.ll("in.ll", KERNEL);
    assert!(run(bench.linker(&[&input]).arg("--frobnicate=3")).error().contains("`--frobnicate=3`"));
    assert!(run(bench.linker(&[&input]).arg("--export-symbol")).error().contains("`--export-symbol`"));
    assert!(run(bench.linker(&[&input]).arg("--target=x86_64")).error().contains("`x86_64`"));
    assert!(run(&mut bench.linker(&[])).error().contains("no object file"));
    assert!(run(bench.bare().arg(&input)).error().contains("`-o`"));
    assert!(run(bench.linker(&[&input]).arg("@nowhere")).error().contains("`nowhere`"));
}

#[test]
fn missing_variables_are_named() {
    let bench = Bench::new();
    let input = bench.ll("in.ll", KERNEL);
    for name in ["WARPSMITH_SYSROOT", "WARPSMITH_LLVM_VERSION"] {
        let line = run(bench.linker(&[&input]).env_remove(name)).error();
        assert!(line.contains(name) && line.contains("rustc"), "{line}");
    }
}

#[test]
fn unreadable_inputs_are_named() {
    let bench = Bench::new();
    let line = run(&mut bench.linker(&[&bench.path("absent.o")])).error();
    assert!(line.contains("absent.o"), "{line}");
    let text = bench.file("text.o", "hello");
    assert!(run(&mut bench.linker(&[&text])).error().contains("text.o` is neither"));
    let elf = std::env::current_exe().unwrap();
    assert!(run(&mut bench.linker(&[&elf])).error().contains("neither"));
    let broken = bench.ll("broken.ll", "define ptx_kernel");
    assert!(run(&mut bench.linker(&[&broken])).error().contains("broken.ll"));
    let archive = bench.file("bad.rlib", b"!<arch>\nshort");
    let kernel = bench.ll("k.ll", KERNEL);
    assert!(run(&mut bench.linker(&[&kernel, &archive])).error().contains("bad.rlib"));
    let host = bench.file("host.ll", "target triple = \"x86_64-unknown-linux-gnu\"\n");
    assert!(run(&mut bench.linker(&[&host])).error().contains("x86_64-unknown-linux-gnu"));
}

#[test]
fn cut_off_bitcode_is_an_error_at_every_length() {
    let bench = Bench::new();
    let whole = bench.bitcode(KERNEL, &[]);
    for len in (0..whole.len()).step_by(97) {
        let cut = bench.file("cut.bc", &whole[..len]);
        let line = run(&mut bench.linker(&[&cut])).error();
        assert!(line.contains("cut.bc"), "{len}: {line}");
    }
}

#[test]
fn crash_of_llvm_is_one_line() {
    let bench = Bench::new();
    let pipe = bench.path("pipe.o");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let child = bench.linker(&[&pipe]).stderr(Stdio::piped()).spawn().unwrap();
    // Opening the pipe waits until the linker reads its input, when the handler is in place.
    let writer = std::fs::File::options().write(true).open(&pipe).unwrap();
    assert!(Command::new("kill").arg("-SEGV").arg(child.id().to_string()).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    drop(writer);
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(Outcome { code: output.status.code(), stderr }.error().contains("LLVM crashed"));
}

#[test]
fn module_without_kernels_is_refused() {
    assert!(Bench::new().refusal("define void @f() { ret void }\n").contains("#[kernel]"));
}

#[test]
fn code_that_llvm_cannot_translate_is_one_line() {
    let body = "declare double @llvm.sin.f64(double)\ndefine ptx_kernel void @k(ptr %p) { %x = load double, ptr %p %y = call double @llvm.sin.f64(double %x) store double %y, ptr %p ret void }\n";
    let line = Bench::new().refusal(body);
    assert!(line.contains("LLVM") && line.contains("`out`"), "{line}");
}

#[test]
fn bad_register_class_in_assembly_is_one_line() {
    let body =
        "define ptx_kernel void @k() { call void asm sideeffect \"mov $0;\", \"Q\"(i32 1) ret void }\n";
    let line = Bench::new().refusal(body);
    assert!(line.contains("Q"), "{line}");
}

#[test]
fn unwritable_output_is_named() {
    let bench = Bench::new();
    let input = bench.ll("in.ll", KERNEL);
    let file = bench.file("file", "");
    let mut command = bench.bare();
    command.arg(&input).args(["--target-cpu", "sm_90", "-o"]).arg(file.join("out.ptx"));
    assert!(run(&mut command).error().contains("out.ptx"));
}

#[test]
fn a_conversion_between_floats_and_128_bits_names_its_function() {
    let bench = Bench::new();
    for (code, word) in [
        ("%v = uitofp i128 %x to double\n store double %v, ptr %p", "uitofp i128"),
        (
            "%f = load float, ptr %p\n %v = call i128 @llvm.fptoui.sat.i128.f32(float %f)\n store i128 %v, ptr %p",
            "llvm.fptoui.sat.i128.f32",
        ),
    ] {
        let body = format!(
            "declare i128 @llvm.fptoui.sat.i128.f32(float)\ndefine ptx_kernel void @converts(ptr %p, i128 %x) {{\n {code}\n ret void\n}}"
        );
        let error = bench.refusal(&body);
        assert!(error.contains("function `converts` converts") && error.contains(word), "{error}");
        assert!(!bench.path("out.ptx").exists());
    }
}
