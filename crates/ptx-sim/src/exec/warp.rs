//! The threads of a warp: groups of lanes that are at the same instruction, and which of them runs next.

use std::collections::HashMap;

use super::call::Held;
use super::regs::Regs;
use super::wgmma::{Pending, Registers};
use crate::program::Kernel;

/// Jumps back after which a group lets another one of its warp run, so that lanes that wait for one another make progress.
const BURST: u32 = 256;

/// What a group waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    /// Nothing.
    None,
    /// The rest of its warp, at an aligned barrier.
    Converge,
    /// The lanes of this mask, at a warp-wide instruction.
    Lanes(u32),
    /// Barrier of this number.
    Barrier(u32),
    /// The barrier of the cluster.
    Cluster,
    /// The other warps of the warpgroup, at `wgmma`.
    Warpgroup,
}

/// Lanes at the same instruction, in the same calls.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// The next instruction.
    pub pc: u32,
    /// Its lanes.
    pub mask: u32,
    /// The calls it is in: the index of each call instruction, the outermost first.
    pub frames: Vec<u32>,
    /// What it waits for.
    pub wait: Wait,
    /// When it last ran, for turns.
    pub ran: u64,
}

impl Group {
    /// Whether the two go on as one.
    fn meets(&self, other: &Self) -> bool {
        let may = |w: Wait| !matches!(w, Wait::Barrier(_) | Wait::Cluster | Wait::Warpgroup);
        let same = self.pc == other.pc && self.frames == other.frames && may(self.wait) && may(other.wait);
        // Two that wait already for different lanes stay apart.
        let settled = self.wait != Wait::None && other.wait != Wait::None && self.wait != other.wait;
        same && !settled
    }
}

/// A warp.
#[derive(Debug)]
pub(super) struct Warp {
    /// Its number in the block.
    pub index: u32,
    /// Lanes that exist.
    pub exists: u32,
    /// Lanes that have not exited.
    pub live: u32,
    /// Its lanes, by place.
    pub groups: Vec<Group>,
    /// The group that runs.
    pub current: usize,
    /// The instruction at which the current group stops to meet another.
    pub limit: u32,
    /// Jumps back left before another group gets its turn.
    pub burst: u32,
    /// Registers.
    pub regs: Regs,
    /// Instructions executed.
    pub steps: u64,
    /// What functions that call themselves held before they did: by depth, function and place.
    pub saved: HashMap<(usize, usize, usize), Held>,
    /// What it has issued of `wgmma`.
    pub pending: Pending,
    /// The registers that these use.
    pub wgmma: Registers,
    turns: u64,
}

impl Warp {
    /// A warp of `exists` lanes at the start of a kernel.
    pub fn new(index: u32, exists: u32, kernel: &Kernel) -> Self {
        let start = Group { pc: 0, mask: exists, frames: Vec::new(), wait: Wait::None, ran: 0 };
        Self {
            index,
            exists,
            live: exists,
            groups: vec![start],
            current: 0,
            limit: u32::MAX,
            burst: u32::MAX,
            regs: Regs::new(kernel),
            steps: 0,
            saved: HashMap::new(),
            pending: Pending::default(),
            wgmma: Registers::new(kernel),
            turns: 0,
        }
    }

    /// Whether a group can run, now or once it is put together with another.
    pub fn is_ready(&self) -> bool {
        self.groups.iter().any(|group| group.wait == Wait::None)
            || self
                .groups
                .iter()
                .enumerate()
                .any(|(at, group)| self.groups[at + 1..].iter().any(|g| group.meets(g)))
    }

    /// Puts groups at the same place together and chooses the one to run: the deepest in calls, then the one that is first in
    /// the code, so that lanes meet again where branches do; after a burst, the one that waited longest. `false` when all wait.
    pub fn pick(&mut self) -> bool {
        if let [only] = self.groups.as_slice() {
            self.current = 0;
            self.limit = u32::MAX;
            self.burst = u32::MAX;
            return only.wait == Wait::None;
        }
        self.merge();
        let ready = || self.groups.iter().enumerate().filter(|(_, group)| group.wait == Wait::None);
        let by_place = |(_, g): &(usize, &Group)| (std::cmp::Reverse(g.frames.len()), g.pc);
        let next =
            if self.burst == 0 { ready().min_by_key(|(_, g)| g.ran) } else { ready().min_by_key(by_place) };
        let Some((current, group)) = next else { return false };
        let (pc, depth) = (group.pc, group.frames.len());
        self.current = current;
        self.limit = self
            .groups
            .iter()
            .filter(|g| {
                g.frames.len() == depth
                    && g.pc > pc
                    && !matches!(g.wait, Wait::Barrier(_) | Wait::Cluster | Wait::Warpgroup)
            })
            .map(|g| g.pc)
            .min()
            .unwrap_or(u32::MAX);
        if self.burst == 0 || self.burst > BURST {
            self.burst = BURST;
        }
        self.turns += 1;
        self.groups[current].ran = self.turns;
        true
    }

    fn merge(&mut self) {
        let mut at = 0;
        while at < self.groups.len() {
            let mut other = at + 1;
            while other < self.groups.len() {
                if self.groups[at].meets(&self.groups[other]) {
                    let group = self.groups.swap_remove(other);
                    self.groups[at].mask |= group.mask;
                    self.groups[at].wait = Wait::None;
                } else {
                    other += 1;
                }
            }
            at += 1;
        }
    }

    /// The current group.
    #[inline]
    pub fn group(&mut self) -> &mut Group {
        &mut self.groups[self.current]
    }

    /// Moves the lanes of `mask` of the current group to `pc`, as a group of their own unless they are all of it.
    pub fn split(&mut self, mask: u32, pc: u32) {
        let group = &mut self.groups[self.current];
        if group.mask == mask {
            group.pc = pc;
            return;
        }
        group.mask &= !mask;
        let (frames, ran) = (group.frames.clone(), group.ran);
        self.groups.push(Group { pc, mask, frames, wait: Wait::None, ran });
    }

    /// The lanes of `mask` of the current group have ended.
    pub fn exit(&mut self, mask: u32) {
        self.live &= !mask;
        let group = &mut self.groups[self.current];
        group.mask &= !mask;
        if group.mask == 0 {
            self.groups.swap_remove(self.current);
        }
        // Those who waited for them may go on.
        for group in &mut self.groups {
            if matches!(group.wait, Wait::Converge | Wait::Lanes(_)) {
                group.wait = Wait::None;
            }
        }
        self.current = 0;
        self.limit = 0;
    }
}
