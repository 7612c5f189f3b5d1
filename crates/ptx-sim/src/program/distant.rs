//! Addresses in a cluster, and what concerns whole warpgroups and launches.

use ptx_parse::ast::{Const, Operand as Ast};

use super::alu::width;
use super::atomics::operation;
use super::builder::Builder;
use super::ir::{Op, Reduce, Reg, StAsync};
use super::names::{Reg2, bytes_of, file_of};
use super::operands::{Operands, expected};
use crate::error::CodeError;

type Found = Result<Option<Op>, CodeError>;

/// The registers that `setmaxnreg` can ask for.
const REGISTERS: std::ops::RangeInclusive<u64> = 24..=256;

impl Builder<'_> {
    pub(super) fn distant(&mut self, o: &Operands, modifiers: &[&str]) -> Found {
        match (o.instruction.opcode.as_str(), modifiers) {
            ("mapa", [ty @ ("u32" | "u64")]) => self.mapa(o, true, ty),
            ("mapa", ["shared::cluster", ty @ ("u32" | "u64")]) => self.mapa(o, false, ty),
            ("getctarank", [ty @ ("u32" | "u64")]) => self.ctarank(o, true, ty),
            ("getctarank", ["shared::cluster", ty @ ("u32" | "u64")]) => self.ctarank(o, false, ty),
            ("setmaxnreg", ["inc" | "dec", "sync", "aligned", "u32"]) => {
                o.count(1)?;
                match o.get(0)? {
                    Ast::Const(Const::Int(n)) if REGISTERS.contains(&(*n as u64)) && n % 8 == 0 => {
                        Ok(Some(Op::SetMaxNReg))
                    }
                    _ => Err(o.wrong(0, "a multiple of 8 from 24 to 256")),
                }
            }
            ("griddepcontrol", ["launch_dependents" | "wait"]) => {
                o.count(0)?;
                Ok(Some(Op::Nop))
            }
            ("fence", ["mbarrier_init", "release", "cluster"]) => {
                o.count(0)?;
                Ok(Some(Op::Fence(crate::memory::Scope::Cluster)))
            }
            _ => Ok(None),
        }
    }

    fn mapa(&mut self, o: &Operands, generic: bool, ty: &str) -> Found {
        o.count(3)?;
        let file = if ty == "u64" { Reg2::D } else { Reg2::W };
        let d = self.register(o, 0)?;
        if file_of(d) != file {
            return Err(o.wrong(0, expected(file)));
        }
        let (a, rank) = (self.source(o, 1, file)?, self.word(o, 2)?);
        Ok(Some(Op::Mapa(generic, d, a, rank)))
    }

    fn ctarank(&mut self, o: &Operands, generic: bool, ty: &str) -> Found {
        o.count(2)?;
        let file = if ty == "u64" { Reg2::D } else { Reg2::W };
        Ok(Some(Op::CtaRank(generic, self.word_to(o, 0)?, self.source(o, 1, file)?)))
    }

    /// `st.async{.weak}{.shared::cluster}.mbarrier::complete_tx::bytes{.vec}.type [a], b, [bar]`, `red.async` with the
    /// operation before the type.
    pub(super) fn st_async(&mut self, o: &Operands, rest: &[&str]) -> Found {
        let reduces = o.instruction.opcode == "red";
        let Some((ty, rest)) = rest.split_last() else { return Ok(None) };
        let (mut lanes, mut told, mut name) = (1, false, None);
        for word in rest {
            match *word {
                "weak" if !reduces => {}
                "relaxed" | "cluster" if reduces => {}
                "shared::cluster" => {}
                "mbarrier::complete_tx::bytes" => told = true,
                "v2" if !reduces => lanes = 2,
                "v4" if !reduces => lanes = 4,
                word if reduces && name.is_none() => name = Some(word),
                _ => return Ok(None),
            }
        }
        let Some(bits @ (32 | 64)) = width(ty) else { return Ok(None) };
        let bytes = (bits / 8) as u32;
        let legal = match (reduces, name) {
            (false, None) => true,
            (true, Some(name)) => in_shared(name, ty),
            _ => false,
        };
        if !told || !legal {
            return Ok(None);
        }
        o.count(3)?;
        let reduce = name.and_then(|name| operation(name, ty));
        let reduce = reduce.map(|(kind, arith)| Reduce { kind, arith, bytes });
        let ((to, _), (barrier, _)) = (self.address(o, 0)?, self.address(o, 2)?);
        let values: Vec<Reg> = self.values(o, 1, Reg2::of_bytes(bits / 8))?;
        if values.len() != lanes || values.iter().any(|reg| bytes_of(*reg) != u64::from(bytes)) {
            return Err(o.wrong(1, "a register of the type, or a list of so many"));
        }
        Ok(Some(Op::StAsync(Box::new(StAsync { to, barrier, bytes, values, reduce }))))
    }
}

/// The operations on shared memory that reducing copies have, with their types.
pub(super) fn in_shared(name: &str, ty: &str) -> bool {
    match name {
        "inc" | "dec" => ty == "u32",
        "min" | "max" => matches!(ty, "u32" | "s32"),
        "add" => matches!(ty, "u32" | "s32" | "u64"),
        "and" | "or" | "xor" => ty == "b32",
        _ => false,
    }
}
