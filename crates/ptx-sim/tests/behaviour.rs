//! How threads, warps, blocks and memories work together.

mod common;

use common::{findings, kernel, kernel_with, run, sim};
use ptx_sim::{Arg, Buffer, LaunchConfig, LaunchError, LoadError, Options, Sim};

const INDEX: &str =
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;";

/// Runs `k(x)` under several scheduling orders and gives the words of x, which start as zeros and must be the same each time.
fn words(text: &str, grid: u32, block: u32, len: usize) -> Vec<u32> {
    let run_with = |seed: u64| {
        let sim = sim(text, Options::default().seed(seed));
        let x = sim.upload(&vec![0_u32; len]).expect("there is room");
        let found = findings(&sim, grid, block, 0, &[(&x).into()]);
        assert_eq!(found, [], "seed {seed}");
        x.to_vec().expect("it is there")
    };
    let first = run_with(0);
    for seed in [1, 2, 77] {
        assert_eq!(run_with(seed), first, "seed {seed}");
    }
    first
}

/// Far more instructions than turns of a cluster that waits in vain are given.
#[test]
fn a_kernel_that_only_computes_gets_to_its_end() {
    let body = format!(
        "{INDEX}
mov.u32 %r5, 0;
LOOP: add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 1000000; @%p1 bra LOOP;
st.global.u32 [%rd3], %r5; ret;"
    );
    assert_eq!(words(&kernel(".param .u64 x", &body), 1, 1, 1), [1_000_000]);
}

#[test]
fn lanes_part_and_meet_again() {
    // Odd lanes take one arm, even ones the other; the loop runs as often as the lane number says; then all vote.
    let body = format!(
        "{INDEX}
and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; mov.u32 %r6, 0;
@%p1 bra ODD; mov.u32 %r6, 100; bra JOIN;
ODD: mov.u32 %r6, 200;
JOIN: mov.u32 %r7, 0;
LOOP: setp.ge.u32 %p2, %r7, %r1; @%p2 bra DONE; add.u32 %r6, %r6, 1; add.u32 %r7, %r7, 1; bra LOOP;
DONE: vote.sync.ballot.b32 %r8, %p1, -1;
setp.eq.u32 %p3, %r8, 0xaaaaaaaa; selp.u32 %r9, %r6, 0, %p3; st.global.u32 [%rd3], %r9; ret;"
    );
    let want: Vec<u32> = (0..32).map(|t| t + if t % 2 == 1 { 200 } else { 100 }).collect();
    assert_eq!(words(&kernel(".param .u64 x", &body), 1, 32, 32), want);
}

#[test]
fn two_sets_of_lanes_at_one_instruction_wait_for_their_own_only() {
    // Even lanes are there first. Lanes 0 to 7 name one another, and so on by eights; the odd ones come back from further down.
    let body = format!(
        "{INDEX}
and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 1; and.b32 %r6, %r1, 24; shl.b32 %r7, 255, %r6; mov.u32 %r8, %r1; @%p1 bra LATE;
MEET: shfl.sync.bfly.b32 %r9, %r8, 1, 0x1f, %r7; st.global.u32 [%rd3], %r9; ret;
LATE: setp.lt.u32 %p2, %r1, 16; @%p2 bra MORE; bra MEET;
MORE: add.u32 %r8, %r8, 100; bra MEET;"
    );
    let late = |t: u32| if t % 2 == 1 && t < 16 { t + 100 } else { t };
    let want: Vec<u32> = (0..32).map(|t| late(t ^ 1)).collect();
    assert_eq!(words(&kernel(".param .u64 x", &body), 1, 32, 32), want);
}

#[test]
fn a_lock_among_the_lanes_of_a_warp_is_handed_on() {
    let body = format!(
        "{INDEX}
TRY: atom.global.acquire.gpu.cas.b32 %r5, [%rd1], 0, 1; setp.ne.u32 %p1, %r5, 0; @%p1 bra TRY;
ld.global.u32 %r6, [%rd1+4]; add.u32 %r6, %r6, 1; st.global.u32 [%rd1+4], %r6;
atom.global.release.gpu.exch.b32 %r7, [%rd1], 0; ret;"
    );
    assert_eq!(words(&kernel(".param .u64 x", &body), 3, 64, 2), [0, 192]);
}

