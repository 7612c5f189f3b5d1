//! Rows become codes: the range of a row first, then its codes.

use gpu_std::atomic::{Global, Gpu, Relaxed, red_add};
use gpu_std::math::{max_nan_f32, min_nan_f32};
use gpu_std::{DeviceRepr, GridMut, block, thread};

use super::group::{Exchange, Group};
use super::held::{CHUNKS, Held};
use super::lanes::{LaneRange, Lanes};
use super::sink::Sink;
use super::source::Source;
use super::steps::{Codes, Range, Steps, is_finite};
use super::{BLOCK, SINGLE, TWICE};

/// The shape of the rows, and how threads stand over them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct QuantizeExtent {
    /// Rows.
    pub rows: u64,
    /// Elements of a row.
    pub cols: u64,
    /// From row to row of the input.
    pub stride_x: u64,
    /// From row to row of a second input.
    pub stride_y: u64,
    /// From row to row of the codes.
    pub stride_codes: u64,
    /// From row to row of a second plane of codes.
    pub stride_low: u64,
    /// Base-2 logarithm of the threads that share a row, at most that of the block.
    pub log2_group: u32,
    /// Must be zero; keeps the layout free of padding.
    pub reserved: u32,
}

// SAFETY: repr(C), integers, no padding (6 · 8 + 2 · 4), alignment 8.
unsafe impl DeviceRepr for QuantizeExtent {
    const NAME: &'static str = "QuantizeExtent";
}

/// What a row has one of. Zero points, sums and the count are empty where they are not asked for.
pub struct PerRow {
    /// Scales: one per row.
    pub scales: GridMut<f32>,
    /// Zero points: one per row.
    pub zeros: GridMut<i32>,
    /// Sums of the codes, modulo 2^32: one per row.
    pub sums: GridMut<i32>,
    /// Counts the values that are not finite: one word, which is added to.
    pub not_finite: GridMut<u64>,
}

impl PerRow {
    /// Stores what the row has.
    ///
    /// # Safety
    /// Every vector that is not empty has an element `row`, which is this thread's own.
    #[inline(always)]
    unsafe fn store(&mut self, row: u64, steps: &Steps, sum: i32) {
        let at = row as usize;
        // SAFETY: promised by the caller.
        unsafe {
            self.scales.as_mut_ptr().add(at).write(steps.scale);
            if !self.zeros.is_empty() {
                self.zeros.as_mut_ptr().add(at).write(steps.zero);
            }
            if !self.sums.is_empty() {
                self.sums.as_mut_ptr().add(at).write(sum);
            }
        }
    }

    /// Counts `count` more values that are not finite.
    ///
    /// # Safety
    /// There is a word to count in.
    #[inline(always)]
    unsafe fn count(&mut self, count: u64) {
        if count > 0 {
            // SAFETY: promised by the caller; used atomically alone in this launch.
            unsafe { red_add(self.not_finite.as_mut_ptr(), count, Relaxed, Gpu, Global) };
        }
    }
}

/// One row as its threads see it.
#[derive(Clone, Copy)]
struct Row<S, K> {
    source: S,
    sink: K,
    group: Group,
    /// Elements; 0 where the group has no row.
    cols: u64,
    codes: Codes,
}

/// Quantizes all rows, held in registers, read twice, or element by element.
///
/// # Safety
/// - All threads of the block come here with the same values.
/// - `source` and `sink` have the rows of `extent`, and `per_row` an element for each; but with [`SINGLE`] rows start
///   at multiples of 16 bytes, rows of codes at multiples of a chunk's codes. With [`HELD`](super::HELD) a row has at most
///   [`CHUNKS`] chunks for each thread of its group.
/// - A group has at least as many threads as a chunk has elements.
#[inline(always)]
pub unsafe fn quantize<T: Lanes, S: Source<T>, K: Sink, const WAY: u32>(
    source: S,
    sink: K,
    codes: Codes,
    per_row: &mut PerRow,
    extent: QuantizeExtent,
    exchange: Exchange,
) {
    let group = Group::new(extent.log2_group);
    let rows_per_block = u64::from(BLOCK >> extent.log2_group);
    let mut start = thread::block_linear() * rows_per_block;
    while start < extent.rows {
        let row = start + u64::from(group.index);
        let there = row < extent.rows;
        let (from, cols) = if there { (row, extent.cols) } else { (0, 0) };
        let this = Row { source: source.at(from), sink: sink.at(from), group, cols, codes };
        // SAFETY: all threads of the block come here; rows are as promised by the caller, and groups without one have no
        // columns. Exchanges of the turn before lie behind a barrier.
        unsafe {
            let (steps, sum) = if WAY == SINGLE {
                this.single(exchange)
            } else if WAY == TWICE {
                this.aligned::<T, WAY, 2>(exchange)
            } else {
                this.aligned::<T, WAY, CHUNKS>(exchange)
            };
            if steps.mask == 0 && !per_row.not_finite.is_empty() {
                per_row.count(this.not_finite());
            }
            let sum = if per_row.sums.is_empty() {
                0
            } else {
                group.all(sum, exchange, 1, |a, b| a.wrapping_add(b))
            };
            if there && group.lane == 0 {
                per_row.store(row, &steps, sum);
            }
        }
        start += thread::grid_blocks() * rows_per_block;
        if start < extent.rows {
            // SAFETY: `start` is the same in all threads of the block.
            unsafe { block::bar_sync() };
        }
    }
}

