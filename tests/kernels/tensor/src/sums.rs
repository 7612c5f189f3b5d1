//! y = Σ x[i], by a cluster whose blocks send their sums to the first one
//!
//! Shapes     x: [n] u32, y: one u32; modulo 2^32
//! Launch     one cluster of up to 8 blocks of 256 threads
//! Shared     the sums of the warps of a block; in the first block one of each block, in distributed shared memory

use gpu_std::block::{bar_sync, barrier_cluster_arrive, barrier_cluster_wait};
use gpu_std::cluster::{mapa, st_shared_cluster};
use gpu_std::shared::SharedCell;
use gpu_std::{thread, warp};

const WARPS: usize = 8;
const BLOCKS: usize = 8;

#[unsafe(link_section = ".shared")]
static OF_WARPS: SharedCell<[u32; WARPS]> = SharedCell::new();
#[unsafe(link_section = ".shared")]
static OF_BLOCKS: SharedCell<[u32; BLOCKS]> = SharedCell::new();

/// The sum over the first `count` lanes of what lies in shared memory.
///
/// # Safety
/// So many words are written, in a way this warp knows of.
unsafe fn sum_of(words: *const u32, count: u32) -> u32 {
    let lane = thread::lane_idx();
    // SAFETY: promised by the caller; all lanes are here.
    unsafe { warp::redux_sync_add_u32(warp::FULL_MASK, if lane < count { words.add(lane as usize).read() } else { 0 }) }
}

/// See the module.
///
/// # Safety
/// As the module says.
#[unsafe(no_mangle)]
pub unsafe extern "ptx-kernel" fn cluster_sum(x: *const u32, n: u64, y: *mut u32) {
    let (rank, blocks) = (thread::cluster_block_rank(), thread::cluster_blocks());
    let (thread, warp_idx) = (thread::thread_idx_x(), thread::warp_idx());
    let (of_warps, of_blocks) = (OF_WARPS.as_mut_ptr().cast::<u32>(), OF_BLOCKS.as_mut_ptr().cast::<u32>());
    let mut sum = 0_u32;
    let mut at = u64::from(rank * thread::block_dim_x() + thread);
    // SAFETY: words inside; warps and blocks meet between writes and reads, and no block ends before the first has its sums.
    unsafe {
        while at < n {
            sum = sum.wrapping_add(x.add(at as usize).read());
            at += u64::from(blocks * thread::block_dim_x());
        }
        of_warps.add(warp_idx as usize).write(warp::redux_sync_add_u32(warp::FULL_MASK, sum));
        bar_sync();
        barrier_cluster_arrive();
        barrier_cluster_wait();
        if warp_idx == 0 {
            let of_block = sum_of(of_warps, WARPS as u32);
            if thread == 0 {
                st_shared_cluster(mapa(of_blocks.add(rank as usize), 0), of_block);
            }
        }
        barrier_cluster_arrive();
        barrier_cluster_wait();
        if rank == 0 && warp_idx == 0 {
            let all = sum_of(of_blocks, blocks);
            if thread == 0 {
                y.write(all);
            }
        }
    }
}
