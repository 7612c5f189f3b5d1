//! What the simulator finds wrong with a kernel, and where.

use std::fmt;
use std::sync::Arc;

use crate::memory::{Conflict, OutOfBounds, Space};

/// A place in a launch: kernel, block, thread and line.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Place {
    /// The kernel.
    pub kernel: String,
    /// The block, by its three indices.
    pub block: [u32; 3],
    /// The thread in its block, by its three indices.
    pub thread: [u32; 3],
    /// The line of the PTX text.
    pub line: u32,
    /// The line of the Rust source, where the PTX has line tables.
    pub rust: Option<RustLine>,
}

/// A line of the source the PTX was made from.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RustLine {
    /// The file, as the PTX names it.
    pub file: String,
    /// The line.
    pub line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ([bx, by, bz], [x, y, z]) = (self.block, self.thread);
        write!(
            f,
            "{}, block ({bx}, {by}, {bz}), thread ({x}, {y}, {z}), PTX line {}",
            self.kernel, self.line
        )?;
        match &self.rust {
            Some(rust) => write!(f, " ({}:{})", rust.file, rust.line),
            None => Ok(()),
        }
    }
}

/// One thing found wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Where.
    pub place: Place,
    /// What.
    pub kind: FindingKind,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.kind)
    }
}

/// Everything found wrong in one launch, in the order it was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Findings(pub Vec<Finding>);

impl fmt::Display for Findings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, finding) in self.0.iter().enumerate() {
            if at > 0 {
                writeln!(f)?;
            }
            write!(f, "{finding}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Findings {}

/// Where an undefined value must not go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Use {
    /// Into an address.
    Address,
    /// Into a predicate that decides what is executed.
    Predicate,
    /// Into memory.
    Store,
    /// Into a lane mask, a barrier number or the like.
    Control,
}

impl fmt::Display for Use {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Address => "an address",
            Self::Predicate => "a predicate",
            Self::Store => "a store",
            Self::Control => "an operand that must be known",
        })
    }
}

/// What a `wgmma` uses a register for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RegisterUse {
    /// Results.
    Accumulator,
    /// A fragment of A.
    OperandA,
}

impl fmt::Display for RegisterUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accumulator => "an accumulator",
            Self::OperandA => "operand A",
        })
    }
}

