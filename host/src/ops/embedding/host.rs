//! The same in host memory: what CPU twin and reference are given.

use gpu_std::{bf16, f16};

use super::feature::{Extents, check_features};
use super::{EmbeddingError, STEPS_BYTES};
use crate::ops::{HostRef, Layout};

/// A table in host memory; see [`Table`](super::Table).
#[derive(Clone, Copy, Debug)]
pub enum HostTable<'a> {
    /// Of f32.
    F32(HostRef<'a, f32>),
    /// Of f16.
    F16(HostRef<'a, f16>),
    /// Of bf16.
    Bf16(HostRef<'a, bf16>),
    /// Of codes, and a scale and a bias for each row.
    Codes(HostRef<'a, u8>, HostRef<'a, f32>),
    /// Of codes, with scale and bias behind those of each row.
    Fused(HostRef<'a, u8>),
}

/// Indices or offsets in host memory; see [`Indices`](super::Indices).
#[derive(Clone, Copy, Debug)]
pub enum HostIndices<'a> {
    /// Unsigned, 32 bits.
    U32(&'a [u32]),
    /// Signed, 32 bits.
    I32(&'a [i32]),
    /// Signed, 64 bits.
    I64(&'a [i64]),
}

impl HostIndices<'_> {
    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        match self {
            Self::U32(list) => list.len(),
            Self::I32(list) => list.len(),
            Self::I64(list) => list.len(),
        }
    }

    /// Whether there are none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number `at`.
    ///
    /// # Panics
    /// Where there is none.
    #[must_use]
    pub fn get(&self, at: usize) -> i64 {
        match self {
            Self::U32(list) => list[at].into(),
            Self::I32(list) => list[at].into(),
            Self::I64(list) => list[at],
        }
    }
}

/// Which rows of its table a feature has; see [`Lookup`](super::Lookup).
#[derive(Clone, Copy, Debug)]
pub enum HostLookup<'a> {
    /// One for each sample.
    One(HostIndices<'a>),
    /// Those of a bag.
    Bags {
        /// The indices of all bags.
        indices: HostIndices<'a>,
        /// One more than there are samples.
        offsets: HostIndices<'a>,
        /// What becomes of the rows of a bag.
        pooling: HostPooling<'a>,
    },
}

/// What becomes of the rows of a bag; see [`Pooling`](super::Pooling).
#[derive(Clone, Copy, Debug)]
pub enum HostPooling<'a> {
    /// Their sum.
    Sum,
    /// Their sum over their number.
    Mean,
    /// The sum of each times its weight.
    Weighted(&'a [f32]),
}

/// A feature in host memory; see [`Feature`](super::Feature).
#[derive(Clone, Copy, Debug)]
pub struct HostFeature<'a> {
    /// The table.
    pub table: HostTable<'a>,
    /// The rows.
    pub lookup: HostLookup<'a>,
    /// The index that stands for no row.
    pub padding_idx: Option<u64>,
}

/// Dense features in host memory; see [`Dense`](super::Dense).
#[derive(Clone, Copy, Debug)]
pub enum HostDense<'a> {
    /// Of f32.
    F32(HostRef<'a, f32>),
    /// Of f16.
    F16(HostRef<'a, f16>),
    /// Of bf16.
    Bf16(HostRef<'a, bf16>),
}

impl<'a> HostDense<'a> {
    /// As a table, of which sample b has row b.
    #[must_use]
    pub const fn table(self) -> HostTable<'a> {
        match self {
            Self::F32(rows) => HostTable::F32(rows),
            Self::F16(rows) => HostTable::F16(rows),
            Self::Bf16(rows) => HostTable::Bf16(rows),
        }
    }
}

impl HostTable<'_> {
    fn layout(&self) -> Layout {
        match self {
            Self::F32(rows) => rows.layout(),
            Self::F16(rows) => rows.layout(),
            Self::Bf16(rows) => rows.layout(),
            Self::Codes(rows, _) | Self::Fused(rows) => rows.layout(),
        }
    }

    /// Rows.
    #[must_use]
    pub fn rows(&self) -> u64 {
        self.layout().rows()
    }

    /// Elements of a row.
    #[must_use]
    pub fn width(&self) -> u64 {
        let cols = self.layout().cols();
        match self {
            Self::Fused(_) => cols.saturating_sub(STEPS_BYTES),
            _ => cols,
        }
    }
}

impl<'a> HostFeature<'a> {
    /// The list of its indices.
    #[must_use]
    pub const fn indices(&self) -> HostIndices<'a> {
        match self.lookup {
            HostLookup::One(indices) | HostLookup::Bags { indices, .. } => indices,
        }
    }

    /// The bag of a sample: its first index, and the first one behind; `None` where it is not in order or not within the list.
    #[must_use]
    pub fn bag(&self, sample: usize) -> Option<(usize, usize)> {
        match self.lookup {
            HostLookup::One(_) => Some((sample, sample + 1)),
            HostLookup::Bags { indices, offsets, .. } => {
                let (start, end) = (offsets.get(sample), offsets.get(sample + 1));
                let is_valid = 0 <= start && start <= end && end as u64 <= indices.len() as u64;
                is_valid.then_some((start as usize, end as usize))
            }
        }
    }

    fn extents(&self) -> Extents {
        let (offsets, weights) = match self.lookup {
            HostLookup::One(_) => (None, None),
            HostLookup::Bags { offsets, pooling: HostPooling::Weighted(weights), .. } => {
                (Some(offsets.len() as u64), Some(weights.len() as u64))
            }
            HostLookup::Bags { offsets, .. } => (Some(offsets.len() as u64), None),
        };
        let (rows, width) = (self.table.rows(), self.table.width());
        Extents { rows, width, indices: self.indices().len() as u64, offsets, weights }
    }
}

/// Checks features and dense features for an output of `batch` rows and `cols` columns.
///
/// # Errors
/// All of [`EmbeddingError`] that extents tell.
pub(crate) fn check(
    features: &[HostFeature<'_>],
    dense: Option<HostDense<'_>>,
    [batch, cols]: [u64; 2],
) -> Result<(), EmbeddingError> {
    for feature in features {
        if let HostTable::Codes(codes, steps) = feature.table {
            let (codes, at) = (codes.layout().rows(), steps.layout());
            if (at.rows(), at.cols()) != (codes, 2) {
                return Err(EmbeddingError::StepsShape { rows: at.rows(), cols: at.cols(), codes });
            }
        }
    }
    let extents: Vec<Extents> = features.iter().map(HostFeature::extents).collect();
    let dense = dense.map(|dense| (dense.table().rows(), dense.table().width()));
    let want = check_features(&extents, dense, batch)?;
    if cols == want { Ok(()) } else { Err(EmbeddingError::Columns { got: cols, want }) }
}
