//! The op `hadamard_quantize`.

use super::cases::Family;
use super::run::{EXACT, Work, entries, prepare_each};
use super::task::{Asked, OnDevice, OnHost, Task};
use super::{DTYPES, RowsOp, shape_of, with_type};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::quantize as cpu;
use crate::error::Error;
use crate::ops::quantize::{NonFinite, Quantizable, hadamard_quantize};
use crate::ops::{Case, DType, Executor, HostRef, MatrixRef, Op, Placement, Prepared, Unit};
use crate::reference::quantize::{RowCodes, symmetric_cpu};
use crate::reference::round::{round, widen};
use crate::validate::Tolerance;

const NAME: &str = "hadamard_quantize";

const FAMILY: Family = Family { matrices: 3, operands: 5, variants: &[&[("sums", 1), ("count", 1)], &[]] };

/// Symmetric codes of 8 bits of the products of two matrices.
///
/// [`Case::dims`] are rows and columns. Options: `sums` and `count`, 1 to ask for the sums of the codes and for the number of
/// products that are not finite; `content`, what the rows hold.
pub struct ProductOp;

/// What a case asks.
struct Product(Asked);

impl Task for Product {
    const INPUTS: &'static [&'static str] = &["a", "b"];

    fn asked(&self) -> Asked {
        self.0
    }

    fn launch<T: Quantizable, D: Device>(
        &self,
        device: &D,
        inputs: &[MatrixRef<'_, T>],
        outputs: OnDevice<'_>,
    ) -> Result<(), Error> {
        let OnDevice { codes, scales, sums, count, .. } = outputs;
        let sums = self.0.sums.is_some().then_some(sums);
        hadamard_quantize(device, inputs[0], inputs[1], codes, scales, sums, NonFinite::counted(count))
    }

    fn cpu<T: Quantizable>(&self, inputs: &[HostRef<'_, T>], outputs: OnHost<'_>) -> Result<u64, Error> {
        let OnHost { mut codes, scales, sums, .. } = outputs;
        let sums = self.0.sums.is_some().then_some(sums);
        let steps = cpu::RowSteps { scales, zeros: None, sums };
        Ok(cpu::hadamard_quantize(inputs[0], inputs[1], &mut codes, steps)?)
    }

    fn expected<T: Quantizable>(&self, rows: &[&[T]]) -> RowCodes {
        let product = |(a, b): (&T, &T)| widen(round::<T>(widen(*a) * widen(*b)));
        let row: Vec<f64> = rows[0].iter().zip(rows[1]).map(product).collect();
        symmetric_cpu(&row)
    }
}

impl Product {
    fn new(case: &Case, [codes, scales, sums]: [Placement; 3]) -> Self {
        Self(Asked {
            codes: Some(codes),
            scales: Some(scales.offset),
            sums: (case.option("sums") == 1).then_some(sums.offset),
            count: case.option("count") == 1,
            ..Asked::default()
        })
    }
}

impl Op for ProductOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "quantize"
    }

    fn formula(&self) -> &'static str {
        "codes[r, c] = rne(a[r, c] * b[r, c] / scales[r])"
    }

    fn stems(&self) -> &'static [&'static str] {
        &[NAME]
    }

    /// Its bits are those of two calls, which a check compares.
    fn borrows_from(&self) -> &'static [&'static dyn Op] {
        &[&RowsOp]
    }

    fn dtypes(&self) -> &'static [DType] {
        DTYPES
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["a", "b", "codes", "scales", "sums"]
    }

    fn cases(&self) -> Vec<Case> {
        FAMILY.cases()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        FAMILY.random(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        FAMILY.bench()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        let &[rows, cols] = case.dims.as_slice() else { return 0 };
        rows * cols * (2 * dtype.size_bytes() + 1) + rows * 4 * (1 + case.option("sums"))
    }

    /// A product, a comparison and a fused multiply-add per element.
    fn flops(&self, case: &Case) -> u64 {
        case.dims.iter().product::<u64>() * 4
    }

    fn unit(&self) -> Unit {
        Unit::GigabytesPerSecond
    }

    fn any_grid(&self) -> bool {
        true
    }

    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
        let (dims, [a, b, codes, scales, sums]) = shape_of(NAME, case)?;
        let task = Product::new(case, [codes, scales, sums]);
        with_type!(NAME, dtype, |T| prepare_each(executors, Work::<T, _>::new(task, case, dims, &[a, b])?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        let (dims, [a, b, codes, scales, sums]) = shape_of(NAME, case)?;
        let task = Product::new(case, [codes, scales, sums]);
        with_type!(NAME, dtype, |T| entries::<T, _>(info, &task, dims, &[a, b]))
    }
}
