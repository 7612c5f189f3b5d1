// The wrappers of the warpgroup's matrix instructions. `x` is a tile of A in core matrices (2048 bytes, 64 rows of 32 bytes of k),
// one of B (512 bytes, 16 columns) behind it; `out` gets the 8 accumulators of each of 128 threads. Fragments of A are the first
// 2048 bytes of `x`, thread by thread. One row per wrapper, or per variant of one (`wrapper__variant`):
// `@ "architecture" name(parameters) = call => "what its PTX must contain" [* how often, else once], …;`
wrappers! {
    @ "sm_90a" wgmma_fence(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_s8_s8(acc, a, b, false))
        => "wgmma.fence.sync.aligned";
    @ "sm_90a" wgmma_commit_group(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| {
        wgmma::wgmma_mma_async_s8_s8(acc, a, b, false);
        wgmma::wgmma_commit_group();
    }) => "wgmma.commit_group.sync.aligned" * 2;
    @ "sm_90a" wgmma_wait_group(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| {
        wgmma::wgmma_mma_async_s8_s8(acc, a, b, false);
        wgmma::wgmma_wait_group::<7>(&mut ());
    }) => "wgmma.wait_group.sync.aligned" * 2;
    @ "sm_90a" wgmma_mma_async_s8_s8(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_s8_s8(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8", "fence.proxy.async.shared::cta";
    @ "sm_90a" wgmma_mma_async_s8_u8(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_s8_u8(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8";
    @ "sm_90a" wgmma_mma_async_u8_s8(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_u8_s8(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8";
    @ "sm_90a" wgmma_mma_async_u8_u8(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_u8_u8(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.u8";
    @ "sm_90a" wgmma_mma_async_s8_s8_ra(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, _, b, r| wgmma::wgmma_mma_async_s8_s8_ra(acc, r, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8";
    @ "sm_90a" wgmma_mma_async_s8_u8_ra(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, _, b, r| wgmma::wgmma_mma_async_s8_u8_ra(acc, r, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.s8.u8";
    @ "sm_90a" wgmma_mma_async_u8_s8_ra(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, _, b, r| wgmma::wgmma_mma_async_u8_s8_ra(acc, r, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.s8";
    @ "sm_90a" wgmma_mma_async_u8_u8_ra(out: *mut i32, x: *const u32) = on_tiles(out, x, |acc, _, b, r| wgmma::wgmma_mma_async_u8_u8_ra(acc, r, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k32.s32.u8.u8";
    @ "sm_90a" wgmma_mma_async_f16(out: *mut f32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_f16::<16, 1, 1, false, false>(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16";
    @ "sm_90a" wgmma_mma_async_f16__negated(out: *mut f32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_f16::<16, -1, 1, false, false>(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16";
    @ "sm_90a" wgmma_mma_async_bf16(out: *mut f32, x: *const u32) = on_tiles(out, x, |acc, a, b, _| wgmma::wgmma_mma_async_bf16::<16, 1, 1, false, false>(acc, a, b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16";
    @ "sm_90a" wgmma_mma_async_f16_ra(out: *mut f32, x: *const u32) = on_tiles(out, x, |acc, _, b, r| wgmma::wgmma_mma_async_f16_ra::<16, 1, 1, false>(acc, A16(r.0), b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16";
    @ "sm_90a" wgmma_mma_async_bf16_ra(out: *mut f32, x: *const u32) = on_tiles(out, x, |acc, _, b, r| wgmma::wgmma_mma_async_bf16_ra::<16, 1, -1, false>(acc, A16(r.0), b, true))
        => "wgmma.mma_async.sync.aligned.m64n16k16.f32.bf16.bf16";
    @ "sm_90" fence_proxy_async() = wgmma::fence_proxy_async() => "fence.proxy.async.shared::cta";
}
