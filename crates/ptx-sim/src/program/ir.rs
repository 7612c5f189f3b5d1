//! The form in which kernels are executed: operands are rows of register files, addresses and branch targets are numbers.

pub(crate) use super::flights::{
    Arrive, Bulk, Mbar, MbarKind, Name, Reduce, Reduction, Site, StAsync, WaitFor,
};
pub(crate) use super::together::{Bar, BarKind, ClusterBar, Matrices, Mma, ShflMode, VoteKind, WarpOp};
pub(crate) use super::wgmma::Wgmma;
use crate::arith::Arith;
use crate::arith::compare::Combine;
use crate::memory::{Order, Scope};

/// A row of a register file: one value per lane.
pub(crate) type Row = u32;

/// A register: its file and row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Reg {
    /// Predicates, one bit per lane.
    P(Row),
    /// Values of 16 bits, in the low half of 32.
    H(Row),
    /// Values of 32 bits.
    W(Row),
    /// Values of 64 bits.
    D(Row),
    /// Values of 128 bits: two rows of 64, the low half first.
    Q(Row),
}

/// `@p` or `@!p`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Guard {
    /// The predicate's row.
    pub row: Row,
    /// Whether lanes with a false predicate execute.
    pub negated: bool,
}

/// One instruction.
#[derive(Debug)]
pub(crate) struct Inst {
    /// What it does.
    pub op: Op,
    /// Its predicate.
    pub guard: Option<Guard>,
    /// Line of the PTX text.
    pub line: u32,
    /// Index into the kernel's source lines; `u32::MAX` for none.
    pub source: u32,
    /// Index into the kernel's instruction names.
    pub name: u32,
}

/// Two 32-bit operands to one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the instruction of that name")]
pub(crate) enum Bin {
    Add,
    Sub,
    MulLo,
    And,
    Or,
    Xor,
    Shl,
    ShrU,
    ShrS,
    MinU,
    MinS,
    MaxU,
    MaxS,
    FAdd,
    FSub,
    FMul,
}

/// A comparison of integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the comparison of that name")]
pub(crate) enum Cmp {
    Eq,
    Ne,
    LtU,
    LeU,
    GtU,
    GeU,
    LtS,
    LeS,
    GtS,
    GeS,
}

/// A conversion between integer widths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Widen {
    /// 32 to 64 bits, with zeros.
    Zero,
    /// 32 to 64 bits, with the sign.
    Sign,
    /// 16 to 64 bits, with zeros.
    Zero16,
}

/// A predicate operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PredSrc {
    /// Its row.
    pub row: Row,
    /// Whether it is written with `!`.
    pub negated: bool,
}

/// Where a comparison goes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CmpTo {
    /// The result.
    pub p: Option<Row>,
    /// Its opposite (before it is combined).
    pub q: Option<Row>,
    /// What it is combined with.
    pub combine: Option<(Combine, PredSrc)>,
}

/// The base of an address.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Base {
    /// None: the offset is the address.
    None,
    /// A 32-bit register.
    W(Row),
    /// A 64-bit register.
    D(Row),
}

/// An address operand.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Addr {
    /// The register.
    pub base: Base,
    /// What is added.
    pub offset: i64,
}

/// The memory an access names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Window {
    /// Whatever the address says.
    Generic,
    /// Global memory; constants too.
    Global,
    /// Shared memory of the block, by offset.
    Shared,
    /// Shared memory of the cluster, by offset and rank.
    Cluster,
    /// Local memory, by offset.
    Local,
    /// Kernel parameters, by offset.
    Param,
}

/// The strength of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strength {
    /// An ordinary one.
    Weak,
    /// Through the non-coherent path.
    Nc,
    /// One that other threads may see: order and scope.
    Strong(Order, Scope),
}

/// A load or store.
#[derive(Clone, Debug)]
pub(crate) struct Access {
    /// Which memory.
    pub window: Window,
    /// Where.
    pub addr: Addr,
    /// Bytes of an element.
    pub elem_bytes: u32,
    /// Whether elements are extended with their sign.
    pub signed: bool,
    /// How other threads see it.
    pub strength: Strength,
    /// What is loaded to or stored from; `None` is `_`.
    pub regs: Vec<Option<Reg>>,
}

