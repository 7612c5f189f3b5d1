//! A libNVVM that is too old, broken, or refuses what it is given. It is a library of this test's own, which does as
//! environment variables say.

mod common;
use common::{Bench, run, rustc};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// What `nvvm.h` declares, answered from `FAKE_NVVM_IR`, `FAKE_NVVM_ERROR`, `FAKE_NVVM_LOG` and `FAKE_NVVM_PTX`.
const FAKE: &str = r#"
use std::env::var;
use std::ffi::{c_char, c_int, c_void};
fn text(name: &str) -> String { var(name).unwrap_or_default() + "\0" }
unsafe fn give(name: &str, to: *mut c_char) -> c_int {
    let text = text(name);
    // SAFETY: the linker made room for as many bytes as the size told it.
    unsafe { text.as_ptr().cast::<c_char>().copy_to(to, text.len()) };
    0
}
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvvmIRVersion(a: *mut c_int, b: *mut c_int, c: *mut c_int, d: *mut c_int) -> c_int {
    let version = var("FAKE_NVVM_IR").unwrap_or("2.0".to_owned());
    let (major, minor) = version.split_once('.').unwrap();
    // SAFETY: the linker passes four places.
    unsafe { (*a, *b, *c, *d) = (major.parse().unwrap(), minor.parse().unwrap(), 3, 2) };
    0
}
#[unsafe(no_mangle)] pub extern "C" fn nvvmCreateProgram(_: *mut *mut c_void) -> c_int { 0 }
#[unsafe(no_mangle)] pub extern "C" fn nvvmDestroyProgram(_: *mut *mut c_void) -> c_int { 0 }
#[unsafe(no_mangle)] pub extern "C" fn nvvmAddModuleToProgram(_: *mut c_void, _: *const c_char, _: usize, _: *const c_char) -> c_int { 0 }
#[unsafe(no_mangle)] pub extern "C" fn nvvmVerifyProgram(_: *mut c_void, _: c_int, _: *const *const c_char) -> c_int {
    match var("FAKE_NVVM_ERROR").as_deref() {
        Ok("crash") => std::process::abort(),
        Ok(number) => number.parse().unwrap(),
        Err(_) => 0,
    }
}
#[unsafe(no_mangle)] pub extern "C" fn nvvmCompileProgram(_: *mut c_void, _: c_int, _: *const *const c_char) -> c_int { 0 }
// SAFETY of these four: the linker passes the places that libNVVM's header asks for.
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvvmGetCompiledResultSize(_: *mut c_void, n: *mut usize) -> c_int { unsafe { *n = text("FAKE_NVVM_PTX").len() }; 0 }
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvvmGetCompiledResult(_: *mut c_void, to: *mut c_char) -> c_int { unsafe { give("FAKE_NVVM_PTX", to) } }
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvvmGetProgramLogSize(_: *mut c_void, n: *mut usize) -> c_int { unsafe { *n = text("FAKE_NVVM_LOG").len() }; 0 }
#[unsafe(no_mangle)] pub unsafe extern "C" fn nvvmGetProgramLog(_: *mut c_void, to: *mut c_char) -> c_int { unsafe { give("FAKE_NVVM_LOG", to) } }
"#;

fn cdylib(name: &str, source: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let (file, library) = (folder.join(format!("{name}.rs")), folder.join(format!("lib{name}.so")));
    std::fs::write(&file, source).unwrap();
    let mut command = Command::new(&rustc().program);
    command.args(["--edition=2024", "--crate-type=cdylib", "-o"]).arg(&library).arg(&file);
    assert!(command.status().unwrap().success());
    library
}

fn fake() -> &'static Path {
    static FILE: OnceLock<PathBuf> = OnceLock::new();
    FILE.get_or_init(|| cdylib("fake_nvvm", FAKE))
}

/// A kernel, and a function that it calls.
const MODULE: &str = r#"
define internal void @_RNvCs1234_8my_crate5count(ptr %p) noinline {
  store volatile i32 17, ptr %p, align 4
  ret void
}
define ptx_kernel void @k(ptr %p) {
  call void @_RNvCs1234_8my_crate5count(ptr %p)
  ret void
}"#;

const OLD_PTX: &str = "// PTX of the last build\n";

