//! The text that libNVVM is given. No libNVVM is needed: the text is written before the library is opened.

mod common;

use common::{Bench, run};

/// Links one module of IR for libNVVM and returns what it is given.
#[track_caller]
fn nvvm(body: &str) -> String {
    let bench = Bench::new();
    let error = link(&bench, body);
    assert!(error.contains("cannot open libNVVM `/nonexistent/libnvvm.so`"), "{error}");
    assert!(!bench.path("out.ptx").exists());
    bench.read("kept/out.nvvm.ll")
}

/// The error of a module that cannot be written.
#[track_caller]
fn refusal(body: &str) -> String {
    let bench = Bench::new();
    let error = link(&bench, body);
    assert!(!bench.path("out.ptx").exists() && !bench.path("kept/out.nvvm.ll").exists());
    error
}

#[track_caller]
fn link(bench: &Bench, body: &str) -> String {
    let input = bench.ll("in.ll", body);
    let mut command = bench.linker(&[&input]);
    command.env("WARPSMITH_BACKEND", "nvvm").env("WARPSMITH_LIBNVVM", "/nonexistent/libnvvm.so");
    command.env("WARPSMITH_KEEP_NVVM", bench.path("kept"));
    run(&mut command).error()
}

#[track_caller]
fn assert_has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.contains(line), "no `{line}` in\n{text}");
    }
}

#[test]
fn pointers_are_typed_at_each_use() {
    let text = nvvm(
        r#"
define ptx_kernel void @k(ptr noalias readonly align 4 %a, ptr noalias align 4 %b, i64 %i) "nvvm.reqntid"="256,1,1" "nvvm.minctasm"="2" {
  %p = getelementptr inbounds nuw float, ptr %a, i64 %i
  %x = load float, ptr %p, align 4
  %n = fneg float %x
  %q = getelementptr inbounds { i32, [4 x float] }, ptr %b, i64 %i, i32 1, i64 2
  store volatile float %n, ptr %q, align 4
  ret void
}"#,
    );
    assert_has(
        &text,
        &[
            "target triple = \"nvptx64-nvidia-cuda\"",
            "define void @k(i8* noalias readonly align 4 %a0, i8* noalias align 4 %a1, i64 %a2)",
            "bitcast i8* %a0 to float*",
            "getelementptr inbounds float, float* %t0, i64 %a2",
            "fsub float -0.0, %v1",
            "getelementptr inbounds { i32, [4 x float] }, { i32, [4 x float] }* ",
            "store volatile float %v2, float* ",
            "!nvvmir.version = !{!0}",
            "!{void (i8*, i8*, i64)* @k, !\"kernel\", i32 1, !\"reqntidx\", i32 256, !\"reqntidy\", i32 1, !\"reqntidz\", i32 1, !\"minctasm\", i32 2}",
        ],
    );
    assert!(!text.contains("nuw") && !text.contains(" ptr "), "{text}");
}

/// A kernel that reads a parameter of its own at a place it computes.
const IN_PLACE: &str = r#"
define ptx_kernel void @k(ptr %out, ptr byval([16 x i32]) align 4 "nvvm.grid_constant" %big, i64 %i) {
  %p = getelementptr i32, ptr %big, i64 %i
  %x = load i32, ptr %p, align 4
  store i32 %x, ptr %out, align 4
  ret void
}"#;

#[test]
fn a_parameter_that_nothing_writes_is_read_in_place() {
    let text = nvvm(IN_PLACE);
    assert_has(
        &text,
        &["[16 x i32]* byval readonly align 4 %p1", "@k, !\"kernel\", i32 1, !\"grid_constant\", !{i32 2}}"],
    );
    let without = nvvm(&IN_PLACE.replace("\"nvvm.grid_constant\"", ""));
    assert!(!without.contains("grid_constant"), "{without}");
    let ptx = Bench::new().ptx(IN_PLACE);
    assert!(ptx.contains("ld.param") && !ptx.contains(".local"), "{ptx}");
}

