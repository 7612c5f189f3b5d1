//! Threads over units: some columns of a feature, for output row after output row.

use core::hint::assert_unchecked;

use gpu_std::atomic::{Global, Gpu, Relaxed, red_add};
use gpu_std::mem::st_global_wb;
use gpu_std::{GridMut, Real, bf16, f16, thread, unroll};

use super::ROWS;
use super::bag::{look_up, pool};
use super::feature::{BF16, CODES, DENSE, EmbedExtent, F16, Feature, Index, NOTHING, ONE};
use super::table::{AnyCell, Cell};

/// What a launch reads: the features, the feature of each unit, and what a check has found.
#[derive(Clone, Copy)]
pub struct Units<'a> {
    /// The features.
    pub features: &'a [Feature],
    /// The feature of each unit.
    pub unit_features: &'a [u32],
    /// What [`embed_check`](super::embed_check) has found, or nothing.
    pub found: &'a [u64],
}

/// Writes this thread's units of all output rows, and adds to `invalid` how many indices and bags are not valid.
///
/// # Safety
/// - Each feature's addresses, lengths and strides are as [`Feature`] says, for so many output rows as the extent has; its
///   columns lie within the output's. Without `BAGS` all are [`ONE`] or [`DENSE`].
/// - `unit_features` has `extent.units` elements, each the feature whose units that one is of; where a unit has more than one
///   element, rows of the table and of `y` are aligned to its bytes.
/// - `found` has one word or none; so has `invalid`. `extent.units * extent.groups` is below 2^32.
#[inline(always)]
pub unsafe fn embed_units<I: Index, T: Output, const BAGS: bool>(
    Units { features, unit_features, found }: Units<'_>,
    y: &mut GridMut<T>,
    invalid: &mut GridMut<u64>,
    extent: EmbedExtent,
) {
    if let [found, ..] = found
        && *found != NOTHING
    {
        return;
    }
    let mut odd = 0;
    let mut at = thread::grid_thread_linear();
    while at < u64::from(extent.units) * u64::from(extent.groups) {
        // SAFETY: there is a unit, for there is a thread for one.
        unsafe { assert_unchecked(extent.units > 0) };
        let (group, unit) = (at as u32 / extent.units, at as u32 % extent.units);
        // SAFETY: every unit is one of a feature's.
        let feature =
            unsafe { features.as_ptr().add(*unit_features.as_ptr().add(unit as usize) as usize).read() };
        let columns = Columns { feature, unit, y: y.as_mut_ptr(), extent };
        // SAFETY: promised by the caller; no other thread has this unit of these rows.
        odd += unsafe { columns.rows::<I, BAGS>(group) };
        at += thread::grid_threads();
    }
    if odd > 0 && !invalid.is_empty() {
        // SAFETY: the first word, used atomically alone in this launch.
        unsafe { red_add(invalid.as_mut_ptr(), odd, Relaxed, Gpu, Global) };
    }
}

/// An element of the output.
pub trait Output: Real {
    /// The columns of a table whose elements are no wider than those of the output: as many at a time as 16 bytes of the
    /// output have.
    ///
    /// # Safety
    /// As [`embed_units`].
    unsafe fn of_narrow<I: Index, R: Cell, const BAGS: bool>(columns: Columns<Self>, group: u32) -> u64;
}

macro_rules! outputs {
    ($($ty:ty = $lanes:literal;)*) => {$(
        impl Output for $ty {
            #[inline(always)]
            unsafe fn of_narrow<I: Index, R: Cell, const BAGS: bool>(columns: Columns<Self>, group: u32) -> u64 {
                // SAFETY: promised by the caller.
                unsafe { columns.each::<I, R, $lanes, BAGS>(group) }
            }
        }
    )*};
}
outputs! { f32 = 4; f16 = 8; bf16 = 8; }

/// A unit: some columns of all output rows.
pub struct Columns<T> {
    feature: Feature,
    unit: u32,
    y: *mut T,
    extent: EmbedExtent,
}

