//! Clusters of several blocks: their barrier, each other's shared memory, copies to several blocks.

use ptx_sim::{Device, FindingKind, LaunchConfig, LaunchError, Options};

use super::{PARAMS, Program, START, is_early, numbers};

const MEMORY: &str = ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b8 bar[8];";

/// Each block reads what the next one of its cluster wrote.
fn neighbours(blocks: u32, cluster: u32) -> Program {
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;
mad.lo.u32 %r6, %r4, %r5, %r1; mov.u32 %r7, tile; shl.b32 %r8, %r1, 2; add.u32 %r8, %r7, %r8;
st.shared.u32 [%r8], %r6; //write
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; //meet
add.u32 %r9, %r2, 1; rem.u32 %r9, %r9, %r3; mapa.shared::cluster.u32 %r10, %r8, %r9;
ld.shared::cluster.u32 %r11, [%r10]; //read
mul.wide.u32 %rd5, %r6, 4; add.u64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r11;
barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned; //part
ret;"
    );
    Program::new(MEMORY, PARAMS, 64, &body).grid(blocks, cluster)
}

#[test]
fn blocks_read_each_others_shared_memory() {
    for (blocks, cluster) in [(8, 2), (8, 4), (3, 1), (16, 16)] {
        let neighbour = |block: u32| block / cluster * cluster + (block % cluster + 1) % cluster;
        let want: Vec<u32> = (0..blocks * 64).map(|i| neighbour(i / 64) * 64 + i % 64).collect();
        neighbours(blocks, cluster).gives(&[0], &want);
    }
}

#[test]
fn a_missing_barrier_of_the_cluster_is_found() {
    let distant =
        |kind: &FindingKind| matches!(kind, FindingKind::DistantShared { .. } | FindingKind::Race(_));
    neighbours(4, 2).without("meet").fails(&[0], 256, "read", distant);
    let ended = |kind: &FindingKind| matches!(kind, FindingKind::DistantShared { what, .. } if what.contains("ended"));
    neighbours(4, 2).without("part").fails(&[0], 256, "read", ended);
    // Without order, the blocks are there and the values are not.
    let relaxed = "barrier.cluster.arrive.relaxed.aligned; barrier.cluster.wait.aligned;";
    let race = |kind: &FindingKind| matches!(kind, FindingKind::Race(_));
    neighbours(4, 2).with("meet", relaxed).fails(&[0], 256, "read", race);
    let no_such = neighbours(4, 2).with("meet", "mov.u32 %r2, 1; mov.u32 %r3, 9;");
    let none = |kind: &FindingKind| matches!(kind, FindingKind::DistantShared { what, .. } if what.contains("no such"));
    for seed in super::SEEDS {
        let found = no_such.run(seed, &[0], 256).expect_err("it is found");
        assert!(found.iter().any(|f| none(&f.kind)), "{found:#?}");
    }
}

#[test]
fn addresses_tell_their_block() {
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; mov.u32 %r7, tile; mov.u32 %r9, 1;
mapa.shared::cluster.u32 %r10, %r7, %r9; getctarank.shared::cluster.u32 %r11, %r10;
cvt.u64.u32 %rd5, %r7; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd6, %rd5, %r9; getctarank.u64 %r12, %rd6;
getctarank.u64 %r13, %rd5; sub.u32 %r13, %r13, %r2;
isspacep.shared::cluster %p2, %rd6; selp.u32 %r14, 1, 0, %p2; isspacep.shared::cta %p3, %rd6; selp.u32 %r15, 1, 0, %p3;
setp.eq.u32 %p4, %r2, 0; @%p4 st.global.v4.u32 [%rd2], {{%r11, %r12, %r13, %r14}}; @%p4 st.global.u32 [%rd2+16], %r15;
ret;"
    );
    Program::new(MEMORY, PARAMS, 1, &body).grid(2, 2).gives(&[0], &[1, 1, 0, 1, 0, 0, 0, 0]);
}

/// Every block adds to a counter of block 0, by a generic address.
#[test]
fn atomics_reach_the_other_block() {
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; mov.u32 %r7, tile; mov.u32 %r6, 0; @%p1 st.shared.u32 [%r7], %r6;
barrier.cluster.arrive; barrier.cluster.wait;
cvt.u64.u32 %rd5, %r7; cvta.shared.u64 %rd5, %rd5; mov.u32 %r9, 0; mapa.u64 %rd6, %rd5, %r9;
atom.add.u32 %r10, [%rd6], 3;
mapa.shared::cluster.u32 %r11, %r7, %r9; red.shared::cluster.add.u32 [%r11], 1;
barrier.cluster.arrive; barrier.cluster.wait;
or.b32 %r12, %r2, %r1; setp.eq.u32 %p2, %r12, 0; ld.shared.u32 %r13, [%r7]; @%p2 st.global.u32 [%rd2], %r13;
ret;"
    );
    Program::new(MEMORY, PARAMS, 32, &body).grid(4, 4).gives(&[0], &[4 * 32 * 4]);
}

