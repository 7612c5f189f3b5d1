//! Asynchronous work of a cluster that is not done.
//!
//! Nothing tells a kernel when it is done but the means it has for that. With seed 0 it is done as late as can be: when nobody
//! of the cluster can go on without it; with others after a random number of turns, in any order.

use std::sync::Arc;

use super::tile::Tile;
use crate::memory::Known;
use crate::program::ir::Reduce;

/// Turns of warps after which work is done with seed 0, whoever waits for it: somebody may do so in a way not known here.
const LATEST: u64 = 1 << 14;
/// Turns after which it is done with another seed, at most.
const RANDOM: u64 = 96;

/// The thread that issued it, and where.
#[derive(Clone, Copy, Debug)]
pub(super) struct By {
    /// Its block, as a rank and as a number in the grid.
    pub rank: u32,
    pub block: u32,
    pub warp: u32,
    pub lane: u32,
    pub pc: u32,
    pub line: u32,
}

/// An end of a copy.
#[derive(Clone, Debug)]
pub(super) enum End {
    /// Global memory from an address on.
    Global(u64),
    /// The shared memory of a rank from an offset on.
    Shared(u32, u64),
    /// A box of a tensor.
    Tile(Arc<Tile>),
    /// Values that were in registers.
    Held,
}

/// Who is told that a copy is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// A barrier object: rank and offset.
    Barrier(u32, u64),
    /// The group of this number of the issuing thread.
    Group(u32),
}

/// Bytes on their way.
#[derive(Clone, Debug, Default)]
pub(super) struct Bytes {
    pub data: Vec<u8>,
    /// Those that are undefined, a flag each; empty when none is.
    pub undefined: Vec<bool>,
}

/// A copy.
#[derive(Clone, Debug)]
pub(super) struct Copy {
    pub id: u64,
    pub due: u64,
    pub by: By,
    pub from: End,
    pub to: End,
    /// How many bytes.
    pub bytes: u32,
    /// What becomes of the old value.
    pub reduce: Option<Reduce>,
    pub told: Told,
    /// What the issuing thread knew.
    pub known: Arc<Known>,
    /// What it read, once it has.
    pub held: Option<Bytes>,
}

/// What is not done.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// A copy.
    Copy(Copy),
    /// `cp.async.mbarrier.arrive`: of the copies a lane issued before number `before`, to the object at an offset.
    Arrive { due: u64, by: By, before: u64, at: u64, known: Arc<Known> },
}

impl Work {
    pub fn by(&self) -> &By {
        match self {
            Self::Copy(copy) => &copy.by,
            Self::Arrive { by, .. } => by,
        }
    }

    fn due(&self) -> u64 {
        match self {
            Self::Copy(copy) => copy.due,
            Self::Arrive { due, .. } => *due,
        }
    }
}

/// All of a cluster, in the order in which it was issued.
#[derive(Debug, Default)]
pub(super) struct Flying {
    list: Vec<Work>,
    issued: u64,
    turn: u64,
}

impl Flying {
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// A number for a new copy.
    pub fn number(&mut self) -> u64 {
        self.issued += 1;
        self.issued
    }

    /// When work that is issued now is done; `random` is a random number, if the order is random.
    pub fn due(&self, random: Option<u64>) -> u64 {
        self.turn + random.map_or(LATEST, |random| 1 + random % RANDOM)
    }

    pub fn issue(&mut self, work: Work) {
        self.list.push(work);
    }

    /// The work that was issued last.
    pub fn last_mut(&mut self) -> Option<&mut Work> {
        self.list.last_mut()
    }

    /// A warp had its turn.
    pub fn tick(&mut self) {
        self.turn += 1;
    }

    /// Takes work that is due.
    pub fn take_due(&mut self) -> Option<Work> {
        let at = self.list.iter().position(|work| work.due() <= self.turn)?;
        Some(self.list.remove(at))
    }

    /// Takes the oldest work.
    pub fn take_oldest(&mut self) -> Option<Work> {
        if self.list.is_empty() { None } else { Some(self.list.remove(0)) }
    }

    /// Takes the oldest work that is so.
    pub fn take_if(&mut self, wanted: impl Fn(&Work) -> bool) -> Option<Work> {
        let at = self.list.iter().position(wanted)?;
        Some(self.list.remove(at))
    }

    /// The oldest copy that is so.
    pub fn find(&mut self, wanted: impl Fn(&Copy) -> bool) -> Option<&mut Copy> {
        self.list.iter_mut().find_map(|work| match work {
            Work::Copy(copy) if wanted(copy) => Some(copy),
            _ => None,
        })
    }
}
