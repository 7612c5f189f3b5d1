//! What threads do together: barriers and warp-wide instructions, in the form in which they are executed.

use super::ir::{PredSrc, Reg, Row};
use crate::arith::Arith;

/// How a barrier is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BarKind {
    /// Arrives and waits.
    Sync,
    /// Arrives.
    Arrive,
    /// Waits, and all get the number of true predicates.
    RedPopc,
    /// Waits, and all get whether all predicates are true.
    RedAnd,
    /// Waits, and all get whether any predicate is true.
    RedOr,
}

/// A barrier of the block.
#[derive(Clone, Debug)]
pub(crate) struct Bar {
    /// What it does.
    pub kind: BarKind,
    /// Whether all threads of a warp must execute it together.
    pub aligned: bool,
    /// Its number.
    pub id: Row,
    /// Threads that take part; all of the block if it does not say.
    pub count: Option<Row>,
    /// The predicate of a reduction.
    pub pred: Option<PredSrc>,
    /// The result of a reduction.
    pub dst: Option<Reg>,
}

/// Arriving or waiting at the barrier of a cluster.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ClusterBar {
    /// Whether all threads of a warp must execute it together.
    pub aligned: bool,
    /// Whether it orders memory: not with `.relaxed`.
    pub orders: bool,
}

/// How `shfl` picks its source lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the mode of that name")]
pub(crate) enum ShflMode {
    Up,
    Down,
    Bfly,
    Idx,
}

/// What the threads of a warp do together; the mask of who takes part is `members`.
#[derive(Clone, Debug)]
pub(crate) enum WarpOp {
    /// `shfl.sync`
    Shfl { mode: ShflMode, d: Row, p: Option<Row>, a: Row, b: Row, c: Row },
    /// `vote.sync.ballot`
    Ballot { d: Row, a: PredSrc },
    /// `vote.sync.all`, `any`, `uni`
    Vote { kind: VoteKind, d: Row, a: PredSrc },
    /// `match.any.sync`
    MatchAny { d: Row, a: Reg },
    /// `match.all.sync`
    MatchAll { d: Option<Row>, p: Option<Row>, a: Reg },
    /// `redux.sync`
    Redux { d: Row, a: Row, arith: Arith },
    /// `bar.warp.sync`
    Sync,
    /// `elect.sync`
    Elect { d: Option<Row>, p: Row },
}

/// What a vote asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the vote of that name")]
pub(crate) enum VoteKind {
    All,
    Any,
    Uni,
}
