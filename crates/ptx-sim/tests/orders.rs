//! Programs that order their accesses as CUDA programs do: right ones have no findings in any scheduling order, and the same
//! ones without a fence, barrier or scope have.

mod common;

use common::{findings, kernel, kernel_with, sim};
use ptx_sim::{Finding, FindingKind, Options};

const INDEX: &str =
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;";
const SEEDS: std::ops::Range<u64> = 0..6;

/// Runs `k(x)` with `len` words, word i holding i, in one scheduling order: what was found, and the words.
fn once(text: &str, (grid, block): (u32, u32), len: u32, seed: u64) -> (Vec<Finding>, Vec<u32>) {
    let sim = sim(text, Options::default().seed(seed).step_limit(2_000_000));
    let x = sim.upload(&vec![0_u32; len as usize]).expect("there is room");
    let found = findings(&sim, grid, block, 0, &[(&x).into()]);
    (found, x.to_vec().expect("it is there"))
}

/// No findings in any order, and `want` for each word that `checked` picks.
fn right(text: &str, shape: (u32, u32), len: u32, want: impl Fn(usize) -> Option<u32>) {
    for seed in SEEDS {
        let (found, words) = once(text, shape, len, seed);
        assert_eq!(found, [], "seed {seed}\n{text}");
        for (at, word) in words.into_iter().enumerate() {
            assert!(want(at).is_none_or(|want| want == word), "seed {seed}: word {at} is {word}\n{text}");
        }
    }
}

/// A race in some order.
fn races(text: &str, shape: (u32, u32), len: u32) {
    let race = |f: &Finding| matches!(f.kind, FindingKind::Race(_) | FindingKind::EarlyAsyncRead(_));
    let found = SEEDS.flat_map(|seed| once(text, shape, len, seed).0).any(|f| race(&f));
    assert!(found, "no race found in\n{text}");
}

fn global(body: &str) -> String {
    kernel(".param .u64 x", &format!("{INDEX}\n{body}"))
}

fn shared(bytes: u32, body: &str) -> String {
    let tile = format!(".shared .align 16 .b8 tile[{bytes}];");
    kernel_with(
        &tile,
        ".param .u64 x",
        &format!("{INDEX}\nmov.u32 %r19, tile; shl.b32 %r18, %r1, 2; add.u32 %r18, %r18, %r19;\n{body}"),
    )
}

#[test]
fn the_last_block_adds_up_what_all_wrote() {
    // Word 0: the ticket; word 1: the sum; words 16 and up: one for each thread.
    let text = |fence: &str, after: &str| {
        let body = format!(
            "add.u32 %r5, %r4, 1; st.global.u32 [%rd3+64], %r5; {fence} bar.sync 0;
mov.u32 %r6, 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT; atom.global.add.u32 %r6, [%rd1], 1; st.shared.u32 [tile], %r6; {after}
WAIT: bar.sync 0; ld.shared.u32 %r6, [tile]; setp.ne.u32 %p2, %r6, 7; @%p2 ret;
@%p1 ret; mov.u32 %r7, 0; mov.u32 %r8, 0; mov.u64 %rd4, %rd1;
LOOP: ld.global.u32 %r9, [%rd4+64]; add.u32 %r7, %r7, %r9; add.u64 %rd4, %rd4, 4; add.u32 %r8, %r8, 1; setp.lt.u32 %p3, %r8, 512;
@%p3 bra LOOP; st.global.u32 [%rd1+4], %r7; ret;"
        );
        shared(16, &body)
    };
    let good = text("membar.gl;", "membar.gl;");
    right(&good, (8, 64), 16 + 512, |at| (at == 1).then_some(512 * 513 / 2));
    races(&text("", "membar.gl;"), (8, 64), 16 + 512);
    races(&text("membar.gl;", ""), (8, 64), 16 + 512);
    races(&text("membar.cta;", "membar.cta;"), (8, 64), 16 + 512);
    // One thread's fence after the barrier stands for its whole block.
    let cumulative = text("", "")
        .replace("atom.global.add.u32", "fence.acq_rel.gpu; atom.global.add.u32")
        .replace("st.shared.u32 [tile], %r6;", "fence.acq_rel.gpu; st.shared.u32 [tile], %r6;");
    right(&cumulative, (8, 64), 16 + 512, |at| (at == 1).then_some(512 * 513 / 2));
    let atomic = text("", "").replace("atom.global.add.u32", "atom.acq_rel.gpu.global.add.u32");
    right(&atomic, (8, 64), 16 + 512, |at| (at == 1).then_some(512 * 513 / 2));
    races(&atomic.replace("acq_rel", "acquire"), (8, 64), 16 + 512);
    races(&atomic.replace("acq_rel", "release"), (8, 64), 16 + 512);
    races(&atomic.replace("acq_rel.gpu", "acq_rel.cta"), (8, 64), 16 + 512);
}

