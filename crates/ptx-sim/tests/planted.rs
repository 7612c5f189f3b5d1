//! One kernel for each kind of fault: it is found, with the right block, thread and line, and in the same kernel without the
//! fault nothing is.

mod common;

use common::{FIRST_LINE, findings, kernel, kernel_with, sim};
use ptx_sim::{Arg, Finding, FindingKind, Options, Sim, Use};

/// Every scheduling order finds it at the same place.
const SEEDS: [u64; 3] = [0, 1, 99];

/// Where a fault is expected: block, thread, line of the body from 0.
type At = (u32, u32, u32);

fn check(
    text: &str,
    (grid, block): (u32, u32),
    args: impl Fn(&Sim) -> Vec<Arg>,
    at: Option<At>,
    kind: impl Fn(&FindingKind) -> bool,
) -> Vec<Finding> {
    let mut last = Vec::new();
    for seed in SEEDS {
        let sim = sim(text, Options::default().seed(seed));
        let found = findings(&sim, grid, block, 0, &args(&sim));
        match at {
            None => assert_eq!(found, [], "seed {seed}"),
            Some((b, t, line)) => {
                let place = |f: &Finding| (f.place.block, f.place.thread, f.place.line);
                let want = ([b, 0, 0], [t, 0, 0], FIRST_LINE + line);
                assert!(
                    found.iter().any(|f| place(f) == want && kind(&f.kind)),
                    "seed {seed}, want {want:?}: {found:#?}"
                );
            }
        }
        last = found;
    }
    last
}

/// Leaks a buffer: it stays until the device goes.
fn buffer(sim: &Sim, len: usize) -> Arg {
    let buffer = sim.upload(&vec![1_u32; len]).expect("there is room");
    let arg = Arg::from(&buffer);
    std::mem::forget(buffer);
    arg
}

const INDEX: &str =
    "ld.param.u64 %rd1, [x]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x;
mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4; add.u64 %rd3, %rd1, %rd2;";

#[test]
fn out_of_bounds_by_one() {
    let text = kernel(".param .u64 x", &format!("{INDEX}\nst.global.u32 [%rd3], %r4;\nret;"));
    check(&text, (2, 64), |s| vec![buffer(s, 128)], None, |_| true);
    let found = check(
        &text,
        (2, 64),
        |s| vec![buffer(s, 127)],
        Some((1, 63, 2)),
        |k| matches!(k, FindingKind::OutOfBounds(o) if o.write && o.bytes == 4),
    );
    let message = found[0].to_string();
    assert!(message.contains("block (1, 0, 0), thread (63, 0, 0), PTX line 10"), "{message}");
    assert!(message.contains("4 bytes past the end of the allocation of 508 bytes"), "{message}");
}

#[test]
fn misaligned_vector_load() {
    let text = |offset: u32| {
        let load = format!("ld.global.v4.u32 {{%r5, %r6, %r7, %r8}}, [%rd1+{offset}];");
        kernel(".param .u64 x", &format!("{INDEX}\n{load}\nst.global.u32 [%rd1+128], %r5;\nret;"))
    };
    check(&text(16), (1, 1), |s| vec![buffer(s, 64)], None, |_| true);
    check(
        &text(8),
        (1, 3),
        |s| vec![buffer(s, 64)],
        Some((0, 0, 2)),
        |k| matches!(k, FindingKind::Misaligned { bytes: 16, write: false, .. }),
    );
}

#[test]
fn uninitialised_shared_read() {
    let text = |last: u32| {
        let body = format!(
            "{INDEX}
mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6; setp.lt.u32 %p1, %r1, {last};
@%p1 st.shared.u32 [%r5], %r1;
bar.sync 0;
ld.shared.u32 %r7, [%r5];
st.global.u32 [%rd3], %r7;
ret;"
        );
        kernel_with(".shared .align 4 .b8 tile[256];", ".param .u64 x", &body)
    };
    check(&text(64), (3, 64), |s| vec![buffer(s, 192)], None, |_| true);
    let undefined = |k: &FindingKind| *k == FindingKind::Undefined(Use::Store);
    check(&text(63), (1, 64), |s| vec![buffer(s, 192)], Some((0, 63, 6)), undefined);
}

