//! Operands: registers, numbers, addresses.

use ptx_parse::ast::{Const, Guard as AstGuard, Instruction, Operand as Ast};

use super::builder::Builder;
use super::ir::{Addr, Base, Guard, PredSrc, Reg, Row, Window};
use super::kernel::Special;
use super::names::{Meaning, Reg2, bytes_of, file_of};
use crate::error::CodeError;

/// The operand list of an instruction, with errors that name it.
pub(super) struct Operands<'a> {
    pub instruction: &'a Instruction,
    pub scope: usize,
}

impl<'a> Operands<'a> {
    pub fn new(instruction: &'a Instruction, scope: usize) -> Self {
        Self { instruction, scope }
    }

    /// Exactly so many operands.
    pub fn count(&self, want: usize) -> Result<(), CodeError> {
        let got = self.instruction.operands.len();
        if got == want { Ok(()) } else { Err(self.count_error(want)) }
    }

    pub fn count_error(&self, want: usize) -> CodeError {
        let (instruction, got) = (self.instruction.full_name(), self.instruction.operands.len());
        CodeError::OperandCount { instruction, got, want }
    }

    pub fn len(&self) -> usize {
        self.instruction.operands.len()
    }

    pub fn get(&self, index: usize) -> Result<&'a Ast, CodeError> {
        self.instruction.operands.get(index).ok_or_else(|| self.count_error(index + 1))
    }

    pub fn wrong(&self, index: usize, expected: &'static str) -> CodeError {
        CodeError::Operand { instruction: self.instruction.full_name(), index: index + 1, expected }
    }
}

/// The value of a number in a register file, as the type wants it.
pub(super) fn constant_bits(value: Const, file: Reg2) -> Option<u64> {
    let bits = match value {
        Const::Int(int) => int as u64,
        Const::F32(bits) if matches!(file, Reg2::W | Reg2::H) => u64::from(bits),
        Const::F32(bits) => f64::from(f32::from_bits(bits)).to_bits(),
        Const::F64(bits) if file == Reg2::D => bits,
        Const::F64(bits) => u64::from((f64::from_bits(bits) as f32).to_bits()),
        Const::Decimal(value) if file == Reg2::D => value.to_bits(),
        Const::Decimal(value) => u64::from((value as f32).to_bits()),
    };
    Some(match file {
        Reg2::P => bits & 1,
        Reg2::H => bits & 0xffff,
        Reg2::W => bits & 0xffff_ffff,
        Reg2::D => bits,
        Reg2::Q => return None,
    })
}

