//! Objects, archives, what is kept and what is missing.

mod common;
use common::{Bench, run};
use std::path::Path;

const KERNEL: &str = r#"
declare i32 @helper(i32)
define ptx_kernel void @k(ptr %p) {
  %v = call i32 @helper(i32 3)
  store i32 %v, ptr %p
  ret void
}
"#;
const HELPER: &str =
    "define i32 @helper(i32 %x) { %y = call i32 @deep(i32 %x) ret i32 %y }\ndeclare i32 @deep(i32)\n";
const DEEP: &str = "define i32 @deep(i32 %x) { %y = mul i32 %x, 1234567 ret i32 %y }\n";
const UNUSED: &str = "define i32 @unused(i32 %x) { ret i32 %x }\n";

/// An `ar` archive with short member names.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut bytes = b"!<arch>\n".to_vec();
    for (name, data) in members {
        let name = format!("{name}/");
        bytes.extend(format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 644, data.len()).bytes());
        bytes.extend(*data);
        bytes.extend((data.len() % 2 == 1).then_some(b'\n'));
    }
    bytes
}

#[test]
fn only_exported_symbols_stay_visible() {
    let bench = Bench::new();
    let input = bench.ll(
        "in.ll",
        "define i32 @unused() { ret i32 1 }\n@TABLE = constant [4 x i32] zeroinitializer\ndefine ptx_kernel void @k() { ret void }\ndefine ptx_kernel void @other() { ret void }\n",
    );
    run(bench.linker(&[&input]).args(["--export-symbol", "k"])).ok();
    let ptx = bench.read("out.ptx");
    assert!(ptx.contains(".visible .entry k("), "{ptx}");
    assert!(!ptx.contains("unused") && !ptx.contains("TABLE") && !ptx.contains("other"), "{ptx}");
}

#[test]
fn objects_are_linked_whole() {
    let bench = Bench::new();
    let inputs = [bench.ll("a.ll", KERNEL), bench.ll("b.ll", HELPER), bench.ll("c.ll", DEEP)];
    run(&mut bench.linker(&inputs.each_ref().map(|path| path.as_path()))).ok();
    assert!(
        bench.read("out.ptx").contains("3703701"),
        "both helpers are folded into the kernel: 3 * 1234567"
    );
}

#[test]
fn archive_members_are_linked_where_needed() {
    let bench = Bench::new();
    let (helper, deep, unused) = (
        bench.bitcode(HELPER, &["helper"]),
        bench.bitcode(DEEP, &["deep"]),
        bench.bitcode(UNUSED, &["unused"]),
    );
    let metadata: &[u8] = b"rust metadata, no bitcode";
    let first =
        bench.file("liba.rlib", archive(&[("lib.rmeta", metadata), ("d.o", &deep), ("u.o", &unused)]));
    let second = bench.file("libb.rlib", archive(&[("h.o", &helper)]));
    let kernel = bench.ll("k.ll", KERNEL);
    let kept = bench.path("kept.bc");
    run(bench.linker(&[&kernel, &first, &second]).env("WARPSMITH_KEEP_BITCODE", &kept)).ok();
    let ptx = bench.read("out.ptx");
    assert!(ptx.contains("3703701") && !ptx.contains(".extern"), "{ptx}");
    let bitcode = String::from_utf8_lossy(&std::fs::read(&kept).unwrap()).into_owned();
    assert!(bitcode.contains("deep") && !bitcode.contains("unused"), "only what is needed is linked");
    assert!(bitcode.starts_with("BC"));
}

#[test]
fn undefined_symbols_are_all_named_with_their_users() {
    let bench = Bench::new();
    let body = KERNEL.to_owned()
        + "@TABLE = external global i32\ndefine ptx_kernel void @l(ptr %p) { %v = load i32, ptr @TABLE store i32 %v, ptr %p ret void }\n";
    let line = bench.refusal(&body);
    assert!(line.contains("`helper` (used by `k`)") && line.contains("`TABLE` (used by `l`)"), "{line}");
    assert!(!bench.path("out.ptx").exists());

    let input = bench.ll("in.ll", &body);
    run(bench.linker(&[&input]).env("WARPSMITH_LINK_OUT", bench.path("out"))).error();
    let report: serde_json::Value = serde_json::from_str(&bench.read("out/link.json")).unwrap();
    assert_eq!(report["undefined"], serde_json::json!(["TABLE", "helper"]));
}

#[test]
fn functions_of_the_driver_may_stay_undefined() {
    let ptx = Bench::new().ptx(
        "declare i32 @vprintf(ptr, ptr)\ndefine ptx_kernel void @k(ptr %p) { call i32 @vprintf(ptr %p, ptr null) ret void }\n",
    );
    assert!(ptx.contains(".extern .func") && ptx.contains("vprintf"), "{ptx}");
}

#[test]
fn symbol_defined_twice_is_named() {
    let bench = Bench::new();
    let kernel = "define ptx_kernel void @k() { ret void }\n";
    let inputs = [bench.ll("a.ll", kernel), bench.ll("b.ll", kernel)];
    let line = run(&mut bench.linker(&inputs.each_ref().map(|path| path.as_path()))).error();
    assert!(line.contains("'k'") && line.contains("b.ll"), "{line}");
}

#[test]
fn names_that_ptx_does_not_take_are_changed() {
    let ptx = Bench::new().ptx(
        r#"
@".Lanon.1" = private constant [2 x i32] [i32 4, i32 5]
@"weird-name.2" = internal global i32 0
@"weird_name_2" = internal global i32 0
define internal i32 @"a.b$c"(i64 %i) noinline {
  %p = getelementptr i32, ptr @".Lanon.1", i64 %i
  %v = load i32, ptr %p
  store volatile i32 %v, ptr @"weird-name.2"
  store volatile i32 %v, ptr @"weird_name_2"
  ret i32 %v
}
define ptx_kernel void @k(ptr %p, i64 %i) { %v = call i32 @"a.b$c"(i64 %i) store i32 %v, ptr %p ret void }
"#,
    );
    assert!(ptx.contains("a_b$c") && ptx.contains("weird_name_2_1"), "{ptx}");
    assert!(!ptx.contains("a.b") && !ptx.contains("weird-") && !ptx.contains("anon.1"), "{ptx}");
}

#[test]
fn response_file_takes_the_place_of_arguments() {
    let bench = Bench::new();
    let input = bench.ll("in put.ll", "define ptx_kernel void @k() { ret void }\n");
    let escaped = |path: &Path| path.display().to_string().replace(' ', "\\ ");
    let lines = [
        escaped(&input),
        "--target-cpu".into(),
        "sm_80".into(),
        "-o".into(),
        escaped(&bench.path("o ut.ptx")),
    ];
    let response = bench.file("args", lines.join("\n"));
    run(bench.bare().arg(format!("@{}", response.display()))).ok();
    assert!(bench.read("o ut.ptx").contains(".target sm_80"));
}