/// What can be wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FindingKind {
    /// A value that nothing wrote, in a place where it matters.
    #[error("an undefined value reaches {0}")]
    Undefined(Use),
    /// An integer division by zero.
    #[error("integer division by zero")]
    DivisionByZero,
    /// A barrier that some of those it waits for never reach.
    #[error("barrier {barrier}: reached by {arrived} of {expected} threads; {missing}")]
    DivergentBarrier {
        /// Its number.
        barrier: u32,
        /// Threads that reached it.
        arrived: u32,
        /// Threads it waits for.
        expected: u32,
        /// What the others do.
        missing: String,
    },
    /// A barrier number or count that is not allowed.
    #[error(
        "barrier {barrier} with {count} threads: numbers are 0 to 15, counts multiples of 32 of at most the block"
    )]
    BadBarrier {
        /// Its number.
        barrier: u32,
        /// The count.
        count: u32,
    },
    /// The barrier of a cluster, used as it must not be.
    #[error("barrier of the cluster: {what}")]
    ClusterBarrier {
        /// What is wrong.
        what: String,
    },
    /// A thread that expects another number of threads at a barrier than those who are there.
    #[error("barrier {barrier} with {count} threads, those who are there expect {earlier}")]
    BarrierCount {
        /// Its number.
        barrier: u32,
        /// The count of this thread.
        count: u32,
        /// That of the others.
        earlier: u32,
    },
    /// A lane that is named in the mask of a warp-wide instruction and does not execute it.
    #[error("lane mask {mask:#010x} names lane {lane}, which {state}")]
    InactiveLane {
        /// The mask.
        mask: u32,
        /// The lane.
        lane: u32,
        /// What the lane does instead.
        state: String,
    },
    /// A lane that executes a warp-wide instruction without being in its mask.
    #[error("lane mask {mask:#010x} leaves out lane {lane}, which executes the instruction")]
    LaneNotInMask {
        /// The mask.
        mask: u32,
        /// The lane.
        lane: u32,
    },
    /// A shuffle that reads a lane which does not take part.
    #[error("reads lane {lane}, which does not take part")]
    ReadsInactiveLane {
        /// The lane read.
        lane: u32,
    },
    /// `trap` was executed.
    #[error("trap")]
    Trap,
    /// `brkpt` was executed, and there is no debugger.
    #[error("brkpt without a debugger")]
    Breakpoint,
    /// More instructions than the limit.
    #[error("more than {limit} instructions in one warp: an endless loop?")]
    StepLimit {
        /// The limit.
        limit: u64,
    },
    /// Calls nested in one another without end.
    #[error("calls nested deeper than {limit}")]
    CallDepth {
        /// The limit.
        limit: usize,
    },
    /// A branch by table with an index past its end.
    #[error("branch index {index}, the table has {len} labels")]
    BranchIndex {
        /// The index.
        index: u32,
        /// Labels in the table.
        len: usize,
    },
    /// A call to an address that is no function.
    #[error("call to {address:#x}, which is no function")]
    BadCall {
        /// The address.
        address: u64,
    },
    /// An access outside of every allocation or variable.
    #[error("{0}")]
    OutOfBounds(OutOfBounds),
    /// An address that is not a multiple of the access's size.
    #[error(
        "{} {bytes} bytes of {} memory at {address:#x}, which is no multiple of {bytes}",
        if *write { "writes" } else { "reads" },
        space.name()
    )]
    Misaligned {
        /// Whether it writes.
        write: bool,
        /// The bytes of one lane.
        bytes: u32,
        /// The space.
        space: Space,
        /// The address: generic for global memory, an offset in the window else.
        address: u64,
    },
    /// A write to a variable that kernels may not write.
    #[error("writes {bytes} bytes at {address:#x}, inside the read-only variable {name}")]
    ReadOnlyWrite {
        /// The bytes of one lane.
        bytes: u32,
        /// The address.
        address: u64,
        /// The variable.
        name: Arc<str>,
    },
    /// Two accesses of the same byte, one of them a write, that nothing orders.
    #[error("data race: {0}; nothing orders the two")]
    Race(Conflict),
    /// A byte that is read through `.nc` and written in the same launch.
    #[error("memory read through .nc is written in the same launch: {0}")]
    WriteOfNcRead(Conflict),
    /// A write of bytes that an asynchronous copy may still read.
    #[error("asynchronous copy not waited for: {0}, as the source of a copy")]
    AsyncSourceWritten(Conflict),
    /// A barrier object (`mbarrier`), used as it must not be.
    #[error("mbarrier at {address:#x}: {what}")]
    MBarrier {
        /// Its offset in shared memory.
        address: u64,
        /// What is wrong.
        what: String,
    },
    /// A bulk or tensor copy with an operand that it does not take.
    #[error("bulk copy: {what}")]
    BadBulkCopy {
        /// What is wrong.
        what: String,
    },
    /// A block that ends while an asynchronous copy still uses its shared memory.
    #[error("the block ends while the copy uses its shared memory")]
    ExitBeforeCopy,
    /// The shared memory of another block of the cluster, where that block may not be there.
    #[error("shared memory of block {rank} of the cluster: {what}")]
    DistantShared {
        /// The rank of the block in its cluster.
        rank: u32,
        /// What is wrong.
        what: &'static str,
    },
    /// `setmaxnreg` that not all warps of the warpgroup execute.
    #[error("setmaxnreg: {what}")]
    RegisterCount {
        /// What is wrong.
        what: &'static str,
    },
    /// An access of bytes that an asynchronous copy is still writing.
    #[error("asynchronous copy not waited for: {0}, as the target of a copy")]
    EarlyAsyncRead(Conflict),
    /// A register that a `wgmma` uses, touched before a `wgmma.wait_group` that covers it.
    #[error("a register that the wgmma of PTX line {issued} uses as {by} is touched before wgmma.wait_group")]
    RegisterInFlight {
        /// What for.
        by: RegisterUse,
        /// The line of that instruction.
        issued: u32,
    },
    /// A `wgmma` whose registers no `wgmma.fence` orders.
    #[error("no wgmma.fence before this wgmma: {why}")]
    MissingWgmmaFence {
        /// Why it needs one.
        why: &'static str,
    },
    /// A thread that ends while a `wgmma` of its is under way.
    #[error("the thread ends while the wgmma of PTX line {issued} is not waited for")]
    WgmmaNotWaited {
        /// The line of that instruction.
        issued: u32,
    },
    /// A `wgmma` that the four warps of its warpgroup do not execute as one.
    #[error("wgmma: {what}")]
    Warpgroup {
        /// What is wrong.
        what: String,
    },
    /// An access by the async proxy of bytes that an ordinary instruction wrote, without a `fence.proxy.async` in between.
    #[error("no fence.proxy.async since: the async proxy {0}")]
    MissingProxyFence(Conflict),
}
