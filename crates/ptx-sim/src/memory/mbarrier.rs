//! Barrier objects in shared memory (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier").
//!
//! The simulator keeps their state beside the memory: the phases that are complete, the arrivals that a phase expects and that
//! are pending, and the bytes that asynchronous copies have yet to bring. A phase is complete when both are zero. What those who
//! arrive know is published to those who find the phase complete.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::access::{Access, Scope, lanes};
use super::known::{Known, learn};
use super::stamp::Stamp;

/// Bytes of an object.
pub(crate) const MBARRIER_BYTES: u64 = 8;
/// The most arrivals that a phase can expect.
pub(crate) const MAX_COUNT: u32 = (1 << 20) - 1;
/// The most bytes that can be outstanding.
const MAX_TX: i64 = (1 << 20) - 1;

/// A barrier object.
#[derive(Clone, Debug)]
pub(crate) struct MBarrier {
    /// Its number in the block, in the order of initialisation.
    pub(crate) slot: u32,
    /// When and by whom it was initialised.
    pub(crate) made: Stamp,
    /// Phases that are complete.
    phase: u32,
    expected: u32,
    pending: u32,
    tx: i64,
    /// What was published in this phase.
    current: Option<Arc<Known>>,
    /// The same in all complete phases.
    complete: Option<Arc<Known>>,
}

/// An operation that arrives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrival {
    /// How many arrivals.
    pub(crate) count: u32,
    /// Whether later phases expect so many fewer.
    pub(crate) drops: bool,
    /// Whether it must not complete the phase.
    pub(crate) no_complete: bool,
}

/// What a wait looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// The phase of this state.
    Of(u64),
    /// The current or last phase, by parity.
    Parity(u32),
}

/// The state that an arrival returns: the phase, and the arrivals that were pending.
fn token(phase: u32, pending: u32) -> u64 {
    u64::from(phase) << 32 | u64::from(pending)
}

/// The arrivals that were pending in a state.
pub(crate) fn pending_count(token: u64) -> u32 {
    token as u32 & MAX_COUNT
}

impl MBarrier {
    fn new(slot: u32, made: Stamp, count: u32) -> MBarrier {
        let (current, complete) = (None, None);
        MBarrier { slot, made, phase: 0, expected: count, pending: count, tx: 0, current, complete }
    }

    /// Arrivals pending and bytes outstanding, in words.
    pub(crate) fn missing(&self) -> String {
        format!("{} arrivals and {} bytes are missing in phase {}", self.pending, self.tx, self.phase)
    }

    /// Makes what somebody knows known to who finds the phase complete, which a thread of the own block alone can. An arrival
    /// from another block that names the scope `.cta` publishes nothing; where none is named, every block's does, as programs
    /// of clusters expect.
    pub(crate) fn publish(&mut self, known: &Arc<Known>, scope: Option<Scope>, same_block: bool) {
        if same_block || scope != Some(Scope::Cta) {
            learn(&mut self.current, known);
        }
    }

    /// What is published to who found the phase complete.
    pub(crate) fn found(&self) -> Option<&Arc<Known>> {
        self.complete.as_ref()
    }

    /// Arrives: the state before.
    pub(crate) fn arrive(&mut self, arrival: Arrival) -> Result<u64, String> {
        let Arrival { count, drops, no_complete } = arrival;
        if count == 0 || count > MAX_COUNT {
            return Err(format!("a count of {count}; at least 1, at most {MAX_COUNT}"));
        }
        if count > self.pending {
            return Err(format!("{count} arrivals where {} are pending", self.pending));
        }
        let before = token(self.phase, self.pending);
        if no_complete && count == self.pending {
            return Err("an arrival with .noComplete is the last of its phase".to_owned());
        }
        self.pending -= count;
        if drops {
            self.expected -= count.min(self.expected);
        }
        self.advance()?;
        Ok(before)
    }