/// Block 0 copies to all blocks of the cluster.
fn multicast() -> Program {
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x; mad.lo.u32 %r6, %r4, %r5, %r1;
@%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
barrier.cluster.arrive; barrier.cluster.wait; //meet
setp.eq.u32 %p3, %r6, 0; mov.b16 %h1, 15;
@%p3 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [tile], [%rd1], 256, [bar], %h1; //copy
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0;
@!%p2 bra W; //again
mov.u32 %r7, tile; shl.b32 %r8, %r1, 2; add.u32 %r8, %r7, %r8; ld.shared.u32 %r9, [%r8]; //read
mul.wide.u32 %rd5, %r6, 4; add.u64 %rd6, %rd2, %rd5; st.global.u32 [%rd6], %r9;
ret;"
    );
    Program::new(MEMORY, PARAMS, 64, &body).grid(4, 4)
}

#[test]
fn a_multicast_arrives_in_every_block() {
    let x = numbers(64);
    multicast().gives(&x, &x.repeat(4));
    for seed in super::SEEDS {
        let found = multicast().without("again").run(seed, &x, 256).expect_err("it is found");
        let ended = |kind: &FindingKind| matches!(kind, FindingKind::DistantShared { .. });
        assert!(found.iter().any(|f| is_early(&f.kind) || ended(&f.kind)), "{found:#?}");
    }
    let gone = |kind: &FindingKind| {
        matches!(
            kind,
            FindingKind::DistantShared { .. } | FindingKind::MBarrier { .. } | FindingKind::Race(_)
        )
    };
    for seed in super::SEEDS {
        let found = multicast().without("meet").run(seed, &x, 256).expect_err("it is found");
        assert!(found.iter().any(|f| gone(&f.kind)), "{found:#?}");
    }
}

/// Each block sends values to the next one, by `st.async` and by a copy between shared memories.
fn sent(send: &str, bytes: u32) -> Program {
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; xor.b32 %r3, %r2, 1; mov.u32 %r4, %ctaid.x; mov.u32 %r5, %ntid.x;
mad.lo.u32 %r6, %r4, %r5, %r1; mov.u32 %r7, tile; shl.b32 %r8, %r1, 3; add.u32 %r8, %r7, %r8; mov.u32 %r9, bar;
@%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], {bytes};
mov.u32 %r15, 1; mov.u32 %r16, 2; st.shared.v2.u32 [%r8], {{%r15, %r16}}; st.shared.v2.u32 [%r8+512], {{%r6, %r1}};
fence.proxy.async; barrier.cluster.arrive; barrier.cluster.wait;
mapa.shared::cluster.u32 %r10, %r8, %r3; mapa.shared::cluster.u32 %r11, %r9, %r3; mapa.shared::cluster.u32 %r12, %r7, %r3;
{send} //send
W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [bar], 0;
@!%p2 bra W; //again
ld.shared.v2.u32 {{%r13, %r14}}, [%r8]; //read
mul.wide.u32 %rd5, %r6, 8; add.u64 %rd6, %rd2, %rd5; st.global.v2.u32 [%rd6], {{%r13, %r14}};
barrier.cluster.arrive; barrier.cluster.wait;
ret;"
    );
    Program::new(MEMORY, PARAMS, 64, &body).grid(2, 2)
}

#[test]
fn values_are_sent_to_another_block() {
    let name = "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes";
    let by_value = sent(&format!("{name}.v2.u32 [%r10], {{%r6, %r1}}, [%r11];"), 512);
    let pairs = |f: &dyn Fn(u32) -> [u32; 2]| -> Vec<u32> { (0..128).flat_map(f).collect() };
    by_value.gives(&[0], &pairs(&|i| [i ^ 64, i % 64]));
    by_value.without("again").fails(&[0], 256, "read", is_early);
    let one = sent("st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%r10+4], %r6, [%r11];", 256);
    one.gives(&[0], &pairs(&|i| [1, i ^ 64]));
    let red =
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r10], %r6, [%r11];";
    sent(red, 256).gives(&[0], &pairs(&|i| [1 + (i ^ 64), 2]));
    let copy = "@%p1 cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%r12], [tile+512], 512, [%r11];";
    sent(copy, 512).gives(&[0], &pairs(&|i| [i ^ 64, i % 64]));
    let copy = "@%p1 cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r12], [tile+512], 512, [%r11];";
    sent(copy, 512).gives(&[0], &pairs(&|i| [1 + (i ^ 64), 2 + i % 64]));
}

