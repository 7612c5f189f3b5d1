//! The clocks of a block, and what each of its threads knows of the others.
//!
//! A thread's clock is its warp's; it advances whenever something of the warp is published, so that what follows is
//! told apart from what was published. The usual case is scalar: all threads of the block know each other up to
//! `floor`, the lanes of a warp each other up to the warp's `floor`. Only partial barriers and acquire
//! operations leave knowledge of single threads, which the next full barrier turns into a floor again.

use std::sync::Arc;

use super::access::{Scope, lanes};
use super::known::{Known, learn, learn_all};
use super::stamp::{FIRST_AGENT, MAX_BLOCK, MAX_CLOCK, Stamp};

/// The clocks of a block.
#[derive(Debug)]
pub(crate) struct Clocks {
    block: u32,
    threads: u32,
    /// Every thread of the block knows all of them up to this clock.
    floor: u32,
    warps: Vec<Warp>,
    /// What all threads of the block know of other blocks.
    common: Option<Arc<Known>>,
    /// Whether some warp has details.
    detailed: bool,
}

#[derive(Clone, Debug)]
struct Warp {
    clock: u32,
    /// The lanes of the warp know each other up to this clock.
    floor: u32,
    detail: Option<Box<Detail>>,
}

/// What single lanes know, and what they will publish or learn at their next fence or write.
#[derive(Clone, Debug, Default)]
struct Detail {
    /// `intra[lane][other]`: the clock of another lane of the warp.
    intra: Option<Box<[[u32; 32]; 32]>>,
    lanes: [Lane; 32],
}

#[derive(Clone, Debug, Default)]
struct Lane {
    known: Option<Arc<Known>>,
    /// Read by relaxed operations from the own block's publications; joins `known` at a fence.
    near: Option<Arc<Known>>,
    /// The same from publications with a scope that includes other blocks.
    far: Option<Arc<Known>>,
    fence: Option<Fence>,
}

/// The last fence of a lane.
#[derive(Clone, Debug)]
struct Fence {
    clock: u32,
    scope: Scope,
    /// What it publishes, once a write did.
    known: Option<Arc<Known>>,
}

impl Clocks {
    /// The clocks at the start of a block of `threads` threads.
    pub(crate) fn new(block: u32, threads: u32) -> Clocks {
        let warp = Warp { clock: 1, floor: 0, detail: None };
        let warps = vec![warp; threads.div_ceil(32) as usize];
        Clocks { block, threads, floor: 0, warps, common: None, detailed: false }
    }

    /// The clocks of one agent of a block, which knows what the thread knew that gave it its work. It is warp
    /// [`FIRST_AGENT`] `+ agent`.
    pub(crate) fn of_agent(block: u32, agent: u32, clock: u32, known: Arc<Known>) -> Clocks {
        let warp = Warp { clock: clock.min(MAX_CLOCK), floor: 0, detail: None };
        let warps = vec![warp; (FIRST_AGENT + agent) as usize + 1];
        Clocks { block, threads: 0, floor: 0, warps, common: Some(known), detailed: false }
    }

    /// Whether a lane knows anything of a block.
    pub(crate) fn knows_of(&self, warp: u32, lane: u32, block: u32) -> bool {
        let detail = self.warps[warp as usize].detail.as_deref();
        let known = detail.and_then(|detail| detail.lanes[lane as usize & 31].known.as_ref());
        [known, self.common.as_ref()].into_iter().flatten().any(|known| known.block(block).is_some())
    }

    /// The block's number in the grid.
    #[inline]
    pub(crate) fn block(&self) -> u32 {
        self.block
    }

    /// Whether accesses of the block can be checked.
    #[inline]
    pub(crate) fn is_checked(&self) -> bool {
        self.block < MAX_BLOCK
    }

    /// The clock up to which all threads of the block know each other.
    #[inline]
    pub(crate) fn floor(&self) -> u32 {
        self.floor
    }

    /// The clock up to which the lanes of a warp know each other.
    #[inline]
    pub(crate) fn warp_floor(&self, warp: u32) -> u32 {
        self.warps[warp as usize].floor
    }

    /// A warp's clock.
    #[inline]
    pub(crate) fn clock(&self, warp: u32) -> u32 {
        self.warps[warp as usize].clock
    }

    /// Whether the access `stamp` of one thread happened before what the lane does now.
    pub(crate) fn knows(&self, warp: u32, lane: u32, stamp: Stamp) -> bool {
        let (clock, thread) = (stamp.clock(), stamp.thread());
        if clock == MAX_CLOCK {
            return true;
        }
        let state = &self.warps[warp as usize];
        let detail = state.detail.as_deref();
        let lane = lane as usize & 31;
        let known = detail.and_then(|detail| detail.lanes[lane].known.as_ref());
        let by = |known: Option<&Arc<Known>>| {
            known.is_some_and(|known| known.clock(stamp.block(), thread) >= clock)
        };
        if stamp.block() != self.block || stamp.is_agent() {
            return by(known) || by(self.common.as_ref());
        }
        if thread / 32 == warp {
            let other = thread as usize % 32;
            let intra = detail.and_then(|detail| detail.intra.as_deref());
            let told = intra.is_some_and(|intra| intra[lane][other] >= clock);
            if other == lane || clock <= state.floor || told {
                return true;
            }
        }
        // An agent knows what it was given, of its own block too.
        clock <= self.floor || by(known) || by(self.common.as_ref())
    }