#[test]
fn globals_leave_the_generic_space() {
    let text = nvvm(
        r#"
@table = private unnamed_addr constant [2 x i16] [i16 1, i16 -2], align 2
@record = internal global { ptr, i64 } { ptr getelementptr (i8, ptr @table, i64 2), i64 7 }, align 8
@tile = internal addrspace(3) global [64 x float] undef, align 16
define ptx_kernel void @k(ptr %out, i64 %i) {
  %p = load volatile ptr, ptr @record, align 8
  %x = load i16, ptr %p, align 2
  store i16 %x, ptr %out, align 2
  %s = getelementptr float, ptr addrspace(3) @tile, i64 %i
  store volatile float 1.5, ptr addrspace(3) %s, align 4
  ret void
}"#,
    );
    assert_has(
        &text,
        &[
            "@table = internal addrspace(1) constant [2 x i16] [i16 1, i16 -2], align 2",
            "@record = internal addrspace(1) global { i8*, i64 } { i8* getelementptr (i8, i8* addrspacecast ([2 x i16] addrspace(1)* @table to i8*), i64 2), i64 7 }, align 8",
            "@tile = internal addrspace(3) global [64 x float] undef, align 16",
            "load volatile i8*, i8** ",
            "bitcast ([64 x float] addrspace(3)* @tile to i8 addrspace(3)*)",
            "store volatile float 0x3FF8000000000000, float addrspace(3)* ",
        ],
    );
}

#[test]
fn what_may_be_undefined_is_pinned_by_freeze() {
    let text = nvvm(
        r#"
define ptx_kernel void @k(ptr %out, i32 %maybe, i32 noundef %sure, i1 %flag) {
  %a = freeze i32 %maybe
  %b = freeze i32 %sure
  %c = freeze i1 %flag
  %d = select i1 %c, i32 %a, i32 %b
  store volatile i32 %d, ptr %out, align 4
  %e = add i32 %a, %a
  store volatile i32 %e, ptr %out, align 4
  ret void
}"#,
    );
    assert_has(
        &text,
        &[
            "call i32 asm \"mov.b32 $0, $1;\", \"=r,r\"(i32 %t0) nounwind readnone",
            "select i1 %v1, i32 %v0, i32 %a2",
            "zext i1 %a3 to i16",
        ],
    );
    assert!(!text.contains("freeze"), "{text}");
}

#[test]
fn assembly_keeps_its_words_and_carries_halves_as_integers() {
    let text = nvvm(
        r#"
define ptx_kernel void @k(ptr %out, half %h, i32 %x) {
  call void asm sideeffect "bar.sync 0;", "~{memory}"()
  %r = call { half, i32 } asm "{ mov.b16 $0, $2;\0A mov.b32 $1, $3; }", "=h,=r,h,r"(half %h, i32 %x) memory(none)
  %f = extractvalue { half, i32 } %r, 0
  store half %f, ptr %out, align 2
  ret void
}"#,
    );
    assert_has(
        &text,
        &[
            "call void asm sideeffect \"bar.sync 0;\", \"~{memory}\"() nounwind convergent",
            "bitcast half %a1 to i16",
            "call { i16, i32 } asm \"{ mov.b16 $0, $2;\\0A mov.b32 $1, $3; }\", \"=h,=r,h,r\"(i16 ",
            ") nounwind readnone",
            "bitcast i16 ",
        ],
    );
}

#[test]
fn newer_intrinsics_become_older_instructions() {
    let text = nvvm(
        r#"
declare i32 @llvm.umax.i32(i32, i32)
declare i32 @llvm.usub.sat.i32(i32, i32)
declare i64 @llvm.fshl.i64(i64, i64, i64)
declare i32 @llvm.fptosi.sat.i32.f32(float)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
define ptx_kernel void @k(ptr %out, ptr %in, i32 %x, i32 %y, i64 %z, float %f) {
  %a = call i32 @llvm.umax.i32(i32 %x, i32 %y)
  %b = call i32 @llvm.usub.sat.i32(i32 %a, i32 17)
  %c = call i64 @llvm.fshl.i64(i64 %z, i64 %z, i64 5)
  %d = call i32 @llvm.fptosi.sat.i32.f32(float %f)
  store volatile i32 %b, ptr %out, align 4
  store volatile i64 %c, ptr %out, align 8
  store volatile i32 %d, ptr %out, align 4
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %out, ptr align 4 %in, i64 %z, i1 false)
  ret void
}"#,
    );
    assert_has(
        &text,
        &[
            "icmp ugt i32 %a2, %a3",
            "call i32 @llvm.nvvm.f2i.rz(float %a5)",
            "declare i32 @llvm.nvvm.f2i.rz(float)",
            "call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %a0, i8* align 4 %a1, i64 %a4, i1 false)",
        ],
    );
    for name in ["umax", "usub", "fshl", "sat"] {
        assert!(!text.contains(name), "{name} in\n{text}");
    }
}

