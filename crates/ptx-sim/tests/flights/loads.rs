//! Bulk copies from global to shared memory, told to a barrier object.

use ptx_sim::FindingKind;

use super::{PARAMS, Program, START, is_early, is_object, numbers};

const MEMORY: &str = ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b8 bar[32];";

/// One copy of 512 bytes, read by 128 threads.
fn one() -> Program {
    let body = format!(
        "{START}
@%p1 mbarrier.init.shared.b64 [bar], 1; //init
@%p1 fence.mbarrier_init.release.cluster;
bar.sync 0; //sync
@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512; //expect
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd1], 512, [bar]; //copy
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; //wait
@!%p2 bra W; //again
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3;
ld.shared.u32 %r4, [%r2]; //read
st.global.u32 [%rd3], %r4;
ret;"
    );
    Program::new(MEMORY, PARAMS, 128, &body)
}

#[test]
fn a_copy_arrives() {
    let x = numbers(128);
    one().gives(&x, &x);
    let polled =
        one().with("wait", "W: mbarrier.test_wait.parity.acquire.cta.shared::cta.b64 %p2, [bar], 0;");
    polled.gives(&x, &x);
}

#[test]
fn a_missing_wait_is_found_where_it_is_read() {
    let x = numbers(128);
    one().without("again").fails(&x, 128, "read", is_early);
    one().with("wait", "W: setp.eq.u32 %p2, %r1, %r1;").fails(&x, 128, "read", is_early);
    // Both lines are named.
    let found = one().without("again").run(0, &x, 128).expect_err("it is found");
    let copy = one().line("copy");
    assert!(
        found.iter().any(|f| matches!(&f.kind, FindingKind::EarlyAsyncRead(c) if c.earlier.line == copy))
    );
}

#[test]
fn a_wrong_parity_is_found_where_it_is_read() {
    let wrong = one().with("wait", "W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 1;");
    wrong.fails(&numbers(128), 128, "read", is_early);
}

#[test]
fn wrong_sizes_are_found() {
    let x = numbers(128);
    let expect = |bytes: u32| {
        one().with("expect", &format!("@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {bytes};"))
    };
    expect(496).fails(&x, 128, "copy", |kind| is_object(kind, "16 bytes more"));
    expect(528).fails(&x, 128, "wait", |kind| is_object(kind, "0 arrivals and 16 bytes are missing"));
    let copy = |what: &str| {
        let name = "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
        one().with("copy", &format!("@%p1 {name} {what}, [bar];"))
    };
    let bad = |kind: &FindingKind| matches!(kind, FindingKind::BadBulkCopy { .. });
    copy("[tile], [%rd1], 504").fails(&x, 128, "copy", bad);
    copy("[tile+8], [%rd1], 512").fails(&x, 128, "copy", bad);
    copy("[tile], [%rd1+4], 512").fails(&x, 128, "copy", bad);
    let outside = |kind: &FindingKind| matches!(kind, FindingKind::OutOfBounds(_));
    copy("[tile], [%rd1+16], 512").fails(&x, 128, "copy", outside);
    copy("[tile+528], [%rd1], 512").fails(&x, 128, "copy", outside);
}

#[test]
fn nobody_may_use_an_object_before_it_is_known_to_be_there() {
    let x = numbers(128);
    for seed in super::SEEDS {
        let found = one().without("init").run(seed, &x, 128).expect_err("it is found");
        assert!(found.iter().any(|f| is_object(&f.kind, "before mbarrier.init")), "{found:#?}");
    }
    let race = |kind: &FindingKind| is_object(kind, "nothing orders") || is_object(kind, "before");
    let unordered = one().without("sync");
    for seed in super::SEEDS {
        let found = unordered.run(seed, &x, 128).expect_err("it is found");
        assert!(found.iter().any(|f| race(&f.kind)), "{found:#?}");
    }
}