/// What an atomic operation does with the old value and its operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the operation of that name")]
pub(crate) enum AtomKind {
    Exch,
    Cas,
    Inc,
    Dec,
    And,
    Or,
    Xor,
    Fun,
}

/// An atomic operation.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    /// What it does.
    pub kind: AtomKind,
    /// For [`AtomKind::Fun`]: the arithmetic in shared memory, and in global memory.
    pub arith: Option<(Arith, Arith)>,
    /// Which memory.
    pub window: Window,
    /// Where.
    pub addr: Addr,
    /// Bytes of one element.
    pub bytes: u32,
    /// Order.
    pub order: Order,
    /// Scope.
    pub scope: Scope,
    /// Where the old values go; empty for `red`.
    pub dst: Vec<Option<Reg>>,
    /// Operands; for vectors, one list of elements.
    pub b: Vec<Reg>,
    /// The new value of `cas`.
    pub c: Option<Reg>,
}

/// `lop3` with a predicate.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lop3 {
    /// The result.
    pub d: Option<Row>,
    /// Whether it is not zero.
    pub to: CmpTo,
    /// The three operands and the table.
    pub from: [Row; 4],
}

/// A carry instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carry {
    /// Destination.
    pub d: Reg,
    /// First operand (of the product for `mad`).
    pub a: Reg,
    /// Second operand.
    pub b: Reg,
    /// The addend of `mad`, with what part of the product is taken.
    pub mad: Option<(Arith, Reg)>,
    /// Whether it subtracts.
    pub sub: bool,
    /// Whether it reads the carry.
    pub reads: bool,
    /// Whether it writes the carry.
    pub writes: bool,
}

/// A clock that runs while the kernel does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is the special register of that name")]
pub(crate) enum Clock {
    Low,
    High,
    Full,
    GlobalTimer,
    GlobalTimerLow,
    GlobalTimerHigh,
}

/// A call: where to, what is handed over and back.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The function, or the register that holds its address.
    pub target: CallTarget,
    /// Arguments in order.
    pub args: Vec<Place>,
    /// Where the results go.
    pub returns: Vec<Place>,
}

/// What a call goes to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CallTarget {
    /// A function, by index.
    Direct(usize),
    /// The address in a register.
    Indirect(Row),
}

/// Where an argument, a parameter or a result is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// A `.param` variable: its offset in local memory, and its size in bytes.
    Memory(u64, u64),
    /// A register or number.
    Reg(Reg),
}

