//! Element-wise work over slices and over strided rows, with 16-byte loads and stores wherever the addresses allow.
//!
//! [`map`] takes slices of one length. Its threads own chunks of 16 bytes, one behind the other, and repeat with a stride of
//! the whole grid. It is meant for grids and blocks in x; of others only the threads with y = z = 0 work.
//!
//! [`map_rows`] takes rows that lie apart. Its grid covers `rows × chunks`, a chunk being 16 bytes of one row. Within a
//! block, `2^log2_tx` threads stand side by side along a row and the others below them; blocks follow in x along the row and
//! in y down the rows, and repeat in both until everything is covered.

use core::marker::PhantomData;
use core::mem::MaybeUninit;

use crate::{DeviceRepr, Element, GridMut, Vec16, thread};

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
    operand: Operand<T>,
    borrow: PhantomData<&'a [T]>,
}

impl<'a, T: Element> Rows<'a, T> {
    /// The rows of `data`, `stride` elements apart; any stride: 0 repeats one row, 1 gives sliding windows.
    #[inline(always)]
    pub fn new(data: &'a [T], stride: u64) -> Self {
        let operand = Operand { ptr: data.as_ptr().cast_mut(), len: data.len() as u64, stride };
        Self { operand, borrow: PhantomData }
    }
}

/// Rows to write, each element by the one thread that [`map_rows`] gives it to.
pub struct RowsMut<T> {
    operand: Operand<T>,
}

impl<T: DeviceRepr> RowsMut<T> {
    #[inline(always)]
    pub(crate) fn new(ptr: *mut T, len: u64, stride: u64) -> Self {
        Self { operand: Operand { ptr, len, stride } }
    }
}

/// `out = f(in, out)` for every element of slices of one length: `f` gets the operands' values at one place and gives the
/// outputs' new values there.
///
/// Where every slice starts at the same place modulo 16, the work goes in 16-byte loads and stores; else element by element.
///
/// # Panics
/// Where the lengths differ.
#[inline(always)]
pub fn map<T: Element, const I: usize, const O: usize>(
    inputs: [&[T]; I],
    mut outputs: [GridMut<T>; O],
    f: impl Fn([T; I], [T; O]) -> [T; O],
) {
    let len = outputs[0].len();
    let mut same = true;
    let mut whole = |ptr: *mut T, slice_len: u64| {
        same &= slice_len == len;
        Operand { ptr, len, stride: 0 }
    };
    let ins = build(|i| whole(inputs[i].as_ptr().cast_mut(), inputs[i].len() as u64));
    let outs = build(|o| whole(outputs[o].as_mut_ptr(), outputs[o].len()));
    let work = Work { ins, outs, f };
    let (block, blocks) = (u64::from(thread::block_dim_x()), u64::from(thread::grid_dim_x()));
    let first = u64::from(thread::block_idx_x()) * block + u64::from(thread::thread_idx_x());
    let (lanes, threads) = (T::LANES as u64, block * blocks);
    let phase = work.phase(|_| 0);
    // The common case, decided in one go: nothing that a launch's start waits for is then asked for behind a branch.
    if same & (phase == Some(0)) & has_x_alone() & (first * lanes + lanes <= len) {
        // SAFETY: a whole chunk before `len`, so inside the operands, 16-byte aligned; inputs are not written in the launch
        // and outputs only by the thread that owns the chunk.
        unsafe { work.map_at(0, first * lanes) };
        work.map_line(len, 0, first, first + threads, threads);
        return;
    }
    assert!(same);
    if !has_x_alone()
        && thread::block_idx_y() | thread::block_idx_z() | thread::thread_idx_y() | thread::thread_idx_z()
            != 0
    {
        return;
    }
    match phase {
        Some(skip) => work.map_line(len, skip, first, first, threads),
        None => work.map_line_elements(0, len, first, threads),
    }
}

/// Whether grid and block have only x: then the thread's y and z are 0.
#[inline(always)]
fn has_x_alone() -> bool {
    (thread::grid_dim_y() | thread::grid_dim_z() | thread::block_dim_y() | thread::block_dim_z()) == 1
}

