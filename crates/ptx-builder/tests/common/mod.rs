//! Small kernel crates in one workspace under the target folder, so that `core` is compiled once for all of them
//! and not again in the next run.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use ptx_builder::{BuildError, BuildReport, Fault, PtxBuilder};

/// This crate's program: builder, and linker when rustc calls it.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_ptx-builder");
/// The only architecture that the fixtures are built for.
pub const ARCH: &str = "sm_90";

/// What every fixture starts with. `record!` writes a kernel record as `#[kernel]` does.
const PRELUDE: &str = r##"#![no_std]
#![feature(abi_ptx, asm_experimental_arch, core_intrinsics, stdarch_nvptx)]
#![allow(internal_features)]
#[allow(unused_imports)]
use core::arch::nvptx::*;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    unsafe { trap() }
}

#[allow(unused_macros)]
macro_rules! record {
    ($name:ident, $text:expr) => {
        #[used]
        #[unsafe(link_section = ".warpsmith.kernels")]
        static $name: [u8; $text.len()] = *$text.as_bytes().first_chunk().unwrap();
    };
}
"##;

/// A kernel of one pointer parameter `o`, with the given body.
fn kernel(name: &str, body: &str) -> String {
    format!(
        "#[unsafe(no_mangle)] pub unsafe extern \"ptx-kernel\" fn {name}(o: *mut u32) {{ unsafe {{ {body} }} }}\n"
    )
}

/// The record of such a kernel; `local` bytes declared.
fn record(ident: &str, name: &str, local: u32) -> String {
    let params = r#"{"name":"o","kind":"ptr","type":"u32","size":4,"align":4}"#;
    record_with(ident, name, local, params)
}

