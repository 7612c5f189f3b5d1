//! The linker in its real place: called by rustc.

mod common;
use common::{Bench, rustc};
use std::process::Command;

/// As much of `core` as a kernel with assembly needs, so that the test does without its source.
const SOURCE: &str = r##"
#![feature(no_core, lang_items, abi_ptx, rustc_attrs, decl_macro, asm_experimental_arch, auto_traits)]
#![allow(internal_features)]
#![no_core]
#[lang = "pointee_sized"] pub trait PointeeSized {}
#[lang = "meta_sized"] pub trait MetaSized: PointeeSized {}
#[lang = "sized"] pub trait Sized: MetaSized {}
#[lang = "copy"] pub trait Copy {}
#[lang = "sync"] pub trait Sync {}
#[lang = "freeze"] pub unsafe auto trait Freeze {}
impl Copy for u8 {}
impl Copy for u32 {}
impl<T: Copy, const N: usize> Copy for [T; N] {}
impl Sync for u32 {}
impl<const N: usize> Sync for [u8; N] {}
#[lang = "drop_in_place"] unsafe fn drop_in_place<T: PointeeSized>(_: *mut T) {}
#[rustc_builtin_macro] pub macro asm() {}

#[used]
#[unsafe(link_section = ".warpsmith.kernels")]
static RECORD: [u8; RECORD_LEN] = *br#"RECORD_TEXT"#;

#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn mask(out: *mut u32) {
    let value: u32;
    unsafe {
        asm!("activemask.b32 {0};", out(reg32) value);
        *out = value;
    }
}

#[unsafe(no_mangle)]
pub extern "C" fn helper() -> u32 { 3 }
"##;

#[test]
fn rustc_links_a_kernel_with_its_record() {
    let bench = Bench::new();
    let param = r#"{"name":"out","kind":"ptr","type":"u32","size":4,"align":4}"#;
    let record = common::record_json("mask", "cross", r#""block":[32,1,1]"#, param);
    let text = SOURCE.replace("RECORD_LEN", &record.len().to_string()).replace("RECORD_TEXT", &record);
    let source = bench.file("kernels.rs", text);
    let output = Command::new(&rustc().program)
        .args(["--edition=2024", "--crate-type=cdylib", "--target=nvptx64-nvidia-cuda", "-Copt-level=3"])
        .args([
            "-Cpanic=abort",
            "-Ctarget-cpu=sm_90",
            "-Cno-prepopulate-passes",
            "-Clto=fat",
            "-Ccodegen-units=1",
        ])
        .arg(concat!("-Clinker=", env!("CARGO_BIN_EXE_ptx-linker")))
        .arg(&source)
        .arg("-o")
        .arg(bench.path("kernels.ptx"))
        .env("RUSTC_BOOTSTRAP", "1")
        .env("WARPSMITH_SYSROOT", &rustc().sysroot)
        .env("WARPSMITH_LLVM_VERSION", &rustc().llvm)
        .env("WARPSMITH_LINK_OUT", bench.path("out"))
        .env("WARPSMITH_PTX_VERSION", "80")
        .output()
        .expect("rustc starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let ptx = bench.read("out/cross.ptx");
    for want in [".version 8.0", ".target sm_90", ".visible .entry mask(", ".reqntid 32", "activemask.b32"] {
        assert!(ptx.contains(want), "no `{want}` in {ptx}");
    }
    assert!(!ptx.contains("helper") && !ptx.contains("RECORD"), "{ptx}");
    assert!(bench.read("out/link.json").contains("\"signature\""));
}
