//! Arithmetic, moves and comparisons.

use ptx_parse::ast::{Instruction, Operand as Ast};

use super::builder::Builder;
use super::ir::{Bin, Carry, Clock, Cmp, CmpTo, Lop3, Op, Operand, PredSrc, Reg, Widen};
use super::kernel::Special;
use super::names::{Reg2, file_of};
use super::operands::{Operands, at_least, expected};
use crate::arith::compare::{self, Combine};
use crate::arith::{self, Arith, Class, bits};
use crate::error::CodeError;

type Found = Result<Option<Op>, CodeError>;

impl Builder<'_> {
    /// The instructions with code of their own, because they are frequent.
    pub(super) fn fast_alu(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        let modifiers: Vec<&str> = instruction.modifiers.iter().map(String::as_str).collect();
        match (instruction.opcode.as_str(), modifiers.as_slice()) {
            ("mov", ["v4", "u32" | "b32" | "s32"]) => self.mov_vector(&o).map(Some),
            ("mov", [ty]) => self.mov(&o, ty).map(Some),
            ("setp", _) => self.setp(&o).map(Some),
            ("selp", [ty]) if matches!(*ty, "b32" | "u32" | "s32" | "f32") => {
                o.count(4)?;
                let (d, a, b) = (self.word_to(&o, 0)?, self.word(&o, 1)?, self.word(&o, 2)?);
                Ok(Some(Op::Sel32(d, a, b, self.pred(&o, 3)?)))
            }
            ("selp", [ty]) if matches!(*ty, "b64" | "u64" | "s64" | "f64") => {
                o.count(4)?;
                let (d, a, b) = (self.double_to(&o, 0)?, self.double(&o, 1)?, self.double(&o, 2)?);
                Ok(Some(Op::Sel64(d, a, b, self.pred(&o, 3)?)))
            }
            ("and" | "or" | "xor" | "not", ["pred"]) => self.pred_logic(&o).map(Some),
            ("mul", ["wide", ty @ ("u32" | "s32")]) => {
                o.count(3)?;
                let (d, a, b) = (self.double_to(&o, 0)?, self.word(&o, 1)?, self.word(&o, 2)?);
                Ok(Some(Op::MulWide(*ty == "s32", d, a, b)))
            }
            ("mad", ["wide", ty @ ("u32" | "s32")]) => {
                o.count(4)?;
                let (d, a, b) = (self.double_to(&o, 0)?, self.word(&o, 1)?, self.word(&o, 2)?);
                Ok(Some(Op::MadWide(*ty == "s32", d, a, b, self.double(&o, 3)?)))
            }
            ("mad", ["lo", "u32" | "s32"]) => {
                o.count(4)?;
                let (d, a, b) = (self.word_to(&o, 0)?, self.word(&o, 1)?, self.word(&o, 2)?);
                Ok(Some(Op::Mad32(d, a, b, self.word(&o, 3)?)))
            }
            ("mad", ["lo", "u64" | "s64"]) => {
                o.count(4)?;
                let (d, a, b) = (self.double_to(&o, 0)?, self.double(&o, 1)?, self.double(&o, 2)?);
                Ok(Some(Op::Mad64(d, a, b, self.double(&o, 3)?)))
            }
            ("fma", ["rn", "f32"]) => {
                o.count(4)?;
                let (d, a, b) = (self.word_to(&o, 0)?, self.word(&o, 1)?, self.word(&o, 2)?);
                Ok(Some(Op::Fma32(d, a, b, self.word(&o, 3)?)))
            }
            ("lop3", ["and" | "or", _]) => self.lop3(&o),
            ("cvt", [to, from]) => self.widen(&o, to, from),
            (opcode, modifiers) => self.binary(&o, opcode, modifiers),
        }
    }

    fn binary(&mut self, o: &Operands, opcode: &str, modifiers: &[&str]) -> Found {
        let Some((bin, wide)) = binary_of(opcode, modifiers) else { return Ok(None) };
        o.count(3)?;
        if !wide {
            let (d, a, b) = (self.word_to(o, 0)?, self.word(o, 1)?, self.word(o, 2)?);
            return Ok(Some(Op::Bin32(bin, d, a, b)));
        }
        let (d, a) = (self.double_to(o, 0)?, self.double(o, 1)?);
        if matches!(bin, Bin::Shl | Bin::ShrU | Bin::ShrS) {
            return Ok(Some(Op::Shift64(bin, d, a, self.word(o, 2)?)));
        }
        Ok(Some(Op::Bin64(bin, d, a, self.double(o, 2)?)))
    }

    fn widen(&mut self, o: &Operands, to: &str, from: &str) -> Found {
        let is = |name: &str, bits: &str| name.strip_prefix(['u', 's']) == Some(bits);
        if !(is(to, "64") || is(to, "32")) || o.len() != 2 {
            return Ok(None);
        }
        let file = if is(to, "64") { Reg2::D } else { Reg2::W };
        let (dst, src) = (self.register(o, 0)?, self.value(o.get(1)?, o, 1, Reg2::W)?);
        if file_of(dst) != file {
            return Ok(None);
        }
        Ok(match (dst, src) {
            (Reg::D(d), Reg::W(a)) if from == "u32" => Some(Op::Widen(Widen::Zero, d, a)),
            (Reg::D(d), Reg::W(a)) if from == "s32" => Some(Op::Widen(Widen::Sign, d, a)),
            (Reg::D(d), Reg::H(a)) if from == "u16" => Some(Op::Widen(Widen::Zero16, d, a)),
            (Reg::W(d), Reg::D(a)) if is(from, "64") => Some(Op::Narrow(d, a)),
            (Reg::W(d), Reg::H(a)) if from == "u16" => Some(Op::Mov32(d, a)),
            _ => None,
        })
    }

    fn mov(&mut self, o: &Operands, ty: &str) -> Result<Op, CodeError> {
        o.count(2)?;
        if let Ast::Vector(_) = o.get(0)? {
            return self.unpack(o, ty);
        }
        let dst = self.register(o, 0)?;
        if let Ast::Vector(parts) = o.get(1)? {
            let (whole, part) = part_files(o, ty, parts.len())?;
            let parts = self.values(o, 1, part)?;
            if file_of(dst) != whole {
                return Err(o.wrong(0, expected(whole)));
            }
            if !parts.iter().all(|reg| file_of(*reg) == part) {
                return Err(o.wrong(1, expected(part)));
            }
            return Ok(Op::Pack(dst, parts));
        }
        if let Ast::Name(name) = o.get(1)?
            && let Some(clock) = clock_of(name)
        {
            return Ok(Op::Clock(clock, dst));
        }
        let file = file_of(dst);
        if ty == "pred" {
            let src = self.pred(o, 1)?;
            return match dst {
                Reg::P(row) => Ok(Op::MovP(row, src)),
                _ => Err(o.wrong(0, expected(Reg2::P))),
            };
        }
        let src = self.value(o.get(1)?, o, 1, file)?;
        match (dst, src) {
            (Reg::H(d), Reg::H(a)) | (Reg::W(d), Reg::W(a)) => Ok(Op::Mov32(d, a)),
            (Reg::D(d), Reg::D(a)) => Ok(Op::Mov64(d, a)),
            (Reg::Q(d), Reg::Q(a)) => Ok(Op::Mov128(d, a)),
            // Special registers of 32 bits may be read into 64.
            (Reg::D(d), Reg::W(a)) => Ok(Op::Widen(Widen::Zero, d, a)),
            (Reg::H(_), Reg::W(_)) if ty.ends_with("16") => Ok(Op::Unpack(vec![Some(dst), None], src)),
            _ => Err(o.wrong(1, expected(file))),
        }
    }

    /// `mov.v4.u32 {…}, %tid`: all components of a special register.
    fn mov_vector(&mut self, o: &Operands) -> Result<Op, CodeError> {
        o.count(2)?;
        let Ast::Name(name) = o.get(1)? else { return Err(o.wrong(1, "a special register")) };
        let mut moves = Vec::new();
        for (part, to) in ["x", "y", "z", "w"].into_iter().zip(self.destinations(o, 0)?) {
            let special = Special::from_name(name, Some(part));
            let from = match special {
                Some(special) => self.rows.special(special),
                // The fourth component is 0.
                None if part == "w" => self.rows.constant(Reg2::W, 0),
                None => return Err(CodeError::SpecialRegister(name.clone())),
            };
            match (to, from) {
                (None, _) => {}
                (Some(Reg::W(d)), Reg::W(a)) => moves.push((d, a)),
                _ => return Err(o.wrong(0, expected(Reg2::W))),
            }
        }
        Ok(Op::MovMany(moves))
    }

    fn unpack(&mut self, o: &Operands, ty: &str) -> Result<Op, CodeError> {
        let parts = self.destinations(o, 0)?;
        let (whole, part) = part_files(o, ty, parts.len())?;
        let src = self.source(o, 1, whole)?;
        if !parts.iter().flatten().all(|reg| file_of(*reg) == part) {
            return Err(o.wrong(0, expected(part)));
        }
        Ok(Op::Unpack(parts, src))
    }

    fn pred_logic(&mut self, o: &Operands) -> Result<Op, CodeError> {
        let d = self.pred_row(o, 0)?;
        let a = self.pred(o, 1)?;
        let logic = match o.instruction.opcode.as_str() {
            "and" => Combine::And,
            "or" => Combine::Or,
            "xor" => Combine::Xor,
            _ => {
                o.count(2)?;
                return Ok(Op::MovP(d, PredSrc { negated: !a.negated, ..a }));
            }
        };
        o.count(3)?;
        Ok(Op::LogicP(logic, d, a, self.pred(o, 2)?))
    }

    fn setp(&mut self, o: &Operands) -> Result<Op, CodeError> {
        let instruction = o.instruction;
        let unknown = || CodeError::Instruction(instruction.full_name());
        let (p, q) = match o.get(0)? {
            Ast::Pair(p, q) => (self.pred_destination(p, o)?, self.pred_destination(q, o)?),
            one => (self.pred_destination(one, o)?, None),
        };
        if let Some(pair) = compare::comparison_x2(instruction) {
            let (a, b) = (self.source(o, 1, Reg2::W)?, self.source(o, 2, Reg2::W)?);
            let combine = self.combine(o, pair.combine)?;
            return Ok(Op::CmpX2(pair.holds, CmpTo { p, q, combine }, a, b));
        }
        let found = compare::comparison(instruction).ok_or_else(unknown)?;
        let to = CmpTo { p, q, combine: self.combine(o, found.combine)? };
        let file = file_for(found.class);
        let (a, b) = (self.source(o, 1, file)?, self.source(o, 2, file)?);
        match (integer_comparison(instruction), a, b) {
            (Some(cmp), Reg::W(a), Reg::W(b)) => Ok(Op::Cmp32(cmp, to, a, b)),
            (Some(cmp), Reg::D(a), Reg::D(b)) => Ok(Op::Cmp64(cmp, to, a, b)),
            _ => Ok(Op::CmpFun(found.holds, to, a, b)),
        }
    }

    fn lop3(&mut self, o: &Operands) -> Found {
        let (Ast::Pair(d, p), Some(combine)) = (o.get(0)?, bits::lop3_combine(o.instruction)) else {
            return Ok(None);
        };
        o.count(6)?;
        let from = [self.word(o, 1)?, self.word(o, 2)?, self.word(o, 3)?, self.word(o, 4)?];
        let combine = Some((combine, self.pred(o, 5)?));
        let to = CmpTo { p: self.pred_destination(p, o)?, q: None, combine };
        let d = match self.destination(d, o, 0)? {
            None => None,
            Some(Reg::W(row)) => Some(row),
            Some(_) => return Err(o.wrong(0, expected(Reg2::W))),
        };
        Ok(Some(Op::Lop3(Box::new(Lop3 { d, to, from }))))
    }

    fn combine(
        &mut self,
        o: &Operands,
        combine: Option<Combine>,
    ) -> Result<Option<(Combine, PredSrc)>, CodeError> {
        let Some(combine) = combine else {
            o.count(3)?;
            return Ok(None);
        };
        o.count(4)?;
        Ok(Some((combine, self.pred(o, 3)?)))
    }

    fn pred_destination(&mut self, ast: &Ast, o: &Operands) -> Result<Option<u32>, CodeError> {
        match self.destination(ast, o, 0)? {
            None => Ok(None),
            Some(Reg::P(row)) => Ok(Some(row)),
            Some(_) => Err(o.wrong(0, expected(Reg2::P))),
        }
    }

    /// Everything that `arith` knows, and carries.
    pub(super) fn any_alu(&mut self, instruction: &Instruction, scope: usize) -> Found {
        let o = Operands::new(instruction, scope);
        if let Some(carry) = self.carry(&o)? {
            return Ok(Some(carry));
        }
        let Some(arith) = arith::find(instruction) else { return Ok(None) };
        o.count(1 + arith.src.len())?;
        let dst = self.register(&o, 0)?;
        let wide_ok =
            matches!(instruction.opcode.as_str(), "cvt" | "set" | "szext" | "clz" | "popc" | "bfind");
        let fits = if wide_ok {
            at_least(dst, file_for(arith.dst).bytes()) || arith.dst == Class::Pred
        } else {
            file_of(dst) == file_for(arith.dst)
        };
        if !fits {
            return Err(o.wrong(0, expected(file_for(arith.dst))));
        }
        let mut src = Vec::with_capacity(arith.src.len());
        for (index, class) in arith.src.iter().enumerate() {
            src.push(self.scalar_operand(&o, index + 1, *class)?);
        }
        let scalar = Box::new((arith, dst, src));
        Ok(Some(if arith.divides { Op::Divide(scalar) } else { Op::Scalar(scalar) }))
    }

    pub(super) fn scalar_operand(
        &mut self,
        o: &Operands,
        index: usize,
        class: Class,
    ) -> Result<Operand, CodeError> {
        if class == Class::Pred {
            return self.pred(o, index).map(Operand::Pred);
        }
        let file = file_for(class);
        let reg = self.value(o.get(index)?, o, index, file)?;
        let wide_ok = o.instruction.opcode == "cvt";
        if file_of(reg) == file || wide_ok && at_least(reg, file.bytes()) {
            Ok(Operand::Reg(reg))
        } else {
            Err(o.wrong(index, expected(file)))
        }
    }

    fn carry(&mut self, o: &Operands) -> Found {
        let (opcode, modifiers) = (o.instruction.opcode.as_str(), &o.instruction.modifiers);
        let writes = o.instruction.has("cc");
        let reads = matches!(opcode, "addc" | "subc" | "madc");
        if !writes && !reads {
            return Ok(None);
        }
        let Some(file) = modifiers.last().and_then(|ty| width(ty)).map(|bits| Reg2::of_bytes(bits / 8))
        else {
            return Ok(None);
        };
        let is_mad = opcode.starts_with("mad");
        o.count(if is_mad { 4 } else { 3 })?;
        let d = self.register(o, 0)?;
        let (a, b) = (self.source(o, 1, file)?, self.source(o, 2, file)?);
        let mad = if is_mad {
            let mut product = o.instruction.clone();
            product.opcode = "mul".to_owned();
            product.modifiers.retain(|m| m != "cc");
            product.operands.pop();
            match arith::find(&product) {
                Some(arith) => Some((arith, self.source(o, 3, file)?)),
                None => return Ok(None),
            }
        } else {
            None
        };
        if file_of(d) != file || !matches!(file, Reg2::W | Reg2::D) {
            return Err(o.wrong(0, expected(file)));
        }
        let sub = opcode.starts_with("sub");
        Ok(Some(Op::Carry(Box::new(Carry { d, a, b, mad, sub, reads, writes }))))
    }
}

