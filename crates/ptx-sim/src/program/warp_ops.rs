//! Barriers and what the threads of a warp do together.

use ptx_parse::ast::{Instruction, Operand as Ast};

use super::alu::{arith_named, width};
use super::builder::Builder;
use super::ir::{Bar, BarKind, ClusterBar, Op, Reg, Row, ShflMode, VoteKind, WarpOp};
use super::names::Reg2;
use super::operands::Operands;
use crate::error::CodeError;

type Found = Result<Option<Op>, CodeError>;

impl Builder<'_> {
    pub(super) fn warp_op(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        let modifiers: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
        let (op, members) = match (instruction.opcode.as_str(), modifiers.as_slice()) {
            ("bar" | "barrier", rest) => return self.barrier(&o, rest),
            ("activemask", ["b32"]) => {
                o.count(1)?;
                return Ok(Some(Op::ActiveMask(self.word_to(&o, 0)?)));
            }
            ("shfl", ["sync", mode, "b32"]) => return self.shfl(&o, mode),
            ("vote", ["sync", mode @ "ballot", "b32"] | ["sync", mode, "pred"]) => {
                o.count(3)?;
                let a = self.pred(&o, 1)?;
                let kind = match *mode {
                    "ballot" => {
                        let d = self.word_to(&o, 0)?;
                        return self.with_members(&o, WarpOp::Ballot { d, a }, 2);
                    }
                    "all" => VoteKind::All,
                    "any" => VoteKind::Any,
                    "uni" => VoteKind::Uni,
                    _ => return Ok(None),
                };
                (WarpOp::Vote { kind, d: self.pred_row(&o, 0)?, a }, 2)
            }
            ("match", ["any", "sync", ty @ ("b32" | "b64")]) => {
                o.count(3)?;
                (WarpOp::MatchAny { d: self.word_to(&o, 0)?, a: self.source(&o, 1, file_of_type(ty))? }, 2)
            }
            ("match", ["all", "sync", ty @ ("b32" | "b64")]) => {
                o.count(3)?;
                let (d, p) = self.sinks(&o)?;
                (WarpOp::MatchAll { d, p, a: self.source(&o, 1, file_of_type(ty))? }, 2)
            }
            ("redux", ["sync", op @ ("and" | "or" | "xor"), ty @ "b32"])
            | ("redux", ["sync", op @ ("add" | "min" | "max"), ty @ ("u32" | "s32")]) => {
                o.count(3)?;
                let name = format!("{op}.{ty}");
                let Some(arith) = arith_named(&name) else { return Ok(None) };
                (WarpOp::Redux { d: self.word_to(&o, 0)?, a: self.word(&o, 1)?, arith }, 2)
            }
            ("elect", ["sync"]) => {
                o.count(2)?;
                let Ast::Pair(d, p) = o.get(0)? else { return Err(o.wrong(0, "a pair")) };
                let d = match &**d {
                    Ast::Name(name) if name == "_" => None,
                    other => match self.value(other, &o, 0, Reg2::W)? {
                        Reg::W(row) => Some(row),
                        _ => return Err(o.wrong(0, "a register of 32 bits")),
                    },
                };
                let Reg::P(p) = self.value(p, &o, 0, Reg2::P)? else { return Err(o.wrong(0, "a predicate")) };
                (WarpOp::Elect { d, p }, 1)
            }
            _ => return Ok(None),
        };
        self.with_members(&o, op, members)
    }

    fn with_members(&mut self, o: &Operands, op: WarpOp, members: usize) -> Found {
        let members = self.word(o, members)?;
        Ok(Some(Op::Warp(Box::new((op, members)))))
    }

    /// `d|p` or `d`, of 32 bits.
    fn pair(&mut self, o: &Operands) -> Result<(Row, Option<Row>), CodeError> {
        let Ast::Pair(d, p) = o.get(0)? else { return Ok((self.word_to(o, 0)?, None)) };
        let (d, p) = (self.value(d, o, 0, Reg2::W)?, self.value(p, o, 0, Reg2::P)?);
        match (d, p) {
            (Reg::W(d), Reg::P(p)) => Ok((d, Some(p))),
            _ => Err(o.wrong(0, "a register of 32 bits and a predicate")),
        }
    }

    /// As [`pair`](Self::pair), where each may be `_`.
    fn sinks(&mut self, o: &Operands) -> Result<(Option<Row>, Option<Row>), CodeError> {
        let is_sink = |ast: &Ast| matches!(ast, Ast::Name(name) if name == "_");
        let Ast::Pair(d, p) = o.get(0)? else { return Ok((Some(self.word_to(o, 0)?), None)) };
        let d = match self.value(d, o, 0, Reg2::W) {
            _ if is_sink(d) => None,
            Ok(Reg::W(row)) => Some(row),
            _ => return Err(o.wrong(0, "a register of 32 bits and a predicate")),
        };
        let p = match self.value(p, o, 0, Reg2::P) {
            _ if is_sink(p) => None,
            Ok(Reg::P(row)) => Some(row),
            _ => return Err(o.wrong(0, "a register of 32 bits and a predicate")),
        };
        Ok((d, p))
    }

    fn shfl(&mut self, o: &Operands, mode: &str) -> Found {
        o.count(5)?;
        let mode = match mode {
            "up" => ShflMode::Up,
            "down" => ShflMode::Down,
            "bfly" => ShflMode::Bfly,
            "idx" => ShflMode::Idx,
            _ => return Ok(None),
        };
        let (d, p) = self.pair(o)?;
        let (a, b, c) = (self.word(o, 1)?, self.word(o, 2)?, self.word(o, 3)?);
        self.with_members(o, WarpOp::Shfl { mode, d, p, a, b, c }, 4)
    }

    fn barrier(&mut self, o: &Operands, modifiers: &[&str]) -> Found {
        let old = o.instruction.opcode == "bar";
        let mut words: Vec<&str> = modifiers.iter().copied().filter(|m| *m != "cta").collect();
        if let ["cluster", rest @ ..] = words.as_slice() {
            o.count(0)?;
            return Ok(cluster_barrier(rest));
        }
        if words == ["warp", "sync"] {
            o.count(1)?;
            return self.with_members(o, WarpOp::Sync, 0);
        }
        let aligned = old || words.contains(&"aligned");
        words.retain(|m| *m != "aligned");
        let kind = match words.as_slice() {
            ["sync"] => BarKind::Sync,
            ["arrive"] => BarKind::Arrive,
            ["red", "popc", "u32"] => BarKind::RedPopc,
            ["red", "and", "pred"] => BarKind::RedAnd,
            ["red", "or", "pred"] => BarKind::RedOr,
            _ => return Ok(None),
        };
        let reduces = matches!(kind, BarKind::RedPopc | BarKind::RedAnd | BarKind::RedOr);
        let first = usize::from(reduces);
        let dst = match kind {
            BarKind::RedPopc => Some(Reg::W(self.word_to(o, 0)?)),
            BarKind::RedAnd | BarKind::RedOr => Some(Reg::P(self.pred_row(o, 0)?)),
            BarKind::Sync | BarKind::Arrive => None,
        };
        let id = self.word(o, first)?;
        let (count, pred) = match (o.len() - first, reduces) {
            (1, false) => (None, None),
            (2, false) => (Some(self.word(o, first + 1)?), None),
            (2, true) => (None, Some(self.pred(o, first + 1)?)),
            (3, true) => (Some(self.word(o, first + 1)?), Some(self.pred(o, first + 2)?)),
            _ => return Err(o.count_error(first + 2)),
        };
        if kind == BarKind::Arrive && count.is_none() {
            return Err(o.count_error(2));
        }
        Ok(Some(Op::Bar(Box::new(Bar { kind, aligned, id, count, pred, dst }))))
    }
}

/// `barrier.cluster.arrive{.release, .relaxed}{.aligned}`, `barrier.cluster.wait{.acquire}{.aligned}` (PTX ISA,
/// `barrier.cluster`).
fn cluster_barrier(words: &[&str]) -> Option<Op> {
    let (words, aligned) = match words {
        [words @ .., "aligned"] => (words, true),
        words => (words, false),
    };
    match words {
        ["arrive"] | ["arrive", "release"] => Some(Op::ClusterArrive(ClusterBar { aligned, orders: true })),
        ["arrive", "relaxed"] => Some(Op::ClusterArrive(ClusterBar { aligned, orders: false })),
        ["wait"] | ["wait", "acquire"] => Some(Op::ClusterWait(ClusterBar { aligned, orders: true })),
        _ => None,
    }
}

fn file_of_type(ty: &str) -> Reg2 {
    if width(ty) == Some(64) { Reg2::D } else { Reg2::W }
}