#[test]
fn messages_between_blocks() {
    let text = |send: &str, receive: &str, spin: &str| {
        global(&format!(
            "setp.ne.u32 %p1, %r2, 0; @%p1 bra READ; st.global.v2.u32 [%rd1+8], {{%r3, %r3}}; {send} ret;
READ: {receive} setp.eq.u32 %p2, %r5, 0; @%p2 bra READ; {spin} ld.global.u32 %r6, [%rd1+12]; st.global.u32 [%rd3+16], %r6; ret;"
        ))
    };
    let release = "st.release.gpu.global.u32 [%rd1], 1;";
    let acquire = "ld.acquire.gpu.global.u32 %r5, [%rd1];";
    let (relaxed_st, relaxed_ld) =
        ("st.relaxed.gpu.global.u32 [%rd1], 1;", "ld.relaxed.gpu.global.u32 %r5, [%rd1];");
    let (volatile_st, volatile_ld) =
        ("st.volatile.global.u32 [%rd1], 1;", "ld.volatile.global.u32 %r5, [%rd1];");
    let fence = |st: &str, f: &str| format!("{f} {st}");
    let good = [
        text(release, acquire, ""),
        text(&fence(relaxed_st, "fence.acq_rel.gpu;"), relaxed_ld, "fence.acq_rel.gpu;"),
        text(&fence(volatile_st, "membar.gl;"), volatile_ld, "membar.gl;"),
        text(&fence("red.global.add.u32 [%rd1], 1;", "fence.acq_rel.sys;"), acquire, ""),
        text(
            "red.release.gpu.global.add.u32 [%rd1], 1;",
            "atom.acquire.gpu.global.add.u32 %r5, [%rd1], 0;",
            "",
        ),
        text(release, relaxed_ld, "fence.sc.gpu;"),
        text("st.release.sys.u32 [%rd1], 1;", "ld.acquire.sys.u32 %r5, [%rd1];", ""),
        text("atom.release.gpu.global.exch.b32 %r7, [%rd1], 1;", acquire, ""),
    ];
    for text in &good {
        right(text, (3, 1), 8, |at| (at == 5).then_some(1));
    }
    for text in [
        text(relaxed_st, acquire, ""),
        text(release, relaxed_ld, ""),
        text(volatile_st, volatile_ld, ""),
        text("st.release.cta.global.u32 [%rd1], 1;", acquire, ""),
        text(release, "ld.acquire.cta.global.u32 %r5, [%rd1];", ""),
        text(&fence(relaxed_st, "fence.acq_rel.cta;"), relaxed_ld, "fence.acq_rel.gpu;"),
        // The fence stands behind the flag.
        text(&format!("{relaxed_st} fence.acq_rel.gpu;"), relaxed_ld, "fence.acq_rel.gpu;"),
        // A flag that is read and written plainly.
        text(&fence("st.global.u32 [%rd1], 1;", "fence.acq_rel.gpu;"), relaxed_ld, "fence.acq_rel.gpu;"),
    ] {
        races(&text, (3, 1), 8);
    }
}

