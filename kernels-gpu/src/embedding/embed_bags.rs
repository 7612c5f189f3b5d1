//! y[b, columns of s] = the sum or mean of the rows of bag b of feature s, or what `embed` gives; columns side by side
//!
//! Shapes     as `embed`
//! Types      as `embed`; sums in f32, in the order of the indices, rounded once more where y is narrower
//! Launch     1-D, block 256, a thread for each unit; any grid covers everything
//! Traffic    for each row of a table that is read its bytes, those of its index and its weight, offsets, and y
//! Tolerance  exact

use gpu_std::{GridMut, bf16, f16, kernel};

use super::BLOCK;
use super::columns::{Output, Units, embed_units};
use super::feature::{EmbedExtent, Feature, Index};

/// Rows or pooled bags of each feature for each sample, side by side.
///
/// # Safety
/// As [`embed_units`].
#[kernel(block = BLOCK, max_registers = 128, instances(
    i32_f32 = (u32, f32), i32_f16 = (u32, f16), i32_bf16 = (u32, bf16),
    i64_f32 = (u64, f32), i64_f16 = (u64, f16), i64_bf16 = (u64, bf16)
))]
pub unsafe fn embed_bags<I: Index, T: Output>(
    features: &[Feature],
    unit_features: &[u32],
    found: &[u64],
    mut y: GridMut<T>,
    mut invalid: GridMut<u64>,
    extent: EmbedExtent,
) {
    let units = Units { features, unit_features, found };
    // SAFETY: promised by the caller.
    unsafe { embed_units::<I, T, true>(units, &mut y, &mut invalid, extent) };
}
