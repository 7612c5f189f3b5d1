//! Features on a device, and what any feature must satisfy.

use gpu_std::launch::{DeviceSlice, SliceArg};
use kernels_gpu::embedding::feature as kind;

use super::table::Table;
use super::{EmbeddingError, MAX_FEATURES, MAX_WIDTH};
use crate::backend::Device;
use crate::error::Error;
use crate::ops::MatrixRef;

/// Indices or offsets.
#[derive(Clone, Copy, Debug)]
pub enum Indices<'a> {
    /// Unsigned, 32 bits.
    U32(DeviceSlice<'a, u32>),
    /// Signed, 32 bits.
    I32(DeviceSlice<'a, i32>),
    /// Signed, 64 bits.
    I64(DeviceSlice<'a, i64>),
}

/// Which rows of its table a feature has for each sample.
#[derive(Clone, Copy, Debug)]
pub enum Lookup<'a> {
    /// One each.
    One(Indices<'a>),
    /// Those of a bag: for sample b the indices from number `offsets[b]` to before number `offsets[b + 1]`.
    Bags {
        /// The indices of all bags, one bag after the other. Some may lie in no bag.
        indices: Indices<'a>,
        /// One more than there are samples.
        offsets: Indices<'a>,
        /// What becomes of the rows of a bag.
        pooling: Pooling<'a>,
    },
}

/// What becomes of the rows of a bag.
#[derive(Clone, Copy, Debug)]
pub enum Pooling<'a> {
    /// Their sum.
    Sum,
    /// Their sum over their number.
    Mean,
    /// The sum of each times its weight, one for each index.
    Weighted(DeviceSlice<'a, f32>),
}

/// A feature: its table, and its rows for each sample. Several may share a table.
#[derive(Clone, Copy, Debug)]
pub struct Feature<'a> {
    /// The table.
    pub table: Table<'a>,
    /// The rows.
    pub lookup: Lookup<'a>,
    /// The index that stands for no row.
    pub padding_idx: Option<u64>,
}

impl<'a> Feature<'a> {
    /// A row of `table` for each of `indices`.
    pub const fn new(table: Table<'a>, indices: Indices<'a>) -> Self {
        Self { table, lookup: Lookup::One(indices), padding_idx: None }
    }
}

/// Features that are numbers already: a row for each sample.
#[derive(Clone, Copy, Debug)]
pub enum Dense<'a> {
    /// Of f32.
    F32(MatrixRef<'a, f32>),
    /// Of f16.
    F16(MatrixRef<'a, gpu_std::f16>),
    /// Of bf16.
    Bf16(MatrixRef<'a, gpu_std::bf16>),
}

impl<'a> Dense<'a> {
    /// As a table, of which sample b has row b.
    pub(super) const fn table(self) -> Table<'a> {
        match self {
            Self::F32(rows) => Table::F32(rows),
            Self::F16(rows) => Table::F16(rows),
            Self::Bf16(rows) => Table::Bf16(rows),
        }
    }
}

impl Indices<'_> {
    pub(super) const fn len(&self) -> u64 {
        match self {
            Self::U32(list) => list.len(),
            Self::I32(list) => list.len(),
            Self::I64(list) => list.len(),
        }
    }

    pub(super) const fn addr(&self) -> u64 {
        match self {
            Self::U32(list) => list.addr(),
            Self::I32(list) => list.addr(),
            Self::I64(list) => list.addr(),
        }
    }

    pub(super) const fn bits(&self) -> u32 {
        match self {
            Self::U32(_) | Self::I32(_) => 32,
            Self::I64(_) => 64,
        }
    }

    /// The first number that it cannot hold, read as the kernels read it: as unsigned.
    pub(super) const fn end(&self) -> u64 {
        match self {
            Self::U32(_) => 1 << 32,
            Self::I32(_) => 1 << 31,
            Self::I64(_) => 1 << 63,
        }
    }

    pub(super) fn read(&self, name: &'static str) -> SliceArg {
        match self {
            Self::U32(list) => SliceArg::read(name, list),
            Self::I32(list) => SliceArg::read(name, list),
            Self::I64(list) => SliceArg::read(name, list),
        }
    }

    /// Numbers `at` and those behind it, `count` in all.
    pub(super) fn values<D: Device>(&self, device: &D, at: u64, count: u64) -> Result<Vec<i64>, Error> {
        let range = at..at + count;
        Ok(match self {
            Self::U32(list) => device.download(list.slice(range)?)?.into_iter().map(i64::from).collect(),
            Self::I32(list) => device.download(list.slice(range)?)?.into_iter().map(i64::from).collect(),
            Self::I64(list) => device.download(list.slice(range)?)?,
        })
    }
}

impl Lookup<'_> {
    pub(super) const fn indices(&self) -> &Indices<'_> {
        match self {
            Self::One(indices) | Self::Bags { indices, .. } => indices,
        }
    }

    /// What the kernels call the pooling.
    pub(super) const fn kind(&self) -> u32 {
        match self {
            Self::One(_) => kind::ONE,
            Self::Bags { pooling: Pooling::Sum, .. } => kind::SUM,
            Self::Bags { pooling: Pooling::Mean, .. } => kind::MEAN,
            Self::Bags { pooling: Pooling::Weighted(_), .. } => kind::WEIGHTED,
        }
    }
}