#[test]
fn a_message_that_is_handed_on_by_a_third_block() {
    let text = |middle: &str| {
        global(&format!(
            "setp.eq.u32 %p1, %r2, 1; @%p1 bra SECOND; setp.eq.u32 %p1, %r2, 2; @%p1 bra THIRD;
st.global.u32 [%rd1+8], 7; st.release.gpu.global.u32 [%rd1], 1; ret;
SECOND: ld.acquire.gpu.global.u32 %r5, [%rd1]; setp.eq.u32 %p2, %r5, 0; @%p2 bra SECOND; {middle} ret;
THIRD: ld.acquire.gpu.global.u32 %r5, [%rd1+4]; setp.eq.u32 %p2, %r5, 0; @%p2 bra THIRD; ld.global.u32 %r6, [%rd1+8];
st.global.u32 [%rd1+12], %r6; ret;"
        ))
    };
    right(&text("st.release.gpu.global.u32 [%rd1+4], 1;"), (3, 1), 4, |at| (at == 3).then_some(7));
    races(&text("st.relaxed.gpu.global.u32 [%rd1+4], 1;"), (3, 1), 4);
}

#[test]
fn mutual_exclusion_by_flags_and_by_locks() {
    // Dekker's idea: both raise a flag, fence, and look at the other's; at most one goes in.
    let dekker = |data: &str| {
        global(&format!(
            "xor.b32 %r5, %r2, 1; mul.wide.u32 %rd4, %r5, 4; add.u64 %rd4, %rd1, %rd4; st.relaxed.gpu.global.u32 [%rd3], 1; fence.sc.gpu;
ld.relaxed.gpu.global.u32 %r6, [%rd4]; setp.ne.u32 %p1, %r6, 0; @%p1 ret; {data} ret;"
        ))
    };
    right(&dekker("st.global.u32 [%rd1+8], %r2;"), (2, 1), 4, |_| None);
    let lock = |take: &str, give: &str, scope: &str| {
        global(&format!(
            "TRY: atom{take}{scope}.global.cas.b32 %r5, [%rd1], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra TRY;
ld.global.u32 %r6, [%rd1+4]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+4], %r6; atom{give}{scope}.global.exch.b32 %r5, [%rd1], 0; ret;"
        ))
    };
    right(&lock(".acquire", ".release", ".gpu"), (4, 33), 4, |at| (at == 1).then_some(132));
    races(&lock(".relaxed", ".release", ".gpu"), (4, 33), 4);
    races(&lock(".acquire", ".relaxed", ".gpu"), (4, 33), 4);
    races(&lock(".acquire", ".release", ".cta"), (4, 33), 4);
    right(&lock(".acquire", ".release", ".cta"), (1, 70), 4, |at| (at == 1).then_some(70));
    let fences = lock("", "", "")
        .replace("ld.global.u32 %r6", "fence.acq_rel.gpu; ld.global.u32 %r6")
        .replace("atom.global.exch", "fence.acq_rel.gpu; atom.global.exch");
    right(&fences, (4, 33), 4, |at| (at == 1).then_some(132));
    // The lock in shared memory, by a plain volatile store to give it back.
    let spin = "st.shared.u32 [%r18], 0; bar.sync 0;
TRY: atom.acquire.cta.shared.cas.b32 %r5, [tile], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra TRY;
ld.shared.u32 %r6, [tile+4]; add.u32 %r6, %r6, 1; st.shared.u32 [tile+4], %r6; FENCE; st.volatile.shared.u32 [tile], 0; bar.sync 0;
ld.shared.u32 %r6, [tile+4]; st.global.u32 [%rd3], %r6; ret;";
    right(&shared(512, &spin.replace("FENCE", "membar.cta")), (2, 96), 192, |_| Some(96));
    races(&shared(512, &spin.replace("FENCE;", "")), (2, 96), 192);
}

