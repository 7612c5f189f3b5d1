//! What names mean: scopes of registers, variables and labels, and where variables lie.

use std::collections::HashMap;
use std::sync::Arc;

use ptx_parse::ast::{Module, ScalarType, Variable};

use super::ir::{Reg, Row};
use super::kernel::{RowCounts, Special};
use crate::error::CodeError;
use crate::memory::{FIRST_OFFSET, Layout, Region, space};

/// Shared memory of a block, at most (sm_90).
pub(crate) const MAX_SHARED_BYTES: u64 = 227 << 10;
/// Local memory of a thread, at most (CUDA C++ Programming Guide, "Technical Specifications per Compute Capability").
pub(super) const MAX_LOCAL_BYTES: u64 = 512 << 10;
/// Bytes of a kernel's parameters, at most (PTX ISA, "Kernel Function Parameters").
pub(super) const MAX_PARAM_BYTES: u64 = 32_764;
/// Bytes between variables that belong to none, so that an access past the end of one is found.
const GUARD: u64 = 256;

/// Bytes from the address of one function to the next one's.
const CODE_STEP: u64 = 16;

/// What a name stands for.
#[derive(Clone, Copy, Debug)]
pub(super) enum Meaning {
    /// A register.
    Reg(Reg),
    /// An offset in shared memory.
    Shared(u64),
    /// An offset in local memory.
    Local(u64),
    /// A `.param` variable of a body: an offset in local memory, and its size.
    BodyParam(u64, u64),
    /// A parameter of the kernel: an offset.
    KernelParam(u64),
    /// An address in global memory.
    Global(u64),
}

/// Registers, variables and labels of one `{ … }`.
#[derive(Debug, Default)]
pub(super) struct Scope {
    /// The scope around it.
    pub parent: Option<usize>,
    /// Registers and variables.
    pub names: HashMap<String, Meaning>,
    /// Declarations with a count: `%r<14>` by `%r`.
    pub ranges: HashMap<String, (u64, ScalarType, Row)>,
    /// Labels: indices of instructions.
    pub labels: HashMap<String, u32>,
    /// `.branchtargets` and `.calltargets`.
    pub targets: HashMap<String, Vec<String>>,
}

/// The largest alignment of a variable in shared or local memory, in bytes.
const MAX_ALIGN: u64 = 1 << 15;
/// The largest offset that variables and the gaps between them may reach.
const MAX_OFFSET: u64 = 1 << 24;

/// Hands out places in an address space.
#[derive(Debug)]
pub(super) struct Places {
    /// What the memory is called, and the bytes of its variables, at most.
    memory: (&'static str, u64),
    next: u64,
    regions: Vec<Region>,
    /// Bytes as the driver counts them: without the gaps.
    pub packed_bytes: u64,
}

impl Places {
    /// Places for `limit` bytes behind the first `skip` ones of a memory.
    pub fn after(skip: u64, what: &'static str, limit: u64) -> Self {
        Self { memory: (what, limit), next: FIRST_OFFSET + skip, regions: Vec::new(), packed_bytes: 0 }
    }

    /// A place for a variable.
    pub fn take(&mut self, name: &str, bytes: u64, align: u64) -> Result<u64, CodeError> {
        let align = checked_align(name, align)?;
        let (what, limit) = self.memory;
        let too_large = |got, limit| CodeError::TooLarge { name: name.to_owned(), what, got, limit };
        let total = self.packed_bytes.next_multiple_of(align).saturating_add(bytes);
        if total > limit {
            return Err(too_large(total, limit));
        }
        // Aligned to no more than it asks for, so that a kernel which relies on more is found out; from 16 bytes on to a
        // row of the banks, as the first variable of a block is.
        let odd = if align >= 16 { align.max(128) } else { align };
        let start = self.next.next_multiple_of(2 * odd) + odd;
        self.packed_bytes = total;
        self.next = start + bytes + GUARD;
        if self.next > MAX_OFFSET {
            return Err(too_large(self.next, MAX_OFFSET));
        }
        self.regions.push(Region { start, end: start + bytes, name: Arc::from(name), align: align as u32 });
        Ok(start)
    }

