//! Tables, indices and dense features of a case, in host memory and on a device.

use gpu_std::DeviceRepr;

use super::buffers::{DeviceNumbers, DeviceRows, List, Matrix, Numbers, Rows, put, same};
use super::shape::Shape;
use crate::backend::{Buffer, Device};
use crate::error::Error;
use crate::ops::embedding::{
    CodedRows, Dense, Feature, HostDense, HostFeature, HostLookup, HostPooling, HostTable, Lookup, Pooling,
    STEPS_BYTES, Table,
};
use crate::ops::{Case, DType, Layout, OpError, Scalar, fill, mix};

/// A table: rows, and scales and biases where they lie apart.
#[derive(Clone, Debug)]
struct TableData {
    rows: Rows,
    steps: Option<Matrix<f32>>,
}

/// A feature: its table, and its rows.
#[derive(Clone, Debug)]
struct FeatureData {
    table: usize,
    indices: Numbers,
    /// Of bags.
    offsets: Option<Numbers>,
    weights: Option<List<f32>>,
    /// As in [`Shape::pool_of`].
    pool: u64,
    padding_idx: Option<u64>,
}

/// All of a case but its output.
#[derive(Clone, Debug)]
pub struct Data {
    tables: Vec<TableData>,
    features: Vec<FeatureData>,
    dense: Option<Rows>,
}

/// The same on a device.
pub struct OnDevice<D: Device> {
    tables: Vec<DeviceTable<D>>,
    features: Vec<DeviceFeature<D>>,
    dense: Option<DeviceRows<D>>,
}

/// A [`TableData`] on a device.
struct DeviceTable<D: Device> {
    rows: DeviceRows<D>,
    steps: Option<D::Buffer<f32>>,
}

/// A [`FeatureData`] on a device.
struct DeviceFeature<D: Device> {
    indices: DeviceNumbers<D>,
    offsets: Option<DeviceNumbers<D>>,
    weights: Option<D::Buffer<f32>>,
}

/// Makes values, or none.
struct Maker<'a> {
    case: &'a Case,
    shape: &'a Shape,
    has_values: bool,
}