#[test]
fn blocks_that_wait_for_one_another_make_progress() {
    // A barrier of the whole grid, of more blocks than run at first; then everybody reads what the next block wrote.
    let blocks = 200;
    let body = format!(
        "{INDEX}
st.global.u32 [%rd3+64], %r2; bar.sync 0; setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;
fence.acq_rel.gpu; red.global.relaxed.gpu.add.u32 [%rd1], 1;
SPIN: ld.global.relaxed.gpu.u32 %r5, [%rd1]; setp.lt.u32 %p2, %r5, {blocks}; @%p2 bra SPIN; fence.acq_rel.gpu;
WAIT: bar.sync 0;
add.u32 %r6, %r4, 32; rem.u32 %r6, %r6, {}; mul.wide.u32 %rd5, %r6, 4; add.u64 %rd6, %rd1, %rd5;
ld.global.u32 %r7, [%rd6+64]; bar.sync 0; ret;",
        blocks * 32
    );
    let got = words(&kernel(".param .u64 x", &body), blocks, 32, 16 + 32 * blocks as usize);
    assert_eq!(got[0], blocks);
    assert!(got[16..].iter().enumerate().all(|(i, block)| *block as usize == i / 32));
}

#[test]
fn without_the_fence_the_same_message_is_a_race() {
    let text = |fence: &str| {
        kernel(
            ".param .u64 x",
            &format!(
                "{INDEX}
setp.ne.u32 %p1, %r2, 0; @%p1 bra READ;
st.global.u32 [%rd1], 7; {fence} st.global.relaxed.gpu.u32 [%rd1+4], 1; ret;
READ: ld.global.relaxed.gpu.u32 %r5, [%rd1+4]; setp.eq.u32 %p2, %r5, 0; @%p2 bra READ; {fence}
ld.global.u32 %r6, [%rd1]; ret;"
            ),
        )
    };
    for (fence, races) in [("fence.acq_rel.gpu;", 0), ("", 1), ("fence.acq_rel.cta;", 1)] {
        let sim = sim(&text(fence), Options::default());
        let x = sim.upload(&[0_u32; 2]).expect("there is room");
        assert_eq!(findings(&sim, 2, 1, 0, &[(&x).into()]).len(), races, "{fence}");
    }
}

#[test]
fn named_barriers_join_producers_and_consumers() {
    let body = format!(
        "{INDEX}
mov.u32 %r5, tile; and.b32 %r6, %r1, 31; shl.b32 %r7, %r6, 2; add.u32 %r5, %r5, %r7;
setp.ge.u32 %p1, %r1, 32; @%p1 bra CONSUME;
add.u32 %r8, %r1, 1000; st.shared.u32 [%r5], %r8; bar.arrive 3, 64; ret;
CONSUME: bar.sync 3, 64; ld.shared.u32 %r9, [%r5]; st.global.u32 [%rd3], %r9; ret;"
    );
    let text = kernel_with(".shared .align 4 .b8 tile[128];", ".param .u64 x", &body);
    let want: Vec<u32> = (0..64).map(|t| if t < 32 { 0 } else { 1000 + t - 32 }).collect();
    assert_eq!(words(&text, 1, 64, 64), want);
}

#[test]
fn barriers_reduce() {
    let body = format!(
        "{INDEX}
setp.lt.u32 %p1, %r1, 40; barrier.red.popc.aligned.u32 %r5, 1, %p1; barrier.red.and.aligned.pred %p2, 2, %p1;
barrier.red.or.pred %p3, 2, 64, %p1; selp.u32 %r6, 1000, 0, %p2; selp.u32 %r7, 2000, 0, %p3;
add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; st.global.u32 [%rd3], %r5; ret;"
    );
    assert_eq!(words(&kernel(".param .u64 x", &body), 1, 64, 64), [2040; 64]);
}

