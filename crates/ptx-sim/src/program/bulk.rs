//! `cp.async.bulk` and `cp.reduce.async.bulk`, with tensors and without.

use ptx_parse::ast::{Const, Operand as Ast};

use super::alu::width;
use super::atomics::operation;
use super::builder::Builder;
use super::distant::in_shared;
use super::ir::{Addr, Bulk, Name, Op, Reduce, Reduction, Row, Site, Window};
use super::names::Reg2;
use super::operands::{Operands, expected};
use crate::TensorElement;
use crate::error::CodeError;

type Found = Result<Option<Op>, CodeError>;

/// What the modifiers say.
#[derive(Default)]
struct Words<'a> {
    /// The dimensions of a tensor.
    rank: Option<usize>,
    /// The memories: where to and where from.
    spaces: Vec<&'a str>,
    barrier: bool,
    group: bool,
    multicast: bool,
    hint: bool,
    prefetch: bool,
    /// The operation and the type of a reduction.
    reduction: Vec<&'a str>,
}

fn words<'a>(modifiers: &[&'a str]) -> Option<Words<'a>> {
    let mut found = Words::default();
    for &word in modifiers {
        match word {
            "tensor" => found.rank = Some(0),
            "1d" | "2d" | "3d" | "4d" | "5d" if found.rank == Some(0) => {
                found.rank = word[..1].parse().ok();
            }
            "tile" if found.rank.is_some() => {}
            "shared::cluster" | "shared::cta" | "global" => found.spaces.push(word),
            "mbarrier::complete_tx::bytes" => found.barrier = true,
            "bulk_group" => found.group = true,
            "multicast::cluster" => found.multicast = true,
            "L2::cache_hint" => found.hint = true,
            "prefetch" => found.prefetch = true,
            "L2" if found.prefetch => {}
            "noftz" => {}
            "add" | "min" | "max" | "inc" | "dec" | "and" | "or" | "xor" => found.reduction.push(word),
            ty if found.reduction.len() == 1 && width(ty).is_some() => found.reduction.push(ty),
            // `.im2col`, `.tile::gather4`, `.cp_mask`, `.cta_group`: named in the refusal.
            _ => return None,
        }
    }
    (found.rank != Some(0)).then_some(found)
}

/// The operations on global memory that reducing copies have, with their types.
fn in_global(name: &str, ty: &str) -> bool {
    match name {
        "add" => matches!(ty, "f16" | "bf16" | "u32" | "s32" | "u64" | "f32" | "f64"),
        "min" | "max" => matches!(ty, "f16" | "bf16" | "u32" | "s32" | "u64" | "s64"),
        "inc" | "dec" => ty == "u32",
        "and" | "or" | "xor" => matches!(ty, "b32" | "b64"),
        _ => false,
    }
}

fn named(name: &str) -> Option<Name> {
    Some(match name {
        "add" => Name::Add,
        "min" => Name::Min,
        "max" => Name::Max,
        "inc" => Name::Inc,
        "dec" => Name::Dec,
        "and" => Name::And,
        "or" => Name::Or,
        "xor" => Name::Xor,
        _ => return None,
    })
}

/// The operation of a reducing copy; `None` for one that does not exist.
fn reduction(words: &Words) -> Option<Reduction> {
    match (words.reduction.as_slice(), words.rank) {
        ([name], Some(_)) => named(name).map(Reduction::OfTensor),
        ([name, ty], None) => {
            let shared = words.spaces.first() == Some(&"shared::cluster");
            let legal = if shared { in_shared(name, ty) } else { in_global(name, ty) };
            let (kind, arith) = operation(name, ty).filter(|_| legal)?;
            let bytes = (width(ty)? / 8) as u32;
            Some(Reduction::Typed(Reduce { kind, arith, bytes }))
        }
        _ => None,
    }
}

/// What a reducing copy does with elements of a tensor; `None` where there is no such operation.
pub(crate) fn tensor_reduction(name: Name, element: TensorElement) -> Option<Reduce> {
    use TensorElement as E;
    let ty = match (name, element) {
        (Name::And | Name::Or | Name::Xor, E::U32 | E::S32) => "b32",
        (Name::And | Name::Or | Name::Xor, E::U64 | E::S64) => "b64",
        (_, E::U32) => "u32",
        (_, E::S32) => "s32",
        (_, E::U64) => "u64",
        (_, E::S64) => {
            if name == Name::Add {
                "u64"
            } else {
                "s64"
            }
        }
        (_, E::F16) => "f16",
        (_, E::Bf16) => "bf16",
        (_, E::F32 | E::F32Ftz | E::Tf32 | E::Tf32Ftz) => "f32",
        (_, E::F64) => "f64",
        (_, E::U8 | E::U16) => return None,
    };
    let word = match name {
        Name::Add => "add",
        Name::Min => "min",
        Name::Max => "max",
        Name::Inc => "inc",
        Name::Dec => "dec",
        Name::And => "and",
        Name::Or => "or",
        Name::Xor => "xor",
    };
    let (kind, arith) = operation(word, ty).filter(|_| in_global(word, ty))?;
    Some(Reduce { kind, arith, bytes: element.bytes() })
}