/// What an instruction does.
#[derive(Debug)]
pub(crate) enum Op {
    /// 32-bit arithmetic.
    Bin32(Bin, Row, Row, Row),
    /// 64-bit arithmetic.
    Bin64(Bin, Row, Row, Row),
    /// 64-bit shift by a 32-bit amount.
    Shift64(Bin, Row, Row, Row),
    /// `mad.lo` of 32 bits.
    Mad32(Row, Row, Row, Row),
    /// `mad.lo` of 64 bits.
    Mad64(Row, Row, Row, Row),
    /// `fma.rn.f32`
    Fma32(Row, Row, Row, Row),
    /// 32 x 32 to 64 bits; `true` is signed.
    MulWide(bool, Row, Row, Row),
    /// 32 x 32 + 64 bits; `true` is signed.
    MadWide(bool, Row, Row, Row, Row),
    /// A comparison of 32-bit integers.
    Cmp32(Cmp, CmpTo, Row, Row),
    /// A comparison of 64-bit integers.
    Cmp64(Cmp, CmpTo, Row, Row),
    /// Any other comparison.
    CmpFun(fn(u64, u64) -> bool, CmpTo, Reg, Reg),
    /// A comparison of both halves: to `p` and `q`.
    CmpX2(fn(u64, u64) -> [bool; 2], CmpTo, Reg, Reg),
    /// `selp` of 32 bits.
    Sel32(Row, Row, Row, PredSrc),
    /// `selp` of 64 bits.
    Sel64(Row, Row, Row, PredSrc),
    /// A copy.
    Mov32(Row, Row),
    /// A copy.
    Mov64(Row, Row),
    /// A copy of 128 bits.
    Mov128(Row, Row),
    /// Several copies of 32 bits.
    MovMany(Vec<(Row, Row)>),
    /// A predicate copied or turned round.
    MovP(Row, PredSrc),
    /// Predicates put together.
    LogicP(Combine, Row, PredSrc, PredSrc),
    /// An integer made wider.
    Widen(Widen, Row, Row),
    /// The low 32 bits of 64.
    Narrow(Row, Row),
    /// Several registers to one, the lowest first.
    Pack(Reg, Vec<Reg>),
    /// One register to several, the lowest first.
    Unpack(Vec<Option<Reg>>, Reg),
    /// Arithmetic, lane by lane.
    Scalar(Box<(Arith, Reg, Vec<Operand>)>),
    /// A division of integers, lane by lane.
    Divide(Box<(Arith, Reg, Vec<Operand>)>),
    /// `lop3` with a predicate.
    Lop3(Box<Lop3>),
    /// Addition and subtraction with carry.
    Carry(Box<Carry>),
    /// A generic address from one of a window.
    ToGeneric(Window, Reg, Reg),
    /// An address in a window from a generic one.
    FromGeneric(Window, Reg, Reg),
    /// Whether a generic address lies in a window.
    IsSpace(Window, Row, Reg),
    /// A load.
    Load(Box<Access>),
    /// A store.
    Store(Box<Access>),
    /// `atom` and `red`.
    Atom(Box<Atom>),
    /// `fence`, `membar`
    Fence(Scope),
    /// `fence.proxy.async` over the shared memory of the block; `true`: of the cluster.
    ProxyFence(bool),
    /// `discard`: makes bytes undefined.
    Discard(Window, Addr),
    /// `cp.async`
    AsyncCopy(Box<AsyncCopy>),
    /// `cp.async.commit_group`
    AsyncCommit,
    /// `cp.async.wait_group`: groups that may be left; `None` is `wait_all`.
    AsyncWait(Option<u32>),
    /// `mbarrier`, `cp.async.mbarrier.arrive`
    Mbar(Box<Mbar>),
    /// `mbarrier.pending_count`
    PendingCount(Row, Row),
    /// A bulk copy.
    Bulk(Box<Bulk>),
    /// `cp.async.bulk.commit_group`
    BulkCommit,
    /// `cp.async.bulk.wait_group`: groups that may be left; `true`: whose sources need only be read.
    BulkWait(u32, bool),
    /// `st.async`, `red.async`
    StAsync(Box<StAsync>),
    /// `mapa`: whether the address is generic, the result, the address, the rank.
    Mapa(bool, Reg, Reg, Row),
    /// `getctarank`: whether the address is generic, the result, the address.
    CtaRank(bool, Row, Reg),
    /// `setmaxnreg`
    SetMaxNReg,
    /// A barrier of the block.
    Bar(Box<Bar>),
    /// `barrier.cluster.arrive`
    ClusterArrive(ClusterBar),
    /// `barrier.cluster.wait`
    ClusterWait(ClusterBar),
    /// `wgmma.fence`
    WgmmaFence,
    /// `wgmma.mma_async`
    Wgmma(Box<Wgmma>),
    /// `wgmma.commit_group`
    WgmmaCommit,
    /// `wgmma.wait_group`: groups that may be left.
    WgmmaWait(u32),
    /// What the threads of a warp do together.
    Warp(Box<(WarpOp, Row)>),
    /// `activemask`
    ActiveMask(Row),
    /// A running clock.
    Clock(Clock, Reg),
    /// A branch.
    Bra(u32),
    /// A branch by table.
    Brx(Row, Vec<u32>),
    /// A call.
    Call(Box<Call>),
    /// The end of a function, or of the thread.
    Ret,
    /// The end of the thread.
    Exit,
    /// The end of everything.
    Trap,
    /// A stop in the debugger, which is not there.
    Breakpoint,
    /// Lets others go first.
    Yield,
    /// Checked when it was read; does nothing here.
    Nop,
}

/// An operand of lane-by-lane arithmetic.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operand {
    /// A register.
    Reg(Reg),
    /// A predicate, perhaps turned round.
    Pred(PredSrc),
}

/// `cp.async`
#[derive(Clone, Debug)]
pub(crate) struct AsyncCopy {
    /// Where to, in shared memory.
    pub dst: Addr,
    /// Where from, in global memory.
    pub src: Addr,
    /// Bytes written.
    pub bytes: u32,
    /// Bytes read; the rest is zeros.
    pub src_bytes: Option<Row>,
    /// A predicate that makes all of it zeros.
    pub ignore: Option<PredSrc>,
}
