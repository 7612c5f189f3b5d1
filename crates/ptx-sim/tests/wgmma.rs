//! `wgmma`: what it computes, and one kernel for each fault: it is found at its line whatever the order of warps.

mod common;

use common::findings;
use ptx_sim::{Arg, Finding, FindingKind, Options, RegisterUse, Sim};

const SEEDS: [u64; 3] = [0, 1, 99];

/// The line of the first line of a body.
const FIRST_LINE: u32 = 8;

/// A in the first 2048 bytes, 64 × 32 in core matrices: 16 bytes of k after 1024, 8 rows after 128. B behind it, 8 × 32: 128, 128.
/// Descriptors: `%rd5` and `%rd6`. `%rd3` is this thread's place in the output, `%r1` the thread.
const START: &str = "ld.param.u64 %rd1, [x]; ld.param.u64 %rd2, [y]; mov.u32 %r1, %tid.x;
mul.wide.u32 %rd4, %r1, 16; add.u64 %rd3, %rd2, %rd4; add.u64 %rd1, %rd1, %rd4; shl.b32 %r2, %r1, 4; mov.u32 %r3, tile; add.u32 %r2, %r2, %r3;
ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1]; st.shared.v4.u32 [%r2], {%r4, %r5, %r6, %r7};
ld.global.v4.u32 {%r4, %r5, %r6, %r7}, [%rd1+2048]; st.shared.v4.u32 [%r2+2048], {%r4, %r5, %r6, %r7};
fence.proxy.async.shared::cta;
bar.sync 0;
mov.u64 %rd5, tile; shr.u64 %rd5, %rd5, 4; add.u64 %rd6, %rd5, 128; or.b64 %rd5, %rd5, 0x800400000; or.b64 %rd6, %rd6, 0x800080000;
wgmma.fence.sync.aligned;";

/// Lines of [`START`].
const BEGUN: u32 = 8;

const MMA: &str = "wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%a0, %a1, %a2, %a3}, %rd5, %rd6, %p1;";
const REST: &str = "wgmma.commit_group.sync.aligned;
wgmma.wait_group.sync.aligned 0;
st.global.v4.u32 [%rd3], {%a0, %a1, %a2, %a3};
ret;";

fn kernel(body: &str) -> String {
    format!(
        ".version 8.0\n.target sm_90a\n.address_size 64\n.shared .align 1024 .b8 tile[4096];\n.visible .entry k(.param .u64 x, .param .u64 y)\n{{\n\
         .reg .pred %p<9>; .reg .b32 %r<20>, %a<20>; .reg .b64 %rd<20>;\n{body}\n}}\n"
    )
}

/// Small bytes of either sign.
fn input() -> Vec<u32> {
    (0..1024_u32).map(|i| (i.wrapping_mul(0x9e37_79b9) ^ i << 7) & 0xf7f3_fbf7).collect()
}

fn launch(text: &str, seed: u64, threads: u32) -> (Vec<Finding>, Vec<u32>) {
    let sim = match Sim::from_text(text, Options::default().seed(seed)) {
        Ok(sim) => sim,
        Err(error) => panic!("{error}\n{text}"),
    };
    let x = sim.upload(&input()).unwrap();
    let y = sim.upload(&vec![0_u32; 4 * threads as usize]).unwrap();
    let found = findings(&sim, 1, threads, 0, &[Arg::from(&x), Arg::from(&y)]);
    (found, y.to_vec().unwrap())
}

/// The product of the tiles that [`START`] makes.
fn product() -> Vec<u32> {
    let bytes: Vec<u8> = input().into_iter().flat_map(u32::to_le_bytes).collect();
    let at = |start: usize, step: usize, row: usize, k: usize| {
        i32::from(bytes[start + row / 8 * 128 + row % 8 * 16 + k / 16 * step + k % 16] as i8)
    };
    let mut out = vec![0; 512];
    for (row, column) in (0..64).flat_map(|row| (0..8).map(move |column| (row, column))) {
        let sum: i32 = (0..32).map(|k| at(0, 1024, row, k) * at(2048, 128, column, k)).sum();
        let thread = row / 16 * 32 + row % 8 * 4 + column / 2;
        out[4 * thread + row % 16 / 8 * 2 + column % 2] = sum as u32;
    }
    out
}

