//! Synchronisation through memory: what strong writes publish and strong reads find (PTX ISA 8.8, "Release and
//! Acquire Patterns").
//!
//! A release operation, or a fence and a later strong write, publishes; an atomic operation passes on what it finds; a
//! plain strong write replaces it, except the same thread's. A fence publishes what the thread knows at the
//! first strong write after it, which can be more than it knew at the fence: some races of that kind are missed.

use std::collections::HashMap;
use std::sync::Arc;

use super::access::Scope;
use super::clocks::{Clocks, Read};
use super::known::{Known, learn};

/// The order of a strong operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// `.relaxed`, `.volatile`.
    Relaxed,
    /// `.acquire`
    Acquire,
    /// `.release`
    Release,
    /// `.acq_rel`
    AcqRel,
}

impl Order {
    fn acquires(self) -> bool {
        matches!(self, Order::Acquire | Order::AcqRel)
    }

    fn releases(self) -> bool {
        matches!(self, Order::Release | Order::AcqRel)
    }
}

/// A strong operation of one lane.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Strong {
    /// The warp.
    pub(crate) warp: u32,
    /// The lane.
    pub(crate) lane: u32,
    /// The address: generic for global memory, an offset in the window else.
    pub(crate) address: u64,
    /// The order.
    pub(crate) order: Order,
    /// The scope.
    pub(crate) scope: Scope,
}

/// What was published at an address.
#[derive(Clone, Debug)]
struct Published {
    /// The block and thread of the last release.
    by: (u32, u32),
    /// By the block named first, for itself.
    near: Option<(u32, Arc<Known>)>,
    /// For all blocks.
    far: Option<Arc<Known>>,
}

/// What was published, by address: one of these for global memory and a launch, one for shared memory and a block.
#[derive(Debug, Default)]
pub(crate) struct SyncVars {
    published: HashMap<u64, Published>,
}

impl SyncVars {
    /// Nothing published.
    pub(crate) fn new() -> SyncVars {
        SyncVars::default()
    }

    /// Forgets everything, for the next block or launch.
    pub(crate) fn clear(&mut self) {
        self.published.clear();
    }

    /// A strong read.
    pub(crate) fn strong_load(&self, clocks: &mut Clocks, op: Strong) {
        let acquire = op.order.acquires();
        let found = if self.published.is_empty() { None } else { self.published.get(&op.address) };
        let near = found.and_then(|found| found.near.as_ref());
        let read = Read {
            near: near.filter(|(block, _)| *block == clocks.block()).map(|(_, known)| known),
            far: found.and_then(|found| found.far.as_ref()).filter(|_| op.scope != Scope::Cta),
            acquire,
            scope: op.scope,
        };
        clocks.collect(op.warp, op.lane, read);
    }

    /// A strong write that is no part of an atomic operation.
    pub(crate) fn strong_store(&mut self, clocks: &mut Clocks, op: Strong) {
        let by = (clocks.block(), op.warp * 32 + op.lane);
        let own = |found: &mut Published| found.by == by;
        if self.published.get_mut(&op.address).is_some_and(|found| !own(found)) {
            self.published.remove(&op.address);
        }
        self.publish(clocks, op);
    }

    /// An atomic read-modify-write operation.
    pub(crate) fn strong_rmw(&mut self, clocks: &mut Clocks, op: Strong) {
        self.strong_load(clocks, op);
        self.publish(clocks, op);
    }

    /// Adds what the write publishes to what is there.
    fn publish(&mut self, clocks: &mut Clocks, op: Strong) {
        let news = if op.order.releases() {
            Some((clocks.release(op.warp, op.lane), op.scope))
        } else {
            clocks.fenced(op.warp, op.lane, op.scope)
        };
        let Some((known, scope)) = news else {
            return;
        };
        let by = (clocks.block(), op.warp * 32 + op.lane);
        let entry = self.published.entry(op.address).or_insert(Published { by, near: None, far: None });
        entry.by = by;
        match &mut entry.near {
            Some((block, near)) if *block == by.0 => {
                let mut all = Some(Arc::clone(near));
                learn(&mut all, &known);
                entry.near = all.map(|all| (by.0, all));
            }
            near => *near = Some((by.0, Arc::clone(&known))),
        }
        if scope != Scope::Cta {
            learn(&mut entry.far, &known);
        }
    }
}
