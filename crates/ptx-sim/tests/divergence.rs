//! Lanes that part, end early, call different functions, and meet again.

mod common;

use common::{findings, kernel, kernel_with, sim};
use ptx_sim::{FindingKind, Options};

const INDEX: &str =
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;";

/// Runs `k(x)` of one block in several scheduling orders: no findings, and word t is `want(t)`.
fn right(declarations: &str, body: &str, block: u32, want: impl Fn(u32) -> u32) {
    let text = kernel_with(declarations, ".param .u64 x", &format!("{INDEX}\n{body}"));
    for seed in 0..5 {
        let sim = sim(&text, Options::default().seed(seed).step_limit(1_000_000));
        let x = sim.upload(&vec![0_u32; block as usize]).expect("there is room");
        assert_eq!(findings(&sim, 1, block, 0, &[(&x).into()]), [], "seed {seed}\n{text}");
        let want: Vec<u32> = (0..block).map(&want).collect();
        assert_eq!(x.to_vec().expect("it is there"), want, "seed {seed}\n{text}");
    }
}

#[test]
fn nested_loops_with_break_and_continue() {
    // for i in 0..tid { if i % 3 == 1 continue; for j in 0..i { if j == 5 break; sum += 1 } } then a sum over the warp.
    let body = "mov.u32 %r5, 0; mov.u32 %r6, 0;
OUTER: setp.ge.u32 %p1, %r6, %r1; @%p1 bra DONE; rem.u32 %r7, %r6, 3; setp.eq.u32 %p2, %r7, 1; @%p2 bra NEXT; mov.u32 %r8, 0;
INNER: setp.ge.u32 %p3, %r8, %r6; @%p3 bra NEXT; setp.eq.u32 %p4, %r8, 5; @%p4 bra NEXT; add.u32 %r5, %r5, 1; add.u32 %r8, %r8, 1; bra INNER;
NEXT: add.u32 %r6, %r6, 1; bra OUTER;
DONE: redux.sync.add.u32 %r9, %r5, -1; shl.b32 %r9, %r9, 12; or.b32 %r5, %r5, %r9; st.global.u32 [%rd3], %r5; ret;";
    let own = |t: u32| (0..t).filter(|i| i % 3 != 1).map(|i| i.min(5)).sum::<u32>();
    let all: u32 = (0..32).map(own).sum();
    right("", body, 32, |t| own(t) | all << 12);
}

#[test]
fn nested_branches_meet_before_a_shuffle() {
    let body = "and.b32 %r5, %r1, 3; setp.lt.u32 %p1, %r5, 2; setp.eq.u32 %p2, %r5, 0; setp.eq.u32 %p3, %r5, 2; @%p1 bra LOW;
@%p3 bra TWO; mov.u32 %r6, 300; bra HIGH;
TWO: mov.u32 %r6, 200;
HIGH: add.u32 %r6, %r6, 1; bra MEET;
LOW: @%p2 bra ZERO; mov.u32 %r6, 100; bra MEET;
ZERO: mov.u32 %r6, 0;
MEET: shfl.sync.down.b32 %r7, %r6, 1, 31, -1; st.global.u32 [%rd3], %r7; ret;";
    let own = |t: u32| [0, 100, 201, 301][t as usize % 4];
    right("", body, 32, |t| own(if t == 31 { 31 } else { t + 1 }));
}

