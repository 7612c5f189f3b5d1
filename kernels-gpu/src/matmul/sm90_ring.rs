//! The ring of stages that a producer fills by tensor copies and consumers empty, in shared memory.

use gpu_std::cluster::mapa;
use gpu_std::mbarrier::{Mbarrier, mbarrier_arrive_shared_cluster, mbarrier_init, mbarrier_wait_parity};
use gpu_std::thread;
use gpu_std::warp::{FULL_MASK, bar_warp_sync};

/// `count` stages, each with an object that says when it is full and one that says when it is empty.
#[derive(Clone, Copy)]
pub struct Ring {
    stages: *mut u8,
    bars: *mut Mbarrier,
    count: u32,
    stage_bytes: u32,
}

/// Where a thread is in the ring: the stage, and how often it has come round.
#[derive(Clone, Copy)]
pub struct Turn {
    stage: u32,
    round: u32,
}

impl Turn {
    /// The first stage.
    pub const START: Self = Self { stage: 0, round: 0 };

    /// Bytes from the first stage to this one.
    #[inline(always)]
    pub fn offset(self, ring: Ring) -> usize {
        (self.stage * ring.stage_bytes) as usize
    }

    /// The next stage.
    #[inline(always)]
    pub fn next(self, ring: Ring) -> Self {
        if self.stage + 1 == ring.count {
            Self { stage: 0, round: self.round ^ 1 }
        } else {
            Self { stage: self.stage + 1, ..self }
        }
    }
}

impl Ring {
    /// The ring of `count` stages at `stages`, with objects of 16 bytes a stage at `bars`.
    #[inline(always)]
    pub fn new(stages: *mut u8, bars: *mut u8, count: u32, stage_bytes: u32) -> Self {
        Self { stages, bars: bars.cast(), count, stage_bytes }
    }

    /// The stage's bytes.
    #[inline(always)]
    pub fn stage(self, turn: Turn) -> *mut u8 {
        self.stages.wrapping_add((turn.stage * self.stage_bytes) as usize)
    }

    /// The object that says that the stage is full.
    #[inline(always)]
    pub fn full(self, turn: Turn) -> *mut Mbarrier {
        self.bars.wrapping_add(turn.stage as usize)
    }

    #[inline(always)]
    fn empty(self, turn: Turn) -> *mut Mbarrier {
        self.bars.wrapping_add((self.count + turn.stage) as usize)
    }

    /// Makes the objects: a stage is full when its producer has announced its bytes and they have come, empty when
    /// `warps` warps have said so.
    ///
    /// # Safety
    /// One thread calls it; nobody uses the objects before a fence and a barrier.
    #[inline(always)]
    pub unsafe fn init(self, warps: u32) {
        // SAFETY: promised by the caller.
        unsafe {
            for stage in 0..self.count as usize {
                mbarrier_init(self.bars.add(stage), 1);
                mbarrier_init(self.bars.add(self.count as usize + stage), warps);
            }
        }
    }

    /// Waits until the stage is full.
    ///
    /// # Safety
    /// The objects are made.
    #[inline(always)]
    pub unsafe fn wait_full(self, turn: Turn) {
        // SAFETY: promised by the caller.
        unsafe { mbarrier_wait_parity(self.full(turn), turn.round) }
    }

    /// Waits until the stage is empty, in all blocks of the cluster.
    ///
    /// # Safety
    /// The objects are made.
    #[inline(always)]
    pub unsafe fn wait_empty(self, turn: Turn) {
        // SAFETY: promised by the caller.
        unsafe { mbarrier_wait_parity(self.empty(turn), turn.round ^ 1) }
    }

    /// Says for the warp that it has done with the stage: to the producers of all `CLUSTER` blocks, which fill it together.
    ///
    /// # Safety
    /// The objects are made; the lanes of the warp call it together, and what they have read of the stage is in registers.
    #[inline(always)]
    pub unsafe fn release<const CLUSTER: u32>(self, turn: Turn) {
        let lane = thread::lane_idx();
        // SAFETY: promised by the caller; the cluster has so many blocks.
        unsafe {
            bar_warp_sync(FULL_MASK);
            if lane < CLUSTER {
                mbarrier_arrive_shared_cluster(mapa(self.empty(turn), lane));
            }
        }
    }
}