/// All threads of two blocks add to one word of the first.
#[test]
fn reductions_may_meet_in_one_place() {
    let red = "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32";
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; mov.u32 %r7, tile; mov.u32 %r9, bar; mov.u32 %r3, 0; mov.u32 %r15, 0;
@%p1 mbarrier.init.shared.b64 [bar], 1; setp.eq.u32 %p3, %r2, 0; and.pred %p3, %p3, %p1;
@%p3 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512; @%p1 st.shared.u32 [tile], %r15;
barrier.cluster.arrive; barrier.cluster.wait;
mapa.shared::cluster.u32 %r10, %r7, %r3; mapa.shared::cluster.u32 %r11, %r9, %r3;
{red} [%r10], %r1, [%r11];
setp.ne.u32 %p3, %r2, 0; @%p3 bra END;
W: mbarrier.try_wait.parity.acquire.cluster.shared.b64 %p2, [bar], 0;
@!%p2 bra W; //again
@%p1 ld.shared.u32 %r13, [tile]; //read
@%p1 st.global.u32 [%rd2], %r13;
END: barrier.cluster.arrive; barrier.cluster.wait;
ret;"
    );
    let program = Program::new(MEMORY, PARAMS, 64, &body).grid(2, 2);
    program.gives(&[0], &[2 * (0..64).sum::<u32>()]);
    program.without("again").fails(&[0], 1, "read", is_early);
}

/// A block writes to the shared memory of the next and fences; that one's copy finds it.
#[test]
fn a_fence_covers_the_memory_of_other_blocks() {
    let body = format!(
        "{START}
mov.u32 %r2, %cluster_ctarank; mov.u32 %r7, tile; shl.b32 %r8, %r1, 2; add.u32 %r8, %r7, %r8; mov.u32 %r3, 1;
barrier.cluster.arrive; barrier.cluster.wait;
mapa.shared::cluster.u32 %r10, %r8, %r3; setp.eq.u32 %p2, %r2, 0; @%p2 st.shared::cluster.u32 [%r10], %r1;
fence.proxy.async; //fence
barrier.cluster.arrive; barrier.cluster.wait;
setp.eq.u32 %p2, %r2, 1; and.pred %p2, %p2, %p1;
@%p2 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 256; //copy
@%p2 cp.async.bulk.commit_group; @%p2 cp.async.bulk.wait_group 0;
barrier.cluster.arrive; barrier.cluster.wait;
ret;"
    );
    let program = Program::new(MEMORY, PARAMS, 64, &body).grid(2, 2);
    program.gives(&[0], &(0..64).collect::<Vec<u32>>());
    let missing = |kind: &FindingKind| matches!(kind, FindingKind::MissingProxyFence(_));
    program.without("fence").fails(&[0], 64, "copy", missing);
    program.with("fence", "fence.proxy.async.shared::cta;").fails(&[0], 64, "copy", missing);
}

/// A bulk reduction is of the async proxy: it needs a fence after ordinary stores to its target, and a copy of its result none.
#[test]
fn a_bulk_reduction_is_of_the_async_proxy() {
    let name = "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32";
    let body = format!(
        "{START}
mov.u32 %r7, tile; shl.b32 %r8, %r1, 2; add.u32 %r8, %r7, %r8; mov.u32 %r9, bar;
@%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
st.shared.u32 [%r8+512], %r1; fence.proxy.async; st.shared.u32 [%r8], %r1;
fence.proxy.async; //fence
bar.sync 0;
@%p1 {name} [%r7], [tile+512], 256, [%r9]; //reduce
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
@%p1 cp.async.bulk.global.shared::cta.bulk_group [%rd2], [tile], 256;
@%p1 cp.async.bulk.commit_group; @%p1 cp.async.bulk.wait_group 0;
ret;"
    );
    let program = Program::new(MEMORY, PARAMS, 64, &body);
    program.gives(&[0], &(0..64).map(|i| 2 * i).collect::<Vec<u32>>());
    let missing = |kind: &FindingKind| matches!(kind, FindingKind::MissingProxyFence(_));
    program.without("fence").fails(&[0], 64, "reduce", missing);
}

