//! What threads do together stays in the branch it was written in.

mod common;
use common::{Bench, rustc};
use ptx_linker::{LinkOptions, link};

/// An operation in both arms of a branch; the arms differ only in what they store.
fn branch(definition: &str, operation: &str) -> String {
    format!(
        r#"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
{definition}
define ptx_kernel void @k(ptr %a, ptr %o, ptr %f) {{
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %slot = getelementptr float, ptr %a, i64 %i
  %x = load float, ptr %slot
  %c = fcmp ogt float %x, 5.0e-01
  %p = getelementptr i32, ptr %o, i64 %i
  br i1 %c, label %yes, label %no
yes:
  %m = call i32 {operation}
  store i32 %m, ptr %p
  br label %end
no:
  %n = call i32 {operation}
  %n1 = add i32 %n, 1
  store i32 %n1, ptr %p
  br label %end
end:
  ret void
}}
"#
    )
}

/// The PTX with the marks on or left out.
fn ptx(body: &str, mark: bool) -> String {
    let bench = Bench::new();
    let options = LinkOptions {
        inputs: vec![bench.ll("in.ll", body)],
        output: bench.path("out.ptx"),
        target_cpu: "sm_90".to_owned(),
        target_features: String::new(),
        exported: Vec::new(),
        sysroot: rustc().sysroot.clone(),
        llvm_version: rustc().llvm.clone(),
        ptx_version: None,
        out_dir: None,
        keep_bitcode: None,
        mark_convergent: mark,
        backend: ptx_linker::Backend::Llvm,
        keep_nvvm: None,
    };
    link(&options).unwrap_or_else(|error| panic!("{error}"));
    bench.read("out.ptx")
}

/// The operation stays in both arms, and is merged into one when the marks are left out.
#[track_caller]
fn stays_in_both_arms(definition: &str, operation: &str, instruction: &str) {
    let body = branch(definition, operation);
    let count = |mark| ptx(&body, mark).matches(instruction).count();
    assert_eq!(count(true), 2, "with marks");
    assert_eq!(count(false), 1, "without marks LLVM merges the two");
}

#[test]
fn activemask_stays_in_both_arms() {
    stays_in_both_arms("", r#"asm sideeffect "activemask.b32 $0;", "=r"()"#, "activemask.b32");
}

#[test]
fn shuffle_stays_in_both_arms() {
    let shuffle = r#"asm sideeffect "shfl.sync.bfly.b32 $0, $1, 1, 31, -1;", "=r,r"(i32 %t)"#;
    stays_in_both_arms("", shuffle, "shfl.sync.bfly.b32");
}

#[test]
fn operation_behind_two_calls_stays_in_both_arms() {
    let definition = r#"
define internal i32 @inner() alwaysinline { %m = call i32 asm sideeffect "activemask.b32 $0;", "=r"() ret i32 %m }
define internal i32 @outer() noinline { %m = call i32 @inner() ret i32 %m }
"#;
    stays_in_both_arms(definition, "@outer()", "call.uni");
}

#[test]
fn intrinsic_keeps_its_own_mark_and_its_caller_gets_one() {
    let declaration = "declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)\n";
    let shuffle = "@llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %t, i32 1, i32 31)";
    let body = branch(declaration, shuffle);
    assert_eq!(ptx(&body, true).matches("shfl.sync.bfly.b32").count(), 2);
    let definition = format!(
        "{declaration}define internal i32 @outer(i32 %t) noinline {{ %m = call i32 {shuffle} ret i32 %m }}\n"
    );
    stays_in_both_arms(&definition, "@outer(i32 %t)", "call.uni");
}

#[test]
fn call_through_a_pointer_stays_in_both_arms() {
    stays_in_both_arms("", "%f()", "call (");
}

#[test]
fn pure_assembly_may_be_merged() {
    let body = branch("", r#"asm "add.u32 $0, $1, $1;", "=r,r"(i32 %t)"#);
    assert_eq!(ptx(&body, true).matches("add.u32").count(), 1);
}