/// Each seed finds `kind` at line `line` behind [`START`], and nothing at all where `line` is `None`.
fn check(body: &str, line: Option<u32>, kind: impl Fn(&FindingKind) -> bool) {
    check_with(body, 128, line.map(|line| (FIRST_LINE + BEGUN + line, None)), kind);
}

fn check_with(body: &str, threads: u32, at: Option<(u32, Option<u32>)>, kind: impl Fn(&FindingKind) -> bool) {
    for seed in SEEDS {
        let (found, _) = launch(&kernel(body), seed, threads);
        match at {
            None => assert_eq!(found, [], "seed {seed}"),
            Some((line, thread)) => {
                let here = |f: &&Finding| {
                    f.place.line == line && thread.is_none_or(|t| f.place.thread[0] == t) && kind(&f.kind)
                };
                assert!(found.iter().any(|f| here(&f)), "seed {seed}, want line {line}: {found:#?}");
            }
        }
    }
}

fn whole(mma: &str) -> String {
    format!("{START}\nsetp.ne.u32 %p1, 0, 0;\n{mma}\n{REST}")
}

#[test]
fn a_product_is_exact_in_every_order() {
    let want = product();
    assert!(want.iter().any(|value| (*value as i32) < 0));
    for seed in 0..20 {
        let (found, out) = launch(&kernel(&whole(MMA)), seed, 128);
        assert_eq!((found, &out), (vec![], &want), "seed {seed}");
    }
}

#[test]
fn one_after_the_other_accumulates_without_a_wait() {
    let body =
        whole(&format!("{MMA}\nsetp.eq.u32 %p1, 0, 0;\n{MMA}\nwgmma.commit_group.sync.aligned;\n{MMA}"));
    for seed in 0..20 {
        let (found, out) = launch(&kernel(&body), seed, 128);
        let want: Vec<u32> = product().iter().map(|value| value.wrapping_mul(3)).collect();
        assert_eq!((found, out), (vec![], want), "seed {seed}");
    }
}

#[test]
fn two_warpgroups_work_apart() {
    let body = whole(MMA)
        .replace("ld.global.v4", "@!%p2 ld.global.v4")
        .replace("st.shared.v4", "@!%p2 st.shared.v4");
    let body = body.replace("fence.proxy", "setp.ge.u32 %p2, %r1, 128; fence.proxy");
    let body = body.replacen("mul.wide", "setp.ge.u32 %p2, %r1, 128; mul.wide", 1);
    for seed in SEEDS {
        let (found, out) = launch(&kernel(&body), seed, 256);
        assert_eq!((found, &out[..512], &out[512..]), (vec![], &product()[..], &product()[..]));
    }
}

fn in_flight(by: RegisterUse, issued: u32) -> impl Fn(&FindingKind) -> bool {
    move |kind| *kind == FindingKind::RegisterInFlight { by, issued: FIRST_LINE + BEGUN + issued }
}

#[test]
fn registers_are_left_alone_until_the_wait() {
    let accumulator = || in_flight(RegisterUse::Accumulator, 1);
    check(&whole(&format!("{MMA}\nmov.u32 %r9, %a2;")), Some(2), accumulator());
    check(&whole(&format!("{MMA}\nmov.u32 %a3, 0;")), Some(2), accumulator());
    check(
        &whole(&format!("{MMA}\nwgmma.commit_group.sync.aligned;\nadd.u32 %r9, %a0, 1;")),
        Some(3),
        accumulator(),
    );
    // Not waited for, or not committed.
    let stored = whole(MMA).replace("wgmma.wait_group.sync.aligned 0;", "wgmma.wait_group.sync.aligned 1;");
    check(&stored, Some(4), accumulator());
    check(&whole(MMA).replace("wgmma.commit_group.sync.aligned;", ""), Some(4), accumulator());
    check(&whole(MMA).replace("wgmma.wait_group.sync.aligned 0;", ""), Some(4), accumulator());
    // Behind the wait they are free.
    check(&whole(MMA).replace("aligned 0;", "aligned 0; mov.u32 %r9, %a0; mov.u32 %a0, %r9;"), None, |_| {
        true
    });
}