#[test]
fn functions_are_called_directly_by_address_and_by_part_of_a_warp() {
    let functions = ".func (.param .b32 r) plus(.param .b32 a, .param .b32 b) { .reg .b32 %t<4>; ld.param.b32 %t1, [a]; \
        ld.param.b32 %t2, [b]; setp.lt.u32 %q, %t1, 8; @%q bra SMALL; add.u32 %t3, %t1, %t2; st.param.b32 [r], %t3; ret; \
        SMALL: st.param.b32 [r], %t2; ret; } \
        .func (.param .b32 r) twice(.param .b32 a, .param .b32 b) { .reg .b32 %t<3>; ld.param.b32 %t1, [a]; \
        add.u32 %t2, %t1, %t1; st.param.b32 [r], %t2; ret; }"
        .replace("setp.lt.u32 %q,", ".reg .pred %q; setp.lt.u32 %q,");
    let body = format!(
        "{INDEX}
and.b32 %r5, %r1, 1; setp.eq.u32 %p1, %r5, 0; mov.u64 %rd5, plus; mov.u64 %rd6, twice; selp.b64 %rd7, %rd5, %rd6, %p1;
{{ .param .b32 p0; .param .b32 p1; .param .b32 q0; st.param.b32 [p0], %r1; st.param.b32 [p1], 1000;
P: .callprototype (.param .b32 _) _ (.param .b32 _, .param .b32 _);
call (q0), %rd7, (p0, p1), P; ld.param.b32 %r6, [q0]; }}
setp.lt.u32 %p2, %r1, 16;
{{ .param .b32 a0; .param .b32 a1; .param .b32 b0; st.param.b32 [a0], %r6; st.param.b32 [a1], 5;
@%p2 call (b0), plus, (a0, a1); @%p2 ld.param.b32 %r6, [b0]; }}
st.global.u32 [%rd3], %r6; ret;"
    );
    let plus = |a: u32, b: u32| if a < 8 { b } else { a + b };
    let want: Vec<u32> = (0..32)
        .map(|t| if t % 2 == 0 { plus(t, 1000) } else { 2 * t })
        .enumerate()
        .map(|(t, v)| if t < 16 { plus(v, 5) } else { v })
        .collect();
    assert_eq!(words(&kernel_with(&functions, ".param .u64 x", &body), 2, 32, 64)[..32], want);
}

#[test]
fn a_function_that_calls_itself_for_ever_or_with_local_variables_is_refused() {
    let text = |local: &str| {
        kernel_with(&format!(".func f() {{ {local} call f, (); ret; }}"), "", "call f, (); ret;")
    };
    let launch = |text: &str| sim(text, Options::default()).launch("k", [1; 3], [1; 3], 0, &[]);
    let error = launch(&text(".local .b32 x;")).expect_err("it is refused");
    assert!(error.to_string().contains("`f` calls itself"), "{error}");
    let error = launch(&text("")).expect_err("it never ends");
    assert!(error.to_string().contains("calls nested deeper than 1024"), "{error}");
}

#[test]
fn tables_and_constants_are_read_by_their_addresses() {
    let declarations = ".const .align 4 .u32 primes[4] = {2, 3, 5, 7}; .global .align 8 .u64 places[2] = {generic(primes)+4, word}; \
        .global .align 4 .b8 word[4] = {1, 2, 0, 0};";
    let body = format!(
        "{INDEX}
T: .branchtargets A, B, C; brx.idx %r1, T;
A: ld.const.u32 %r5, [primes+12]; bra END;
B: ld.global.u64 %rd5, [places]; ld.u32 %r5, [%rd5]; bra END;
C: ld.global.u64 %rd5, [places+8]; ld.global.u32 %r5, [%rd5];
END: st.global.u32 [%rd3], %r5; ret;"
    );
    assert_eq!(words(&kernel_with(declarations, ".param .u64 x", &body), 1, 3, 3), [7, 3, 0x201]);
}

