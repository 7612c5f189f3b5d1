// The wrappers of barrier objects, bulk and tensor copies, and clusters. Blocks are one warp, or two of them in a cluster; `x` is
// 64 words for each block, `y` its result. `tests/instructions/flights.rs` has the models.
// One row per wrapper, or per variant of one (`wrapper__variant`):
// `[@ "architecture"] name(parameters) = body => "what its PTX must contain" [* how often, else once], …;`
wrappers! {
    // mbarrier: y[i] = x[i ^ 1], handed over through shared memory
    mbarrier_init(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar), by_state)
        => "mbarrier.init.shared.b64";
    mbarrier_inval(x: *const u32, y: *mut u32) = {
        handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar), by_state);
        let bar = again();
        warp::bar_warp_sync(warp::FULL_MASK);
        if thread::lane_idx() == 0 {
            mbarrier::mbarrier_inval(bar);
        }
    } => "mbarrier.inval.shared.b64";
    mbarrier_arrive(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar), by_state)
        => "mbarrier.arrive.shared.b64";
    @ "sm_90" mbarrier_arrive_count(x: *const u32, y: *mut u32)
        = handed(x, y, 64, |bar| mbarrier::mbarrier_arrive_count(bar, 2), by_state) => "mbarrier.arrive.shared.b64";
    mbarrier_arrive_no_complete(x: *const u32, y: *mut u32) = handed(x, y, 96, |bar| {
        mbarrier::mbarrier_arrive_no_complete(bar, 2);
        mbarrier::mbarrier_arrive(bar)
    }, by_state) => "mbarrier.arrive.noComplete.shared.b64";
    mbarrier_arrive_drop(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive_drop(bar), by_state)
        => "mbarrier.arrive_drop.shared.b64";
    mbarrier_arrive_drop_no_complete(x: *const u32, y: *mut u32) = handed(x, y, 64, |bar| {
        mbarrier::mbarrier_arrive_drop_no_complete(bar, 1);
        mbarrier::mbarrier_arrive(bar)
    }, by_state) => "mbarrier.arrive_drop.noComplete.shared.b64";
    @ "sm_90" mbarrier_arrive_expect_tx(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| {
        let state = mbarrier::mbarrier_arrive_expect_tx(bar, 8);
        mbarrier::mbarrier_complete_tx(bar, 8);
        state
    }, by_state) => "mbarrier.arrive.expect_tx.shared.b64";
    @ "sm_90" mbarrier_expect_tx(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| {
        mbarrier::mbarrier_expect_tx(bar, 4);
        mbarrier::mbarrier_complete_tx(bar, 4);
        mbarrier::mbarrier_arrive(bar)
    }, by_state) => "mbarrier.expect_tx.relaxed.cta.shared.b64";
    @ "sm_90" mbarrier_complete_tx(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| {
        mbarrier::mbarrier_expect_tx(bar, 4);
        mbarrier::mbarrier_complete_tx(bar, 4);
        mbarrier::mbarrier_arrive(bar)
    }, by_state) => "mbarrier.complete_tx.relaxed.cta.shared.b64";
    mbarrier_test_wait(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar), by_state)
        => "mbarrier.test_wait.shared.b64";
    mbarrier_test_wait_parity(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar),
        |bar, _| mbarrier::mbarrier_test_wait_parity(bar, 0)) => "mbarrier.test_wait.parity.shared.b64";
    @ "sm_90" mbarrier_try_wait(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar),
        |bar, state| mbarrier::mbarrier_try_wait(bar, state)) => "mbarrier.try_wait.shared.b64";
    @ "sm_90" mbarrier_try_wait_parity(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar),
        |bar, _| mbarrier::mbarrier_try_wait_parity(bar, 0)) => "mbarrier.try_wait.parity.shared.b64";
    @ "sm_90" mbarrier_try_wait_parity_cluster(x: *const u32, y: *mut u32)
        = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar), |bar, _| mbarrier::mbarrier_try_wait_parity_cluster(bar, 0))
        => "mbarrier.try_wait.parity.acquire.cluster.shared.b64";
    @ "sm_90" mbarrier_wait_parity(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| mbarrier::mbarrier_arrive(bar), |bar, _| {
        mbarrier::mbarrier_wait_parity(bar, 0);
        true
    }) => "mbarrier.try_wait.parity.shared.b64";
    @ "sm_90" fence_mbarrier_init(x: *const u32, y: *mut u32) = handed(x, y, 32, |bar| {
        mbarrier::fence_mbarrier_init();
        mbarrier::mbarrier_arrive(bar)
    }, by_state) => "fence.mbarrier_init.release.cluster";
    mbarrier_pending_count(y: *mut u32) = {
        let bar = object(40);
        let state = mbarrier::mbarrier_arrive(bar);
        y.add(thread::lane_idx() as usize).write(mbarrier::mbarrier_pending_count(state));
    } => "mbarrier.pending_count.b64";
    cp_async_mbarrier_arrive(x: *const u32, y: *mut u32) = copied_by_threads(x, y, 32, |bar| {
        mbarrier::cp_async_mbarrier_arrive(bar);
        mbarrier::mbarrier_arrive(bar);
    }) => "cp.async.mbarrier.arrive.shared.b64";
    cp_async_mbarrier_arrive_noinc(x: *const u32, y: *mut u32)
        = copied_by_threads(x, y, 32, |bar| mbarrier::cp_async_mbarrier_arrive_noinc(bar))
        => "cp.async.mbarrier.arrive.noinc.shared.b64";

    // bulk copies to shared memory: y[i] = x[i]
    @ "sm_90" cp_async_bulk_load(x: *const u32, y: *mut u32)
        = loaded(x, y, |to, from, bar| bulk::cp_async_bulk_load(to, from, 128, bar))
        => "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_async_bulk_load_l2_cache_hint(x: *const u32, y: *mut u32) = loaded(x, y, |to, from, bar| {
        bulk::cp_async_bulk_load_l2_cache_hint(to, from, 128, bar, mem::createpolicy_l2_evict_first());
    }) => "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.L2::cache_hint";
    @ "sm_90" cp_async_bulk_load_multicast(x: *const u32, y: *mut u32)
        = multicast(x, y, |to, from, bar| bulk::cp_async_bulk_load_multicast(to, from, 128, bar, 3))
        => "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster";
    @ "sm_90" cp_async_bulk_load_multicast_l2_cache_hint(x: *const u32, y: *mut u32) = multicast(x, y, |to, from, bar| {
        bulk::cp_async_bulk_load_multicast_l2_cache_hint(to, from, 128, bar, 3, mem::createpolicy_l2_evict_last());
    }) => "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster.L2::cache_hint";
    @ "sm_90" cp_async_bulk_prefetch_l2(x: *const u32, y: *mut u32) = loaded(x, y, |to, from, bar| {
        bulk::cp_async_bulk_prefetch_l2(from, 128);
        bulk::cp_async_bulk_load(to, from, 128, bar);
    }) => "cp.async.bulk.prefetch.L2.global";

    // bulk copies to global memory: y[i] = y[i] op x[i]
    @ "sm_90" cp_async_bulk_store(x: *const u32, y: *mut u8) = stored(x, |from: *const u8| bulk::cp_async_bulk_store(y, from, 128))
        => "cp.async.bulk.global.shared::cta.bulk_group";
    @ "sm_90" cp_async_bulk_store_l2_cache_hint(x: *const u32, y: *mut u8) = stored(x, |from: *const u8| {
        bulk::cp_async_bulk_store_l2_cache_hint(y, from, 128, mem::createpolicy_l2_evict_first());
    }) => "cp.async.bulk.global.shared::cta.bulk_group.L2::cache_hint";
    @ "sm_90" cp_async_bulk_commit_group(x: *const u32, y: *mut u8)
        = stored(x, |from: *const u8| bulk::cp_async_bulk_store(y, from, 128)) => "cp.async.bulk.commit_group";
    @ "sm_90" cp_async_bulk_wait_group(x: *const u32, y: *mut u8)
        = stored(x, |from: *const u8| bulk::cp_async_bulk_store(y, from, 128)) => "cp.async.bulk.wait_group";
    @ "sm_90" cp_async_bulk_wait_group_read(x: *const u32, y: *mut u8) = stored(x, |from: *const u8| {
        bulk::cp_async_bulk_store(y, from, 128);
        bulk::cp_async_bulk_commit_group();
        bulk::cp_async_bulk_wait_group_read::<0>();
    }) => "cp.async.bulk.wait_group.read";
    @ "sm_90" fence_proxy_async_all(x: *const u32, y: *mut u8)
        = stored(x, |from: *const u8| bulk::cp_async_bulk_store(y, from, 128)) => "fence.proxy.async";
    @ "sm_90" fence_proxy_async_global() = bulk::fence_proxy_async_global() => "fence.proxy.async.global";
    @ "sm_90" fence_proxy_async_shared_cluster() = bulk::fence_proxy_async_shared_cluster()
        => "fence.proxy.async.shared::cluster";
    @ "sm_90" cp_reduce_async_bulk_add_u32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_add_u32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32";
    @ "sm_90" cp_reduce_async_bulk_add_s32(x: *const u32, y: *mut i32) = stored(x, |from| bulk::cp_reduce_async_bulk_add_s32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.s32";
    @ "sm_90" cp_reduce_async_bulk_add_u64(x: *const u32, y: *mut u64) = stored(x, |from| bulk::cp_reduce_async_bulk_add_u64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64";
    @ "sm_90" cp_reduce_async_bulk_add_f32(x: *const u32, y: *mut f32) = stored(x, |from| bulk::cp_reduce_async_bulk_add_f32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32";
    @ "sm_90" cp_reduce_async_bulk_add_f64(x: *const u32, y: *mut f64) = stored(x, |from| bulk::cp_reduce_async_bulk_add_f64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64";
    @ "sm_90" cp_reduce_async_bulk_add_f16(x: *const u32, y: *mut f16) = stored(x, |from| bulk::cp_reduce_async_bulk_add_f16(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.f16";
    @ "sm_90" cp_reduce_async_bulk_add_bf16(x: *const u32, y: *mut bf16) = stored(x, |from| bulk::cp_reduce_async_bulk_add_bf16(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.noftz.bf16";
    @ "sm_90" cp_reduce_async_bulk_min_u32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_min_u32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u32";
    @ "sm_90" cp_reduce_async_bulk_min_s32(x: *const u32, y: *mut i32) = stored(x, |from| bulk::cp_reduce_async_bulk_min_s32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s32";
    @ "sm_90" cp_reduce_async_bulk_min_u64(x: *const u32, y: *mut u64) = stored(x, |from| bulk::cp_reduce_async_bulk_min_u64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.u64";
    @ "sm_90" cp_reduce_async_bulk_min_s64(x: *const u32, y: *mut i64) = stored(x, |from| bulk::cp_reduce_async_bulk_min_s64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.s64";
    @ "sm_90" cp_reduce_async_bulk_min_f16(x: *const u32, y: *mut f16) = stored(x, |from| bulk::cp_reduce_async_bulk_min_f16(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.f16";
    @ "sm_90" cp_reduce_async_bulk_min_bf16(x: *const u32, y: *mut bf16) = stored(x, |from| bulk::cp_reduce_async_bulk_min_bf16(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.min.bf16";
    @ "sm_90" cp_reduce_async_bulk_max_u32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_max_u32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u32";
    @ "sm_90" cp_reduce_async_bulk_max_s32(x: *const u32, y: *mut i32) = stored(x, |from| bulk::cp_reduce_async_bulk_max_s32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32";
    @ "sm_90" cp_reduce_async_bulk_max_u64(x: *const u32, y: *mut u64) = stored(x, |from| bulk::cp_reduce_async_bulk_max_u64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.u64";
    @ "sm_90" cp_reduce_async_bulk_max_s64(x: *const u32, y: *mut i64) = stored(x, |from| bulk::cp_reduce_async_bulk_max_s64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s64";
    @ "sm_90" cp_reduce_async_bulk_max_f16(x: *const u32, y: *mut f16) = stored(x, |from| bulk::cp_reduce_async_bulk_max_f16(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.f16";
    @ "sm_90" cp_reduce_async_bulk_max_bf16(x: *const u32, y: *mut bf16) = stored(x, |from| bulk::cp_reduce_async_bulk_max_bf16(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.max.bf16";
    @ "sm_90" cp_reduce_async_bulk_inc_u32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_inc_u32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.inc.u32";
    @ "sm_90" cp_reduce_async_bulk_dec_u32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_dec_u32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.dec.u32";
    @ "sm_90" cp_reduce_async_bulk_and_b32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_and_b32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b32";
    @ "sm_90" cp_reduce_async_bulk_and_b64(x: *const u32, y: *mut u64) = stored(x, |from| bulk::cp_reduce_async_bulk_and_b64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.and.b64";
    @ "sm_90" cp_reduce_async_bulk_or_b32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_or_b32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b32";
    @ "sm_90" cp_reduce_async_bulk_or_b64(x: *const u32, y: *mut u64) = stored(x, |from| bulk::cp_reduce_async_bulk_or_b64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.or.b64";
    @ "sm_90" cp_reduce_async_bulk_xor_b32(x: *const u32, y: *mut u32) = stored(x, |from| bulk::cp_reduce_async_bulk_xor_b32(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b32";
    @ "sm_90" cp_reduce_async_bulk_xor_b64(x: *const u32, y: *mut u64) = stored(x, |from| bulk::cp_reduce_async_bulk_xor_b64(y, from, 128))
        => "cp.reduce.async.bulk.global.shared::cta.bulk_group.xor.b64";

    // clusters: block b's y = its own words op the x of block b ^ 1
    @ "sm_90" cp_async_bulk_to_cluster(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to: ClusterPtr<u8>, from, bar| bulk::cp_async_bulk_to_cluster(to, from, 128, bar))
        => "cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_add_u32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_add_u32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_add_s32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_add_s32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.s32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_add_u64(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_add_u64(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.add.u64";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_min_u32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_min_u32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.u32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_min_s32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_min_s32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.min.s32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_max_u32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_max_u32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.u32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_max_s32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_max_s32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.max.s32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_inc_u32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_inc_u32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.inc.u32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_dec_u32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_dec_u32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.dec.u32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_and_b32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_and_b32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.and.b32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_or_b32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_or_b32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.or.b32";
    @ "sm_90" cp_reduce_async_bulk_to_cluster_xor_b32(x: *const u32, y: *mut u32)
        = sent(x, y, 128, |to, from, bar| bulk::cp_reduce_async_bulk_to_cluster_xor_b32(to, from, 128, bar))
        => "cp.reduce.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes.xor.b32";
    @ "sm_90" mapa(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| cluster::ld_shared_cluster(cluster::mapa(mine, rank)))
        => "mapa.shared::cluster.u32";
    @ "sm_90" mapa_generic(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| cluster::mapa_generic(mine, rank).read())
        => "mapa.u64";
    @ "sm_90" getctarank(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| {
        let there = cluster::mapa_generic(mine, rank);
        if cluster::getctarank(there) == rank { there.read() } else { 0 }
    }) => "getctarank.u64";
    @ "sm_90" isspacep_shared_cluster(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| {
        let there = cluster::mapa_generic(mine, rank);
        if cluster::isspacep_shared_cluster(there) { there.read() } else { 0 }
    }) => "isspacep.shared::cluster";
    @ "sm_90" ld_shared_cluster(x: *const u32, y: *mut u32)
        = visited(x, y, |mine, rank| cluster::ld_shared_cluster(cluster::mapa(mine, rank))) => "ld.shared::cluster.b32";
    @ "sm_90" ld_shared_cluster__64(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| {
        let pair: u64 = cluster::ld_shared_cluster(cluster::mapa((mine as usize & !7) as *const u64, rank));
        (pair >> (32 * (thread::lane_idx() & 1))) as u32
    }) => "ld.shared::cluster.b64";
    @ "sm_90" st_shared_cluster(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| {
        cluster::st_shared_cluster(cluster::mapa(mine.add(32), rank), mine.read());
        block::barrier_cluster_arrive();
        block::barrier_cluster_wait();
        mine.add(32).read()
    }) => "st.shared::cluster.b32";
    @ "sm_90" st_shared_cluster__64(x: *const u32, y: *mut u32) = visited(x, y, |mine, rank| {
        let place = mine.add(32 + thread::lane_idx() as usize).cast::<u64>();
        cluster::st_shared_cluster(cluster::mapa(place, rank), u64::from(mine.read()) << 32);
        block::barrier_cluster_arrive();
        block::barrier_cluster_wait();
        (place.read() >> 32) as u32
    }) => "st.shared::cluster.b64";
    @ "sm_90" st_async_u32(x: *const u32, y: *mut u32) = sent_by_lanes(x, y, |to, value, bar| cluster::st_async_u32(to, value, bar))
        => "st.async.shared::cluster.mbarrier::complete_tx::bytes.u32";
    @ "sm_90" st_async_f32(x: *const u32, y: *mut u32) = sent_by_lanes(x, y, |to, value, bar| {
        cluster::st_async_f32(core::mem::transmute::<ClusterPtr<u32>, ClusterPtr<f32>>(to), f32::from_bits(value), bar);
    }) => "st.async.shared::cluster.mbarrier::complete_tx::bytes.f32";
    @ "sm_90" st_async_u64(x: *const u32, y: *mut u32) = sent_by_lanes(x, y, |to, value, bar| {
        let other = warp::shfl_xor_sync(warp::FULL_MASK, value, 1);
        if thread::lane_idx() & 1 == 0 {
            let both = u64::from(value) | u64::from(other) << 32;
            cluster::st_async_u64(core::mem::transmute::<ClusterPtr<u32>, ClusterPtr<u64>>(to), both, bar);
        }
    }) => "st.async.shared::cluster.mbarrier::complete_tx::bytes.u64";
    @ "sm_90" red_async_add_u32(x: *const u32, y: *mut u32)
        = sent_by_lanes(x, y, |to, value, bar| cluster::red_async_add_u32(to, value, bar))
        => "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32";
    @ "sm_90" red_async_min_u32(x: *const u32, y: *mut u32)
        = sent_by_lanes(x, y, |to, value, bar| cluster::red_async_min_u32(to, value, bar))
        => "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.min.u32";
    @ "sm_90" red_async_max_u32(x: *const u32, y: *mut u32)
        = sent_by_lanes(x, y, |to, value, bar| cluster::red_async_max_u32(to, value, bar))
        => "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.max.u32";
    @ "sm_90" mbarrier_arrive_cluster(x: *const u32, y: *mut u32)
        = told(x, y, 32, |bar| mbarrier::mbarrier_arrive_cluster(bar)) => "mbarrier.arrive.release.cluster.shared::cluster.b64";
    @ "sm_90" mbarrier_arrive_shared_cluster(x: *const u32, y: *mut u32)
        = told(x, y, 32, |bar| mbarrier::mbarrier_arrive_shared_cluster(bar)) => "mbarrier.arrive.shared::cluster.b64";
    @ "sm_90" mbarrier_arrive_count_cluster(x: *const u32, y: *mut u32)
        = told(x, y, 96, |bar| mbarrier::mbarrier_arrive_count_cluster(bar, 3))
        => "mbarrier.arrive.release.cluster.shared::cluster.b64";
    @ "sm_90" mbarrier_arrive_expect_tx_cluster(x: *const u32, y: *mut u32)
        = told(x, y, 32, |bar| mbarrier::mbarrier_arrive_expect_tx_cluster(bar, 0))
        => "mbarrier.arrive.expect_tx.release.cluster.shared::cluster.b64";
    @ "sm_90" barrier_cluster_arrive_relaxed() = {
        block::barrier_cluster_arrive_relaxed();
        block::barrier_cluster_wait();
    } => "barrier.cluster.arrive.relaxed";

    // tensors of 32-bit words, 16 in the innermost dimension, boxes of 16 x 2 x 1 …
    @ "sm_90" cp_async_bulk_tensor_load_1d(map: *const TensorMap, y: *mut u32)
        = boxed(y, 64, |to, bar| tma::cp_async_bulk_tensor_load_1d(to, map, [4], bar))
        => "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_async_bulk_tensor_load_2d(map: *const TensorMap, y: *mut u32)
        = boxed(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_2d(to, map, [4, 1], bar))
        => "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_async_bulk_tensor_load_2d_l2_cache_hint(map: *const TensorMap, y: *mut u32) = boxed(y, 128, |to, bar| {
        tma::cp_async_bulk_tensor_load_2d_l2_cache_hint(to, map, [4, 1], bar, mem::createpolicy_l2_evict_first());
    }) => "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.L2::cache_hint";
    @ "sm_90" cp_async_bulk_tensor_load_3d(map: *const TensorMap, y: *mut u32)
        = boxed(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_3d(to, map, [4, 1, 1], bar))
        => "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_async_bulk_tensor_load_4d(map: *const TensorMap, y: *mut u32)
        = boxed(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_4d(to, map, [4, 1, 1, 1], bar))
        => "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_async_bulk_tensor_load_5d(map: *const TensorMap, y: *mut u32)
        = boxed(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_5d(to, map, [4, 1, 1, 1, 1], bar))
        => "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes";
    @ "sm_90" cp_async_bulk_tensor_load_1d_multicast(map: *const TensorMap, y: *mut u32)
        = boxed_multicast(y, 64, |to, bar| tma::cp_async_bulk_tensor_load_1d_multicast(to, map, [4], bar, 3))
        => "cp.async.bulk.tensor.1d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    @ "sm_90" cp_async_bulk_tensor_load_2d_multicast(map: *const TensorMap, y: *mut u32)
        = boxed_multicast(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_2d_multicast(to, map, [4, 1], bar, 3))
        => "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    @ "sm_90" cp_async_bulk_tensor_load_3d_multicast(map: *const TensorMap, y: *mut u32)
        = boxed_multicast(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_3d_multicast(to, map, [4, 1, 1], bar, 3))
        => "cp.async.bulk.tensor.3d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    @ "sm_90" cp_async_bulk_tensor_load_4d_multicast(map: *const TensorMap, y: *mut u32)
        = boxed_multicast(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_4d_multicast(to, map, [4, 1, 1, 1], bar, 3))
        => "cp.async.bulk.tensor.4d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    @ "sm_90" cp_async_bulk_tensor_load_5d_multicast(map: *const TensorMap, y: *mut u32)
        = boxed_multicast(y, 128, |to, bar| tma::cp_async_bulk_tensor_load_5d_multicast(to, map, [4, 1, 1, 1, 1], bar, 3))
        => "cp.async.bulk.tensor.5d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster";
    @ "sm_90" cp_async_bulk_tensor_store_1d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_async_bulk_tensor_store_1d(map, [4], from))
        => "cp.async.bulk.tensor.1d.global.shared::cta.tile.bulk_group";
    @ "sm_90" cp_async_bulk_tensor_store_2d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_async_bulk_tensor_store_2d(map, [4, 1], from))
        => "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group";
    @ "sm_90" cp_async_bulk_tensor_store_3d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_async_bulk_tensor_store_3d(map, [4, 1, 1], from))
        => "cp.async.bulk.tensor.3d.global.shared::cta.tile.bulk_group";
    @ "sm_90" cp_async_bulk_tensor_store_4d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_async_bulk_tensor_store_4d(map, [4, 1, 1, 1], from))
        => "cp.async.bulk.tensor.4d.global.shared::cta.tile.bulk_group";
    @ "sm_90" cp_async_bulk_tensor_store_5d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_async_bulk_tensor_store_5d(map, [4, 1, 1, 1, 1], from))
        => "cp.async.bulk.tensor.5d.global.shared::cta.tile.bulk_group";
    @ "sm_90" cp_reduce_async_bulk_tensor_add_1d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_reduce_async_bulk_tensor_add_1d(map, [4], from))
        => "cp.reduce.async.bulk.tensor.1d.global.shared::cta.add.tile.bulk_group";
    @ "sm_90" cp_reduce_async_bulk_tensor_add_2d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_reduce_async_bulk_tensor_add_2d(map, [4, 1], from))
        => "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group";
    @ "sm_90" cp_reduce_async_bulk_tensor_add_3d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_reduce_async_bulk_tensor_add_3d(map, [4, 1, 1], from))
        => "cp.reduce.async.bulk.tensor.3d.global.shared::cta.add.tile.bulk_group";
    @ "sm_90" cp_reduce_async_bulk_tensor_min_2d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_reduce_async_bulk_tensor_min_2d(map, [4, 1], from))
        => "cp.reduce.async.bulk.tensor.2d.global.shared::cta.min.tile.bulk_group";
    @ "sm_90" cp_reduce_async_bulk_tensor_max_2d(x: *const u32, map: *const TensorMap)
        = stored(x, |from: *const u32| tma::cp_reduce_async_bulk_tensor_max_2d(map, [4, 1], from))
        => "cp.reduce.async.bulk.tensor.2d.global.shared::cta.max.tile.bulk_group";
    @ "sm_90" cp_async_bulk_prefetch_tensor_2d(map: *const TensorMap) = tma::cp_async_bulk_prefetch_tensor_2d(map, [4, 1])
        => "cp.async.bulk.prefetch.tensor.2d.L2.global.tile";

    // control
    @ "sm_90" griddepcontrol_launch_dependents() = control::griddepcontrol_launch_dependents()
        => "griddepcontrol.launch_dependents";
    @ "sm_90" griddepcontrol_wait() = control::griddepcontrol_wait() => "griddepcontrol.wait";
    @ "sm_90a" setmaxnreg_inc() = control::setmaxnreg_inc::<232>() => "setmaxnreg.inc.sync.aligned.u32";
    @ "sm_90a" setmaxnreg_dec() = control::setmaxnreg_dec::<40>() => "setmaxnreg.dec.sync.aligned.u32";
    @ "sm_90" elect_sync(y: *mut u32) = y.add(thread::lane_idx() as usize).write(u32::from(warp::elect_sync(warp::FULL_MASK)))
        => "elect.sync";
}