#[test]
fn undefined_address_and_predicate() {
    let address = kernel(
        ".param .u64 x",
        &format!("{INDEX}\nadd.u64 %rd5, %rd1, %rd6;\nld.global.u32 %r5, [%rd5];\nret;"),
    );
    check(
        &address,
        (1, 1),
        |s| vec![buffer(s, 1)],
        Some((0, 0, 3)),
        |k| *k == FindingKind::Undefined(Use::Address),
    );
    let predicate =
        kernel(".param .u64 x", &format!("{INDEX}\nsetp.eq.u32 %p1, %r9, 0;\n@%p1 bra L;\nL: ret;"));
    check(
        &predicate,
        (1, 40),
        |s| vec![buffer(s, 1)],
        Some((0, 0, 3)),
        |k| *k == FindingKind::Undefined(Use::Predicate),
    );
    // A bit that is known decides.
    let known = kernel(
        ".param .u64 x",
        &format!("{INDEX}\nor.b32 %r5, %r9, 1;\nand.b32 %r6, %r5, 1;\nst.global.u32 [%rd3], %r6;\nret;"),
    );
    check(&known, (1, 40), |s| vec![buffer(s, 40)], None, |_| true);
}

/// Thread t writes word t, and reads word t + 1 (of 64).
fn exchange(barrier: &str) -> String {
    let body = format!(
        "{INDEX}
mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.u32 %r7, %r5, %r6; add.u32 %r8, %r6, 4; and.b32 %r8, %r8, 255; add.u32 %r8, %r5, %r8;
st.shared.u32 [%r7], %r1;
{barrier}
ld.shared.u32 %r9, [%r8];
st.global.u32 [%rd3], %r9;
ret;"
    );
    kernel_with(".shared .align 4 .b8 tile[256];", ".param .u64 x", &body)
}

#[test]
fn shared_race() {
    check(&exchange("bar.sync 0;"), (2, 64), |s| vec![buffer(s, 128)], None, |_| true);
    // Whoever comes second is reported: a reader of what was written, or a writer of what was read.
    let text = exchange("");
    for seed in SEEDS {
        let sim = sim(&text, Options::default().seed(seed));
        let found = findings(&sim, 2, 64, 0, &[buffer(&sim, 128)]);
        let races: Vec<&Finding> = found.iter().filter(|f| matches!(f.kind, FindingKind::Race(_))).collect();
        assert!(!races.is_empty(), "seed {seed}: {found:#?}");
        for race in races {
            assert!([FIRST_LINE + 3, FIRST_LINE + 5].contains(&race.place.line), "{race}");
            let FindingKind::Race(conflict) = &race.kind else { continue };
            assert!([FIRST_LINE + 3, FIRST_LINE + 5].contains(&conflict.earlier.line), "{race}");
            assert_ne!(conflict.earlier.thread, race.place.thread[0], "{race}");
        }
    }
}

#[test]
fn a_write_after_the_arrival_is_a_race() {
    // Warp 0 fills the tile and arrives; warp 1 waits for it and reads.
    let text = |before: &str, after: &str| {
        let body = format!(
            "{INDEX}
mov.u32 %r5, tile; and.b32 %r6, %r1, 31; shl.b32 %r7, %r6, 2; add.u32 %r5, %r5, %r7; setp.ge.u32 %p1, %r1, 32; @%p1 bra READ;
{before}
bar.arrive 1, 64;
{after}
ret;
READ: bar.sync 1, 64;
ld.shared.u32 %r9, [%r5];
st.global.u32 [%rd3], %r9; ret;"
        );
        kernel_with(".shared .align 4 .b8 tile[128];", ".param .u64 x", &body)
    };
    let write = "st.shared.u32 [%r5], %r1;";
    check(&text(write, ""), (1, 64), |s| vec![buffer(s, 64)], None, |_| true);
    let both = text(write, write);
    let race = |k: &FindingKind| matches!(k, FindingKind::Race(_));
    let found = |seed| {
        let sim = sim(&both, Options::default().seed(seed));
        findings(&sim, 1, 64, 0, &[buffer(&sim, 64)])
    };
    assert!((0..8).all(|seed| found(seed).iter().any(|f| race(&f.kind))), "{:#?}", found(0));
}

