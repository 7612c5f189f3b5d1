// The wrappers whose result differs by thread, or comes of several: parameters and result are arrays by thread of a 1-D block.
// One row per wrapper, or per variant of one (`wrapper__variant`):
// `[@ "architecture"] name(parameters) [-> result] = call => "what its PTX must contain" [* how often, else once], …;`
wrappers! {
    // thread
    thread_idx_x() -> u32 = thread::thread_idx_x() => "%tid.x";
    thread_idx_y() -> u32 = thread::thread_idx_y() => "%tid.y";
    thread_idx_z() -> u32 = thread::thread_idx_z() => "%tid.z";
    block_dim_x() -> u32 = thread::block_dim_x() => "%ntid.x";
    block_dim_y() -> u32 = thread::block_dim_y() => "%ntid.y";
    block_dim_z() -> u32 = thread::block_dim_z() => "%ntid.z";
    block_idx_x() -> u32 = thread::block_idx_x() => "%ctaid.x";
    block_idx_y() -> u32 = thread::block_idx_y() => "%ctaid.y";
    block_idx_z() -> u32 = thread::block_idx_z() => "%ctaid.z";
    grid_dim_x() -> u32 = thread::grid_dim_x() => "%nctaid.x";
    grid_dim_y() -> u32 = thread::grid_dim_y() => "%nctaid.y";
    grid_dim_z() -> u32 = thread::grid_dim_z() => "%nctaid.z";
    lane_idx() -> u32 = thread::lane_idx() => "%laneid";
    lanemask_eq() -> u32 = thread::lanemask_eq() => "%lanemask_eq";
    lanemask_lt() -> u32 = thread::lanemask_lt() => "%lanemask_lt";
    lanemask_le() -> u32 = thread::lanemask_le() => "%lanemask_le";
    lanemask_gt() -> u32 = thread::lanemask_gt() => "%lanemask_gt";
    lanemask_ge() -> u32 = thread::lanemask_ge() => "%lanemask_ge";
    smid() -> u32 = thread::smid() => "%smid";
    nsmid() -> u32 = thread::nsmid() => "%nsmid";
    warpid() -> u32 = thread::warpid() => "%warpid";
    nwarpid() -> u32 = thread::nwarpid() => "%nwarpid";
    gridid() -> u64 = thread::gridid() => "%gridid";
    dynamic_smem_size() -> u32 = thread::dynamic_smem_size() => "%dynamic_smem_size";
    total_smem_size() -> u32 = thread::total_smem_size() => "%total_smem_size";
    @ "sm_90" cluster_idx_x() -> u32 = thread::cluster_idx_x() => "%clusterid.x";
    @ "sm_90" cluster_idx_y() -> u32 = thread::cluster_idx_y() => "%clusterid.y";
    @ "sm_90" cluster_idx_z() -> u32 = thread::cluster_idx_z() => "%clusterid.z";
    @ "sm_90" grid_clusters_x() -> u32 = thread::grid_clusters_x() => "%nclusterid.x";
    @ "sm_90" grid_clusters_y() -> u32 = thread::grid_clusters_y() => "%nclusterid.y";
    @ "sm_90" grid_clusters_z() -> u32 = thread::grid_clusters_z() => "%nclusterid.z";
    @ "sm_90" cluster_block_idx_x() -> u32 = thread::cluster_block_idx_x() => "%cluster_ctaid.x";
    @ "sm_90" cluster_block_idx_y() -> u32 = thread::cluster_block_idx_y() => "%cluster_ctaid.y";
    @ "sm_90" cluster_block_idx_z() -> u32 = thread::cluster_block_idx_z() => "%cluster_ctaid.z";
    @ "sm_90" cluster_dim_x() -> u32 = thread::cluster_dim_x() => "%cluster_nctaid.x";
    @ "sm_90" cluster_dim_y() -> u32 = thread::cluster_dim_y() => "%cluster_nctaid.y";
    @ "sm_90" cluster_dim_z() -> u32 = thread::cluster_dim_z() => "%cluster_nctaid.z";
    @ "sm_90" cluster_block_rank() -> u32 = thread::cluster_block_rank() => "%cluster_ctarank";
    @ "sm_90" cluster_blocks() -> u32 = thread::cluster_blocks() => "%cluster_nctarank";
    thread_linear() -> u32 = thread::thread_linear() => "%tid.x", "%tid.y", "%tid.z";
    block_threads() -> u32 = thread::block_threads() => "%ntid.x", "%ntid.y", "%ntid.z";
    block_linear() -> u64 = thread::block_linear() => "%ctaid.x", "%ctaid.y", "%ctaid.z";
    grid_blocks() -> u64 = thread::grid_blocks() => "%nctaid.x", "%nctaid.y", "%nctaid.z";
    grid_thread_linear() -> u64 = thread::grid_thread_linear() => "%ctaid.x", "%tid.x";
    grid_threads() -> u64 = thread::grid_threads() => "%nctaid.x", "%ntid.x";
    warp_idx() -> u32 = thread::warp_idx() => "%tid.x", "shr.u32";
    num_warps() -> u32 = thread::num_warps() => "%ntid.x", "shr.u32";

    // warp
    shfl_idx_sync(mask: u32, x: u32, lane: u32) -> u32 = warp::shfl_idx_sync(mask, x, lane) => "shfl.sync.idx.b32";
    shfl_idx_sync_pred(found: *mut bool, mask: u32, x: f32, lane: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_idx_sync_pred(mask, x, lane, clamp);
        found.write(inside);
        value
    } => "shfl.sync.idx.b32", "selp.u32";
    shfl_up_sync(mask: u32, x: u32, delta: u32) -> u32 = warp::shfl_up_sync(mask, x, delta) => "shfl.sync.up.b32";
    shfl_up_sync_pred(found: *mut bool, mask: u32, x: f32, delta: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_up_sync_pred(mask, x, delta, clamp);
        found.write(inside);
        value
    } => "shfl.sync.up.b32", "selp.u32";
    shfl_down_sync(mask: u32, x: u32, delta: u32) -> u32 = warp::shfl_down_sync(mask, x, delta) => "shfl.sync.down.b32";
    shfl_down_sync_pred(found: *mut bool, mask: u32, x: f32, delta: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_down_sync_pred(mask, x, delta, clamp);
        found.write(inside);
        value
    } => "shfl.sync.down.b32", "selp.u32";
    shfl_xor_sync(mask: u32, x: u32, bits: u32) -> u32 = warp::shfl_xor_sync(mask, x, bits) => "shfl.sync.bfly.b32";
    shfl_xor_sync_pred(found: *mut bool, mask: u32, x: f32, bits: u32, clamp: u32) -> f32 = {
        let (value, inside) = warp::shfl_xor_sync_pred(mask, x, bits, clamp);
        found.write(inside);
        value
    } => "shfl.sync.bfly.b32", "selp.u32";
    shfl_xor_sync__f32(x: f32) -> f32 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__f16(x: f16) -> f16 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__bf16(x: bf16) -> bf16 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__u8(x: u8) -> u8 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__f16x2(x: f16x2) -> f16x2 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32";
    shfl_xor_sync__f64(x: f64) -> f64 = warp::shfl_xor_sync(warp::FULL_MASK, x, 1) => "shfl.sync.bfly.b32" * 2;
    shfl_idx_sync__u64(x: u64) -> u64 = warp::shfl_idx_sync(warp::FULL_MASK, x, 0) => "shfl.sync.idx.b32" * 2;
    shfl_idx_sync__vec16(x: Vec16<f32>) -> Vec16<f32> = warp::shfl_idx_sync(warp::FULL_MASK, x, 0)
        => "shfl.sync.idx.b32" * 4;
    all_sync(mask: u32, x: u32) -> bool = warp::all_sync(mask, x > 3) => "vote.sync.all.pred";
    any_sync(mask: u32, x: u32) -> bool = warp::any_sync(mask, x > 3) => "vote.sync.any.pred";
    uni_sync(mask: u32, x: u32) -> bool = warp::uni_sync(mask, x > 3) => "vote.sync.uni.pred";
    ballot_sync(mask: u32, x: u32) -> u32 = warp::ballot_sync(mask, x > 3) => "vote.sync.ballot.b32";
    match_any_sync(mask: u32, x: f32) -> u32 = warp::match_any_sync(mask, x) => "match.any.sync.b32";
    match_any_sync__64(mask: u32, x: f64) -> u32 = warp::match_any_sync(mask, x) => "match.any.sync.b64";
    match_all_sync(mask: u32, x: f32) -> bool = warp::match_all_sync(mask, x) => "match.all.sync.b32";
    match_all_sync__64(mask: u32, x: f64) -> bool = warp::match_all_sync(mask, x) => "match.all.sync.b64";
    redux_sync_add_u32(mask: u32, x: u32) -> u32 = warp::redux_sync_add_u32(mask, x) => "redux.sync.add.u32";
    redux_sync_add_s32(mask: u32, x: i32) -> i32 = warp::redux_sync_add_s32(mask, x) => "redux.sync.add.s32";
    redux_sync_min_u32(mask: u32, x: u32) -> u32 = warp::redux_sync_min_u32(mask, x) => "redux.sync.min.u32";
    redux_sync_min_s32(mask: u32, x: i32) -> i32 = warp::redux_sync_min_s32(mask, x) => "redux.sync.min.s32";
    redux_sync_max_u32(mask: u32, x: u32) -> u32 = warp::redux_sync_max_u32(mask, x) => "redux.sync.max.u32";
    redux_sync_max_s32(mask: u32, x: i32) -> i32 = warp::redux_sync_max_s32(mask, x) => "redux.sync.max.s32";
    redux_sync_and_b32(mask: u32, x: u32) -> u32 = warp::redux_sync_and_b32(mask, x) => "redux.sync.and.b32";
    redux_sync_or_b32(mask: u32, x: u32) -> u32 = warp::redux_sync_or_b32(mask, x) => "redux.sync.or.b32";
    redux_sync_xor_b32(mask: u32, x: u32) -> u32 = warp::redux_sync_xor_b32(mask, x) => "redux.sync.xor.b32";
    warp_reduce(x: u32) -> u32 = warp::warp_reduce(x, |x, y| x ^ y) => "shfl.sync.bfly.b32" * 5;
    warp_reduce_sum(x: f32) -> f32 = warp::warp_reduce_sum(x) => "shfl.sync.bfly.b32" * 5, "add.rn.f32" * 5;
    warp_reduce_sum__f64(x: f64) -> f64 = warp::warp_reduce_sum(x) => "shfl.sync.bfly.b32" * 10, "add.rn.f64" * 5;
    warp_reduce_sum__bf16x2(x: bf16x2) -> bf16x2 = warp::warp_reduce_sum(x)
        => "shfl.sync.bfly.b32" * 5, "fma.rn.bf16x2" * 5;
    warp_reduce_min(x: f32) -> f32 = warp::warp_reduce_min(x) => "shfl.sync.bfly.b32" * 5, "min.f32" * 5;
    warp_reduce_max(x: f16) -> f16 = warp::warp_reduce_max(x) => "shfl.sync.bfly.b32" * 5, "max.f16" * 5;
    activemask() -> u32 = warp::activemask() => "activemask.b32";
    bar_warp_sync(mask: u32) = warp::bar_warp_sync(mask) => "bar.warp.sync";

    // block
    barrier_red_popc(x: u32) -> u32 = block::barrier_red_popc(x > 3) => "barrier.red.popc.u32";
    barrier_red_and(x: u32) -> bool = block::barrier_red_and(x > 3) => "barrier.red.and.pred";
    barrier_red_or(x: u32) -> bool = block::barrier_red_or(x > 3) => "barrier.red.or.pred";
}
