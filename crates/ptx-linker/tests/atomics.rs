//! `core`'s atomics keep order and scope on both ways to PTX.

mod common;
use common::{Bench, run};

/// IR of one kernel and the assembly that each line of it must become, in this order.
const CASES: [(&str, &str); 30] = [
    ("%v = atomicrmw add ptr %p, i32 1 monotonic", "atom.relaxed.sys.global.add.u32"),
    ("%v = atomicrmw add ptr %p, i64 1 acquire", "atom.acquire.sys.global.add.u64"),
    ("%v = atomicrmw sub ptr %p, i32 %x release", "atom.release.sys.global.add.u32"),
    ("%v = atomicrmw and ptr %p, i32 %x acq_rel", "atom.acq_rel.sys.global.and.b32"),
    ("%v = atomicrmw or ptr %p, i32 %x seq_cst", "fence.sc.sys; atom.acq_rel.sys.global.or.b32"),
    ("%v = atomicrmw xor ptr %p, i32 %x syncscope(\"device\") acq_rel", "atom.acq_rel.gpu.global.xor.b32"),
    ("%v = atomicrmw max ptr %p, i32 %x syncscope(\"block\") release", "atom.release.cta.global.max.s32"),
    ("%v = atomicrmw min ptr %p, i64 7 monotonic", "atom.relaxed.sys.global.min.s64"),
    ("%v = atomicrmw umax ptr %p, i32 %x monotonic", "atom.relaxed.sys.global.max.u32"),
    ("%v = atomicrmw umin ptr %p, i32 %x monotonic", "atom.relaxed.sys.global.min.u32"),
    ("%v = atomicrmw xchg ptr %p, i32 %x acquire", "atom.acquire.sys.global.exch.b32"),
    ("%v = atomicrmw xchg ptr %p, ptr %p acquire", "atom.acquire.sys.global.exch.b64"),
    ("%v = atomicrmw nand ptr %p, i32 %x monotonic", "atom.relaxed.sys.global.cas.b32"),
    ("%v = atomicrmw or ptr %p, i8 1 acq_rel", "atom.acq_rel.sys.global.or.b32"),
    ("%v = cmpxchg ptr %p, i32 %x, i32 7 acquire monotonic", "atom.acquire.sys.global.cas.b32"),
    ("%v = cmpxchg weak ptr %p, i64 0, i64 7 acq_rel acquire", "atom.acq_rel.sys.global.cas.b64"),
    ("%v = cmpxchg ptr %p, i32 %x, i32 7 release acquire", "atom.acq_rel.sys.global.cas.b32"),
    // A loop over the word around it, with LLVM's own fence and first load.
    (
        "%v = cmpxchg ptr %p, i16 0, i16 7 release monotonic",
        "fence.acq_rel.sys; ld.global.b32; atom.relaxed.sys.global.cas.b32",
    ),
    ("%v = cmpxchg ptr %p, i32 %x, i32 7 seq_cst seq_cst", "fence.sc.sys; atom.acquire.sys.global.cas.b32"),
    ("%v = load atomic i32, ptr %p monotonic, align 4", "ld.relaxed.sys.global.u32"),
    ("%v = load atomic ptr, ptr %p acquire, align 8", "ld.acquire.sys.global.u64"),
    ("%v = load atomic i8, ptr %p seq_cst, align 1", "fence.sc.sys; ld.acquire.sys.global.u8"),
    ("store atomic i32 %x, ptr %p monotonic, align 4", "st.relaxed.sys.global.u32"),
    ("store atomic i16 7, ptr %p release, align 2", "st.release.sys.global.u16"),
    ("store atomic i64 7, ptr %p seq_cst, align 8", "fence.sc.sys; st.release.sys.global.u64"),
    ("fence acquire", "fence.acq_rel.sys"),
    ("fence syncscope(\"block\") release", "fence.acq_rel.cta"),
    ("fence syncscope(\"device\") seq_cst", "fence.sc.gpu"),
    ("fence seq_cst", "fence.sc.sys"),
    (
        "%v = atomicrmw add ptr addrspace(3) @tile, i32 %x syncscope(\"block\") acq_rel\n store volatile i32 %v, ptr %p",
        "atom.acq_rel.cta.shared.add.u32",
    ),
];

const TILE: &str = "@tile = internal addrspace(3) global [4 x i32] undef, align 16\n";

fn module(code: &str) -> String {
    format!("{TILE}define ptx_kernel void @k(ptr %p, i32 %x) {{\n {code}\n ret void\n}}")
}

/// Instructions that order memory or are atomic, in order, operands aside.
fn words(text: &str) -> String {
    let lines = text.split(['\n', ';']).map(str::trim).filter_map(|line| line.split_whitespace().next());
    let ours = |word: &&str| ["atom.", "ld.", "st.", "fence."].iter().any(|start| word.starts_with(start));
    lines.filter(ours).filter(|word| !word.contains("param")).collect::<Vec<_>>().join("; ")
}