#[test]
fn global_race() {
    // Every block writes word tid: blocks race, one block alone does not.
    let text = kernel(
        ".param .u64 x",
        &format!(
            "{INDEX}\nmul.wide.u32 %rd5, %r1, 4;\nadd.u64 %rd6, %rd1, %rd5;\nst.global.u32 [%rd6], %r2;\nret;"
        ),
    );
    check(&text, (1, 64), |s| vec![buffer(s, 64)], None, |_| true);
    for threads in [1, 2] {
        let sim = sim(&text, Options::default().threads(threads));
        let found = findings(&sim, 3, 64, 0, &[buffer(&sim, 64)]);
        let race = |f: &Finding| matches!(&f.kind, FindingKind::Race(c) if c.write && c.earlier.block != f.place.block[0]);
        assert!(found.iter().any(|f| race(f) && f.place.line == FIRST_LINE + 4), "{found:#?}");
    }
}

#[test]
fn divergent_barrier() {
    let text = |limit: u32| {
        let body = format!(
            "{INDEX}\nsetp.lt.u32 %p1, %r1, {limit};\n@!%p1 bra END;\nbar.sync 0;\nst.global.u32 [%rd3], %r1;\nEND: ret;"
        );
        kernel(".param .u64 x", &body)
    };
    check(&text(64), (2, 64), |s| vec![buffer(s, 128)], None, |_| true);
    // A part of a warp, and a whole warp, that end before it.
    for (limit, missing) in [(40, 40), (32, 32)] {
        let found = check(
            &text(limit),
            (1, 64),
            |s| vec![buffer(s, 128)],
            Some((0, missing, 4)),
            |k| matches!(k, FindingKind::DivergentBarrier { barrier: 0, expected: 64, .. }),
        );
        assert!(found[0].to_string().contains("have ended"), "{}", found[0]);
    }
}

#[test]
fn two_barriers_in_two_branches() {
    let body = format!(
        "{INDEX}\nsetp.lt.u32 %p1, %r1, 16;\n@!%p1 bra ELSE;\nbar.sync 0;\nbra END;\nELSE: bar.sync 0;\nEND: ret;"
    );
    let text = kernel(".param .u64 x", &body);
    let divergent = |k: &FindingKind| matches!(k, FindingKind::DivergentBarrier { barrier: 0, .. });
    check(&text, (1, 32), |s| vec![buffer(s, 32)], Some((0, 0, 4)), divergent);
    check(&text, (1, 32), |s| vec![buffer(s, 32)], Some((0, 16, 6)), divergent);
    // By whole warps it is one barrier, whichever instruction it is reached by.
    let whole = text.replace("%r1, 16", "%r1, 32");
    check(&whole, (1, 64), |s| vec![buffer(s, 32)], None, |_| true);
}

#[test]
fn two_counts_at_one_barrier() {
    let body =
        format!("{INDEX}\nsetp.lt.u32 %p1, %r1, 32;\nselp.u32 %r5, 64, 96, %p1;\nbarrier.sync 1, %r5;\nret;");
    let text = kernel(".param .u64 x", &body);
    let sim = sim(&text, Options::default());
    let found = findings(&sim, 1, 96, 0, &[buffer(&sim, 1)]);
    let kind = FindingKind::BarrierCount { barrier: 1, count: 96, earlier: 64 };
    assert!(found.len() == 1 && found[0].kind == kind && found[0].place.line == FIRST_LINE + 4, "{found:#?}");
}