/// Sizes and addresses that no memory has are findings.
#[test]
fn copies_from_beyond_are_found() {
    let copy = |from: &str, bytes: &str| {
        let body = format!(
            "{START}
mov.u64 %rd5, {from}; mov.u32 %r2, {bytes};
@%p1 mbarrier.init.shared.b64 [bar], 1; @%p1 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 32;
@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd5], %r2, [bar]; //copy
W: mbarrier.try_wait.parity.shared.b64 %p2, [bar], 0; @!%p2 bra W;
ret;"
        );
        Program::new(MEMORY, PARAMS, 32, &body)
    };
    let beyond =
        |kind: &FindingKind| matches!(kind, FindingKind::OutOfBounds(_) | FindingKind::BadBulkCopy { .. });
    copy("0xfffffffffffffff0", "32").fails(&[0], 1, "copy", beyond);
    copy("256", "4294967280").fails(&[0], 1, "copy", beyond);
}

#[test]
fn special_registers_number_the_blocks_of_a_cluster() {
    let text = super::kernel_with(
        "",
        PARAMS,
        "ld.param.u64 %rd2, [y]; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ctaid.y; mad.lo.u32 %r3, %r2, 4, %r1;
         mul.wide.u32 %rd3, %r3, 16; add.u64 %rd3, %rd2, %rd3; mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %clusterid.x;
         mov.u32 %r6, %clusterid.y; mov.u32 %r7, %cluster_ctaid.y; st.global.v4.u32 [%rd3], {%r4, %r5, %r6, %r7}; ret;",
    );
    let device = Device::new(Options::default());
    let module = device.load_text("text", &text).expect("it loads");
    let out = device.alloc(256).expect("room");
    let config = LaunchConfig { grid: [4, 4, 1], cluster: [2, 2, 1], ..LaunchConfig::default() };
    module.launch("k", &config, &[vec![0; 8], out.to_le_bytes().to_vec()]).expect("it runs");
    let mut bytes = vec![0; 256];
    device.read(out, &mut bytes).expect("it is there");
    for (block, words) in bytes.chunks(16).enumerate() {
        let (x, y) = (block as u8 % 4, block as u8 / 4);
        assert_eq!([words[0], words[4], words[8], words[12]], [x % 2 + 2 * (y % 2), x / 2, y / 2, y % 2]);
    }
    let config = LaunchConfig { grid: [32, 1, 1], cluster: [32, 1, 1], ..LaunchConfig::default() };
    let refused = module.launch("k", &config, &[vec![0; 8], out.to_le_bytes().to_vec()]);
    assert!(matches!(refused, Err(LaunchError::Shape { what: "cluster", .. })), "{refused:?}");
}

#[test]
fn a_plain_launch_of_a_kernel_with_a_cluster_is_one_of_clusters() {
    let program = neighbours(4, 1);
    let text = super::kernel_with(&program.declarations, PARAMS, &program.body);
    let text = text.replace(")\n{", ")\n.reqnctapercluster 2, 1, 1\n{");
    let device = Device::new(Options::default());
    let module = device.load_text("text", &text).expect("it loads");
    let out = device.alloc(1024).expect("room");
    let params = [vec![0; 8], out.to_le_bytes().to_vec()];
    module.launch("k", &program.config, &params).expect("it runs");
    let mut bytes = [0; 4];
    device.read(out, &mut bytes).expect("it is there");
    assert_eq!(u32::from_le_bytes(bytes), 64);
}

#[test]
fn warpgroups_change_their_registers_together() {
    let body = |line: &str| {
        let body = format!(
            "mov.u32 %r1, %tid.x; setp.lt.u32 %p1, %r1, 128; setp.lt.u32 %p2, %r1, 96;\n{line} //set\nret;"
        );
        Program::new("", PARAMS, 256, &body)
    };
    body("@%p1 setmaxnreg.dec.sync.aligned.u32 40; @!%p1 setmaxnreg.inc.sync.aligned.u32 232;")
        .gives(&[0], &[0]);
    let odd = |kind: &FindingKind| matches!(kind, FindingKind::RegisterCount { .. });
    body("@%p2 setmaxnreg.dec.sync.aligned.u32 40;").fails(&[0], 1, "set", odd);
    for number in [0, 12, 20, 264] {
        let text = body(&format!("setmaxnreg.dec.sync.aligned.u32 {number};"));
        let text = super::kernel_with("", PARAMS, &text.body);
        let module = Device::default().load_text("text", &text).expect("it parses");
        assert!(module.check("k").is_err(), "{number}");
    }
}
