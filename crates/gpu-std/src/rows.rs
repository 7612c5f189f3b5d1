//! Element-wise work over strided rows, with 16-byte loads and stores wherever the addresses allow.
//!
//! A grid covers `rows × chunks`, a chunk being 16 bytes of one row. Within a block, `2^log2_tx` threads stand side by
//! side along a row and the others below them; blocks follow in x along the row and in y down the rows, and repeat in
//! both until everything is covered. Contiguous data is one row: then all threads stand side by side.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::{DeviceRepr, Element, Vec16, thread};

/// Shape of the data and of the block over it, the same for all operands of a launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct RowExtent {
    /// Number of rows.
    pub rows: u64,
    /// Elements per row.
    pub cols: u64,
    /// Base-2 logarithm of the threads that stand side by side along a row.
    pub log2_tx: u32,
    /// Must be zero; keeps the layout free of padding.
    pub reserved: u32,
}

// SAFETY: repr(C), integers, no padding (8 + 8 + 4 + 4), alignment 8.
unsafe impl DeviceRepr for RowExtent {
    const NAME: &'static str = "RowExtent";
}

impl RowExtent {
    /// The extent for `rows × cols` elements of which `lanes` fill a chunk, and blocks of `block` threads, a power of two:
    /// as many threads side by side as a row has chunks, up to the whole block.
    pub const fn new(rows: u64, cols: u64, lanes: usize, block: u32) -> Self {
        let chunks = cols.div_ceil(lanes as u64);
        let side = if chunks >= block as u64 { block } else { (chunks as u32).next_power_of_two() };
        Self { rows, cols, log2_tx: side.trailing_zeros(), reserved: 0 }
    }

    /// Elements from the first of the first row to the last of the last, or `None` where that overflows.
    pub const fn span(&self, stride: u64) -> Option<u64> {
        if self.rows == 0 || self.cols == 0 {
            return Some(0);
        }
        match (self.rows - 1).checked_mul(stride) {
            Some(last) => last.checked_add(self.cols),
            None => None,
        }
    }

    /// Blocks of `block` threads in x and y that cover everything once. The kernel covers what a smaller grid leaves, such
    /// as the partial chunk more of rows that start between 16-byte boundaries.
    pub const fn blocks(&self, lanes: usize, block: u32) -> (u64, u64) {
        let chunks = self.cols.div_ceil(lanes as u64);
        let ty = (block >> self.log2_tx) as u64;
        (chunks.div_ceil(1 << self.log2_tx), self.rows.div_ceil(ty))
    }
}

/// Rows to read.
#[derive(Clone, Copy)]
pub struct Rows<'a, T> {
    ptr: *const T,
    stride: u64,
    extent: RowExtent,
    borrow: PhantomData<&'a [T]>,
}

impl<'a, T: Element> Rows<'a, T> {
    /// Rows of `extent.cols` elements, `stride` elements apart, over `data`.
    ///
    /// # Panics
    /// Where the last row reaches past the end.
    #[inline(always)]
    pub fn new(data: &'a [T], extent: RowExtent, stride: u64) -> Self {
        check_span(data.len() as u64, extent, stride);
        Self { ptr: data.as_ptr(), stride, extent, borrow: PhantomData }
    }
}

/// Rows to write, each element by the one thread that [`map_rows`] gives it to.
pub struct RowsMut<T> {
    ptr: *mut T,
    stride: u64,
    extent: RowExtent,
}

impl<T: DeviceRepr> RowsMut<T> {
    #[inline(always)]
    pub(crate) fn new(ptr: *mut T, len: u64, extent: RowExtent, stride: u64) -> Self {
        check_span(len, extent, stride);
        assert!(extent.rows <= 1 || stride >= extent.cols);
        Self { ptr, stride, extent }
    }
}

#[inline(always)]
fn check_span(len: u64, extent: RowExtent, stride: u64) {
    assert!(matches!(extent.span(stride), Some(span) if span <= len));
}