#[test]
fn bad_shuffle_mask() {
    let text = |limit: u32, mask: &str| {
        let body = format!(
            "{INDEX}\nsetp.lt.u32 %p1, %r1, {limit};\n@!%p1 bra WAIT;\nshfl.sync.bfly.b32 %r5, %r1, 1, 31, {mask};\nst.global.u32 [%rd3], %r5;\nWAIT: bar.warp.sync -1;\nret;"
        );
        kernel(".param .u64 x", &body)
    };
    check(&text(32, "-1"), (1, 32), |s| vec![buffer(s, 32)], None, |_| true);
    check(&text(16, "0xffff"), (1, 32), |s| vec![buffer(s, 32)], None, |_| true);
    // Lanes 16 to 31 are named and wait elsewhere.
    check(
        &text(16, "-1"),
        (1, 32),
        |s| vec![buffer(s, 32)],
        Some((0, 0, 4)),
        |k| matches!(k, FindingKind::InactiveLane { mask: u32::MAX, lane: 16, .. }),
    );
    // Lane 15 executes it and is not named.
    check(
        &text(16, "0x7fff"),
        (1, 32),
        |s| vec![buffer(s, 32)],
        Some((0, 15, 4)),
        |k| matches!(k, FindingKind::LaneNotInMask { mask: 0x7fff, lane: 15 }),
    );
}

#[test]
fn a_vote_with_a_lane_that_waits_elsewhere() {
    let body = format!(
        "{INDEX}\nsetp.lt.u32 %p1, %r1, 16;\n@!%p1 bra WAIT;\nvote.sync.ballot.b32 %r5, %p1, -1;\nWAIT: bar.sync 0;\nret;"
    );
    check(
        &kernel(".param .u64 x", &body),
        (1, 32),
        |s| vec![buffer(s, 32)],
        Some((0, 0, 4)),
        |k| matches!(k, FindingKind::InactiveLane { mask: u32::MAX, lane: 16, .. }),
    );
}

#[test]
fn early_async_read() {
    let text = |wait: &str| {
        let body = format!(
            "{INDEX}
mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6;
cp.async.ca.shared.global [%r5], [%rd3], 4;
cp.async.commit_group;
{wait}
ld.shared.u32 %r7, [%r5];
st.global.u32 [%rd3], %r7;
ret;"
        );
        kernel_with(".shared .align 16 .b8 tile[256];", ".param .u64 x", &body)
    };
    check(&text("cp.async.wait_group 0;"), (2, 64), |s| vec![buffer(s, 128)], None, |_| true);
    check(&text("cp.async.wait_all;"), (2, 64), |s| vec![buffer(s, 128)], None, |_| true);
    for wait in ["cp.async.wait_group 1;", ""] {
        let early = |k: &FindingKind| matches!(k, FindingKind::EarlyAsyncRead(_));
        check(&text(wait), (1, 64), |s| vec![buffer(s, 128)], Some((0, 0, 6)), early);
    }
}

#[test]
fn a_cause_is_told_though_its_effects_fill_the_list() {
    let stores = "st.global.u32 [%rd3], %r7;\n".repeat(100);
    let body = format!(
        "{INDEX}
mov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.u32 %r5, %r5, %r6;
cp.async.ca.shared.global [%r5], [%rd3], 4;
ld.shared.u32 %r7, [%r5];
{stores}ret;"
    );
    let text = kernel_with(".shared .align 16 .b8 tile[256];", ".param .u64 x", &body);
    let early = |k: &FindingKind| matches!(k, FindingKind::EarlyAsyncRead(_));
    check(&text, (1, 64), |s| vec![buffer(s, 128)], Some((0, 0, 4)), early);
}