/// Links with this library and these answers of it, over an older PTX file; the error, and what is in the file then.
#[track_caller]
fn link(library: &Path, answers: &[(&str, &str)]) -> (Option<String>, String) {
    let bench = Bench::new();
    let input = bench.ll("in.ll", MODULE);
    bench.file("out.ptx", OLD_PTX);
    let mut command = bench.linker(&[&input]);
    command.env("WARPSMITH_BACKEND", "nvvm").env("WARPSMITH_LIBNVVM", library);
    command.envs(answers.iter().copied());
    let outcome = run(&mut command);
    let error = (outcome.code != Some(0)).then(|| outcome.error());
    (error, bench.read("out.ptx"))
}

/// The link fails with all these words, and the PTX file stays as it was.
#[track_caller]
fn refused(library: &Path, answers: &[(&str, &str)], words: &[&str]) {
    let (error, ptx) = link(library, answers);
    let error = error.expect("an error");
    for word in words {
        assert!(error.contains(word), "no `{word}` in {error}");
    }
    assert_eq!(ptx, OLD_PTX);
}

#[test]
fn the_library_of_this_test_works() {
    let (error, ptx) = link(fake(), &[("FAKE_NVVM_PTX", ".version 9.0\n")]);
    assert_eq!((error, ptx.as_str()), (None, ".version 9.0\n"));
}

#[test]
fn an_older_ir_is_told_with_both_versions() {
    refused(
        fake(),
        &[("FAKE_NVVM_IR", "1.11")],
        &["reads NVVM IR 1.11, 2.0 is written", "setup --nvvm", "fake_nvvm"],
    );
}

#[test]
fn an_architecture_that_it_does_not_know_is_named() {
    let log = "libnvvm : error: -arch=compute_90 is an unsupported option";
    refused(
        fake(),
        &[("FAKE_NVVM_ERROR", "7"), ("FAKE_NVVM_LOG", log)],
        &["has no code generator for sm_90", log, "newer libNVVM", "fake_nvvm"],
    );
}

#[test]
fn refused_code_gives_the_log_and_the_rust_function() {
    let step = "libNVVM failed checking `out` for sm_90, in function `my_crate::count`: ";
    for (log, last) in [
        (
            "error: Error: : Function `_RNvCs1234_8my_crate5count' Basic Block `':\n  Illegal instruction",
            "Illegal instruction",
        ),
        ("out (6, 3): parse expected type", "parse expected type"),
        ("Wrong alignment!\n  store volatile i32 17, i32* %t0, align 4\n", "Wrong alignment!"),
    ] {
        refused(fake(), &[("FAKE_NVVM_ERROR", "9"), ("FAKE_NVVM_LOG", log)], &[step, last]);
    }
    refused(fake(), &[("FAKE_NVVM_ERROR", "1")], &["checking `out` for sm_90: error 1, without a log"]);
}

#[test]
fn an_answer_that_is_no_ptx_is_not_written() {
    refused(fake(), &[], &["failed compiling `out` for sm_90", "no `.version`"]);
}

#[test]
fn a_crash_is_told_as_its_own() {
    refused(
        fake(),
        &[("FAKE_NVVM_ERROR", "crash")],
        &["libNVVM crashed while checking `out` for sm_90", "WARPSMITH_KEEP_NVVM"],
    );
}

#[test]
fn a_library_that_is_none_or_lacks_a_function_is_named() {
    let thin = cdylib("thin_nvvm", "#[unsafe(no_mangle)] pub extern \"C\" fn nvvmIRVersion() -> i32 { 0 }");
    refused(&thin, &[], &["thin_nvvm", "has no function `nvvmCreateProgram`"]);
    let bench = Bench::new();
    let text = bench.file("libnvvm.so.4", "no ELF");
    refused(&text, &[], &["cannot open libNVVM", "libnvvm.so.4: file too short", "setup --nvvm"]);
    let bytes = std::fs::read(fake()).unwrap();
    let cut = bench.file("cut/libnvvm.so.4", &bytes[..40]);
    refused(&cut, &[], &["cannot open libNVVM", "cut/libnvvm.so.4"]);
    // Enough for the system to map it, and to kill the process that reads on.
    let cut = bench.file("cut/libnvvm.so.4", &bytes[..5000]);
    refused(&cut, &[], &["cut/libnvvm.so.4` is cut off: 5000 bytes of", "setup --nvvm"]);
    refused(
        Path::new("/nonexistent/libnvvm.so.4"),
        &[],
        &["cannot open libNVVM `/nonexistent/libnvvm.so.4`"],
    );
}
