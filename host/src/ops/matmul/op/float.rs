//! The op `matmul`.

use std::marker::PhantomData;

use gpu_std::{bf16, f16};

use super::cases;
use super::data::{BiasData, FloatData};
use super::run::{Task, entries, prepare_each};
use super::shape::{Codes, Shape};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::matmul as cpu;
use crate::error::Error;
use crate::ops::matmul::beside::DeviceBias;
use crate::ops::matmul::float::{matmul_with, problem};
use crate::ops::matmul::{Config, FloatInput, FloatOutput, Workspace};
use crate::ops::{Case, DType, Executor, HostMut, Layout, MatrixMut, Op, OpError, Prepared, Unit};
use crate::reference::matmul as reference;
use crate::validate::{Comparison, Tolerance};

const NAME: &str = "matmul";

/// Products of floats of 16 bits, [`crate::ops::matmul::matmul`] as an [`Op`].
///
/// [`Case::dims`] are m, n and k, the element type is the output's; the inputs have it too, or for f32 are f16, or bf16 by the
/// option `bf16`. Other options: `bias` (0 none, 1 f32, 2 f16, 3 bf16), `kernel` (from 1, 0 for the fastest), `splits` (0 for the
/// fastest).
pub struct FloatOp;

struct FloatTask<I, T> {
    shape: Shape,
    data: FloatData<I>,
    output: PhantomData<fn() -> T>,
}

impl<I: FloatInput, T: FloatOutput<I>> FloatTask<I, T> {
    fn new(case: &Case, lengths_only: bool) -> Result<Self, OpError> {
        let shape = Shape::of(NAME, case)?;
        let data = FloatData::new(&shape, case, lengths_only)?;
        Ok(Self { shape, data, output: PhantomData })
    }
}

/// Of a case that is none.
const EMPTY: Tolerance = Tolerance::exact("nothing is computed");

/// How far sums of `k` products may be off whose magnitudes add up to at most `magnitudes`: the kernel's
/// (k / 16 + 24) 2^-23 Σ |a b|, and as much again for an output that is rounded from there, which may be another neighbour; or 2
/// units in the last place where that is more. The twin, which adds some sums side by side, is below.
pub(crate) fn tolerance_of_sums(k: u64, magnitudes: f64) -> Tolerance {
    let sums = (k as f64 / 16.0 + 24.0) * f64::powi(2.0, -23) * magnitudes;
    let reason = "sums in f32 by steps of the tensor cores, then one rounding; the bound grows with k";
    Tolerance { atol: 2.0 * sums, ..Tolerance::ulps(2.0, reason) }
}

/// The same of numbers uniform in [-2, 2). Σ |a b| is at most |a| |b| (Cauchy and Schwarz); the square of such a row is 4/3 k on
/// average, and above the bound below, which is 6 standard deviations more, once in 10^8 rows. Sums of whole numbers are exact.
fn tolerance(k: u64, codes: Codes) -> Tolerance {
    if codes == Codes::Ties {
        return Tolerance::exact("sums of whole numbers are exact, and rounded once");
    }
    let terms = k as f64;
    tolerance_of_sums(k, (4.0 * terms).min(4.0 / 3.0 * terms + 8.0 * terms.sqrt()))
}

/// The inputs on a device.
struct Inputs<I: FloatInput, D: Device> {
    a: D::Buffer<I>,
    b: D::Buffer<I>,
    bias: Option<DeviceBias<D>>,
    workspace: Workspace<D>,
}

impl<I: FloatInput, T: FloatOutput<I>> Task for FloatTask<I, T> {
    type Out = T;
    type Inputs<D: Device> = Inputs<I, D>;

    fn output(&self) -> (Layout, u64) {
        let Shape { m, n, gaps, offsets, .. } = self.shape;
        (Layout::new(m, n, n + gaps[2]).unwrap_or(Layout::EMPTY), offsets[2])
    }

    fn terms(&self) -> u64 {
        self.shape.terms()
    }

    fn tolerance(&self) -> Tolerance {
        tolerance(self.shape.k, self.shape.codes)
    }