#[test]
fn local_memory_is_each_threads_own_and_generic_addresses_find_every_memory() {
    let body = format!(
        "{INDEX}
.local .align 8 .b8 depot[16];
mov.u64 %rd5, depot; cvta.local.u64 %rd6, %rd5; st.local.u32 [%rd5+4], %r1; st.u32 [%rd6+8], 100;
mov.u64 %rd7, tile; cvta.shared.u64 %rd8, %rd7; mul.wide.u32 %rd9, %r1, 4; add.u64 %rd8, %rd8, %rd9; st.u32 [%rd8], 1000;
isspacep.local %p1, %rd6; isspacep.shared %p2, %rd8; isspacep.global %p3, %rd3; and.pred %p1, %p1, %p2; and.pred %p1, %p1, %p3;
setp.lt.u32 %p4, %r1, 16; selp.u64 %rd10, %rd6, %rd8, %p4; selp.u64 %rd11, 8, 0, %p4; add.u64 %rd10, %rd10, %rd11;
ld.u32 %r5, [%rd10]; ld.local.u32 %r6, [%rd5+4]; add.u32 %r5, %r5, %r6; selp.u32 %r5, %r5, 0, %p1;
st.u32 [%rd3], %r5; ret;"
    );
    let text = kernel_with(".shared .align 4 .b8 tile[256];", ".param .u64 x", &body);
    let want: Vec<u32> = (0..64).map(|t| t + if t < 16 { 100 } else { 1000 }).collect();
    assert_eq!(words(&text, 1, 64, 64), want);
}

#[test]
fn dynamic_shared_memory_has_the_size_of_the_launch() {
    let body = format!(
        "{INDEX}\nmov.u32 %r5, dyn; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6; st.shared.u32 [%r5], %r1; ret;"
    );
    let sim =
        sim(&kernel_with(".extern .shared .align 16 .b8 dyn[];", ".param .u64 x", &body), Options::default());
    let x = sim.upload(&[0_u32]).expect("there is room");
    assert_eq!(findings(&sim, 2, 64, 256, &[(&x).into()]), []);
    let found = findings(&sim, 2, 64, 252, &[(&x).into()]);
    assert!(
        found[0]
            .to_string()
            .contains("4 bytes past the end of the variable dynamic shared memory of 252 bytes"),
        "{}",
        found[0]
    );
    let config = LaunchConfig { shared_bytes: 228 << 10, ..LaunchConfig::default() };
    let params = [x.addr().to_le_bytes().to_vec()];
    let error = sim.module().launch("k", &config, &params).expect_err("too much");
    assert!(matches!(error, LaunchError::SharedBytes { limit: 232_448, .. }), "{error}");
}

#[test]
fn contended_atomics_lose_nothing() {
    let body = format!(
        "{INDEX}
atom.global.add.u32 %r5, [%rd1], 1; red.global.max.u32 [%rd1+4], %r4; atom.global.inc.u32 %r6, [%rd1+8], 9;
mov.u32 %r7, cell; setp.eq.u32 %p1, %r1, 0; @%p1 st.shared.u32 [%r7], 0; bar.sync 0;
atom.shared.add.u32 %r8, [%r7], 2; bar.sync 0; ld.shared.u32 %r9, [%r7]; @%p1 red.global.add.u32 [%rd1+12], %r9; ret;"
    );
    let text = kernel_with(".shared .align 4 .b8 cell[4];", ".param .u64 x", &body);
    assert_eq!(words(&text, 5, 96, 4), [480, 479, 0, 960]);
}

#[test]
fn asynchronous_copies_fill_with_zeros() {
    let body = format!(
        "{INDEX}
mov.u32 %r5, tile; shl.b32 %r6, %r1, 4; add.u32 %r5, %r5, %r6; mul.wide.u32 %rd5, %r1, 16; add.u64 %rd6, %rd1, %rd5;
cp.async.cg.shared.global [%r5], [%rd6], 16, %r1; cp.async.wait_all; ld.shared.v4.u32 {{%r7, %r8, %r9, %r10}}, [%r5];
add.u32 %r7, %r7, %r8; add.u32 %r7, %r7, %r9; add.u32 %r7, %r7, %r10; bar.sync 0; st.global.u32 [%rd3], %r7; ret;"
    );
    let text = kernel_with(".shared .align 16 .b8 tile[512];", ".param .u64 x", &body);
    let sim = sim(&text, Options::default());
    let x = sim.upload(&[0x0101_0101_u32; 128]).expect("there is room");
    run(&sim, 1, 17, &[(&x).into()]);
    let got = x.to_vec().expect("it is there");
    let sum = |bytes: u32| {
        (0..4).map(|w| (0..4).filter(|b| w * 4 + b < bytes).map(|b| 1_u32 << (8 * b)).sum::<u32>()).sum()
    };
    let want: Vec<u32> = (0..17).map(sum).collect();
    assert_eq!(got[..17], want);
}

