//! Which registers of 32 bits an instruction reads or writes: `wgmma` has some of them in use while a kernel goes on.

use super::ir::{
    Access, Addr, AsyncCopy, Atom, Bar, Base, Bulk, Call, CallTarget, Carry, Inst, Lop3, Mbar, MbarKind, Op,
    Operand, Place, Reg, Row, Site, WaitFor, WarpOp,
};
use crate::arith::matrix::Fragments;

/// The registers of 32 bits of each instruction; of `wgmma` itself none.
pub(super) fn of_code(code: &[Inst]) -> Vec<Box<[Row]>> {
    let rows = |inst: &Inst| {
        let mut rows = Vec::new();
        of_op(&inst.op, &mut |reg| {
            if let Reg::W(row) | Reg::H(row) = reg {
                rows.push(row);
            }
        });
        rows.into_boxed_slice()
    };
    code.iter().map(rows).collect()
}

type Each<'a> = &'a mut dyn FnMut(Reg);

fn all(rows: &[Row], f: Each) {
    rows.iter().for_each(|row| f(Reg::W(*row)));
}

/// Rows of another file are left out.
fn of_op(op: &Op, f: Each) {
    match op {
        Op::Bin32(_, d, a, b) => all(&[*d, *a, *b], f),
        Op::Shift64(_, _, _, b) => all(&[*b], f),
        Op::Mad32(d, a, b, c) | Op::Fma32(d, a, b, c) => all(&[*d, *a, *b, *c], f),
        Op::MulWide(_, _, a, b) | Op::MadWide(_, _, a, b, _) | Op::Cmp32(_, _, a, b) => all(&[*a, *b], f),
        Op::CmpFun(_, _, a, b) | Op::CmpX2(_, _, a, b) => [*a, *b].into_iter().for_each(f),
        Op::Sel32(d, a, b, _) => all(&[*d, *a, *b], f),
        Op::Mov32(d, a) => all(&[*d, *a], f),
        Op::MovMany(moves) => moves.iter().for_each(|(d, a)| all(&[*d, *a], f)),
        Op::Widen(_, _, a) => all(&[*a], f),
        Op::Narrow(d, _) | Op::ActiveMask(d) | Op::Brx(d, _) => all(&[*d], f),
        Op::Pack(d, parts) => parts.iter().chain([d]).for_each(|reg| f(*reg)),
        Op::Unpack(parts, a) => parts.iter().flatten().chain([a]).for_each(|reg| f(*reg)),
        Op::Scalar(scalar) | Op::Divide(scalar) => {
            f(scalar.1);
            let of = |operand: &Operand| {
                if let Operand::Reg(reg) = operand {
                    f(*reg)
                }
            };
            scalar.2.iter().for_each(of);
        }
        Op::Lop3(lop3) => of_lop3(lop3, f),
        Op::Carry(carry) => of_carry(carry, f),
        Op::ToGeneric(_, d, a) | Op::FromGeneric(_, d, a) => [*d, *a].into_iter().for_each(f),
        Op::IsSpace(_, _, a) | Op::Clock(_, a) => f(*a),
        Op::Load(access) | Op::Store(access) => of_access(access, f),
        Op::Atom(atom) => of_atom(atom, f),
        Op::Discard(_, addr) => of_addr(addr, f),
        Op::AsyncCopy(copy) => of_copy(copy, f),
        Op::Bar(bar) => of_bar(bar, f),
        Op::Warp(warp) => {
            all(&[warp.1], f);
            of_warp(&warp.0, f);
        }
        Op::Mbar(mbar) => of_mbar(mbar, f),
        Op::PendingCount(d, _) | Op::CtaRank(_, d, _) => all(&[*d], f),
        Op::Bulk(bulk) => of_bulk(bulk, f),
        Op::StAsync(store) => {
            of_addr(&store.to, f);
            of_addr(&store.barrier, f);
            store.values.iter().for_each(|reg| f(*reg));
        }
        Op::Mapa(_, d, a, rank) => [*d, *a, Reg::W(*rank)].into_iter().for_each(f),
        Op::Call(call) => of_call(call, f),
        _ => {}
    }
}

