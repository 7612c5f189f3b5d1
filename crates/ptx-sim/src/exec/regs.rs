//! The registers of a warp, and which of their bits are undefined.

use std::collections::HashMap;

pub(crate) use crate::memory::lanes;
use crate::program::Kernel;
use crate::program::ir::{PredSrc, Reg, Row};

/// One value of 32 bits per lane.
pub(crate) type Lanes32 = [u32; 32];
/// One value of 64 bits per lane.
pub(crate) type Lanes64 = [u64; 32];

/// The bit of each lane.
pub(crate) const BIT: Lanes32 = {
    let mut bits = [0; 32];
    let mut lane = 0;
    while lane < 32 {
        bits[lane] = 1 << lane;
        lane += 1;
    }
    bits
};

/// Register files of a warp. A lane of a register whose bit is set in `undefined` has undefined bits: those that `partial`
/// tells, or all.
#[derive(Debug, Default)]
pub(crate) struct Regs {
    pub p: Vec<u32>,
    pub w: Vec<Lanes32>,
    pub d: Vec<Lanes64>,
    pub undefined_p: Vec<u32>,
    pub undefined_w: Vec<u32>,
    pub undefined_d: Vec<u32>,
    /// Undefined bits of registers that have some and are not wholly undefined in each such lane.
    partial: HashMap<(bool, Row), Box<Lanes64>>,
}

/// `value` where `mask` has the lane, the old one elsewhere.
#[inline]
pub(crate) fn put32(to: &mut Lanes32, value: &Lanes32, mask: u32) {
    if mask == u32::MAX {
        *to = *value;
        return;
    }
    for lane in 0..32 {
        let keep = if mask & BIT[lane] == 0 { u32::MAX } else { 0 };
        to[lane] = to[lane] & keep | value[lane] & !keep;
    }
}

/// As [`put32`].
#[inline]
pub(crate) fn put64(to: &mut Lanes64, value: &Lanes64, mask: u32) {
    if mask == u32::MAX {
        *to = *value;
        return;
    }
    for lane in 0..32 {
        if mask & BIT[lane] != 0 {
            to[lane] = value[lane];
        }
    }
}

impl Regs {
    /// Files for a kernel, its constants in place.
    pub fn new(kernel: &Kernel) -> Self {
        let counts = kernel.rows;
        let (p, w, d) = (counts.pred as usize, counts.word as usize, counts.double as usize);
        let mut regs = Self {
            p: vec![0; p],
            w: vec![[0; 32]; w],
            d: vec![[0; 32]; d],
            undefined_p: vec![u32::MAX; p],
            undefined_w: vec![u32::MAX; w],
            undefined_d: vec![u32::MAX; d],
            partial: HashMap::new(),
        };
        regs.set_constants(kernel);
        regs
    }

    /// All registers undefined again, constants in place.
    pub fn reset(&mut self, kernel: &Kernel) {
        self.undefined_p.fill(u32::MAX);
        self.undefined_w.fill(u32::MAX);
        self.undefined_d.fill(u32::MAX);
        self.partial.clear();
        for (reg, _) in &kernel.consts {
            self.define(*reg, u32::MAX);
        }
        self.define(Reg::P(0), u32::MAX);
    }

    fn set_constants(&mut self, kernel: &Kernel) {
        for (reg, value) in &kernel.consts {
            self.fill(*reg, *value);
        }
        // Row 0 of the predicates is the carry flag.
        self.fill(Reg::P(0), 0);
    }

    /// The same value in all lanes.
    pub fn fill(&mut self, reg: Reg, value: u64) {
        match reg {
            Reg::P(row) => self.p[row as usize] = if value & 1 == 1 { u32::MAX } else { 0 },
            Reg::H(row) | Reg::W(row) => self.w[row as usize] = [value as u32; 32],
            Reg::D(row) | Reg::Q(row) => self.d[row as usize] = [value; 32],
        }
        self.define(reg, u32::MAX);
    }

    /// The lanes of `mask` are wholly defined.
    #[inline]
    pub fn define(&mut self, reg: Reg, mask: u32) {
        match reg {
            Reg::P(row) => self.undefined_p[row as usize] &= !mask,
            Reg::H(row) | Reg::W(row) => self.undefined_w[row as usize] &= !mask,
            Reg::D(row) => self.undefined_d[row as usize] &= !mask,
            Reg::Q(row) => {
                self.undefined_d[row as usize] &= !mask;
                self.undefined_d[row as usize + 1] &= !mask;
            }
        }
    }