#[test]
fn a_warp_that_is_not_full_and_three_dimensions() {
    let body = format!(
        "{INDEX}
mov.u32 %r5, %tid.y; mov.u32 %r6, %ntid.x; mad.lo.u32 %r7, %r5, %r6, %r1; mov.u32 %r8, %tid.z; mad.lo.u32 %r7, %r8, 15, %r7;
mov.u32 %r9, %ctaid.z; mad.lo.u32 %r7, %r9, 30, %r7; mul.wide.u32 %rd5, %r7, 4; add.u64 %rd6, %rd1, %rd5;
activemask.b32 %r10; bar.sync 0; st.global.u32 [%rd6], %r10; ret;"
    );
    let sim = sim(&kernel(".param .u64 x", &body), Options::default());
    let x = sim.alloc::<u32>(60).expect("there is room");
    sim.launch("k", [1, 1, 2], [5, 3, 2], 0, &[(&x).into()]).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(x.to_vec().expect("it is there"), [0x3fff_ffff; 60]);
}

#[test]
fn wrong_launches_are_refused_before_anything_runs() {
    let body = format!("{INDEX}\nst.global.u32 [%rd3], %r4;\nret;");
    let text = kernel(".param .u64 x", &body).replace("(.param .u64 x)", "(.param .u64 x) .reqntid 32, 1, 1");
    let sim = sim(&text, Options::default());
    let x: Buffer<u32> = sim.upload(&[5; 32]).expect("there is room");
    let launch = |grid, block, args: &[ptx_sim::Arg]| sim.launch("k", grid, block, 0, args).map(|_| ());
    let one = [1; 3];
    assert!(matches!(launch(one, [64, 1, 1], &[(&x).into()]), Err(LaunchError::Shape { what: "block", .. })));
    assert!(matches!(
        launch([0, 1, 1], [32, 1, 1], &[(&x).into()]),
        Err(LaunchError::Shape { what: "grid", .. })
    ));
    assert!(matches!(launch(one, [32, 1, 1], &[]), Err(LaunchError::ParamCount { want: 1, got: 0, .. })));
    assert!(matches!(
        launch(one, [32, 1, 1], &[7_u32.into()]),
        Err(LaunchError::ParamSize { want: 8, got: 4, .. })
    ));
    let missing = sim.launch("other", one, one, 0, &[]);
    assert!(matches!(missing, Err(LaunchError::NoEntry { .. })), "{missing:?}");
    assert_eq!(x.to_vec().expect("it is there"), [5; 32]);
}

#[test]
fn what_is_not_executed_is_named_with_its_line() {
    let text = kernel("", "tex.1d.v4.s32.f32 {%r1, %r2, %r3, %r4}, [%rd1, {%f1}];\nret;");
    let error =
        sim(&text, Options::default()).launch("k", [1; 3], [1; 3], 0, &[]).expect_err("it is refused");
    assert!(error.to_string().contains(":8:") && error.to_string().contains("tex.1d.v4.s32.f32"), "{error}");
    let unknown = Sim::from_text(&kernel("", "frobnicate.u32 %r1, %r2;\nret;"), Options::default());
    let error = unknown.expect_err("it is refused").to_string();
    assert!(error.contains("frobnicate") && error.contains("line 8"), "{error}");
    // A modifier that is known and does not belong there.
    let error = sim(&kernel("", "add.sat.u32 %r1, %r2, %r3;\nret;"), Options::default())
        .launch("k", [1; 3], [1; 3], 0, &[])
        .expect_err("it is refused");
    assert!(matches!(&error, LaunchError::Load(LoadError::Code { line: 8, .. })), "{error}");
}