#[test]
fn the_end_of_a_thread_waits_too() {
    let body = whole(MMA)
        .replace("wgmma.wait_group.sync.aligned 0;\nst.global.v4.u32 [%rd3], {%a0, %a1, %a2, %a3};\n", "");
    let issued = FIRST_LINE + BEGUN + 1;
    check(&body, Some(3), |kind| *kind == FindingKind::WgmmaNotWaited { issued });
}

#[test]
fn fragments_of_a_are_left_alone_too() {
    let mma = "mov.u32 %a4, 1; mov.u32 %a5, 2; mov.u32 %a6, 3; mov.u32 %a7, 4; wgmma.fence.sync.aligned;
wgmma.mma_async.sync.aligned.m64n8k32.s32.s8.s8 {%a0, %a1, %a2, %a3}, {%a4, %a5, %a6, %a7}, %rd6, %p1;";
    check(&whole(mma), None, |_| true);
    check(&whole(&format!("{mma}\nadd.u32 %a5, %a5, 1;")), Some(3), in_flight(RegisterUse::OperandA, 2));
    let unfenced = mma.replace(" wgmma.fence.sync.aligned;", "");
    let why = "the registers of A were touched since the last one";
    check(&whole(&unfenced), Some(2), |kind| *kind == FindingKind::MissingWgmmaFence { why });
    let other = mma.replace("{%a4, %a5, %a6, %a7}", "{%a4, %a0, %a6, %a7}");
    check(
        &whole(&format!("{mma}\n{}", other.lines().last().unwrap())),
        Some(3),
        in_flight(RegisterUse::Accumulator, 2),
    );
}

#[test]
fn other_shapes_do_not_accumulate_into_the_same_registers() {
    let other = MMA.replace("%a0, %a1", "%a1, %a0");
    check(&whole(&format!("{MMA}\n{other}")), Some(2), in_flight(RegisterUse::Accumulator, 1));
    let wider = MMA.replace("n8k32", "n16k32").replace("%a3}", "%a3, %a4, %a5, %a6, %a7}");
    let wider = wider.replace("%rd6", "%rd5");
    check(&whole(&format!("{MMA}\n{wider}")), Some(2), in_flight(RegisterUse::Accumulator, 1));
}

#[test]
fn registers_are_fenced() {
    let missing =
        |want: &'static str| move |kind: &FindingKind| *kind == FindingKind::MissingWgmmaFence { why: want };
    let body = whole(MMA).replace("wgmma.fence.sync.aligned;", "");
    check(&body, Some(1), missing("the first one of the warp"));
    let touched = "the accumulators were touched since the last one";
    check(&whole(&format!("mov.u32 %a0, 5;\n{MMA}")), Some(2), missing(touched));
    check(&whole(&format!("mov.u32 %a0, 5;\nwgmma.fence.sync.aligned;\n{MMA}")), None, |_| true);
    check(&whole(&format!("mov.u32 %r9, %a0;\n{MMA}")), Some(2), missing(touched));
}

#[test]
fn ordinary_stores_are_fenced() {
    let body = whole(MMA).replace("fence.proxy.async.shared::cta;", "");
    check(
        &body,
        Some(1),
        |kind| matches!(kind, FindingKind::MissingProxyFence(c) if !c.write && c.earlier.write),
    );
    // A fence of the thread that issues, behind the barrier, is as good; one before the stores is not.
    let late = whole(MMA)
        .replace("fence.proxy.async.shared::cta;", "")
        .replace("bar.sync 0;", "bar.sync 0; fence.proxy.async;");
    check(&late, None, |_| true);
}

#[test]
fn operands_lie_in_bounds() {
    let body = whole(&format!("add.u64 %rd5, %rd5, 128;\n{MMA}"));
    check(&body, None, |_| true);
    let body = whole(&format!("add.u64 %rd6, %rd6, 121;\n{MMA}"));
    let out = |kind: &FindingKind| matches!(kind, FindingKind::OutOfBounds(o) if !o.write && o.bytes == 16);
    check(&body, Some(2), out);
    check(&whole(&format!("mov.u64 %rd5, 0;\n{MMA}")), Some(2), out);
}

