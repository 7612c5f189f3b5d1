//! Operands: where a descriptor says they lie (PTX ISA, "Shared Memory Matrix Layout", "Matrix Descriptor Format"), and the
//! fragments of A in registers.

use std::ops::Range;

use super::super::regs::Regs;
use crate::memory::{Piece, Shared};
use crate::program::ir::{Reg, Row};

/// Bytes of K of one instruction.
const K_BYTES: usize = 32;

/// An operand in shared memory: which 16-byte pieces it is made of.
#[derive(Debug)]
pub(super) struct Source {
    /// Their offsets in the window: K-major by row, then half; MN-major by k, then each 8 of mn.
    pub(super) pieces: Vec<u64>,
    mn_major: bool,
    rows: usize,
}

/// Lines of 32 bytes of K, with a bit for each undefined byte.
#[derive(Debug, Default)]
pub(super) struct Matrix {
    pub(super) rows: Vec<[u8; K_BYTES]>,
    pub(super) undefined: Vec<u32>,
}

/// The fields of a descriptor, in bytes.
#[derive(Clone, Copy)]
struct Descriptor {
    start: u64,
    leading: u64,
    stride: u64,
    /// Bytes of a line: 16 without a swizzle, else 32, 64 or 128.
    line: u64,
}

impl Descriptor {
    fn of(bits: u64) -> Self {
        let field = |shift: u32| (bits >> shift & 0x3fff) << 4;
        let line = [16, 128, 64, 32][(bits >> 62) as usize];
        Self { start: field(0), leading: field(16), stride: field(32), line }
    }

    /// Piece `half` of row `mn`, k contiguous.
    fn k_major(self, mn: u64, half: u64) -> u64 {
        let step = if self.line == 16 { self.leading } else { 16 };
        self.swizzled(mn % 8 * self.line + mn / 8 * self.stride + half * step)
    }

    /// Piece `eight` (8 elements of mn) of `k`, mn contiguous.
    fn mn_major(self, eight: u64, k: u64) -> u64 {
        if self.line == 16 {
            return self.swizzled(k % 8 * 16 + k / 8 * self.leading + eight * self.stride);
        }
        let per_line = self.line / 16;
        let along = eight % per_line * 16 + eight / per_line * self.leading;
        self.swizzled(along + k % 8 * self.line + k / 8 * self.stride)
    }

    fn swizzled(self, offset: u64) -> u64 {
        let at = self.start + offset;
        at ^ (at >> 3 & (self.line - 16))
    }
}

impl Source {
    /// Rows `rows` of the operand that a descriptor describes: of A, or columns of B.
    pub(super) fn new(descriptor: u64, mn_major: bool, rows: Range<usize>) -> Self {
        let descriptor = Descriptor::of(descriptor);
        let (first, end) = (rows.start as u64, rows.end as u64);
        let pieces = if mn_major {
            let eights = move || first / 8..end / 8;
            (0..16).flat_map(|k| eights().map(move |eight| descriptor.mn_major(eight, k))).collect()
        } else {
            (first..end).flat_map(|mn| (0..2).map(move |half| descriptor.k_major(mn, half))).collect()
        };
        Self { pieces, mn_major, rows: rows.len() }
    }

    /// What lies there now.
    pub(super) fn read(&self, shared: &Shared) -> Matrix {
        let pieces = shared.peek(&self.pieces);
        let mut matrix = Matrix { rows: vec![[0; K_BYTES]; self.rows], undefined: vec![0; self.rows] };
        for (at, piece) in pieces.iter().enumerate() {
            if self.mn_major {
                matrix.put_column(at, piece);
            } else {
                let first = at % 2 * 16;
                matrix.rows[at / 2][first..first + 16].copy_from_slice(&piece.bytes);
                matrix.undefined[at / 2] |= piece.undefined << first;
            }
        }
        matrix
    }
}

impl Matrix {
    /// Eight elements of 16 bits of one k.
    fn put_column(&mut self, at: usize, piece: &Piece) {
        let eights = self.rows.len() / 8;
        let (k, first) = (at / eights, at % eights * 8);
        for (element, bytes) in piece.bytes.chunks_exact(2).enumerate() {
            self.rows[first + element][2 * k..2 * k + 2].copy_from_slice(bytes);
            self.undefined[first + element] |= (piece.undefined >> (2 * element) & 3) << (2 * k);
        }
    }
}

/// The 16 rows of A of a warp, from the fragments of its lanes (PTX ISA, the figures of "Register Fragments" for `wgmma`): register
/// r of lane l has 4 bytes of row l / 4, or for odd r l / 4 + 8, from byte 4 (l % 4) of k on, for r above 1 in the second half.
pub(super) fn from_registers(regs: &Regs, rows: [Row; 4]) -> Matrix {
    let mut matrix = Matrix { rows: vec![[0; K_BYTES]; 16], undefined: vec![0; 16] };
    for (r, row) in rows.into_iter().enumerate() {
        for lane in 0..32 {
            let (mn, first) = (lane / 4 + r % 2 * 8, lane % 4 * 4 + r / 2 * 16);
            let word = regs.w[row as usize][lane].to_le_bytes();
            matrix.rows[mn][first..first + 4].copy_from_slice(&word);
            let shadow = regs.shadow(Reg::W(row), lane);
            let bad = (0..4).filter(|byte| shadow >> (8 * byte) & 0xff != 0).fold(0, |all, b| all | 1 << b);
            matrix.undefined[mn] |= bad << first;
        }
    }
    matrix
}
