//! Embedding: threads over samples, rows added as vectors.

use gpu_std::Real;
use rayon::prelude::*;

use crate::cpu::CpuScalar;
use crate::ops::embedding::{
    EmbeddingError, HostDense, HostFeature, HostLookup, HostPooling, HostTable, check_host,
};
use crate::ops::{HostMut, OpError};

/// Samples that a thread takes at a time.
const SAMPLES: usize = 64;

/// The features of every sample: see [`embed`](crate::ops::embedding::embed). Gives how many indices and bags are not valid; they
/// add nothing.
///
/// # Errors
/// All of [`EmbeddingError`] that extents tell; nothing has been written then.
pub fn embed<T: CpuScalar>(
    features: &[HostFeature<'_>],
    dense: Option<HostDense<'_>>,
    y: &mut HostMut<'_, T>,
) -> Result<u64, OpError> {
    let layout = y.layout();
    check_host(features, dense, [layout.rows(), layout.cols()])?;
    let (cols, stride) = (layout.cols() as usize, layout.stride() as usize);
    let stride = if layout.rows() > 1 { stride } else { cols };
    if cols == 0 || layout.rows() == 0 {
        return Ok(0);
    }
    let parts = y.data_mut().par_chunks_mut(stride * SAMPLES).enumerate();
    let invalid = parts.map(|(part, rows)| {
        let (mut sum, mut invalid) = (Vec::new(), 0);
        for (row, target) in rows.chunks_mut(stride).enumerate() {
            let sample = part * SAMPLES + row;
            let mut left = &mut target[..cols];
            for feature in features {
                let (columns, rest) = left.split_at_mut(feature.table.width() as usize);
                invalid += pool(feature, sample, &mut sum, columns.len());
                store(&sum, columns);
                left = rest;
            }
            if let Some(dense) = dense {
                sum.clear();
                sum.resize(left.len(), 0.0);
                copy(&dense.table(), sample, &mut sum);
                store(&sum, left);
            }
        }
        invalid
    });
    Ok(invalid.sum())
}

/// The first index or bag that is not valid, of the first feature that has one, as an error.
///
/// # Errors
/// [`EmbeddingError::Index`], [`EmbeddingError::Bag`].
///
/// # Panics
/// For features that [`embed`] refuses for `batch` samples.
pub fn check(features: &[HostFeature<'_>], batch: u64) -> Result<(), EmbeddingError> {
    for (number, feature) in features.iter().enumerate() {
        let (indices, rows) = (feature.indices(), feature.table.rows());
        let is_invalid = |at: &usize| {
            let index = indices.get(*at);
            !is_row(index, rows) && !is_padding(feature, index)
        };
        let samples = || (0..batch as usize).into_par_iter();
        let first = samples().filter_map(|sample| {
            let (start, end) = feature.bag(sample)?;
            (start..end).find(is_invalid)
        });
        // Positions first, as the device orders them.
        if let Some(position) = first.min() {
            let (feature, position, index) = (number, position as u64, indices.get(position));
            return Err(EmbeddingError::Index { feature, position, index, rows });
        }
        let bag = samples().find_first(|sample| feature.bag(*sample).is_none());
        if let (Some(row), HostLookup::Bags { offsets, .. }) = (bag, feature.lookup) {
            let (start, end) = (offsets.get(row), offsets.get(row + 1));
            let (feature, row, len) = (number, row as u64, indices.len() as u64);
            return Err(EmbeddingError::Bag { feature, row, start, end, len });
        }
    }
    Ok(())
}

const fn is_row(index: i64, rows: u64) -> bool {
    index >= 0 && (index as u64) < rows
}

fn is_padding(feature: &HostFeature<'_>, index: i64) -> bool {
    index >= 0 && feature.padding_idx == Some(index as u64)
}

/// Makes `sum` the columns of a feature for a sample; gives how many indices are not valid, or 1 for a bag that is not.
fn pool(feature: &HostFeature<'_>, sample: usize, sum: &mut Vec<f32>, width: usize) -> u64 {
    sum.clear();
    sum.resize(width, 0.0);
    let Some((start, end)) = feature.bag(sample) else { return 1 };
    let pooling = match feature.lookup {
        HostLookup::One(_) => None,
        HostLookup::Bags { pooling, .. } => Some(pooling),
    };
    let (indices, mut counted, mut invalid) = (feature.indices(), 0_u64, 0);
    for at in start..end {
        let index = indices.get(at);
        if is_padding(feature, index) {
            continue;
        }
        if !is_row(index, feature.table.rows()) {
            invalid += 1;
            continue;
        }
        counted += 1;
        match pooling {
            None => copy(&feature.table, index as usize, sum),
            Some(HostPooling::Weighted(weights)) => {
                add(&feature.table, index as usize, Some(weights[at]), sum)
            }
            Some(_) => add(&feature.table, index as usize, None, sum),
        }
    }
    if let (Some(HostPooling::Mean), 1..) = (pooling, counted) {
        sum.iter_mut().for_each(|sum| *sum /= counted as f32);
    }
    invalid
}

/// Calls `$each` with the place and the value of every element of a row.
macro_rules! row {
    ($table:expr, $row:expr, $sum:expr, $each:expr) => {
        match $table {
            HostTable::F32(rows) => zip($sum, rows.row($row as u64).iter().copied(), $each),
            HostTable::F16(rows) => zip($sum, rows.row($row as u64).iter().map(|x| Real::to_f32(*x)), $each),
            HostTable::Bf16(rows) => zip($sum, rows.row($row as u64).iter().map(|x| Real::to_f32(*x)), $each),
            HostTable::Codes(codes, steps) => {
                let (codes, steps) = (codes.row($row as u64), steps.row($row as u64));
                zip($sum, codes.iter().map(|code| steps[0].mul_add((*code).into(), steps[1])), $each)
            }
            HostTable::Fused(rows) => {
                let row = rows.row($row as u64);
                let (codes, steps) = row.split_at($sum.len());
                let step =
                    |at: usize| f32::from_le_bytes([steps[at], steps[at + 1], steps[at + 2], steps[at + 3]]);
                let (scale, bias) = (step(0), step(4));
                zip($sum, codes.iter().map(|code| scale.mul_add((*code).into(), bias)), $each)
            }
        }
    };
}

fn zip(sum: &mut [f32], values: impl Iterator<Item = f32>, each: impl Fn(&mut f32, f32)) {
    sum.iter_mut().zip(values).for_each(|(sum, value)| each(sum, value));
}

/// Makes `sum` row `row` of a table.
fn copy(table: &HostTable<'_>, row: usize, sum: &mut [f32]) {
    row!(table, row, sum, |sum, value| *sum = value);
}

/// Adds row `row` of a table to `sum`, times its weight where it has one.
fn add(table: &HostTable<'_>, row: usize, weight: Option<f32>, sum: &mut [f32]) {
    match weight {
        Some(weight) => row!(table, row, sum, |sum, value| *sum = weight.mul_add(value, *sum)),
        None => row!(table, row, sum, |sum, value| *sum += value),
    }
}

fn store<T: CpuScalar>(sum: &[f32], columns: &mut [T]) {
    columns.iter_mut().zip(sum).for_each(|(target, value)| *target = T::from_f32(*value));
}