impl Maker<'_> {
    fn matrix<T: DeviceRepr>(
        &self,
        (rows, cols, gap, offset): (u64, u64, u64, u64),
        values: impl FnOnce(usize) -> Vec<T>,
    ) -> Result<Matrix<T>, OpError> {
        let layout = Layout::new(rows, cols, cols + gap)?;
        let len = (offset + layout.span()) as usize;
        Ok(Matrix { data: if self.has_values { values(len) } else { Vec::new() }, layout, offset })
    }

    fn floats<T: Scalar>(&self, at: (u64, u64, u64, u64), seed: u64) -> Result<Matrix<T>, OpError> {
        let (rows, cols, gap, offset) = at;
        self.matrix(at, |len| {
            let mut all: Vec<T> = fill(self.case.values, seed, len);
            if self.shape.cancel {
                let scale = if T::DTYPE == DType::F16 { 4096.0 } else { 1_048_576.0 };
                let (stride, offset) = ((cols + gap) as usize, offset as usize);
                for (even, odd) in (0..rows as usize / 4).map(|pair| (2 * pair, 2 * pair + 1)) {
                    for col in 0..cols as usize {
                        let large = T::from_f32(all[offset + even * stride + col].to_f32() * scale);
                        all[offset + even * stride + col] = large;
                        all[offset + odd * stride + col] = -large;
                    }
                }
            }
            all
        })
    }

    /// Rows of a kind: f32, f16, bf16, codes, fused codes.
    fn rows(&self, kind: u64, at: (u64, u64, u64, u64), seed: u64) -> Result<TableData, OpError> {
        let (rows, cols, gap, offset) = at;
        // Rows that take each other away have the same codes.
        let code = |i: u64| if self.shape.cancel { mix(seed ^ (i % (cols + gap))) } else { mix(seed ^ i) };
        let codes = |len: usize| (0..len as u64).map(|i| code(i) as u8).collect::<Vec<u8>>();
        let steps = |row: u64| {
            let of = |row: u64| {
                [f32::from(mix(seed ^ row << 20) as u8) / 300.0, f32::from(mix(seed + row) as i8) / 7.0]
            };
            match (self.shape.cancel && row < rows / 4 * 2, row % 2) {
                (false, _) => of(row),
                (true, 0) => of(row).map(|x| x * 1_048_576.0),
                (true, _) => of(row - 1).map(|x| x * -1_048_576.0),
            }
        };
        Ok(match kind {
            0 => TableData { rows: Rows::F32(self.floats(at, seed)?), steps: None },
            1 => TableData { rows: Rows::F16(self.floats(at, seed)?), steps: None },
            2 => TableData { rows: Rows::Bf16(self.floats(at, seed)?), steps: None },
            3 => {
                let matrix = self.matrix((rows, 2, gap % 3, 0), |len| {
                    let mut all = vec![f32::NAN; len];
                    let stride = (2 + gap % 3) as usize;
                    (0..rows).for_each(|row| all[row as usize * stride..][..2].copy_from_slice(&steps(row)));
                    all
                })?;
                TableData { rows: Rows::Codes(self.matrix(at, codes)?), steps: Some(matrix) }
            }
            _ => {
                let fused = cols + STEPS_BYTES;
                let matrix = self.matrix((rows, fused, gap, offset), |len| {
                    let mut all = codes(len);
                    for row in 0..rows {
                        let [scale, bias] = steps(row).map(f32::to_le_bytes);
                        let start = (offset + row * (fused + gap) + cols) as usize;
                        all[start..start + 4].copy_from_slice(&scale);
                        all[start + 4..start + 8].copy_from_slice(&bias);
                    }
                    all
                })?;
                TableData { rows: Rows::Fused(matrix), steps: None }
            }
        })
    }

    fn numbers(&self, len: u64, value: impl Fn(u64) -> i64) -> Numbers {
        let len = if self.has_values { len } else { 0 };
        self.numbers_of(len, (0..len).map(value).collect())
    }

    fn numbers_of(&self, len: u64, values: Vec<i64>) -> Numbers {
        // What is bad may not fit 32 bits: it stays bad.
        match self.shape.bits {
            0 => Numbers::I64(List { data: values, len }),
            1 => Numbers::I32(List {
                data: values.into_iter().map(|x| x.clamp(i32::MIN.into(), i32::MAX.into()) as i32).collect(),
                len,
            }),
            _ => Numbers::U32(List { data: values.into_iter().map(|x| x as u32).collect(), len }),
        }
    }

    fn feature(&self, number: u64) -> FeatureData {
        let Shape { batch, rows, bad, padding, .. } = *self.shape;
        let (pool, len) = (self.shape.pool_of(number), self.shape.indices_of(number));
        let seed = mix(self.case.seed ^ number << 48);
        let index = |at: u64| {
            let draw = mix(seed ^ at);
            if self.shape.cancel {
                let large = 2 * (mix(seed ^ ((at / 4) << 20)) % (rows / 4));
                return match at % 4 {
                    0 => large as i64,
                    3 => large as i64 + 1,
                    _ => (rows / 2 + draw % (rows / 2)) as i64,
                };
            }
            match (bad & 1 == 1, draw >> 32 & 7) {
                (true, 0) => {
                    [rows as i64, -1, i64::MIN, i64::MAX, rows as i64 + 1][(draw >> 40) as usize % 5]
                }
                // Often enough for every place of a group of rows.
                _ if padding && draw >> 36 & 3 == 0 => (number % rows.max(1)) as i64,
                _ => (draw % rows.max(1)) as i64,
            }
        };
        let mut offsets = vec![0];
        if pool > 0 && self.has_values {
            (0..batch).for_each(|sample| {
                offsets.push(offsets[sample as usize] + self.shape.bag_of(number, sample) as i64)
            });
            if bad & 2 == 2 {
                for at in (0..=batch).filter(|at| mix(seed ^ at << 17).is_multiple_of(9)) {
                    offsets[at as usize] = [-1, len as i64 + 1, i64::MIN, i64::MAX][at as usize % 4];
                }
            }
        }
        let indices = match self.has_values {
            true => self.numbers(len, index),
            false => self.numbers_of(len, Vec::new()),
        };
        FeatureData {
            table: self.shape.table_of(number) as usize,
            indices,
            offsets: (pool > 0).then(|| match self.has_values {
                true => self.numbers_of(batch + 1, offsets),
                false => self.numbers_of(batch + 1, Vec::new()),
            }),
            weights: (pool == 3).then(|| {
                let mut data: Vec<f32> = match self.has_values {
                    true => fill(self.case.values, seed + 1, len as usize),
                    false => Vec::new(),
                };
                if self.shape.cancel {
                    data.chunks_exact_mut(4).for_each(|four| four[3] = four[0]);
                }
                List { data, len }
            }),
            pool,
            padding_idx: padding.then_some(number % rows.max(1)),
        }
    }
}

