//! Barrier objects and bulk copies, in the form in which they are executed.

use super::ir::{Addr, AtomKind, Reg, Row, Window};
use crate::arith::Arith;
use crate::memory::Scope;

/// An instruction on a barrier object.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mbar {
    /// What it does.
    pub kind: MbarKind,
    /// Which memory.
    pub window: Window,
    /// The object.
    pub addr: Addr,
    /// Its scope, where it has one.
    pub scope: Option<Scope>,
    /// Whether it orders memory: not with `.relaxed`.
    pub orders: bool,
}

/// What is done with a barrier object.
#[derive(Clone, Copy, Debug)]
pub(crate) enum MbarKind {
    /// `mbarrier.init`: arrivals that a phase expects.
    Init(Row),
    /// `mbarrier.inval`
    Inval,
    /// `mbarrier.expect_tx`: bytes.
    ExpectTx(Row),
    /// `mbarrier.complete_tx`: bytes.
    CompleteTx(Row),
    /// `mbarrier.arrive` and `mbarrier.arrive_drop`
    Arrive(Arrive),
    /// `mbarrier.test_wait` and `mbarrier.try_wait`: the result, and the phase.
    Wait(Row, WaitFor),
    /// `cp.async.mbarrier.arrive`; `true` with `.noinc`.
    AfterCopies(bool),
}

/// The operands of an arrival.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Arrive {
    /// How many arrivals; one if it does not say.
    pub count: Option<Row>,
    /// Bytes to expect before.
    pub bytes: Option<Row>,
    /// `arrive_drop`
    pub drops: bool,
    /// `.noComplete`
    pub no_complete: bool,
    /// Where the state goes.
    pub state: Option<Row>,
}

/// The phase that is waited for.
#[derive(Clone, Copy, Debug)]
pub(crate) enum WaitFor {
    /// That of a state.
    State(Row),
    /// That of a parity.
    Parity(Row),
}

/// A place of a bulk copy.
#[derive(Clone, Debug)]
pub(crate) enum Site {
    /// Global memory.
    Global(Addr),
    /// Shared memory of the block or the cluster.
    Shared(Window, Addr),
    /// A box of a tensor: the map's memory and address, and the coordinates, innermost first.
    Tensor(Window, Addr, Vec<Row>),
}

/// `cp.async.bulk`, `cp.async.bulk.tensor`, `cp.reduce.async.bulk`, `cp.reduce.async.bulk.tensor`
#[derive(Clone, Debug)]
pub(crate) struct Bulk {
    /// Where to.
    pub to: Site,
    /// Where from.
    pub from: Site,
    /// How many bytes; a box has a size.
    pub bytes: Option<Row>,
    /// The barrier object that is told; without, the copy belongs to a group.
    pub barrier: Option<Addr>,
    /// The ranks it goes to, a bit each.
    pub ranks: Option<Row>,
    /// What becomes of the old value.
    pub reduction: Option<Reduction>,
}

/// What a reducing copy does with each element.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reduction {
    /// On elements of a type.
    Typed(Reduce),
    /// On elements of the tensor's type.
    OfTensor(Name),
}

/// The operation of a reduction by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the operation of that name")]
pub(crate) enum Name {
    Add,
    Min,
    Max,
    Inc,
    Dec,
    And,
    Or,
    Xor,
}

/// What is done with the old value of an element, of so many bytes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reduce {
    /// What it does.
    pub kind: AtomKind,
    /// For [`AtomKind::Fun`]: the arithmetic in shared memory, and in global memory.
    pub arith: Option<(Arith, Arith)>,
    /// Bytes of an element.
    pub bytes: u32,
}

/// `st.async` and `red.async`
#[derive(Clone, Debug)]
pub(crate) struct StAsync {
    /// Where to, in the shared memory of the cluster.
    pub to: Addr,
    /// The barrier object, there too.
    pub barrier: Addr,
    /// Bytes of an element.
    pub bytes: u32,
    /// The values.
    pub values: Vec<Reg>,
    /// What becomes of the old value.
    pub reduce: Option<Reduce>,
}
