//! What threads do together: barriers and warp-wide instructions, in the form in which they are executed.

use super::ir::{Addr, PredSrc, Reg, Row, Window};
use crate::arith::Arith;
use crate::arith::matrix::{Fragments, MatrixProduct};

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
    /// `mma.sync`
    Mma(Box<Mma>),
    /// `ldmatrix`
    LoadMatrix(Box<Matrices>),
    /// `stmatrix`
    StoreMatrix(Box<Matrices>),
}

impl WarpOp {
    /// Bytes of the narrowest element that goes to or from memory; 4 where none does.
    pub fn narrowest(&self) -> u32 {
        match self {
            Self::LoadMatrix(matrices) | Self::StoreMatrix(matrices) if matrices.transposed => 2,
            _ => 4,
        }
    }
}

/// `mma.sync`
#[derive(Clone, Debug)]
pub(crate) struct Mma {
    /// What it computes.
    pub product: MatrixProduct,
    /// The registers of the result.
    pub d: [Row; 4],
    /// Those of the operands.
    pub from: Fragments<Row>,
}

/// Matrices of 8 x 8 elements of 16 bits between registers and shared memory.
#[derive(Clone, Debug)]
pub(crate) struct Matrices {
    /// Which memory.
    pub window: Window,
    /// The address of a row, by lane: row `r` of matrix `m` is that of lane 8m + r.
    pub addr: Addr,
    /// Whether a lane's elements lie in a column instead of a row.
    pub transposed: bool,
    /// A register for each matrix.
    pub regs: Vec<Row>,
}

/// What a vote asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the vote of that name")]
pub(crate) enum VoteKind {
    All,
    Any,
    Uni,
}