#[test]
fn lanes_that_have_ended_are_not_waited_for() {
    // The mask still names those that have ended; nobody reads their values.
    let body = "setp.ge.u32 %p1, %r1, 20; @%p1 exit; shfl.sync.idx.b32 %r5, %r1, 3, 31, -1; vote.sync.ballot.b32 %r6, 1, -1;
bar.warp.sync -1; activemask.b32 %r7; and.b32 %r6, %r6, %r7; add.u32 %r5, %r5, %r6; st.global.u32 [%rd3], %r5; ret;";
    let body = body
        .replace("vote.sync.ballot.b32 %r6, 1,", "setp.lt.u32 %p2, %r1, 100; vote.sync.ballot.b32 %r6, %p2,");
    right("", &body, 32, |t| if t < 20 { 3 + 0xf_ffff } else { 0 });
    // A warp that is not full: its missing lanes count as ended.
    let body = "shfl.sync.bfly.b32 %r5, %r1, 1, 31, -1; bar.sync 0; st.global.u32 [%rd3], %r5; ret;";
    right("", body, 36, |t| t ^ 1);
    // A lane that has ended is read.
    let text = kernel(
        ".param .u64 x",
        &format!(
            "{INDEX}\nsetp.eq.u32 %p1, %r1, 3; @%p1 exit;\nshfl.sync.idx.b32 %r5, %r1, 3, 31, -1;\nret;"
        ),
    );
    let sim = sim(&text, Options::default());
    let x = sim.upload(&[0_u32; 32]).expect("there is room");
    let found = findings(&sim, 1, 32, 0, &[(&x).into()]);
    assert!(
        matches!(found[..], [ref f] if f.kind == FindingKind::ReadsInactiveLane { lane: 3 }),
        "{found:#?}"
    );
}

#[test]
fn an_active_mask_is_written_by_active_lanes_only() {
    let body =
        "mov.u32 %r5, 77; setp.lt.u32 %p1, %r1, 8; @%p1 activemask.b32 %r5; st.global.u32 [%rd3], %r5; ret;";
    right("", body, 32, |t| if t < 8 { 0xff } else { 77 });
}

#[test]
fn bodies_end_without_ret() {
    // The label at the end of a body belongs to it, whatever comes after it.
    let functions = ".func (.reg .b32 %o) f(.reg .b32 %i) { .reg .pred %q; mov.u32 %o, %i; setp.lt.u32 %q, %i, 16; @%q bra END; add.u32 %o, %o, 100; END: } \
        .func (.reg .b32 %o) g(.reg .b32 %i) { mov.u32 %o, 5; }";
    let body = "call (%r5), f, (%r1); st.global.u32 [%rd3], %r5; call (%r6), g, (%r1); add.u32 %r5, %r5, %r6; st.global.u32 [%rd3], %r5;";
    right(functions, body, 32, |t| 5 + if t < 16 { t } else { t + 100 });
}

#[test]
fn functions_are_called_through_a_table_by_each_lane() {
    // `unused` comes first: an address in the table is the same as one in code.
    let one = |name: &str, op: &str| {
        format!(
            ".func (.param .b32 r) {name}(.param .b32 a) {{ .reg .b32 %t; ld.param.b32 %t, [a]; {op} st.param.b32 [r], %t; ret; }} "
        )
    };
    let functions = one("unused", "")
        + &one("plus", "add.u32 %t, %t, 1000;")
        + &one("twice", "add.u32 %t, %t, %t;")
        + &one("all", "redux.sync.add.u32 %t, %t, 0x49249249;")
        + ".global .align 8 .u64 table[3] = {all, twice, plus}; .global .align 8 .u64 outer[1] = {table};";
    let body = "mov.u64 %rd8, outer; ld.global.u64 %rd8, [%rd8]; rem.u32 %r5, %r1, 3; mul.wide.u32 %rd5, %r5, 8; add.u64 %rd6, %rd8, %rd5;
ld.global.u64 %rd7, [%rd6]; { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; P: .callprototype (.param .b32 _) _ (.param .b32 _);
call (b), %rd7, (a), P; ld.param.b32 %r6, [b]; } shfl.sync.bfly.b32 %r6, %r6, 1, 31, -1; st.global.u32 [%rd3], %r6; ret;";
    let all: u32 = (0..32).step_by(3).sum();
    let own = |t: u32| [all, 2 * t, t + 1000][t as usize % 3];
    right(&functions, body, 32, |t| own(t ^ 1));
    // The same address taken in code.
    let code = "mov.u64 %rd7, plus; mov.u64 %rd8, table; ld.global.u64 %rd9, [%rd8+16]; setp.eq.u64 %p1, %rd7, %rd9; selp.u32 %r5, 1, 0, %p1;
st.global.u32 [%rd3], %r5; ret;";
    right(&functions, code, 32, |_| 1);
}

