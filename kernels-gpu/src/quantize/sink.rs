//! Where codes go: rows of bytes, or the two planes of 16-bit codes.

use gpu_std::int::{dp4a_s32_s32, prmt_b32};

/// A row of codes.
pub trait Sink: Copy {
    /// Row `row`, seen from row 0.
    fn at(self, row: u64) -> Self;

    /// The row from column `col` on.
    fn from(self, col: u64) -> Self;

    /// Writes `LANES` codes from `col` on, each in the low bits of its word, cut down to `mask`; gives the sum of their lowest
    /// bytes, as signed numbers, and `sum`.
    ///
    /// # Safety
    /// The row has room for them at `col`, a multiple of `LANES` bytes in memory, and they are this thread's own.
    unsafe fn chunk<const LANES: usize>(self, col: u64, codes: [u32; 8], mask: u32, sum: i32) -> i32;

    /// Writes one code; gives its lowest byte, as a signed number, and `sum`.
    ///
    /// # Safety
    /// The row has room for it at `col`, and it is this thread's own.
    unsafe fn element(self, col: u64, code: u32, sum: i32) -> i32;
}

/// Codes of 8 bits.
#[derive(Clone, Copy)]
pub struct Bytes {
    /// The first code.
    pub start: *mut i8,
    /// From row to row.
    pub stride: u64,
}

/// Codes of 16 bits: `code >> 8` in one plane, `code & 255` in the other.
#[derive(Clone, Copy)]
pub struct Planes {
    /// The upper bytes.
    pub high: Bytes,
    /// The lower bytes.
    pub low: Bytes,
}

/// Byte `BYTE` of four words, the first one's lowest.
#[inline(always)]
fn word<const BYTE: u32>(codes: &[u32; 8], from: usize) -> u32 {
    let select = BYTE | (BYTE + 4) << 4;
    let low = prmt_b32(codes[from], codes[from + 1], select);
    let high = prmt_b32(codes[from + 2], codes[from + 3], select);
    prmt_b32(low, high, 0x5410)
}

impl Bytes {
    /// Writes byte `BYTE` of `LANES` codes; gives the sum of what was written, and `sum`.
    ///
    /// # Safety
    /// As [`Sink::chunk`].
    #[inline(always)]
    unsafe fn store<const BYTE: u32, const LANES: usize>(
        self,
        col: u64,
        codes: &[u32; 8],
        mask: u32,
        sum: i32,
    ) -> i32 {
        let at = self.start.wrapping_add(col as usize);
        let first = word::<BYTE>(codes, 0) & mask;
        let sum = dp4a_s32_s32(first, 0x0101_0101, sum);
        // SAFETY: promised by the caller; LANES bytes at a multiple of LANES.
        unsafe {
            if LANES == 4 {
                at.cast::<u32>().write(first);
                return sum;
            }
            let second = word::<BYTE>(codes, 4) & mask;
            at.cast::<u64>().write(u64::from(second) << 32 | u64::from(first));
            dp4a_s32_s32(second, 0x0101_0101, sum)
        }
    }
}

impl Sink for Bytes {
    #[inline(always)]
    fn at(self, row: u64) -> Self {
        Self { start: self.start.wrapping_add((row * self.stride) as usize), ..self }
    }

    #[inline(always)]
    fn from(self, col: u64) -> Self {
        Self { start: self.start.wrapping_add(col as usize), ..self }
    }

    #[inline(always)]
    unsafe fn chunk<const LANES: usize>(self, col: u64, codes: [u32; 8], mask: u32, sum: i32) -> i32 {
        // SAFETY: promised by the caller.
        unsafe { self.store::<0, LANES>(col, &codes, mask, sum) }
    }

    #[inline(always)]
    unsafe fn element(self, col: u64, code: u32, sum: i32) -> i32 {
        let code = code as i8;
        // SAFETY: promised by the caller.
        unsafe { self.start.add(col as usize).write(code) };
        sum.wrapping_add(i32::from(code))
    }
}

impl Sink for Planes {
    #[inline(always)]
    fn at(self, row: u64) -> Self {
        Self { high: self.high.at(row), low: self.low.at(row) }
    }

    #[inline(always)]
    fn from(self, col: u64) -> Self {
        Self { high: self.high.from(col), low: self.low.from(col) }
    }

    #[inline(always)]
    unsafe fn chunk<const LANES: usize>(self, col: u64, codes: [u32; 8], mask: u32, sum: i32) -> i32 {
        // SAFETY: promised by the caller.
        unsafe {
            self.high.store::<1, LANES>(col, &codes, mask, 0);
            self.low.store::<0, LANES>(col, &codes, mask, sum)
        }
    }

    #[inline(always)]
    unsafe fn element(self, col: u64, code: u32, sum: i32) -> i32 {
        // SAFETY: promised by the caller.
        unsafe {
            self.high.element(col, code >> 8, 0);
            self.low.element(col, code, sum)
        }
    }
}