#[test]
fn what_has_no_words_names_function_and_instruction() {
    let cases = [
        (
            "%x = load volatile <4 x float>, ptr %p\n %y = frem <4 x float> %x, %x\n store volatile <4 x float> %y, ptr %p",
            "a remainder of vectors",
            "frem <4 x float>",
        ),
        (
            "%x = load volatile <2 x ptr>, ptr %p\n %y = getelementptr i8, <2 x ptr> %x, i64 1\n store volatile <2 x ptr> %y, ptr %p",
            "a vector of pointers cannot be written",
            "getelementptr",
        ),
        (
            "call void @by_value(ptr byval([9 x i64]) %p)",
            "a call with an argument `byval` cannot be written",
            "@by_value(ptr byval([9 x i64]) %p)",
        ),
        ("%x = load bfloat, ptr %p\n store volatile bfloat %x, ptr %p", "BFloat", "load bfloat"),
        (
            "%x = load volatile float, ptr %p\n %y = call float @llvm.sin.f32(float %x)\n store volatile float %y, ptr %p",
            "`llvm.sin.f32` is not one that libNVVM is known to take",
            "call float @llvm.sin.f32",
        ),
    ];
    for (code, reason, instruction) in cases {
        let error = refusal(&format!(
            "declare float @llvm.sin.f32(float)\ndefine internal void @by_value(ptr byval([9 x i64]) %p) noinline {{\n store volatile i64 7, ptr %p\n ret void\n}}\ndefine ptx_kernel void @the_kernel(ptr %p) {{\n {code}\n ret void\n}}"
        ));
        for word in ["function `the_kernel` cannot be written for libNVVM", reason, instruction] {
            assert!(error.contains(word), "no `{word}` in {error}");
        }
    }
}

#[test]
fn an_unknown_back_end_is_named() {
    let bench = Bench::new();
    let input = bench.ll("in.ll", "define ptx_kernel void @k() { ret void }");
    let mut command = bench.linker(&[&input]);
    assert!(run(command.env("WARPSMITH_BACKEND", "ptxgen")).error().contains("`ptxgen`"));
    let mut command = bench.linker(&[&input]);
    assert!(run(command.env("WARPSMITH_BACKEND", "nvvm")).error().contains("WARPSMITH_LIBNVVM"));
}

#[test]
fn vectors_are_lowered_whole_or_by_element() {
    let text = nvvm(
        r#"
declare <2 x half> @llvm.fabs.v2f16(<2 x half>)
declare <4 x i32> @llvm.smax.v4i32(<4 x i32>, <4 x i32>)
define ptx_kernel void @k(<2 x half> %a, <4 x i32> %c, <4 x i32> %d, ptr %out) {
  %n = fneg <2 x half> %a
  store volatile <2 x half> %n, ptr %out
  %o = call <2 x half> @llvm.fabs.v2f16(<2 x half> %a)
  store volatile <2 x half> %o, ptr %out
  %s = call <4 x i32> @llvm.smax.v4i32(<4 x i32> %c, <4 x i32> %d)
  %t = shufflevector <4 x i32> %s, <4 x i32> %d, <4 x i32> <i32 3, i32 4, i32 poison, i32 0>
  store volatile <4 x i32> %t, ptr %out
  ret void
}"#,
    );
    assert_has(
        &text,
        &[
            "xor <2 x i16> ",
            "extractelement <2 x half> %a0, i32 1",
            "icmp sgt <4 x i32> %a1, %a2",
            "<4 x i32> <i32 3, i32 4, i32 undef, i32 0>",
        ],
    );
}
