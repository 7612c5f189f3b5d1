//! The op `matmul_hpq`.

use std::marker::PhantomData;

use gpu_std::{bf16, f16};

use super::data::{HpqData, Vectors};
use super::run::{Task, entries, prepare_each};
use super::{cases, shape::Shape};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::matmul as cpu;
use crate::error::Error;
use crate::ops::matmul::beside::DeviceVectors;
use crate::ops::matmul::hpq::matmul_hpq_with;
use crate::ops::matmul::{Config, HpqOutput, SplitRef, Workspace};
use crate::ops::{Case, DType, Executor, HostMut, Layout, MatrixMut, Op, OpError, Prepared, Unit};
use crate::reference::matmul as reference;
use crate::validate::{Comparison, Tolerance};

const NAME: &str = "matmul_hpq";

const EXACT: Tolerance =
    Tolerance::exact("sums are exact, and what follows is rounded alike, in the same order");

/// Products of 8-bit codes and 16-bit weights, [`crate::ops::matmul::matmul_hpq`] as an [`Op`].
///
/// Dimensions and options as of [`super::Q8Op`], but for zero points of rows; the sums themselves are i64. Stride
/// and offset of the weights are those of both planes.
pub struct HpqOp;

struct HpqTask<T> {
    shape: Shape,
    data: HpqData,
    output: PhantomData<fn() -> T>,
}

impl<T: HpqOutput> HpqTask<T> {
    fn new(case: &Case, lengths_only: bool) -> Result<Self, OpError> {
        let shape = Shape::of(NAME, case)?;
        let data = HpqData::new(&shape, case, T::DTYPE == DType::I64, lengths_only)?;
        Ok(Self { shape, data, output: PhantomData })
    }
}

/// The inputs on a device.
struct Inputs<D: Device> {
    a: D::Buffer<i8>,
    hi: D::Buffer<i8>,
    lo: D::Buffer<u8>,
    vectors: DeviceVectors<D>,
    workspace: Workspace<D>,
}

impl<T: HpqOutput> Task for HpqTask<T> {
    type Out = T;
    type Inputs<D: Device> = Inputs<D>;

    fn output(&self) -> (Layout, u64) {
        let Shape { m, n, gaps, offsets, .. } = self.shape;
        (Layout::new(m, n, n + gaps[2]).unwrap_or(Layout::EMPTY), offsets[2])
    }

    fn terms(&self) -> u64 {
        self.shape.terms()
    }

    fn tolerance(&self) -> Tolerance {
        EXACT
    }

    fn upload<D: Device>(&self, device: &D) -> Result<Inputs<D>, Error> {
        let HpqData { a, hi, lo, .. } = &self.data;
        Ok(Inputs {
            a: a.upload(device)?,
            hi: hi.upload(device)?,
            lo: lo.upload(device)?,
            vectors: DeviceVectors::new(device, &self.data.beside())?,
            workspace: Workspace::new(),
        })
    }

    fn launch<D: Device>(
        &self,
        device: &D,
        inputs: &mut Inputs<D>,
        c: MatrixMut<'_, T>,
    ) -> Result<(), Error> {
        let HpqData { a, hi, lo, .. } = &self.data;
        let planes = SplitRef::new(hi.view(&inputs.hi)?, lo.view(&inputs.lo)?)?;
        let asked = inputs.vectors.hpq(a.view(&inputs.a)?, planes);
        let problem = asked.problem(&c)?;
        let parts = self.shape.parts(NAME).map_err(OpError::from)?;
        let config = Config::with(&problem, device, self.shape.kernel_on(&problem, device), parts)
            .map_err(OpError::from)?;
        matmul_hpq_with(device, &mut inputs.workspace, &asked, &problem, config, c)
    }

    fn unchanged<D: Device>(&self, device: &D, inputs: &Inputs<D>) -> Result<Vec<Comparison>, Error> {
        let HpqData { a, hi, lo, .. } = &self.data;
        Ok(vec![
            a.unchanged(device, &inputs.a)?,
            hi.unchanged(device, &inputs.hi)?,
            lo.unchanged(device, &inputs.lo)?,
        ])
    }

    fn cpu(&self, c: &mut HostMut<'_, T>) -> Result<(), OpError> {
        cpu::matmul_hpq(&self.data.host()?, c)
    }

    fn expected(&self, i: u64, j: u64) -> Result<T, OpError> {
        Ok(reference::matmul_hpq_at(&self.data.host()?, i, j))
    }
}

/// Evaluates an expression with `$T` as the type of the output.
macro_rules! with_output {
    ($dtype:expr, $T:ident => $result:expr) => {
        match $dtype {
            DType::F16 => {
                type $T = f16;
                $result
            }
            DType::Bf16 => {
                type $T = bf16;
                $result
            }
            DType::F32 => {
                type $T = f32;
                $result
            }
            DType::I64 => {
                type $T = i64;
                $result
            }
            dtype @ (DType::I8 | DType::I32) => {
                let has = "f16, bf16, f32, i64".to_owned();
                Err(OpError::NoInstance { op: NAME, dtype, has }.into())
            }
        }
    };
}

impl Op for HpqOp {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "matmul"
    }

    fn formula(&self) -> &'static str {
        "c = a wᵀ, scaled, w of 16 bits"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["matmul_hpq", "sm90_matmul_hpq"]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F16, DType::Bf16, DType::F32, DType::I64]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["a", "weights", "c"]
    }

    fn cases(&self) -> Vec<Case> {
        cases::hpq()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        cases::random_hpq(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        cases::bench_hpq()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        Shape::of(NAME, case).map_or(0, |shape| {
            let Shape { m, n, k, .. } = shape;
            (m + 2 * n) * k + m * n * dtype.size_bytes() + Vectors::bytes(&shape, dtype == DType::I64)
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
        with_output!(dtype, T => prepare_each(executors, HpqTask::<T>::new(case, false)?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        with_output!(dtype, T => entries(info, &HpqTask::<T>::new(case, true)?))
    }
}
