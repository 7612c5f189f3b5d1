//! Barrier objects without copies.

use super::{PARAMS, Program, START, is_object, numbers};

const MEMORY: &str = ".shared .align 8 .b8 bar[16];";

/// 64 threads arrive `count` times each (by operand), then wait with the state; results by thread.
fn program(init: u32, arrive: &str, wait: &str) -> Program {
    let body = format!(
        "{START}
@%p1 mbarrier.init.shared::cta.b64 [bar], {init}; //init
bar.sync 0;
{arrive} //arrive
W: {wait} //wait
@!%p2 bra W;
mov.u32 %r5, 7; st.global.u32 [%rd3], %r5;
bar.sync 0; //before
@%p1 mbarrier.inval.shared.b64 [bar]; //inval
ret;"
    );
    Program::new(MEMORY, PARAMS, 64, &body)
}

const BY_STATE: &str = "mbarrier.try_wait.shared.b64 %p2, [bar], %rd8;";

#[test]
fn threads_wait_for_one_another() {
    let sevens = vec![7; 64];
    for arrive in [
        "mbarrier.arrive.shared.b64 %rd8, [bar];",
        "mbarrier.arrive.release.cta.shared::cta.b64 %rd8, [bar], 1;",
        "mbarrier.arrive.relaxed.cluster.shared.b64 %rd8, [bar];",
        "mbarrier.arrive_drop.shared.b64 %rd8, [bar];",
        "mbarrier.arrive.expect_tx.shared.b64 %rd8, [bar], 0;",
    ] {
        program(64, arrive, BY_STATE).gives(&[0], &sevens);
    }
    let twice =
        "mbarrier.arrive.noComplete.shared.b64 %rd8, [bar], 1; mbarrier.arrive.shared.b64 %rd9, [bar];";
    program(128, twice, "mbarrier.test_wait.shared.b64 %p2, [bar], %rd8;").gives(&[0], &sevens);
    program(128, "mbarrier.arrive.shared.b64 %rd8, [bar], 2;", BY_STATE).gives(&[0], &sevens);
    // By its generic address, with a hint of time.
    let generic = "mov.u32 %r9, bar; cvt.u64.u32 %rd10, %r9; cvta.shared.u64 %rd10, %rd10; mbarrier.arrive.b64 %rd8, [%rd10];";
    program(64, generic, "mbarrier.try_wait.b64 %p2, [%rd10], %rd8, 100;").gives(&[0], &sevens);
}

#[test]
fn states_tell_what_was_pending() {
    let body = format!(
        "{START}
mbarrier.init.shared.b64 [bar], 5;
mbarrier.arrive.noComplete.shared.b64 %rd8, [bar], 2;
mbarrier.arrive.shared.b64 %rd9, [bar];
mbarrier.pending_count.b64 %r5, %rd8; mbarrier.pending_count.b64 %r6, %rd9;
st.global.v2.u32 [%rd3], {{%r5, %r6}};
ret;"
    );
    Program::new(MEMORY, PARAMS, 1, &body).gives(&[0], &[5, 3]);
}

#[test]
fn transactions_hold_a_phase_open() {
    let body = format!(
        "{START}
mbarrier.init.shared.b64 [bar], 1;
mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 48;
mbarrier.arrive.shared.b64 _, [bar];
mbarrier.complete_tx.shared::cluster.b64 [bar], 16;
mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r5, 1, 0, %p2;
mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64 [bar], 32;
mbarrier.test_wait.parity.shared.b64 %p2, [bar], 0; selp.u32 %r6, 1, 0, %p2;
st.global.v2.u32 [%rd3], {{%r5, %r6}};
ret;"
    );
    Program::new(MEMORY, PARAMS, 1, &body).gives(&[0], &[0, 1]);
}

#[test]
fn misuse_is_found() {
    let (x, plain) = (numbers(1), "mbarrier.arrive.shared.b64 %rd8, [bar];");
    let good = program(64, plain, BY_STATE);
    good.gives(&x, &[7; 64]);
    program(63, plain, "setp.eq.u32 %p2, %r1, %r1; mbarrier.arrive.noComplete.shared.b64 %rd9, [bar], 63;")
        .fails(&x, 64, "wait", |kind| is_object(kind, "arrivals where"));
    program(65, plain, BY_STATE).fails(&x, 64, "wait", |kind| is_object(kind, "1 arrivals and 0 bytes"));
    program(64, "mbarrier.arrive.noComplete.shared.b64 %rd8, [bar], 1;", BY_STATE).fails(
        &x,
        64,
        "arrive",
        |kind| is_object(kind, ".noComplete"),
    );
    program(0, plain, BY_STATE).fails(&x, 64, "init", |kind| is_object(kind, "a count of 0"));
    let again = "@%p1 mbarrier.init.shared.b64 [bar], 64;";
    good.with("inval", again).fails(&x, 64, "inval", |kind| is_object(kind, "without mbarrier.inval"));
    let load = "ld.shared.u32 %r9, [bar+4];";
    good.with("before", load).fails(&x, 64, "before", |kind| is_object(kind, "none of mbarrier's"));
    let store = "st.shared.u32 [bar], %r1;";
    good.with("before", store).fails(&x, 64, "before", |kind| is_object(kind, "none of mbarrier's"));
    let gone = "@%p1 mbarrier.inval.shared.b64 [bar]; @%p1 mbarrier.inval.shared.b64 [bar];";
    good.with("inval", gone).fails(&x, 64, "inval", |kind| is_object(kind, "before mbarrier.init"));
}

/// What is written before an arrival is known after the wait, and not with `.relaxed`.
#[test]
fn arrivals_and_waits_order_memory() {
    let body = format!(
        "{START}
@%p1 mbarrier.init.shared.b64 [bar], 64;
bar.sync 0;
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; st.shared.u32 [%r2], %r1;
mbarrier.arrive.shared.b64 %rd8, [bar]; //arrive
W: mbarrier.try_wait.shared.b64 %p2, [bar], %rd8; //wait
@!%p2 bra W;
xor.b32 %r3, %r1, 32; shl.b32 %r3, %r3, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r3;
ld.shared.u32 %r4, [%r2]; //read
st.global.u32 [%rd3], %r4;
ret;"
    );
    let memory = ".shared .align 8 .b8 bar[16]; .shared .align 4 .b8 tile[256];";
    let program = Program::new(memory, PARAMS, 64, &body);
    let want: Vec<u32> = (0..64).map(|i| i ^ 32).collect();
    program.gives(&[0], &want);
    let race = |kind: &ptx_sim::FindingKind| matches!(kind, ptx_sim::FindingKind::Race(_));
    let arrive = "mbarrier.arrive.relaxed.cta.shared.b64 %rd8, [bar];";
    program.with("arrive", arrive).fails(&[0], 64, "read", race);
    let wait = "W: mbarrier.try_wait.relaxed.cta.shared.b64 %p2, [bar], %rd8;";
    program.with("wait", wait).fails(&[0], 64, "read", race);
}