#[test]
fn counts_of_planted_cases() {
    let body = format!(
        "{INDEX}
mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.u32 %r7, %r5, %r6; st.shared.u32 [%r7], %r1;
shl.b32 %r8, %r1, 3; add.u32 %r8, %r5, %r8; st.shared.u32 [%r8+2048], %r1; shl.b32 %r9, %r1, 7; add.u32 %r9, %r5, %r9; st.shared.u32 [%r9+4096], %r1;
st.shared.u32 [%r5+8192], 1;
st.global.u32 [%rd3], %r1;
mul.wide.u32 %rd5, %r4, 28; add.u64 %rd6, %rd3, %rd5; st.global.u32 [%rd6+512], %r1; ret;"
    );
    let text = kernel_with(".shared .align 4 .b8 tile[8196];", ".param .u64 x", &body);
    let sim = sim(&text, Options::default().stats(true));
    let x = sim.alloc::<u32>(2048).expect("there is room");
    let report = match sim.launch("k", [1; 3], [32, 1, 1], 0, &[(&x).into()]) {
        Ok(report) => report,
        Err(error) => panic!("{error}"),
    };
    let stats = report.stats.expect("it was asked for");
    let shared: Vec<(u64, u64)> = stats
        .lines
        .iter()
        .filter(|l| l.shared.requests > 0)
        .map(|l| (l.shared.units, l.shared.ideal))
        .collect();
    // Every bank once; every second bank twice; one bank 32 times; one word for all.
    assert_eq!(shared, [(1, 1), (2, 1), (32, 1), (1, 1)]);
    let global: Vec<(u64, u64)> = stats
        .lines
        .iter()
        .filter(|l| l.global.requests > 0)
        .map(|l| (l.global.units, l.global.ideal))
        .collect();
    // A base that is a multiple of 256: four sectors for 128 bytes; a stride of 32 bytes: one for each lane.
    assert_eq!(global, [(4, 4), (32, 4)]);
    assert_eq!(stats.mix()["st.shared.u32"], 4);
    assert_eq!(report.instructions, stats.lines.iter().map(|l| l.threads).sum::<u64>());
    let text = stats.to_string();
    assert!(text.contains("32.00 passes per request") && text.contains("st.shared.u32"), "{text}");
}

#[test]
fn the_same_seed_gives_the_same_run() {
    // Which thread takes a ticket first depends on the order, and on nothing else.
    let text = kernel(
        ".param .u64 x",
        &format!("{INDEX}\natom.global.add.u32 %r5, [%rd1], 1; st.global.u32 [%rd3+4], %r5; ret;"),
    );
    let tickets = |seed: u64| {
        let sim = sim(&text, Options::default().seed(seed));
        let x = sim.upload(&vec![0_u32; 1 + 8 * 128]).expect("there is room");
        run(&sim, 8, 128, &[(&x).into()]);
        x.to_vec().expect("it is there")
    };
    assert_eq!(tickets(5), tickets(5));
    assert_ne!(tickets(5), tickets(6));
    assert_eq!(tickets(0), tickets(0));
}
#[test]
fn fences_between_proxies_are_known() {
    let body = "fence.proxy.async; fence.proxy.async.shared::cta; fence.proxy.async.shared::cluster;
fence.proxy.async.global; fence.proxy.alias; membar.proxy.async; membar.proxy.alias;
fence.proxy.tensormap::generic.release.gpu; ld.param.u64 %rd1, [x];
fence.proxy.tensormap::generic.acquire.cta [%rd1], 128;
ret;";
    run(&sim(&kernel(".param .u64 x", body), Options::default()), 1, 64, &[Arg::from(4096_u64)]);
    let other = kernel("", "fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster; ret;");
    assert!(sim(&other, Options::default()).launch("k", [1; 3], [1; 3], 0, &[]).is_err());
}