/// The register files of a whole and of its `count` parts (PTX ISA, `mov`: parts of 8 bits lie in registers of 16).
fn part_files(o: &Operands, ty: &str, count: usize) -> Result<(Reg2, Reg2), CodeError> {
    let bits = width(ty).filter(|bits| *bits >= 16 && matches!(count, 2 | 4 | 8));
    let part = bits.map(|bits| bits / count as u64).filter(|bits| *bits >= 8);
    match (bits, part) {
        (Some(bits), Some(part)) => Ok((Reg2::of_bytes(bits / 8), Reg2::of_bytes(part / 8))),
        _ => Err(CodeError::Instruction(o.instruction.full_name())),
    }
}

/// The fast form of a two-operand instruction, and whether it has 64 bits.
fn binary_of(opcode: &str, modifiers: &[&str]) -> Option<(Bin, bool)> {
    let (bin, ty) = match (opcode, modifiers) {
        ("add", ["u32" | "s32" | "u64" | "s64"]) => (Bin::Add, modifiers[0]),
        ("sub", ["u32" | "s32" | "u64" | "s64"]) => (Bin::Sub, modifiers[0]),
        ("mul", ["lo", ty @ ("u32" | "s32" | "u64" | "s64")]) => (Bin::MulLo, *ty),
        ("and", ["b32" | "b64"]) => (Bin::And, modifiers[0]),
        ("or", ["b32" | "b64"]) => (Bin::Or, modifiers[0]),
        ("xor", ["b32" | "b64"]) => (Bin::Xor, modifiers[0]),
        ("shl", ["b32" | "b64"]) => (Bin::Shl, modifiers[0]),
        ("shr", ["u32" | "u64" | "b32" | "b64"]) => (Bin::ShrU, modifiers[0]),
        ("shr", ["s32" | "s64"]) => (Bin::ShrS, modifiers[0]),
        ("min", ["u32" | "u64"]) => (Bin::MinU, modifiers[0]),
        ("min", ["s32" | "s64"]) => (Bin::MinS, modifiers[0]),
        ("max", ["u32" | "u64"]) => (Bin::MaxU, modifiers[0]),
        ("max", ["s32" | "s64"]) => (Bin::MaxS, modifiers[0]),
        ("add", ["f32"] | ["rn", "f32"]) => (Bin::FAdd, "f32"),
        ("sub", ["f32"] | ["rn", "f32"]) => (Bin::FSub, "f32"),
        ("mul", ["f32"] | ["rn", "f32"]) => (Bin::FMul, "f32"),
        _ => return None,
    };
    Some((bin, ty.ends_with("64")))
}