impl Data {
    /// The values of a case.
    ///
    /// # Errors
    /// A size that overflows.
    pub fn new(shape: &Shape, case: &Case) -> Result<Self, OpError> {
        Self::made(&Maker { case, shape, has_values: true })
    }

    /// Its extents alone.
    ///
    /// # Errors
    /// A size that overflows.
    pub fn without_values(shape: &Shape, case: &Case) -> Result<Self, OpError> {
        Self::made(&Maker { case, shape, has_values: false })
    }

    fn made(maker: &Maker<'_>) -> Result<Self, OpError> {
        let Shape { batch, features, dense, rows, gaps, offsets, dense_type, .. } = *maker.shape;
        let count = if features == 0 { 0 } else { maker.shape.table_of(features - 1) + 1 };
        let table = |number: u64| {
            let at = (rows, maker.shape.width_of(number), gaps[0], offsets[0]);
            maker.rows(maker.shape.kind(number), at, mix(maker.case.seed + number))
        };
        let tables = (0..count).map(table).collect::<Result<_, _>>()?;
        let dense = match dense {
            0 => None,
            _ => {
                Some(maker.rows(dense_type, (batch, dense, gaps[1], offsets[1]), maker.case.seed_of(1))?.rows)
            }
        };
        Ok(Self { tables, features: (0..features).map(|number| maker.feature(number)).collect(), dense })
    }

    /// Features and dense features as views.
    ///
    /// # Errors
    /// None for what was made with values.
    pub fn host(&self) -> Result<(Vec<HostFeature<'_>>, Option<HostDense<'_>>), OpError> {
        let dense = match &self.dense {
            None => None,
            Some(Rows::F16(rows)) => Some(HostDense::F16(rows.host()?)),
            Some(Rows::Bf16(rows)) => Some(HostDense::Bf16(rows.host()?)),
            Some(Rows::F32(rows)) => Some(HostDense::F32(rows.host()?)),
            Some(Rows::Codes(_) | Rows::Fused(_)) => None,
        };
        let features = self.features.iter().map(|feature| self.host_feature(feature));
        Ok((features.collect::<Result<_, _>>()?, dense))
    }

    fn host_feature<'s>(&'s self, feature: &'s FeatureData) -> Result<HostFeature<'s>, OpError> {
        let TableData { rows, steps } = &self.tables[feature.table];
        let table = match (rows, steps) {
            (Rows::F32(rows), _) => HostTable::F32(rows.host()?),
            (Rows::F16(rows), _) => HostTable::F16(rows.host()?),
            (Rows::Bf16(rows), _) => HostTable::Bf16(rows.host()?),
            (Rows::Codes(rows), Some(steps)) => HostTable::Codes(rows.host()?, steps.host()?),
            (Rows::Codes(rows) | Rows::Fused(rows), _) => HostTable::Fused(rows.host()?),
        };
        let indices = feature.indices.host();
        let lookup = match (&feature.offsets, &feature.weights) {
            (None, _) => HostLookup::One(indices),
            (Some(offsets), Some(weights)) => {
                let pooling = HostPooling::Weighted(&weights.data);
                HostLookup::Bags { indices, offsets: offsets.host(), pooling }
            }
            (Some(offsets), None) => {
                let pooling = if feature.pool == 2 { HostPooling::Mean } else { HostPooling::Sum };
                HostLookup::Bags { indices, offsets: offsets.host(), pooling }
            }
        };
        Ok(HostFeature { table, lookup, padding_idx: feature.padding_idx })
    }

    /// Copies everything.
    ///
    /// # Errors
    /// The device's.
    pub fn upload<D: Device>(&self, device: &D) -> Result<OnDevice<D>, Error> {
        let list = |list: &List<f32>| put(device, &list.data, list.len);
        let table = |table: &TableData| {
            let steps = table.steps.as_ref().map(|steps| put(device, &steps.data, steps.len()));
            Ok(DeviceTable { rows: table.rows.upload(device)?, steps: steps.transpose()? })
        };
        let feature = |feature: &FeatureData| {
            let offsets = feature.offsets.as_ref().map(|offsets| offsets.upload(device)).transpose()?;
            let weights = feature.weights.as_ref().map(list).transpose()?;
            Ok(DeviceFeature { indices: feature.indices.upload(device)?, offsets, weights })
        };
        Ok(OnDevice {
            tables: self.tables.iter().map(table).collect::<Result<_, Error>>()?,
            features: self.features.iter().map(feature).collect::<Result<_, Error>>()?,
            dense: self.dense.as_ref().map(|dense| dense.upload(device)).transpose()?,
        })
    }