#[test]
fn operands_are_not_written_before_the_wait() {
    let race = |kind: &FindingKind| matches!(kind, FindingKind::Race(c) if c.write && !c.earlier.write);
    check(&whole(&format!("{MMA}\nst.shared.u32 [%r2], %r4;")), Some(2), race);
    // A barrier orders nothing of what is under way.
    check(&whole(&format!("{MMA}\nbar.sync 0;\nst.shared.u32 [%r2], %r4;")), Some(3), race);
    // Behind the wait, without a barrier: another warp may still be reading.
    check(&whole(MMA).replace("aligned 0;", "aligned 0;\nst.shared.u32 [%r2+2048], %r4;"), Some(4), race);
    check(
        &whole(MMA).replace("aligned 0;", "aligned 0;\nbar.sync 0; st.shared.u32 [%r2+2048], %r4;"),
        None,
        |_| true,
    );
}

#[test]
fn what_is_written_too_early_is_seen_in_some_order() {
    let body = whole(&format!("{MMA}\nbar.sync 0; st.shared.u32 [%r2], 0; fence.proxy.async;"));
    let mut results = std::collections::BTreeSet::new();
    for seed in 0..20 {
        let (_, out) = launch(&kernel(&body), seed, 128);
        results.extend(out.chunks(128).zip(product().chunks(128)).map(|(got, want)| got == want));
    }
    assert_eq!(results.len(), 2, "the read is always, or never, late");
}

#[test]
fn copies_are_waited_for_first() {
    let copy = "cp.async.cg.shared.global [%r2], [%rd1], 16;\ncp.async.commit_group;";
    let early = |kind: &FindingKind| matches!(kind, FindingKind::EarlyAsyncRead(c) if !c.write);
    check(&whole(&format!("{copy}\n{MMA}")), Some(3), early);
    let done = format!("{copy}\ncp.async.wait_group 0; fence.proxy.async; bar.sync 0;\n{MMA}");
    check(&whole(&done), None, |_| true);
}

#[test]
fn four_warps_execute_one_instruction() {
    let wrong = |kind: &FindingKind| matches!(kind, FindingKind::Warpgroup { .. });
    let line = FIRST_LINE + BEGUN;
    check_with(&whole(MMA), 96, Some((line + 1, None)), wrong);
    check_with(&whole(MMA), 112, Some((line - 1, None)), wrong);
    // One warp leaves, or is at another one.
    check(&whole(&format!("setp.ge.u32 %p3, %r1, 96; @%p3 ret;\n{MMA}")), Some(2), wrong);
    let apart = format!("setp.ge.u32 %p3, %r1, 96;\n@%p3 bra OTHER;\n{MMA}\nbra JOIN;\nOTHER:\n{MMA}\nJOIN:");
    for seed in SEEDS {
        let (found, _) = launch(&kernel(&whole(&apart)), seed, 128);
        assert!(
            found.iter().any(|f| wrong(&f.kind) && [line + 3, line + 6].contains(&f.place.line)),
            "{found:#?}"
        );
    }
    // Operands that differ.
    check(&whole(&format!("mul.wide.u32 %rd7, %r1, 8; add.u64 %rd6, %rd6, %rd7;\n{MMA}")), Some(2), wrong);
    check(&whole(&format!("setp.ge.u32 %p1, %r1, 32;\n{MMA}")), Some(2), wrong);
    check(&whole(&format!("or.b64 %rd5, %rd5, 0x2000000000000;\n{MMA}")), Some(2), wrong);
}

#[test]
fn what_is_not_executed_is_refused() {
    let refused = |mma: &str| {
        let sim = Sim::from_text(&kernel(&whole(mma)), Options::default());
        let args = [Arg::from(0_u64), Arg::from(0_u64)];
        sim.map(|sim| sim.launch("k", [1; 3], [128, 1, 1], 0, &args).err().map(|e| e.to_string()))
    };
    for (from, to) in [
        (".s32.s8", ".satfinite.s32.s8"),
        ("n8k32", "n40k32"),
        ("n8k32", "n12k32"),
        (".s32.s8.s8", ".f32.tf32.tf32"),
        ("%p1;", "%p1, 1, 1, 0, 0;"),
        ("%a3}", "%a3, %a4}"),
        ("%rd6", "%r6"),
    ] {
        let said = refused(&MMA.replacen(from, to, 1));
        assert!(
            said.is_err() || said.is_ok_and(|said| said.is_some_and(|said| said.contains("wgmma"))),
            "{from}"
        );
    }
}
