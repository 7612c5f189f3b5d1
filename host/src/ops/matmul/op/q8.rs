//! The op `matmul_q8`.

use std::marker::PhantomData;

use gpu_std::{bf16, f16};

use super::data::{Q8Data, Vectors};
use super::run::{Task, entries, prepare_each};
use super::{cases, shape::Shape};
use crate::backend::{Device, DeviceInfo};
use crate::cpu::matmul as cpu;
use crate::error::Error;
use crate::ops::matmul::beside::DeviceVectors;
use crate::ops::matmul::q8::matmul_q8_with;
use crate::ops::matmul::{Config, Q8Output, Workspace};
use crate::ops::{Case, DType, Executor, HostMut, Layout, MatrixMut, Op, OpError, Prepared, Unit};
use crate::reference::matmul as reference;
use crate::validate::{Comparison, Tolerance};

const NAME: &str = "matmul_q8";

const EXACT: Tolerance =
    Tolerance::exact("sums are exact, and what follows is rounded alike, in the same order");

/// Products of 8-bit codes, [`crate::ops::matmul::matmul_q8`] as an [`Op`].
///
/// [`Case::dims`] are m, n and k, the element type is the output's, which is i32 for the sums themselves: then scales and bias of
/// the case are left out. Options: `row_scales`, `col_scales` (0 one for each, 1 one for all, 2 none), `row_zeros`, `col_zeros`
/// (0 none, 1 one for all, 2 one for each), `bias` (0 none, 1 f32, 2 f16, 3 bf16), `codes`, `kernel` (from 1, 0 for the
/// fastest), `splits` (0 for the fastest).
pub struct Q8Op;

struct Q8Task<T> {
    shape: Shape,
    data: Q8Data,
    output: PhantomData<fn() -> T>,
}

impl<T: Q8Output> Q8Task<T> {
    fn new(case: &Case, lengths_only: bool) -> Result<Self, OpError> {
        let shape = Shape::of(NAME, case)?;
        let data = Q8Data::new(&shape, case, T::DTYPE == DType::I32, lengths_only)?;
        Ok(Self { shape, data, output: PhantomData })
    }
}

/// The inputs on a device.
struct Inputs<D: Device> {
    a: D::Buffer<i8>,
    b: D::Buffer<i8>,
    vectors: DeviceVectors<D>,
    workspace: Workspace<D>,
}

impl<T: Q8Output> Task for Q8Task<T> {
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
        let Q8Data { a, b, .. } = &self.data;
        Ok(Inputs {
            a: a.upload(device)?,
            b: b.upload(device)?,
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
        let Q8Data { a, b, .. } = &self.data;
        let asked = inputs.vectors.q8(a.view(&inputs.a)?, b.view(&inputs.b)?);
        let problem = asked.problem(&c)?;
        let parts = self.shape.parts(NAME).map_err(OpError::from)?;
        let config = Config::with(&problem, device, self.shape.kernel_on(&problem, device), parts)
            .map_err(OpError::from)?;
        matmul_q8_with(device, &mut inputs.workspace, &asked, &problem, config, c)
    }

    fn unchanged<D: Device>(&self, device: &D, inputs: &Inputs<D>) -> Result<Vec<Comparison>, Error> {
        let Q8Data { a, b, .. } = &self.data;
        Ok(vec![a.unchanged(device, &inputs.a)?, b.unchanged(device, &inputs.b)?])
    }

    fn cpu(&self, c: &mut HostMut<'_, T>) -> Result<(), OpError> {
        cpu::matmul_q8(&self.data.host()?, c)
    }

    fn expected(&self, i: u64, j: u64) -> Result<T, OpError> {
        Ok(reference::matmul_q8_at(&self.data.host()?, i, j))
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
            DType::I32 => {
                type $T = i32;
                $result
            }
            DType::I8 => {
                type $T = i8;
                $result
            }
            dtype @ DType::I64 => {
                let has = "f16, bf16, f32, i32, i8".to_owned();
                Err(OpError::NoInstance { op: NAME, dtype, has }.into())
            }
        }
    };
}

impl Op for Q8Op {
    fn name(&self) -> &'static str {
        NAME
    }

    fn family(&self) -> &'static str {
        "matmul"
    }

    fn formula(&self) -> &'static str {
        "c = a bᵀ, scaled"
    }

    fn stems(&self) -> &'static [&'static str] {
        &["matmul_q8", "sm90_matmul_q8"]
    }

    fn dtypes(&self) -> &'static [DType] {
        &[DType::F16, DType::Bf16, DType::F32, DType::I32, DType::I8]
    }

    fn operands(&self) -> Vec<&'static str> {
        vec!["a", "b", "c"]
    }

    fn cases(&self) -> Vec<Case> {
        cases::q8()
    }

    fn random_case(&self, draw: &mut dyn FnMut(u64) -> u64) -> Case {
        cases::random_q8(draw)
    }

    fn bench_cases(&self) -> Vec<Case> {
        cases::bench_q8()
    }

    fn tolerance(&self, _: DType, _: &Case) -> Tolerance {
        EXACT
    }

    fn bytes(&self, dtype: DType, case: &Case) -> u64 {
        Shape::of(NAME, case).map_or(0, |shape| {
            let Shape { m, n, k, .. } = shape;
            (m + n) * k + m * n * dtype.size_bytes() + Vectors::bytes(&shape, dtype == DType::I32)
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
        with_output!(dtype, T => prepare_each(executors, Q8Task::<T>::new(case, false)?))
    }

    fn entries(&self, info: &DeviceInfo, dtype: DType, case: &Case) -> Result<Vec<&'static str>, Error> {
        with_output!(dtype, T => entries(info, &Q8Task::<T>::new(case, true)?))
    }
}
