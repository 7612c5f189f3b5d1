//! What the kernels of `flights.rs` have in common. Blocks are one warp.

use gpu_std::mbarrier::{self, Mbarrier};
use gpu_std::shared::SharedCell;
use gpu_std::{async_copy, thread, warp};

/// 1024 words, aligned as a box must be.
#[repr(C, align(128))]
struct Tile([u32; 1024]);

#[unsafe(link_section = ".shared")]
static TILE: SharedCell<Tile> = SharedCell::new();
#[unsafe(link_section = ".shared")]
static OBJECT: SharedCell<Mbarrier> = SharedCell::new();

fn lane() -> usize {
    thread::lane_idx() as usize
}

/// The block's words.
pub fn tile() -> *mut u32 {
    TILE.as_mut_ptr().cast()
}

/// The block's object, as it is.
pub fn again() -> *mut Mbarrier {
    OBJECT.as_mut_ptr()
}

/// The block's object, made to expect so many arrivals.
pub unsafe fn object(count: u32) -> *mut Mbarrier {
    let bar = again();
    // SAFETY: one lane makes it, the others wait.
    unsafe {
        if lane() == 0 {
            mbarrier::mbarrier_init(bar, count);
        }
        warp::bar_warp_sync(warp::FULL_MASK);
    }
    bar
}

/// Whether the phase of a state is complete.
pub fn by_state(bar: *mut Mbarrier, state: u64) -> bool {
    // SAFETY: called by `handed` alone, with the block's object and a state of it.
    unsafe { mbarrier::mbarrier_test_wait(bar, state) }
}

/// Each lane gets the word of its neighbour, once all have arrived.
pub unsafe fn handed(
    x: *const u32,
    y: *mut u32,
    count: u32,
    arrive: impl FnOnce(*mut Mbarrier) -> u64,
    wait: impl Fn(*mut Mbarrier, u64) -> bool,
) {
    // SAFETY: the arrays have 32 words.
    unsafe {
        let bar = object(count);
        tile().add(lane()).write(x.add(lane()).read());
        let state = arrive(bar);
        while !wait(bar, state) {}
        y.add(lane()).write(tile().add(lane() ^ 1).read());
    }
}

/// The same, copied by `cp.async`.
pub unsafe fn copied_by_threads(x: *const u32, y: *mut u32, count: u32, arrive: impl FnOnce(*mut Mbarrier)) {
    // SAFETY: the arrays have 32 words.
    unsafe {
        let bar = object(count);
        async_copy::cp_async_ca(tile().add(lane()), x.add(lane()));
        arrive(bar);
        while !mbarrier::mbarrier_test_wait_parity(bar, 0) {}
        y.add(lane()).write(tile().add(lane() ^ 1).read());
    }
}

#[cfg(target_feature = "sm_90")]
pub use sm_90::*;

/// What needs bulk copies or clusters.
#[cfg(target_feature = "sm_90")]
mod sm_90 {
    use gpu_std::block::{barrier_cluster_arrive, barrier_cluster_wait};
    use gpu_std::bulk;
    use gpu_std::cluster::{self, ClusterPtr};

    use super::*;

    /// All blocks of the cluster are there, and know what the others did.
    unsafe fn meet() {
        // SAFETY: all threads of the cluster come here.
        unsafe {
            barrier_cluster_arrive();
            barrier_cluster_wait();
        }
    }

    /// 128 bytes that a copy brings.
    pub unsafe fn loaded(x: *const u32, y: *mut u32, copy: impl FnOnce(*mut u32, *const u32, *mut Mbarrier)) {
        // SAFETY: the arrays have 32 words.
        unsafe { boxed(y, 128, |to, bar| copy(to, x, bar)) }
    }

    /// Bytes that a copy of some kind brings.
    pub unsafe fn boxed(y: *mut u32, bytes: u32, copy: impl FnOnce(*mut u32, *mut Mbarrier)) {
        // SAFETY: the array has 32 words.
        unsafe {
            let bar = object(1);
            if lane() == 0 {
                mbarrier::mbarrier_arrive_expect_tx(bar, bytes);
                copy(tile(), bar);
            }
            mbarrier::mbarrier_wait_parity(bar, 0);
            if 4 * lane() < bytes as usize {
                y.add(lane()).write(tile().add(lane()).read());
            }
        }
    }

    /// 128 bytes that a copy of block 0 brings to both.
    pub unsafe fn multicast(x: *const u32, y: *mut u32, copy: impl FnOnce(*mut u32, *const u32, *mut Mbarrier)) {
        // SAFETY: the arrays have 32 words for each block.
        unsafe { boxed_multicast(y, 128, |to, bar| copy(to, x, bar)) }
    }