    /// Lanes with an undefined bit.
    #[inline]
    pub fn undefined(&self, reg: Reg) -> u32 {
        match reg {
            Reg::P(row) => self.undefined_p[row as usize],
            Reg::H(row) | Reg::W(row) => self.undefined_w[row as usize],
            Reg::D(row) => self.undefined_d[row as usize],
            Reg::Q(row) => self.undefined_d[row as usize] | self.undefined_d[row as usize + 1],
        }
    }

    fn partial_key(reg: Reg) -> Option<(bool, Row)> {
        match reg {
            Reg::P(_) => None,
            Reg::H(row) | Reg::W(row) => Some((false, row)),
            Reg::D(row) | Reg::Q(row) => Some((true, row)),
        }
    }

    /// The undefined bits of a lane (of the low 64 bits of a 128-bit register).
    pub fn shadow(&self, reg: Reg, lane: usize) -> u64 {
        if self.undefined(reg) & BIT[lane] == 0 {
            return 0;
        }
        let bits =
            Self::partial_key(reg).and_then(|key| self.partial.get(&key)).map_or(u64::MAX, |b| b[lane]);
        bits & width_mask(reg)
    }

    /// Says which bits of a lane are undefined.
    pub fn set_shadow(&mut self, reg: Reg, lane: usize, bits: u64) {
        let bits = bits & width_mask(reg);
        if bits == 0 {
            self.define(reg, BIT[lane]);
            return;
        }
        match reg {
            Reg::P(row) => self.undefined_p[row as usize] |= BIT[lane],
            Reg::H(row) | Reg::W(row) => self.undefined_w[row as usize] |= BIT[lane],
            Reg::D(row) | Reg::Q(row) => self.undefined_d[row as usize] |= BIT[lane],
        }
        let Some(key) = Self::partial_key(reg) else { return };
        if bits == width_mask(reg) && !self.partial.contains_key(&key) {
            return;
        }
        self.partial.entry(key).or_insert_with(|| Box::new([u64::MAX; 32]))[lane] = bits;
    }

    /// The bits of a lane.
    #[inline]
    pub fn get(&self, reg: Reg, lane: usize) -> u64 {
        match reg {
            Reg::P(row) => u64::from(self.p[row as usize] >> lane & 1),
            Reg::H(row) | Reg::W(row) => u64::from(self.w[row as usize][lane]),
            Reg::D(row) | Reg::Q(row) => self.d[row as usize][lane],
        }
    }

    /// Writes the bits of a lane, cut to the width of the register; they are defined.
    #[inline]
    pub fn set(&mut self, reg: Reg, lane: usize, bits: u64) {
        match reg {
            Reg::P(row) => {
                let row = row as usize;
                self.p[row] = self.p[row] & !BIT[lane] | (bits as u32 & 1) << lane;
            }
            Reg::H(row) => self.w[row as usize][lane] = bits as u32 & 0xffff,
            Reg::W(row) => self.w[row as usize][lane] = bits as u32,
            Reg::D(row) | Reg::Q(row) => self.d[row as usize][lane] = bits,
        }
        self.define(reg, BIT[lane]);
    }

    /// The lanes where a predicate operand holds.
    #[inline]
    pub fn pred(&self, src: PredSrc) -> u32 {
        self.p[src.row as usize] ^ if src.negated { u32::MAX } else { 0 }
    }

    /// Writes a predicate in the lanes of `mask`.
    #[inline]
    pub fn set_pred(&mut self, row: Row, mask: u32, value: u32, undefined: u32) {
        let row = row as usize;
        self.p[row] = self.p[row] & !mask | value & mask;
        self.undefined_p[row] = self.undefined_p[row] & !mask | undefined & mask;
    }
}

/// All bits of a register.
pub(crate) fn width_mask(reg: Reg) -> u64 {
    match reg {
        Reg::P(_) => 1,
        Reg::H(_) => 0xffff,
        Reg::W(_) => 0xffff_ffff,
        Reg::D(_) | Reg::Q(_) => u64::MAX,
    }
}