    /// Whether tables, indices, offsets, weights and dense features are what they were.
    ///
    /// # Errors
    /// The device's.
    pub fn is_unchanged<D: Device>(&self, device: &D, on: &OnDevice<D>) -> Result<bool, Error> {
        let floats = |data: &[f32], buffer: &D::Buffer<f32>| {
            Ok::<_, Error>(same(&device.download(buffer.as_slice())?, data))
        };
        let mut all = true;
        for (table, DeviceTable { rows, steps }) in self.tables.iter().zip(&on.tables) {
            all &= table.rows.is_unchanged(device, rows)?;
            if let (Some(steps), Some(buffer)) = (&table.steps, steps) {
                all &= floats(&steps.data, buffer)?;
            }
        }
        for (feature, on) in self.features.iter().zip(&on.features) {
            let DeviceFeature { indices, offsets, weights } = on;
            all &= feature.indices.is_unchanged(device, indices)?;
            if let (Some(offsets), Some(buffer)) = (&feature.offsets, offsets) {
                all &= offsets.is_unchanged(device, buffer)?;
            }
            if let (Some(weights), Some(buffer)) = (&feature.weights, weights) {
                all &= floats(&weights.data, buffer)?;
            }
        }
        match (&self.dense, &on.dense) {
            (Some(dense), Some(buffer)) => Ok(all && dense.is_unchanged(device, buffer)?),
            _ => Ok(all),
        }
    }

    /// Features and dense features as views of device memory.
    ///
    /// # Errors
    /// None for buffers made from this data.
    pub fn views<'b, D: Device>(
        &self,
        on: &'b OnDevice<D>,
    ) -> Result<(Vec<Feature<'b>>, Option<Dense<'b>>), Error> {
        let table = |at: usize| -> Result<Table<'b>, Error> {
            let DeviceTable { rows, steps } = &on.tables[at];
            Ok(match (&self.tables[at].rows, rows) {
                (Rows::F32(rows), DeviceRows::F32(buffer)) => Table::F32(rows.view::<D>(buffer)?),
                (Rows::F16(rows), DeviceRows::F16(buffer)) => Table::F16(rows.view::<D>(buffer)?),
                (Rows::Bf16(rows), DeviceRows::Bf16(buffer)) => Table::Bf16(rows.view::<D>(buffer)?),
                (Rows::Codes(rows), DeviceRows::Codes(buffer)) => {
                    let (Some(at), Some(steps)) = (&self.tables[at].steps, steps) else {
                        unreachable!("codes have steps")
                    };
                    Table::Codes(CodedRows::new(rows.view::<D>(buffer)?, at.view::<D>(steps)?)?)
                }
                (Rows::Fused(rows), DeviceRows::Fused(buffer)) => {
                    Table::Codes(CodedRows::fused(rows.view::<D>(buffer)?)?)
                }
                _ => unreachable!("the buffers were made from this data"),
            })
        };
        let feature = |(feature, on): (&FeatureData, &'b DeviceFeature<D>)| {
            let DeviceFeature { indices, offsets, weights } = on;
            let indices = indices.view();
            let lookup = match offsets {
                None => Lookup::One(indices),
                Some(offsets) => {
                    let pooling = match (weights, feature.pool) {
                        (Some(weights), _) => Pooling::Weighted(weights.as_slice()),
                        (None, 2) => Pooling::Mean,
                        (None, _) => Pooling::Sum,
                    };
                    Lookup::Bags { indices, offsets: offsets.view(), pooling }
                }
            };
            Ok(Feature { table: table(feature.table)?, lookup, padding_idx: feature.padding_idx })
        };
        let features = self.features.iter().zip(&on.features).map(feature).collect::<Result<_, Error>>()?;
        let dense = match (&self.dense, &on.dense) {
            (Some(Rows::F32(rows)), Some(DeviceRows::F32(buffer))) => {
                Some(Dense::F32(rows.view::<D>(buffer)?))
            }
            (Some(Rows::F16(rows)), Some(DeviceRows::F16(buffer))) => {
                Some(Dense::F16(rows.view::<D>(buffer)?))
            }
            (Some(Rows::Bf16(rows)), Some(DeviceRows::Bf16(buffer))) => {
                Some(Dense::Bf16(rows.view::<D>(buffer)?))
            }
            _ => None,
        };
        Ok((features, dense))
    }
}