/// The extents of a feature, wherever it lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Extents {
    /// Rows of the table.
    pub rows: u64,
    /// Elements of a row.
    pub width: u64,
    /// Number of indices.
    pub indices: u64,
    /// Number of offsets, where there are bags.
    pub offsets: Option<u64>,
    /// Number of weights, where there are some.
    pub weights: Option<u64>,
}

impl Extents {
    fn check(&self, feature: usize, batch: u64) -> Result<(), EmbeddingError> {
        let Self { rows, width, indices, offsets, weights } = *self;
        if rows == 0 {
            return Err(EmbeddingError::EmptyTable { feature });
        }
        if !(1..=MAX_WIDTH).contains(&width) {
            return Err(EmbeddingError::Width { feature, width });
        }
        let length = |what, got, want| match got == want {
            true => Ok(()),
            false => Err(EmbeddingError::Length { feature, what, got, batch, want }),
        };
        match offsets {
            None => length("indices", indices, batch)?,
            Some(offsets) => length("offsets", offsets, batch.saturating_add(1))?,
        }
        match weights {
            Some(got) if got != indices => Err(EmbeddingError::Weights { feature, got, want: indices }),
            _ => Ok(()),
        }
    }
}

/// Checks features beside each other: the columns they have together.
///
/// # Errors
/// All of [`EmbeddingError`] that extents tell.
pub(crate) fn check_features(
    features: &[Extents],
    dense: Option<(u64, u64)>,
    batch: u64,
) -> Result<u64, EmbeddingError> {
    match features.len() {
        0 => return Err(EmbeddingError::NoFeatures { limit: MAX_FEATURES }),
        got if got > MAX_FEATURES => {
            return Err(EmbeddingError::TooManyFeatures { got, limit: MAX_FEATURES });
        }
        _ => {}
    }
    features.iter().enumerate().try_for_each(|(number, feature)| feature.check(number, batch))?;
    let mut columns: u64 = features.iter().map(|feature| feature.width).sum();
    if let Some((rows, cols)) = dense {
        if rows != batch {
            return Err(EmbeddingError::DenseRows { got: rows, batch });
        }
        columns = columns.saturating_add(cols);
    }
    /// Columns that the kernels count, each as a unit.
    const LIMIT: u64 = 1 << 30;
    if columns > LIMIT {
        return Err(EmbeddingError::TooWide { got: columns, limit: LIMIT });
    }
    Ok(columns)
}