    /// Sets the clock of every warp.
    #[cfg(test)]
    pub(crate) fn set_all(&mut self, clock: u32) {
        self.warps.iter_mut().for_each(|warp| warp.clock = clock);
    }

    fn tick(&mut self, warp: u32) {
        let warp = &mut self.warps[warp as usize];
        warp.clock = (warp.clock + 1).min(MAX_CLOCK);
    }

    fn detail(&mut self, warp: u32) -> &mut Detail {
        self.detailed = true;
        self.warps[warp as usize].detail.get_or_insert_default()
    }

    /// A barrier of all threads of the block that have not exited.
    pub(crate) fn block_barrier(&mut self) {
        let floor = self.warps.iter().map(|warp| warp.clock).max().unwrap_or(0);
        self.floor = floor;
        let details = std::mem::take(&mut self.detailed);
        for warp in &mut self.warps {
            warp.clock = (floor + 1).min(MAX_CLOCK);
            warp.floor = floor;
            let Some(detail) = warp.detail.as_deref_mut().filter(|_| details) else {
                continue;
            };
            detail.intra = None;
            for lane in &mut detail.lanes {
                if let Some(known) = lane.known.take() {
                    learn(&mut self.common, &known);
                }
            }
        }
        if let Some(common) = self.common.as_mut().filter(|common| common.block(self.block).is_some()) {
            Arc::make_mut(common).forget(self.block);
        }
    }

    /// A barrier that only some threads take part in: those of `arrived` (warp, lanes) publish what they know,
    /// those of `waiting` learn it.
    pub(crate) fn barrier(&mut self, arrived: &[(u32, u32)], waiting: &[(u32, u32)]) {
        let published = self.release_all(arrived);
        for &(warp, mask) in waiting {
            self.acquire_lanes(warp, mask, &published);
        }
    }

    /// A barrier of lanes of a warp (`bar.warp.sync`).
    pub(crate) fn warp_sync(&mut self, warp: u32, mask: u32) {
        let all = self.lanes_of(warp);
        let clock = self.clock(warp);
        if mask & all == all {
            self.join_lanes(warp, all);
            let state = &mut self.warps[warp as usize];
            state.floor = clock;
            if let Some(detail) = &mut state.detail {
                detail.intra = None;
            }
        } else {
            self.join_lanes(warp, mask);
            let floor = self.warp_floor(warp);
            let intra = self.detail(warp).intra.get_or_insert_with(|| Box::new([[floor; 32]; 32]));
            let mut row = [0; 32];
            for lane in lanes(mask) {
                row.iter_mut().zip(&intra[lane]).for_each(|(all, &clock)| *all = clock.max(*all));
            }
            lanes(mask).for_each(|lane| row[lane] = clock);
            lanes(mask).for_each(|lane| intra[lane] = row);
        }
        self.tick(warp);
    }

    /// The lanes that exist in a warp.
    fn lanes_of(&self, warp: u32) -> u32 {
        match self.threads.saturating_sub(warp * 32) {
            count @ 0..32 => (1 << count) - 1,
            _ => u32::MAX,
        }
    }

    /// Lanes learn from one another what they know of the rest.
    fn join_lanes(&mut self, warp: u32, mask: u32) {
        let Some(detail) = self.warps[warp as usize].detail.as_deref_mut() else {
            return;
        };
        let mut all: Option<Arc<Known>> = None;
        for known in lanes(mask).filter_map(|lane| detail.lanes[lane].known.as_ref()) {
            learn(&mut all, known);
        }
        if let Some(all) = all {
            lanes(mask).for_each(|lane| detail.lanes[lane].known = Some(Arc::clone(&all)));
        }
    }

    /// What a lane knows, itself up to `own`.
    fn publication(&self, warp: u32, lane: u32, own: u32) -> Known {
        let detail = self.warps[warp as usize].detail.as_deref();
        let known = detail.and_then(|detail| detail.lanes[lane as usize & 31].known.as_ref());
        let mut all = Known::default();
        for known in [self.common.as_ref(), known].into_iter().flatten() {
            all.join(known);
        }
        let mut clocks = self.clocks_in(&all);
        self.add_warp(&mut clocks, warp, lane as usize);
        if let Some(clock) = clocks.get_mut((warp * 32 + lane) as usize) {
            *clock = (*clock).max(own);
        }
        all.set(self.block, clocks);
        all
    }

    /// Publishes what a lane knows and did so far.
    pub(crate) fn release(&mut self, warp: u32, lane: u32) -> Arc<Known> {
        let known = self.publication(warp, lane, self.clock(warp));
        self.tick(warp);
        Arc::new(known)
    }

