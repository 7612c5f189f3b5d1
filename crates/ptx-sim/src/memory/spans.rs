//! The bytes of shared memory that bulk copies in flight read or write.

use super::access::{Access, Who, lanes};
use super::report::Earlier;
use super::reports::{Later, Problem, Reports};
use super::space::Space;

/// Bytes of a copy in flight.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Span {
    /// The copy.
    pub(crate) copy: u64,
    /// The first offset.
    pub(crate) start: u64,
    /// One past the last offset.
    pub(crate) end: u64,
    /// Whether the copy writes them.
    pub(crate) target: bool,
    /// Whether it combines them with what is there, as other reductions may at the same time.
    pub(crate) reduces: bool,
    /// Who issued it: block, thread, line.
    pub(crate) by: (u32, u32, u32),
}

/// All of a block.
#[derive(Debug, Default)]
pub(crate) struct Spans {
    list: Vec<Span>,
}

impl Spans {
    /// Whether nothing is in flight.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.list.clear();
    }

    /// A copy is issued.
    pub(crate) fn add(&mut self, span: Span) {
        self.list.push(span);
    }

    /// A copy has read its source, or written its target.
    pub(crate) fn remove(&mut self, copy: u64, target: bool) {
        self.list.retain(|span| span.copy != copy || span.target != target);
    }

    /// Reports accesses of bytes in flight: all of those that a copy writes, writes of those that it reads; not that two
    /// reductions meet, `atomic` being one.
    #[cold]
    pub(crate) fn check(
        &self,
        who: &Who,
        access: &Access,
        (write, atomic): (bool, bool),
        reports: &mut Reports,
    ) {
        let concerns = |span: &&Span| (span.target || write) && !(span.reduces && atomic);
        for span in self.list.iter().filter(concerns) {
            let meets = |lane: &usize| {
                access.addr[*lane] < span.end && span.start < access.addr[*lane] + u64::from(access.bytes)
            };
            let Some(lane) = lanes(access.mask).find(meets) else { continue };
            let (thread, line, space) = (who.warp * 32 + lane as u32, access.line, Space::Shared);
            let address = access.addr[lane].max(span.start);
            let later = Later { block: who.clocks.block(), thread, line, write, space, address };
            let (block, thread, line) = span.by;
            let earlier = Earlier { block, thread, line, write: span.target, atomic: false };
            reports.add(if span.target { Problem::Early } else { Problem::Source }, later, earlier);
        }
    }
}
