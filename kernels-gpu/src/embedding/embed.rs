//! y[b, columns of s] = table_s[index_s[b]], or dense[b]; columns of all features side by side
//!
//! Shapes     y: [batch, columns], rows any number of elements apart; features: what each is, see `feature`; unit_features: the
//!            feature of each unit; found: what `embed_check` has found, or nothing; invalid: \[1\] or nothing
//! Types      tables f32, f16, bf16, or u8 with f32 scale and bias; indices of 32 or 64 bits; f32, f16, bf16 out, rounded once
//! Launch     1-D, block 256, a thread for each unit of `ROWS` rows at a time; any grid covers everything
//! Traffic    for each row of a table that is read its bytes and those of its index, and y
//! Tolerance  exact

use gpu_std::{GridMut, bf16, f16, kernel};

use super::BLOCK;
use super::columns::{Output, Units, embed_units};
use super::feature::{EmbedExtent, Feature, Index};

/// A row of each feature's table for each sample, side by side.
///
/// # Safety
/// As [`embed_units`]; no feature has bags.
#[kernel(block = BLOCK, max_registers = 80, instances(
    i32_f32 = (u32, f32), i32_f16 = (u32, f16), i32_bf16 = (u32, bf16),
    i64_f32 = (u64, f32), i64_f16 = (u64, f16), i64_bf16 = (u64, bf16)
))]
pub unsafe fn embed<I: Index, T: Output>(
    features: &[Feature],
    unit_features: &[u32],
    found: &[u64],
    mut y: GridMut<T>,
    mut invalid: GridMut<u64>,
    extent: EmbedExtent,
) {
    let units = Units { features, unit_features, found };
    // SAFETY: promised by the caller.
    unsafe { embed_units::<I, T, false>(units, &mut y, &mut invalid, extent) };
}