impl Builder<'_> {
    /// What stands behind `cp.async` or `cp.reduce`.
    pub(super) fn bulk(&mut self, o: &Operands, reduces: bool, rest: &[&str]) -> Found {
        let rest = match (reduces, rest) {
            (true, ["async", "bulk", rest @ ..]) | (false, ["bulk", rest @ ..]) => rest,
            _ => return Ok(None),
        };
        match rest {
            ["commit_group"] if !reduces => {
                o.count(0)?;
                return Ok(Some(Op::BulkCommit));
            }
            ["wait_group"] | ["wait_group", "read"] if !reduces => {
                o.count(1)?;
                return match o.get(0)? {
                    Ast::Const(Const::Int(n)) => {
                        Ok(u32::try_from(*n).ok().map(|n| Op::BulkWait(n, rest.len() > 1)))
                    }
                    _ => Err(o.wrong(0, "a number")),
                };
            }
            _ => {}
        }
        let Some(words) = words(rest) else { return Ok(None) };
        let reduction = if reduces {
            let Some(found) = reduction(&words) else { return Ok(None) };
            Some(found)
        } else if words.reduction.is_empty() {
            None
        } else {
            return Ok(None);
        };
        match (words.spaces.as_slice(), words.barrier, words.group, words.prefetch) {
            (["global"], false, false, true) if !reduces => self.bulk_prefetch(o, &words),
            (["shared::cluster" | "shared::cta", "global"], true, false, false) if !reduces => {
                self.bulk_load(o, &words).map(Some)
            }
            (["shared::cluster", "shared::cta"], true, false, false)
                if words.rank.is_none() && !words.multicast =>
            {
                self.bulk_to_shared(o, &words, reduction).map(Some)
            }
            (["global", "shared::cta"], false, true, false) if !words.multicast => {
                self.bulk_store(o, &words, reduction).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The place in global memory: an address, or a map with coordinates.
    fn far(&mut self, o: &Operands, index: usize, words: &Words) -> Result<Site, CodeError> {
        let Some(rank) = words.rank else { return Ok(Site::Global(self.address(o, index)?.0)) };
        let Ast::Bracket(parts) = o.get(index)? else {
            return Err(o.wrong(index, "a tensor map with coordinates"));
        };
        let [map, Ast::Vector(coordinates)] = parts.as_slice() else {
            return Err(o.wrong(index, "a tensor map with coordinates"));
        };
        let (base, offset) = match map {
            Ast::Address { base, offset } => (&**base, *offset),
            other => (other, 0),
        };
        let (addr, named) = self.address_of(base, offset, o, index)?;
        if coordinates.len() != rank {
            return Err(o.wrong(index, "a tensor map with as many coordinates as the instruction says"));
        }
        let mut rows = Vec::new();
        for part in coordinates {
            match self.value(part, o, index, Reg2::W)? {
                super::ir::Reg::W(row) => rows.push(row),
                _ => return Err(o.wrong(index, expected(Reg2::W))),
            }
        }
        Ok(Site::Tensor(named.unwrap_or(Window::Generic), addr, rows))
    }

    /// The operand for the size, where there is one.
    fn size(&mut self, o: &Operands, at: &mut usize, words: &Words) -> Result<Option<Row>, CodeError> {
        if words.rank.is_some() {
            return Ok(None);
        }
        *at += 1;
        self.word(o, *at - 1).map(Some)
    }

    /// The operands that may follow: ranks, and the cache hint.
    fn tail(&mut self, o: &Operands, mut at: usize, words: &Words) -> Result<Option<Row>, CodeError> {
        o.count(at + usize::from(words.multicast) + usize::from(words.hint))?;
        let mut ranks = None;
        if words.multicast {
            ranks = match self.value(o.get(at)?, o, at, Reg2::H)? {
                super::ir::Reg::H(row) | super::ir::Reg::W(row) => Some(row),
                _ => return Err(o.wrong(at, expected(Reg2::H))),
            };
            at += 1;
        }
        if words.hint {
            self.double(o, at)?;
        }
        Ok(ranks)
    }

    fn bulk_load(&mut self, o: &Operands, words: &Words) -> Result<Op, CodeError> {
        let to = Site::Shared(shared_window(words.spaces[0]), self.address(o, 0)?.0);
        let from = self.far(o, 1, words)?;
        let mut at = 2;
        let bytes = self.size(o, &mut at, words)?;
        let barrier = Some(self.address(o, at)?.0);
        let ranks = self.tail(o, at + 1, words)?;
        Ok(Op::Bulk(Box::new(Bulk { to, from, bytes, barrier, ranks, reduction: None })))
    }

    fn bulk_to_shared(
        &mut self,
        o: &Operands,
        words: &Words,
        reduction: Option<Reduction>,
    ) -> Result<Op, CodeError> {
        let to = Site::Shared(Window::Cluster, self.address(o, 0)?.0);
        let from = Site::Shared(Window::Shared, self.address(o, 1)?.0);
        let bytes = Some(self.word(o, 2)?);
        let barrier: Option<Addr> = Some(self.address(o, 3)?.0);
        self.tail(o, 4, words)?;
        Ok(Op::Bulk(Box::new(Bulk { to, from, bytes, barrier, ranks: None, reduction })))
    }

    fn bulk_store(
        &mut self,
        o: &Operands,
        words: &Words,
        reduction: Option<Reduction>,
    ) -> Result<Op, CodeError> {
        let to = self.far(o, 0, words)?;
        let from = Site::Shared(Window::Shared, self.address(o, 1)?.0);
        let mut at = 2;
        let bytes = self.size(o, &mut at, words)?;
        self.tail(o, at, words)?;
        Ok(Op::Bulk(Box::new(Bulk { to, from, bytes, barrier: None, ranks: None, reduction })))
    }

    fn bulk_prefetch(&mut self, o: &Operands, words: &Words) -> Found {
        self.far(o, 0, words)?;
        let mut at = 1;
        self.size(o, &mut at, words)?;
        self.tail(o, at, words)?;
        Ok(Some(Op::Nop))
    }
}

fn shared_window(name: &str) -> Window {
    if name == "shared::cta" { Window::Shared } else { Window::Cluster }
}