    pub fn layout(self) -> Layout {
        Layout { regions: self.regions }
    }
}

/// An alignment that variables of shared and local memory can have.
pub(super) fn checked_align(name: &str, align: u64) -> Result<u64, CodeError> {
    if align > MAX_ALIGN {
        let (name, what) = (name.to_owned(), "alignment");
        return Err(CodeError::TooLarge { name, what, got: align, limit: MAX_ALIGN });
    }
    Ok(align.max(1))
}

/// Hands out rows of the register files.
#[derive(Debug, Default)]
pub(super) struct Rows {
    pub counts: RowCounts,
    pub consts: HashMap<(Reg2, u64), Reg>,
    pub specials: HashMap<Special, Reg>,
}

/// A register file with a width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Reg2 {
    P,
    H,
    W,
    D,
    Q,
}

impl Reg2 {
    /// The file for values of a type.
    pub fn of(ty: ScalarType) -> Self {
        match ty.size_bytes() {
            0 => Self::P,
            1 | 2 => Self::H,
            4 => Self::W,
            8 => Self::D,
            _ => Self::Q,
        }
    }

    /// The file for values of so many bytes.
    pub fn of_bytes(bytes: u64) -> Self {
        match bytes {
            1 | 2 => Self::H,
            4 => Self::W,
            8 => Self::D,
            _ => Self::Q,
        }
    }
}

impl Reg2 {
    /// Bytes of its registers; 0 for predicates.
    pub fn bytes(self) -> u64 {
        match self {
            Self::P => 0,
            Self::H => 2,
            Self::W => 4,
            Self::D => 8,
            Self::Q => 16,
        }
    }
}

/// The file of a register.
pub(super) fn file_of(reg: Reg) -> Reg2 {
    match reg {
        Reg::P(_) => Reg2::P,
        Reg::H(_) => Reg2::H,
        Reg::W(_) => Reg2::W,
        Reg::D(_) => Reg2::D,
        Reg::Q(_) => Reg2::Q,
    }
}

/// Bytes of a register; 0 for a predicate.
pub(super) fn bytes_of(reg: Reg) -> u64 {
    file_of(reg).bytes()
}

impl Rows {
    /// `count` new rows, the first of them.
    pub fn take(&mut self, file: Reg2, count: Row) -> Reg {
        let each = if file == Reg2::Q { 2 } else { 1 };
        let next = match file {
            Reg2::P => &mut self.counts.pred,
            Reg2::H | Reg2::W => &mut self.counts.word,
            Reg2::D | Reg2::Q => &mut self.counts.double,
        };
        let first = *next;
        *next += count * each;
        Self::at(file, first)
    }

    /// The register of a file at a row.
    pub fn at(file: Reg2, row: Row) -> Reg {
        match file {
            Reg2::P => Reg::P(row),
            Reg2::H => Reg::H(row),
            Reg2::W => Reg::W(row),
            Reg2::D => Reg::D(row),
            Reg2::Q => Reg::Q(row),
        }
    }

    /// A row that holds `value` in every lane.
    pub fn constant(&mut self, file: Reg2, value: u64) -> Reg {
        if let Some(reg) = self.consts.get(&(file, value)) {
            return *reg;
        }
        let reg = self.take(file, 1);
        self.consts.insert((file, value), reg);
        reg
    }

    /// A row that holds a special register.
    pub fn special(&mut self, special: Special) -> Reg {
        if let Some(reg) = self.specials.get(&special) {
            return *reg;
        }
        let file = match special {
            Special::Gridid => Reg2::D,
            Special::IsExplicitCluster => Reg2::P,
            _ => Reg2::W,
        };
        let reg = self.take(file, 1);
        self.specials.insert(special, reg);
        reg
    }
}

/// The row number of a register, in its file.
pub(super) fn row_of(reg: Reg) -> Row {
    match reg {
        Reg::P(row) | Reg::H(row) | Reg::W(row) | Reg::D(row) | Reg::Q(row) => row,
    }
}

/// Size and alignment of a variable whose extents are all given.
pub(super) fn extent(variable: &Variable) -> (u64, u64) {
    (variable.size_bytes().unwrap_or(0), variable.align_bytes())
}

/// The name that an alias stands for.
pub(super) fn resolved<'a>(module: &'a Module, name: &'a str) -> &'a str {
    module.aliases.iter().find(|(alias, _)| alias == name).map_or(name, |(_, aliasee)| aliasee.as_str())
}

/// The address of a function of a module, the same for all its kernels and in its variables.
pub(crate) fn code_address(module: &Module, name: &str) -> Option<u64> {
    let name = resolved(module, name);
    let index = module.functions.iter().position(|f| f.name == name)?;
    Some(space::CODE + CODE_STEP * index as u64)
}
