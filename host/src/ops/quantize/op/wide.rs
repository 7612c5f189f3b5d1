//! The op `quantize_rows_i16`.

use super::cases::Family;
use super::run::{EXACT, Work, entries, prepare_each};
use super::task::{Asked, OnDevice, OnHost, Task};
use super::{DTYPES, shape_of, with_type};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::quantize as cpu;
use crate::error::Error;
use crate::ops::quantize::{NonFinite, Quantizable, quantize_rows_i16};
use crate::ops::{Case, DType, Executor, HostRef, MatrixRef, Op, Placement, Prepared, Unit};
use crate::reference::quantize::{RowCodes, asymmetric_cpu};
use crate::reference::round::widen;
use crate::validate::Tolerance;

const NAME: &str = "quantize_rows_i16";

const FAMILY: Family = Family { matrices: 3, operands: 5, variants: &[&[("count", 1)], &[]] };

/// Codes of 16 bits by the range of each row, in two planes.
///
/// [`Case::dims`] are rows and columns. Options: `count`, 1 to ask for the number of values that are not finite; `content`, what
/// the rows hold.
pub struct WideOp;

/// What a case asks.
struct Wide(Asked);

impl Task for Wide {
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
        let OnDevice { codes, low, scales, zeros, count, .. } = outputs;
        quantize_rows_i16(device, inputs[0], codes, low, scales, zeros, NonFinite::counted(count))
    }

    fn cpu<T: Quantizable>(&self, inputs: &[HostRef<'_, T>], outputs: OnHost<'_>) -> Result<u64, Error> {
        let OnHost { mut codes, mut low, scales, zeros, .. } = outputs;
        Ok(cpu::quantize_rows_i16(inputs[0], &mut codes, &mut low, scales, zeros)?)
    }

    fn expected<T: Quantizable>(&self, rows: &[&[T]]) -> RowCodes {
        let row: Vec<f64> = rows[0].iter().map(|x| widen(*x)).collect();
        asymmetric_cpu(&row, 32_767)
    }
}

impl Wide {
    fn new(case: &Case, [high, low, scales, zeros]: [Placement; 4]) -> Self {
        Self(Asked {
            codes: Some(high),
            low: Some(low),
            scales: Some(scales.offset),
            zeros: Some(zeros.offset),
            count: case.option("count") == 1,
            ..Asked::default()
        })
    }
}

impl Op for WideOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "quantize"
    }

    fn formula(&self) -> &'static str {
        "256 high[r, c] + low[r, c] = rne(x[r, c] / scales[r]) + zeros[r]"
    }

    fn stems(&self) -> &'static [&'static str] {
        &[NAME]
    }

    fn dtypes(&self) -> &'static [DType] {
        DTYPES
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["x", "high", "low", "scales", "zeros"]
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
        rows * cols * (dtype.size_bytes() + 2) + rows * 8
    }

    /// Two comparisons and a fused multiply-add per element.
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
        let (dims, [x, high, low, scales, zeros]) = shape_of(NAME, case)?;
        let task = Wide::new(case, [high, low, scales, zeros]);
        with_type!(NAME, dtype, |T| prepare_each(executors, Work::<T, _>::new(task, case, dims, &[x])?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        let (dims, [x, high, low, scales, zeros]) = shape_of(NAME, case)?;
        let task = Wide::new(case, [high, low, scales, zeros]);
        with_type!(NAME, dtype, |T| entries::<T, _>(info, &task, dims, &[x]))
    }
}
