//! When and by whom a byte was accessed, in 64 bits.
//!
//! From bit 0: clock (23), lane (5), warp (6), block (24), strength (2), atomic (1), shift (3). 0 is "never";
//! a clock is at least 1. Warps from 32 on are the agents of the block: they make its asynchronous accesses. A stamp is that of one thread, or with a shift `s` that of a run of grains of which
//! byte `b` was accessed by lane `lane + (b >> s)`.

use super::access::{Kind, Scope};

/// The largest clock. It counts as known to everybody: a block that ticks so often is no longer checked.
pub(crate) const MAX_CLOCK: u32 = (1 << 23) - 1;
/// One past the largest block number. Blocks beyond are not checked.
pub(crate) const MAX_BLOCK: u32 = 1 << 24;

const LANE: u32 = 23;
const WARP: u32 = 28;
const BLOCK: u32 = 34;
const STRONG: u32 = 58;
const ATOMIC: u32 = 60;
const SHIFT: u32 = 61;
/// Agents are no threads of the block: what all of those know of one another says nothing of an agent.
const OF_BLOCK: u64 = 0xff_ffff << BLOCK | 0x20 << WARP;
const OF_WARP: u64 = OF_BLOCK | 0x1f << WARP;
const OF_THREAD: u64 = OF_WARP | 0x1f << LANE | 7 << SHIFT;

/// The number of a block's first agent as a warp; threads have numbers below 32 times it.
pub(crate) const FIRST_AGENT: u32 = 32;

/// See the module.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Stamp(u64);

impl Stamp {
    /// The stamp of lane 0 of a warp.
    #[inline]
    pub(crate) fn new(block: u32, warp: u32, clock: u32, kind: Kind, atomic: bool) -> Stamp {
        let strong = match kind {
            Kind::Weak | Kind::Nc => 0,
            Kind::Strong(Scope::Cta) => 1,
            // Whether two blocks are in one cluster is not known here: taken as yes.
            Kind::Strong(_) => 2,
        };
        let who = u64::from(block) << BLOCK | u64::from(warp & 63) << WARP;
        Stamp(who | u64::from(clock) | strong << STRONG | u64::from(atomic) << ATOMIC)
    }

    /// The same of another lane; `self` is of lane 0.
    #[inline]
    pub(crate) fn lane(self, lane: u32) -> Stamp {
        Stamp(self.0 | u64::from(lane) << LANE)
    }

    /// The same as a run; `self` is of one thread.
    #[inline]
    pub(crate) fn run(self, shift: u32) -> Stamp {
        Stamp(self.0 | u64::from(shift) << SHIFT)
    }

    /// The thread's own stamp at byte `byte` of a run.
    #[inline]
    pub(crate) fn at(self, byte: u32) -> Stamp {
        if self.is_never() {
            return self;
        }
        let shift = (self.0 >> SHIFT) as u32;
        Stamp((self.0 & !(7 << SHIFT)) + (u64::from(byte >> shift) << LANE))
    }

    #[inline]
    pub(crate) fn is_never(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) fn clock(self) -> u32 {
        self.0 as u32 & MAX_CLOCK
    }

    /// The thread's number in its block.
    #[inline]
    pub(crate) fn thread(self) -> u32 {
        (self.0 >> LANE) as u32 & 2047
    }

    /// Whether an agent of the block made it, and no thread.
    #[inline]
    pub(crate) fn is_agent(self) -> bool {
        self.thread() >= 32 * FIRST_AGENT
    }

    #[inline]
    pub(crate) fn block(self) -> u32 {
        (self.0 >> BLOCK) as u32 & (MAX_BLOCK - 1)
    }

    #[inline]
    pub(crate) fn is_atomic(self) -> bool {
        self.0 >> ATOMIC & 1 == 1
    }

    #[inline]
    pub(crate) fn is_weak(self) -> bool {
        self.0 >> STRONG & 3 == 0
    }

    #[inline]
    pub(crate) fn same_block(self, other: Stamp) -> bool {
        (self.0 ^ other.0) & OF_BLOCK == 0
    }

    #[inline]
    pub(crate) fn same_warp(self, other: Stamp) -> bool {
        (self.0 ^ other.0) & OF_WARP == 0
    }

    /// The same thread; for runs: the same threads at the same places.
    #[inline]
    pub(crate) fn same_thread(self, other: Stamp) -> bool {
        (self.0 ^ other.0) & OF_THREAD == 0
    }

    /// Both are strong, and each one's scope includes the other's thread.
    #[inline]
    pub(crate) fn both_strong(self, other: Stamp) -> bool {
        let strength = (self.0 >> STRONG & 3).min(other.0 >> STRONG & 3);
        strength == 2 || strength == 1 && self.same_block(other)
    }
}