    /// One arrival more is expected in this phase: `cp.async.mbarrier.arrive` without `.noinc`.
    pub(crate) fn expect_one(&mut self) -> Result<(), String> {
        if self.pending >= MAX_COUNT {
            return Err(format!("more than {MAX_COUNT} arrivals pending"));
        }
        self.pending += 1;
        Ok(())
    }

    /// More bytes are to come.
    pub(crate) fn expect_tx(&mut self, bytes: u32) -> Result<(), String> {
        self.add_tx(i64::from(bytes))
    }

    /// Bytes have come.
    pub(crate) fn complete_tx(&mut self, bytes: u32) -> Result<(), String> {
        self.add_tx(-i64::from(bytes))?;
        self.advance()
    }

    fn add_tx(&mut self, bytes: i64) -> Result<(), String> {
        let tx = self.tx + bytes;
        if tx.abs() > MAX_TX {
            return Err(format!("{tx} bytes outstanding, at most {MAX_TX}"));
        }
        self.tx = tx;
        Ok(())
    }

    fn advance(&mut self) -> Result<(), String> {
        if self.pending > 0 || self.tx > 0 {
            return Ok(());
        }
        if self.tx < 0 {
            let more = -self.tx;
            return Err(format!("{more} bytes more came than phase {} expects", self.phase));
        }
        self.phase += 1;
        self.pending = self.expected;
        if let Some(new) = self.current.take() {
            learn(&mut self.complete, &new);
        }
        Ok(())
    }

    /// Whether a phase is complete.
    pub(crate) fn is_complete(&self, phase: Phase) -> Result<bool, String> {
        match phase {
            Phase::Parity(parity) => Ok(self.phase & 1 != parity & 1),
            Phase::Of(state) => match self.phase.checked_sub((state >> 32) as u32) {
                Some(age @ (0 | 1)) => Ok(age == 1),
                _ => Err("a state that is not of the current or the last phase".to_owned()),
            },
        }
    }
}

/// The barrier objects of a block.
#[derive(Debug, Default)]
pub(crate) struct MBarriers {
    live: BTreeMap<u64, MBarrier>,
    made: u32,
}

impl MBarriers {
    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.live.clear();
        self.made = 0;
    }

    /// The object at an offset.
    pub(crate) fn get(&mut self, at: u64) -> Result<&mut MBarrier, String> {
        self.live.get_mut(&at).ok_or_else(|| "used before mbarrier.init".to_owned())
    }

    /// `mbarrier.init`
    pub(crate) fn init(&mut self, at: u64, made: Stamp, count: u32) -> Result<(), String> {
        if count == 0 || count > MAX_COUNT {
            return Err(format!("a count of {count}; at least 1, at most {MAX_COUNT}"));
        }
        if self.overlapping(at, MBARRIER_BYTES).is_some() {
            return Err("initialised again without mbarrier.inval".to_owned());
        }
        self.live.insert(at, MBarrier::new(self.made, made, count));
        self.made += 1;
        Ok(())
    }

    /// `mbarrier.inval`
    pub(crate) fn inval(&mut self, at: u64) -> Result<(), String> {
        self.get(at)?;
        self.live.remove(&at);
        Ok(())
    }

    /// The object that a range of bytes meets.
    pub(crate) fn overlapping(&self, at: u64, bytes: u64) -> Option<u64> {
        let from = at.saturating_sub(MBARRIER_BYTES - 1);
        self.live.range(from..at.saturating_add(bytes)).next().map(|(at, _)| *at)
    }

    /// The first lane of an ordinary access that meets an object, and the object.
    pub(crate) fn plain_access(&self, access: &Access) -> Option<(u32, u64)> {
        if self.live.is_empty() {
            return None;
        }
        lanes(access.mask).find_map(|lane| {
            let found = self.overlapping(access.addr[lane], access.bytes.into())?;
            Some((lane as u32, found))
        })
    }

    /// Objects that got more bytes than were expected, at the end of the block.
    pub(crate) fn surplus(&self) -> impl Iterator<Item = (u64, i64)> + '_ {
        self.live.iter().filter(|(_, bar)| bar.tx < 0).map(|(at, bar)| (*at, -bar.tx))
    }
}