/// Four stages of 128 bytes through two buffers: warp 0 copies, warp 1 reads.
fn ring() -> Program {
    let body = format!(
        "{START}
@%p1 mbarrier.init.shared.b64 [bar], 1;
@%p1 mbarrier.init.shared.b64 [bar+8], 1;
@%p1 mbarrier.init.shared.b64 [bar+16], 32; //empty
@%p1 mbarrier.init.shared.b64 [bar+24], 32;
bar.sync 0;
mov.u32 %r5, 0; setp.ge.u32 %p3, %r1, 32; @%p3 bra READ;
@!%p1 bra DONE;
COPY: and.b32 %r6, %r5, 1; shr.u32 %r7, %r5, 1; mov.u32 %r8, bar; shl.b32 %r9, %r6, 3; add.u32 %r8, %r8, %r9;
and.b32 %r10, %r7, 1; xor.b32 %r10, %r10, 1;
E: mbarrier.try_wait.parity.shared.b64 %p2, [%r8+16], %r10; //free
@!%p2 bra E; //until
mbarrier.arrive.expect_tx.shared.b64 _, [%r8], 128; //expect
mov.u32 %r11, tile; shl.b32 %r12, %r6, 7; add.u32 %r11, %r11, %r12;
cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r11], [%rd1], 128, [%r8]; //copy
add.u64 %rd1, %rd1, 128; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 4; @%p4 bra COPY;
DONE: ret;
READ: and.b32 %r6, %r5, 1; shr.u32 %r7, %r5, 1; mov.u32 %r8, bar; shl.b32 %r9, %r6, 3; add.u32 %r8, %r8, %r9;
and.b32 %r10, %r7, 1;
F: mbarrier.try_wait.parity.shared.b64 %p2, [%r8], %r10; //full
@!%p2 bra F;
mov.u32 %r11, tile; shl.b32 %r12, %r6, 7; add.u32 %r11, %r11, %r12;
sub.u32 %r13, %r1, 32; shl.b32 %r13, %r13, 2; add.u32 %r11, %r11, %r13;
ld.shared.u32 %r14, [%r11]; //read
mbarrier.arrive.shared.b64 %rd9, [%r8+16]; //release
st.global.u32 [%rd3+-128], %r14;
add.u64 %rd3, %rd3, 128; add.u32 %r5, %r5, 1; setp.lt.u32 %p4, %r5, 4; @%p4 bra READ;
ret;"
    );
    Program::new(MEMORY, PARAMS, 64, &body)
}

#[test]
fn a_ring_of_two_stages_hands_everything_over() {
    let x = numbers(128);
    ring().gives(&x, &x);
}

#[test]
fn a_stage_that_is_overwritten_too_early_is_found() {
    let x = numbers(128);
    for seed in super::SEEDS {
        let found = ring().without("until").run(seed, &x, 128).expect_err("it is found");
        let lines = ["copy", "read", "expect"].map(|tag| ring().line(tag));
        // The next arrival may come before the last phase is complete.
        let there = |kind: &FindingKind| {
            is_early(kind) || matches!(kind, FindingKind::Race(_)) || is_object(kind, "arrivals where")
        };
        let any = found.iter().any(|f| lines.contains(&f.place.line) && there(&f.kind));
        assert!(any, "seed {seed}: {}", super::listed(&found));
    }
    // An arrival before the read says nothing of it.
    let early = ring()
        .with("full", "F: mbarrier.try_wait.parity.shared.b64 %p2, [%r8], %r10;")
        .with("release", "mbarrier.arrive.relaxed.cta.shared.b64 %rd9, [%r8+16];");
    for seed in super::SEEDS {
        let found = early.run(seed, &x, 128).expect_err("it is found");
        let race = |f: &ptx_sim::Finding| {
            matches!(f.kind, FindingKind::Race(_)) && f.place.line == ring().line("copy")
        };
        assert!(found.iter().any(race), "seed {seed}: {}", super::listed(&found));
    }
}

#[test]
fn a_block_must_not_end_before_its_copies() {
    let gone = one().with("wait", "W: ret;");
    gone.fails(&numbers(128), 128, "copy", |kind| matches!(kind, FindingKind::ExitBeforeCopy));
}

#[test]
fn cp_async_arrives_when_its_copies_are_done() {
    let body = |arrive: &str, count: u32| {
        format!(
            "{START}
@%p1 mbarrier.init.shared.b64 [bar], {count};
bar.sync 0;
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; add.u64 %rd5, %rd1, %rd4;
cp.async.ca.shared.global [%r2], [%rd5], 4;
{arrive}
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W; //again
xor.b32 %r2, %r2, 4; ld.shared.u32 %r4, [%r2]; //read
st.global.u32 [%rd3], %r4;
ret;"
        )
    };
    let x = numbers(64);
    let want: Vec<u32> = (0..64).map(|i| x[i ^ 1]).collect();
    let noinc =
        Program::new(MEMORY, PARAMS, 64, &body("cp.async.mbarrier.arrive.noinc.shared.b64 [bar];", 64));
    noinc.gives(&x, &want);
    noinc.without("again").fails(&x, 64, "read", is_early);
    let both = "cp.async.mbarrier.arrive.shared.b64 [bar]; mbarrier.arrive.shared.b64 %rd8, [bar];";
    Program::new(MEMORY, PARAMS, 64, &body(both, 64)).gives(&x, &want);
}
