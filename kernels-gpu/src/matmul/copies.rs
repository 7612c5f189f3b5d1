//! Lines of an operand from global to shared memory, one chunk of 16 bytes per thread and copy.

use gpu_std::Vec16;
use gpu_std::async_copy::{cp_async_ca_zfill, cp_async_cg_zfill};
use gpu_std::int::prmt_b32_f4e;

use super::tiling::{CHUNK, LINE};

/// 16 bytes as one store.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct Chunk([u32; 4]);

/// A matrix whose rows lie along k.
#[derive(Clone, Copy, Debug)]
pub struct Matrix {
    /// Its first byte.
    pub start: *const u8,
    /// Bytes from row to row.
    pub pitch: u64,
    /// Number of rows.
    pub rows: u32,
}

impl Matrix {
    /// The largest of 16, 4 and 1 that divides the address of every row.
    #[inline(always)]
    fn granule(self) -> u32 {
        match (self.start as u64 | self.pitch) % 16 {
            0 => 16,
            4 | 8 | 12 => 4,
            _ => 1,
        }
    }
}

/// What one thread copies of an operand: the same chunk of every `step`-th row.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The chunk of the next copy. It moves from row to row, and back to the first of the next stage: so the loop needs no
    /// registers for the distances of all rows.
    from: *const u8,
    /// Bytes from row to row copied.
    step: usize,
    /// Bytes from the row behind the last to the first row's next chunk.
    back: usize,
    /// A bit for each copy: whether the matrix has its row.
    rows: u32,
    /// Of the matrix; for any operands.
    granule: u32,
}

impl Source {
    /// Byte `at` of rows `first`, `first + step`, …, `copies` of them.
    #[inline(always)]
    pub fn new(matrix: Matrix, first: u64, step: usize, copies: usize, at: u64) -> Self {
        let mut rows = 0;
        for copy in 0..copies {
            rows |= u32::from(first + ((copy * step) as u64) < u64::from(matrix.rows)) << copy;
        }
        let from = matrix.start.wrapping_add((first * matrix.pitch + at) as usize);
        let step = step * matrix.pitch as usize;
        Self { from, step, back: LINE.wrapping_sub(copies * step), rows, granule: matrix.granule() }
    }

    /// Moves on to the next stage, behind its copies.
    #[inline(always)]
    pub fn advance(&mut self) {
        self.from = self.from.wrapping_add(self.back);
    }

    /// The address of copy `copy`, in order, and how much of `bytes` bytes the matrix has.
    #[inline(always)]
    fn next(&mut self, copy: usize, bytes: u32) -> (*const u8, u32) {
        let from = self.from;
        self.from = from.wrapping_add(self.step);
        (from, if self.rows >> copy & 1 == 1 { bytes } else { 0 })
    }

    /// Starts copy `copy`, one after the other: `bytes` bytes, and zeros behind them; zeros alone where the matrix has no such row.
    ///
    /// # Safety
    /// - Rows of the matrix start at multiples of 16, and have `bytes` bytes at the chunk.
    /// - `to` is a chunk in shared memory that nobody uses.
    #[inline(always)]
    pub unsafe fn copy(&mut self, copy: usize, to: *mut u8, bytes: u32) {
        let (from, bytes) = self.next(copy, bytes);
        // SAFETY: promised by the caller; where there is no row, nothing is read.
        unsafe { cp_async_cg_zfill(to.cast::<Vec16<u32>>(), from.cast(), bytes) }
    }

    /// As [`copy`](Self::copy), of rows that start anywhere: by copies of 4 bytes where that divides their addresses, else through
    /// registers. `inside` tells that 4 bytes before and behind the chunk belong to its row too.
    ///
    /// # Safety
    /// As [`copy`](Self::copy), but for the addresses.
    #[inline(always)]
    pub unsafe fn copy_any(&mut self, copy: usize, to: *mut u8, bytes: u32, inside: bool) {
        let (from, bytes) = self.next(copy, bytes);
        // SAFETY: promised by the caller; the granule tells how the chunk may be read.
        unsafe {
            match self.granule {
                16 => cp_async_cg_zfill(to.cast::<Vec16<u32>>(), from.cast(), bytes),
                4 => by_words(to.cast(), from.cast(), bytes),
                _ if inside && bytes > 0 => to.cast::<Chunk>().write(shifted(from)),
                _ => to.cast::<Chunk>().write(by_bytes(from, bytes)),
            }
        }
    }
}

/// Starts four copies of 4 bytes.
///
/// # Safety
/// As [`Source::copy`]; `from` is a multiple of 4.
#[inline(always)]
unsafe fn by_words(to: *mut u32, from: *const u32, bytes: u32) {
    gpu_std::unroll!(for word in 0..4 {
        let left = bytes.saturating_sub(4 * word as u32);
        // SAFETY: promised by the caller.
        unsafe { cp_async_ca_zfill(to.add(word), from.wrapping_add(word), if left < 4 { left } else { 4 }) };
    });
}

/// 16 bytes at any address, out of the words that they lie in.
///
/// # Safety
/// The words of 4 bytes that the 16 bytes lie in are readable, and the 4 bytes behind them.
#[inline(always)]
unsafe fn shifted(from: *const u8) -> Chunk {
    let by = from as usize % 4;
    let words = from.wrapping_sub(by).cast::<u32>();
    let mut chunk = [0; 4];
    // SAFETY: promised by the caller; `words` is a multiple of 4.
    unsafe {
        gpu_std::unroll!(for word in 0..4 {
            chunk[word] = prmt_b32_f4e(words.add(word).read(), words.add(word + 1).read(), by as u32);
        });
    }
    Chunk(chunk)
}

/// `bytes` bytes at any address, zeros behind them.
///
/// # Safety
/// So many bytes are readable.
#[inline(always)]
unsafe fn by_bytes(from: *const u8, bytes: u32) -> Chunk {
    let mut halves = [0_u64; 2];
    for at in 0..CHUNK as u32 {
        if at >= bytes {
            break;
        }
        // SAFETY: promised by the caller.
        let byte = u64::from(unsafe { from.add(at as usize).read() }) << (at % 8 * 8);
        if at < 8 {
            halves[0] |= byte;
        } else {
            halves[1] |= byte;
        }
    }
    Chunk([halves[0] as u32, (halves[0] >> 32) as u32, halves[1] as u32, (halves[1] >> 32) as u32])
}