#[test]
fn endless_loop() {
    let text = kernel(".param .u64 x", &format!("{INDEX}\nL: add.u32 %r5, %r1, 1;\nbra L;\nret;"));
    let sim = sim(&text, Options::default().step_limit(10_000));
    let found = findings(&sim, 1, 32, 0, &[buffer(&sim, 32)]);
    assert_eq!(found.len(), 1, "{found:#?}");
    assert_eq!(found[0].kind, FindingKind::StepLimit { limit: 10_000 });
    assert!([FIRST_LINE + 2, FIRST_LINE + 3].contains(&found[0].place.line));
}

#[test]
fn write_to_what_is_read_through_nc() {
    let text = |load: &str| {
        kernel(".param .u64 x", &format!("{INDEX}\n{load} %r5, [%rd3];\nst.global.u32 [%rd3], %r5;\nret;"))
    };
    check(&text("ld.global.u32"), (2, 32), |s| vec![buffer(s, 64)], None, |_| true);
    check(
        &text("ld.global.nc.u32"),
        (1, 32),
        |s| vec![buffer(s, 64)],
        Some((0, 0, 3)),
        |k| matches!(k, FindingKind::WriteOfNcRead(_)),
    );
}

#[test]
fn division_by_zero() {
    let text = kernel(
        ".param .u64 x",
        &format!("{INDEX}\nsub.u32 %r5, %r1, 7;\ndiv.u32 %r6, %r3, %r5;\nst.global.u32 [%rd3], %r6;\nret;"),
    );
    check(&text, (1, 32), |s| vec![buffer(s, 64)], Some((0, 7, 3)), |k| *k == FindingKind::DivisionByZero);
    check(&text, (1, 7), |s| vec![buffer(s, 64)], None, |_| true);
}

#[test]
fn trap_and_calls_to_nowhere() {
    let trap = kernel(".param .u64 x", &format!("{INDEX}\nsetp.eq.u32 %p1, %r1, 5;\n@%p1 trap;\nret;"));
    check(&trap, (1, 32), |s| vec![buffer(s, 1)], Some((0, 5, 3)), |k| *k == FindingKind::Trap);
    let table = kernel(
        ".param .u64 x",
        &format!("{INDEX}\nT: .branchtargets A, B;\nbrx.idx %r1, T;\nA: ret;\nB: ret;"),
    );
    check(
        &table,
        (1, 3),
        |s| vec![buffer(s, 1)],
        Some((0, 2, 3)),
        |k| *k == FindingKind::BranchIndex { index: 2, len: 2 },
    );
    check(&table, (1, 2), |s| vec![buffer(s, 1)], None, |_| true);
}

#[test]
fn the_rust_line_is_told_where_the_ptx_has_line_tables() {
    let body = format!("{INDEX}\n.loc 1 42 5\nst.global.u32 [%rd3+4], %r1;\nret;");
    let text = kernel(".param .u64 x", &body) + ".file 1 \"src/k.rs\"\n";
    let sim = sim(&text, Options::default());
    let found = findings(&sim, 1, 32, 0, &[buffer(&sim, 32)]);
    let rust = found[0].place.rust.as_ref().expect("there is a line table");
    assert_eq!((rust.file.as_str(), rust.line), ("src/k.rs", 42));
    assert!(found[0].to_string().contains("(src/k.rs:42)"), "{}", found[0]);
}

#[test]
fn freed_memory_is_named_as_such() {
    let text = kernel(
        ".param .u64 x",
        &format!("{INDEX}\nld.global.u32 %r5, [%rd3];\nst.global.u32 [%rd3], %r5;\nret;"),
    );
    let sim = sim(&text, Options::default());
    let freed = Arg::from(&sim.upload(&[1_u32; 32]).expect("there is room"));
    let found = findings(&sim, 1, 32, 0, &[freed]);
    assert!(found[0].to_string().contains("freed"), "{}", found[0]);
}
