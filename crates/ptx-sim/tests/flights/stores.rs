//! Bulk copies from shared memory: to global memory in groups, and between shared memories.

use ptx_sim::FindingKind;

use super::{PARAMS, Program, START, is_early, numbers};

const MEMORY: &str = ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b8 bar[8];";

fn store() -> Program {
    let body = format!(
        "{START}
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r4, [%rd5];
st.shared.u32 [%r2], %r4; //write
fence.proxy.async.shared::cta; //fence
bar.sync 0; //sync
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 512; //copy
@%p1 cp.async.bulk.commit_group; //commit
@%p1 cp.async.bulk.wait_group.read 0; //wait
bar.sync 0;
st.shared.u32 [%r2], %r1; //over
@%p1 cp.async.bulk.wait_group 0; //done
ret;"
    );
    Program::new(MEMORY, PARAMS, 128, &body)
}

#[test]
fn a_store_arrives() {
    let x = numbers(128);
    store().gives(&x, &x);
    store().without("done").gives(&x, &x);
}

#[test]
fn a_missing_fence_is_found() {
    let unfenced = |kind: &FindingKind| matches!(kind, FindingKind::MissingProxyFence(_));
    store().without("fence").fails(&numbers(128), 128, "copy", unfenced);
}

#[test]
fn a_source_that_is_overwritten_too_early_is_found() {
    let x = numbers(128);
    let written = |kind: &FindingKind| matches!(kind, FindingKind::AsyncSourceWritten(_));
    store().without("wait").fails(&x, 128, "over", written);
    // Nothing is waited for in a group that is not closed.
    store().without("commit").fails(&x, 128, "over", written);
    store().with("wait", "@%p1 cp.async.bulk.wait_group.read 1;").fails(&x, 128, "over", written);
}

#[test]
fn a_missing_barrier_before_the_store_is_found() {
    let race = |kind: &FindingKind| matches!(kind, FindingKind::Race(_) | FindingKind::AsyncSourceWritten(_));
    for seed in super::SEEDS {
        let found = store().without("sync").run(seed, &numbers(128), 128).expect_err("it is found");
        assert!(found.iter().any(|f| race(&f.kind)), "{found:#?}");
    }
}

#[test]
fn a_block_must_not_end_before_its_source_is_read() {
    let gone = store().without("wait").without("over").without("done");
    gone.fails(&numbers(128), 128, "copy", |kind| matches!(kind, FindingKind::ExitBeforeCopy));
}

#[test]
fn what_a_store_wrote_is_known_after_its_group() {
    let read = store().with("done", "@%p1 cp.async.bulk.wait_group 0; @%p1 ld.global.u32 %r7, [%rd2];");
    read.gives(&numbers(128), &numbers(128));
    let early = store().with("done", "@%p1 ld.global.u32 %r7, [%rd2];");
    for seed in super::SEEDS {
        let found = early.run(seed, &numbers(128), 128).expect_err("it is found");
        assert!(
            found.iter().any(|f| is_early(&f.kind) || matches!(f.kind, FindingKind::Race(_))),
            "{found:#?}"
        );
    }
}

/// `y = y op x`, by a reducing copy of 256 bytes.
fn reduced(op: &str, x: &[u32], y: &[u32]) -> Vec<u32> {
    let body = format!(
        "{START}
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r4, [%rd5];
st.shared.u32 [%r2], %r4; fence.proxy.async; bar.sync 0;
@%p1 cp.reduce.async.bulk.global.shared::cta.bulk_group.{op} [%rd2], [tile], 256;
@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;
ret;"
    );
    let program = Program::new(MEMORY, PARAMS, 64, &body);
    let results: Vec<Vec<u32>> = super::SEEDS
        .map(|seed| program.run_with(seed, x, y, |_| Vec::new()).unwrap_or_else(|f| panic!("{op}: {f:#?}")))
        .collect();
    assert!(results.iter().all(|result| *result == results[0]));
    results[0].clone()
}

#[test]
fn reductions_combine_each_element() {
    let (x, y) = (numbers(64), numbers(77)[13..].to_vec());
    let each =
        |f: &dyn Fn(u32, u32) -> u32| -> Vec<u32> { x.iter().zip(&y).map(|(x, y)| f(*x, *y)).collect() };
    assert_eq!(reduced("add.u32", &x, &y), each(&|x, y| y.wrapping_add(x)));
    assert_eq!(reduced("add.s32", &x, &y), each(&|x, y| y.wrapping_add(x)));
    assert_eq!(reduced("min.u32", &x, &y), each(&|x, y| y.min(x)));
    assert_eq!(reduced("max.s32", &x, &y), each(&|x, y| (y as i32).max(x as i32) as u32));
    assert_eq!(reduced("and.b32", &x, &y), each(&|x, y| y & x));
    assert_eq!(reduced("or.b64", &x, &y), each(&|x, y| y | x));
    assert_eq!(reduced("xor.b32", &x, &y), each(&|x, y| y ^ x));
    assert_eq!(reduced("inc.u32", &x, &y), each(&|x, y| if y >= x { 0 } else { y + 1 }));
    assert_eq!(reduced("dec.u32", &x, &y), each(&|x, y| if y == 0 || y > x { x } else { y - 1 }));
    let floats = |from: f32| (0..64).map(|i| (from + i as f32).to_bits()).collect::<Vec<u32>>();
    let sums: Vec<u32> = (0..64).map(|i| (1.5 + i as f32 + (100.0 + i as f32)).to_bits()).collect();
    assert_eq!(reduced("add.f32", &floats(1.5), &floats(100.0)), sums);
    assert_eq!(reduced("add.noftz.f16", &[0x3c00_4000; 64], &[0x3c00_3c00; 64]), [0x4000_4200; 64]);
    assert_eq!(reduced("max.f16", &[0x3c00_4000; 64], &[0x4000_3c00; 64]), [0x4000_4000; 64]);
}

/// Copied within the shared memory of the block, and reduced into it.
#[test]
fn copies_between_shared_memories() {
    let body = |copy: &str| {
        format!(
            "{START}
@%p1 mbarrier.init.shared.b64 [bar], 1;
mov.u32 %r2, tile; shl.b32 %r3, %r1, 2; add.u32 %r2, %r2, %r3; add.u64 %rd5, %rd1, %rd4; ld.global.u32 %r4, [%rd5];
st.shared.u32 [%r2], %r4; mov.u32 %r5, 3; st.shared.u32 [%r2+256], %r5; fence.proxy.async; bar.sync 0;
@%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
@%p1 {copy} [tile+256], [tile], 256, [bar]; //copy
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W; //again
ld.shared.u32 %r6, [%r2+256]; //read
st.global.u32 [%rd3], %r6; ret;"
        )
    };
    fn run(copy: &str, body: &dyn Fn(&str) -> String) -> Program {
        Program::new(MEMORY, PARAMS, 64, &body(copy))
    }
    let x = numbers(64);
    let copy = run("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes", &body);
    copy.gives(&x, &x);
    copy.without("again").fails(&x, 64, "read", is_early);
    let add =
        run("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32", &body);
    add.gives(&x, &x.iter().map(|x| x.wrapping_add(3)).collect::<Vec<_>>());
    let max =
        run("cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32", &body);
    max.gives(&x, &x.iter().map(|x| (*x as i32).max(3) as u32).collect::<Vec<_>>());
}
