//! The memories of a launch, with what is known about every byte.
//!
//! [`global::Global`] holds the allocations of a device, [`view::View`] is what one worker of one launch
//! sees of them, [`shared::Shared`] belongs to a block and [`local::Local`] to a warp. Bounds, alignment and definedness by
//! byte are checked at each access. Races are found by happens-before: [`clocks`] and [`sync`] know what
//! is ordered, [`cells`] who accessed what, [`races`] compares the two, [`mod@merge`] does so between the workers
//! of a launch. [`copy`] has the asynchronous copies, [`proxy`] what the async proxy may see.

pub(crate) mod access;
pub(crate) mod allocation;
pub(crate) mod cells;
pub(crate) mod clocks;
pub(crate) mod copy;
pub(crate) mod error;
pub(crate) mod flight;
pub(crate) mod global;
pub(crate) mod known;
pub(crate) mod local;
pub(crate) mod mbarrier;
pub(crate) mod merge;
pub(crate) mod proxy;
pub(crate) mod races;
pub(crate) mod reading;
pub(crate) mod report;
pub(crate) mod reports;
pub(crate) mod shape;
pub(crate) mod shared;
pub(crate) mod space;
pub(crate) mod spans;
pub(crate) mod stamp;
pub(crate) mod sync;
pub(crate) mod view;

pub(crate) use access::{Access, Kind, Scope, Target, Who, Words, byte_mask, lanes};
pub(crate) use clocks::Clocks;
pub(crate) use copy::AsyncCopy;
pub use error::MemoryError;
pub(crate) use global::Global;
pub(crate) use known::{AGENTS, Known};
pub(crate) use local::Local;
pub(crate) use mbarrier::{Arrival, MBARRIER_BYTES, MBarriers, Phase, pending_count};
pub(crate) use merge::merge;
pub(crate) use reading::{Piece, Ticket};
pub use report::{Conflict, Earlier, Object, OutOfBounds};
pub(crate) use report::{Fault, RaceReport};
pub(crate) use shared::Shared;
pub use space::Space;
pub(crate) use space::{FIRST_OFFSET, Layout, Region, lanes_of_first_space, offsets};
pub(crate) use spans::Span;
pub(crate) use stamp::{FIRST_AGENT, Stamp};
pub(crate) use sync::{Order, Strong, SyncVars};
pub(crate) use view::View;

#[cfg(test)]
mod tests;