/// The fast form of an integer comparison.
fn integer_comparison(instruction: &Instruction) -> Option<Cmp> {
    let ty = instruction.modifiers.last()?;
    let signed = match ty.as_bytes() {
        [b's', ..] => true,
        [b'u' | b'b', ..] => false,
        _ => return None,
    };
    Some(match (instruction.modifiers.first()?.as_str(), signed) {
        ("eq", _) => Cmp::Eq,
        ("ne", _) => Cmp::Ne,
        ("lo", _) | ("lt", false) => Cmp::LtU,
        ("ls", _) | ("le", false) => Cmp::LeU,
        ("hi", _) | ("gt", false) => Cmp::GtU,
        ("hs", _) | ("ge", false) => Cmp::GeU,
        ("lt", true) => Cmp::LtS,
        ("le", true) => Cmp::LeS,
        ("gt", true) => Cmp::GtS,
        ("ge", true) => Cmp::GeS,
        _ => return None,
    })
}

/// The register file of a class.
pub(super) fn file_for(class: Class) -> Reg2 {
    match class {
        Class::Pred => Reg2::P,
        Class::B16 => Reg2::H,
        Class::B32 => Reg2::W,
        Class::B64 => Reg2::D,
    }
}

/// Bits of a type, by its name.
pub(super) fn width(ty: &str) -> Option<u64> {
    ptx_parse::ast::ScalarType::from_name(ty).map(|ty| 8 * ty.size_bytes())
}

fn clock_of(name: &str) -> Option<Clock> {
    Some(match name {
        "%clock" => Clock::Low,
        "%clock_hi" => Clock::High,
        "%clock64" => Clock::Full,
        "%globaltimer" => Clock::GlobalTimer,
        "%globaltimer_lo" => Clock::GlobalTimerLow,
        "%globaltimer_hi" => Clock::GlobalTimerHigh,
        _ => return None,
    })
}

/// A function of two operands by the name of its instruction: `arith_named("add.u32")`.
pub(super) fn arith_named(name: &str) -> Option<Arith> {
    let mut words = name.split('.').map(str::to_owned);
    let opcode = words.next()?;
    arith::find(&Instruction {
        guard: None,
        opcode,
        modifiers: words.collect(),
        operands: vec![Ast::Name("_".to_owned()); 3],
        pos: ptx_parse::ast::Pos::default(),
    })
}
