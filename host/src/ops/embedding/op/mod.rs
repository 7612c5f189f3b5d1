//! What the family tells of itself: its op, the cases it is tested and timed by.

mod buffers;
mod cases;
mod data;
mod run;
mod shape;

use self::data::Data;
use self::run::{Work, entries, prepare_each};
use self::shape::Shape;
use crate::backend::DeviceInfo;
use crate::error::Error;
use crate::ops::scalar::with_type;
use crate::ops::{Case, DType, Executor, Op, Prepared, Unit};
use crate::validate::Tolerance;

/// The family's ops.
pub const OPS: &[&dyn Op] = &[&EmbedOp];

const DTYPES: &[DType] = &[DType::F32, DType::F16, DType::Bf16];

const EXACT: Tolerance = Tolerance::exact("every operation is rounded alike, in the same order");

/// Rows of tables, looked up or pooled, side by side: [`embed`](super::embed) as an [`Op`]. The element type is the output's.
///
/// [`Case::dims`] are samples, features, elements of a row of each table, and dense features. Options: `rows` of each table;
/// `table`, the element type: 0 f32, 1 f16, 2 bf16, 3 codes, 4 fused codes, 5 each its own; `bits` of indices: 0 i64, 1 i32,
/// 2 u32; `pool`: 0 one index each, 1 sum, 2 mean, 3 weighted sum, 4 each its own; `bag`, indices of a bag, on average where it is
/// `ragged`; `padding`, 1 for a row that stands for none; `bad`, 1 for indices and 2 for bags that are not valid; `policy`: 0 they
/// are zeros, 1 counted too, 2 refused; `widths`, 1 for each its own width; `shared`, 1 for one table for two features each;
/// `dense_type`: 0 f32, 1 f16, 2 bf16; `cancel`, 1 for large rows that
/// take each other away. Operands: tables, dense features, output; the stride of tables is the gap between rows.
pub struct EmbedOp;

impl Op for EmbedOp {
    fn name(&self) -> &'static str {
        super::OP
    }

    fn family(&self) -> &'static str {
        "embedding"
    }

    fn formula(&self) -> &'static str {
        "y[b] = [table[index[b]] or its bag's sum, …, dense[b]]"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["embed", "embed_bags", "embed_check"]
    }

    fn dtypes(&self) -> &'static [DType] {
        DTYPES
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["tables", "dense", "y"]
    }

    fn cases(&self) -> Vec<Case> {
        cases::cases()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        cases::random(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        cases::bench()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        Shape::of(case).map_or(0, |shape| shape.bytes(dtype.size_bytes()))
    }

    /// An addition for each element of a bag's rows.
    fn flops(&self, case: &Case) -> u64 {
        Shape::of(case).map_or(0, |shape| shape.additions())
    }

    fn unit(&self) -> Unit {
        Unit::GigabytesPerSecond
    }

    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
        let shape = Shape::of(case)?;
        with_type!(super::OP, dtype, |T| prepare_each(
            executors,
            Work::<T>::new(Data::new(&shape, case)?, shape)
        ))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        let shape = Shape::of(case)?;
        with_type!(super::OP, dtype, |T| entries::<T>(info, &shape, &Data::without_values(&shape, case)?))
    }
}