impl<T: Output> Columns<T> {
    /// The columns of every `extent.groups`-th group of rows from number `group` on. Gives how many indices and bags are not
    /// valid; only the first unit of a feature counts them.
    ///
    /// # Safety
    /// As [`embed_units`]; the columns of these rows are this thread's own.
    #[inline(always)]
    unsafe fn rows<I: Index, const BAGS: bool>(self, group: u32) -> u64 {
        // SAFETY: promised by the caller; the table's elements are those of its kind.
        unsafe {
            match self.feature.table {
                _ if self.feature.unit == 1 => self.each::<I, AnyCell, 1, BAGS>(group),
                F16 => T::of_narrow::<I, f16, BAGS>(self, group),
                BF16 => T::of_narrow::<I, bf16, BAGS>(self, group),
                CODES => T::of_narrow::<I, u8, BAGS>(self, group),
                _ => self.each::<I, f32, 4, BAGS>(group),
            }
        }
    }

    /// [`Columns::rows`] of a table of `R`, `V` elements at a time.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    unsafe fn each<I: Index, R: Cell, const V: usize, const BAGS: bool>(self, group: u32) -> u64 {
        let Self { feature, unit, y, extent } = self;
        let col = u64::from(unit - feature.first_unit) * V as u64;
        let target = y.wrapping_add((feature.col + col) as usize);
        let odd = if const { !BAGS } || feature.pooling == ONE || feature.pooling == DENSE {
            // SAFETY: promised by the caller.
            unsafe { looked_up::<I, R, T, V>(&feature, col, (target, group), extent) }
        } else {
            // SAFETY: promised by the caller.
            unsafe { pooled::<I, R, T, V>(&feature, col, (target, group), extent) }
        };
        if col == 0 { odd } else { 0 }
    }
}

/// The columns from `col` on of every `extent.groups`-th group of [`ROWS`] output rows from number `group` on, looked up.
///
/// # Safety
/// As [`Columns::rows`]; `target` is where they lie in output row 0.
#[inline(always)]
unsafe fn looked_up<I: Index, R: Cell, T: Output, const V: usize>(
    feature: &Feature,
    col: u64,
    (target, group): (*mut T, u32),
    extent: EmbedExtent,
) -> u64 {
    let mut first = u64::from(group) * ROWS as u64;
    let mut odd = 0;
    while first < extent.batch {
        // SAFETY: there is an index or a row for each output row.
        let looked = unsafe { look_up::<I, R, V>(feature, (first, extent.batch), col) };
        odd += looked.invalid;
        unroll!(for r in 0..ROWS {
            let row = first + r as u64;
            if row < extent.batch {
                // SAFETY: this thread's columns of that row.
                unsafe {
                    store(target.wrapping_add((row * extent.stride) as usize), looked.pieces[r].values())
                };
            }
        });
        first += u64::from(extent.groups) * ROWS as u64;
    }
    odd
}

/// The columns from `col` on of every `extent.groups`-th output row from number `group` on, pooled.
///
/// # Safety
/// As [`looked_up`].
#[inline(always)]
unsafe fn pooled<I: Index, R: Cell, T: Output, const V: usize>(
    feature: &Feature,
    col: u64,
    (target, group): (*mut T, u32),
    extent: EmbedExtent,
) -> u64 {
    let mut row = u64::from(group);
    let mut odd = 0;
    while row < extent.batch {
        // SAFETY: there is such an output row.
        let (values, invalid) = unsafe { pool::<I, R, V>(feature, row, col) };
        odd += invalid;
        // SAFETY: this thread's columns of that row.
        unsafe { store(target.wrapping_add((row * extent.stride) as usize), values) };
        row += u64::from(extent.groups);
    }
    odd
}

/// Writes neighbouring elements of an output row.
///
/// # Safety
/// They may be written, and begin at a multiple of their bytes.
#[inline(always)]
unsafe fn store<T: Real, const V: usize>(target: *mut T, values: [f32; V]) {
    let mut elements = [T::ZERO; V];
    unroll!(for v in 0..V {
        elements[v] = T::from_f32(values[v]);
    });
    // SAFETY: promised by the caller.
    unsafe { st_global_wb::<[T; V]>(target.cast(), elements) };
}