/// `out = f(in, out)` for every element of rows of one extent; see [`map`].
///
/// # Panics
/// Where a row reaches past the end of its operand, or the rows of an output overlap.
#[inline(always)]
pub fn map_rows<T: Element, const I: usize, const O: usize>(
    extent: RowExtent,
    inputs: [Rows<'_, T>; I],
    outputs: [RowsMut<T>; O],
    f: impl Fn([T; I], [T; O]) -> [T; O],
) {
    let work = Work { ins: build(|i| inputs[i].operand), outs: build(|o| outputs[o].operand), f };
    work.check_rows(extent);
    let row_bytes =
        |operand: &Operand<T>| if extent.rows > 1 { operand.stride * size_of::<T>() as u64 } else { 0 };
    match work.phase(row_bytes) {
        Some(skip) => {
            each_cell(extent, T::LANES as u64, skip, |row, chunk| work.map_chunk(extent, row, chunk, skip))
        }
        None => each_cell(extent, 1, 0, |row, col| work.map_element(row, col)),
    }
}

/// Calls `cell(row, chunk)` for every cell of the extent that this thread owns; `chunk` counts `lanes` elements each, from
/// `skip` elements before the row's start.
#[inline(always)]
fn each_cell(extent: RowExtent, lanes: u64, skip: u64, mut cell: impl FnMut(u64, u64)) {
    let (tid, threads) = (thread::thread_linear(), thread::block_threads());
    let log2_tx = extent.log2_tx.min(threads.ilog2());
    let (tx, ty) = (1_u32 << log2_tx, threads >> log2_tx);
    // A block whose size is no multiple of tx: what is left over has no row of its own. No columns: no cell in any row.
    if tid >> log2_tx >= ty || extent.cols == 0 {
        return;
    }
    let chunks = (extent.cols + skip).div_ceil(lanes);
    // Blocks in z stand behind those in y: no two blocks own one cell.
    let block_row =
        u64::from(thread::block_idx_y()) + u64::from(thread::grid_dim_y()) * u64::from(thread::block_idx_z());
    let row_step = u64::from(thread::grid_dim_y()) * u64::from(thread::grid_dim_z()) * u64::from(ty);
    let chunk_step = u64::from(thread::grid_dim_x()) * u64::from(tx);
    let first_chunk = u64::from(thread::block_idx_x()) * u64::from(tx) + u64::from(tid & (tx - 1));
    let mut row = block_row * u64::from(ty) + u64::from(tid >> log2_tx);
    while row < extent.rows {
        let mut chunk = first_chunk;
        while chunk < chunks {
            cell(row, chunk);
            chunk += chunk_step;
        }
        row += row_step;
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

struct Operand<T> {
    ptr: *mut T,
    len: u64,
    stride: u64,
}

impl<T> Clone for Operand<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Operand<T> {}

impl<T> Operand<T> {
    /// Address of an element the caller knows to lie inside the operand.
    #[inline(always)]
    fn at(&self, row: u64, col: u64) -> *mut T {
        self.ptr.wrapping_add((row * self.stride + col) as usize)
    }
}

/// The operands of one launch and what to do with them.
struct Work<T, F, const I: usize, const O: usize> {
    ins: [Operand<T>; I],
    outs: [Operand<T>; O],
    f: F,
}

impl<T: Element, F: Fn([T; I], [T; O]) -> [T; O], const I: usize, const O: usize> Work<T, F, I, O> {
    #[inline(always)]
    fn each_operand(&self, mut check: impl FnMut(&Operand<T>)) {
        let mut i = 0;
        while i < I {
            check(&self.ins[i]);
            i += 1;
        }
        let mut o = 0;
        while o < O {
            check(&self.outs[o]);
            o += 1;
        }
    }

    /// What makes every access lie inside, and gives each element of an output to one cell.
    #[inline(always)]
    fn check_rows(&self, extent: RowExtent) {
        self.each_operand(|operand| {
            assert!(matches!(extent.span(operand.stride), Some(span) if span <= operand.len));
        });
        let mut o = 0;
        while o < O {
            assert!(extent.rows <= 1 || self.outs[o].stride >= extent.cols);
            o += 1;
        }
    }

    /// How many elements every row's start lies behind a 16-byte boundary, if that is the same in all rows of all operands;
    /// `row_bytes` is what lies between the starts of an operand's rows.
    #[inline(always)]
    fn phase(&self, row_bytes: impl Fn(&Operand<T>) -> u64) -> Option<u64> {
        let size = size_of::<T>() as u64;
        let base = self.outs[0].ptr as u64;
        let mut differs = base % size;
        self.each_operand(|operand| differs |= ((operand.ptr as u64 ^ base) | row_bytes(operand)) % 16);
        (differs == 0).then_some(base % 16 / size)
    }

    /// Slices: whole chunks `chunk`, `chunk + threads` and so on, and by the first block the fewer than `LANES` elements
    /// before and after all chunks. `first` is the thread's number, `threads` how many there are.
    #[inline(always)]
    fn map_line(&self, len: u64, skip: u64, first: u64, chunk: u64, threads: u64) {
        let lanes = T::LANES as u64;
        let head = if skip == 0 { 0 } else { (lanes - skip).min(len) };
        let tail = head + (len - head) / lanes * lanes;
        let mut col = head + chunk * lanes;
        while col < tail {
            // SAFETY: a whole chunk before `tail`, so inside the operands (`map`), 16-byte aligned (`phase`); inputs are not
            // written in the launch and outputs only by the thread that owns the chunk.
            unsafe { self.map_at(0, col) };
            col += threads * lanes;
        }
        if thread::block_idx_x() == 0 {
            let block = u64::from(thread::block_dim_x());
            self.map_line_elements(0, head, first, block);
            self.map_line_elements(tail, len, first, block);
        }
    }

    /// Slices: elements `first`, `first + step` and so on of those from `begin` to `end`.
    #[inline(always)]
    fn map_line_elements(&self, begin: u64, end: u64, first: u64, step: u64) {
        let mut col = begin + first;
        while col < end {
            self.map_element(0, col);
            col += step;
        }
    }

    /// One chunk of a row, which may be cut off at the row's start or end.
    #[inline(always)]
    fn map_chunk(&self, extent: RowExtent, row: u64, chunk: u64, skip: u64) {
        let lanes = T::LANES as u64;
        let end = chunk * lanes + lanes;
        if chunk * lanes >= skip && end - skip <= extent.cols {
            // SAFETY: the chunk lies inside the row, so inside the operands (`check_rows`), 16-byte aligned (`phase`);
            // inputs are not written in the launch and outputs only by the thread that owns the cell.
            unsafe { self.map_at(row, chunk * lanes - skip) };
            return;
        }
        let mut place = (chunk * lanes).max(skip);
        while place < end && place - skip < extent.cols {
            self.map_element(row, place - skip);
            place += 1;
        }
    }

    /// One whole chunk: all loads, then all stores.
    ///
    /// # Safety
    /// The 16 bytes from (row, col) lie inside every operand, aligned; the outputs' belong to this thread.
    #[inline(always)]
    unsafe fn map_at(&self, row: u64, col: u64) {
        // SAFETY: promised by the caller.
        let load = |operand: &Operand<T>| unsafe { operand.at(row, col).cast::<Vec16<T>>().read() };
        let x: [Vec16<T>; I] = build(|i| load(&self.ins[i]));
        let mut y: [Vec16<T>; O] = build(|o| load(&self.outs[o]));
        let mut lane = 0;
        while lane < T::LANES {
            let new = (self.f)(build(|i| x[i].lane(lane)), build(|o| y[o].lane(lane)));
            let mut o = 0;
            while o < O {
                y[o].set_lane(lane, new[o]);
                o += 1;
            }
            lane += 1;
        }
        let mut o = 0;
        while o < O {
            // SAFETY: promised by the caller.
            unsafe { self.outs[o].at(row, col).cast::<Vec16<T>>().write(y[o]) };
            o += 1;
        }
    }

    #[inline(always)]
    fn map_element(&self, row: u64, col: u64) {
        // SAFETY: the place lies inside every operand (`map`, `check_rows`); inputs are not written in the launch and
        // outputs only by the thread that owns the place. Elements are aligned: slices and GridMut are.
        let load = |operand: &Operand<T>| unsafe { operand.at(row, col).read() };
        let new = (self.f)(build(|i| load(&self.ins[i])), build(|o| load(&self.outs[o])));
        let mut o = 0;
        while o < O {
            // SAFETY: as above.
            unsafe { self.outs[o].at(row, col).write(new[o]) };
            o += 1;
        }
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