    /// Publishes what lanes, as (warp, lanes), know and did so far, all in one.
    pub(crate) fn release_all(&mut self, who: &[(u32, u32)]) -> Arc<Known> {
        let mut all = self.common.as_deref().cloned().unwrap_or_default();
        let mut last: Option<&Arc<Known>> = None;
        for &(warp, mask) in who {
            let Some(detail) = &self.warps[warp as usize].detail else {
                continue;
            };
            for known in lanes(mask).filter_map(|lane| detail.lanes[lane].known.as_ref()) {
                if !last.is_some_and(|last| Arc::ptr_eq(last, known)) {
                    all.join(known);
                    last = Some(known);
                }
            }
        }
        let mut clocks = self.clocks_in(&all);
        for &(warp, mask) in who {
            let plain =
                self.warps[warp as usize].detail.as_deref().is_none_or(|detail| detail.intra.is_none());
            let distinct = if plain { mask & mask.wrapping_neg() } else { mask };
            lanes(distinct).for_each(|lane| self.add_warp(&mut clocks, warp, lane));
            for lane in lanes(mask & self.lanes_of(warp)) {
                clocks[warp as usize * 32 + lane] = self.clock(warp);
            }
        }
        who.iter().for_each(|&(warp, _)| self.tick(warp));
        all.set(self.block, clocks);
        Arc::new(all)
    }

    /// The clocks of the own block's threads that `known` or all threads know.
    fn clocks_in(&self, known: &Known) -> Vec<u32> {
        match known.block(self.block) {
            Some(known) => known.iter().map(|&clock| clock.max(self.floor)).collect(),
            None => vec![self.floor; self.threads as usize],
        }
    }

    /// Adds the clocks of its warp's lanes that a lane knows.
    fn add_warp(&self, clocks: &mut [u32], warp: u32, lane: usize) {
        let state = &self.warps[warp as usize];
        let intra = state.detail.as_deref().and_then(|detail| detail.intra.as_deref());
        for (other, clock) in clocks[warp as usize * 32..].iter_mut().take(32).enumerate() {
            let told = intra.map_or(0, |intra| intra[lane & 31][other]);
            *clock = (*clock).max(state.floor).max(told);
        }
    }
    /// Lanes learn what was published.
    pub(crate) fn acquire_lanes(&mut self, warp: u32, mask: u32, known: &Arc<Known>) {
        let all = self.detail(warp).lanes.iter_mut().enumerate();
        let chosen = all.filter(|(lane, _)| mask >> lane & 1 == 1);
        learn_all(chosen.map(|(_, lane)| &mut lane.known), known);
    }

    /// A fence of lanes: what relaxed reads saw before it is learned, and relaxed writes after it publish what was
    /// done before it.
    pub(crate) fn fence(&mut self, warp: u32, mask: u32, scope: Scope) {
        let clock = self.clock(warp);
        let detail = self.detail(warp);
        for lane in lanes(mask) {
            let lane = &mut detail.lanes[lane];
            lane.settle(scope);
            lane.fence = Some(Fence { clock, scope, known: None });
        }
        self.tick(warp);
    }

    /// What a relaxed write of the lane publishes, and for which scope: nothing without a fence before it.
    pub(crate) fn fenced(&mut self, warp: u32, lane: u32, scope: Scope) -> Option<(Arc<Known>, Scope)> {
        let at = lane as usize & 31;
        let fence = self.warps[warp as usize].detail.as_deref()?.lanes[at].fence.as_ref()?;
        let scope = scope.min(fence.scope);
        if let Some(known) = &fence.known {
            return Some((Arc::clone(known), scope));
        }
        let known = Arc::new(self.publication(warp, lane, fence.clock));
        if let Some(fence) = &mut self.detail(warp).lanes[at].fence {
            fence.known = Some(Arc::clone(&known));
        }
        Some((known, scope))
    }

    /// A lane reads publications: learned at once by an acquire operation, at the next fence else.
    pub(crate) fn collect(&mut self, warp: u32, lane: u32, read: Read) {
        if read.near.is_none() && read.far.is_none() && !read.acquire {
            return;
        }
        if read.near.is_none() && read.far.is_none() && self.warps[warp as usize].detail.is_none() {
            return;
        }
        let lane = &mut self.detail(warp).lanes[lane as usize & 31];
        for (slot, known) in [(&mut lane.near, read.near), (&mut lane.far, read.far)] {
            if let Some(known) = known {
                learn(slot, known);
            }
        }
        if read.acquire {
            lane.settle(read.scope);
        }
    }
}

/// What a strong read finds published.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Read<'a> {
    /// By the own block.
    pub(crate) near: Option<&'a Arc<Known>>,
    /// With a scope that includes other blocks.
    pub(crate) far: Option<&'a Arc<Known>>,
    /// Whether the read is an acquire operation.
    pub(crate) acquire: bool,
    /// Its scope.
    pub(crate) scope: Scope,
}

impl Lane {
    /// Learns what relaxed reads saw; of other blocks only where the scope includes them.
    fn settle(&mut self, scope: Scope) {
        let far = if scope == Scope::Cta { None } else { self.far.take() };
        for known in [self.near.take(), far].into_iter().flatten() {
            learn(&mut self.known, &known);
        }
    }
}
