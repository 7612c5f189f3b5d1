//! The op `quantize_affine`.

use super::cases::Family;
use super::run::{EXACT, Work, entries, prepare_each};
use super::task::{Asked, OnDevice, OnHost, Task};
use super::{DTYPES, shape_of, with_type};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::quantize as cpu;
use crate::error::Error;
use crate::ops::quantize::{Affine, CodeType, NonFinite, Quantizable, QuantizeError, quantize_affine};
use crate::ops::{Case, DType, Executor, HostRef, MatrixRef, Op, Placement, Prepared, Unit};
use crate::reference::quantize::{RowCodes, affine_cpu};
use crate::reference::round::widen;
use crate::validate::Tolerance;

const NAME: &str = "quantize_affine";

const FAMILY: Family = Family {
    matrices: 2,
    operands: 2,
    variants: &[
        &[("u8", 1), ("per_unit", 50), ("zero", 128), ("count", 1)],
        // 1.5 times the inverse is just below a tie, and is one when it is rounded.
        &[("units", 3), ("per_unit", 43), ("zero", 125), ("count", 1)],
        &[("u8", 1), ("units", 3), ("per_unit", 43), ("zero", 255)],
        &[("units", 3), ("per_unit", 43), ("zero", 3)],
        // A power of two, by which halves are ties.
        &[("u8", 1), ("per_unit", 2), ("zero", 255)],
    ],
};

/// Codes of 8 bits by a scale and a zero point that are given.
///
/// [`Case::dims`] are rows and columns. Options: `u8`, 1 for codes without sign; `per_unit`, the scale is one such part of
/// `units`, which are 1 where they are not given; `zero`, how many codes lie below the zero point; `count`, 1 to ask for the
/// number of values that are not finite; `content`, what the rows hold.
pub struct AffineOp;

/// What a case asks.
#[derive(Clone, Copy)]
struct Given {
    asked: Asked,
    scale: f32,
    /// Codes below the zero point.
    below: i32,
}

impl Given {
    fn new(case: &Case, codes: Placement) -> Self {
        let mut asked = Asked { count: case.option("count") == 1, ..Asked::default() };
        if case.option("u8") == 1 {
            asked.low = Some(codes);
        } else {
            asked.codes = Some(codes);
        }
        let units = case.option("units").max(1) as f32;
        Self { asked, scale: units / case.option("per_unit") as f32, below: case.option("zero") as i32 }
    }

    fn affine<C: CodeType>(&self) -> Result<Affine<C>, QuantizeError> {
        Affine::new(self.scale, C::FIRST + self.below)
    }

    fn is_unsigned(&self) -> bool {
        self.asked.low.is_some()
    }
}

impl Task for Given {
    const INPUTS: &'static [&'static str] = &["x"];

    fn asked(&self) -> Asked {
        self.asked
    }

    fn launch<T: Quantizable, D: Device>(
        &self,
        device: &D,
        inputs: &[MatrixRef<'_, T>],
        outputs: OnDevice<'_>,
    ) -> Result<(), Error> {
        let non_finite = NonFinite::counted(outputs.count);
        if self.is_unsigned() {
            return quantize_affine(device, inputs[0], outputs.low, self.affine()?, non_finite);
        }
        quantize_affine(device, inputs[0], outputs.codes, self.affine()?, non_finite)
    }

    fn cpu<T: Quantizable>(&self, inputs: &[HostRef<'_, T>], outputs: OnHost<'_>) -> Result<u64, Error> {
        let OnHost { mut codes, mut low, .. } = outputs;
        if self.is_unsigned() {
            return Ok(cpu::quantize_affine(inputs[0], &mut low, self.affine()?)?);
        }
        Ok(cpu::quantize_affine(inputs[0], &mut codes, self.affine()?)?)
    }

    fn expected<T: Quantizable>(&self, rows: &[&[T]]) -> RowCodes {
        let (first, last) = if self.is_unsigned() { (0, 255) } else { (-128, 127) };
        let zero = first + self.below;
        let row: Vec<f64> = rows[0].iter().map(|x| widen(*x)).collect();
        let codes = row.iter().map(|x| affine_cpu(*x, self.scale, zero, first, last)).collect();
        let not_finite = row.iter().filter(|x| !x.is_finite()).count() as u64;
        RowCodes { codes, scale: self.scale, zero, not_finite }
    }
}

impl Op for AffineOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "quantize"
    }

    fn formula(&self) -> &'static str {
        "codes[r, c] = clamp(rne(x[r, c] / scale) + zero)"
    }

    fn stems(&self) -> &'static [&'static str] {
        &[NAME]
    }

    fn dtypes(&self) -> &'static [DType] {
        DTYPES
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["x", "codes"]
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
        rows * cols * (dtype.size_bytes() + 1)
    }

    /// A product, a rounding and a sum per element.
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
        let (dims, [x, codes]) = shape_of(NAME, case)?;
        let task = Given::new(case, codes);
        with_type!(NAME, dtype, |T| prepare_each(executors, Work::<T, _>::new(task, case, dims, &[x])?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        let (dims, [x, codes]) = shape_of(NAME, case)?;
        let task = Given::new(case, codes);
        with_type!(NAME, dtype, |T| entries::<T, _>(info, &task, dims, &[x]))
    }
}