#[test]
fn ptx_has_order_scope_and_space() {
    let bench = Bench::new();
    for (code, want) in CASES {
        let ptx = bench.ptx(&module(code));
        let got = words(&ptx);
        assert!(got.ends_with(want) || got.starts_with(want), "{code}: {got}");
        assert_eq!(got.matches("fence.").count(), want.matches("fence.").count(), "{code}: {got}");
    }
}

#[test]
fn libnvvm_is_given_the_same_assembly() {
    let bench = Bench::new();
    for (code, want) in CASES {
        let input = bench.ll("in.ll", &module(code));
        let mut command = bench.linker(&[&input]);
        command.env("WARPSMITH_BACKEND", "nvvm").env("WARPSMITH_LIBNVVM", "/nonexistent/libnvvm.so");
        command.env("WARPSMITH_KEEP_NVVM", bench.path("kept"));
        assert!(run(&mut command).error().contains("/nonexistent/libnvvm.so"));
        let text = bench.read("kept/out.nvvm.ll");
        for word in want.split("; ").filter(|word| !word.starts_with("ld.global")) {
            assert!(text.contains(word), "{code}: no `{word}` in\n{text}");
        }
        assert!(!text.contains("atomicrmw") && !text.contains("cmpxchg") && !text.contains("seq_cst"));
    }
}

#[test]
fn a_fence_for_the_compiler_keeps_its_place_and_is_no_instruction() {
    let bench = Bench::new();
    let store = |n: u32| format!("store i32 {n}, ptr %p, align 4");
    let code = [store(1), "fence syncscope(\"singlethread\") seq_cst".to_owned(), store(2)].join("\n ");
    let ptx = bench.ptx(&module(&code));
    assert_eq!(words(&ptx), "st.global.b32; st.global.b32", "{ptx}");
}

/// `code` with a word of local memory, `%a`, that is not to be optimised away.
fn with_local(code: &str) -> String {
    module(&format!(
        "%a = alloca i64, align 8\n store volatile i64 7, ptr %a\n {code}\n %last = load volatile i64, ptr %a\n store i64 %last, ptr %p"
    ))
}

#[test]
fn in_local_memory_atomics_are_plain_on_both_ways() {
    let bench = Bench::new();
    let operations = ["xchg", "add", "sub", "and", "nand", "or", "xor", "max", "min", "umax", "umin"];
    let modify = operations.iter().flat_map(|operation| {
        ["i8", "i32", "i64"].map(|ty| format!("%v = atomicrmw {operation} ptr %a, {ty} 3 seq_cst"))
    });
    let others = [
        "%v = cmpxchg ptr %a, i16 7, i16 9 acq_rel acquire",
        "%v = cmpxchg weak ptr %a, ptr null, ptr %p seq_cst monotonic",
        "%v = load atomic i32, ptr %a acquire, align 4",
        "store atomic i64 9, ptr %a seq_cst, align 8",
    ];
    for code in modify.chain(others.map(str::to_owned)) {
        let got = words(&bench.ptx(&with_local(&code)));
        assert!(got.contains("local"), "{code}: {got}");
        let is_plain = |text: &str| {
            !["atom", "cmpxchg", "seq_cst", "fence", "acquire"].iter().any(|word| text.contains(word))
        };
        assert!(is_plain(&got), "{code}: {got}");
        let input = bench.ll("in.ll", &with_local(&code));
        let mut command = bench.linker(&[&input]);
        command.env("WARPSMITH_BACKEND", "nvvm").env("WARPSMITH_LIBNVVM", "/nonexistent/libnvvm.so");
        command.env("WARPSMITH_KEEP_NVVM", bench.path("kept"));
        assert!(run(&mut command).error().contains("/nonexistent/libnvvm.so"), "{code}");
        assert!(is_plain(&bench.read("kept/out.nvvm.ll")), "{code}");
    }
}

#[test]
fn what_ptx_has_no_atomics_for_names_function_and_instruction() {
    let bench = Bench::new();
    let cases = [
        ("sm_90", "%v = atomicrmw fadd ptr %p, float 1.0 seq_cst", "no PTX for its type"),
        ("sm_90", "%v = atomicrmw add ptr %p, i128 1 seq_cst", "no PTX for it with 128 bits"),
        ("sm_90", "%v = atomicrmw nand ptr %p, i128 1 seq_cst", "no PTX for it with 128 bits"),
        ("sm_60", "%v = atomicrmw add ptr %p, i32 1 seq_cst", "`sm_60` has no atomics with order and scope"),
    ];
    for (cpu, code, reason) in cases {
        let input = bench.ll("in.ll", &module(code).replace("@k(", "@_RNvCs1234_8my_crate5count("));
        let mut command = bench.bare();
        command.arg(&input).args(["--target-cpu", cpu, "-o"]).arg(bench.path("out.ptx"));
        let error = run(&mut command).error();
        for word in ["function `my_crate::count`", reason, "atomicrmw", "gpu_std::atomic"] {
            assert!(error.contains(word), "no `{word}` in {error}");
        }
        assert!(!bench.path("out.ptx").exists());
    }
}