    /// Bytes that a copy of block 0 brings to both.
    pub unsafe fn boxed_multicast(y: *mut u32, bytes: u32, copy: impl FnOnce(*mut u32, *mut Mbarrier)) {
        // SAFETY: the array has 32 words for each block.
        unsafe {
            let bar = object(1);
            let rank = thread::cluster_block_rank() as usize;
            if lane() == 0 {
                mbarrier::mbarrier_arrive_expect_tx(bar, bytes);
            }
            mbarrier::fence_mbarrier_init();
            meet();
            if lane() == 0 && rank == 0 {
                copy(tile(), bar);
            }
            mbarrier::mbarrier_wait_parity(bar, 0);
            if 4 * lane() < bytes as usize {
                y.add(32 * rank + lane()).write(tile().add(lane()).read());
            }
            meet();
        }
    }

    /// A copy of 32 words from shared memory to somewhere else.
    pub unsafe fn stored<T>(x: *const u32, copy: impl FnOnce(*const T)) {
        // SAFETY: the array has 32 words.
        unsafe {
            tile().add(lane()).write(x.add(lane()).read());
            bulk::fence_proxy_async_all();
            warp::bar_warp_sync(warp::FULL_MASK);
            if lane() == 0 {
                copy(tile().cast());
                bulk::cp_async_bulk_commit_group();
                bulk::cp_async_bulk_wait_group::<0>();
            }
        }
    }

    /// Each block's 32 words, with what the other one's words are copied onto them.
    pub unsafe fn sent<T>(
        x: *const u32,
        y: *mut u32,
        bytes: u32,
        copy: impl FnOnce(ClusterPtr<T>, *const T, ClusterPtr<Mbarrier>),
    ) {
        // SAFETY: the arrays have 32 words for each block.
        unsafe {
            let bar = object(1);
            let rank = thread::cluster_block_rank();
            let mine = 32 * rank as usize + lane();
            tile().add(lane()).write(y.add(mine).read());
            tile().add(32 + lane()).write(x.add(mine).read());
            if lane() == 0 {
                mbarrier::mbarrier_arrive_expect_tx(bar, bytes);
            }
            mbarrier::fence_mbarrier_init();
            bulk::fence_proxy_async_all();
            meet();
            if lane() == 0 {
                let to = cluster::mapa(tile().cast::<T>(), rank ^ 1);
                copy(to, tile().add(32).cast(), cluster::mapa(bar, rank ^ 1));
            }
            mbarrier::mbarrier_wait_parity(bar, 0);
            y.add(mine).write(tile().add(lane()).read());
            meet();
        }
    }

    /// The same by the lanes, a word each.
    pub unsafe fn sent_by_lanes(
        x: *const u32,
        y: *mut u32,
        send: impl FnOnce(ClusterPtr<u32>, u32, ClusterPtr<Mbarrier>),
    ) {
        // SAFETY: the arrays have 32 words for each block.
        unsafe {
            let bar = object(1);
            let rank = thread::cluster_block_rank();
            let mine = 32 * rank as usize + lane();
            tile().add(lane()).write(y.add(mine).read());
            if lane() == 0 {
                mbarrier::mbarrier_arrive_expect_tx(bar, 128);
            }
            mbarrier::fence_mbarrier_init();
            meet();
            let to = cluster::mapa(tile().add(lane()), rank ^ 1);
            send(to, x.add(mine).read(), cluster::mapa(bar, rank ^ 1));
            mbarrier::mbarrier_wait_parity(bar, 0);
            y.add(mine).write(tile().add(lane()).read());
            meet();
        }
    }

    /// What a lane sees of its place in the other block.
    pub unsafe fn visited(x: *const u32, y: *mut u32, look: impl FnOnce(*mut u32, u32) -> u32) {
        // SAFETY: the arrays have 32 words for each block.
        unsafe {
            let rank = thread::cluster_block_rank();
            let mine = 32 * rank as usize + lane();
            tile().add(lane()).write(x.add(mine).read());
            meet();
            y.add(mine).write(look(tile().add(lane()), rank ^ 1));
            meet();
        }
    }

    /// The other block writes this one's words, then tells its object.
    pub unsafe fn told(x: *const u32, y: *mut u32, count: u32, tell: impl FnOnce(ClusterPtr<Mbarrier>)) {
        // SAFETY: the arrays have 32 words for each block.
        unsafe {
            let bar = object(count);
            let rank = thread::cluster_block_rank();
            let mine = 32 * rank as usize + lane();
            mbarrier::fence_mbarrier_init();
            meet();
            cluster::st_shared_cluster(cluster::mapa(tile().add(lane()), rank ^ 1), x.add(mine).read());
            tell(cluster::mapa(bar, rank ^ 1));
            while !mbarrier::mbarrier_try_wait_parity_cluster(bar, 0) {}
            y.add(mine).write(tile().add(lane()).read());
            meet();
        }
    }
}
