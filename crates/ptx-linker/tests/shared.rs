//! Shared statics become shared memory.

mod common;
use common::Bench;

const TWO_KERNELS: &str = r#"
@TILE = internal global [256 x float] undef, section ".shared", align 16
@PAIR = global <{ [8 x i8] }> undef, section ".shared", align 8
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
define ptx_kernel void @direct(ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = zext i32 %t to i64
  %slot = getelementptr float, ptr @TILE, i64 %i
  store float 1.0, ptr %slot
  call void asm sideeffect "bar.sync 0;", "~{memory}"()
  %v = load float, ptr getelementptr inbounds (i8, ptr @TILE, i64 132)
  store float %v, ptr %out
  ret void
}
define ptx_kernel void @other(ptr %out) {
  store volatile i32 7, ptr getelementptr inbounds (i8, ptr @PAIR, i64 4)
  %v = load volatile i32, ptr @PAIR
  store i32 %v, ptr %out
  ret void
}
"#;

#[test]
fn static_becomes_shared_memory_with_shared_accesses() {
    let ptx = Bench::new().ptx(TWO_KERNELS);
    assert!(ptx.contains(".shared .align 16 .b8 TILE[1024];"), "{ptx}");
    assert!(ptx.contains(".shared .align 8 .b8 PAIR[8];"), "{ptx}");
    assert!(ptx.contains("st.shared.b32") && ptx.contains("ld.shared.b32"), "{ptx}");
    assert!(ptx.contains("[TILE+132]") && ptx.contains("[PAIR+4]"), "constant addresses are kept: {ptx}");
    assert!(!ptx.contains("cvta.shared"), "no generic access is left: {ptx}");
}

#[test]
fn static_with_an_initial_value_is_refused() {
    for value in ["zeroinitializer", "[i32 1, i32 2]"] {
        let body = format!(
            "@INIT = global [2 x i32] {value}, section \".shared\"\ndefine ptx_kernel void @k() {{ store i32 1, ptr @INIT ret void }}"
        );
        let line = Bench::new().refusal(&body);
        assert!(line.contains("`INIT`") && line.contains("initial value"), "{line}");
    }
}

#[test]
fn all_dynamic_statics_are_one_external_array() {
    let ptx = Bench::new().ptx(
        r#"
@A = internal global [0 x i128] undef, section ".shared.dynamic", align 16
@B = internal global <{ [0 x i8] }> zeroinitializer, section ".shared.dynamic", align 16
define ptx_kernel void @k(ptr %out) {
  store volatile i32 1, ptr @A
  %v = load volatile i32, ptr @B
  store i32 %v, ptr %out
  ret void
}
"#,
    );
    let declared: Vec<_> = ptx.lines().filter(|line| line.contains(".extern .shared")).collect();
    assert_eq!(declared, [".extern .shared .align 128 .b8 warpsmith_dynamic_shared[];"], "{ptx}");
    assert!(ptx.contains("st.volatile.shared.b32") && ptx.contains("ld.volatile.shared.b32"), "{ptx}");
}

#[test]
fn static_that_stores_a_shared_address_is_refused() {
    let line = Bench::new().refusal(
        r#"
@TILE = internal global [4 x i32] undef, section ".shared"
@HOLDER = internal global ptr @TILE
define ptx_kernel void @k(ptr %out) {
  %p = load volatile ptr, ptr @HOLDER
  store ptr %p, ptr %out
  ret void
}
"#,
    );
    assert!(line.contains("`HOLDER`") && line.contains("`TILE`"), "{line}");
}