#[test]
fn a_barrier_of_the_grid_used_again_and_again() {
    // Rounds: each block writes its word, all meet, each reads its neighbour's. Word 0 counts arrivals.
    let text = |fence: &str, second: &str| {
        global(&format!(
            "mov.u32 %r5, 0; mov.u32 %r10, 0; add.u32 %r6, %r2, 1; rem.u32 %r6, %r6, 5; mul.wide.u32 %rd4, %r6, 4; add.u64 %rd4, %rd1, %rd4;
mul.wide.u32 %rd5, %r2, 4; add.u64 %rd5, %rd1, %rd5; setp.eq.u32 %p5, %r1, 0;
ROUND: add.u32 %r10, %r10, 5; @%p5 st.global.u32 [%rd5+64], %r10;
bar.sync 0; @!%p5 bra MET; {fence} red.relaxed.gpu.global.add.u32 [%rd1], 1;
SPIN: ld.relaxed.gpu.global.u32 %r8, [%rd1]; setp.lt.u32 %p1, %r8, %r10; @%p1 bra SPIN; {fence}
MET: bar.sync 0; ld.global.u32 %r9, [%rd4+64]; add.u32 %r10, %r10, 5;
{second}
add.u32 %r5, %r5, 1; setp.lt.u32 %p2, %r5, 3; @%p2 bra ROUND; ret;"
        ))
    };
    let again = |fence: &str| {
        format!(
            "bar.sync 0; @!%p5 bra MET2; {fence} red.relaxed.gpu.global.add.u32 [%rd1], 1;
SPIN2: ld.relaxed.gpu.global.u32 %r8, [%rd1]; setp.lt.u32 %p1, %r8, %r10; @%p1 bra SPIN2; {fence}
MET2: bar.sync 0;"
        )
    };
    let fence = "fence.acq_rel.gpu;";
    right(&text(fence, &again(fence)), (5, 64), 32, |at| (at == 0).then_some(30));
    races(&text("", &again("")), (5, 64), 32);
    races(&text(fence, &again("")), (5, 64), 32);
}

#[test]
fn copies_in_two_stages() {
    // Each warp's threads copy word t of stage s and read their neighbour's.
    let text = |wait: &str, first: &str, second: &str| {
        shared(
            512,
            &format!(
                "add.u32 %r5, %r1, 1; and.b32 %r5, %r5, 63; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r19; mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u32 %r8, 0;
cp.async.ca.shared.global [%r18], [%rd3], 4; cp.async.commit_group;
LOOP: add.u32 %r9, %r6, 1; and.b32 %r10, %r9, 1; shl.b32 %r10, %r10, 8; add.u32 %r11, %r18, %r10; setp.lt.u32 %p1, %r9, 6;
@%p1 cp.async.ca.shared.global [%r11], [%rd3], 4; cp.async.commit_group; cp.async.wait_group {wait}; {first}
and.b32 %r12, %r6, 1; shl.b32 %r12, %r12, 8; add.u32 %r12, %r12, %r5; ld.shared.u32 %r13, [%r12]; add.u32 %r7, %r7, %r13; {second}
mov.u32 %r6, %r9; setp.lt.u32 %p2, %r6, 6; @%p2 bra LOOP; st.global.u32 [%rd3+256], %r7; ret;"
            ),
        )
    };
    right(&text("1", "bar.sync 0;", "bar.sync 0;"), (1, 64), 128, |_| Some(0));
    races(&text("2", "bar.sync 0;", "bar.sync 0;"), (1, 64), 128);
    races(&text("1", "", "bar.sync 0;"), (1, 64), 128);
    races(&text("1", "bar.sync 0;", ""), (1, 64), 128);
}

#[test]
fn producers_and_consumers_by_two_named_barriers_each() {
    // Warp 0 fills two buffers in turn, warp 1 empties them: barriers 1 and 2 say full, 3 and 4 say empty.
    let text = |empty: &str, full: &str| {
        shared(
            256,
            &format!(
                "and.b32 %r5, %r1, 31; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r19; mov.u32 %r6, 0; mov.u32 %r7, 0; setp.ge.u32 %p1, %r1, 32;
@%p1 bra CONSUME;
PRODUCE: and.b32 %r8, %r6, 1; shl.b32 %r9, %r8, 7; add.u32 %r9, %r9, %r5; add.u32 %r10, %r8, 3; setp.lt.u32 %p2, %r6, 2;
@%p2 bra FILL; {empty}
FILL: st.shared.u32 [%r9], %r6; add.u32 %r11, %r8, 1; bar.arrive %r11, 64; add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 8; @%p3 bra PRODUCE; ret;
CONSUME: and.b32 %r8, %r6, 1; shl.b32 %r9, %r8, 7; xor.b32 %r14, %r5, 4; add.u32 %r9, %r9, %r14; add.u32 %r11, %r8, 1; {full}
ld.shared.u32 %r12, [%r9]; add.u32 %r7, %r7, %r12; add.u32 %r10, %r8, 3; setp.lt.u32 %p4, %r6, 6; @%p4 bar.arrive %r10, 64;
add.u32 %r6, %r6, 1; setp.lt.u32 %p3, %r6, 8; @%p3 bra CONSUME; st.global.u32 [%rd3], %r7; ret;"
            ),
        )
    };
    let (empty, full) = ("bar.sync %r10, 64;", "bar.sync %r11, 64;");
    right(&text(empty, full), (2, 64), 128, |at| Some(if at % 64 < 32 { 0 } else { 28 }));
    races(&text("", full).replace("@%p4 bar.arrive %r10, 64;", ""), (1, 64), 128);
}

