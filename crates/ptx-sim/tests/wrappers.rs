//! What gpu-std wraps and nothing else here uses: the barrier of a cluster, `discard`, `brkpt`, results thrown away.

mod common;

use common::kernel;
use ptx_sim::{Arg, FindingKind, LaunchError, Options, Sim, Use};

/// Thread 0 of each warp writes, and after a barrier of the cluster every thread reads what another warp wrote. `%s` stands for
/// the modifiers of arrive.
const EXCHANGE: &str = "
    .shared .align 4 .b32 s[64];
    ld.param.u64 %rd1, [p0];
    mov.u32 %r1, %tid.x; mov.u32 %r3, s;
    shl.b32 %r2, %r1, 2; add.u32 %r4, %r3, %r2; st.shared.u32 [%r4], %r1;
    barrier.cluster.arrive%s;
    barrier.cluster.wait.acquire;
    sub.u32 %r5, 63, %r1; shl.b32 %r6, %r5, 2; add.u32 %r6, %r3, %r6; ld.shared.u32 %r7, [%r6];
    barrier.cluster.arrive; barrier.cluster.wait;
    mul.wide.u32 %rd2, %r2, 1; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r7; ret;";

/// The first finding.
fn fault<T>(result: Result<T, LaunchError>) -> FindingKind {
    match result {
        Err(LaunchError::Findings(found)) => found.0[0].kind.clone(),
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("no finding"),
    }
}

fn run(body: &str, seed: u64) -> Result<Vec<u32>, LaunchError> {
    let sim =
        Sim::from_text(&kernel(".param .u64 p0", body), Options::default().seed(seed)).expect("it loads");
    let y = sim.alloc::<u32>(64).expect("room");
    sim.launch("k", [1; 3], [64, 1, 1], 0, &[Arg::from(&y)])?;
    Ok(y.to_vec().expect("it is there"))
}

#[test]
fn a_cluster_of_one_block_waits_for_all_its_threads() {
    let want: Vec<u32> = (0..64).rev().collect();
    for seed in 0..8 {
        assert_eq!(run(&EXCHANGE.replace("%s", ""), seed).expect("it runs"), want);
        assert_eq!(run(&EXCHANGE.replace("%s", ".release.aligned"), seed).expect("it runs"), want);
    }
}

#[test]
fn relaxed_arrival_orders_nothing() {
    let found = fault(run(&EXCHANGE.replace("%s", ".relaxed"), 0));
    assert!(matches!(found, FindingKind::Race(_)), "{found}");
}

#[test]
fn what_a_thread_writes_after_its_arrival_is_not_ordered() {
    let late = "
        .shared .align 4 .b32 s[64];
        ld.param.u64 %rd1, [p0];
        mov.u32 %r1, %tid.x; mov.u32 %r3, s;
        barrier.cluster.arrive;
        shl.b32 %r2, %r1, 2; add.u32 %r4, %r3, %r2; st.shared.u32 [%r4], %r1;
        barrier.cluster.wait;
        sub.u32 %r5, 63, %r1; shl.b32 %r6, %r5, 2; add.u32 %r6, %r3, %r6; ld.shared.u32 %r7, [%r6]; ret;";
    let found = fault(run(late, 0));
    assert!(matches!(found, FindingKind::Race(_)), "{found}");
}

#[test]
fn threads_that_have_ended_are_not_waited_for() {
    let body = "
        ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 40; @%p1 exit;
        barrier.cluster.arrive; barrier.cluster.wait;
        mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r1; ret;";
    assert_eq!(run(body, 0).expect("it runs")[40..], (40..64).collect::<Vec<u32>>());
}

#[test]
fn arrivals_and_waits_that_do_not_alternate_are_found() {
    for body in [
        "barrier.cluster.arrive; barrier.cluster.arrive; ret;",
        "barrier.cluster.wait; ret;",
        "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 32; @%p1 bra L; barrier.cluster.arrive; barrier.cluster.wait; ret;
         L: bar.sync 1, 64; ret;",
    ] {
        let found = fault(run(body, 0));
        let divergent = matches!(found, FindingKind::DivergentBarrier { .. });
        assert!(divergent || matches!(found, FindingKind::ClusterBarrier { .. }), "{found}");
    }
}

#[test]
fn discarded_bytes_are_undefined_until_written() {
    let body = |rest: &str| {
        kernel(
            ".param .u64 p0",
            &format!(
                "ld.param.u64 %rd1, [p0]; add.s64 %rd2, %rd1, 128; discard.global.L2 [%rd2], 128; {rest} ret;"
            ),
        )
    };
    let launch = |rest: &str| {
        let sim = Sim::from_text(&body(rest), Options::default()).expect("it loads");
        let y = sim.upload(&[7_u32; 96]).expect("room");
        sim.launch("k", [1; 3], [1; 3], 0, &[Arg::from(&y)]).map(|_| y.to_vec().expect("it is there"))
    };
    for inside in ["[%rd2]", "[%rd2+124]"] {
        let found = fault(launch(&format!("ld.global.u32 %r1, {inside}; st.global.u32 [%rd1], %r1;")));
        assert_eq!(found, FindingKind::Undefined(Use::Store));
    }
    for outside in ["[%rd2+-4]", "[%rd2+128]"] {
        launch(&format!("ld.global.u32 %r1, {outside}; st.global.u32 [%rd1], %r1;"))
            .expect("nobody discarded it");
    }
    launch("st.global.u32 [%rd2+8], 5; ld.global.u32 %r1, [%rd2+8]; st.global.u32 [%rd1], %r1;")
        .expect("it was written");
    let found = fault(launch("add.s64 %rd3, %rd1, 64; discard.global.L2 [%rd3], 128;"));
    assert!(matches!(found, FindingKind::Misaligned { write: true, bytes: 128, .. }), "{found}");
    let found = fault(launch("discard.L2 [%rd1+384], 128;"));
    assert!(matches!(found, FindingKind::OutOfBounds(_)), "{found}");
}

#[test]
fn a_breakpoint_is_an_error() {
    assert_eq!(fault(run("brkpt; ret;", 0)), FindingKind::Breakpoint);
}

#[test]
fn match_all_may_throw_either_result_away() {
    let body = |results: &str| {
        format!(
            "ld.param.u64 %rd1, [p0]; mov.u32 %r1, %tid.x; mov.u32 %r2, 9; mov.u32 %r3, 0; setp.eq.u32 %p1, %r1, 99;
             match.all.sync.b32 {results}, %r2, -1; @%p1 mov.u32 %r3, 7;
             mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2; st.global.u32 [%rd3], %r3; ret;"
        )
    };
    for (results, want) in [("%r3", u32::MAX), ("%r3|_", u32::MAX), ("_|%p1", 7), ("%r3|%p1", 7), ("_|_", 0)]
    {
        assert_eq!(run(&body(results), 0).expect("it runs"), [want; 64], "{results}");
    }
}
