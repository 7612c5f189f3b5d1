//! Embedding in plain loops: the order of operations is part of what is promised, each rounded to f32 once.

use super::round::{round, widen};
use crate::ops::Scalar;
use crate::ops::embedding::{HostDense, HostFeature, HostLookup, HostPooling, HostTable};

/// The features of one sample side by side, and how many of its indices and bags are not valid.
pub fn embed_cpu<T: Scalar>(
    features: &[HostFeature<'_>],
    dense: Option<HostDense<'_>>,
    sample: usize,
) -> (Vec<T>, u64) {
    let (mut row, mut invalid) = (Vec::new(), 0);
    for feature in features {
        for col in 0..feature.table.width() as usize {
            let (value, odd) = element(feature, sample, col);
            row.push(round(value.into()));
            // Once for the feature.
            invalid += if col == 0 { odd } else { 0 };
        }
    }
    if let Some(dense) = dense {
        let table = dense.table();
        row.extend((0..table.width() as usize).map(|col| round::<T>(cell(&table, sample, col).into())));
    }
    (row, invalid)
}

/// Column `col` of a feature for a sample.
fn element(feature: &HostFeature<'_>, sample: usize, col: usize) -> (f32, u64) {
    let (indices, places, pooling) = match feature.lookup {
        HostLookup::One(indices) => (indices, sample as i64..sample as i64 + 1, None),
        HostLookup::Bags { indices, offsets, pooling } => {
            (indices, offsets.get(sample)..offsets.get(sample + 1), Some(pooling))
        }
    };
    if places.start < 0 || places.start > places.end || places.end > indices.len() as i64 {
        return (0.0, 1);
    }
    let (mut sum, mut count, mut invalid) = (0.0_f32, 0_u32, 0);
    for place in places {
        let index = indices.get(place as usize);
        if index >= 0 && feature.padding_idx == Some(index as u64) {
            continue;
        }
        if index < 0 || index >= feature.table.rows() as i64 {
            invalid += 1;
            continue;
        }
        let value = cell(&feature.table, index as usize, col);
        count += 1;
        sum = match pooling {
            None => value,
            Some(HostPooling::Sum | HostPooling::Mean) => rounded(f64::from(sum) + f64::from(value)),
            Some(HostPooling::Weighted(weights)) => weights[place as usize].mul_add(value, sum),
        };
    }
    match pooling {
        Some(HostPooling::Mean) if count > 0 => (rounded(f64::from(sum) / f64::from(count)), invalid),
        _ => (sum, invalid),
    }
}

/// An element of a table. Sum and quotient of two f32 in f64 round to the f32 that they round to at once.
fn cell(table: &HostTable<'_>, row: usize, col: usize) -> f32 {
    let row = row as u64;
    match table {
        HostTable::F32(rows) => rows.row(row)[col],
        HostTable::F16(rows) => rounded(widen(rows.row(row)[col])),
        HostTable::Bf16(rows) => rounded(widen(rows.row(row)[col])),
        HostTable::Codes(codes, steps) => {
            f32::mul_add(steps.row(row)[0], codes.row(row)[col].into(), steps.row(row)[1])
        }
        HostTable::Fused(rows) => {
            let bytes = rows.row(row);
            let number = |at: usize| {
                let bits = (0..4).map(|i| u32::from(bytes[at + i]) << (8 * i)).sum();
                f32::from_bits(bits)
            };
            let steps = bytes.len() - 8;
            f32::mul_add(number(steps), bytes[col].into(), number(steps + 4))
        }
    }
}

fn rounded(x: f64) -> f32 {
    round(x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ops::embedding::HostIndices;
    use crate::ops::{HostRef, Layout};

    fn rows<T>(data: &[T], cols: u64) -> HostRef<'_, T> {
        let rows = data.len() as u64 / cols;
        HostRef::new(data, Layout::new(rows, cols, cols).expect("it is small")).expect("it fits")
    }

    #[test]
    fn bags_by_hand() {
        let table = HostTable::F32(rows(&[1.0_f32, 10.0, 2.0, 20.0, 4.0, 40.0], 2));
        let (indices, offsets) = ([0, 2, 1, 1, 7, -1], [0, 2, 2, 6]);
        let of = |pooling, padding_idx| {
            let (indices, offsets) = (HostIndices::I64(&indices), HostIndices::I64(&offsets));
            HostFeature { table, lookup: HostLookup::Bags { indices, offsets, pooling }, padding_idx }
        };
        let row = |feature, sample| embed_cpu::<f32>(&[feature], None, sample);
        assert_eq!(row(of(HostPooling::Sum, None), 0), (vec![5.0, 50.0], 0));
        assert_eq!(row(of(HostPooling::Sum, None), 1), (vec![0.0, 0.0], 0));
        assert_eq!(row(of(HostPooling::Mean, None), 2), (vec![2.0, 20.0], 2));
        assert_eq!(row(of(HostPooling::Mean, Some(2)), 0), (vec![1.0, 10.0], 0));
        let weights = [0.5, 0.25, 1.0, 3.0, 9.0, 9.0];
        assert_eq!(row(of(HostPooling::Weighted(&weights), None), 0), (vec![1.5, 15.0], 0));
        assert_eq!(row(of(HostPooling::Weighted(&weights), Some(7)), 2), (vec![8.0, 80.0], 1));
    }

    #[test]
    fn codes_stand_for_scale_times_code_plus_bias() {
        let mut fused = vec![0_u8, 128, 255];
        fused.extend(0.5_f32.to_le_bytes());
        fused.extend((-3.0_f32).to_le_bytes());
        let (codes, steps) = ([0_u8, 128, 255], [0.5_f32, -3.0]);
        for table in [HostTable::Fused(rows(&fused, 11)), HostTable::Codes(rows(&codes, 3), rows(&steps, 2))]
        {
            let lookup = HostLookup::One(HostIndices::U32(&[0]));
            let feature = HostFeature { table, lookup, padding_idx: None };
            assert_eq!(embed_cpu::<f32>(&[feature], None, 0), (vec![-3.0, 61.0, 124.5], 0));
        }
    }

    #[test]
    fn bags_that_do_not_lie_in_the_list_are_zeros() {
        let table = HostTable::F32(rows(&[1.0_f32, 2.0], 1));
        let indices = HostIndices::I64(&[0, 1]);
        for offsets in [[-1, 1], [1, 0], [0, 3], [i64::MIN, i64::MAX]] {
            let lookup =
                HostLookup::Bags { indices, offsets: HostIndices::I64(&offsets), pooling: HostPooling::Sum };
            let feature = HostFeature { table, lookup, padding_idx: None };
            assert_eq!(embed_cpu::<f32>(&[feature], None, 0), (vec![0.0], 1), "{offsets:?}");
        }
    }
}
