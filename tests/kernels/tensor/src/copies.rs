//! y[i] = x[i], by bulk copies; and a box of each tensor, by tensor copies.
//!
//! Shapes     `bulk_copy`: x, y of `bytes` bytes, a multiple of 16, aligned to 16, and a counter; `bulk_multicast`: x of 2 KiB, y the
//!            same for each block of the cluster; `tensor_copy`: two tensors of 2 dimensions, boxes of 64 × 32 of 16 bits, swizzled
//!            alike
//! Launch     one warp a block: `bulk_copy` any grid, two blocks for each multiprocessor are enough; `bulk_multicast` one cluster of 4
//!            blocks; `tensor_copy` a block for each box
//! Shared     `bulk_copy`: two stages of 16 KiB; while one is written to global memory the other is filled
//! Traffic    `bulk_copy`: 2 `bytes`

use gpu_std::atomic::{Global, Gpu, Relaxed, atom_add, atom_exch};
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

/// Double-buffered: with more in flight an H200 reads and writes by turns less often, and is slower.
const STAGES: u32 = 2;
const STAGE_BYTES: u64 = 16384;

/// The stages.
#[repr(C, align(128))]
struct Stages([[u8; STAGE_BYTES as usize]; STAGES as usize]);

#[unsafe(link_section = ".shared")]
static BUFFER: SharedCell<Stages> = SharedCell::new();
#[unsafe(link_section = ".shared")]
static FULL: SharedCell<[Mbarrier; STAGES as usize]> = SharedCell::new();

/// The stage of the block's tile number `turn`, and its object.
#[inline(always)]
fn stage(turn: u32) -> (*mut u8, *mut Mbarrier) {
    let at = (turn % STAGES) as usize;
    let first = BUFFER.as_mut_ptr().cast::<u8>();
    (first.wrapping_add(at * STAGE_BYTES as usize), FULL.as_mut_ptr().cast::<Mbarrier>().wrapping_add(at))
}

/// The tiles, which blocks take from one counter: one that is nearer to the memory takes more. With as many for each block the
/// copy takes a tenth longer.
#[derive(Clone, Copy)]
struct Tiles {
    bytes: u64,
    taken: *mut u32,
}

impl Tiles {
    /// Where the next tile begins, and its bytes; 0 past the end, where a block takes one. The last of those that are taken there
    /// leaves the counter as it was before the launch.
    ///
    /// # Safety
    /// The counter is the launch's alone.
    #[inline(always)]
    unsafe fn take(self) -> (usize, u32) {
        let last = self.bytes.div_ceil(STAGE_BYTES) as u32 + thread::grid_dim_x() - 1;
        // SAFETY: promised by the caller; nobody takes one behind the last.
        let tile = unsafe {
            let tile = atom_add(self.taken, 1_u32, Relaxed, Gpu, Global);
            if tile == last {
                atom_exch(self.taken, 0_u32, Relaxed, Gpu, Global);
            }
            tile
        };
        let at = u64::from(tile) * STAGE_BYTES;
        (at as usize, self.bytes.saturating_sub(at).min(STAGE_BYTES) as u32)
    }
}

/// Begins to fill the stage of the block's tile number `turn` with `tile`, if that is one.
///
/// # Safety
/// Nobody uses the stage; the tile lies inside.
#[inline(always)]
unsafe fn fill(from: *const u8, turn: u32, (at, bytes): (usize, u32)) {
    if bytes > 0 {
        let (buffer, full) = stage(turn);
        // SAFETY: promised by the caller.
        unsafe {
            mbarrier_arrive_expect_tx(full, bytes);
            cp_async_bulk_load(buffer, from.add(at), bytes, full);
        }
    }
}

/// Copies with one thread of each block; `taken` is 0 before and after.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn bulk_copy(from: *const u8, to: *mut u8, bytes: u64, taken: *mut u32) {
    if thread::thread_idx_x() != 0 {
        return;
    }
    let tiles = Tiles { bytes, taken };
    // SAFETY: this thread alone uses objects and stages.
    unsafe {
        for turn in 0..STAGES {
            mbarrier_init(stage(turn).1, 1);
        }
        fence_mbarrier_init();
        let mut tile = tiles.take();
        fill(from, 0, tile);
        let mut turn = 0;
        while tile.1 > 0 {
            let next = tiles.take();
            // The stage to be filled is that of the last turn, whose store must have read it.
            cp_async_bulk_wait_group_read::<0>();
            fill(from, turn + 1, next);
            let (buffer, full) = stage(turn);
            mbarrier_wait_parity(full, turn / STAGES & 1);
            cp_async_bulk_store(to.add(tile.0), buffer, tile.1);
            cp_async_bulk_commit_group();
            (tile, turn) = (next, turn + 1);
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
