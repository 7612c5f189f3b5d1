//! Rows for the columns of a unit: looked up, or pooled.

use gpu_std::math::{div_rn_f32, fma_rn_f32};
use gpu_std::mem::ld_global_nc;
use gpu_std::unroll;
use gpu_std::unroll::filled;

use super::ROWS;
use super::feature::{DENSE, Feature, Index, MEAN, NO_PADDING, WEIGHTED};
use super::table::{Cell, Piece};

/// Rows of a bag that are loaded before the first of them is added.
const DEPTH: usize = 4;

/// The row of an index that asks for none.
pub const NO_ROW: u64 = u64::MAX;

/// The row that an index asks for, or [`NO_ROW`] for padding and for what is not valid; and whether it is not valid.
#[inline(always)]
pub fn row_of(feature: &Feature, index: u64) -> (u64, bool) {
    let is_row = index < feature.rows;
    // −1 has the bits of what stands for none.
    let is_padding = index == feature.padding && index != NO_PADDING;
    (if is_row && !is_padding { index } else { NO_ROW }, !is_row && !is_padding)
}

/// Index number `at`.
///
/// # Safety
/// The feature has it; nothing writes it in this launch.
#[inline(always)]
pub unsafe fn index_at<I: Index>(feature: &Feature, at: u64) -> u64 {
    // SAFETY: promised by the caller.
    unsafe { ld_global_nc((feature.indices_at as *const I).add(at as usize)) }.widen()
}

/// The bag of an output row: its first index, and the first one behind. `None` where it does not lie within the list.
///
/// # Safety
/// The feature has the offsets of the row; nothing writes them in this launch.
#[inline(always)]
pub unsafe fn bag_at<I: Index>(feature: &Feature, row: u64) -> Option<(u64, u64)> {
    let offsets = (feature.offsets_at as *const I).wrapping_add(row as usize);
    // SAFETY: promised by the caller.
    let (start, end) = unsafe { (ld_global_nc(offsets).widen(), ld_global_nc(offsets.add(1)).widen()) };
    if start <= end && end <= feature.len { Some((start, end)) } else { None }
}

/// Columns of some neighbouring output rows, and how many indices or bags among them are not valid.
pub struct Looked<R, const V: usize> {
    /// The elements of each row.
    pub pieces: [Piece<R, V>; ROWS],
    /// Indices that are not valid.
    pub invalid: u64,
}

/// The rows of the table that the output rows from `first` on ask for, as far as there are output rows; zeros for others.
///
/// # Safety
/// - The feature is [`ONE`](super::feature::ONE) or [`DENSE`] and has an index, or a row, for each of `batch` output rows.
/// - Its rows have the `V` elements from `col` on, at a multiple of their size.
#[inline(always)]
pub unsafe fn look_up<I: Index, R: Cell, const V: usize>(
    feature: &Feature,
    (first, batch): (u64, u64),
    col: u64,
) -> Looked<R, V> {
    let mut rows = [NO_ROW; ROWS];
    let mut invalid = 0;
    unroll!(for r in 0..ROWS {
        let row = first + r as u64;
        if row < batch {
            rows[r] = row;
            if feature.pooling != DENSE {
                // SAFETY: there is an index for each output row.
                let (row, is_invalid) = row_of(feature, unsafe { index_at::<I>(feature, row) });
                rows[r] = row;
                invalid += u64::from(is_invalid);
            }
        }
    });
    let mut pieces = [Piece::ZEROS; ROWS];
    unroll!(for r in 0..ROWS {
        if rows[r] != NO_ROW {
            // SAFETY: the table has the row; the rest is promised by the caller.
            pieces[r] = unsafe { Piece::load(feature, rows[r], col) };
        }
    });
    Looked { pieces, invalid }
}

/// The columns of a bag, and how many of its indices are not valid, or 1 for a bag that is not.
///
/// Rows are added in the order of their indices, in f32; a row without a weight has weight 1, which changes no bit.
///
/// # Safety
/// - The feature has offsets of output row `row`, indices as many as it says, and a weight for each of them where it is
///   [`WEIGHTED`].
/// - Its rows have the `V` elements from `col` on, at a multiple of their size.
#[inline(always)]
pub unsafe fn pool<I: Index, R: Cell, const V: usize>(
    feature: &Feature,
    row: u64,
    col: u64,
) -> ([f32; V], u64) {
    let mut sum: [f32; V] = filled(0.0);
    // SAFETY: promised by the caller.
    let Some((start, end)) = (unsafe { bag_at::<I>(feature, row) }) else { return (sum, 1) };
    let (mut counted, mut invalid) = (0_u64, 0);
    let mut at = start;
    while at < end {
        let mut rows = [NO_ROW; DEPTH];
        unroll!(for i in 0..DEPTH {
            if at + (i as u64) < end {
                // SAFETY: the bag lies within the list.
                let (row, is_invalid) = row_of(feature, unsafe { index_at::<I>(feature, at + i as u64) });
                rows[i] = row;
                invalid += u64::from(is_invalid);
            }
        });
        let mut pieces: [Piece<R, V>; DEPTH] = [Piece::ZEROS; DEPTH];
        let mut weights = [1.0_f32; DEPTH];
        unroll!(for i in 0..DEPTH {
            if rows[i] != NO_ROW {
                counted += 1;
                // SAFETY: the table has the row; the rest is promised by the caller.
                pieces[i] = unsafe { Piece::load(feature, rows[i], col) };
                if feature.pooling == WEIGHTED {
                    let weight = (feature.weights_at as *const f32).wrapping_add((at + i as u64) as usize);
                    // SAFETY: there is a weight for each index.
                    weights[i] = unsafe { ld_global_nc(weight) };
                }
            }
        });
        unroll!(for i in 0..DEPTH {
            // What is not there would change the sign of a zero, and times an infinite weight be NaN.
            let is_row = rows[i] != NO_ROW;
            let values = pieces[i].values();
            unroll!(for v in 0..V {
                let with = fma_rn_f32(weights[i], values[v], sum[v]);
                sum[v] = if is_row { with } else { sum[v] };
            });
        });
        at += DEPTH as u64;
    }
    if feature.pooling == MEAN && counted > 0 {
        unroll!(for v in 0..V {
            sum[v] = div_rn_f32(sum[v], counted as f32);
        });
    }
    (sum, invalid)
}