#[test]
fn variables_of_two_functions_with_one_name_are_two() {
    let one = |name: &str, add: u32| {
        format!(
            ".func {name}(.reg .b32 %i) {{ .shared .align 4 .b8 tmp[128]; .reg .b32 %a, %v; shl.b32 %a, %i, 2; mov.u32 %v, tmp; add.u32 %a, %a, %v; \
        add.u32 %v, %i, {add}; st.shared.u32 [%a], %v; ret; }} "
        )
    };
    let functions = one("f", 100)
        + &one("g", 200)
        + ".func (.reg .b32 %o) h(.reg .b32 %i) { .shared .align 4 .b8 tmp[4]; .reg .pred %q; setp.eq.u32 %q, %i, 0; @%q st.shared.u32 [tmp], 7; bar.sync 0; ld.shared.u32 %o, [tmp]; ret; }";
    let body = "call f, (%r1); call g, (%r1); call (%r5), h, (%r1); st.global.u32 [%rd3], %r5; ret;";
    right(&functions, body, 32, |_| 7);
}

#[test]
fn registers_of_128_bits_go_where_narrower_ones_do() {
    // Stored and loaded as a whole, by halves and by single bytes.
    let body = "mov.b64 %rd5, 0x1122334455667788; mov.b64 %rd6, 0x99aabbccddeeff00; .reg .b128 %q<3>; .local .align 16 .b8 own[32];
mov.b128 %q1, {%rd5, %rd6}; st.local.b128 [own], %q1; st.local.u64 [own+16], %q1; st.local.u64 [own+24], %rd6; ld.local.b128 %q2, [own+16];
mov.b128 {%rd7, %rd8}, %q2; setp.eq.u64 %p1, %rd7, %rd5; setp.eq.and.u64 %p2, %rd8, %rd6, %p1; ld.local.v2.b64 {%rd9, %rd10}, [own];
setp.eq.and.u64 %p3, %rd9, %rd5, %p2; setp.eq.and.u64 %p4, %rd10, %rd6, %p3; ld.local.s8 %q2, [own+15]; mov.b128 {%rd7, %rd8}, %q2;
cvt.u32.u64 %r5, %rd7; cvt.u32.u64 %r6, %rd8; and.b32 %r5, %r5, %r6; selp.u32 %r5, %r5, 0, %p4; st.global.u32 [%rd3], %r5; ret;";
    right("", body, 32, |_| 0xffff_ff99);
}

#[test]
fn barriers_count_whole_warps_of_a_block_that_is_not_full() {
    let body = "setp.lt.u32 %p1, %r1, 34; bar.red.popc.u32 %r5, 0, %p1; bar.sync 3, 64; barrier.red.and.pred %p2, 0, %p1; barrier.red.or.pred %p3, 1, 64, !%p1;
selp.u32 %r6, 100, 0, %p2; selp.u32 %r7, 1000, 0, %p3; add.u32 %r5, %r5, %r6; add.u32 %r5, %r5, %r7; st.global.u32 [%rd3], %r5; ret;";
    right("", body, 40, |_| 1034);
    right("", body, 33, |_| 133);
}

#[test]
fn a_barrier_that_stands_before_the_code_that_leads_to_it() {
    // Rounds that end with a barrier; half of each warp comes to it straight, the others from code that stands behind it. A
    // warp's turn may end at any instruction, also with the second half's at the barrier.
    let body = "mov.u32 %r5, 0; bra ROUND;
MEET: bar.sync 0; add.u32 %r5, %r5, 1; setp.eq.u32 %p2, %r5, 200; @%p2 bra DONE;
ROUND: and.b32 %r6, %r1, 1; setp.eq.u32 %p1, %r6, 0; @%p1 bra MEET; rem.u32 %r7, %r5, 5;
LATE: setp.eq.u32 %p3, %r7, 0; @%p3 bra MEET; sub.u32 %r7, %r7, 1; bra LATE;
DONE: st.global.u32 [%rd3], %r5; ret;";
    right("", body, 96, |_| 200);
}