    fn upload<D: Device>(&self, device: &D) -> Result<Inputs<I, D>, Error> {
        let FloatData { a, b, bias } = &self.data;
        let bias = bias.as_ref().map(BiasData::host).map(|bias| DeviceBias::new(device, bias)).transpose()?;
        Ok(Inputs { a: a.upload(device)?, b: b.upload(device)?, bias, workspace: Workspace::new() })
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        inputs: &mut Inputs<I, D>,
        c: MatrixMut<'_, T>,
    ) -> Result<(), Error> {
        let (a, b) = (self.data.a.view(&inputs.a)?, self.data.b.view(&inputs.b)?);
        let bias = inputs.bias.as_ref().map(DeviceBias::view);
        let problem = problem(a, b, bias, &c)?;
        let parts = self.shape.parts(NAME)?;
        let config = Config::with(&problem, device, self.shape.kernel_on(&problem, device), parts)?;
        matmul_with(device, &mut inputs.workspace, (a, b), bias, &problem, config, c)
    }

    fn unchanged<D: Device>(&self, device: &D, inputs: &Inputs<I, D>) -> Result<Vec<Comparison>, Error> {
        let FloatData { a, b, .. } = &self.data;
        Ok(vec![a.unchanged(device, &inputs.a)?, b.unchanged(device, &inputs.b)?])
    }

    fn cpu(&self, c: &mut HostMut<'_, T>) -> Result<(), OpError> {
        cpu::matmul(&self.data.host()?, c)
    }

    fn expected(&self, i: u64, j: u64) -> Result<T, OpError> {
        Ok(reference::matmul_at(&self.data.host()?, i, j))
    }
}

/// Evaluates an expression with `$I` and `$T` as the types of inputs and output.
macro_rules! with_types {
    ($dtype:expr, $case:expr, $I:ident, $T:ident => $result:expr) => {
        match ($dtype, $case.option("bf16")) {
            (DType::F16, _) => {
                type $I = f16;
                type $T = f16;
                $result
            }
            (DType::Bf16, _) => {
                type $I = bf16;
                type $T = bf16;
                $result
            }
            (DType::F32, 0) => {
                type $I = f16;
                type $T = f32;
                $result
            }
            (DType::F32, _) => {
                type $I = bf16;
                type $T = f32;
                $result
            }
            (dtype, _) => {
                Err(OpError::NoInstance { op: NAME, dtype, has: "f16, bf16, f32".to_owned() }.into())
            }
        }
    };
}

impl Op for FloatOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "matmul"
    }

    fn formula(&self) -> &'static str {
        "c = a bᵀ + bias"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["matmul", "sm90_matmul"]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F16, DType::Bf16, DType::F32]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["a", "b", "c"]
    }

    fn cases(&self) -> Vec<Case> {
        cases::float()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        cases::random_float(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        cases::bench_float()
    }

    fn tolerance(&self, _: DType, case: &Case) -> Tolerance {
        Shape::of(NAME, case).map_or(EMPTY, |shape| tolerance(shape.k, shape.codes))
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        Shape::of(NAME, case).map_or(0, |shape| {
            let Shape { m, n, k, .. } = shape;
            2 * (m + n) * k + m * n * dtype.size_bytes() + super::data::bias_bytes(shape.bias, n)
        })
    }

    fn flops(&self, case: &Case) -> u64 {
        Shape::of(NAME, case).map_or(0, |shape| shape.terms().saturating_mul(2))
    }

    fn unit(&self) -> Unit {
        Unit::TeraOps
    }

    fn prepare_each<'e>(
        &self,
        executors: &[&'e Executor],
        dtype: DType,
        case: &Case,
    ) -> Result<Vec<Box<dyn Prepared + 'e>>, Error> {
        with_types!(dtype, case, I, T => prepare_each(executors, FloatTask::<I, T>::new(case, false)?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        with_types!(dtype, case, I, T => entries(info, &FloatTask::<I, T>::new(case, true)?))
    }
}