fn record_with(ident: &str, name: &str, local: u32, params: &str) -> String {
    let head =
        format!(r#""version":1,"entry":"{name}","stem":"{name}","instance":"","module":"f","family":"f""#);
    let bounds = r#""block":[64,1,1],"max_block":null,"min_blocks":null,"max_registers":null,"cluster":null"#;
    let rest = format!(r#""target":null,"local_bytes":{local},"spill_bytes":0,"dynamic_shared":false"#);
    format!("record!({ident}, r#\"{{{head},{bounds},{rest},\"params\":[{params}]}}\"#);\n")
}

const INDEXED: &str = "let n = *o; let mut a = [0u32; 16]; let mut i = 0; while i < n { a[(i * 7 & 15) as usize] += i; i += 1; } \
                       *o = a[(n & 15) as usize];";

/// Name and source of every fixture.
fn fixtures() -> Vec<(&'static str, String)> {
    let plain = |name| record("R", name, 0) + &kernel(name, "*o = 1;");
    let value = r#"{"name":"o","kind":"ptr","type":"u32","size":4,"align":4},{"name":"x","kind":"value","type":"u64","size":8,"align":8}"#;
    let shared = "type Cell = core::cell::UnsafeCell<core::mem::MaybeUninit<[u32; 12800]>>; struct S(Cell); unsafe impl Sync for S {}
        #[unsafe(link_section = \".shared\")] static BIG: S = S(Cell::new(core::mem::MaybeUninit::uninit()));\n";
    let touch = "let p = BIG.0.get().cast::<u32>(); let t = _thread_idx_x() as usize; p.add(t).write_volatile(*o); \
                 _syncthreads(); *o = p.add(t ^ 5000).read_volatile();";
    vec![
        ("plain", plain("plain")),
        ("edited", plain("edited")),
        ("flags", plain("flags")),
        ("together", plain("together")),
        ("script", plain("script")),
        ("defaults", plain("defaults")),
        ("wrongdefault", plain("wrongdefault")),
        ("broken", plain("broken")),
        ("spilling", plain("spilling")),
        ("oldptxas", plain("oldptxas")),
        ("missing", record("R", "gone", 0) + &plain("missing").replace("(R,", "(S,")),
        ("duplicate", record("R", "twice", 0) + &record("S", "twice", 0) + &kernel("twice", "*o = 1;")),
        ("unrecorded", plain("known") + &kernel("unknown", "*o = 2;")),
        (
            "dotted",
            record("R", "a.b", 0)
                + "#[unsafe(export_name = \"a.b\")] pub unsafe extern \"ptx-kernel\" fn a(o: *mut u32) { unsafe { *o = 1 } }",
        ),
        (
            "unresolved",
            record("R", "caller", 0)
                + "unsafe extern \"C\" { fn nowhere(x: u32) -> u32; }\n"
                + &kernel("caller", "*o = nowhere(*o);"),
        ),
        (
            "fusable",
            record("R", "fuses", 0)
                + &kernel(
                    "fuses",
                    "let (x, y, z): (u32, u32, u32); \
                     core::arch::asm!(\"mul.f32 {}, {}, {};\", out(reg32) x, in(reg32) *o, in(reg32) *o); \
                     core::arch::asm!(\"add.rn.f32 {}, {}, {};\", out(reg32) y, in(reg32) x, in(reg32) *o); \
                     core::arch::asm!(\"add.u32 {}, {}, {};\", out(reg32) z, in(reg32) y, in(reg32) *o); *o = z;",
                ),
        ),
        (
            "sine",
            record("R", "takes_the_sine", 0)
                + "#[inline(never)] fn sine(x: f32) -> f32 { core::intrinsics::sinf32(x) }\n"
                + &kernel("takes_the_sine", "*o = sine(f32::from_bits(*o)).to_bits();"),
        ),
        ("local", record("R", "spends", 0) + &kernel("spends", INDEXED)),
        ("declared", record("R", "declares", 64) + &kernel("declares", INDEXED)),
        ("shared", record("R", "big", 0) + shared + &kernel("big", touch)),
        (
            "params",
            record_with("R", "narrow", 0, value)
                + "#[unsafe(no_mangle)] pub unsafe extern \"ptx-kernel\" fn narrow(o: *mut u32, x: u32) { unsafe { *o = x } }",
        ),
        (
            "memcmp",
            record("R", "compares", 0)
                + &kernel(
                    "compares",
                    "let n = *o as usize; let a = core::slice::from_raw_parts(o as *const u8, n); \
                     let b = core::slice::from_raw_parts((o as *const u8).add(n), n); *o = (a == b) as u32;",
                ),
        ),
    ]
}

/// The fixture's folder; the first call writes all of them.
pub fn fixture(name: &str) -> PathBuf {
    static ROOT: OnceLock<PathBuf> = OnceLock::new();
    let root = ROOT.get_or_init(|| {
        let root = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernels");
        let fixtures = fixtures();
        for (name, source) in &fixtures {
            let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
            write(&root.join(name).join("Cargo.toml"), &manifest);
            write(&root.join(name).join("src/lib.rs"), &format!("{PRELUDE}{source}"));
        }
        let members: Vec<&str> = fixtures.iter().map(|(name, _)| *name).collect();
        write(&root.join("Cargo.toml"), &format!("[workspace]\nresolver = \"3\"\nmembers = {members:?}\n"));
        root
    });
    root.join(name)
}

/// Leaves a file alone that is already right: its time says when it changed.
pub fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
    fs::write(path, text).expect("the file is writable");
}

/// Where the workspace keeps what it fetched (`core`'s source, ptxas).
pub fn tools() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../target")
}

/// A builder for the fixture, with an output folder of its own.
pub fn builder(name: &str) -> PtxBuilder {
    let out = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("out").join(name);
    PtxBuilder::new(fixture(name)).arch(ARCH).linker(PROGRAM).out_dir(out).tools_dir(tools())
}

/// Builds the fixture; a failure that is not expected shows its whole text.
pub fn build(name: &str) -> BuildReport {
    builder(name).build().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Builds the fixture and returns what the checks found.
pub fn faults(name: &str) -> Vec<Fault> {
    match builder(name).build() {
        Err(BuildError::Checks { faults }) => faults,
        Err(error) => panic!("{name}: another error: {error}"),
        Ok(_) => panic!("{name}: nothing was found"),
    }
}