#[test]
fn barriers_with_alternating_numbers_and_whole_block_rounds() {
    let text = |barrier: &str| {
        shared(
            512,
            &format!(
                "mov.u32 %r6, 0; mov.u32 %r7, 0; add.u32 %r5, %r1, 1; rem.u32 %r5, %r5, %r3; shl.b32 %r5, %r5, 2; add.u32 %r5, %r5, %r19;
LOOP: and.b32 %r8, %r6, 1; shl.b32 %r9, %r8, 8; add.u32 %r10, %r9, %r18; st.shared.u32 [%r10], %r6; {barrier}
add.u32 %r11, %r9, %r5; ld.shared.u32 %r12, [%r11]; add.u32 %r7, %r7, %r12; add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 6; @%p1 bra LOOP;
st.global.u32 [%rd3], %r7; ret;"
            ),
        )
    };
    // Two buffers: one barrier in each round is enough.
    for barrier in [
        "bar.sync %r8;",
        "bar.sync 0;",
        "barrier.sync %r8;",
        "bar.sync 1, 64;",
        "bar.red.popc.u32 %r13, 0, %p1;",
    ] {
        let text = text(barrier).replace("mov.u32 %r6, 0;", "mov.u32 %r6, 0; setp.eq.u32 %p1, %r6, 1;");
        right(&text, (2, 40), 80, |_| Some(15));
        right(&text, (2, 64), 128, |_| Some(15));
    }
    races(&text(""), (2, 64), 128);
    races(&text("bar.warp.sync -1;"), (2, 64), 128);
}

#[test]
fn warps_that_work_together_without_barriers() {
    // A reduction by halves in shared memory, one warp.
    let text = |sync: &str| {
        let step = |by: u32| {
            format!(
                "setp.lt.u32 %p1, %r1, {by}; @%p1 ld.shared.u32 %r6, [%r18+{}]; @%p1 add.u32 %r5, %r5, %r6; {sync} @%p1 st.shared.u32 [%r18], %r5; {sync}\n",
                4 * by
            )
        };
        let steps: String = [16, 8, 4, 2, 1].map(step).concat();
        shared(
            128,
            &format!(
                "mov.u32 %r5, %r1; st.shared.u32 [%r18], %r5; {sync}\n{steps} ld.shared.u32 %r7, [tile]; st.global.u32 [%rd3], %r7; ret;"
            ),
        )
    };
    right(&text("bar.warp.sync -1;"), (2, 32), 64, |_| Some(496));
    races(&text(""), (2, 32), 64);
    // A shuffle synchronises lanes and orders no memory; `.volatile` accesses are in no race with one another.
    races(&text("shfl.sync.idx.b32 %r9, %r5, 0, 31, -1;"), (2, 32), 64);
    let halves = shared(
        128,
        "shr.u32 %r5, %r1, 4; mov.u32 %r6, 0xffff; shl.b32 %r7, %r5, 4; shl.b32 %r6, %r6, %r7; xor.b32 %r8, %r1, 15; shl.b32 %r8, %r8, 2;
add.u32 %r8, %r8, %r19; setp.eq.u32 %p1, %r5, 1; @%p1 bra HIGH;
st.shared.u32 [%r18], %r1; bar.warp.sync %r6; ld.shared.u32 %r9, [%r8]; bra JOIN;
HIGH: st.shared.u32 [%r18], %r1; bar.warp.sync %r6; ld.shared.u32 %r9, [%r8];
JOIN: st.global.u32 [%rd3], %r9; ret;",
    );
    right(&halves, (1, 32), 32, |at| Some(at as u32 ^ 15));
    races(&halves.replace("xor.b32 %r8, %r1, 15", "xor.b32 %r8, %r1, 31"), (1, 32), 32);
}