impl Builder<'_> {
    pub(super) fn guard(&mut self, guard: &AstGuard, scope: usize) -> Result<Guard, CodeError> {
        match self.meaning(&guard.register, scope) {
            Some(Meaning::Reg(Reg::P(row))) => Ok(Guard { row, negated: guard.negated }),
            _ => Err(CodeError::Undeclared(guard.register.clone())),
        }
    }

    /// Any register, by name; no constants.
    pub(super) fn register(&mut self, o: &Operands, index: usize) -> Result<Reg, CodeError> {
        match o.get(index)? {
            Ast::Name(name) => self.named_register(name, o, index),
            _ => Err(o.wrong(index, "a register")),
        }
    }

    fn named_register(&mut self, name: &str, o: &Operands, index: usize) -> Result<Reg, CodeError> {
        match self.meaning(name, o.scope) {
            Some(Meaning::Reg(reg)) => Ok(reg),
            Some(_) => Err(o.wrong(index, "a register")),
            None => Err(CodeError::Undeclared(name.to_owned())),
        }
    }

    /// A register or number to read, in the given file; `wider` registers are allowed where the caller says so.
    pub(super) fn source(&mut self, o: &Operands, index: usize, file: Reg2) -> Result<Reg, CodeError> {
        let reg = self.value(o.get(index)?, o, index, file)?;
        if file_of(reg) == file { Ok(reg) } else { Err(o.wrong(index, expected(file))) }
    }

    /// As [`source`](Self::source), from one part of an operand, any width that is not smaller.
    pub(super) fn value(
        &mut self,
        ast: &Ast,
        o: &Operands,
        index: usize,
        file: Reg2,
    ) -> Result<Reg, CodeError> {
        match ast {
            Ast::Const(value) => {
                let bits =
                    constant_bits(*value, file).ok_or_else(|| o.wrong(index, "a number of this width"))?;
                Ok(self.rows.constant(file, bits))
            }
            Ast::Name(name) if name == "WARP_SZ" => Ok(self.rows.constant(file, 32)),
            Ast::Name(name) => match self.meaning(name, o.scope) {
                Some(Meaning::Reg(reg)) => Ok(reg),
                Some(_) => self.address_constant(name, 0, o, file),
                None => self.special_or_function(name, None, o, file),
            },
            Ast::Component(name, part) => self.special_or_function(name, Some(part), o, file),
            Ast::Offset(name, offset) => self.address_constant(name, *offset, o, file),
            _ => Err(o.wrong(index, expected(file))),
        }
    }

    fn special_or_function(
        &mut self,
        name: &str,
        part: Option<&str>,
        o: &Operands,
        file: Reg2,
    ) -> Result<Reg, CodeError> {
        if let Some(special) = Special::from_name(name, part) {
            return Ok(self.rows.special(special));
        }
        if self.function_index(name).is_some()
            && let Some(address) = self.code_address(name)
        {
            return Ok(self.rows.constant(file, address));
        }
        let whole = part.map_or_else(|| name.to_owned(), |part| format!("{name}.{part}"));
        if name.starts_with('%') && self.meaning(name, o.scope).is_none() {
            return Err(CodeError::SpecialRegister(whole));
        }
        Err(CodeError::Undeclared(whole))
    }

    /// The address of a variable as a number.
    fn address_constant(
        &mut self,
        name: &str,
        offset: i64,
        o: &Operands,
        file: Reg2,
    ) -> Result<Reg, CodeError> {
        let base = match self.meaning(name, o.scope) {
            Some(Meaning::Shared(at) | Meaning::Local(at) | Meaning::BodyParam(at, _)) => at,
            Some(Meaning::KernelParam(at) | Meaning::Global(at)) => at,
            Some(Meaning::Reg(_)) | None => return Err(CodeError::Undeclared(name.to_owned())),
        };
        let bits = base.wrapping_add(offset as u64);
        Ok(self.rows.constant(file, if file == Reg2::D { bits } else { bits & 0xffff_ffff }))
    }

    /// A predicate, perhaps with `!`.
    pub(super) fn pred(&mut self, o: &Operands, index: usize) -> Result<PredSrc, CodeError> {
        self.pred_of(o.get(index)?, o, index)
    }

    pub(super) fn pred_of(&mut self, ast: &Ast, o: &Operands, index: usize) -> Result<PredSrc, CodeError> {
        let (ast, negated) = match ast {
            Ast::Not(inner) => (&**inner, true),
            other => (other, false),
        };
        match self.value(ast, o, index, Reg2::P)? {
            Reg::P(row) => Ok(PredSrc { row, negated }),
            _ => Err(o.wrong(index, expected(Reg2::P))),
        }
    }

    pub(super) fn pred_row(&mut self, o: &Operands, index: usize) -> Result<Row, CodeError> {
        match self.register(o, index)? {
            Reg::P(row) => Ok(row),
            _ => Err(o.wrong(index, expected(Reg2::P))),
        }
    }

    /// One or several registers or numbers: `a`, `{a, b}`.
    pub(super) fn values(&mut self, o: &Operands, index: usize, file: Reg2) -> Result<Vec<Reg>, CodeError> {
        match o.get(index)? {
            Ast::Vector(list) => list.iter().map(|part| self.value(part, o, index, file)).collect(),
            one => Ok(vec![self.value(one, o, index, file)?]),
        }
    }

    /// One or several registers to write.
    pub(super) fn destinations(&mut self, o: &Operands, index: usize) -> Result<Vec<Option<Reg>>, CodeError> {
        let list = match o.get(index)? {
            Ast::Vector(list) => list.iter().collect(),
            one => vec![one],
        };
        list.into_iter().map(|part| self.destination(part, o, index)).collect()
    }

    /// A register to write; `None` is `_`.
    pub(super) fn destination(
        &mut self,
        ast: &Ast,
        o: &Operands,
        index: usize,
    ) -> Result<Option<Reg>, CodeError> {
        match ast {
            Ast::Name(name) if name == "_" => Ok(None),
            Ast::Name(name) => self.named_register(name, o, index).map(Some),
            _ => Err(o.wrong(index, "a register or a list of registers")),
        }
    }

    /// An address, and the memory its variable lies in if it names one.
    pub(super) fn address(
        &mut self,
        o: &Operands,
        index: usize,
    ) -> Result<(Addr, Option<Window>), CodeError> {
        let Ast::Address { base, offset } = o.get(index)? else {
            return Err(o.wrong(index, "an address"));
        };
        self.address_of(base, *offset, o, index)
    }

    pub(super) fn address_of(
        &mut self,
        base: &Ast,
        offset: i64,
        o: &Operands,
        index: usize,
    ) -> Result<(Addr, Option<Window>), CodeError> {
        let fixed = |at: u64, window| {
            (Addr { base: Base::None, offset: (at as i64).wrapping_add(offset) }, Some(window))
        };
        match base {
            Ast::Const(Const::Int(at)) => {
                Ok((Addr { base: Base::None, offset: (*at as i64).wrapping_add(offset) }, None))
            }
            Ast::Name(name) => match self.meaning(name, o.scope) {
                Some(Meaning::Reg(Reg::W(row))) => Ok((Addr { base: Base::W(row), offset }, None)),
                Some(Meaning::Reg(Reg::D(row))) => Ok((Addr { base: Base::D(row), offset }, None)),
                Some(Meaning::Reg(_)) => Err(o.wrong(index, "an address of 32 or 64 bits")),
                Some(Meaning::Shared(at)) => Ok(fixed(at, Window::Shared)),
                Some(Meaning::Local(at) | Meaning::BodyParam(at, _)) => Ok(fixed(at, Window::Local)),
                Some(Meaning::KernelParam(at)) => Ok(fixed(at, Window::Param)),
                Some(Meaning::Global(at)) => Ok(fixed(at, Window::Global)),
                None => Err(CodeError::Undeclared(name.clone())),
            },
            _ => Err(o.wrong(index, "an address")),
        }
    }

    /// A row of 32 bits, whatever file of 32 bits or less.
    pub(super) fn word(&mut self, o: &Operands, index: usize) -> Result<Row, CodeError> {
        match self.source(o, index, Reg2::W)? {
            Reg::W(row) => Ok(row),
            _ => Err(o.wrong(index, expected(Reg2::W))),
        }
    }

    pub(super) fn double(&mut self, o: &Operands, index: usize) -> Result<Row, CodeError> {
        match self.source(o, index, Reg2::D)? {
            Reg::D(row) => Ok(row),
            _ => Err(o.wrong(index, expected(Reg2::D))),
        }
    }

    pub(super) fn word_to(&mut self, o: &Operands, index: usize) -> Result<Row, CodeError> {
        match self.register(o, index)? {
            Reg::W(row) => Ok(row),
            _ => Err(o.wrong(index, expected(Reg2::W))),
        }
    }

    pub(super) fn double_to(&mut self, o: &Operands, index: usize) -> Result<Row, CodeError> {
        match self.register(o, index)? {
            Reg::D(row) => Ok(row),
            _ => Err(o.wrong(index, expected(Reg2::D))),
        }
    }
}

/// What is expected of an operand in a file.
pub(super) fn expected(file: Reg2) -> &'static str {
    match file {
        Reg2::P => "a predicate",
        Reg2::H => "a register or number of 16 bits",
        Reg2::W => "a register or number of 32 bits",
        Reg2::D => "a register or number of 64 bits",
        Reg2::Q => "a register of 128 bits",
    }
}

/// Whether `reg` has at least so many bytes.
pub(super) fn at_least(reg: Reg, bytes: u64) -> bool {
    bytes_of(reg) >= bytes
}