/// `out = f(in, out)` for every element: `f` gets the operands' values at one place and gives the outputs' new values there.
///
/// All operands must have the same extent. Where every address of a row's start is the same modulo 16 in all operands, the
/// work goes in 16-byte loads and stores; else element by element, still side by side.
///
/// # Panics
/// Where the extents differ.
#[inline(always)]
pub fn map_rows<T: Element, const I: usize, const O: usize>(
    inputs: [Rows<'_, T>; I],
    outputs: [RowsMut<T>; O],
    f: impl Fn([T; I], [T; O]) -> [T; O],
) {
    let extent = outputs[0].extent;
    let ins: [Operand<T>; I] = build(|i| {
        assert!(inputs[i].extent == extent);
        Operand { ptr: inputs[i].ptr.cast_mut(), stride: inputs[i].stride }
    });
    let outs: [Operand<T>; O] = build(|o| {
        assert!(outputs[o].extent == extent);
        Operand { ptr: outputs[o].ptr, stride: outputs[o].stride }
    });
    match common_phase(extent, &ins, &outs) {
        Some(skip) => each_cell(extent, T::LANES as u64, skip, |row, first| {
            map_chunk(extent, row, first, skip, &ins, &outs, &f)
        }),
        None => each_cell(extent, 1, 0, |row, col| map_element(row, col, &ins, &outs, &f)),
    }
}

/// An array from its elements. A counted loop, unlike `array::map` and iterators: LLVM unrolls it before it looks for
/// arrays that can live in registers.
#[inline(always)]
fn build<A, const N: usize>(mut element: impl FnMut(usize) -> A) -> [A; N] {
    let mut out = [const { MaybeUninit::uninit() }; N];
    let mut i = 0;
    while i < N {
        out[i].write(element(i));
        i += 1;
    }
    // SAFETY: all N elements have been written; MaybeUninit<A> has A's layout.
    unsafe { core::mem::transmute_copy(&out) }
}

#[derive(Clone, Copy)]
struct Operand<T> {
    ptr: *mut T,
    stride: u64,
}

impl<T> Operand<T> {
    /// Address of an element the caller knows to lie inside the operand.
    #[inline(always)]
    fn at(&self, row: u64, col: u64) -> *mut T {
        self.ptr.wrapping_add((row * self.stride + col) as usize)
    }
}

/// How many elements every row's start lies behind a 16-byte boundary, if that is the same in all rows of all operands.
#[inline(always)]
fn common_phase<T: Element, const I: usize, const O: usize>(
    extent: RowExtent,
    ins: &[Operand<T>; I],
    outs: &[Operand<T>; O],
) -> Option<u64> {
    let size = size_of::<T>() as u64;
    let base = outs[0].ptr as u64;
    let differs = phases(extent, base, ins) | phases(extent, base, outs) | (base % size);
    (differs == 0).then_some(base % 16 / size)
}

/// Bits in which the operands' row starts differ from `base`, modulo 16.
#[inline(always)]
fn phases<T: Element, const N: usize>(extent: RowExtent, base: u64, operands: &[Operand<T>; N]) -> u64 {
    let mut differs = 0;
    let mut i = 0;
    while i < N {
        differs |= (operands[i].ptr as u64 ^ base) % 16;
        if extent.rows > 1 {
            differs |= (operands[i].stride * size_of::<T>() as u64) % 16;
        }
        i += 1;
    }
    differs
}

/// Calls `cell(row, chunk)` for every cell of the extent that this thread owns; `chunk` counts `lanes` elements each, from
/// `skip` elements before the row's start.
#[inline(always)]
fn each_cell(extent: RowExtent, lanes: u64, skip: u64, mut cell: impl FnMut(u64, u64)) {
    let log2_tx = extent.log2_tx.min(thread::block_dim_x().ilog2());
    let (tid, tx) = (thread::thread_idx_x(), 1_u32 << log2_tx);
    let ty = thread::block_dim_x() >> log2_tx;
    let chunks = (extent.cols + skip).div_ceil(lanes);
    let row_step = u64::from(thread::grid_dim_y()) * u64::from(ty);
    let chunk_step = u64::from(thread::grid_dim_x()) * u64::from(tx);
    let first_chunk = u64::from(thread::block_idx_x()) * u64::from(tx) + u64::from(tid & (tx - 1));
    let mut row = u64::from(thread::block_idx_y()) * u64::from(ty) + u64::from(tid >> log2_tx);
    while row < extent.rows {
        let mut chunk = first_chunk;
        while chunk < chunks {
            cell(row, chunk);
            chunk += chunk_step;
        }
        row += row_step;
    }
}

#[inline(always)]
fn map_chunk<T: Element, const I: usize, const O: usize>(
    extent: RowExtent,
    row: u64,
    chunk: u64,
    skip: u64,
    ins: &[Operand<T>; I],
    outs: &[Operand<T>; O],
    f: &impl Fn([T; I], [T; O]) -> [T; O],
) {
    let lanes = T::LANES as u64;
    let end = chunk * lanes + lanes;
    if chunk * lanes >= skip && end - skip <= extent.cols {
        map_whole_chunk(row, chunk * lanes - skip, ins, outs, f);
        return;
    }
    let mut place = (chunk * lanes).max(skip);
    while place < end && place - skip < extent.cols {
        map_element(row, place - skip, ins, outs, f);
        place += 1;
    }
}

#[inline(always)]
fn map_whole_chunk<T: Element, const I: usize, const O: usize>(
    row: u64,
    col: u64,
    ins: &[Operand<T>; I],
    outs: &[Operand<T>; O],
    f: &impl Fn([T; I], [T; O]) -> [T; O],
) {
    // SAFETY: the chunk lies inside the row, so inside the operand (checked when the rows were made), 16-byte aligned
    // (`common_phase`); inputs are not written in the launch and outputs only by the thread that owns the cell.
    let load = |operand: &Operand<T>| unsafe { operand.at(row, col).cast::<Vec16<T>>().read() };
    let x: [Vec16<T>; I] = build(|i| load(&ins[i]));
    let mut y: [Vec16<T>; O] = build(|o| load(&outs[o]));
    let mut lane = 0;
    while lane < T::LANES {
        let new = f(build(|i| x[i].lane(lane)), build(|o| y[o].lane(lane)));
        let mut o = 0;
        while o < O {
            y[o].set_lane(lane, new[o]);
            o += 1;
        }
        lane += 1;
    }
    let mut o = 0;
    while o < O {
        // SAFETY: as above.
        unsafe { outs[o].at(row, col).cast::<Vec16<T>>().write(y[o]) };
        o += 1;
    }
}

#[inline(always)]
fn map_element<T: Element, const I: usize, const O: usize>(
    row: u64,
    col: u64,
    ins: &[Operand<T>; I],
    outs: &[Operand<T>; O],
    f: &impl Fn([T; I], [T; O]) -> [T; O],
) {
    // SAFETY: `row < rows` and `col < cols`, so the element lies inside every operand (checked when the rows were made);
    // inputs are not written in the launch and outputs only by the thread that owns the cell. Elements are aligned: slices
    // and GridMut are.
    let load = |operand: &Operand<T>| unsafe { operand.at(row, col).read() };
    let new = f(build(|i| load(&ins[i])), build(|o| load(&outs[o])));
    let mut o = 0;
    while o < O {
        // SAFETY: as above.
        unsafe { outs[o].at(row, col).write(new[o]) };
        o += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_stand_side_by_side_as_far_as_the_row_reaches() {
        let side = |cols, lanes| 1 << RowExtent::new(7, cols, lanes, 256).log2_tx;
        assert_eq!(side(0, 4), 1);
        assert_eq!(side(1, 4), 1);
        assert_eq!(side(20, 4), 8);
        assert_eq!(side(128, 4), 32);
        assert_eq!(side(1 << 40, 4), 256);
    }

    #[test]
    fn span_counts_to_the_last_element_and_finds_overflow() {
        let extent = |rows, cols| RowExtent::new(rows, cols, 4, 256);
        assert_eq!(extent(3, 5).span(8), Some(21));
        assert_eq!(extent(0, 5).span(u64::MAX), Some(0));
        assert_eq!(extent(3, 5).span(u64::MAX / 2), None);
        assert_eq!(extent(2, 5).span(u64::MAX - 4), None);
    }

    #[test]
    fn blocks_cover_every_chunk() {
        let extent = RowExtent::new(1000, 128, 4, 256);
        assert_eq!(extent.blocks(4, 256), (1, 125));
        assert_eq!(RowExtent::new(1, 1 << 28, 4, 256).blocks(4, 256), (1 << 18, 1));
    }
}
