// The wrappers of matrix instructions and of copies to shared memory, for one whole warp: parameters and result are arrays by thread.
// Rows as in together.rs.
wrappers! {
    // mma
    mma_sync_m16n8k32_s32_s8_s8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_s32_s8_s8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32";
    mma_sync_m16n8k32_s32_s8_u8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_s32_s8_u8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32";
    mma_sync_m16n8k32_s32_u8_s8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_s32_u8_s8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32";
    mma_sync_m16n8k32_s32_u8_u8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_s32_u8_u8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.s32.u8.u8.s32";
    mma_sync_m16n8k32_satfinite_s32_s8_s8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_satfinite_s32_s8_s8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32";
    mma_sync_m16n8k32_satfinite_s32_s8_u8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_satfinite_s32_s8_u8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.u8.s32";
    mma_sync_m16n8k32_satfinite_s32_u8_s8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_satfinite_s32_u8_s8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.s8.s32";
    mma_sync_m16n8k32_satfinite_s32_u8_u8(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4]
        = mma::mma_sync_m16n8k32_satfinite_s32_u8_u8(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k32.row.col.satfinite.s32.u8.u8.s32";
    mma_sync_m16n8k16_f32_f16(a: [u32; 4], b: [u32; 2], c: [f32; 4]) -> [f32; 4]
        = mma::mma_sync_m16n8k16_f32_f16(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32";
    mma_sync_m16n8k16_f32_bf16(a: [u32; 4], b: [u32; 2], c: [f32; 4]) -> [f32; 4]
        = mma::mma_sync_m16n8k16_f32_bf16(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";
    mma_sync_m16n8k8_f32_tf32(a: [u32; 4], b: [u32; 2], c: [f32; 4]) -> [f32; 4]
        = mma::mma_sync_m16n8k8_f32_tf32(FragA::from_registers(a), FragB::from_registers(b), FragC::from_registers(c)).registers
        => "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32";
    mma_sync(a: [u32; 4], b: [u32; 2], c: [i32; 4]) -> [i32; 4] = {
        let (a, b) = (FragA::<u8, 16, 32>::from_registers(a), FragB::<i8, 8, 32>::from_registers(b));
        mma::mma_sync(a, b, FragC::from_registers(c)).registers
    } => "mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32";
    mma_sync__bf16(a: [u32; 4], b: [u32; 2], c: [f32; 4]) -> [f32; 4] = {
        let (a, b) = (FragA::<bf16, 16, 16>::from_registers(a), FragB::<bf16, 8, 16>::from_registers(b));
        mma::mma_sync(a, b, FragC::from_registers(c)).registers
    } => "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32";

    // ldmatrix, stmatrix: the lane gives row `row` of 32 rows of 16 bytes, each of them what one lane has in `x`.
    ldmatrix_x1(x: [u32; 4], row: u32) -> [u32; 1] = mma::ldmatrix_x1(tile_of(x).add(row as usize))
        => "ldmatrix.sync.aligned.m8n8.x1.shared.b16";
    ldmatrix_x2(x: [u32; 4], row: u32) -> [u32; 2] = mma::ldmatrix_x2(tile_of(x).add(row as usize))
        => "ldmatrix.sync.aligned.m8n8.x2.shared.b16";
    ldmatrix_x4(x: [u32; 4], row: u32) -> [u32; 4] = mma::ldmatrix_x4(tile_of(x).add(row as usize))
        => "ldmatrix.sync.aligned.m8n8.x4.shared.b16";
    ldmatrix_x1_trans(x: [u32; 4], row: u32) -> [u32; 1] = mma::ldmatrix_x1_trans(tile_of(x).add(row as usize))
        => "ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16";
    ldmatrix_x2_trans(x: [u32; 4], row: u32) -> [u32; 2] = mma::ldmatrix_x2_trans(tile_of(x).add(row as usize))
        => "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16";
    ldmatrix_x4_trans(x: [u32; 4], row: u32) -> [u32; 4] = mma::ldmatrix_x4_trans(tile_of(x).add(row as usize))
        => "ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16";
    @ "sm_90" stmatrix_x1(x: [u32; 1], row: u32) -> [u32; 4] = after(|tile| mma::stmatrix_x1(tile.add(row as usize), x))
        => "stmatrix.sync.aligned.m8n8.x1.shared.b16";
    @ "sm_90" stmatrix_x2(x: [u32; 2], row: u32) -> [u32; 4] = after(|tile| mma::stmatrix_x2(tile.add(row as usize), x))
        => "stmatrix.sync.aligned.m8n8.x2.shared.b16";
    @ "sm_90" stmatrix_x4(x: [u32; 4], row: u32) -> [u32; 4] = after(|tile| mma::stmatrix_x4(tile.add(row as usize), x))
        => "stmatrix.sync.aligned.m8n8.x4.shared.b16";
    @ "sm_90" stmatrix_x1_trans(x: [u32; 1], row: u32) -> [u32; 4]
        = after(|tile| mma::stmatrix_x1_trans(tile.add(row as usize), x)) => "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16";
    @ "sm_90" stmatrix_x2_trans(x: [u32; 2], row: u32) -> [u32; 4]
        = after(|tile| mma::stmatrix_x2_trans(tile.add(row as usize), x)) => "stmatrix.sync.aligned.m8n8.x2.trans.shared.b16";
    @ "sm_90" stmatrix_x4_trans(x: [u32; 4], row: u32) -> [u32; 4]
        = after(|tile| mma::stmatrix_x4_trans(tile.add(row as usize), x)) => "stmatrix.sync.aligned.m8n8.x4.trans.shared.b16";

    // async_copy: from where the lane says, over memory that is not zero.
    cp_async_ca__4(from: *const u32) -> u32 = copied(|to| async_copy::cp_async_ca(to, from))
        => "cp.async.ca.shared.global", "cp.async.commit_group", "cp.async.wait_group";
    cp_async_ca__8(from: *const u64) -> u64 = copied(|to| async_copy::cp_async_ca(to, from)) => "cp.async.ca.shared.global";
    cp_async_ca__16(from: *const Vec16<u32>) -> Vec16<u32> = copied(|to| async_copy::cp_async_ca(to, from))
        => "cp.async.ca.shared.global";
    cp_async_ca_zfill__4(from: *const u32, bytes: u32) -> u32
        = copied(|to| async_copy::cp_async_ca_zfill(to, from, bytes)) => "cp.async.ca.shared.global";
    cp_async_ca_zfill__8(from: *const u64, bytes: u32) -> u64
        = copied(|to| async_copy::cp_async_ca_zfill(to, from, bytes)) => "cp.async.ca.shared.global";
    cp_async_ca_zfill__16(from: *const Vec16<u32>, bytes: u32) -> Vec16<u32>
        = copied(|to| async_copy::cp_async_ca_zfill(to, from, bytes)) => "cp.async.ca.shared.global";
    cp_async_cg(from: *const Vec16<u32>) -> Vec16<u32> = copied(|to| async_copy::cp_async_cg(to, from))
        => "cp.async.cg.shared.global";
    cp_async_cg_zfill(from: *const Vec16<u32>, bytes: u32) -> Vec16<u32>
        = copied(|to| async_copy::cp_async_cg_zfill(to, from, bytes)) => "cp.async.cg.shared.global";
    cp_async_cg_l2_128b(from: *const Vec16<u32>) -> Vec16<u32> = copied(|to| async_copy::cp_async_cg_l2_128b(to, from))
        => "cp.async.cg.shared.global.L2::128B";
    cp_async_cg_l2_256b(from: *const Vec16<u32>) -> Vec16<u32> = copied(|to| async_copy::cp_async_cg_l2_256b(to, from))
        => "cp.async.cg.shared.global.L2::256B";
    cp_async_commit_group(from: *const u32) -> u32 = copied(|to| {
        async_copy::cp_async_ca(to, from);
        async_copy::cp_async_commit_group();
    }) => "cp.async.commit_group" * 2;
    cp_async_wait_group(from: *const u32) -> u32 = copied(|to| {
        async_copy::cp_async_ca(to, from);
        async_copy::cp_async_commit_group();
        async_copy::cp_async_commit_group();
        async_copy::cp_async_wait_group::<1>();
    }) => "cp.async.wait_group" * 2;
    cp_async_wait_all(from: *const u32) -> u32 = copied(|to| {
        async_copy::cp_async_ca(to, from);
        async_copy::cp_async_wait_all();
    }) => "cp.async.wait_all";
}
