//! Findings that do not stop an access: collected, one for each pair of lines.

use std::collections::HashSet;

use super::report::{Conflict, Earlier, RaceReport};
use super::space::Space;
use super::stamp::Stamp;
use crate::FindingKind;

/// What kind of conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Problem {
    /// A data race.
    Race,
    /// A byte read through `.nc` and written.
    Nc,
    /// A byte of an asynchronous copy that is not done.
    Early,
    /// A byte that an asynchronous copy has yet to read.
    Source,
    /// A byte written by the generic proxy and not fenced.
    Unfenced,
}

/// The later access of a conflict.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Later {
    pub(crate) block: u32,
    pub(crate) thread: u32,
    pub(crate) line: u32,
    pub(crate) write: bool,
    pub(crate) space: Space,
    pub(crate) address: u64,
}

/// The findings of one owner of memory.
#[derive(Debug, Default)]
pub(crate) struct Reports {
    list: Vec<RaceReport>,
    seen: HashSet<(Problem, u32, u32)>,
}

impl Reports {
    /// Adds a finding, unless there is one of this kind for the two lines.
    #[cold]
    pub(crate) fn add(&mut self, problem: Problem, later: Later, earlier: Earlier) {
        if !self.seen.insert((problem, later.line, earlier.line)) {
            return;
        }
        let Later { block, thread, line, write, space, address } = later;
        let conflict = Conflict { write, space, address, earlier };
        let kind = match problem {
            Problem::Race => FindingKind::Race(conflict),
            Problem::Nc => FindingKind::WriteOfNcRead(conflict),
            Problem::Early => FindingKind::EarlyAsyncRead(conflict),
            Problem::Source => FindingKind::AsyncSourceWritten(conflict),
            Problem::Unfenced => FindingKind::MissingProxyFence(conflict),
        };
        self.list.push(RaceReport { kind, block, thread, line, earlier });
    }
    /// Takes what was found since the last call.
    pub(crate) fn take(&mut self) -> Vec<RaceReport> {
        std::mem::take(&mut self.list)
    }
}

/// The access that a thread's stamp stands for.
pub(crate) fn earlier(stamp: Stamp, line: u32, write: bool) -> Earlier {
    let (block, thread) = (stamp.block(), stamp.thread());
    Earlier { block, thread, line, write, atomic: write && stamp.is_atomic() }
}
