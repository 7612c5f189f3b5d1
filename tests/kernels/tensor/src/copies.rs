//! y[i] = x[i], by bulk copies; and a box of each tensor, by tensor copies.
//!
//! Shapes     `bulk_copy`: x, y of `bytes` bytes, a multiple of 16, aligned to 16; `bulk_multicast`: x of 2 KiB, y the same for each
//!            block of the cluster; `tensor_copy`: two tensors of 2 dimensions, boxes of 64 × 32 of 16 bits, swizzled alike
//! Launch     one warp a block: `bulk_copy` any grid, a block for each multiprocessor is enough; `bulk_multicast` one cluster of 4
//!            blocks; `tensor_copy` a block for each box
//! Shared     `bulk_copy`: four stages of 8 KiB; while one is written to global memory the others are filled
//! Traffic    `bulk_copy`: 2 `bytes`

use gpu_std::block::{barrier_cluster_arrive, barrier_cluster_wait};
use gpu_std::bulk::{
    cp_async_bulk_commit_group, cp_async_bulk_load, cp_async_bulk_load_multicast, cp_async_bulk_store,
    cp_async_bulk_wait_group, cp_async_bulk_wait_group_read,
};
use gpu_std::mbarrier::{
    Mbarrier, fence_mbarrier_init, mbarrier_arrive_expect_tx, mbarrier_init, mbarrier_wait_parity,
};
use gpu_std::shared::SharedCell;
use gpu_std::tma::{TensorMap, cp_async_bulk_tensor_load_2d, cp_async_bulk_tensor_store_2d};
use gpu_std::{thread, warp};

const STAGES: u64 = 4;
const STAGE_BYTES: u64 = 8192;

/// The stages.
#[repr(C, align(128))]
struct Stages([[u8; STAGE_BYTES as usize]; STAGES as usize]);

#[unsafe(link_section = ".shared")]
static BUFFER: SharedCell<Stages> = SharedCell::new();
#[unsafe(link_section = ".shared")]
static FULL: SharedCell<[Mbarrier; STAGES as usize]> = SharedCell::new();

/// The stage of the block's tile number `turn`, and its object.
#[inline(always)]
fn stage(turn: u64) -> (*mut u8, *mut Mbarrier) {
    let at = (turn % STAGES) as usize;
    let first = BUFFER.as_mut_ptr().cast::<u8>();
    (first.wrapping_add(at * STAGE_BYTES as usize), FULL.as_mut_ptr().cast::<Mbarrier>().wrapping_add(at))
}

/// The tiles of a block: every `step`-th from `first` on.
#[derive(Clone, Copy)]
struct Tiles {
    bytes: u64,
    first: u64,
    step: u64,
}

impl Tiles {
    /// Where tile number `turn` begins, and its bytes; 0 past the end.
    #[inline(always)]
    fn at(self, turn: u64) -> (usize, u32) {
        let at = (self.first + turn * self.step) * STAGE_BYTES;
        (at as usize, self.bytes.saturating_sub(at).min(STAGE_BYTES) as u32)
    }

    /// Begins to fill the stage of tile number `turn`, if there is one.
    ///
    /// # Safety
    /// Nobody uses the stage.
    #[inline(always)]
    unsafe fn fill(self, from: *const u8, turn: u64) {
        let (at, bytes) = self.at(turn);
        if bytes > 0 {
            let (buffer, full) = stage(turn);
            // SAFETY: promised by the caller; the tile lies inside.
            unsafe {
                mbarrier_arrive_expect_tx(full, bytes);
                cp_async_bulk_load(buffer, from.add(at), bytes, full);
            }
        }
    }
}

/// Copies with one thread of each block.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn bulk_copy(from: *const u8, to: *mut u8, bytes: u64) {
    if thread::thread_idx_x() != 0 {
        return;
    }
    let tiles = Tiles { bytes, first: thread::block_idx_x().into(), step: thread::grid_dim_x().into() };
    // SAFETY: this thread alone uses objects and stages.
    unsafe {
        for turn in 0..STAGES {
            mbarrier_init(stage(turn).1, 1);
        }
        fence_mbarrier_init();
        for turn in 0..STAGES - 1 {
            tiles.fill(from, turn);
        }
        let mut turn = 0;
        loop {
            let (at, bytes) = tiles.at(turn);
            if bytes == 0 {
                break;
            }
            // The stage to be filled is that of the last turn, whose store must have read it.
            cp_async_bulk_wait_group_read::<0>();
            tiles.fill(from, turn + STAGES - 1);
            let (buffer, full) = stage(turn);
            mbarrier_wait_parity(full, (turn / STAGES) as u32 & 1);
            cp_async_bulk_store(to.add(at), buffer, bytes);
            cp_async_bulk_commit_group();
            turn += 1;
        }
        cp_async_bulk_wait_group::<0>();
    }
}

/// Each block of a cluster of four copies a quarter to all of them, and writes what it got.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn bulk_multicast(from: *const u8, to: *mut u8) {
    const BYTES: u32 = 2048;
    let (buffer, full) = stage(0);
    let rank = thread::cluster_block_rank();
    let quarter = (rank * BYTES / 4) as usize;
    // SAFETY: one thread makes the object and copies; the blocks meet before the copies, and each waits for its own bytes.
    unsafe {
        let first = thread::thread_idx_x() == 0;
        if first {
            mbarrier_init(full, 1);
            mbarrier_arrive_expect_tx(full, BYTES);
            fence_mbarrier_init();
        }
        barrier_cluster_arrive();
        barrier_cluster_wait();
        if first {
            cp_async_bulk_load_multicast(buffer.add(quarter), from.add(quarter), BYTES / 4, full, 0b1111);
            mbarrier_wait_parity(full, 0);
            cp_async_bulk_store(to.add((rank * BYTES) as usize), buffer, BYTES);
            cp_async_bulk_commit_group();
            cp_async_bulk_wait_group::<0>();
        }
        barrier_cluster_arrive();
        barrier_cluster_wait();
    }
}

/// Copies the box of a block from one tensor to another.
///
/// # Safety
/// As the module says; both point to maps in global memory.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn tensor_copy(from: *const TensorMap, to: *const TensorMap) {
    const BOX: [u32; 2] = [64, 32];
    let at = [thread::block_idx_x() * BOX[0], thread::block_idx_y() * BOX[1]].map(|at| at as i32);
    let (buffer, full) = stage(0);
    // SAFETY: one lane makes the object and copies.
    unsafe {
        if warp::elect_sync(warp::FULL_MASK) {
            mbarrier_init(full, 1);
            fence_mbarrier_init();
            mbarrier_arrive_expect_tx(full, 2 * BOX[0] * BOX[1]);
            cp_async_bulk_tensor_load_2d(buffer, from, at, full);
            mbarrier_wait_parity(full, 0);
            cp_async_bulk_tensor_store_2d(to, at, buffer);
            cp_async_bulk_commit_group();
            cp_async_bulk_wait_group::<0>();
        }
    }
}