impl<S: Copy, K: Sink> Row<S, K> {
    /// The steps of the row, from what each thread has seen of it.
    ///
    /// # Safety
    /// All threads of the block come here.
    #[inline(always)]
    unsafe fn steps(&self, range: Range, exchange: Exchange) -> Steps {
        // SAFETY: promised by the caller.
        let range = unsafe {
            if matches!(self.codes, Codes::Symmetric) {
                let most = self.group.all(range.most, exchange, 0, max_nan_f32);
                Range { most, ..range }
            } else {
                let join = |a: [f32; 2], b: [f32; 2]| [min_nan_f32(a[0], b[0]), max_nan_f32(a[1], b[1])];
                let [least, most] = self.group.all([range.least, range.most], exchange, 0, join);
                Range { least, most }
            }
        };
        Steps::new(self.codes, range)
    }

    /// The row's first element; 0 for symmetric codes, whose range begins there.
    ///
    /// # Safety
    /// As [`Row::aligned`].
    #[inline(always)]
    unsafe fn first<T: Lanes>(&self) -> T
    where
        S: Source<T>,
    {
        if matches!(self.codes, Codes::Symmetric) || self.cols == 0 {
            return T::ZERO;
        }
        // SAFETY: the row has an element.
        unsafe { self.source.element(0) }
    }

    /// A row in chunks of 16 bytes, `N` of a thread at a time; elements behind the last whole chunk one for each of the first threads.
    ///
    /// # Safety
    /// As [`quantize`].
    #[inline(always)]
    unsafe fn aligned<T: Lanes, const WAY: u32, const N: usize>(&self, exchange: Exchange) -> (Steps, i32)
    where
        S: Source<T>,
    {
        let (codes, lanes) = (self.codes, T::LANES as u64);
        let whole = self.cols / lanes;
        let last = whole * lanes + u64::from(self.group.lane);
        let span = if WAY == TWICE { u64::from(Held::<T, N>::span(self.group)) } else { whole + 1 };
        // SAFETY: promised by the caller; a group has at least as many threads as a chunk has elements.
        unsafe {
            let first: T = self.first();
            let tail = if last < self.cols { self.source.element(last) } else { first };
            let load =
                |base: u64| Held::<T, N>::load(self.source.from(base * lanes), self.group, whole - base);
            let mut held = load(0);
            let mut range = held.range(codes, LaneRange::new(first));
            let mut base = span;
            while base < whole {
                held = load(base);
                range = held.range(codes, range);
                base += span;
            }
            let tail = tail.to_f32();
            let others = Range::new(codes, first.to_f32()).with(codes, tail);
            let steps = self.steps(range.joined(codes, others), exchange);
            let (mut base, mut sum) = (0, 0);
            while base < whole {
                if WAY == TWICE {
                    held = load(base);
                }
                sum = held.store(self.sink.from(base * lanes), codes, &steps, sum);
                base += span;
            }
            if last < self.cols {
                sum = self.sink.element(last, steps.code(codes, tail) & steps.mask, sum);
            }
            (steps, sum)
        }
    }

    /// The row read twice, element by element.
    ///
    /// # Safety
    /// As [`quantize`].
    #[inline(always)]
    unsafe fn single<T: Lanes>(&self, exchange: Exchange) -> (Steps, i32)
    where
        S: Source<T>,
    {
        let (codes, first, step) = (self.codes, u64::from(self.group.lane), u64::from(self.group.size()));
        // SAFETY: promised by the caller; columns below `cols` alone are asked for.
        unsafe {
            let mut range = Range::new(codes, self.first().to_f32());
            let mut col = first;
            while col < self.cols {
                range = range.with(codes, self.source.element(col).to_f32());
                col += step;
            }
            let steps = self.steps(range, exchange);
            let (mut col, mut sum) = (first, 0);
            while col < self.cols {
                let code = steps.code(codes, self.source.element(col).to_f32());
                sum = self.sink.element(col, code & steps.mask, sum);
                col += step;
            }
            (steps, sum)
        }
    }

    /// How many of this thread's elements of the row are not finite.
    ///
    /// # Safety
    /// As [`quantize`].
    #[inline(always)]
    unsafe fn not_finite<T: Lanes>(&self) -> u64
    where
        S: Source<T>,
    {
        let (mut col, mut count) = (u64::from(self.group.lane), 0);
        while col < self.cols {
            // SAFETY: inside the row.
            count += u64::from(!is_finite(unsafe { self.source.element(col) }.to_f32()));
            col += u64::from(self.group.size());
        }
        count
    }
}
