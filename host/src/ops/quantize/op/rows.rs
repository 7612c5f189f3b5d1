//! The op `quantize_rows`.

use super::cases::Family;
use super::run::{EXACT, Work, entries, prepare_each};
use super::task::{Asked, OnDevice, OnHost, Task};
use super::{DTYPES, shape_of, with_type};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::quantize as cpu;
use crate::error::Error;
use crate::ops::quantize::{NonFinite, Quantizable, RowSteps, quantize_rows};
use crate::ops::{Case, DType, Executor, HostRef, MatrixRef, Op, Placement, Prepared, Unit};
use crate::reference::quantize::{RowCodes, asymmetric_cpu, symmetric_cpu};
use crate::reference::round::widen;
use crate::validate::Tolerance;

const NAME: &str = "quantize_rows";

const FAMILY: Family = Family {
    matrices: 2,
    operands: 5,
    variants: &[
        &[("sums", 1), ("count", 1)],
        &[("zeros", 1), ("sums", 1), ("count", 1)],
        &[],
        &[("zeros", 1)],
    ],
};

/// Codes of 8 bits by the range of each row.
///
/// [`Case::dims`] are rows and columns. Options: `zeros`, 1 for asymmetric codes; `sums` and `count`, 1 to ask for the sums of
/// the codes and for the number of values that are not finite; `content`, what the rows hold.
pub struct RowsOp;

/// What a case asks.
struct Rows(Asked);

impl Task for Rows {
    const INPUTS: &'static [&'static str] = &["x"];

    fn asked(&self) -> Asked {
        self.0
    }

    fn launch<T: Quantizable, D: Device>(
        &self,
        device: &D,
        inputs: &[MatrixRef<'_, T>],
        outputs: OnDevice<'_>,
    ) -> Result<(), Error> {
        let OnDevice { codes, scales, zeros, sums, count, .. } = outputs;
        let steps = RowSteps {
            scales,
            zeros: self.0.zeros.is_some().then_some(zeros),
            sums: self.0.sums.is_some().then_some(sums),
        };
        quantize_rows(device, inputs[0], codes, steps, NonFinite::counted(count))
    }

    fn cpu<T: Quantizable>(&self, inputs: &[HostRef<'_, T>], outputs: OnHost<'_>) -> Result<u64, Error> {
        let OnHost { mut codes, scales, zeros, sums, .. } = outputs;
        let steps = cpu::RowSteps {
            scales,
            zeros: self.0.zeros.is_some().then_some(zeros),
            sums: self.0.sums.is_some().then_some(sums),
        };
        Ok(cpu::quantize_rows(inputs[0], &mut codes, steps)?)
    }

    fn expected<T: Quantizable>(&self, rows: &[&[T]]) -> RowCodes {
        let row: Vec<f64> = rows[0].iter().map(|x| widen(*x)).collect();
        if self.0.zeros.is_some() { asymmetric_cpu(&row, 127) } else { symmetric_cpu(&row) }
    }
}

impl Rows {
    fn new(case: &Case, [codes, scales, zeros, sums]: [Placement; 4]) -> Self {
        let asked = |name: &str, place: Placement| (case.option(name) == 1).then_some(place.offset);
        Self(Asked {
            codes: Some(codes),
            scales: Some(scales.offset),
            zeros: asked("zeros", zeros),
            sums: asked("sums", sums),
            count: case.option("count") == 1,
            ..Asked::default()
        })
    }
}

impl Op for RowsOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "quantize"
    }

    fn formula(&self) -> &'static str {
        "codes[r, c] = rne(x[r, c] / scales[r]) + zeros[r]"
    }

    fn stems(&self) -> &'static [&'static str] {
        &[NAME]
    }

    fn dtypes(&self) -> &'static [DType] {
        DTYPES
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["x", "codes", "scales", "zeros", "sums"]
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
        let vectors = 1 + case.option("zeros") + case.option("sums");
        rows * cols * (dtype.size_bytes() + 1) + rows * 4 * vectors
    }

    /// A comparison and a fused multiply-add per element.
    fn flops(&self, case: &Case) -> u64 {
        case.dims.iter().product::<u64>() * 3
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
        let (dims, [x, codes, scales, zeros, sums]) = shape_of(NAME, case)?;
        let task = Rows::new(case, [codes, scales, zeros, sums]);
        with_type!(NAME, dtype, |T| prepare_each(executors, Work::<T, _>::new(task, case, dims, &[x])?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        let (dims, [x, codes, scales, zeros, sums]) = shape_of(NAME, case)?;
        let task = Rows::new(case, [codes, scales, zeros, sums]);
        with_type!(NAME, dtype, |T| entries::<T, _>(info, &task, dims, &[x]))
    }
}