fn of_lop3(lop3: &Lop3, f: Each) {
    all(&lop3.from, f);
    lop3.d.iter().for_each(|row| f(Reg::W(*row)));
}

fn of_carry(carry: &Carry, f: Each) {
    [carry.d, carry.a, carry.b].into_iter().for_each(&mut *f);
    carry.mad.iter().for_each(|(_, c)| f(*c));
}

fn of_addr(addr: &Addr, f: Each) {
    if let Base::W(row) = addr.base {
        f(Reg::W(row));
    }
}

fn of_access(access: &Access, f: Each) {
    of_addr(&access.addr, f);
    access.regs.iter().flatten().for_each(|reg| f(*reg));
}

fn of_atom(atom: &Atom, f: Each) {
    of_addr(&atom.addr, f);
    atom.dst.iter().flatten().chain(&atom.b).chain(&atom.c).for_each(|reg| f(*reg));
}

fn of_copy(copy: &AsyncCopy, f: Each) {
    of_addr(&copy.dst, f);
    of_addr(&copy.src, f);
    copy.src_bytes.iter().for_each(|row| f(Reg::W(*row)));
}

fn of_mbar(mbar: &Mbar, f: Each) {
    of_addr(&mbar.addr, f);
    match mbar.kind {
        MbarKind::Init(row) | MbarKind::ExpectTx(row) | MbarKind::CompleteTx(row) => all(&[row], f),
        MbarKind::Arrive(arrive) => arrive.count.iter().chain(&arrive.bytes).for_each(|row| f(Reg::W(*row))),
        MbarKind::Wait(_, WaitFor::Parity(row)) => all(&[row], f),
        MbarKind::Wait(_, WaitFor::State(_)) | MbarKind::Inval | MbarKind::AfterCopies(_) => {}
    }
}

fn of_bulk(bulk: &Bulk, f: Each) {
    for site in [&bulk.to, &bulk.from] {
        match site {
            Site::Global(addr) | Site::Shared(_, addr) => of_addr(addr, f),
            Site::Tensor(_, addr, coordinates) => {
                of_addr(addr, f);
                all(coordinates, f);
            }
        }
    }
    bulk.barrier.iter().for_each(|addr| of_addr(addr, f));
    bulk.bytes.iter().chain(&bulk.ranks).for_each(|row| f(Reg::W(*row)));
}

fn of_bar(bar: &Bar, f: Each) {
    all(&[bar.id], f);
    bar.count.iter().for_each(|row| f(Reg::W(*row)));
    bar.dst.iter().for_each(|reg| f(*reg));
}

fn of_warp(op: &WarpOp, f: Each) {
    match op {
        WarpOp::Shfl { d, a, b, c, .. } => all(&[*d, *a, *b, *c], f),
        WarpOp::Ballot { d, .. } => all(&[*d], f),
        WarpOp::MatchAny { d, a } => [Reg::W(*d), *a].into_iter().for_each(f),
        WarpOp::MatchAll { d, a, .. } => d.iter().map(|row| Reg::W(*row)).chain([*a]).for_each(f),
        WarpOp::Redux { d, a, .. } => all(&[*d, *a], f),
        WarpOp::Elect { d, .. } => d.iter().for_each(|row| f(Reg::W(*row))),
        WarpOp::Mma(mma) => {
            let Fragments { a, b, c } = &mma.from;
            [&mma.d[..], a, b, c].into_iter().for_each(|rows| all(rows, f));
        }
        WarpOp::LoadMatrix(matrices) | WarpOp::StoreMatrix(matrices) => {
            of_addr(&matrices.addr, f);
            all(&matrices.regs, f);
        }
        WarpOp::Vote { .. } | WarpOp::Sync => {}
    }
}

fn of_call(call: &Call, f: Each) {
    if let CallTarget::Indirect(row) = call.target {
        f(Reg::D(row));
    }
    for place in call.args.iter().chain(&call.returns) {
        if let Place::Reg(reg) = place {
            f(*reg);
        }
    }
}
