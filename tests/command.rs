//! The `warpsmith` program: it starts on a machine without a driver, and says so.
//!
//! `dtw::…`: the command `warpsmith dtw`. `matmul::…`: `warpsmith matmul`.

#[path = "command/dtw.rs"]
mod dtw;
#[path = "command/dtw_outputs.rs"]
mod dtw_outputs;
#[path = "command/dtw_refusals.rs"]
mod dtw_refusals;
#[path = "command/matmul.rs"]
mod matmul;

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;

use object::Endianness;
use object::elf::{DT_NEEDED, FileHeader64};
use object::read::elf::{Dyn as _, FileHeader as _};
use tests::described::workspace;

/// The program, built into the folder this test was built into.
static PROGRAM: LazyLock<PathBuf> = LazyLock::new(|| {
    let test = std::env::current_exe().expect("a test knows its program");
    let target = test.ancestors().nth(3).expect("<target>/<profile>/deps/<test>");
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["build", "--package", "host", "--bin", "warpsmith", "--target-dir"]).arg(target);
    let output = command.current_dir(workspace()).output().expect("cargo starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    target.join("debug/warpsmith")
});

fn warpsmith(args: &[&str]) -> Output {
    Command::new(&*PROGRAM).args(args).current_dir(workspace()).output().expect("the program starts")
}

/// The libraries that the dynamic linker must find before `main`: what `readelf -d` shows as NEEDED.
fn needed_libraries(program: &Path) -> Vec<String> {
    let image = std::fs::read(program).expect("the program is readable");
    let data = image.as_slice();
    let header = FileHeader64::<Endianness>::parse(data).expect("an ELF file");
    let endian = header.endian().expect("a known byte order");
    let sections = header.sections(endian, data).expect("sections");
    let (dynamic, strings) = sections.dynamic(endian, data).expect("readable").expect("a dynamic section");
    let strings = sections.strings(endian, data, strings).expect("a string table");
    let needed = dynamic.iter().filter(|entry| entry.tag32(endian) == Some(DT_NEEDED));
    needed
        .map(|entry| String::from_utf8_lossy(entry.string(endian, strings).expect("a name")).into_owned())
        .collect()
}

#[test]
fn the_program_does_not_need_libcuda_to_start() {
    let needed = needed_libraries(&PROGRAM);
    assert!(needed.iter().any(|name| name.starts_with("libc.so")), "{needed:?}");
    assert!(!needed.iter().any(|name| name.starts_with("libcuda")), "{needed:?}");
}

#[test]
fn info_answers_with_and_without_a_driver() {
    let output = warpsmith(&["info"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("cpu: ") && text.contains("device"), "{text}");
}

#[test]
fn the_demo_is_right_on_the_cpu() {
    let output = warpsmith(&["demo", "--backend", "cpu"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    assert!(
        text.lines().last().is_some_and(|line| line.starts_with("demo: ") && line.contains("on cpu")),
        "{text}"
    );
}

/// Runs the program with the driver hidden.
fn without_driver(args: &[&str], variable: (&str, impl AsRef<OsStr>)) -> Output {
    let mut command = Command::new(&*PROGRAM);
    command.args(args).current_dir(workspace()).env("WARPSMITH_LIBCUDA", "/nonexistent/libcuda.so.1");
    command.env(variable.0, variable.1).output().expect("the program starts")
}

#[test]
fn the_demo_without_a_gpu_runs_slices_of_the_ptx_too() {
    let output = without_driver(&["demo"], ("WARPSMITH_SIM_ARCH", "sm_80"));
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let last = text.lines().last().unwrap_or_default();
    assert!(last.starts_with("demo: 6 ops passed on cpu (no CUDA driver"), "{text}");
    assert!(last.ends_with("slices of PTX passed in the simulator (sm_80)"), "{text}");
    for op in host::ops::all() {
        let line = |line: &str| line.starts_with(op.name()) && line.contains("simulator (sm_80)");
        assert!(text.lines().any(line), "{}: {text}", op.name());
    }
}

#[test]
fn the_demo_without_a_gpu_and_without_ptx_says_how_to_get_it() {
    let output = without_driver(&["demo"], ("WARPSMITH_PTX", "/nonexistent/ptx"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.starts_with("warpsmith: no PTX found") && text.contains("run `cargo xtask build-ptx`"),
        "{text}"
    );
}

#[test]
fn a_back_end_that_does_not_exist_is_an_error_that_names_those_that_do() {
    let output = without_driver(&["demo"], ("WARPSMITH_CODEGEN", "gcc"));
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("warpsmith: `gcc` is no back end: there are llvm and nvvm"), "{text}");
    let words = [OsStr::new("gcc"), OsStr::from_bytes(b"\xff")];
    for (word, shown) in words.into_iter().zip(["gcc", "\u{fffd}"]) {
        let output = without_driver(&["info"], ("WARPSMITH_CODEGEN", word));
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains(&format!("\nPTX: `{shown}` is no back end")), "{text}");
        assert!(!text.contains(" by llvm "), "{text}");
    }
}

#[test]
fn a_device_that_is_not_there_is_an_error_that_says_so() {
    let output = warpsmith(&["demo", "--backend", "cuda", "--device", "9999"]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.starts_with("warpsmith: ") && (text.contains("driver") || text.contains("9999")), "{text}");
    assert_eq!(text.trim().lines().count(), 1, "{text}");
}

#[test]
fn an_output_that_takes_nothing_is_no_panic() {
    for args in [["info"].as_slice(), &["demo", "--backend", "cpu"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let run = |out: Stdio| {
            let output = Command::new(&*PROGRAM).args(args).current_dir(workspace()).stdout(out).output();
            let output = output.expect("the program starts");
            (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
        };
        assert_eq!(run(writer.into()), (Some(0), String::new()), "{args:?}: the reader has left");
        let full = std::fs::File::options().write(true).open("/dev/full").expect("Linux has it");
        let (code, text) = run(full.into());
        assert_eq!(code, Some(1), "{args:?}: {text}");
        assert!(text.starts_with("warpsmith: cannot write to standard output"), "{args:?}: {text}");
    }
}

#[test]
fn wrong_usage_is_exit_code_2() {
    assert_eq!(warpsmith(&["demo", "--backend", "tpu"]).status.code(), Some(2));
    assert_eq!(warpsmith(&["info", "--codegen", "gcc"]).status.code(), Some(2));
}
